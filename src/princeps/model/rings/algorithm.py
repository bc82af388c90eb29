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

from princeps.errors import PrincepsError, StateError
from princeps.model.called_names import check_calls
from princeps.model.fields import Params, ceil_lg
from princeps.model.look import check_look
from princeps.model.named_states import bind_names, check_names, declare
from princeps.model.parameters import Parametrised, read_class, whole
from princeps.model.rings.algorithm_checks import OF_EVERY_ALGORITHM, check_actions, check_variables
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
    RingValue,
    Sent,
    Variable,
    WordVariable,
    named_variable,
    on,
    start,
)
from princeps.model.rings.process import Acting, Process
from princeps.model.rings.ring import Label, Ring
from princeps.model.rings.words import Word
from princeps.model.user_code import FAILURES
from princeps.model.values import function_complaint, is_finite, shown

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


class RingAlgorithm(Parametrised):
    """Subclass, declare the variables, list the actions; every algorithm has isLeader, leader, done and the label id."""

    guarantee: ClassVar[str] = "terminating"
    bidirectional: ClassVar[bool] = False
    anonymous: ClassVar[bool] = False  # the algorithm never looks at p.id
    elects_true_leader: ClassVar[bool] = False  # a promise that runs are held to
    actions: ClassVar[Sequence[Action]] = ()
    phase_ends: ClassVar[Sequence[Action]] = ()  # the actions with which a process enters its next phase
    bounds: ClassVar[Mapping[str, Callable[[Ring, Params], float]]] = {}
    own_constants: ClassVar[Sequence[str]] = ()  # bounds of which the paper gives the order only

    variables_: ClassVar[dict[str, Variable]] = OF_EVERY_ALGORITHM
    messages_: ClassVar[tuple[Message, ...]] = ()

    @staticmethod
    def demands(ring: Ring, c: Params) -> str | None:
        """A sentence if the algorithm promises nothing on this ring."""
        return None

    @staticmethod
    def least_messages(ring: Ring, c: Params) -> int:
        """As many messages are sent in every execution, so that what nobody can wait for is refused beforehand."""
        return 0

    @staticmethod
    def smallest_k(ring: Ring) -> int | None:
        """The smallest parameter k for which this ring is in the algorithm's class, if there is such a parameter."""
        return None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        known = ("n", "multiplicity")
        declare(cls, named_variable)
        check = read_class(cls, RingAlgorithm, own={"variables_": Variable}, constants={}, known=known)
        check_variables(check)
        check_actions(check)
        bind_names(check, cls.variables_)
        check_look(check, ["id", *cls.variables_], [*cls.params_, *cls.derived_], (), is_ring=True)
        check.table("bounds", lambda value: function_complaint(value, "ring, c"))
        check.functions({"demands": "ring, c", "smallest_k": "ring"})
        cls.messages_ = tuple(dict.fromkeys(a.message for a in cls.actions if a.message is not None))

    def __init__(self, ring: Ring | None = None, /, **given: Any) -> None:
        """`ring` may also be given by name: no parameter is called so."""
        check_names(type(self))
        check_calls(type(self))
        if ring is None and isinstance(given.get("ring"), Ring):
            ring = given.pop("ring")
        known = {} if ring is None else {"n": ring.n, "multiplicity": ring.multiplicity}
        self.constants = self.fix(given, known)
        self.tops = {name: self._top(name, variable) for name, variable in self.variables_.items()}
        self.start_action = next(action for action in self.actions if action.message is None)

    def _top(self, name: str, variable: Variable) -> int | None:
        """The largest value of a number, if it has one."""
        high = self.ask(variable.high, self.constants) if callable(variable.high) else variable.high
        if high is None:
            return None
        top = whole(self, high, f"the bound of {name!r}", name)
        if top < variable.low:
            raise self.mistake(f"{name!r} lies in {variable.low}..{top}: a domain needs at least one value.", name)
        return top

    # -- what one process does -----------------------------------------------------------------------------------

    def initial(self) -> Local:
        return Local(tuple(variable.initial for variable in self.variables_.values()))

    def enabled(self, local: Local, label: Label, side: str, message: Message, values: tuple[Any, ...]) -> list[Action]:
        """The actions whose guards hold for this message, in the order of the list."""
        if local.halted or not local.started:
            return []
        fitting = [action for action in self.actions if action.message is message and action.side == side]
        return [
            action for action in fitting if self._guard(action, Process(Acting(self, None), local, label), values)[0]
        ]

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
        doing = Acting(self, toss)
        p = Process(doing, local, label)
        holds, rest = self._guard(action, p, values)
        if not holds:
            raise self.mistake(f"{action.name} is not enabled here.", "actions", action.body)
        if self._next(action, rest) is not StopIteration:
            raise self.mistake(f"{action.name} yields twice: one guard, then the statement.", "actions", action.body)
        remembered = tuple(vars(p).get(name) for name in self.variables_)
        return Local(remembered, True, local.halted or doing.halted), doing.outbox

    def _guard(self, action: Action, p: Process, values: tuple[Any, ...]) -> tuple[bool, Iterator[Any]]:
        rest = self.ask(action.body, p, *values, self.constants)
        holds = self._next(action, rest) if isgenerator(rest) else None
        if holds is None or holds is StopIteration:
            raise self.mistake(f"{action.name} yields no guard: begin it with `yield GUARD`.", "actions", action.body)
        try:
            return bool(holds), rest
        except FAILURES as error:
            raise self._located(error, action.body) from error

    def _next(self, action: Action, rest: Iterator[Any]) -> Any:
        """What an action yields next; StopIteration at its end."""
        try:
            return next(rest, StopIteration)
        except FAILURES as error:
            if isinstance(error, PrincepsError) and not isinstance(error, StateError):
                raise
            raise self._located(error, action.body) from error

    def legal(self, name: str, variable: Variable, value: Any) -> RingValue:
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
        text = f"the label {value}" if isinstance(value, Label) else shown(value)
        raise StateError(f"{name} = {text} is outside its domain ({domain}).")

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
        found = {what: self.ask(bound, ring, self.constants) for what, bound in self.bounds.items()}
        wrong = next((what for what, value in found.items() if not is_finite(value)), None)
        if wrong is not None:
            raise self.mistake(f"the bound of {wrong!r} is {shown(found[wrong])}: it must be a number.", "bounds")
        return found

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
