"""`princeps.worst`: from which start a population takes longest, where there are too many to try them all."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from princeps.api.arguments import reads
from princeps.api.progress import displayed
from princeps.errors import Interrupted, PrincepsError, RunError
from princeps.model.announcing import announces
from princeps.model.description import Description, Named, describe, reader_of_trials, with_seed
from princeps.model.interruptions import require_interruption
from princeps.model.limits import read_limit, read_trials
from princeps.model.modules import refuse_while_loading
from princeps.model.naming import command_or_reason
from princeps.model.options import NOT_OF_RACES, RING, Count, RunOptions, takes_options

if TYPE_CHECKING:
    from princeps.campaign.candidates import Candidate, Candidates
    from princeps.campaign.racing import Race
    from princeps.campaign.worst_report import WorstStarts
    from princeps.model.run import Run

WHY_NOT = {"start": "it looks for one"}
STEPS = 2 * 10**11  # of all trials together: some ten minutes to an hour
MAX_AGENTS = 100_000  # a start lists all agents
TRIALS = 100  # of every finalist
FINALISTS, SIMPLE = 5, 3  # of which so many are no mixtures
SMALL = (2, 3)  # agents whose worst starts are found exactly
SMALL_CONFIGURATIONS = 100_000


@announces("princeps.worst")
@reads()
@takes_options(RunOptions, without=NOT_OF_RACES, why_without=WHY_NOT)
def worst(
    name: Named,
    n: Count | None = None,
    *,
    trials: Count = TRIALS,
    limit: Count | None = None,
    progress: bool = True,
    **given: Any,
) -> WorstStarts:
    """The slowest of many simple starts of a self- or loosely-stabilizing protocol, by racing: a WorstStarts.

    It finds no upper bound: a start that was not raced may be slower.
    """
    refuse_while_loading("princeps.worst")
    with displayed("princeps.worst", progress) as display:

        def at(text: str) -> None:
            if display is not None:
                display.show(lambda: text)

        return worst_described(with_seed(describe(name, n, **given)), trials, limit, at)


def worst_described(
    description: Description, trials: Count = TRIALS, limit: Count | None = None, at: Callable[[str], Any] = print
) -> WorstStarts:
    """The one way in."""
    from princeps.campaign.candidates import Candidates
    from princeps.campaign.racing import Race
    from princeps.engines.dispatch import read_for_engine

    began = time.perf_counter()
    count, budget = read_trials(trials), read_limit(limit, STEPS)
    if count < 2:
        raise RunError(f"trials = {count} gives no interval: give at least 2.")
    if description.kind == RING:
        raise RunError(f"{description.cls.name} is a ring algorithm: princeps worst is for population protocols.")
    run: Any = read_for_engine(description)
    if run.n > MAX_AGENTS:
        raise RunError(f"n = {run.n:,} is too large: a start lists all agents, of at most {MAX_AGENTS:,}. Lower -n.")
    candidates = Candidates(run.protocol, run.n)
    longest = budget + 1 if run.max_steps is None else min(run.max_steps, budget + 1)  # one trial may never end
    race = Race(_Trials(description.with_options(max_steps=longest)).one, budget, at)
    try:
        notes = _raced(race, candidates, run, at)
        return _answer(race, run, count, notes, time.perf_counter() - began)
    except KeyboardInterrupt as error:
        require_interruption(error)
        raise Interrupted(
            f"interrupted after {race.trials:,} trials of a race that keeps no part of its result."
        ) from None


class _Trials:
    """Trials of any candidate; what does not differ between them is read once."""

    def __init__(self, description: Description) -> None:
        self.description = description
        self.readers: dict[str, Callable[[int], Any]] = {}

    def one(self, candidate: Candidate, trial: int) -> tuple[int, bool]:
        from princeps.engines.dispatch import simulate

        if candidate.start not in self.readers:
            self.readers[candidate.start] = reader_of_trials(self.description.with_options(start=candidate.start))
        result: Any = simulate(self.readers[candidate.start](trial))
        if result.interrupted:
            raise KeyboardInterrupt
        if result.stuck:
            raise RunError(
                f"from {candidate.label} the goal {result.until} is never reached, since nothing can change any more: it "
                f"is the worst start."
            )
        return int(result.steps if result.converged else result.total_steps), bool(result.converged)


def _raced(race: Race, candidates: Candidates, run: Run, at: Callable[[str], Any]) -> list[str]:
    """Simple starts first; then what is made of the best states."""
    at("worst starts of a few agents, exactly")
    patterns, notes = _small(run)
    race.join(candidates.own())
    race.join(candidates.repeated(patterns))
    race.join(candidates.uniform())
    race.halve(FINALISTS)
    simple = race.racers[:SIMPLE]
    states = [racer.pattern[0] for racer in race.racers if len(racer.pattern) == 1]
    race.join(candidates.period_two(states))
    race.join(candidates.exceptions(states[:2], states))
    race.halve(FINALISTS)
    # a variant may pass the start that it is made of by luck: simple ones are measured in any case
    made = [racer for racer in race.racers if all(racer is not one for one in simple)]
    race.racers = [*simple, *made[: FINALISTS - len(simple)]]
    return notes


def _small(run: Run) -> tuple[list[tuple[Any, ...]], list[str]]:
    """The exact worst starts of a few agents, in the values of this instance."""
    from princeps.api.exact import exact
    from princeps.campaign.candidates import lifted
    from princeps.model.reading import make_run

    patterns: list[tuple[Any, ...]] = []
    sizes = run.protocol.space.sizes
    for few in SMALL:
        if few > run.n:
            continue
        try:
            found: Any = exact(
                type(run.protocol), few, target=None, limit=SMALL_CONFIGURATIONS, progress=False
            )  # with the default parameters of so few agents
            small = make_run(type(run.protocol), few).protocol.space.sizes
        except PrincepsError as error:
            return patterns, [f"no exact worst starts of {few} agents: {error}"]
        for start in found.worst_starts[:3]:
            patterns.append(tuple(lifted(tuple(map(int, state)), small, sizes) for state in start.states))
    return [pattern for pattern in patterns if all(map(run.protocol.space.is_legal, pattern))], []


def _answer(race: Race, run: Run, trials: int, notes: list[str], seconds: float) -> WorstStarts:
    from princeps.campaign.racing import not_distinguishable
    from princeps.campaign.worst_report import RacedStart, WorstStarts

    began = time.perf_counter()
    raced = race.joined
    finalists = race.final(FINALISTS, trials)
    starts = tuple(
        RacedStart(
            label=one.candidate.label,
            kind=one.candidate.kind,
            start=one.candidate.start,
            mean=one.mean,
            interval=one.interval,
            trials=one.tally.trials,
            unfinished=one.unfinished,
            alike=one.alike,
            not_distinguishable_from=tuple(others),
            command=_command(run, one.candidate.start, trials),
        )
        for one, others in zip(finalists, not_distinguishable(finalists), strict=True)
    )
    return WorstStarts(
        protocol=run.protocol.name,
        params=run.protocol.params,
        n=run.n,
        graph=run.topology.text,
        until=run.until,
        seed=run.seed,
        candidates=raced,
        trials=race.trials,
        steps=race.steps,
        starts=starts,
        notes=tuple(notes),
        seconds=seconds + time.perf_counter() - began,
    )


def _command(run: Run, start: str, trials: int) -> str:
    repeated = replace(run, start=start, trial=0)
    return command_or_reason(f"{repeated.words()} --trials {trials}", run.no_command or repeated.why_not_repeatable)
