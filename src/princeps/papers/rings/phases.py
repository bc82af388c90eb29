"""The lemmas of B_k as assertions about single deliveries, and two ways to see these: every execution, or one.

A delivery is a process that starts, or takes the message at the head of its link. What a lemma asserts about it depends
on the process, its state and phase, and on the message and the phase in which it was sent; so these phases are part of
a configuration here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from princeps.engines.rings.reference import Network
from princeps.model.rings.algorithm import Local, RingAlgorithm, Sent
from princeps.papers.rings.labelings import Labels, act, label_at, last_phase, true_leader

COMPUTE, SHIFT = "COMPUTE", "SHIFT"


class Delivery(NamedTuple):
    process: int
    before: Local
    phase: int  # of the process, 0 before its start
    message: Sent | None  # None: it starts
    sent_in: int  # the phase of the sender
    action: str  # "": none is enabled
    after: Local
    next_phase: int


class Facts:
    """What the paper says of a ring and k, and how the algorithm's states are read."""

    def __init__(self, algorithm: RingAlgorithm, labels: Labels, k: int) -> None:
        self.labels, self.k = labels, k
        names = list(algorithm.variables_)
        self.guest_at, self.state_at = names.index("guest"), names.index("state")
        self.state_names = algorithm.variables_["state"].names
        self.sets: dict[int, frozenset[int]] = {}

    @cached_property
    def X(self) -> int:  # noqa: N802 - the paper's name
        return last_phase(self.labels, self.k)

    @cached_property
    def leader(self) -> int:
        return true_leader(self.labels)

    def active(self, i: int) -> frozenset[int]:
        """Act_i"""
        if i not in self.sets:
            self.sets[i] = act(self.labels, i)
        return self.sets[i]

    def state(self, local: Local) -> str:
        return str(self.state_names[local.values[self.state_at]])

    def guest(self, local: Local) -> Any:
        return local.values[self.guest_at].text


def phase_after(phase: int, message: Sent | None) -> int:
    """A process assigns its guest when it starts and at every shift that it receives."""
    return phase + (message is None or message.message.name == "PHASE_SHIFT")


def phase_of_sending(content: Sent, delivery: Delivery) -> int:
    """A shift is sent in the phase that ends by it, all else in the phase that the process is in afterwards."""
    return delivery.phase if content.message.name == "PHASE_SHIFT" else delivery.next_phase


# -- the lemmas: None if there is nothing to assert, "" if it holds, a sentence if it is broken ------------------------

LemmaCheck = Callable[[Facts, Delivery], str | None]


def guest_is_the_label(facts: Facts, seen: Delivery) -> str | None:
    """Lemma 7."""
    if not seen.action:
        return None
    guest, wanted = facts.guest(seen.after), label_at(facts.labels, seen.process, seen.next_phase)
    return (
        "" if guest == wanted else f"guest {guest}, not {wanted}, at process {seen.process} in phase {seen.next_phase}"
    )


def nobody_wins_early(facts: Facts, seen: Delivery) -> str | None:
    """Lemma 10; B9 enters the phase in which it is executed."""
    if seen.message is None or seen.message.message.name != "PHASE_SHIFT" or facts.state(seen.before) != SHIFT:
        return None
    early = seen.action == "B9" and seen.next_phase < facts.X
    return f"process {seen.process} wins in phase {seen.next_phase}, X = {facts.X}" if early else ""


def as_expected(facts: Facts, seen: Delivery) -> str | None:
    """Lemma 11."""
    unexpected = {COMPUTE: "PHASE_SHIFT", SHIFT: "token"}.get(facts.state(seen.before))
    if seen.message is None or unexpected is None:
        return None
    wrong = seen.message.message.name == unexpected
    return f"process {seen.process} in state {facts.state(seen.before)} gets {seen.message}" if wrong else ""


def no_deadlock(facts: Facts, seen: Delivery) -> str | None:
    """Lemma 12."""
    if seen.message is None:
        return None
    stuck = f"process {seen.process} in state {facts.state(seen.before)} cannot take {seen.message}"
    return "" if seen.action else f"{stuck} in phase {seen.phase}"


def act_leaves_active(facts: Facts, seen: Delivery) -> str | None:
    """Lemma 13."""
    if seen.next_phase == seen.phase or not 1 <= seen.phase < facts.X:
        return None
    as_active, member = seen.action in ("B6", "B9"), seen.process in facts.active(seen.phase)
    if as_active == member:
        return ""
    where = "in" if member else "not in"
    return (
        f"process {seen.process}, {where} Act_{seen.phase}, leaves phase {seen.phase} by {seen.action or 'no action'}"
    )


def within_its_phase(facts: Facts, seen: Delivery) -> str | None:
    """Observation 1: sent in the same phase, and a token is the guest of somebody who was active when it began."""
    if seen.message is None:
        return None
    if seen.sent_in != seen.phase:
        return f"process {seen.process} gets {seen.message} of phase {seen.sent_in} in phase {seen.phase}"
    if seen.message.message.name == "token":
        guests = {label_at(facts.labels, p, seen.phase) for p in facts.active(seen.phase - 1)}
        if seen.message.values[0].text not in guests:
            return f"process {seen.process} gets {seen.message} in phase {seen.phase}, nobody's guest"
    return ""


LEMMAS: dict[str, LemmaCheck] = {
    "L7": guest_is_the_label,
    "L10": nobody_wins_early,
    "L11": as_expected,
    "L12": no_deadlock,
    "L13": act_leaves_active,
    "O1": within_its_phase,
}


class LemmaTally:
    """Cases and breaches of every lemma."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.cases, self.breaches = dict.fromkeys(LEMMAS, 0), dict.fromkeys(LEMMAS, 0)
        self.first = dict.fromkeys(LEMMAS, "")

    def look(self, seen: Delivery) -> None:
        for key, lemma in LEMMAS.items():
            answer = lemma(self.facts, seen)
            if answer is not None:
                self.cases[key] += 1
                if answer:
                    self.note(key, answer)

    def end(self, phases: Sequence[int], left: int) -> None:
        """The end of an execution: the phases of all processes, and how many messages were never taken."""
        if left:
            self.note("L12", f"{left} messages are left in the end")
        if set(phases) != {self.facts.X}:
            self.note("L13", f"in the end processes are in the phases {sorted(set(phases))}, X = {self.facts.X}")

    def note(self, key: str, sentence: str) -> None:
        self.breaches[key] += 1
        where = f"the ring {','.join(map(str, self.facts.labels))}, k = {self.facts.k}"
        self.first[key] = self.first[key] or f"{where}: {sentence}"


# -- one execution -----------------------------------------------------------------------------------------------------


def deliveries(network: Network) -> Iterator[Delivery]:
    """All of one execution of the plain engine."""
    n = network.ring.n
    phases, locals_ = [0] * n, list(network.locals)
    sent_in: dict[int, int] = {}  # by the step of the sender: an action of B_k sends at most one message
    for event in network.events():
        p, message = event.process, event.received
        phase, origin = phases[p], sent_in.get(event.sent_in, 0)
        seen = Delivery(p, locals_[p], phase, message, origin, event.action, event.local, phase_after(phase, message))
        yield seen
        phases[p], locals_[p] = seen.next_phase, seen.after
        for content in event.sent:
            sent_in[event.step] = phase_of_sending(content, seen)
    for event in network.deadlocks:
        p, message = event.process, event.received
        yield Delivery(p, locals_[p], phases[p], message, phases[p], "", locals_[p], phase_after(phases[p], message))
