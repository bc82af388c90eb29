"""Which of many random times has the largest mean? Successive halving: all run a few trials, the better half runs on.

In a race all candidates run the same trials, that is, with the same schedules: those that cannot be told apart by the rule then
take the same steps in every trial and are raced once. The few that are left are measured afresh, with trials of their
own, since a winner's own race flatters it: its interval would lie too high.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt

from princeps.campaign.candidates import Candidate
from princeps.campaign.tally import CONFIDENCE, Tally, interval_of
from princeps.errors import TooLarge
from princeps.model.states import State

FIRST_TRIALS = 4  # of every candidate; then twice as many of the better half, and so on
TRIALS_ALIKE = (
    2  # after which candidates with the same steps in each are taken for one, which saves most of the first round
)
FRESH = 1 << 20  # trials from this number on belong to no race

Trial = Callable[[Candidate, int], tuple[int, bool]]  # steps, and whether the goal was reached


@dataclass
class Racer:
    candidate: Candidate
    steps: list[int] = field(default_factory=list)
    alike: list[str] = field(default_factory=list)  # labels of candidates that take the same steps in every trial
    pattern: tuple[State, ...] = ()  # its own, or of one that runs alike

    @property
    def mean(self) -> float:
        return sum(self.steps) / len(self.steps)


@dataclass(frozen=True)
class Measured:
    """A finalist with trials of its own; `unfinished` of them were ended by the limit, and count with it."""

    candidate: Candidate
    alike: tuple[str, ...]
    tally: Tally
    unfinished: int

    @property
    def mean(self) -> float:
        return self.tally.total / self.tally.trials

    @property
    def interval(self) -> tuple[float, float]:
        found = interval_of(self.mean, self.tally.sd, self.tally.trials)
        return (self.mean, self.mean) if found is None else found


class Race:
    """Candidates may join between two races; `budget` is the most steps that all trials may take together."""

    def __init__(self, trial: Trial, budget: int, progress: Callable[[str], None] = lambda text: None) -> None:
        self.trial, self.budget, self.progress = trial, budget, progress
        self.racers: list[Racer] = []
        self.trials = self.steps = self.joined = 0

    def join(self, candidates: Sequence[Candidate]) -> None:
        self.joined += len(candidates)
        self.racers += [Racer(one, pattern=one.pattern) for one in candidates]

    def halve(self, survivors: int, trials: int = FIRST_TRIALS) -> None:
        """Until no more than this many are left; newcomers catch up in the first round."""
        self.progress(f"{len(self.racers)} starts")
        self._run_to(TRIALS_ALIKE)
        self._merge()
        while True:
            rest = len(self.racers)
            self.progress(f"{rest} starts, {trials} trials each")
            self._run_to(trials)
            self._merge()
            self.racers.sort(key=lambda racer: -racer.mean)
            if len(self.racers) <= survivors:
                return
            self.racers = self.racers[: max(survivors, (len(self.racers) + 1) // 2)]
            trials *= 2

    def _run_to(self, trials: int) -> None:
        for number, racer in enumerate(self.racers):
            for trial in range(len(racer.steps), trials):
                racer.steps.append(self._one(racer.candidate, trial)[0])
            if number == 0:
                self._refuse(racer, trials)

    def _one(self, candidate: Candidate, trial: int) -> tuple[int, bool]:
        found = self.trial(candidate, trial)
        self.trials += 1
        self.steps += found[0]
        if self.steps > self.budget:
            raise TooLarge(
                f"the race has taken {self.steps:.2g} steps, which is its limit: raise it with --limit, lower -n, or cut "
                f"trials off with --max-steps."
            )
        return found

    def _refuse(self, racer: Racer, trials: int) -> None:
        """Before all the others run: what this round takes if they are like the first."""
        needed = racer.mean * trials * len(self.racers)
        if self.steps + needed > self.budget:
            raise TooLarge(
                f"a trial takes about {racer.mean:.2g} steps, and {trials} trials of {len(self.racers)} starts {needed:.2g}, "
                f"more than the limit of {self.budget:.2g}: raise it with --limit, lower -n, or cut trials off with --max-steps."
            )

    def _merge(self) -> None:
        """Candidates with the same steps in every trial of both are one; the first that joined stands for them."""
        first: dict[tuple[int, ...], Racer] = {}
        shortest = min((len(racer.steps) for racer in self.racers), default=0)
        for racer in self.racers:
            same = first.setdefault(tuple(racer.steps[:shortest]), racer)
            if same is not racer:
                same.alike += [racer.candidate.label, *racer.alike]
                same.pattern = same.pattern or racer.pattern
        self.racers = list(first.values())

    def final(self, count: int, trials: int) -> list[Measured]:
        """The first of them, each with fresh trials that no other has; the slowest first."""
        found = []
        for number, racer in enumerate(self.racers[:count]):
            self.progress(f"final: {trials} fresh trials of {racer.candidate.label}")
            begin = FRESH * (number + 1)
            results = [self._one(racer.candidate, trial) for trial in range(begin, begin + trials)]
            tally = Tally.of(steps for steps, _ in results)
            unfinished = sum(not reached for _, reached in results)
            found.append(Measured(racer.candidate, tuple(racer.alike), tally, unfinished))
        return sorted(found, key=lambda one: -one.mean)


def not_distinguishable(finalists: Sequence[Measured]) -> list[list[str]]:
    """For each finalist the others whose means differ from its own by no more than chance explains.

    Welch's test, at 5 % for all pairs of finalists together (Bonferroni).
    """
    pairs = max(1, len(finalists) * (len(finalists) - 1) // 2)
    return [
        [other.candidate.label for other in finalists if other is not one and not _differ(one, other, pairs)]
        for one in finalists
    ]


def _differ(one: Measured, other: Measured, pairs: int) -> bool:
    from scipy.special import stdtrit

    parts = [((each.tally.sd or 0.0) ** 2 / each.tally.trials, each.tally.trials - 1) for each in (one, other)]
    error = sqrt(parts[0][0] + parts[1][0])
    if error == 0:
        return one.mean != other.mean
    freedom = error**4 / sum(part**2 / free for part, free in parts)
    return abs(one.mean - other.mean) > error * float(stdtrit(freedom, 1 - (1 - CONFIDENCE) / (2 * pairs)))
