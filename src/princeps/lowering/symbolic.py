"""A population protocol on symbols: its rule, predicates and legal states as terms of a solver, for every parameter.

    s = Symbols(cls)                     # of z3; Symbols(cls, cvc5_library()) of cvc5, without z3
    s.params                             # name -> term: parameters, and what derives from them
    s.facts                              # what is known of the parameters
    a, b = s.agent("a"), s.agent("b")    # field -> term
    s.legal(a)                           # in one of the groups of legal states
    met = s.interact(a, b)               # met.left, met.right: what becomes of them
    s.value(function, a, PARAMS)         # what a function of the protocol's file returns
    s.truth(function, a, PARAMS)         # the same as a condition

`met.needed` are conditions under which the terms are what Python computes (a proof has to show them), `met.assumed` what
is known of the draws `met.draws` and of the oracle. An agent is a plain dictionary: whoever wants a ghost field or a
fixed value replaces an entry. For parts of functions, like the body of a loop over a configuration, there are
`s.flattened(function, meanings)` and `s.execution(...)` (lowering/symbolic_code.py).

A constant that the language cannot compute from the parameters (by a logarithm, say) is a free integer: what is proved
holds for every value of it that leaves each field and group a value, and so for those that occur.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from princeps.errors import ProtocolError
from princeps.lowering.language import Flattener
from princeps.lowering.symbolic_code import Draw, Execution
from princeps.lowering.symbolic_groups import SymbolicParams, SymbolicRange, Unsuitable
from princeps.lowering.symbolic_terms import Term, Terms
from princeps.lowering.trees import AnAgent, Meaning, TheConfig, TheCounts, TheParams, Vocabulary
from princeps.model.fields import Field, Param
from princeps.model.protocol import PopulationProtocol

SymbolicAgent = dict[str, Term]
PARAMS = TheParams()  # as an argument: the parameters
# Names of symbols that proofs make besides the parameters: a parameter of such a name must not be the same symbol.
TAKEN = re.compile(
    r"[nkdi]|led|leaders|place|violated|least"
    r"|(others|position|oracle|arc|id|draw|size|weight|gap|left|right|middle|last|leader|given|agent)_.*"
)
CONFIGURATION = TheConfig()  # as an argument: all agents; only an execution that can `read` them has use for it


@dataclass(frozen=True)
class SymbolicCounts:
    """As an argument: the counts of a goal, by the names of the predicates; `n` is all agents."""

    values: Mapping[str, Term]


@dataclass(frozen=True)
class Interaction:
    """What one interaction makes of two agents."""

    left: SymbolicAgent
    right: SymbolicAgent
    needed: tuple[Term, ...]
    assumed: tuple[Term, ...]
    draws: tuple[Draw, ...]
    oracle: Term | None = None


@dataclass
class Symbols:
    """One protocol's class with all its parameters at once, or with `fixed` ones."""

    cls: type[PopulationProtocol]
    solver: Any = None
    fixed: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.terms = Terms(self.solver)
        self.words = vocabulary_of_class(self.cls)
        self.params: dict[str, Term] = {}
        self.facts: list[Term] = []
        self.limited: set[str] = set()  # those of them that are in their range, or else what the file computes
        self.has_all_groups = True  # else `legal` says less than the file does
        self.free: list[str] = []  # derived constants that have no term, hence any value
        self._made = 0
        self._flat: dict[tuple[Any, ...], list[ast.stmt]] = {}
        self._read_parameters()
        self.sizes = {name: self._size(name, one) for name, one in self.cls.fields_.items() if not one.is_scratch}
        self.groups = self._read_groups()

    # -- parameters and domains ----------------------------------------------------------------------------------

    def _read_parameters(self) -> None:
        terms = self.terms
        for name, declared in self.cls.params_.items():
            value = self.fixed[name] if name in self.fixed else self._parameter(name)
            self.params[name] = value
            self._know(terms.at_most(declared.min, value))
            if declared.max is not None:
                self._know(terms.at_most(value, declared.max))
        for name, derived in self.cls.derived_.items():
            found = self.fixed.get(name)
            if found is None:
                computed = self._computed(derived.of)
                if computed is not None and derived.or_given is None:
                    found = computed
                else:
                    found = self._parameter(name)
                    self.free.append(name)
                    if computed is not None and derived.or_given is not None:
                        self.limited.add(name)
                        self._know(self._given_or_computed(found, derived.or_given, computed))
            self.params[name] = found
        for name in self.cls.of_inputs_:
            self.params[name] = self._parameter(name)

    def _parameter(self, name: str) -> Term:
        """A symbol that no other symbol of a proof is equal to by its name."""
        known = {*self.cls.params_, *self.cls.derived_, *self.cls.of_inputs_}
        symbol = name
        while TAKEN.fullmatch(symbol) or (symbol != name and symbol in known):
            symbol = f"the_{symbol}"
        return self.terms.symbol(symbol)

    def _given_or_computed(self, value: Term, given: Param, computed: Term) -> Term:
        """Only what is given has to be in the range: nobody checks what the formula yields."""
        inside = self.terms.at_most(given.min, value)
        if given.max is not None:
            inside = self.terms.both(inside, self.terms.at_most(value, given.max))
        return self.terms.either(inside, self.terms.equal(value, computed))

    def _computed(self, function: Callable[..., Any]) -> Term | None:
        """What a function of the parameters yields, if it is in the language and needs nothing."""
        try:
            execution = self.execution({}, {})
            value = execution.expression(self.flattener(function).expression([TheParams()]))
        except (ProtocolError, KeyError, RecursionError):
            return None
        return None if execution.needed else self.terms.number(value)

    def _size(self, name: str, declared: Field) -> Term | None:
        if declared.size is None:
            return None
        size: Term | None = self._computed(declared.size) if callable(declared.size) else declared.size
        if size is None:
            size = self.terms.symbol(f"size_{name}")
            self.free.append(f"the size of {name}")
        self._know(self.terms.at_most(1, size))
        return size

    def _know(self, fact: Term) -> None:
        if fact is not True:
            self.facts.append(fact)

    def _read_groups(self) -> list[dict[str, tuple[Term, Term]]] | None:
        """For every group the first value and the end of each field that it mentions; None: the whole product."""
        function: Any = self.cls.groups
        if function is PopulationProtocol.groups:
            return None
        if not isinstance(function, FunctionType):
            self._cannot_read_groups()
            return None
        names = {**function.__globals__, "range": SymbolicRange}
        names["__builtins__"] = {**vars(builtins), "range": SymbolicRange}
        twin = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
        try:
            found = twin(SymbolicParams(self.terms, self.params))
            groups = [self._group(one) for one in found] if found is not None else None
        except (Unsuitable, TypeError, AttributeError, ProtocolError, KeyError):
            self._cannot_read_groups()
            return None
        for group in groups or ():
            for first, end in group.values():
                self._know(self.terms.less(first, end))
        return groups

    def _cannot_read_groups(self) -> None:
        """Whatever is proved of all combinations of values holds of the legal ones, but not that the legal ones are closed."""
        self.has_all_groups = False
        self.free.append("the groups of legal states (every combination of values is taken for legal)")

    def _group(self, given: Mapping[str, Any]) -> dict[str, tuple[Term, Term]]:
        found: dict[str, tuple[Term, Term]] = {}
        for name, values in given.items():
            named = self.cls.fields_[name].names
            if isinstance(values, str):
                values = named.index(values)
            if isinstance(values, SymbolicRange):
                found[name] = values.ends()
            else:
                value = SymbolicRange.term(values)
                found[name] = (value, value + 1)
        return found

    def legal(self, agent: Mapping[str, Term]) -> Term:
        terms = self.terms
        if self.groups is None:
            parts = [
                terms.at_most(0, agent[name]) if size is None else terms.within(agent[name], 0, size)
                for name, size in self.sizes.items()
            ]
            return terms.both(*parts)
        found = []
        for group in self.groups:
            parts = []
            for name in self.sizes:
                first, end = group.get(name, (0, 1))
                single = isinstance(first, int) and isinstance(end, int) and end == first + 1
                parts.append(terms.equal(agent[name], first) if single else terms.within(agent[name], first, end))
            found.append(terms.both(*parts))
        return terms.either(*found)

    # -- agents and functions ------------------------------------------------------------------------------------

    def agent(self, name: str) -> SymbolicAgent:
        """An agent of which nothing is known; its symbols are `name.field`."""
        return {one: self.terms.symbol(f"{name}.{one}") for one in self.sizes}

    def flattener(self, function: Callable[..., Any]) -> Flattener:
        return Flattener(function, self.words)

    def flattened(self, function: Callable[..., Any], meanings: Sequence[Meaning]) -> list[ast.stmt]:
        """The body of a function as straight code, `return` anywhere; made once, nobody changes it.

        Proofs ask the same predicates of many agents: reading them anew took half the time of P_LL's lemmas.
        """
        key = (function, *(("name", one.id) if isinstance(one, ast.Name) else one for one in meanings))
        if key not in self._flat:
            self._flat[key] = self.flattener(function).function_body(meanings)
        return self._flat[key]

    def execution(
        self, agents: Mapping[str, Mapping[str, Term]], others: Mapping[str, Term], checked: bool = False, **more: Any
    ) -> Execution:
        """Agents by the prefix that stands for them in the code; `checked`: values must stay in their domains."""
        self._made += 1
        variables = {f"p_{name}": value for name, value in self.params.items()}
        sizes: dict[str, Term | None] = {}
        for prefix, agent in agents.items():
            variables |= {f"{prefix}_{name}": value for name, value in agent.items()}
            variables |= {f"{prefix}_{name}": 0 for name in self.words.scratch}
            if checked:
                sizes |= {f"{prefix}_{name}": size for name, size in self.sizes.items()}
                sizes |= {f"{prefix}_{name}": 2 for name in self.words.scratch}
        return Execution(self.terms, variables | dict(others), sizes, prefix=f"draw_{self._made}", **more)

    def interact(self, a: Mapping[str, Term], b: Mapping[str, Term], oracle: Term | None = None) -> Interaction:
        """Initiator a meets responder b. An oracle that is not given is a free bit."""
        assumed: list[Term] = []
        others: dict[str, Term] = {}
        if self.cls.oracle is not None:
            if oracle is None:
                oracle = self.terms.symbol(f"oracle_{self._made}")
                assumed.append(self.terms.within(oracle, 0, 2))
            others[f"p_{self.cls.oracle.name}"] = oracle
        body = self._rule()
        execution = self.execution({"l": a, "r": b}, others, checked=True)
        execution.block(body)

        def after(prefix: str, before: Mapping[str, Term]) -> SymbolicAgent:
            return {name: execution.variables.get(f"{prefix}_{name}", value) for name, value in before.items()}

        left, right = after("l", a), after("r", b)
        assumed += execution.assumed
        return Interaction(left, right, tuple(execution.needed), tuple(assumed), tuple(execution.draws), oracle)

    def _rule(self) -> list[ast.stmt]:
        if ("rule",) not in self._flat:
            flat = self.flattener(self.cls.interact)
            flat.is_rule = True
            self._flat["rule",] = flat.statements([AnAgent("l"), AnAgent("r"), TheParams()])
        return self._flat["rule",]

    def value(self, function: Callable[..., Any], *args: Any, needed: list[Term] | None = None) -> Term:
        """Of agents (dictionaries), PARAMS, SymbolicCounts and numbers; what it needs is added to `needed`.

        Without a list to add to, a function that needs something is refused.
        """
        meanings: list[Meaning] = []
        agents: dict[str, Mapping[str, Term]] = {}
        others: dict[str, Term] = {}
        for k, arg in enumerate(args):
            if isinstance(arg, TheParams | TheConfig):
                meanings.append(arg)
            elif isinstance(arg, SymbolicCounts):
                meanings.append(TheCounts())
                others |= {("n" if name == "n" else f"c_{name}"): value for name, value in arg.values.items()}
            elif isinstance(arg, Mapping):
                meanings.append(AnAgent(f"x{k}"))
                agents[f"x{k}"] = arg
            else:
                meanings.append(ast.Name(f"x{k}", ast.Load()))
                others[f"x{k}"] = arg
        execution = self.execution(agents, others)
        execution.block(self.flattened(function, meanings))
        if execution.needed and needed is None:
            raise ProtocolError(
                f"{function.__name__} cannot be compiled for a proof: it divides by, or shifts by, what is not known.",
                self.cls.file(),
            )
        if needed is not None:
            needed += execution.needed
        return execution.result()

    def truth(self, function: Callable[..., Any], *args: Any, needed: list[Term] | None = None) -> Term:
        return self.terms.truth(self.value(function, *args, needed=needed))


def vocabulary_of_class(cls: type[PopulationProtocol]) -> Vocabulary:
    """What the functions of a protocol may name, whatever its parameters are."""
    lasting = {name: one for name, one in cls.fields_.items() if not one.is_scratch}
    return Vocabulary(
        fields={name: one.size if isinstance(one.size, int) else None for name, one in lasting.items()},
        scratch=[name for name, one in cls.fields_.items() if one.is_scratch],
        params=sorted([*cls.params_, *cls.derived_, *cls.of_inputs_]),
        inputs=[name for name, one in lasting.items() if one.is_input],
        counts=list(cls.all_predicates()),
        unbounded=[name for name, one in lasting.items() if one.size is None],
        oracle=None if cls.oracle is None else cls.oracle.name,
    )
