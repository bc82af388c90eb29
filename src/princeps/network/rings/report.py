"""What happened in a network run of a ring algorithm, and what is shown of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from princeps.model.report import Report
from princeps.model.rings.result import RingResult
from princeps.model.rings.result_report import ring_report
from princeps.model.script import Script
from princeps.network.report import shown_not_done
from princeps.network.rings.judge import AGREES, Judge
from princeps.network.rings.restart import AMNESIA, DURABLE
from princeps.network.rings.stalled import Stalled, counted, what_recovers, why_stalled

REMEMBERED = "the runtime remembered, the algorithm did not recover"
AIMLESS = "does not end: a process forgot everything"
NOT_PROMISED = "this time, which nothing promises after a process forgot everything"
TCP, MEMORY = "tcp", "memory"
OVER = {TCP: "over TCP", MEMORY: "in virtual time"}
COUNTED = ("connections", "resent", "duplicates", "bad_frames")  # by the links; shown even if zero
LEFT_OUT = ("schedule", "seconds", "time", "engine", "repeat")  # rows of a simulated run


@dataclass(frozen=True)
class Death:
    process: int
    incarnation: int
    restart: str = ""  # how a new incarnation began; "" if there was none


@dataclass(frozen=True)
class RingNetResult:
    """`result` is what the reference engine makes of the linearized log; a run that stalled has nothing left to do."""

    result: RingResult
    replay: str  # "agrees", or the first difference
    deaths: tuple[Death, ...]
    stalled: Stalled | None
    limited: bool  # stopped although something could still happen
    aimless: (
        bool  # for the reason that a process forgot, and the messages since then are many times the algorithm's bound
    )
    drops: int  # messages that were lost with the memory of their sender
    counters: dict[str, int]
    seconds: float
    transport: str
    script: Script
    interrupted: bool = False
    command: str = ""
    not_done: tuple[str, ...] = ()  # of the plan of faults, and why

    @property
    def converged(self) -> bool:
        return self.result.converged and self.replay == AGREES

    @property
    def leader(self) -> int | None:
        return self.result.leader

    @property
    def leaders(self) -> int:
        return self.result.leaders

    @property
    def leader_label(self) -> int | str | None:
        return self.result.leader_label

    @property
    def params(self) -> dict[str, int]:
        return self.result.params

    @property
    def steps(self) -> int:
        return self.result.steps

    @property
    def seed(self) -> int:
        return self.result.seed

    @property
    def trial(self) -> int:
        return self.result.trial

    @property
    def messages(self) -> int:
        return self.result.messages

    @property
    def max_bits(self) -> int:
        return self.result.max_bits

    @property
    def time(self) -> int | None:
        """Of the linearized execution, in units of the longest delay; not defined where somebody died."""
        return None if self.deaths else self.result.time

    @property
    def all_interactions(self) -> int:
        """Actions of processes."""
        return self.result.steps

    @property
    def succeeded(self) -> bool:
        return self.converged

    @property
    def was_remembered(self) -> bool:
        """A process that died went on from its log."""
        return any(death.restart == DURABLE for death in self.deaths)

    @property
    def outcome(self) -> str:
        if self.replay != AGREES:
            return "the replay differs"
        if self.stalled is not None:
            return "stalled"
        if self.interrupted:
            return "interrupted"
        if self.aimless:
            return AIMLESS
        if self.limited:
            return "not finished"
        if not self.converged:
            return "elected wrongly"
        if any(death.restart == AMNESIA for death in self.deaths):
            return f"elected: {NOT_PROMISED}"
        return f"elected: {REMEMBERED}" if self.was_remembered else "elected"

    def report(self) -> Report:
        shown = ring_report(self.result)
        title = f"{shown.title.rpartition(', ')[0]}, {self.outcome}"
        rows = [row for row in shown.rows if row[0] not in LEFT_OUT]
        at = next(place for place, row in enumerate(rows) if row[0] == "messages")
        if self.time is not None:
            rows.insert(at, ("time", f"{self.time:,}, of the linearized execution"))
        rows += [("restarted", _restart(death)) for death in self.deaths if death.restart]
        if self.aimless:
            bound = self.result.bounds["messages"]
            rows.append(
                ("ended", f"with {self.messages:,} messages: {bound:,.0f} are enough for any run that is not disturbed")
            )
        if self.drops:
            rows.append(("lost", f"{counted(self.drops, 'message')} with the memory of their sender"))
        if self.not_done:
            rows.append(("not done", shown_not_done(list(self.not_done))))
        rows += [
            ("links", ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in self.counters.items())),
            ("replay", self.replay),
            ("seconds", f"{self.seconds:.2f} {OVER[self.transport]}"),
        ]
        if self.command:
            rows.append(("repeat", self.command))
        if self.stalled is not None:  # these may be many
            rows += [("died", sentence) for sentence in self.stalled.died]
            rows += [("waits", sentence) for sentence in self.stalled.waits]
            rows += [("undelivered", sentence) for sentence in self.stalled.messages]
            if self.deaths and self.result.n > 1:
                rows.append(("instead", what_recovers(self.result.n, self.deaths[0].process)))
        return Report(title, rows)

    def __repr__(self) -> str:
        return self.report().text()

    def _repr_html_(self) -> str:
        return self.report().html()

    def as_json(self) -> dict[str, Any]:
        result = self.result
        out: dict[str, Any] = {
            "protocol": result.protocol,
            "params": result.params,
            "n": result.n,
            "labels": result.labels,
            "seed": result.seed,
            "trial": result.trial,
            "mode": "free",
            "transport": self.transport,
            "outcome": self.outcome,
            "converged": self.converged,
            "leaders": self.leaders,
            "leader": self.leader,
            "leader_label": self.leader_label,
            "interactions": result.steps,
            "messages": self.messages,
            "kinds": result.kinds,
            "max_bits": self.max_bits,
            "time": self.time,
            "recoveries": [],
            "seconds": round(self.seconds, 6),
            "counters": {**self.counters, "lost": self.drops},
            "replay": self.replay,
            "pairs_p_value": None,
            "violations": [violation.as_json() for violation in result.violations],
            "not_done": list(self.not_done),
            "deaths": [{"process": death.process, "restart": death.restart or None} for death in self.deaths],
        }
        if self.stalled is not None:
            out["stalled"] = self.stalled.as_json()
        out |= {name: True for name in ("limited", "aimless", "interrupted") if getattr(self, name)}
        return out | {"command": self.command}


def _restart(death: Death) -> str:
    words = {AMNESIA: "with empty memory", DURABLE: "from its log"}
    return f"process {death.process} {words[death.restart]}"


def result_of(
    judge: Judge,
    deaths: tuple[Death, ...],
    counters: dict[str, int],
    seconds: float,
    transport: str,
    is_interrupted: bool = False,
    not_done: Sequence[str] = (),
) -> RingNetResult:
    """The result of a run that has ended, or was ended."""
    from princeps.engines.rings.execution import Execution
    from princeps.engines.rings.simulate import result_of as result_of_execution

    dead = frozenset(death.process for death in deaths if not death.restart)
    limited = judge.can_act(dead)
    session = judge.session
    done = result_of_execution(
        judge.run, Execution(session.network, limited), "network", transport, perf_counter() - seconds
    )
    left_over = judge.linearizer.left_over
    replay = judge.verdict
    if not judge.difference and left_over:
        replay = f"{left_over} lines of the log take messages that nobody sent"
    unfinished = any(not local.halted for local in session.network.locals) or any(session.network.links)
    has_stalled = not limited and not done.converged and replay == AGREES and unfinished
    return RingNetResult(
        result=replace(done, stopped="of the network run"),
        replay=replay,
        deaths=deaths,
        stalled=why_stalled(judge, sorted(dead)) if has_stalled else None,
        limited=limited,
        aimless=limited and judge.is_aimless,
        drops=judge.drops,
        counters=counters,
        seconds=seconds,
        transport=transport,
        script=session.script,
        interrupted=is_interrupted,
        not_done=tuple(not_done),
    )
