"""A minute of everything at once, then quiet: is there one leader within the law of the protocol's own recovery?

The law comes from the simulator: interactions to the goal from random states, and after the leader of a population that has
settled came back in a random state. The network is allowed the largest of a thousand. It is asked after the last kill, in
interactions of the order that the logs give. As in the law, what counts is when the goal is first met: where a leader of `timer`
died, other timers run out soon after the first one, in the model as well, and two or three lead for a while.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from network_bars.rows import Row, Sizes, read_run
from princeps.engines.population import StopCondition
from princeps.engines.simulate import make_population
from princeps.model.run import Run
from princeps.network.chaos import read_chaos
from princeps.network.membership import restart_state
from princeps.network.observer import Observer
from princeps.network.planning import Plan
from princeps.network.report import NetResult
from princeps.network.running import run_network

ROOT = Path(__file__).resolve().parents[2]
CASES = ("p_rl", "p_pl", "timer", str(ROOT / "examples" / "optimal_silent.py"))
KILL_EVERY = 0.5  # seconds
MOST = 10**6  # interactions of a simulated recovery
LONGEST = 1800.0  # seconds after the last fault, on any machine


def plan_of_faults(n: int, seconds: float) -> str:
    """Kills to the end, the last one of a leader; pauses and partitions are over by then. What harms frames goes on."""
    half, part, last = n // 2, max(1, n // 4), seconds - 0.5
    parts = ["loss 20%", "duplicates 20%", "garbage 200/s"]
    parts += [f"{KILL_EVERY}s: kill random every {KILL_EVERY}s until {seconds}s"]
    parts += [f"{seconds + 0.1:g}s: kill leader"]
    parts += [f"0.7s: pause random for 0.3s every 1.1s until {last - 0.3:g}s", "1s: pause leader for 0.5s"]
    for k in range(int(last // 4) + 1):
        groups = f"0-{half - 1}|{half}-{n - 1}" if k % 2 == 0 else f"0-{part - 1}|{part}-{n - 1}"
        if 4 * k + 2 <= last:
            parts.append(f"{4 * k + 1}s: cut {groups} for 1s")
    return "; ".join(parts)


def allowed_interactions(run: Run, recoveries: int) -> int:
    """The largest of so many simulated recoveries: half of them from random states, half from the death of a leader."""
    largest = 0
    for trial in range(-(-recoveries // 2)):
        population = make_population(replace(run, trial=trial))
        population.advance_exactly(MOST, StopCondition.GOAL)
        elected = population.steps
        population.advance_exactly(run.n**2)
        leader = population.leader()
        if leader is not None:
            population.overwrite([(leader, restart_state(run, leader, 2 + trial, population.state(leader)))])
        died = population.steps
        if not population.holds():
            population.advance_exactly(MOST, StopCondition.GOAL)
        assert population.holds(), f"{run.protocol.name} does not recover"
        largest = max(largest, elected, population.steps - died)
    return largest


@dataclass(frozen=True)
class Storm:
    result: NetResult
    allowed: int
    kills: int
    tracebacks: int

    @property
    def recovered(self) -> int | None:
        """Interactions between the last restart and the goal."""
        found: int | None = self.result.recoveries[-1]["interactions"]
        return found

    @property
    def holds(self) -> bool:
        one = self.recovered is not None and self.recovered <= self.allowed
        return one and self.result.replay == "agrees" and not (self.result.counters["torn"] or self.tracebacks)


def storm(name: str, n: int, seconds: float, recoveries: int, rate: float = 50.0) -> Storm:
    run = read_run(name, n, seed=1, start="random")
    allowed = allowed_interactions(run, recoveries)
    plan = Plan(rate=rate, duration=seconds + LONGEST, chaos=read_chaos(plan_of_faults(n, seconds), n))

    def is_over(observer: Observer, now: float) -> bool:
        """All have recovered, or the last of them should have."""
        if now < seconds + KILL_EVERY:
            return False
        last = observer.recoveries[-1]
        late = last.restarted_at is not None and observer.replay.interactions - last.restarted_at > allowed
        return late or all(one.interactions is not None for one in observer.recoveries)

    with errors_kept() as errors:
        result = run_network(run, plan, is_over)
        tracebacks = errors.read_text().count("Traceback")
    return Storm(result, allowed, len(result.recoveries), tracebacks)


@contextmanager
def errors_kept() -> Iterator[Path]:
    """What this process and those that it forks write on their standard error, in a file."""
    with tempfile.TemporaryDirectory() as folder:
        path, before = Path(folder) / "errors", os.dup(2)
        with path.open("wb") as file:
            os.dup2(file.fileno(), 2)
        try:
            yield path
        finally:
            os.dup2(before, 2)
            os.close(before)
            os.write(2, path.read_bytes())


def rows(sizes: Sizes) -> Iterator[Row]:
    n, seconds = sizes.storm_agents, sizes.storm_seconds
    for name in CASES:
        found = storm(name, n, seconds, sizes.recoveries)
        counters, recovered = found.result.counters, found.recovered
        when = "no leader" if recovered is None else f"one leader {recovered:,} interactions"
        yield Row(
            f"storm, {found.result.protocol}, n = {n}, {seconds:g} s: kill -9 every {KILL_EVERY:g} s, loss 20%, duplicates "
            "20%, partitions, garbage, SIGSTOP",
            f"{found.kills:,} kills, {found.result.all_interactions:,} interactions, {counters['bad_frames']:,} bad frames; "
            f"{when} after the last fault; replay {found.result.replay}; {counters['torn']} torn; "
            f"{found.tracebacks} tracebacks",
            f"within {found.allowed:,} interactions (the largest of {sizes.recoveries:,} simulated recoveries), replay agrees, "
            "0 torn, 0 tracebacks",
            found.holds,
        )
