"""A population protocol: fields, parameters, one rule `interact`, and what may be asked of its configurations.

A protocol is a class in a file of its own; an instance is that protocol with its parameters fixed.
The functions it names (rule, starts, predicates, goals) are plain Python in a small language that the fast engines
compile: see docs/writing-protocols.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from princeps.errors import ParameterError, ProtocolError
from princeps.model.fields import Agent, Counts, Field, GroupSpec, OfInputs, Params
from princeps.model.lemmas import Lemma
from princeps.model.parameters import Parametrised, line_of
from princeps.model.states import Space, State, agent_class, make_space

Config = Sequence[Agent]
Predicate = Callable[[Agent, Params], int]
StartRule = Callable[[Agent, int, int, Params], None]

GUARANTEES = ("stabilizing", "self-stabilizing", "loosely-stabilizing", "probabilistic termination", "terminating")


@dataclass(frozen=True)
class Counted:
    """A goal that is a condition on counts of agents; its first hit is exact at no cost."""

    rule: Callable[[Counts, Params], int]
    closed: bool = False  # a promise: once true, true for ever (a checked run asserts it)


@dataclass(frozen=True)
class Closed:
    """A goal on the whole configuration, with the promise that once true it stays true."""

    rule: Callable[[Config, int, Params], int]
    closed: bool = True


Goal = Counted | Closed


@dataclass(frozen=True)
class Uniform:
    """The start in which every agent's state is uniform over the legal states."""

    doc: str = "every agent in a uniformly random legal state"


@dataclass(frozen=True)
class Blocks:
    """A start given by numbers: (agents, {field: value}) for one block after the other, together n agents.

    Fields that a block does not mention are 0. The rule is plain Python, called once a run: nothing is done for each
    agent, so that such a start suits a population of 10^15.
    """

    rule: Callable[[int, Params], Sequence[tuple[int, Mapping[str, int]]]]

    @property
    def doc(self) -> str:
        return self.rule.__doc__ or ""


@dataclass(frozen=True)
class Verdict:
    """A judgement on the configuration in which the goal `at` is first met."""

    at: str
    rule: Callable[[Counts, Params], bool | None]


def one_leader(c: Counts, p: Params) -> int:
    """exactly one agent leads"""
    return c.leaders == 1


class PopulationProtocol(Parametrised):
    """Subclass, declare fields and parameters, write `interact`; the tables below are the rest."""

    topology: ClassVar[str] = "any"
    guarantee: ClassVar[str] = "stabilizing"
    starts: ClassVar[Mapping[str, StartRule | Uniform | Blocks]] = {}
    default_start: ClassVar[str] = "initial"
    predicates: ClassVar[Mapping[str, Predicate]] = {}
    goals: ClassVar[Mapping[str, Goal]] = {}
    default_goal: ClassVar[str] = "leader"
    invariants: ClassVar[Mapping[str, Callable[[Counts, Params], int]]] = {}
    verdicts: ClassVar[Mapping[str, Verdict]] = {}
    lemmas: ClassVar[Mapping[str, Lemma]] = {}

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
        cls.collect({"fields_": Field, "of_inputs_": OfInputs})
        cls._check_declaration()

    @classmethod
    def _check_declaration(cls) -> None:
        cls.check_parameter_names()
        if not cls.fields_:
            raise cls.mistake(f"{cls.__name__} declares no field: give an agent something to remember.")
        if cls.interact is PopulationProtocol.interact:
            raise cls.mistake(f"{cls.__name__} has no rule: define interact(a, b, p).")
        if cls.is_leader is PopulationProtocol.is_leader and "leader" not in cls.fields_:
            raise cls.mistake(f"{cls.__name__} has no field 'leader': define is_leader(a, p).")
        if cls.guarantee not in GUARANTEES:
            raise cls.mistake(f"guarantee {cls.guarantee!r} is none of {', '.join(GUARANTEES)}.")
        if cls.default_goal not in cls.all_goals():
            known = ", ".join(cls.all_goals())
            raise cls.mistake(f"default_goal {cls.default_goal!r} is none of its goals ({known}).")
        if cls.starts and cls.default_start not in cls.starts:
            cls.default_start = next(iter(cls.starts))

    @classmethod
    def network_in_words(cls) -> str:
        return cls.topology

    @classmethod
    def file(cls) -> str | None:
        code = getattr(cls.interact, "__code__", None)
        return code.co_filename if code is not None else None

    def __init__(self, n: int | None = None, **given: int) -> None:
        values = self.fix(given, {} if n is None else {"n": n})
        self._bind(values)
        if n is not None:
            complaint = self.ask(self.demands, n, self.constants)
            if complaint:
                raise ParameterError(complaint)

    def _bind(self, constants: Params) -> None:
        self.constants = constants
        groups = self.ask(self.groups, constants)
        try:
            self.space: Space = self.ask(make_space, self.fields_, groups, constants)
        except ProtocolError as error:
            raise error if error.file else ProtocolError(str(error), self.file(), line_of(type(self))) from None
        self.agent = agent_class(self.space)

    def with_inputs(self, ids: Sequence[int]) -> PopulationProtocol:
        """The same protocol, its constants extended by what the identifiers determine."""
        twin = object.__new__(type(self))
        twin.given = self.given
        constants = Params(self.constants.as_dict())
        for name, of in self.of_inputs_.items():
            ends = (ids[0], ids[-1]) if isinstance(ids, range) and of.of in (min, max) else ids  # not all of 1..n
            constants.__dict__[name] = int(of.of(ends))
        twin._bind(constants)
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

    def delta(self, a: Mapping[str, int], b: Mapping[str, int]) -> tuple[dict[str, int], dict[str, int]]:
        """What an interaction of initiator `a` with responder `b` makes of them."""
        after = self.step(self.space.read(a, "the initiator"), self.space.read(b, "the responder"))
        return self.space.name_values(after[0]), self.space.name_values(after[1])

    def step(self, a: State, b: State) -> tuple[State, State]:
        """delta on states as tuples in the order of the fields, without checking that they are legal."""
        left: Any = self.agent(a)  # type: ignore[call-arg]
        right: Any = self.agent(b)  # type: ignore[call-arg]
        self.ask(self.interact, left, right, self.constants)
        return left.values(), right.values()

    def output(self, a: Mapping[str, int]) -> str:
        return "L" if self.leads(self.space.read(a)) else "F"

    def leads(self, state: State) -> bool:
        return bool(self.ask(self.is_leader, self.agent(state), self.constants))  # type: ignore[call-arg]

    @classmethod
    def all_goals(cls) -> dict[str, Goal]:
        return {"leader": Counted(one_leader), **cls.goals}

    @classmethod
    def all_predicates(cls) -> dict[str, Predicate]:
        return {"leaders": cls.is_leader, **cls.predicates}
