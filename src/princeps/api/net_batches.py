"""What is heard of a network run, in batches that the page's tape takes (web/network_tape.py), and what is told of its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from princeps.model.options import NetOptions
from princeps.model.rings.run import RingRun
from princeps.model.run import Run
from princeps.model.script import ScriptEvent
from princeps.network.onlooking import KILL, PAUSE, Moment, Order

if TYPE_CHECKING:
    from princeps.network.report import NetResult
    from princeps.network.rings.report import RingNetResult

Batch = dict[str, Any]
SAVED_PORTION = 0.1  # seconds of virtual time between two looks
EVERY = 0.1  # seconds between two batches in which nothing but the time is new
MAX_CUTS = 2000  # arcs that are shown as cut
CONDUCTED = "a conducted run is that of the seed, and a kill or a pause from the page is not: use --mode free."


class Gathered:
    """Looks on at a run, and makes batches of what it hears."""

    portion = SAVED_PORTION

    def __init__(self, run: Run | RingRun, hand: Callable[[Batch], None]) -> None:
        self.run, self.hand = run, hand
        self._events: list[list[Any]] = []
        self._told: tuple[Any, ...] = ()
        self._handed_at = -EVERY
        self._cut: tuple[Any, list[list[int]]] = {}, []

    def heard(self, event: ScriptEvent) -> None:
        self._events += event.lines()

    def sees(self, moment: Moment) -> None:
        known = (moment.deaths, moment.dead, moment.paused, moment.cut_off)
        if self._events or known != self._told or moment.seconds >= self._handed_at + EVERY:
            self._hand_over(moment)
            self._told, self._handed_at = known, moment.seconds

    def _hand_over(self, moment: Moment) -> None:
        events, self._events = self._events, []
        self.hand(
            {
                "seconds": moment.seconds,
                "lines": events,
                "deaths": sorted(map(list, moment.deaths.items())),
                "dead": sorted(moment.dead),
                "paused": sorted(moment.paused),
                "cuts": self._cuts(moment),
            }
        )

    def _cuts(self, moment: Moment) -> list[list[int]]:
        """The arcs that carry nothing."""
        if moment.cut_off != self._cut[0]:
            graph = self.run.topology if isinstance(self.run, Run) else None
            arcs = [[i, j] for i, others in sorted(moment.cut_off.items()) for j in others]
            kept = [arc for arc in arcs if graph is None or graph.has_arc(*arc)]
            self._cut = moment.cut_off, kept[:MAX_CUTS]
        return self._cut[1]

    def orders(self) -> list[Order]:
        return []

    def finish(self, seconds: float) -> None:
        """What was heard after the last look. Nobody is stopped or cut off any more; whoever was dead stays so."""
        self._hand_over(Moment(max(seconds, self._handed_at), *self._told[:2]))


def session_of(run: Run | RingRun) -> Any:
    """The session in which the interactions of the network happen again."""
    from princeps.engines.registry import REFERENCE
    from princeps.engines.rings.session import RingSession
    from princeps.engines.session import Session

    return RingSession(run) if isinstance(run, RingRun) else Session(replace(run, engine=REFERENCE))


def told_of(options: NetOptions, transport: str, command: str) -> dict[str, Any]:
    """What the page is told of the network."""
    conducted = options.mode == "conducted"
    return {
        "command": command,
        "transport": transport,
        "mode": options.mode,
        "orders": [] if conducted else [KILL, PAUSE],
        "no_orders": CONDUCTED,
    }


def result_json(result: NetResult | RingNetResult) -> dict[str, Any]:
    """The verdict and the rows of the report."""
    report = result.report()
    verdict = result.replay if result.replay == "agrees" else f"differs: {result.replay}"
    return {
        "verdict": verdict,
        "agrees": result.replay == "agrees",
        "succeeded": result.succeeded,
        "interrupted": result.interrupted,
        "title": report.title,
        "rows": [list(row) for row in report.rows],
    }
