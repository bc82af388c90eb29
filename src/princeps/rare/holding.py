"""How long a unique leader is held, by splitting: pilot, replicas, a second level function, an exact value at small n."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Any

from princeps.campaign.identity import identity
from princeps.campaign.store import Store
from princeps.errors import RunError, TooLarge
from princeps.lowering.kernels import kernels_of
from princeps.model.description import Description, read
from princeps.model.limits import refuse_beyond_memory
from princeps.model.losses import Level, SoftMin
from princeps.model.run import Run
from princeps.rare.collecting import Collector, Series
from princeps.rare.comparison import Comparison, compare
from princeps.rare.losses import losses_of
from princeps.rare.pilot import TRIALS, NoWayUp, levels_by_pilot
from princeps.rare.report import HoldResult, LevelEstimate, ModeEstimate
from princeps.rare.statistics import MIN_REPLICAS, Rate, total

MAX_REPLICAS = 400
MAX_AGENTS = 1_000_000  # a start lists all agents, and the sums of a level function are made for so many (climbing.py)
SLACK = 1.2  # more replicas than the first ones call for: their spread is an estimate, too

Observer = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Question:
    description: Description  # with a seed
    precision: float
    effort: int
    jobs: int
    compares: bool


class Estimation:
    """One question, from the pilot on; `result` at any time, from what is finished."""

    def __init__(self, question: Question, store: Store | None, observe: Observer) -> None:
        self.question, self.observe, self.began = question, observe, time.perf_counter()
        run = read(question.description)
        assert isinstance(run, Run)
        refuse(run)
        self.run, self.losses = run, losses_of(run)
        refuse_beyond(run, question.effort, question.jobs)
        self.series: dict[tuple[str, int], Series] = {}
        self.failures: dict[tuple[str, int], str] = {}
        self.comparison: Comparison | None = None
        self.collector = Collector(question.jobs, store, observe)

    def estimate(self) -> HoldResult:
        question, run = self.question, self.run
        content = identity(run)
        for name, loss in self.losses.items():
            for k, level in enumerate(loss.levels):
                self.observe(f"pilot of {name} {k + 1}", len(self.series), 0)
                try:
                    levels = levels_by_pilot(run, level, loss.kind)
                except NoWayUp as error:
                    self.failures[name, k] = str(error)
                    continue
                self.series[name, k] = Series(question.description, content, name, k, levels, question.effort)
        self.collector.collect([(series, MIN_REPLICAS) for series in self.series.values()])
        for _ in range(2):
            more = self._more()
            if not more:
                break
            self.collector.collect(more)
        if question.compares:
            self.observe("comparing with an exact rate", 0, 0)
            self.comparison = compare(run, question.description.protocol)
        return self.result()

    def _more(self) -> list[tuple[Series, int]]:
        """How many replicas each series should have, if these are too few for the precision that is asked for."""
        firsts = [self._rate(name, 0) for name in self.losses]
        if not all(rate.mean for rate in firsts):
            return []
        mean, error, _ = total(firsts)
        if error <= self.question.precision * mean:
            return []
        allowed = self.question.precision * mean / len(firsts) ** 0.5
        out = []
        for name, rate in zip(self.losses, firsts, strict=True):
            if rate.error > allowed:
                there = len(rate.replicas)
                wanted = min(MAX_REPLICAS, ceil(SLACK * there * (rate.error / allowed) ** 2))
                if wanted > there:
                    out += [(series, wanted) for (loss, _), series in self.series.items() if loss == name]
        return out

    def _rate(self, name: str, k: int) -> Rate:
        series = self.series.get((name, k))
        return Rate(() if series is None else series.rates)

    def result(self) -> HoldResult:
        question, run = self.question, self.run
        modes = []
        for name, loss in self.losses.items():
            estimates = []
            for k, level in enumerate(loss.levels):
                series = self.series.get((name, k))
                number = 0 if series is None else len(series.levels.thresholds)
                rate = self._rate(name, k)
                why = self.failures.get((name, k), "") or ("" if rate.replicas else "nothing is finished")
                estimates.append(LevelEstimate(in_words(level), number, rate, why))
            modes.append(ModeEstimate(name, loss.kind, tuple(estimates)))
        return HoldResult(
            protocol=run.protocol.name,
            params=dict(run.protocol.params),
            n=run.n,
            seed=run.seed,
            effort=question.effort,
            modes=tuple(modes),
            comparison=self.comparison,
            others=sum(series.others for series in self.series.values()),
            steps=sum(series.steps for series in self.series.values()),
            seconds=time.perf_counter() - self.began,
            command=_command(question, run),
        )


def refuse(run: Run) -> None:
    """What splitting cannot do, in one sentence each."""
    protocol = run.protocol
    if protocol.has_choices:
        raise RunError(
            f"the rule of {protocol.name} tosses coins or reads an oracle, which hold does not do: measure it with "
            f"princeps run --hold --max-steps NUMBER."
        )
    if protocol.guarantee == "self-stabilizing":
        raise RunError(f"{protocol.name} is self-stabilizing and never loses its leader: there is nothing to estimate.")
    if not run.scheduler.draws_uniform_arcs or run.faults:
        raise RunError("hold is about uniformly random pairs without faults: leave --scheduler and --fault out.")


def refuse_beyond(run: Run, effort: int, jobs: int) -> None:
    """Whole configurations are kept at every level: those that trials start from, and those that rise from there."""
    if run.n > MAX_AGENTS:
        raise TooLarge(
            f"n = {run.n:,} is too large: hold keeps thousands of whole configurations, of at most {MAX_AGENTS:,} agents. "
            f"Lower -n."
        )
    kept = 2 * max(effort, TRIALS)
    refuse_beyond_memory(
        jobs * kept * run.n * kernels_of(run.protocol).layout.bytes_per_agent,
        f"keeping {kept:,} configurations of {run.n:,} agents in each of {jobs} processes",
        "lower --effort, --jobs or -n.",
    )


def in_words(level: Level) -> str:
    parts = []
    for term in level.terms:
        base = f", base {term.base}" if isinstance(term, SoftMin) and term.base else ""
        sign = "" if term.weight == 1 else f"{term.weight:g} "
        name = getattr(term.of, "__name__", "function")
        parts.append(f"{sign}{type(term).__name__}({name}{base})")
    return " + ".join(parts)


def _command(question: Question, run: Run) -> str:
    words = ["princeps", "hold", question.description.spec, "-n", str(run.n)]
    for name, value in question.description.params.items():
        words += ["-p", f"{name}={value}"]
    given: dict[str, Any] = {"--seed": run.seed, "--effort": question.effort}
    words += [str(word) for pair in given.items() for word in pair]
    return shlex.join([*words, "--precision", f"{100 * question.precision:g}%"])
