"""What happened in a network run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypedDict

from princeps.model.formatting import counted
from princeps.model.report import Report
from princeps.model.script import Script
from princeps.network.replay import AGREES
from princeps.network.tape import Tape

SHOWN_CHANGES = 8  # of the number of leaders, in a report


def recoveries_in_words(count: int) -> str:
    return f"{count:,} {'recovery' if count == 1 else 'recoveries'}"


def shown_not_done(faults: list[str]) -> str:
    """Of many the first ones."""
    more = len(faults) - SHOWN_CHANGES
    return "; ".join(faults[:SHOWN_CHANGES] + ([f"{more:,} more"] if more > 0 else []))


class RecoveryReport(TypedDict):
    """Of an agent that died: None for what has not happened."""

    agent: int
    died: float  # seconds after the start
    restarted_at: int | None  # interactions
    interactions: int | None  # from there, or from its death if it stays dead, to the goal
    seconds: float | None


@dataclass(frozen=True)
class NetResult:
    """`interactions` are those to the goal if the run ended there, else all of them; `leaders` are those at the end, of
    whom nobody is dead."""

    protocol: str
    params: dict[str, int]
    n: int
    graph: str
    start: str
    until: str
    seed: int
    trial: int
    mode: str
    transport: str
    converged: bool
    leaders: int
    leader: int | None
    interactions: int
    all_interactions: int
    steps: int | None  # interactions until the goal was first reached; None: never
    seconds: float  # to the goal if the run ended there, else all of it; virtual ones in memory
    recoveries: list[RecoveryReport]
    counters: dict[str, int]
    replay: str  # "agrees", or the first difference
    pairs_p_value: float | None  # of the chi-square of the pairs; None: too few interactions, or conducted
    fairness: str  # in words
    slowest: int | None  # the agent that met others least, compared with its fair share; None as of the p-value
    slowest_share: float | None  # of its fair share: 1.0 is fair
    rate: float  # interactions a second
    history: list[tuple[float, int, int]] = field(default_factory=list)  # seconds, interactions, leaders
    not_done: list[str] = field(default_factory=list)  # of the plan of faults, and why
    interrupted: bool = False
    command: str = ""
    tape: Tape | None = field(default=None, compare=False)

    @property
    def parallel_time(self) -> float | None:
        return None if self.steps is None else self.steps / self.n

    @property
    def script(self) -> Script:
        """What happened, for `run --script` and a session."""
        assert self.tape is not None
        return self.tape.script()

    @property
    def succeeded(self) -> bool:
        return self.converged and self.replay == AGREES

    def as_json(self) -> dict[str, Any]:
        out = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in ("interrupted", "tape")}
        out["seconds"], out["rate"] = round(self.seconds, 6), round(self.rate, 3)
        out["history"] = [[round(seconds, 6), at, leaders] for seconds, at, leaders in self.history]
        return out | ({"interrupted": True} if self.interrupted else {})

    def report(self) -> Report:
        goal = f"reached {self.until}" if self.converged else f"{self.until} not reached"
        if self.interrupted:
            goal += ", interrupted"
        counters = self.counters
        shown = ", ".join(f"{counters[name]:,} {name}" for name in ("whole", "undone", "completed", "open", "torn"))
        asked = ", ".join(f"{counters[name]:,} {name}" for name in ("refused", "unanswered", "repeated"))
        rows = [
            ("interactions", f"{self.interactions:,}, {self.rate:,.0f} a second"),
            ("seconds", f"{self.seconds:.3f}" + (" of virtual time" if self.transport == "memory" else "")),
            ("leaders", f"{self.leaders:,}"),
            ("leader", "none" if self.leader is None else f"agent {self.leader}"),
            ("over time", self._over_time()),
            ("applied", shown),
            ("requests", f"{counters['requests']:,}: {asked}"),
            ("bad frames", f"{counters['bad_frames']:,} refused" + self._attacks()),
            ("pairs", self.fairness),
            ("replay", self.replay),
            ("mode", f"{self.mode}, over {self.transport}"),
            ("seed", str(self.seed) + (f", trial {self.trial}" if self.trial else "")),
            ("repeat", self.command),
        ]
        if self.recoveries:
            done = [one for one in self.recoveries if one["interactions"] is not None]
            text = f"{counted(len(self.recoveries), 'agents')} died, {recoveries_in_words(len(done))}"
            rows.insert(5, ("recoveries", text))
        if self.not_done:
            rows.insert(5, ("not done", shown_not_done(self.not_done)))
        return Report(f"{self.protocol}, n = {self.n:,}, {goal}", rows)

    def _over_time(self) -> str:
        """How many led, and from when on; of many changes the first and the last ones."""
        shown = [f"{leaders:,} at {seconds:.3g} s" for seconds, _, leaders in self.history]
        if len(shown) > SHOWN_CHANGES:
            left_out = f"{len(shown) - SHOWN_CHANGES:,} more"
            shown = [*shown[: SHOWN_CHANGES // 2], left_out, *shown[-SHOWN_CHANGES // 2 :]]
        return f"leaders: {', '.join(shown)}"

    def _attacks(self) -> str:
        forged, replayed = self.counters["forged"], self.counters["replayed"]
        return f"; the attacker sent {forged:,} forged and {replayed:,} replayed" if forged + replayed else ""

    def __repr__(self) -> str:
        return self.report().text()

    def _repr_html_(self) -> str:
        return self.report().html()
