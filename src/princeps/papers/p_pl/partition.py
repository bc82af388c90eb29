"""004.foot1: why no protocol can elect for ever without knowing n exactly, acted out on those that we have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, permutations, product
from math import log10
from typing import Any

import numpy as np

from princeps.model.reading import make_run
from princeps.model.starts import starting_states
from princeps.papers.claims import Planted
from princeps.papers.judging import demonstrated, exhaustive, mean_of, number, watched
from princeps.papers.laboratory import Lab
from princeps.papers.p_pl.paper import paper
from princeps.papers.verdicts import DEMONSTRATED, Outcome, Part, together

TINY: dict[str, list[tuple[int, dict[str, int]]]] = {  # n1, and parameters that are right for n1 and for more agents
    "p_pl": [(2, {"N": 7, "virus_factor": 1, "emit_factor": 1})],
    "timer": [(n, {"t_max": 4}) for n in (2, 3, 4)],
    "silent_ranking": [(n, {"size": n}) for n in (2, 3, 4, 5)],
}
NAMES = {"p_pl": "P_PL", "timer": "the timer protocol [14]", "silent_ranking": "the ranking protocol [7]"}
KNOWN = (3, 4, 5)  # sizes at which the ranking protocol knows n
LARGE: dict[str, dict[str, Any]] = {
    "p_pl": {"n": 64, "start": "one_leader_shielded", "params": {"virus_factor": 2, "emit_factor": 1}},
    "timer": {"n": 32, "start": "random", "params": {"t_max": 64}},
}
STEP_LIMIT = 20_000  # twenty times what a second leader takes


def created(part: int, seed: int, *, protocol: str, cases: Sequence[tuple[int, Mapping[str, int]]]) -> dict[str, Any]:
    """From every configuration of n1 agents of which none leads: the fewest meetings until one does.

    `configurations`, those from which none ever will, one of them in words, and the longest of the shortest schedules.
    """
    n, params = cases[part]
    rule = make_run(protocol, n, params=dict(params)).protocol
    states = list(product(*(range(size or 0) for size in rule.fields.values())))
    leaderless = list(combinations_with_replacement([state for state in states if not rule.leads(state)], n))
    waiting: dict[Any, set[Any]] = {}
    for u in leaderless:
        waiting[u] = set()
        for i, j in permutations(range(n), 2):
            after = list(u)
            after[i], after[j] = rule.step(u[i], u[j])
            waiting[u].add(None if any(map(rule.leads, after)) else tuple(sorted(after)))
    reached: set[Any] = {None}
    rounds = 0
    while here := [u for u, following in waiting.items() if following & reached]:
        rounds += 1
        reached.update(here)
        for u in here:
            del waiting[u]
    return {
        "configurations": len(leaderless),
        "never": len(waiting),
        "example": f"{min(waiting)} at n = {n}" if waiting else "",
        "longest": rounds,
    }


def second_leader(
    part: int, seed: int, *, protocol: str, n: int, start: str, params: Mapping[str, int], trials: int
) -> list[int]:
    """Meetings among half of the agents, without the unique leader, until one of them leads as well; -1 if none does.

    The execution begins when exactly one of the n agents leads.
    """
    found = []
    for trial in range(part * trials, (part + 1) * trials):
        run = make_run(protocol, n, start=start, seed=seed, trial=trial, params=dict(params))
        states, rule = starting_states(run), run.protocol
        leaders = [rule.leads(state) for state in states]
        for i, j in run.meetings():
            if sum(leaders) == 1:
                break
            states[i], states[j] = rule.step(states[i], states[j])
            leaders[i], leaders[j] = rule.leads(states[i]), rule.leads(states[j])
        resting = leaders.index(True)
        others = [k for k in range(n) if k != resting][: n // 2]
        rng = np.random.default_rng((seed, trial))
        found.append(-1)
        for step in range(1, STEP_LIMIT + 1):
            i, j = (others[k] for k in rng.choice(len(others), 2, replace=False))
            states[i], states[j] = rule.step(states[i], states[j])
            if rule.leads(states[i]) or rule.leads(states[j]):
                found[-1] = step
                break
    return found


def unmoved(part: int, seed: int, *, protocol: str, sizes: Sequence[int]) -> list[int]:
    """The ranking protocol with all ranks given out: how many meetings there are in all, and how many change something."""
    n = sizes[part]
    rule = make_run(protocol, n).protocol
    meetings = changes = 0
    for ranks in permutations(range(n)):
        for i, j in permutations(range(n), 2):
            a, b = (ranks[i],), (ranks[j],)
            meetings += 1
            changes += rule.step(a, b) != (a, b)
    return [meetings, changes]


@paper.claim(
    "004.foot1",
    "footnote 1: where n is not known exactly, n1 agents that the unique leader does not meet for long enough elect "
    "another one, so that no configuration of n2 > n1 agents is safe for ever",
    kind="X, S",
    recorded=DEMONSTRATED,
    planted=Planted(
        "only a shielded agent becomes a leader when the timer has run out",
        ("p_pl", "if a.timerL == 0:", "if a.timerL == 0 and a.shield == 1:"),
    ),
)
def argument(lab: Lab) -> Outcome:
    exact = {name: lab.measure(created, parts=len(cases), protocol=name, cases=cases) for name, cases in TINY.items()}
    trials = lab.pick(30, 300, 5)
    runs = {name: lab.measure(second_leader, protocol=name, trials=trials, **case) for name, case in LARGE.items()}
    still = lab.measure(unmoved, parts=len(KNOWN), protocol="silent_ranking", sizes=KNOWN)

    parts, ours = [], []
    for name, found in exact.items():
        sizes = [n for n, _ in TINY[name]]
        span = f"n1 = {sizes[0]}" + (f"..{sizes[-1]}" if len(sizes) > 1 else "")
        what = f"{NAMES[name]}, {span}: without a leader some schedule creates one"
        never = sum(one["never"] for one in found.parts)
        breach = next((one["example"] for one in found.parts if one["never"]), "")
        part = exhaustive(never, sum(one["configurations"] for one in found.parts), what, breach=breach)
        parts.append(demonstrated(part, NAMES[name]))
    for name, sampled in runs.items():
        parts.append(_isolated(name, sampled.only))
    meetings, changes = (sum(row[k] for row in still.parts) for k in (0, 1))
    what = f"{NAMES['silent_ranking']} where it knows n, n = {KNOWN[0]}..{KNOWN[-1]}: whoever is left alone changes nothing"
    parts.append(exhaustive(changes, meetings, what, "meetings of agents with distinct ranks"))
    longest = ", ".join(
        f"{max(one['longest'] for one in found.parts)} ({NAMES[name]})" for name, found in exact.items()
    )
    ours.append(
        f"at these small sizes and constants a new leader takes at most this many well-chosen meetings: {longest}"
    )
    for name, sampled in runs.items():
        ours.append(_chance(name, [step for step in sampled.only if step > 0]))
    return together(parts, ours)


def _isolated(name: str, steps: Sequence[int]) -> Part:
    n = LARGE[name]["n"]
    what = f"{NAMES[name]}, n2 = {n}, n1 = {n // 2}: those whom the unique leader does not meet elect a second one"
    never, meetings = sum(step < 0 for step in steps), sum(STEP_LIMIT if step < 0 else step for step in steps)
    part = watched(
        never, len(steps), meetings, what, breach=f"a run in which nobody did within {STEP_LIMIT:,} meetings"
    )
    return demonstrated(part, NAMES[name])


def _chance(name: str, steps: Sequence[int]) -> str:
    """How unlikely it is that the uniform scheduler separates them for so long."""
    n = LARGE[name]["n"]
    if not steps:
        return f"{NAMES[name]}, n2 = {n}: no second leader"
    mean = mean_of(steps)[0]
    inside = (n // 2) * (n // 2 - 1) / (n * (n - 1))
    return (
        f"{NAMES[name]}, n2 = {n}: the second leader comes after {number(mean)} meetings among the others; that a uniform "
        f"scheduler chooses so many of them in a row has probability 10^{mean * log10(inside):.0f}: loosely-stabilizing "
        f"protocols hold for long because of this, and not for ever"
    )
