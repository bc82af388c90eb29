"""One network run of a ring algorithm from its beginning to its result, over TCP or in virtual time."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from princeps.model.rings.run import RingRun
from princeps.network.onlooking import Onlooker
from princeps.network.rings.launcher import RingLauncher
from princeps.network.rings.memory import World
from princeps.network.rings.planning import RingPlan
from princeps.network.rings.report import MEMORY, RingNetResult

MAX_STEPS = 100_000  # actions, where the run says nothing
AIMLESS = 10  # times the bound of messages: runs with a loss of memory that end take at most 1.4 times (40 each of 5 algorithms)


def run_ring_network(
    run: RingRun, plan: RingPlan, command: str = "", onlooker: Onlooker | None = None
) -> RingNetResult:
    steps = MAX_STEPS if run.max_steps is None else run.max_steps
    longest = inf if run.max_steps is not None else AIMLESS * run.algorithm.promised(run.ring).get("messages", inf)
    if plan.transport == MEMORY:
        faults = replace(plan.faults, piece=64)  # bytes: most frames are divided
        world = World(run, faults, _seed(run), onlooker)
        world.judge.longest = longest
        result = world.play(steps, plan.duration)
    else:
        with RingLauncher(run, plan.faults, _seed(run), onlooker) as launcher:
            launcher.judge.longest = longest
            result = launcher.play(steps, plan.duration)
    return replace(result, command=command)


def _seed(run: RingRun) -> int:
    """Of delays and faults, another one for each trial."""
    return run.stream("network").next64() if run.trial else run.seed
