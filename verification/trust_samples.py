"""Samples of all cells of the page on trust, and the verdicts of the tests on them."""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

from journal import Journal
from laws import Verdict, against_law, against_sample, hits_against_law
from trust_cells import (
    CONFIGURATION_TRIALS,
    CONFIGURATIONS,
    COUNTS_WAYS,
    ENGINES,
    EVENTS_WAYS,
    GRAPHS,
    HIT_BY_WRONG,
    LARGER,
    MEANS,
    ON_GRAPHS,
    PROTOCOLS,
    STEPS_OF_WRONG,
    laws_of,
    may_use,
    stops_of,
    with_law,
)
from ways import WRONG, Cell, sample

JOBS = 2
FAMILY = 1e-6  # the probability that anything right is rejected


class Samples:
    """All cells that are wanted, sampled in worker processes; cells of the same forced kernel by the same process."""

    def __init__(self) -> None:
        self.wanted: dict[Cell, None] = {}
        self.seen: dict[Cell, Any] = {}

    def want(self, *cells: Cell) -> None:
        self.wanted.update(dict.fromkeys(cells))

    def collect(self) -> None:
        units: dict[Any, list[Cell]] = {}
        for one in self.wanted:
            alone = not (one.way.startswith("counts:"))
            units.setdefault(one if alone else one.way, []).append(one)
        began = time.monotonic()
        long_first = sorted(units.values(), key=lambda unit: -sum(each.trials for each in unit))
        with ProcessPoolExecutor(JOBS, mp_context=get_context("spawn")) as pool:
            waiting = {pool.submit(sample, unit): unit for unit in long_first}
            for count, future in enumerate(as_completed(waiting), 1):
                unit = waiting[future]
                self.seen.update(zip(unit, future.result(), strict=True))
                elapsed = time.monotonic() - began
                print(f"  {count}/{len(units)} sampled, {elapsed:.0f} s: {unit[0].way}, {unit[0].protocol}", flush=True)


class Verdicts:
    """The plan of all samples, and the verdicts on them."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.samples = Samples()
        self.journal = Journal()
        self.right: list[tuple[str, Verdict]] = []
        self.verdicts: dict[Any, Verdict] = {}
        self.wrong: dict[str, list[tuple[str, Verdict]]] = {}

    def trials(self, way: str) -> int:
        return int(self.scale * {"reference": 3000}.get(way, 8000))

    # -- what is sampled ----------------------------------------------------------------------------------------

    def plan(self) -> None:
        want = self.samples.want
        for what in PROTOCOLS:
            want(*(self.hit(what, way)[0] for way in ENGINES if may_use(what, way)))
        for what in LARGER:
            want(*(self.larger(what, way) for way in self.larger_ways(what)))
        for what in CONFIGURATIONS:
            want(*(self.stops(what, way, pieces) for way in self.configuration_ways(what) for pieces in (False, True)))
        for name in WRONG:
            want(*(self.hit(what, f"counts:{name}")[0] for what in HIT_BY_WRONG))
            want(self.stops(CONFIGURATIONS[0], f"counts:{name}", False, STEPS_OF_WRONG))
        want(*(self.more_agents(what) for what in HIT_BY_WRONG))
        for graph in GRAPHS:
            for name in ON_GRAPHS:
                want(*(self.hit(self.on(graph, name), way)[0] for way in EVENTS_WAYS))
        for name in ("fratricide", "epidemic"):
            for way, sizes in MEANS.items():
                want(*(self.mean(name, way, n) for n in sizes))

    def hit(self, what: Cell, way: str) -> tuple[Cell, list[float]]:
        return with_law(what, way, self.trials(way))

    def stops(self, what: Cell, way: str, pieces: bool, steps: tuple[int, ...] = ()) -> Cell:
        chosen = steps or tuple(step for step in stops_of(what) if pieces or step >= 3)
        return replace(what, way=way, steps=chosen, pieces=pieces, trials=int(self.scale * CONFIGURATION_TRIALS))

    @staticmethod
    def configuration_ways(what: Cell) -> tuple[str, ...]:
        return ("agents", *(way for way in COUNTS_WAYS if may_use(what, way)))

    def larger(self, what: Cell, way: str) -> Cell:
        return replace(what, way=way, trials=int(self.scale * 5000), horizon=10**6)

    @staticmethod
    def larger_ways(what: Cell) -> tuple[str, ...]:
        return ("agents", *(("events", "events:skip") if what.protocol == "p_rl" else ("counts", "counts:list")))

    def more_agents(self, what: Cell) -> Cell:
        return replace(self.hit(what, "counts")[0], n=what.n + 1)

    def mean(self, name: str, way: str, n: int) -> Cell:
        return Cell(name, n, way=way, trials=max(4, int(self.scale * MEANS[way][n])))

    @staticmethod
    def on(graph: str, name: str) -> Cell:
        return Cell(name, 6, graph=graph, ids=(3, 1, 6, 2, 5, 4) if name == "infection" else None)

    # -- judging ------------------------------------------------------------------------------------------------

    def judge(self) -> None:
        """All verdicts on engines that should be right come first: the threshold depends on their number."""
        for what in PROTOCOLS:
            for way in ENGINES:
                if may_use(what, way):
                    self.accept(("hit", what, way), self.hit_verdict(what, way))
        for what in LARGER:
            first, *others = self.larger_ways(what)
            for way in others:
                seen = [self.samples.seen[self.larger(what, each)] for each in (way, first)]
                self.accept(("larger", what, way), against_sample(seen[0], seen[1]))
        for what in CONFIGURATIONS:
            for way in self.configuration_ways(what):
                for pieces in (False, True):
                    for step, verdict in self.configuration_verdicts(self.stops(what, way, pieces)).items():
                        self.accept(("stop", what, way, pieces, step), verdict)
        for graph in GRAPHS:
            for name in ON_GRAPHS:
                for way in EVENTS_WAYS:
                    self.accept(("graph", graph, name, way), self.hit_verdict(self.on(graph, name), way))

    def accept(self, key: Any, verdict: Verdict) -> None:
        self.verdicts[key] = verdict
        self.right.append((str(key), verdict))

    @property
    def alpha(self) -> float:
        return FAMILY / len(self.right)

    def hit_verdict(self, what: Cell, way: str) -> Verdict:
        own, law = self.hit(what, way)
        return hits_against_law(self.samples.seen[own], law)

    def configuration_verdicts(self, own: Cell) -> dict[int, Verdict]:
        bare = replace(own, way="agents", steps=(), pieces=False, trials=0)
        seen, laws = self.samples.seen[own], laws_of(bare)
        return {step: against_law(seen[step], laws[step], in_order=False) for step in own.steps}

    def check(self, keys: list[Any], what: str) -> None:
        """One sentence for many tests: their smallest p-value decides."""
        least = min(self.verdicts[key].p for key in keys)
        self.journal.check(
            least >= self.alpha,
            f"{what}: the smallest of {len(keys)} p-values is {least:.2g} (asked: {self.alpha:.1e})",
        )
