"""A minute of everything at once, then quiet: is there one leader within the law of the protocol's own recovery?

The law is that of the model from the very configuration in which the last fault left the agents, and it is asked in
interactions of the order that the logs give: recovery_law.py says exactly what. Loss, duplicates and garbage go on.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from network_bars.recovery_law import Law, Witness, law_of, window_of
from network_bars.rows import Row, Sizes, read_run
from princeps.network.chaos import read_chaos
from princeps.network.fairness import Fairness, fairness
from princeps.network.observer import Observer
from princeps.network.planning import UDP, Plan
from princeps.network.report import NetResult
from princeps.network.running import run_network

CASES = ("p_rl", "p_pl", "timer", "optimal_silent")
LEADER, EVERYBODY = "leader", "everybody"  # who dies last, and comes back in a random state
KILL_EVERY = 0.5  # seconds
LONGEST = 1800.0  # seconds after the last fault, on any machine


def plan_of_faults(n: int, seconds: float, last_victim: str) -> str:
    """Kills to the end; pauses and partitions are over by then. What harms frames goes on."""
    half, part, last = n // 2, max(1, n // 4), seconds - 0.5
    parts = ["loss 20%", "duplicates 20%", "garbage 200/s"]
    parts += [f"{KILL_EVERY}s: kill random every {KILL_EVERY}s until {seconds}s"]
    victims = [LEADER] if last_victim == LEADER else range(n)
    parts += [f"{seconds + 0.1:g}s: kill {victim}" for victim in victims]
    parts += [f"0.7s: pause random for 0.3s every 1.1s until {last - 0.3:g}s", "1s: pause leader for 0.5s"]
    for k in range(int(last // 4) + 1):
        groups = f"0-{half - 1}|{half}-{n - 1}" if k % 2 == 0 else f"0-{part - 1}|{part}-{n - 1}"
        if 4 * k + 2 <= last:
            parts.append(f"{4 * k + 1}s: cut {groups} for 1s")
    return "; ".join(parts)


@dataclass(frozen=True)
class Storm:
    result: NetResult
    settled_after: int | None  # interactions after the last fault
    lost_again: bool
    law: Law
    kills: int
    tracebacks: int
    pairs: Fairness  # of the interactions after the last fault: if they are not uniform, the law is another one

    @property
    def is_right(self) -> bool:
        """As every single run must be, whatever its law."""
        return self.result.replay == "agrees" and not (self.result.counters["torn"] or self.tracebacks)

    @property
    def holds(self) -> bool:
        return self.is_right and self.law.is_obeyed(self.settled_after)


def storm(
    name: str,
    n: int,
    seconds: float,
    recoveries: int,
    last_victim: str = LEADER,
    transport: str = UDP,
    bad_frames: int = 0,
) -> Storm:
    """It goes on until so many bad frames have come, too; the window is judged alone."""
    run = read_run(name, n, seed=1, start="random")
    chaos = read_chaos(plan_of_faults(n, seconds, last_victim), n)
    plan = Plan(transport=transport, duration=seconds + LONGEST, chaos=chaos)
    witnesses = list[Witness]()

    def is_over(observer: Observer, now: float) -> bool:
        if not witnesses:
            witnesses.append(Witness(observer, window_of(n)))
        is_complete = now >= seconds + KILL_EVERY and witnesses[0].settling.is_complete
        return is_complete and observer.counters.told("bad_frames") >= bad_frames

    with errors_kept() as errors:
        result = run_network(run, plan, is_over)
        tracebacks = errors.read_text().count("Traceback")
    settling, configuration = witnesses[0].settling, witnesses[0].configuration
    assert settling.is_complete, f"{LONGEST:g} s were too short for {window_of(n):,} interactions"
    law = law_of(run, configuration, window_of(n), recoveries)
    pairs = fairness(witnesses[0].pairs, run.topology)
    return Storm(result, settling.settled_after, settling.lost_again, law, len(result.recoveries), tracebacks, pairs)


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
    for name, last_victim in product(CASES, (LEADER, EVERYBODY)):
        found = storm(name, n, seconds, sizes.recoveries, last_victim)
        counters, result, law = found.result.counters, found.result, found.law
        after = found.settled_after
        when = f"not one leader {window_of(n):,} interactions after the last fault"
        if after is not None:
            when = f"one leader from {after:,} interactions after the last fault on{', lost once' * found.lost_again}"
            when += f": {law.as_late(after):,} of {sizes.recoveries:,} runs of the model are as late or later"
        middle, late = ("never" if one is None else f"{one:,}" for one in (law.quantile(0.5), law.quantile(0.99)))
        yield Row(
            f"storm, {result.protocol}, n = {n}, {seconds:g} s: kill -9 every {KILL_EVERY:g} s, loss 20%, duplicates "
            f"20%, partitions, garbage, SIGSTOP; {last_victim} dies last",
            f"{found.kills:,} kills, {result.all_interactions:,} interactions, {counters['bad_frames']:,} bad frames; "
            f"{when}; replay {result.replay}; {counters['torn']} torn; {found.tracebacks} tracebacks",
            f"one leader at the end of {window_of(n):,} interactions, and not later than all of {sizes.recoveries:,} runs of "
            f"the model from the same configuration (median {middle}, 99% by {late}, {law.lost_again:,} lose it again on "
            "the way); replay agrees, 0 torn, 0 tracebacks",
            found.holds,
        )
