"""A population protocol: fields, parameters, one rule `interact`, and what may be asked of its configurations.

A protocol is a class in a file of its own; an instance is that protocol with its parameters fixed.
The functions it names (rule, starts, predicates, goals) are plain Python in a small language that the fast engines
compile: see docs/writing-protocols.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from princeps.errors import ParameterError, ProtocolError, RunError
from princeps.model import written_functions
from princeps.model.assigned_later import follow_assignments, note_as_read
from princeps.model.called_names import check_calls
from princeps.model.class_checks import ClassCheck, file_of
from princeps.model.coins import Chance, all_outcomes, tosses_coins, tossing
from princeps.model.fields import (
    Agent,
    Counts,
    Derived,
    Field,
    GroupSpec,
    NotDeclared,
    OfInputs,
    Param,
    Params,
    Size,
    constants_of,
)
from princeps.model.given_starts import given_start
from princeps.model.goals import (
    Blocks,
    Closed,
    Config,
    Counted,
    Goal,
    Predicate,
    StartRule,
    Uniform,
    Verdict,
    as_goal,
    own_predicates,
)
from princeps.model.lemmas import Fact, Lemma, Top
from princeps.model.look import check_look
from princeps.model.losses import Loss
from princeps.model.named_states import OneOf, bind_names, check_names, declare
from princeps.model.oracles import VALUES, Oracle
from princeps.model.parameters import Parametrised, complaint_of, read_class, whole
from princeps.model.protocol_checks import check_protocol
from princeps.model.protocol_text import described
from princeps.model.state_declarations import read_leaders, read_predicates, read_starts
from princeps.model.states import GivenState, Space, State, agent_class, make_space, values_of
from princeps.model.tables import read_table
from princeps.model.tuning import Tuning
from princeps.model.values import is_finite, shown

__all__ = [  # with the words of goals.py, which protocol files import from here as well
    "Blocks",
    "Closed",
    "Config",
    "Counted",
    "Goal",
    "PopulationProtocol",
    "Predicate",
    "StartRule",
    "Uniform",
    "Verdict",
    "one_leader",
    "usual_steps",
]


DECLARATIONS = (Field, Param, Derived, OfInputs, OneOf)


def one_leader(c: Counts, p: Params) -> int:
    """exactly one agent leads"""
    return c.leaders == 1


class PopulationProtocol(Parametrised):
    """Subclass, declare fields and parameters, write `interact`; the tables below are the rest."""

    topology: ClassVar[str] = "any"
    guarantee: ClassVar[str] = "stabilizing"
    starts: ClassVar[Mapping[str, StartRule | Uniform | Blocks | str | int]] = {}
    default_start: ClassVar[str] = "initial"
    predicates: ClassVar[Mapping[str, Predicate | str | int | Sequence[str] | Sequence[int]]] = {}
    goals: ClassVar[Mapping[str, Goal]] = {}
    default_goal: ClassVar[str] = "leader"
    invariants: ClassVar[Mapping[str, Callable[[Counts, Params], int]]] = {}
    verdicts: ClassVar[Mapping[str, Verdict]] = {}
    lemmas: ClassVar[Mapping[str, Lemma]] = {}
    facts: ClassVar[Mapping[str, Fact]] = {}
    hints: ClassVar[Mapping[str, Top]] = {}  # for proofs, by the invariant that they are for
    losses: ClassVar[Mapping[str, Loss]] = {}  # ways to lose a unique leader, with level functions
    tuning: ClassVar[Tuning | None] = None  # constants that `princeps tune` may choose
    oracle: ClassVar[Oracle | None] = None
    table: ClassVar[Mapping[Any, Any] | None] = None  # in the place of `interact`
    symmetric: ClassVar[bool] = False  # the table means every entry also with the roles exchanged
    leaders: ClassVar[str | int | Sequence[str] | Sequence[int] | None] = (
        None  # the states that lead, by their names, in the place of `is_leader`
    )

    fields_: ClassVar[dict[str, Field]]
    of_inputs_: ClassVar[dict[str, OfInputs]]

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        raise NotImplementedError

    @staticmethod
    def is_leader(a: Agent, p: Params) -> int:
        return a.leader

    @staticmethod
    def groups(p: Params) -> Sequence[GroupSpec] | None:
        """The legal states, group by group; None: the whole product of the fields."""
        return None

    @staticmethod
    def demands(n: int, p: Params) -> str | None:
        """A sentence if a population of n agents is illegal with these parameters."""
        return None

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        """A rough number of steps to the default goal, for `--dry-run`; None if nobody knows."""
        return None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own, constants = {"fields_": Field}, {"of_inputs_": OfInputs}
        declare(cls, lambda names: Field(len(names), names=names))
        check = read_class(cls, PopulationProtocol, own=own, constants=constants, known=("n",))
        read_table(check)
        read_leaders(check)
        _read_tables(cls)
        bind_names(check, cls.fields_)
        check_look(check, _lasting(cls), [*cls.params_, *cls.derived_, *cls.of_inputs_], cls.all_predicates())
        if cls.starts and cls.default_start not in cls.starts:
            cls.default_start = next(iter(cls.starts))
        note_as_read(cls)

    @classmethod
    def network_in_words(cls) -> str:
        return cls.topology

    @classmethod
    def file(cls) -> str | None:
        code = getattr(cls.interact, "__code__", None)
        if getattr(cls.interact, "__module__", None) == written_functions.MODULE:  # made from a table
            return file_of(cls)
        return code.co_filename if code is not None else None

    def __init__(self, n: int | None = None, /, **given: Any) -> None:
        """`n` may also be given by name: no parameter is called so."""
        follow_assignments(type(self), PopulationProtocol, DECLARATIONS, _read_tables)
        check_names(type(self))
        check_calls(type(self))
        n = given.pop("n", None) if n is None else n
        values = self.fix(given, {} if n is None else {"n": n})
        self._bind(values)
        if n is not None:
            complaint = complaint_of(self, self.demands, n)
            if complaint:
                raise ParameterError(complaint)

    def __repr__(self) -> str:
        return described(self)

    def _bind(self, constants: Params) -> None:
        self.constants = constants
        if self.oracle is not None:
            self._with_oracle = [Params({**constants_of(constants), self.oracle.name: value}) for value in VALUES]
        groups = self.ask(self.groups, constants)
        if groups is not None and (not isinstance(groups, Sequence) or not groups):
            raise self.mistake(f"groups returns {shown(groups)}: give a list of {{field: value or range}}.", "groups")
        try:
            self.space: Space = make_space(self.fields_, groups, self._size)
        except ProtocolError as error:
            raise error if error.file else self.mistake(str(error), "groups") from None
        self.agent = agent_class(self.space)
        self.values_of = values_of(self.space)

    def _size(self, name: str, size: Size | None) -> int | None:
        """The size of a field, or the bound of its random values, as a number."""
        if size is None:
            return None
        try:
            value = whole(
                self, self.ask(size, self.constants) if callable(size) else size, f"the size of {name!r}", name
            )
        except ProtocolError as error:
            waits = any(name not in constants_of(self.constants) for name in self.of_inputs_)
            if waits and isinstance(error.__cause__, NotDeclared) and size is self.fields_[name].random_below:
                return None  # it needs identifiers, and none are given yet: nothing random can be asked for
            raise
        if value < 1:
            raise self.mistake(f"field {name!r} has size {value}: a domain needs at least one value.", name)
        return value

    def with_inputs(self, ids: Sequence[int]) -> PopulationProtocol:
        """The same protocol, its constants extended by what the identifiers determine."""
        twin = object.__new__(type(self))
        twin.given = self.given
        constants = constants_of(self.constants)
        for name, of in self.of_inputs_.items():
            ends = (ids[0], ids[-1]) if isinstance(ids, range) and of.of in (min, max) else ids  # not all of 1..n
            constants[name] = whole(self, self.ask(of.of, ends), f"the constant {name!r}", name)
        twin._bind(Params(constants))
        return twin

    @property
    def recovers(self) -> bool:
        """The protocol reaches its goal again from any configuration."""
        return self.guarantee in ("self-stabilizing", "loosely-stabilizing")

    @property
    def fields(self) -> dict[str, int | None]:
        return dict(zip(self.space.names, self.space.sizes, strict=True))

    @property
    def state_count(self) -> int | None:
        return self.space.state_count

    @property
    def input_field(self) -> str | None:
        return next((name for name, field in self.fields_.items() if field.is_input), None)

    def delta(
        self, a: GivenState, b: GivenState, *, oracle: int | None = None
    ) -> tuple[dict[str, int], dict[str, int]]:
        """What an interaction of initiator `a` with responder `b` makes of them. Values may be given by their names.

        `oracle` is the value of the protocol's oracle before the interaction, if it has one.
        """
        if self.tosses:
            raise RunError(
                f"the rule of {self.name} tosses coins, so that an interaction has several results: ask outcomes(a, b)."
            )
        value = self._read_oracle(oracle, "delta")
        after = self.step(self.space.read(a, "the initiator"), self.space.read(b, "the responder"), oracle=value)
        return self.space.name_values(after[0]), self.space.name_values(after[1])

    def outcomes(
        self, a: GivenState, b: GivenState, *, oracle: int | None = None
    ) -> list[tuple[Fraction, dict[str, int], dict[str, int]]]:
        """All that an interaction can make of initiator `a` and responder `b`, each with its probability."""
        value = self._read_oracle(oracle, "outcomes")
        named = self.space.name_values
        found = self.branches(self.space.read(a, "the initiator"), self.space.read(b, "the responder"), value)
        return [(probability, named(one), named(other)) for probability, (one, other), _ in found]

    def _read_oracle(self, value: Any, asked: str) -> int:
        if self.oracle is None:
            if value is not None:
                raise RunError(f"{self.name} has no oracle: leave oracle={value!r} out.")
            return 0
        if value not in VALUES:
            raise RunError(
                f"the rule of {self.name} reads the oracle p.{self.oracle.name}, and oracle={value!r} is not its value: "
                f"call {asked}(a, b, oracle=0) or oracle=1."
            )
        return int(value)

    @cached_property
    def tosses(self) -> bool:
        """The rule tosses coins."""
        return tosses_coins(self.interact)

    @property
    def has_choices(self) -> bool:
        """What becomes of two states is not determined by them alone: the rule tosses coins, or reads an oracle."""
        return self.oracle is not None or self.tosses

    @property
    def oracle_values(self) -> tuple[int, ...]:
        """The values for which the rule must be known: 0 stands for no oracle."""
        return (0,) if self.oracle is None else VALUES

    def step(self, a: State, b: State, chance: Chance | None = None, oracle: int = 0) -> tuple[State, State]:
        """delta on states as tuples in the order of the fields, without checking that they are legal.

        Coins are drawn from `chance`.
        """
        left: Any = self.agent(a)  # type: ignore[call-arg]
        right: Any = self.agent(b)  # type: ignore[call-arg]
        constants = self.constants if self.oracle is None else self._with_oracle[oracle]
        if chance is None:
            self.ask(self.interact, left, right, constants)
        else:
            with tossing(chance):
                self.ask(self.interact, left, right, constants)
        return self.values_of(left), self.values_of(right)

    def branches(
        self, a: State, b: State, oracle: int = 0
    ) -> list[tuple[Fraction, tuple[State, State], tuple[int, ...]]]:
        """All results of an interaction: their probabilities, the states, and draws that lead to them."""
        return all_outcomes(lambda: self.step(a, b, None, oracle), self.file())

    def output(self, a: GivenState) -> str:
        return "L" if self.leads(self.space.read(a)) else "F"

    def leads(self, state: State) -> bool:
        return bool(self.ask(self.is_leader, self.agent(state), self.constants))  # type: ignore[call-arg]

    @classmethod
    def start_rule(cls, name: str) -> StartRule | Uniform | Blocks:
        """The start of this name, or what the name means otherwise: a state, or numbers of agents by state.

        The name or number of a state in `starts` has become its rule when the class was defined.
        """
        found = cls.starts[name] if name in cls.starts else given_start(cls, name)
        assert found is not None
        assert not isinstance(found, str | int)
        return found

    @classmethod
    def all_goals(cls) -> dict[str, Goal]:
        return {"leader": Counted(one_leader), **cls.goals}

    @classmethod
    def all_predicates(cls) -> dict[str, Predicate]:
        declared = {
            name: rule for name, rule in cls.predicates.items() if callable(rule)
        }  # names of states are no more
        return {"leaders": cls.is_leader, **declared}

    @classmethod
    def predicates_for(cls, goal: Goal | None) -> dict[str, Predicate]:
        """Those whose counts a goal may ask for."""
        return {**cls.all_predicates(), **own_predicates(goal)}


def _read_tables(cls: type[PopulationProtocol]) -> None:
    """What may be assigned to a class later, too."""
    check = ClassCheck(cls)
    if "goals" in vars(cls) and isinstance(cls.goals, Mapping):
        cls.goals = {name: as_goal(goal) for name, goal in cls.goals.items()}
    read_predicates(check)
    read_starts(check)
    check_protocol(check)


def _lasting(cls: type[PopulationProtocol]) -> list[str]:
    """The fields that are part of a state."""
    return [name for name, field in cls.fields_.items() if not field.is_scratch]


def usual_steps(protocol: PopulationProtocol, n: int) -> float | None:
    """Roughly how many steps the default goal takes, if the file says it."""
    said: float | None = protocol.ask(protocol.expected_steps, n, protocol.constants)
    if said is not None and not is_finite(said):
        raise protocol.mistake(
            f"expected_steps returns {shown(said)}: give a number below 10^308, or None.",
            "expected_steps",
            protocol.expected_steps,
        )
    return said
