"""Claims about the clock of P_LL: statuses, colours, epochs."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log

from princeps.campaign.fit import Fit
from princeps.engines.population import Population, Stop, StopCondition
from princeps.engines.simulate import make_population
from princeps.model.reading import trials_of
from princeps.papers.answers import SweepTrials, law_of
from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive, fair, number, probability_at_most
from princeps.papers.judging_growth import grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.measures import go
from princeps.papers.p_ll.laws import busy, epidemic_bound, lg_up, untouched, whp
from princeps.papers.p_ll.paper import paper
from princeps.papers.p_ll.steps import seen, walked
from princeps.papers.p_ll.watchers import NewColors
from princeps.papers.verdicts import SUPPORTED, VIOLATED, Outcome, Part, together

# trials * bound for which a probability of 0 can be distinguished from the bound; ln(1e6) = 13.8
EXPECTED_BREACHES = 14.5


def c_max(n: int) -> int:
    """At m = ceil(lg n)."""
    return 41 * lg_up(n)


def timed(
    lab: Lab, until: str, within: dict[int, int], trials: dict[int, int], start: str | None = None
) -> list[SweepTrials]:
    """Trials at each size, given up after as many steps as `within` says."""
    return [
        lab.sweep("p_ll", n, trials=trials[n], start=start, until=until, max_steps=limit) for n, limit in within.items()
    ]


def late(run: SweepTrials, bound: float, what: str) -> Part:
    """The share of trials that took longer; another claim may have let them go on."""
    found = run.only
    in_time = found.column(f"converged AND CAST(steps AS INTEGER) <= {run.points[0].limit}")
    missed = int((in_time == 0).sum())
    return probability_at_most(missed, found.trials, bound, f"n = {found.n:,}: {what}", commands=(run.command,))


def parallel(runs: Sequence[SweepTrials]) -> Fit:
    """How the parallel time grows with x = n; all trials have ended."""
    found = [run.only for run in runs]
    return law_of([one.n for one in found], [one.steps / one.n for one in found])


def per_lg(runs: Sequence[SweepTrials]) -> str:
    """Mean parallel time as a multiple of lg n, at each size."""
    found = [run.only for run in runs]
    return ", ".join(f"{number(one.steps.mean() / one.n / log(one.n, 2))} at n = {one.n:,}" for one in found)


def logarithmic(late_ones: Sequence[Part], runs: Sequence[SweepTrials], what: str, logs: int = 1) -> list[Part]:
    """The parts with an explicit bound, and the growth if all trials came to their end."""
    if any(part.verdict == VIOLATED for part in late_ones):
        return list(late_ones)
    return [*late_ones, grows_at_most(parallel(runs), 0, logs, what)]


# -- statuses ----------------------------------------------------------------------------------------------------------


def unassigned_after(part: int, seed: int, *, protocol: str, n: int, steps: int, trials: int) -> int:
    """In how many of the trials somebody has no status after this number of steps."""
    run = trials_of(protocol, n, seed=seed, until="assigned")
    first = part * trials
    return sum(not reaches(make_population(run(k)), steps) for k in range(first, first + trials))


def reaches(population: Population, steps: int) -> bool:
    """Is the goal met within these steps?"""
    return population.advance_exactly(steps, StopCondition.GOAL) is Stop.FULFILLED


@paper.claim(
    "003.L6",
    "everyone is assigned within ceil(n ln n) steps with high probability: the proof leaves 1/n",
    kind="X, S",
    recorded=SUPPORTED,
    planted=Planted(
        "only timers assign a status to others (line 4)",
        ("p_ll", "if a.status == X and b.status != X:", "if a.status == X and b.status == B:"),
    ),
)
def assigned(lab: Lab) -> Outcome:
    plan = lab.pick({8: 5000, 16: 8000, 50: 13_000}, {8: 20_000, 16: 40_000, 50: 160_000}, {16: 1000})
    runs = {
        n: lab.measure(unassigned_after, parts=2, protocol="p_ll", n=n, steps=ceil(n * log(n)), trials=trials // 2)
        for n, trials in plan.items()
    }
    exact = {n: untouched(n, ceil(n * log(n))) for n in range(2, 151)}
    wrong = [n for n, probability in exact.items() if probability * n > 1]
    parts = [exhaustive(len(wrong), len(exact), "P(somebody has no status) <= 1/n for n = 2..150, exactly", "sizes")]
    for n, run in runs.items():
        failures, total = sum(run.parts), 2 * run.task.arguments["trials"]
        expected = float(exact[n])
        if n < 50 or total > 10**5:  # elsewhere 1/n is too near to the truth for this sample
            parts.append(probability_at_most(failures, total, 1 / n, f"n = {n}, in the protocol"))
        parts.append(fair(failures, total, expected, 0.5 * expected, f"n = {n}, against the exact probability"))
    ratios = ", ".join(f"{number(float(exact[n]) * n)} at n = {n}" for n in (8, 16, 50, 150))
    return together(parts, [f"the probability is exactly, in multiples of 1/n: {ratios}; it tends to 1/n from below"])


# -- colours -----------------------------------------------------------------------------------------------------------


@paper.claim(
    "003.L7",
    "a timer gets a new colour within its c_max interactions, and within O(log n) parallel time with high probability",
    kind="P, S",
    recorded=SUPPORTED,
    planted=Planted(
        "a full count changes no colour (line 26)",
        ("p_ll", "a.color = (a.color + 1) % 3  # 26", "a.color = a.color  # 26"),
    ),
)
def new_colors(lab: Lab) -> Outcome:
    walks = walked(lab)
    sizes = lab.pick([64, 256, 1024, 4096, 16384], [64, 256, 1024, 4096, 16384, 65536], [16, 32, 64])
    trials = {n: ceil(EXPECTED_BREACHES * n) if n == sizes[0] else 30 for n in sizes}
    runs = timed(lab, "all_color_1", {n: c_max(n) * n for n in sizes}, trials)
    first = lab.sweep("p_ll", sizes[-1], trials=30, until="first_color_1", max_steps=c_max(sizes[-1]) * sizes[-1])
    part = seen(walks, NewColors, "new colours of timers, each within c_max of its interactions")
    bounded = late(runs[0], 1 / sizes[0], "somebody has no new colour after c_max parallel time")
    parts = [part, *logarithmic([bounded], runs, "until everyone has a new colour, x = n")]
    if parts[-1] is bounded:
        return together(parts)
    ours = [
        f"everyone has the first new colour after a parallel time of, in multiples of lg n: {per_lg(runs)}",
        f"the first of them gets it after {per_lg([first])}, where each timer on its own would take 20.5 ceil(lg n)",
    ]
    return together(parts, ours)


def colored(part: int, seed: int, *, protocol: str, n: int, color: int, trials: int) -> list[tuple[int, int, int]]:
    """From the step in which the first agent gets this colour: when, who lacks it after 4 n ln n, who has gone on by 21.

    Colour 0 is that of the initial configuration; 3 is colour 0 the second time.
    """
    until = {0: "leader", 1: "first_color_1", 2: "first_color_2", 3: "color_0_again"}[color]
    run = trials_of(protocol, n, seed=seed, until=until)
    predicates = type(run(0).protocol).all_predicates()
    own, following = predicates[f"color_{color % 3}"], predicates[f"color_{(color + 1) % 3}"]
    found = []
    for k in range(part * trials, (part + 1) * trials):
        population = make_population(run(k))
        if color and not reaches(population, 10 * c_max(n) * n):
            found.append((-1, n, n))
            continue
        begin = population.steps
        go(population, floor(4 * n * log(n)))
        (has,) = population.census([own])
        go(population, begin + floor(21 * n * log(n)) - population.steps)
        (new,) = population.census([following])
        found.append((begin, n - has, new))
    return found


@paper.claim(
    "003.L8",
    "from C_start(i): nobody gets colour i+1 within 21 n ln n steps, all have colour i after 4 n ln n, and C_start(i+1) "
    "comes within O(log n) parallel time, with high probability",
    recorded=SUPPORTED,
    planted=Planted(
        "a timer that is given a colour goes on counting (line 33)",
        ("p_ll", "if a.status == B:  # 33", "if a.status == B and a.count < 0:  # 33"),
    ),
)
def colors(lab: Lab) -> Outcome:
    sizes = lab.pick((16, 64), (16, 64, 256), (16,))
    runs = {
        (n, color): lab.measure(
            colored, parts=2, protocol="p_ll", n=n, color=color, trials=ceil(EXPECTED_BREACHES * n / 8)
        )
        for n in sizes
        for color in range(4)
    }
    wide = lab.pick([64, 256, 1024, 4096, 16384], [64, 256, 1024, 4096, 16384, 65536], [16, 32, 64])
    starts = timed(lab, "first_color_1", {n: 2 * c_max(n) * n for n in wide}, dict.fromkeys(wide, 30))
    parts, gaps = [], {}
    for n in sizes:
        rows: list[list[tuple[int, int, int]]] = [
            [row for answer in runs[n, color].parts for row in answer] for color in range(4)
        ]
        everything = [row for own in rows for row in own]
        total = len(everything)
        early = sum(new > 0 for _, _, new in everything)
        mixed = sum(lacking > 0 for _, lacking, _ in everything)
        slow = sum(not 0 <= row[0] <= k * c_max(n) * n for k, own in enumerate(rows) for row in own)
        first = f"n = {n}, the first four colours"
        t = floor(4 * n * log(n)) // 2
        parts.append(probability_at_most(early, total, whp(n), f"{first}: colour i+1 within 21 n ln n steps"))
        parts.append(
            probability_at_most(mixed, total, float(epidemic_bound(n, n, t)), f"{first}: not one after 4 n ln n")
        )
        parts.append(probability_at_most(slow, total, 1 / n, f"{first}: later than c_max parallel time each"))
        gaps[n] = [sum(row[0] for row in own) / len(own) / n / log(n, 2) for own in rows]
    parts = logarithmic(parts, starts, "until C_start(1), x = n")
    text = "; ".join(f"{', '.join(number(gap) for gap in own[1:])} at n = {n}" for n, own in gaps.items())
    chance = {n: n * busy(floor(21 * n * log(n)), n, c_max(n)) for n in (16, 64, 256)}
    ours = [
        f"the colours begin at these multiples of lg n in parallel time: {text}",
        "a colour within 21 n ln n steps has in truth a probability of at most "
        + ", ".join(f"{number(chance[n])} at n = {n}" for n in chance)
        + ", some thousand times below 1/n",
    ]
    return together(parts, ours)
