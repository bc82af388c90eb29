"""One meeting of two agents as terms, and the start of a run: what every template of a proof is stated on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from princeps.errors import PrincepsError, ProtocolError
from princeps.lowering.symbolic import PARAMS, SymbolicAgent, Symbols
from princeps.lowering.symbolic_groups import SymbolicNumber, SymbolicParams, SymbolicRange, Unsuitable
from princeps.lowering.symbolic_terms import Term
from princeps.lowering.trees import AnAgent, TheParams
from princeps.model.goals import Blocks, Predicate, Uniform
from princeps.model.predicates import read_predicates
from princeps.model.protocol import PopulationProtocol
from princeps.proofs.clauses import HOLDS, Answer, Clause, ask

SMALL = range(2, 40)  # sizes among which one is looked for that the protocol accepts


class CannotState(Exception):
    """Why a lemma has no clauses, in a sentence."""


class Meeting:
    """Initiator a and responder b become x and y; of every agent the facts `agents` (expressions) and `more` are known."""

    def __init__(
        self,
        cls: type[PopulationProtocol],
        library: Any = None,
        agents: Sequence[str] = (),
        fixed: Mapping[str, int] | None = None,
        more: Sequence[Predicate] = (),
    ) -> None:
        self.cls = cls
        self.symbols = Symbols(cls, library, fixed or {})
        self.terms = self.symbols.terms
        self.a, self.b = self.symbols.agent("a"), self.symbols.agent("b")
        self.met = self.symbols.interact(self.a, self.b)
        self.x, self.y = self.met.left, self.met.right
        self.n = self.terms.symbol("n")
        self._made: dict[tuple[Any, int], tuple[Any, Term]] = {}  # an agent is kept, so that its id is not given again
        self._texts: dict[str, Predicate] = {}
        self._know(agents, more)

    def _know(self, agents: Sequence[str], more: Sequence[Predicate]) -> None:
        self.agents = tuple(agents)
        self._rules = [*self.facts_as_predicates(self.agents), *more]
        self._closed_answer: Answer | None = None

    def knowing(self, agents: Sequence[str], more: Sequence[Predicate] = ()) -> Meeting:
        """The same meeting where other facts are known: the rule is not executed again."""
        other = copy(self)
        other.__dict__.pop("closed", None)
        other._know(agents, more)
        return other

    def facts_as_predicates(self, texts: Sequence[str]) -> list[Predicate]:
        new = [text for text in texts if text not in self._texts]
        self._texts |= zip(new, facts_of_agents(self.cls, new), strict=True)
        return [self._texts[text] for text in texts]

    def predicate(self, rule: Predicate, agent: Mapping[str, Term]) -> Term:
        return self._once(rule, agent, lambda: self.symbols.truth(rule, agent, PARAMS))

    def value(self, rule: Callable[..., Any], agent: Mapping[str, Term]) -> Term:
        return self._once(("value", rule), agent, lambda: self.symbols.value(rule, agent, PARAMS))

    def is_possible(self, agent: Mapping[str, Term]) -> Term:
        """Legal, and all facts are true of it."""
        legal = self._once("legal", agent, lambda: self.symbols.legal(agent))
        return self.terms.both(legal, *(self.predicate(rule, agent) for rule in self._rules))

    def _once(self, what: Any, agent: Mapping[str, Term], make: Callable[[], Term]) -> Term:
        key = (what, id(agent))
        if key not in self._made:
            self._made[key] = (agent, make())
        return self._made[key][1]

    @property
    def given(self) -> tuple[Term, ...]:
        """What is known of any meeting."""
        both = (self.is_possible(self.a), self.is_possible(self.b))
        return (*self.symbols.facts, *both, *self.met.assumed)

    @cached_property
    def closed(self) -> Clause:
        """What is known of all agents stays true, and the terms are what Python computes."""
        says = "after a meeting the states are legal, the facts of agents are true again, and no value left its domain"
        shown = self.terms.both(*self.met.needed, self.is_possible(self.x), self.is_possible(self.y))
        return Clause(says, self.given, shown)

    def first_failing(self, clauses: Sequence[Clause]) -> tuple[Clause, Answer] | None:
        """The first clause that does not hold, or that cannot be decided; `closed`, which all proofs need, is asked once."""
        for clause in clauses:
            if clause is self.closed and self._closed_answer is not None:
                answer = self._closed_answer
            else:
                answer = ask(self.terms, clause)
            if clause is self.closed:
                self._closed_answer = answer
            if answer.outcome != HOLDS:
                return clause, answer
        return None


def facts_of_agents(cls: type[PopulationProtocol], texts: Sequence[str]) -> list[Predicate]:
    return list(read_predicates(example_of(cls), list(texts)).values()) if texts else []


def example_of(cls: type[PopulationProtocol], sizes: Sequence[int] = SMALL) -> PopulationProtocol:
    """The protocol with its default parameters at the first of these sizes that it accepts."""
    reason: PrincepsError | None = None
    for n in sizes:
        try:
            protocol = cls(n)
            return protocol.with_inputs(range(1, n + 1)) if cls.of_inputs_ else protocol
        except PrincepsError as error:
            reason = error
    raise ProtocolError(f"{cls.name} accepts none of the sizes that were tried: {reason}", cls.file())


@dataclass(frozen=True)
class Start:
    """Blocks of agents in one state each; `one` if all agents are in the same one. None of them: any legal state."""

    given: tuple[Term, ...]
    blocks: tuple[tuple[SymbolicAgent, Term], ...]
    one: bool

    @property
    def is_any(self) -> bool:
        return not self.blocks


def start_of(meeting: Meeting) -> Start:
    """The default start, for every n."""
    cls, terms, n = meeting.cls, meeting.terms, meeting.n
    given: list[Term] = [*meeting.symbols.facts, terms.at_most(2, n)]
    if not cls.starts:
        raise CannotState("the file declares no start.")
    rule = cls.start_rule(cls.default_start)
    if isinstance(rule, Uniform):
        return Start(tuple(given), (), False)
    if isinstance(rule, Blocks):
        blocks = _blocks(meeting, rule)
        total: Term = 0
        for _, size in blocks:
            given.append(terms.at_most(0, size))
            total = total + size
        return Start((*given, terms.equal(total, n)), blocks, len(blocks) == 1)
    one, other = (_started(meeting, rule, terms.symbol(f"position_{k}")) for k in range(2))
    position = terms.symbol("position_0")
    same = all(_equal(one[name], other[name]) for name in one)
    given += [terms.at_most(0, one[name]) for name in meeting.symbols.words.inputs]  # identifiers are natural numbers
    return Start((*given, terms.within(position, 0, n)), ((one, n if same else None),), same)


def _equal(x: Term, y: Term) -> bool:
    return x == y if isinstance(x, int) and isinstance(y, int) else not isinstance(x, int) and bool(x.eq(y))


def _started(meeting: Meeting, rule: Callable[..., Any], position: Term) -> SymbolicAgent:
    symbols = meeting.symbols
    inputs = symbols.words.inputs
    blank: SymbolicAgent = {
        name: meeting.terms.symbol(f"id_{position}") if name in inputs else 0 for name in symbols.sizes
    }
    names = [ast.Name(name, ast.Load()) for name in ("position", "size")]
    execution = symbols.execution({"l": blank}, {"position": position, "size": meeting.n})
    execution.block(symbols.flattener(rule).statements([AnAgent("l"), *names, TheParams()]))
    if execution.needed:
        raise CannotState(f"the start {meeting.cls.default_start!r} divides by what is not known.")
    return {name: execution.variables[f"l_{name}"] for name in blank}


def _blocks(meeting: Meeting, rule: Blocks) -> tuple[tuple[SymbolicAgent, Term], ...]:
    symbols = meeting.symbols
    wrapped = SymbolicNumber(meeting.terms, meeting.n)
    try:
        listed: Any = rule.rule(wrapped, SymbolicParams(meeting.terms, symbols.params))  # type: ignore[arg-type]
        rows = [(size, state) for state, size in listed.items()] if isinstance(listed, Mapping) else list(listed)
        found = []
        for size, state in rows:
            fields = _named_fields(meeting.cls, state)
            agent = {name: SymbolicRange.term(fields.get(name, 0)) for name in symbols.sizes}
            found.append((agent, SymbolicRange.term(size)))
    except (Unsuitable, TypeError, ValueError, AttributeError, KeyError):
        raise CannotState(f"the start {meeting.cls.default_start!r} has no formula for every n.") from None
    return tuple(found)


def _named_fields(cls: type[PopulationProtocol], state: Any) -> dict[str, Any]:
    if isinstance(state, Mapping):
        given = dict(state)
    elif isinstance(state, str):
        name, number = cls.state_names_[state]
        given = {name: number}
    else:
        given = {next(iter(cls.fields_)): state}
    return {
        name: cls.fields_[name].names.index(value) if isinstance(value, str) else value for name, value in given.items()
    }
