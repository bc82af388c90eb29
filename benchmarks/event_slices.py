"""How fast is the engine `events` beside a C loop written for one protocol? A part of `make bench`.

P_RL on a ring of 10^6 agents. The C loop (benchmarks/event_loop.c) has a list of the arcs whose interaction would change
something and geometric waits, as the engine has; the rule, P_RL's graph and the layout of its agents are written into it.
Both begin with the same states of all agents, at some moments of one run, and go on for the same number of steps with the
same random numbers, alternately; the best processor time of each counts. Numbers of effective interactions and checksums over
all agents must agree. The list of active arcs is made before the clock starts. The bar is 1.5 times the time of C.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from princeps.engines.events import Events
from princeps.engines.population import StopCondition
from princeps.model.reading import make_run

N = 10**6
SLICES = [
    (0, 4 * 10**8),
    (10**9, 6 * 10**8),
    (10**10, 6 * 10**9),
]  # from which step on, if it is skipping by then; steps
BAR = 1.5  # times as long as C
HEADING = [
    "from step",
    "active arcs",
    "effective interactions",
    "C (ns each)",
    "events (ns each)",
    "events / C",
    f"at most {BAR}",
]
Measured = tuple[float, int, int]  # nanoseconds an effective interaction, how many, checksum of the agents


class Slice(Events):
    """The events engine that begins anew from words and a stream of its own."""

    def begin(self, words: Any, seed: Sequence[int]) -> None:
        self.form.agents[:] = words
        self._count()
        self.skips[:] = seed
        self._list_active()


def checksum(words: Any) -> int:
    weights = np.arange(1, len(words) + 1, dtype=np.uint64)
    return int((weights * words.astype(np.uint64)).sum(dtype=np.uint64))


def by_engine(population: Slice, words: Any, seed: Sequence[int], steps: int) -> Measured:
    population.begin(words, seed)
    events, end = population.events, population.steps + steps
    began = time.process_time()
    while population.steps < end:
        population.advance(end - population.steps, StopCondition.NOTHING)
    took = time.process_time() - began
    assert population.skipping
    done = population.events - events
    return took / done * 1e9, done, checksum(population.form.words())


def by_c(binary: str, file: Path, seed: Sequence[int], steps: int) -> Measured:
    words = [binary, str(file), str(N), str(N), str(steps), *(f"{word:x}" for word in seed)]
    out = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    return float(out[0]), int(out[1]), int(out[2])


def rows(binary: str, seed: Sequence[int], repeats: int) -> Iterator[list[str]]:
    """One for each slice."""
    population = Slice(make_run("p_rl", N, engine="events", seed=1))
    while not population.skipping:
        population.advance(1 << 22, StopCondition.NOTHING)
    for first, steps in SLICES:
        if population.steps < first:
            population.advance_exactly(first - population.steps)
        saved, words, began = population.snapshot(), population.form.words().copy(), max(first, population.steps)
        population.begin(words, seed)
        active = int(population.facts[0])
        best = {"C": float("inf"), "events": float("inf")}
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "agents"
            words.tofile(file)
            for _ in range(repeats):
                found = {"C": by_c(binary, file, seed, steps), "events": by_engine(population, words, seed, steps)}
                if found["C"][1:] != found["events"][1:]:
                    raise SystemExit(f"from step {began:,}: the programs disagree: {found}")
                best = {name: min(best[name], found[name][0]) for name in best}
        population.restore(saved)
        ratio = best["events"] / best["C"]
        yield [
            *(f"{began:,}", f"{active:,}", f"{found['C'][1]:,}", f"{best['C']:.1f}", f"{best['events']:.1f}"),
            *(f"{ratio:.2f}", "ok" if ratio <= BAR else f"over {BAR}"),
        ]
