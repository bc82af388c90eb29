"""The engine `events` beside plain Python: which arcs would change something, what each change does, and goals.

It goes through all pairs until few of them are effective, which the short runs of random protocols never come to. Here
it skips from the beginning, so that its own way of drawing is what is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

from fuzz.inputs import Trouble, wrong
from fuzz.random_rules import Written
from fuzz.run_checks import BEYOND, chosen_run, outcome

GRAPHS = ("ring", "path", "star", "er:1.0")
STRETCHES = (*[1] * 20, 5, 40, 100)


@contextmanager
def skipping() -> Iterator[None]:
    """As soon as every arc could have met once the engine skips, and it never returns to all pairs."""
    from princeps.engines import events

    with ExitStack() as stack:
        changed = {"JUDGE_AFTER": 1, "SKIP_FROM": 0, "WALK_FROM": 1, "arcs_to_examine": lambda *_: 0}
        for name, value in changed.items():
            stack.enter_context(patch.object(events, name, value))
        yield


def events_agree(cls: Any, written: Written, rng: Random) -> list[Trouble]:
    if cls(4).tosses:
        return []  # law_checks compares such rules
    with skipping():
        for _ in range(4):
            run = chosen_run(cls, rng, rng.choice((3, 4, 6, 9)), graph=rng.choice(GRAPHS))
            found = _compared(replace(run, engine="events"), rng)
            if found:
                return found
    return []


def _compared(run: Any, rng: Random) -> list[Trouble]:
    from princeps.engines.events import Events

    there, refused = outcome(lambda: Events(run))
    if refused:
        return []
    there.judge_at = 0
    for stretch in STRETCHES:
        before, stood = _states(there), there.steps
        _, refusal = outcome(lambda: there.advance_exactly(stretch))  # noqa: B023
        if BEYOND in refusal:
            return []
        what = f"{run.command()} after {stood} steps"
        if refusal:
            return [] if stretch > 1 or _may_fail(run, before) else wrong(f"{what}: {refusal}, which Python never says")
        if there.skipping and _active(run, _states(there)) != _listed(there):
            return wrong(f"{what}: {_listed(there)} are active, by Python {_active(run, _states(there))}")
        found = _one_step(run, before, there) if stretch == 1 else ""
        if found or _goal(run, there):
            return wrong(f"{what}: {found or _goal(run, there)}")
    return []


def _states(there: Any) -> list[Any]:
    return [there.state(k) for k in range(there.run.n)]


def _arcs(run: Any) -> list[tuple[int, int]]:
    return [run.topology.arc(k) for k in range(run.topology.arc_count)]


def _active(run: Any, states: list[Any]) -> set[tuple[int, int]]:
    """The arcs whose interaction would change something, or end in a mistake."""
    found = set()
    for i, j in _arcs(run):
        after, mistake = outcome(lambda: run.protocol.step(states[i], states[j]))  # noqa: B023
        if mistake or tuple(after) != (states[i], states[j]):
            found.add((i, j))
    return found


def _listed(there: Any) -> set[tuple[int, int]]:
    from princeps.lowering.status import ARC_ACTIVE

    return {there.run.topology.arc(int(k)) for k in there.active[: there.facts[ARC_ACTIVE]]}


def _may_fail(run: Any, states: list[Any]) -> bool:
    """Some arc would end in a mistake: of the rule, or of a predicate that is asked for."""
    return any(outcome(lambda: _after(run, states, *arc))[1] for arc in _arcs(run))  # noqa: B023


def _after(run: Any, states: list[Any], i: int, j: int) -> list[Any]:
    from princeps.engines.reference import Reference

    there = list(states)
    there[i], there[j] = run.protocol.step(states[i], states[j])
    known = Reference(replace(run, engine="reference"))
    for state in there:
        for predicate in known.tracked.values():
            known.satisfies(predicate, state)
    return there


def _one_step(run: Any, before: list[Any], there: Any) -> str:
    now = _states(there)
    if now == before:
        return ""
    pair = there.last_pair
    expected = list(before)
    if pair is not None:
        expected[pair[0]], expected[pair[1]] = run.protocol.step(before[pair[0]], before[pair[1]])
    return "" if now == expected else f"{pair} meet in {before}, which becomes {now}"


def _goal(run: Any, there: Any) -> str:
    """Whether the goal is met, and how many lead, by the states."""
    import laws

    states = _states(there)
    leaders = sum(run.protocol.leads(state) for state in states)
    met, mistake = outcome(lambda: laws.met(run, tuple(states)))
    if leaders != there.leaders:
        return f"{there.leaders} leaders in {states}"
    if not mistake and met != there.holds():
        return f"the goal is {'' if there.holds() else 'not '}met in {states}"
    return ""
