"""The exact analysis beside the brute force of the tests, which shares no code with it."""

from __future__ import annotations

from math import inf, isclose
from random import Random
from typing import Any

from fuzz.inputs import Trouble, wrong
from fuzz.random_rules import Written
from fuzz.run_checks import NEVER_RIGHT, chosen_run, outcome

MOST = 700  # configurations
TOLERANCE = 1e-7


def exact_agrees(cls: Any, written: Written, rng: Random) -> list[Trouble]:
    """From all configurations, where they are few, and from one start."""
    for n, graph in ((2, None), (3, None), (3, "path"), (4, "ring")):
        goal = rng.choice(["safe", *cls.all_goals()])
        if written.states**n <= MOST:
            found = _from_everywhere(cls, n, graph, goal)
            if found:
                return found
        chosen = chosen_run(cls, rng, n, graph=graph, starts=["first", "blocks"])
        found = _from_start(cls, n, graph, chosen.start, chosen.until)
        if found:
            return found
    return []


def _analysed(cls: Any, n: int, graph: str | None, start: str, goal: str) -> tuple[Any, str]:
    import princeps

    return outcome(lambda: princeps.exact(cls, n, graph=graph, start=start, target=goal, force=True))


def _from_everywhere(cls: Any, n: int, graph: str | None, goal: str) -> list[Trouble]:
    from tests.analysis import brute_force as brute

    run = brute.planned(cls, n, graph)
    configs = brute.brute_space(run.protocol, run.topology)

    def expected() -> Any:
        for config in configs:  # the rule may fail also where no time is asked for, within the target
            brute.brute_steps(run, config)
        target = (
            brute.brute_safe(run, configs) if goal == "safe" else set(filter(brute.brute_member(run, goal), configs))
        )
        return target, brute.brute_times(run, configs, target) if target else {}

    both, mistake = outcome(expected)
    result, refused = _analysed(cls, n, graph, "all", goal)
    what = f"n = {n}, {graph}, all configurations, {goal}"
    if mistake:
        return [] if refused else wrong(f"{what}: by brute force {mistake!r}, exact found {result}")
    target, times = both
    if not target:
        return [] if refused or not result.reachable else wrong(f"{what}: the target is empty, exact found {result}")
    if refused:
        return [] if NEVER_RIGHT in refused else wrong(f"{what}: {refused}")
    values = [float(times[config]) for config in configs]
    wanted = (len(configs), len(target), max(values), sum(values) / len(values))
    return _compared(what, wanted, result)


def _compared(what: str, wanted: tuple[int, int, float, float], result: Any) -> list[Trouble]:
    given = (result.configurations, result.target_size, result.worst, result.mean)
    same = wanted[:2] == given[:2] and all(_close(a, b) for a, b in zip(wanted[2:], given[2:], strict=True))
    reachable = wanted[2] < inf
    if not same or result.reachable != reachable:
        return wrong(f"{what}: brute force {wanted}, exact {given}, reachable {result.reachable}")
    return []


def _close(a: float, b: float) -> bool:
    return a == b or isclose(a, b, rel_tol=TOLERANCE)


def _from_start(cls: Any, n: int, graph: str | None, start: str, goal: str) -> list[Trouble]:
    from princeps.model.starts import starting_states
    from tests.analysis import brute_force as brute

    run = brute.planned(cls, n, graph, start=start)

    def expected() -> Any:
        first = tuple(starting_states(run))
        member = brute.brute_member(run, goal)
        found, waiting = {first}, [first]
        while waiting and len(found) <= MOST:
            here = waiting.pop()
            if not member(here):
                new = {after for _, after, _ in brute.brute_steps(run, here)} - found
                found |= new
                waiting += new
        if len(found) > MOST:
            return None
        target = set(filter(member, found))
        return float(brute.brute_times(run, found, target)[first]) if target else inf

    time, mistake = outcome(expected)
    what = f"n = {n}, {graph}, from {start}, {goal}"
    if not mistake and time is None:
        return []
    result, refused = _analysed(cls, n, graph, start, goal)
    if mistake or refused:
        return (
            []
            if bool(mistake) == bool(refused) or NEVER_RIGHT in refused
            else wrong(f"{what}: by brute force {mistake!r} {time}, exact {refused!r} {result}")
        )
    if not _close(time, result.mean) or result.reachable != (time < inf):
        return wrong(f"{what}: brute force {time}, exact {result.mean}, reachable {result.reachable}")
    return []
