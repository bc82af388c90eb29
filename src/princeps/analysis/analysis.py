"""From a description to an Exact: the order in which questions are asked, and which are refused before work begins."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from princeps.analysis import rational
from princeps.analysis.export import Exported, export, format_of
from princeps.analysis.ground import Ground, ground_from_start, whole_ground
from princeps.analysis.holding import holding
from princeps.analysis.lemmas import check_lemmas, refuse_if_none_stated
from princeps.analysis.progress import Observer, silence
from princeps.analysis.questions import MOST_WORK, Journey, report_set
from princeps.analysis.report import Checked, Exact, WorstStart
from princeps.analysis.storm import expected_steps, stormpy_or_refuse
from princeps.analysis.symmetry import read_permutations
from princeps.analysis.targets import SAFE, Target, find_target
from princeps.errors import RunError, TooLarge, UnknownName
from princeps.model import registry
from princeps.model.files import probe
from princeps.model.protocol import PopulationProtocol, Uniform
from princeps.model.reading import ARBITRARY_STARTS, make_run
from princeps.model.run import LISTING_STARTS, Run

ALL = "all"
STATED = "safe as the protocol's file states it"
STORM_EXACT = 20_000  # configurations that Storm solves in exact arithmetic,
STORM_COMPONENT = 250  # of which so many may be in one component: eliminating them makes long fractions
MOST_WORST = 10_000  # worst starts that are kept
CHECKERS = ("storm",)
MOST_AGENTS = 65_000
MOST_FRACTIONS = 1_000_000  # configurations
RECOVERING = ("self-stabilizing", "loosely-stabilizing")
NEVER_ASKED = "states:"  # the start of a run of which all configurations are meant


@dataclass(frozen=True)
class Wishes:
    """What is asked for besides worst and mean."""

    rational: bool = False
    variance: bool = False
    distribution: bool = False
    leaders: bool = False
    hold: bool = False
    sets: bool = False
    lemmas: bool = False
    reduce: bool = True
    past_target: bool = False
    stated: bool = False  # the goal `safe` that the file states must be the largest safe set
    automorphisms: str | None = None
    export: str | None = None
    check: str | None = None
    observer: Observer = field(default=silence)


def prepare(
    name: str | type[PopulationProtocol],
    n: int | str | float | None,
    *,
    start: str | None = None,
    graph: str | None = None,
    ids: str | Sequence[int] | None = None,
    force: bool = False,
    params: Mapping[str, Any] | None = None,
) -> tuple[Run, str]:
    """The population, and which configurations are meant: `all`, or the name of a start."""
    cls = registry.find(name) if isinstance(name, str) else name
    known = [*cls.starts, *ARBITRARY_STARTS, ALL]
    if start is not None and start not in known and not start.startswith(LISTING_STARTS):
        raise UnknownName("start", start, {*cls.starts, ALL, "file:PATH"})
    everywhere = start == ALL or (start is None and not cls.starts and cls.guarantee in RECOVERING)
    begin = NEVER_ASKED if everywhere else start
    run = make_run(name, n, start=begin, graph=graph, ids=ids, force=force, params=params)
    if run.n > MOST_AGENTS:
        raise TooLarge(f"n = {run.n} is too large to be explored: at most {MOST_AGENTS:,} agents. Lower -n.")
    drawn = isinstance(cls.starts.get(run.start), Uniform)
    return run, ALL if everywhere or drawn or (start is None and run.protocol.recovers) else run.start


def analyse(run: Run, start: str, target_name: str | None, wishes: Wishes) -> tuple[Exact, Journey]:
    """Everything that is wanted of one population."""
    began = time.perf_counter()
    target = find_target(run.protocol, target_name)
    _refuse(run, start, wishes)
    findings = None
    if wishes.lemmas:
        permutations = tuple(read_permutations(wishes.automorphisms, run.n)) if wishes.automorphisms else ()
        ground, findings = check_lemmas(run, _sets(run, target, wishes), wishes.reduce, permutations, wishes.observer)
    else:
        ground = _ground(run, start, target, wishes)
    if wishes.stated and STATED in ground.members and (ground.members[STATED] != ground.safe).any():
        raise RunError(
            f"the goal 'safe' that {run.protocol.name}'s file states is not the largest safe set, so that simulation "
            f"would stop elsewhere: see --sets, or choose another --target."
        )
    journey = Journey(ground, target.name)
    result = _summary(run, start, journey)
    result.lemmas = findings
    _extras(result, journey, target, wishes)
    result.seconds = time.perf_counter() - began
    return result, journey


def _refuse(run: Run, start: str, wishes: Wishes) -> None:
    if wishes.lemmas:
        refuse_if_none_stated(run)
        if start != ALL:
            raise RunError(f"--lemmas speaks of all configurations, not of --start {start}: give --start all.")
    for wish, word in ((wishes.sets, "--sets"), (wishes.hold, "--hold")):
        if wish and start != ALL and not wishes.past_target:
            raise RunError(
                f"{word} looks past the target: with --start {start}, add --past-target; or give --start all."
            )
    if wishes.automorphisms is not None:
        if not wishes.reduce:
            raise RunError(
                f"--automorphisms {wishes.automorphisms!r} merge what --no-reduce keeps apart: give one of them."
            )
        read_permutations(wishes.automorphisms, run.n)
    if wishes.check is not None and wishes.check not in CHECKERS:
        raise RunError(f"--check {wishes.check!r} is not known: give {', '.join(CHECKERS)}.")
    if wishes.check == "storm":
        stormpy_or_refuse()
    if wishes.export is not None:
        format_of(wishes.export)
        probe(wishes.export)  # a wrong path is told before hours of work


def _sets(run: Run, target: Target, wishes: Wishes) -> list[Target]:
    """The target, and whatever else must be told apart."""
    sets = [target]
    if wishes.sets:
        others = [name for name in type(run.protocol).all_goals() if name not in (target.name, SAFE)]
        sets += [find_target(run.protocol, name) for name in others]
    stated = type(run.protocol).goals.get(SAFE)
    if stated is not None and (wishes.sets or (wishes.stated and target.name == SAFE)):
        sets.append(Target(STATED, stated))
    return sets


def _ground(run: Run, start: str, target: Target, wishes: Wishes) -> Ground:
    sets = _sets(run, target, wishes)
    permutations = read_permutations(wishes.automorphisms, run.n) if wishes.automorphisms else ()
    if start == ALL:
        return whole_ground(run, sets, wishes.reduce, permutations, wishes.observer)
    return ground_from_start(run, sets, wishes.reduce, permutations, wishes.past_target, wishes.observer)


def _summary(run: Run, start: str, journey: Journey) -> Exact:
    ground = journey.ground
    reachable = journey.is_reached
    target_set = report_set(ground, journey.name) if ground.whole else None
    return Exact(
        protocol=run.protocol.name,
        params=run.protocol.params,
        n=run.n,
        graph=run.topology.text,
        start=start,
        target=journey.name,
        configurations=ground.configurations,
        reduced=ground.size,
        agent_states=ground.space.alphabet.size,
        merged_states=ground.space.classes.count,
        target_size=ground.originals(journey.target),
        reachable=reachable,
        worst=journey.worst,
        worst_interval=journey.times.interval(journey.worst),
        worst_count=int(ground.multiplicity[journey.worst_states].sum()),
        worst_starts=[
            WorstStart(tuple(ground.space.states_of(int(x))), int(ground.multiplicity[x]))
            for x in journey.worst_states[:MOST_WORST]
        ],
        mean=journey.mean,
        mean_interval=journey.mean_interval,
        fields=run.protocol.space.names,
        target_closed=None if target_set is None else target_set.closed,
        target_safe=None if target_set is None else target_set.safe,
        largest_safe=ground.originals(ground.safe) if ground.whole else None,
        trap=None if reachable else journey.trap(),
    )


def _extras(result: Exact, journey: Journey, target: Target, wishes: Wishes) -> None:
    ground = journey.ground
    finite = journey.worst < inf
    if wishes.rational:
        _rational(result, journey)
    if wishes.variance and finite:
        result.variance, result.variance_interval = journey.variance()
    if wishes.distribution and finite:
        if journey.work_of_distribution() > MOST_WORK:
            raise TooLarge(
                f"the distribution of about {journey.worst:,.0f} steps over {ground.size:,} configurations takes too "
                f"long to follow: leave --distribution out (--variance is quick)."
            )
        result.quantiles = journey.distribution()
    if wishes.leaders and finite:
        result.leaders_at_target = journey.leaders_at_target()
    if wishes.hold:
        held = holding(ground, journey.target)
        result.holding = held
        if held.shortest_start is not None:
            result.holding_start = tuple(ground.space.states_of(held.shortest_start))
    if wishes.sets:
        names = [SAFE, *(name for name in ground.members)]
        result.sets = [report_set(ground, name) for name in names]
    if wishes.export is not None or wishes.check is not None:
        _hand_over(result, journey, wishes)


def _rational(result: Exact, journey: Journey) -> None:
    """Exact fractions, and which starts are exactly the worst."""
    if journey.worst == inf:
        raise RunError(
            f"{result.target} is not reached for certain from every configuration, so that its mean is infinite: "
            f"leave --rational out to see where it is not."
        )
    ground = journey.ground

    def progress(done: int, total: int) -> None:
        ground.space.observe("exact fractions", done, total)

    if ground.size > MOST_FRACTIONS:
        raise TooLarge(
            f"{ground.size:,} configurations are too many for exact fractions (at most {MOST_FRACTIONS:,}): "
            f"leave --rational out for a certified interval."
        )
    values = rational.hitting_times(ground.chain, journey.target | ~journey.certain, journey.parts.of, progress)
    candidates = [int(x) for x in journey.worst_states]
    result.worst_exact = top = rational.worst([values[x] for x in candidates])
    candidates = [x for x in candidates if values[x] == top]
    journey.worst_states = np.array(candidates)
    result.worst_count = sum(int(ground.multiplicity[x]) for x in candidates)
    result.worst_starts = [
        WorstStart(tuple(ground.space.states_of(x)), int(ground.multiplicity[x])) for x in candidates[:MOST_WORST]
    ]
    start = ground.start
    mean: Fraction = values[start] if start is not None else rational.weighted_mean(values, ground.multiplicity)
    result.mean_exact = mean
    result.worst, result.mean = float(top), float(mean)


def _hand_over(result: Exact, journey: Journey, wishes: Wishes) -> None:
    """To other programs: a file in their language, or their own answer."""
    ground = journey.ground
    x = ground.start if ground.start is not None else int(journey.worst_states[0])
    words = f"princeps exact {ground.run.spec} -n {ground.run.n}"
    words += "".join(f" -p {name}={value}" for name, value in ground.run.protocol.given.items())
    if not journey.target.any():
        raise RunError(
            f"no configuration is in {result.target}, so that no chain leads there: choose another --target."
        )
    labels = {"target": journey.target, "one_leader": ground.leaders == 1}
    item = Exported(ground.chain, labels, x, f"{words} --start {result.start} --target {result.target}")
    if wishes.export is not None:
        export(item, wishes.export)
        result.exported = wishes.export
    if wishes.check == "storm":
        result.check = _storm(item, result, journey, x)


def _storm(item: Exported, result: Exact, journey: Journey, x: int) -> Checked:
    ours = float(journey.times.values[x])
    if ours == inf:
        raise RunError(f"the expected steps to {result.target} are infinite: there is nothing to compare with Storm.")
    small = item.chain.size <= STORM_EXACT and journey.parts.largest <= STORM_COMPONENT
    found = expected_steps(item, small)
    low, high = journey.times.interval(ours)
    exact = result.mean_exact if journey.ground.start is not None else result.worst_exact
    slack = 0.0 if small else 1e-6 * ours  # the error that Storm's iteration allows itself
    agrees = found == exact if small and exact is not None else bool(low - slack <= found <= high + slack)
    return Checked("storm", small, float(found), ours, agrees, str(found) if small else None)
