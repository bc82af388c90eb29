"""What process-terminating leader election demands of every execution, in a form that can be checked while it runs.

1. isLeader never falls back, at most one process ever leads, and in the end exactly one does;
2. in the end `leader` is the label of that process everywhere;
3. done never falls back; once it is true somebody leads and `leader` is final;
4. everyone halts, after done; the links are empty.

A message for which no action is enabled when it is delivered is a deadlock: with one input link nothing else could wake
its receiver. The same is asked of bidirectional rings: an algorithm may not leave a message waiting on a link by a guard,
it keeps in a variable what comes too early.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from princeps.model.rings.algorithm import Local, RingAlgorithm
from princeps.model.rings.ring import Label, Ring

LEADER_LOST, SECOND_LEADER, DONE_LOST, LABEL_CHANGED, DONE_TOO_EARLY, HALTED_TOO_EARLY, DEADLOCK = range(
    7
)  # seen while running, in the compiled engine too
SENTENCES = {
    LEADER_LOST: "isLeader falls back to false",
    SECOND_LEADER: "a second process elects itself",
    DONE_LOST: "done falls back to false",
    LABEL_CHANGED: "leader changes after done",
    DONE_TOO_EARLY: "done, but leader is not the label of a process that leads",
    HALTED_TOO_EARLY: "halts before done",
    DEADLOCK: "no action is enabled",
}
LINKS_NOT_EMPTY = "links not empty"  # a rule about the end


@dataclass(frozen=True)
class Violation:
    """Where an execution first breaks a rule of the specification; process None: the ring as a whole, at the end."""

    rule: str
    process: int | None
    action: str
    time: int
    sentence: str

    def as_json(self) -> dict[str, Any]:
        return dict(self.__dict__)

    def __str__(self) -> str:
        return self.sentence


def violation(code: int, process: int, action: str, time: int, detail: str = "") -> Violation:
    by = f" by {action}" if action else ""
    sentence = f"process {process}{by} at time {time:,}: {SENTENCES[code]}{detail}"
    return Violation(SENTENCES[code], process, action, time, sentence)


class StepCheck:
    """Reads isLeader, leader and done of a process, and compares them before and after an action."""

    def __init__(self, algorithm: RingAlgorithm) -> None:
        names = list(algorithm.variables_)
        self.is_leader, self.leader, self.done = (names.index(name) for name in ("isLeader", "leader", "done"))

    def elects(self, before: Local, after: Local) -> bool:
        return bool(after.values[self.is_leader] > before.values[self.is_leader])

    def broken(self, before: Local, after: Local, first_leader: Label | None, another: bool) -> list[int]:
        """The rules that one action breaks, given the label of the first process ever elected (it may be this one), and
        whether another process was elected before."""
        was, now = before.values, after.values
        found = [LEADER_LOST] if was[self.is_leader] > now[self.is_leader] else []
        if another and self.elects(before, after):
            found.append(SECOND_LEADER)
        if was[self.done]:
            if not now[self.done]:
                found.append(DONE_LOST)
            if was[self.leader] is not now[self.leader]:
                found.append(LABEL_CHANGED)
        elif now[self.done] and (first_leader is None or now[self.leader] is not first_leader):
            found.append(DONE_TOO_EARLY)
        if after.halted and not now[self.done]:
            found.append(HALTED_TOO_EARLY)
        return found


@dataclass(frozen=True)
class Ending:
    """The last configuration, as far as the specification reads it."""

    leaders: tuple[int, ...]
    not_done: tuple[int, ...]
    not_halted: tuple[int, ...]
    misled: tuple[int, ...]  # processes whose `leader` is not the label of the one leader
    undelivered: int
    true_leader: int | None = None  # the process that must be elected, if the algorithm promises one

    @classmethod
    def of(cls, algorithm: RingAlgorithm, ring: Ring, locals_: Sequence[Local], undelivered: int) -> Ending:
        check = StepCheck(algorithm)
        leaders = tuple(i for i, local in enumerate(locals_) if local.values[check.is_leader])
        label = ring.boxed[leaders[0]] if len(leaders) == 1 else None
        return cls(
            leaders=leaders,
            not_done=tuple(i for i, local in enumerate(locals_) if not local.values[check.done]),
            not_halted=tuple(i for i, local in enumerate(locals_) if not local.halted),
            misled=tuple(
                i for i, local in enumerate(locals_) if label is not None and local.values[check.leader] is not label
            ),
            undelivered=undelivered,
            true_leader=ring.true_leader if algorithm.elects_true_leader else None,
        )

    def violations(self, time: int) -> list[Violation]:
        found: list[tuple[str, str]] = []
        if not self.leaders:
            found.append(("nobody leads", "nobody leads"))
        elif len(self.leaders) > 1:
            found.append(("several lead", f"{len(self.leaders)} processes lead ({_some(self.leaders)})"))
        elif self.true_leader is not None and self.leaders[0] != self.true_leader:
            found.append(("wrong leader", f"process {self.leaders[0]} leads instead of {self.true_leader}"))
        for rule, who in (("not done", self.not_done), ("not halted", self.not_halted), ("misled", self.misled)):
            if who:
                what = {"misled": "do not know the label of the leader"}.get(rule, f"are {rule}")
                found.append((rule, f"{len(who)} processes {what} ({_some(who)})"))
        if self.undelivered:
            messages = "1 message is" if self.undelivered == 1 else f"{self.undelivered} messages are"
            found.append((LINKS_NOT_EMPTY, f"{messages} never received"))
        return [Violation(rule, None, "", time, f"in the end {sentence}") for rule, sentence in found]


def _some(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers[:5])) + (", ..." if len(numbers) > 5 else "")
