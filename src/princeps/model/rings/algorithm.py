"""A ring algorithm: the guarded actions of one process, as a paper lists them.

Every process of the ring runs the same actions; only its label tells it from others. An action is a plain function
that first yields its guard and then does its statement, atomically:

    @on(TOKEN)
    def B3(p, x, c):
        yield p.state == COMPUTE and x == p.guest and p.inner < c.k
        p.inner += 1
        p.send(TOKEN, x)

The one @start action runs first at every process; all others consume the message at the head of a FIFO link. A
process that halts acts no more. What an algorithm must achieve is in model/rings/specification.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import isfunction, isgenerator
from typing import Any, ClassVar

from princeps.errors import StateError
from princeps.model.fields import Params, ceil_lg
from princeps.model.parameters import Parametrised
from princeps.model.rings.declarations import (
    LABEL,
    LEFT,
    NUMBER,
    RIGHT,
    WORD,
    Action,
    Bound,
    Flag,
    Guarded,
    LabelVariable,
    Local,
    Message,
    Number,
    OneOf,
    Sent,
    Variable,
    WordVariable,
    on,
    start,
)
from princeps.model.rings.ring import Label, Ring
from princeps.model.rings.words import Word

__all__ = [  # everything that an algorithm's file may import from here, also the names of declarations.py
    "LABEL",
    "LEFT",
    "NUMBER",
    "RIGHT",
    "WORD",
    "Action",
    "Bound",
    "Flag",
    "Guarded",
    "Label",
    "LabelVariable",
    "Local",
    "Message",
    "Number",
    "OneOf",
    "Parametrised",
    "Params",
    "Process",
    "Ring",
    "RingAlgorithm",
    "Sent",
    "StateError",
    "Variable",
    "Word",
    "WordVariable",
    "ceil_lg",
    "on",
    "start",
]


class Process:
    """What an action sees as `p`: the variables as attributes, the label `id`, and what it may do."""

    def __init__(self, algorithm: RingAlgorithm, local: Local, label: Label, toss: Callable[[int], int] | None) -> None:
        hidden: dict[str, Any] = {"_algorithm": algorithm, "_toss": toss, "_outbox": [], "_halted": False}
        self.__dict__.update(hidden, id=label)
        known = zip(algorithm.variables_, local.values, strict=True)
        self.__dict__.update({name: value for name, value in known if value is not None})

    def __getattr__(self, name: str) -> Any:
        if name in self._algorithm.variables_:
            raise AttributeError(f"{name!r} is read before it has a value: assign it first.")
        raise AttributeError(f"unknown variable {name!r}: the variables are {', '.join(self._algorithm.variables_)}.")

    def __setattr__(self, name: str, value: Any) -> None:
        algorithm: RingAlgorithm = self._algorithm
        variable = algorithm.variables_.get(name)
        if variable is None:
            known = ", ".join(algorithm.variables_)
            raise AttributeError(f"{name!r} cannot be assigned: the variables are {known}.")
        self.__dict__[name] = algorithm.legal(name, variable, value)

    def send(self, message: Message, *values: Any) -> None:
        """To the right neighbour."""
        self._send(RIGHT, message, values)

    def send_right(self, message: Message, *values: Any) -> None:
        self._send(RIGHT, message, values)

    def send_left(self, message: Message, *values: Any) -> None:
        if not self._algorithm.bidirectional:
            raise StateError(f"{self._algorithm.name} is for unidirectional rings: nothing can be sent to the left.")
        self._send(LEFT, message, values)

    def _send(self, side: str, message: Message, values: tuple[Any, ...]) -> None:
        if not isinstance(message, Message) or message not in self._algorithm.messages_:
            raise StateError(f"{message} is sent, but no action receives it.")
        kinds = tuple(LABEL if isinstance(value, Label) else NUMBER for value in values)
        if kinds != message.kinds:
            raise StateError(f"{message} is sent with the wrong values {values}.")
        self._outbox.append(Sent(side, message, values))

    def halt(self) -> None:
        """The local decision that all is over: no action of this process is enabled any more."""
        self.__dict__["_halted"] = True

    def toss(self, bound: int) -> int:
        """A uniformly random integer in 0..bound-1, from the process's own stream."""
        if self._toss is None:
            raise StateError(
                f"{self._algorithm.name} tosses coins where there are none: in a guard, or where all runs are explored."
            )
        number: int = self._toss(bound)
        return number


class RingAlgorithm(Parametrised):
    """Subclass, declare the variables, list the actions; every algorithm has isLeader, leader, done and the label id."""

    guarantee: ClassVar[str] = "terminating"
    bidirectional: ClassVar[bool] = False
    anonymous: ClassVar[bool] = False  # the algorithm never looks at p.id
    elects_true_leader: ClassVar[bool] = False  # a promise that runs are held to
    actions: ClassVar[Sequence[Action]] = ()
    phase_ends: ClassVar[Sequence[Action]] = ()  # the actions with which a process enters its next phase
    bounds: ClassVar[Mapping[str, Callable[[Ring, Params], float]]] = {}

    variables_: ClassVar[dict[str, Variable]] = {"isLeader": Flag(), "leader": LabelVariable(), "done": Flag()}
    messages_: ClassVar[tuple[Message, ...]] = ()

    @staticmethod
    def demands(ring: Ring, c: Params) -> str | None:
        """A sentence if the algorithm promises nothing on this ring."""
        return None

    @staticmethod
    def smallest_k(ring: Ring) -> int | None:
        """The smallest parameter k for which this ring is in the algorithm's class, if there is such a parameter."""
        return None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.collect({"variables_": Variable})
        cls._check_declaration()
        cls.messages_ = tuple(dict.fromkeys(a.message for a in cls.actions if a.message is not None))

    @classmethod
    def _check_declaration(cls) -> None:
        cls.check_parameter_names()
        if not all(isinstance(action, Action) for action in cls.actions):
            raise cls.mistake("actions are functions under @start or @on(MESSAGE): decorate all of them.")
        starts = [action.name for action in cls.actions if action.message is None]
        if len(starts) != 1:
            found = ", ".join(starts) or "none"
            raise cls.mistake(f"a ring algorithm has exactly one spontaneous action; here: {found}. Use @start once.")
        wrong = next((action for action in cls.actions if action.side != LEFT and not cls.bidirectional), None)
        if wrong is not None:
            raise cls.mistake(f"{wrong.name} receives from the right: set bidirectional = True.")

    def __init__(self, ring: Ring | None = None, **given: int) -> None:
        known = {} if ring is None else {"n": ring.n, "multiplicity": ring.multiplicity}
        self.constants = self.fix(given, known)
        self.tops = {name: self.ask(variable.top, self.constants) for name, variable in self.variables_.items()}
        self.start_action = next(action for action in self.actions if action.message is None)

    # -- what one process does -----------------------------------------------------------------------------------

    def initial(self) -> Local:
        return Local(tuple(variable.initial for variable in self.variables_.values()))

    def enabled(self, local: Local, label: Label, side: str, message: Message, values: tuple[Any, ...]) -> list[Action]:
        """The actions whose guards hold for this message, in the order of the list."""
        if local.halted or not local.started:
            return []
        fitting = [action for action in self.actions if action.message is message and action.side == side]
        return [action for action in fitting if self._guard(action, Process(self, local, label, None), values)[0]]

    @classmethod
    def network_in_words(cls) -> str:
        return f"{'anonymous' if cls.anonymous else 'labeled'} ring{', both ways' if cls.bidirectional else ''}"

    def fire(
        self,
        action: Action,
        local: Local,
        label: Label,
        values: tuple[Any, ...] = (),
        toss: Callable[[int], int] | None = None,
    ) -> tuple[Local, list[Sent]]:
        """The process after this enabled action, and what it sent."""
        p = Process(self, local, label, toss)
        holds, rest = self._guard(action, p, values)
        if not holds:
            raise self.mistake(f"{action.name} is not enabled here.")
        if self.ask(lambda: next(rest, StopIteration)) is not StopIteration:
            raise self.mistake(f"{action.name} yields twice: one guard, then the statement.")
        remembered = tuple(p.__dict__.get(name) for name in self.variables_)
        return Local(remembered, True, local.halted or p._halted), p._outbox

    def _guard(self, action: Action, p: Process, values: tuple[Any, ...]) -> tuple[bool, Iterator[Any]]:
        rest = self.ask(action.body, p, *values, self.constants)
        holds = self.ask(lambda: next(rest, None)) if isgenerator(rest) else None
        if holds is None:
            raise self.mistake(f"{action.name} yields no guard: begin it with `yield GUARD`.")
        return self.ask(bool, holds), rest

    def legal(self, name: str, variable: Variable, value: Any) -> Any:
        """The value as stored, if it is in the variable's domain."""
        if variable.kind == NUMBER:
            top = self.tops[name]
            if isinstance(value, int) and value >= variable.low and (top is None or value <= top):
                return int(value)
            domain = f"{variable.low}..{'' if top is None else top}"
        else:
            if isinstance(value, Label if variable.kind == LABEL else Word):
                return value
            domain = f"a {variable.kind}"
        shown = f"the label {value}" if isinstance(value, Label) else repr(value)
        raise StateError(f"{name} = {shown} is outside its domain ({domain}).")

    # -- what it looks like, and what it needs -------------------------------------------------------------------

    def show(self, local: Local) -> dict[str, str]:
        """The variables by name, as text."""
        pairs = zip(self.variables_.items(), local.values, strict=True)
        return {name: variable.show(value) for (name, variable), value in pairs}

    def stuck(self, content: Sent, local: Local) -> str:
        """What there is to say of a message that no action takes."""
        state = ", ".join(f"{name} = {text}" for name, text in self.show(local).items())
        return f" for {content} there; it {'has halted' if local.halted else 'is in state'} ({state})"

    def bits(self, label_bits: int, peaks: Mapping[str, int]) -> int:
        """Bits of one process: labels, bounded numbers by their domain, words and unbounded numbers by their peak."""
        total = 0 if self.anonymous else label_bits  # id
        for name, variable in self.variables_.items():
            top = self.tops[name]
            if variable.kind == LABEL:
                total += label_bits
            elif variable.kind == WORD:
                total += label_bits * peaks.get(name, 0)
            elif top is not None:
                total += ceil_lg(top - variable.low + 1)
            else:
                total += max(1, peaks.get(name, 0).bit_length())
        return total

    def promised(self, ring: Ring) -> dict[str, float]:
        """The paper's bounds on this ring, by what they bound."""
        return {what: self.ask(bound, ring, self.constants) for what, bound in self.bounds.items()}

    @classmethod
    def tosses(cls) -> bool:
        """Some action, or a helper that it calls, asks for coins."""
        seen: set[Any] = set()
        waiting = [action.body for action in cls.actions]
        while waiting:
            function = waiting.pop()
            seen.add(function)
            named = [function.__globals__.get(name) for name in function.__code__.co_names]
            waiting += [f for f in named if isfunction(f) and f not in seen]
        return any("toss" in function.__code__.co_names for function in seen)

    @property
    def growing(self) -> list[str]:
        """The variables whose size is not known beforehand."""
        return [name for name, v in self.variables_.items() if v.kind == WORD or (v.kind == NUMBER and v.high is None)]
