"""A protocol's lemmas, proved or refuted over all configurations at one size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np

from princeps.analysis.chain import Bits
from princeps.analysis.counterexamples import (
    Counterexample,
    counterexample,
    first_member_with,
    interactions,
    path_to,
    single_configuration,
    step_leaving,
)
from princeps.analysis.expansion import told_of
from princeps.analysis.exploration import explore_all
from princeps.analysis.hitting_problem import HittingProblem
from princeps.analysis.progress import ProgressCallback, no_progress
from princeps.analysis.set_reports import safety_counterexample
from princeps.analysis.state_space import StateSpace
from princeps.analysis.symmetry import Permutation
from princeps.analysis.targets import Target, find_target
from princeps.errors import ProtocolError, RunError
from princeps.model.lemmas import EVERYTHING, Lemma, Never, Reaches, Stays, StaysElected, Within
from princeps.model.numbers import in_words
from princeps.model.run import Run
from princeps.model.states import State

PROVED, REFUTED, MEASURED = "proved", "refuted", "measured"


@dataclass(frozen=True)
class LemmaResult:
    """The verdict on a lemma at this size; with a counterexample where it is refuted."""

    id: str
    says: str
    verdict: str  # proved, refuted, or measured (of an order of growth only the number is known)
    detail: str
    measured: float | None = None
    bound: float | None = None
    schedule: Counterexample | None = None

    def as_json(self, names: tuple[str, ...]) -> dict[str, Any]:
        return {
            "id": self.id,
            "says": self.says,
            "verdict": self.verdict,
            "detail": self.detail,
            "measured": None if self.measured is None or not isfinite(self.measured) else self.measured,
            "bound": None if self.bound is None or not isfinite(self.bound) else self.bound,
            "schedule": None if self.schedule is None else self.schedule.as_json(names),
        }


def refuse_if_none_stated(run: Run) -> None:
    if not type(run.protocol).lemmas:
        raise RunError(
            f"{run.protocol.name} states no lemmas: add lemmas = {{...}} to its file, or leave --lemmas out."
        )


def check_lemmas(
    run: Run,
    wanted: Sequence[Target],
    reduce: bool = True,
    automorphisms: tuple[Permutation, ...] = (),
    progress: ProgressCallback = no_progress,
) -> tuple[StateSpace, list[LemmaResult]]:
    """All lemmas that the protocol states, on one state space with all their sets and those wanted."""
    refuse_if_none_stated(run)
    lemmas = type(run.protocol).lemmas
    names = sorted(
        {name for lemma in lemmas.values() for name in _sets(lemma)} - {EVERYTHING, *(target.name for target in wanted)}
    )
    sets = [*wanted, *(find_target(run.protocol, name) for name in names)]
    space = explore_all(run, sets, reduce, automorphisms, progress)
    problems: dict[str, HittingProblem] = {}
    return space, [_check(space, key, lemma, problems) for key, lemma in lemmas.items()]


def _sets(lemma: Lemma) -> Iterator[str]:
    for part in ("of", "begin", "target"):
        if hasattr(lemma, part):
            yield getattr(lemma, part)


def _members(space: StateSpace, name: str) -> Bits:
    return np.ones(space.size, np.bool_) if name == EVERYTHING else space.members(name)


def _check(space: StateSpace, key: str, lemma: Lemma, problems: dict[str, HittingProblem]) -> LemmaResult:
    if isinstance(lemma, (Stays, StaysElected)):
        return _stays(space, key, lemma)
    if isinstance(lemma, Never):
        return _never(space, key, lemma)
    problem = problems.setdefault(lemma.target, HittingProblem(space, lemma.target))
    return _reaches(space, key, lemma, problem) if isinstance(lemma, Reaches) else _within(space, key, lemma, problem)


def _stays(space: StateSpace, key: str, lemma: Stays | StaysElected) -> LemmaResult:
    chosen = _members(space, lemma.of)
    size = space.original_count(chosen)
    leak = step_leaving(space, chosen)
    if leak is not None:
        return LemmaResult(key, lemma.says, REFUTED, f"one interaction leads out of {lemma.of}", schedule=leak)
    if isinstance(lemma, StaysElected):
        if (chosen & ~space.safe).any():
            how = "its leader is not one, or can change"
            return LemmaResult(key, lemma.says, REFUTED, how, schedule=safety_counterexample(space, chosen))
        largest = space.original_count(space.safe)
        share = f", {size / largest:.4g} of the largest safe set" if largest else ""
        return LemmaResult(key, lemma.says, PROVED, f"{in_words(size)} configurations{share}")
    return LemmaResult(key, lemma.says, PROVED, f"{in_words(size)} configurations")


def _never(space: StateSpace, key: str, lemma: Never) -> LemmaResult:
    """No pair of states whose interaction is such an event can interact in a configuration of the set."""
    begin = _members(space, lemma.begin)
    told = told_of(space.configurations, 0, space.size)
    found = (
        first_member_with(space, begin & (told == value), _events(space, lemma, value))
        for value in space.run.protocol.oracle_values
    )
    x = next((x for x in found if x is not None), None)
    if x is None:
        return LemmaResult(key, lemma.says, PROVED, f"{in_words(space.original_count(begin))} configurations")
    states = space.configurations.states_of(x)
    move = next(
        move
        for move, after in interactions(space.run, states)
        if _happens(space.run, lemma, [states[k] for k in move.pair], [after[k] for k in move.pair])
    )
    return LemmaResult(
        key, lemma.says, REFUTED, "one interaction does it", schedule=counterexample(space.run, states, [move])
    )


def _events(space: StateSpace, lemma: Never, told: int) -> Bits:
    """Which pairs of classes have an interaction that is such an event, with some outcome, if the oracle says this."""
    agent_states, classes = space.configurations.agent_states, space.configurations.classes
    states, run = agent_states.states, space.run
    happens = np.zeros((len(states), len(states)), np.bool_)
    for a, b in np.ndindex(happens.shape):
        happens[a, b] = any(
            _happens(run, lemma, [states[a], states[b]], list(after)) for after in agent_states.results_of(a, b, told)
        )
    merged = happens[np.ix_(classes.representative, classes.representative)]
    if (merged[np.ix_(classes.class_of, classes.class_of)] != happens).any():
        raise ProtocolError(
            f"the event {lemma.event.__name__} tells states apart that nothing else does: use --no-reduce.",
            run.protocol.file(),
        )
    return merged


def _happens(run: Run, lemma: Never, before: list[State], after: list[State]) -> bool:
    agent: Any = run.protocol.agent
    return any(
        run.protocol.ask(lemma.event, agent(old), agent(new), run.protocol.constants)
        for old, new in zip(before, after, strict=True)
    )


def _reaches(space: StateSpace, key: str, lemma: Reaches, problem: HittingProblem) -> LemmaResult:
    """Reached with probability 1 from all of them: no path leads to where it cannot be reached any more."""
    begin = _members(space, lemma.begin)
    lost = begin & ~problem.certain
    if lost.any():
        detail = f"from {in_words(space.original_count(lost))} configurations {lemma.target} can be missed"
        path = path_to(space, begin & ~problem.target, ~problem.can_reach, problem.target)
        return LemmaResult(key, lemma.says, REFUTED, detail, schedule=path)
    return LemmaResult(key, lemma.says, PROVED, f"from all {in_words(space.original_count(begin))} configurations")


def _within(space: StateSpace, key: str, lemma: Within, problem: HittingProblem) -> LemmaResult:
    begin = _members(space, lemma.begin)
    if not begin.any():
        return LemmaResult(key, lemma.says, PROVED, f"no configuration is in {lemma.begin}")
    values = np.where(begin, problem.times.values, -1.0)
    x = int(values.argmax())
    worst = float(values[x])
    protocol = space.run.protocol
    bound = float(protocol.ask(lemma.bound, space.run.n, protocol.constants))
    if not bound > 0:
        raise ProtocolError(f"lemma {key!r} has the bound {bound:g}, which is not positive.", protocol.file())
    low, high = problem.times.interval(worst)
    finding = f"the worst start takes {worst:.10g} steps" if worst < inf else f"{lemma.target} may never be reached"
    if lemma.order and np.isfinite(worst):
        return LemmaResult(key, lemma.says, MEASURED, f"{finding}: {worst / bound:.4g} {lemma.order}", worst, bound)
    if low > bound:
        detail = f"{finding}, more than {bound:g}" if worst < inf else finding
        return LemmaResult(key, lemma.says, REFUTED, detail, worst, bound, single_configuration(space, x))
    verdict = PROVED if high <= bound else MEASURED
    return LemmaResult(key, lemma.says, verdict, f"{finding}, the bound is {bound:g}", worst, bound)
