"""What an action sees as `p`, and what it does by it.

The attributes of a process are its variables, its label and the few things it may do; everything else is kept under a
key that is no name, so that a variable may have any other name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from princeps.errors import StateError
from princeps.model.fields import NotDeclared
from princeps.model.rings.declarations import LABEL, LEFT, NUMBER, RIGHT, Local, Message, Sent
from princeps.model.rings.ring import Label
from princeps.model.values import shown, whole_number

if TYPE_CHECKING:
    from princeps.model.rings.algorithm import RingAlgorithm


class Acting:
    """One action under way: what its process may do, and what it has done. Hidden from the action."""

    def __init__(self, algorithm: RingAlgorithm, toss: Callable[[int], int] | None) -> None:
        self.algorithm, self.toss = algorithm, toss
        self.outbox: list[Sent] = []
        self.halted = False

    def send(self, side: str, message: Message, values: tuple[Any, ...]) -> None:
        if not isinstance(message, Message) or message not in self.algorithm.messages_:
            raise StateError(f"{message} is sent, but no action receives it.")
        kinds = tuple(LABEL if isinstance(value, Label) else NUMBER for value in values)
        if kinds != message.kinds or not all(isinstance(value, Label | int) for value in values):
            raise StateError(f"{message} is sent with the wrong values {shown(values)}.")
        self.outbox.append(Sent(side, message, values))


ACTING = "the action"  # the key of an Acting in the attributes of a process: no variable can be called so


class Process:
    """What an action sees as `p`: the variables as attributes, the label `id`, and what it may do."""

    def __init__(self, acting: Acting, local: Local, label: Label) -> None:
        own = vars(self)
        own[ACTING], own["id"] = acting, label
        known = zip(acting.algorithm.variables_, local.values, strict=True)
        own.update({name: value for name, value in known if value is not None})

    def __getattr__(self, name: str) -> Any:
        variables = acting(self).algorithm.variables_
        if name in variables:
            raise NotDeclared(f"{name!r} is read before it has a value: assign it first.")
        raise NotDeclared(f"unknown variable {name!r}: the variables are {', '.join(variables)}.")

    def __setattr__(self, name: str, value: Any) -> None:
        algorithm = acting(self).algorithm
        variable = algorithm.variables_.get(name)
        if variable is None:
            known = ", ".join(algorithm.variables_)
            raise NotDeclared(f"{name!r} cannot be assigned: the variables are {known}.")
        vars(self)[name] = algorithm.legal(name, variable, value)

    def __delattr__(self, name: str) -> None:
        raise StateError(f"the variable {name!r} cannot be deleted: give it a value.")

    def __repr__(self) -> str:
        return f"the process with label {vars(self)['id']}"

    def send(self, message: Message, *values: Any) -> None:
        """To the right neighbour."""
        acting(self).send(RIGHT, message, values)

    def send_right(self, message: Message, *values: Any) -> None:
        acting(self).send(RIGHT, message, values)

    def send_left(self, message: Message, *values: Any) -> None:
        algorithm = acting(self).algorithm
        if not algorithm.bidirectional:
            raise StateError(f"{algorithm.name} is for unidirectional rings: nothing can be sent to the left.")
        acting(self).send(LEFT, message, values)

    def halt(self) -> None:
        """The local decision that all is over: no action of this process is enabled any more."""
        acting(self).halted = True

    def toss(self, bound: int) -> int:
        """A uniformly random integer in 0..bound-1, from the process's own stream."""
        toss = acting(self).toss
        if toss is None:
            raise StateError(
                f"{acting(self).algorithm.name} tosses coins where there are none: in a guard, or where all runs are "
                f"explored."
            )
        number = whole_number(bound)
        if number is None or number < 1:
            raise StateError(f"a coin with {bound!r} sides is tossed: give a positive integer.")
        return toss(number)


def acting(process: Process) -> Acting:
    found: Acting = vars(process)[ACTING]
    return found
