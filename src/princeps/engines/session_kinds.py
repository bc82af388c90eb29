"""What sessions of the other kind can do, so that it is refused in a sentence with a remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from princeps.errors import RunError

# What is asked of sessions of the other kind, and what to ask instead. An AttributeError, so that hasattr answers False.
OF_RINGS = {
    "time": "see parallel_time",
    "messages": "a population has no messages: see events",
    "under_way": "a population has no messages: see last_pair",
    "over": "see holds()",
    "violations": "run it with check=True",
    "last_event": "see last_pair",
}
OF_POPULATIONS = {
    "counts": "see configuration, which lists the processes",
    "census": "see configuration, which lists the processes",
    "last_pair": "see last_event",
    "events": "every step is an event: see steps",
    "parallel_time": "see time",
    "dead_agents": "a ring has no dead processes",
    "cut_arcs": "a ring has no cut links",
}


class RingsOnly:
    """Methods of a RingSession that the session of a population does not have."""

    def deliver(self, *given: Any) -> NoReturn:
        """Refused: for ring algorithms."""
        _refuse("deliver", given, "a population has no messages: use meet(i, j)")

    def drop(self, *given: Any) -> NoReturn:
        """Refused: for ring algorithms."""
        _refuse("drop", given, "a population has no messages: use cut(i, j) or dead(agent)")

    def reset(self, *given: Any) -> NoReturn:
        """Refused: for ring algorithms."""
        _refuse("reset", given, "an agent of a population is changed with set(agent, field=value)")

    if not TYPE_CHECKING:  # a type checker knows what there is

        def __getattr__(self, name: str) -> NoReturn:
            _refuse_attribute(self, name, OF_RINGS)


class PopulationsOnly:
    """Methods of a Session that the session of a ring algorithm does not have."""

    def set(self, *given: Any, **fields: Any) -> NoReturn:
        """Refused: for populations."""
        _refuse("set", given, "a process of a ring starts anew with reset(process)")

    def corrupt(self, *given: Any) -> NoReturn:
        """Refused: for populations."""
        _refuse("corrupt", given, "a process of a ring starts anew with reset(process)")

    def put(self, *given: Any) -> NoReturn:
        """Refused: for populations."""
        _refuse("put", given, "a process of a ring starts anew with reset(process)")

    def meet(self, *given: Any, **named: Any) -> NoReturn:
        """Refused: for populations."""
        _refuse("meet", given, "processes of a ring send messages: use deliver(process, side)")

    def torn(self, *given: Any, **named: Any) -> NoReturn:
        """Refused: for populations."""
        _refuse("torn", given, "processes of a ring send messages: use drop(process, side)")

    def dead(self, *given: Any) -> NoReturn:
        """Refused: for populations."""
        _refuse("dead", given, "a ring has no dead processes: use drop(process, side)")

    def alive(self, *given: Any) -> NoReturn:
        """Refused: for populations."""
        _refuse("alive", given, "a ring has no dead processes: use reset(process)")

    def cut(self, *given: Any) -> NoReturn:
        """Refused: for populations."""
        _refuse("cut", given, "messages of a ring are lost one by one: use drop(process, side)")

    def heal(self, *given: Any) -> NoReturn:
        """Refused: for populations."""
        _refuse("heal", given, "a ring has no cut links: leave it out")

    def holds(self, *given: Any) -> NoReturn:
        """Refused: for populations."""
        _refuse("holds", given, "a ring algorithm has one goal: see over, leader and violations")

    def state(self, *given: Any) -> NoReturn:
        """Refused: for populations."""
        _refuse("state", given, "the variables of process i are configuration[i]")

    if not TYPE_CHECKING:  # a type checker knows what there is

        def __getattr__(self, name: str) -> NoReturn:
            _refuse_attribute(self, name, OF_POPULATIONS)


def _refuse_attribute(session: Any, name: str, others: dict[str, str]) -> NoReturn:
    sentence = f"{type(session).__name__!r} object has no attribute {name!r}"
    if name in others:
        sentence = f"{name} is not for this kind of protocol: {others[name]}."
    raise AttributeError(sentence, name=name, obj=session)


def _refuse(method: str, given: tuple[Any, ...], remedy: str) -> NoReturn:
    raise RunError(f"{method}({', '.join(map(repr, given))}) is not for this kind of protocol: {remedy}.")
