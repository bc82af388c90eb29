"""A protocol's lemmas, proved or refuted over all configurations at one size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np

from princeps.analysis.chain import Bits
from princeps.analysis.ground import Ground, whole_ground
from princeps.analysis.progress import Observer, silence
from princeps.analysis.questions import Journey, danger
from princeps.analysis.schedules import Schedule, at_once, first_member_with, interactions, replay, way_out, way_to
from princeps.analysis.symmetry import Permutation
from princeps.analysis.targets import Target, find_target
from princeps.errors import ProtocolError, RunError
from princeps.model.lemmas import EVERYTHING, Lemma, Never, Reaches, Stays, StaysElected, Within
from princeps.model.numbers import in_words
from princeps.model.run import Run
from princeps.model.states import State

PROVED, REFUTED, MEASURED = "proved", "refuted", "measured"


@dataclass(frozen=True)
class Finding:
    """What became of a lemma at this size; a schedule where it fails."""

    id: str
    says: str
    verdict: str  # proved, refuted, or measured (an order: the number is told)
    detail: str
    measured: float | None = None
    bound: float | None = None
    schedule: Schedule | None = None

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
    observer: Observer = silence,
) -> tuple[Ground, list[Finding]]:
    """All lemmas that the protocol's file states, on one ground that tells all their sets apart, and those wanted."""
    refuse_if_none_stated(run)
    lemmas = type(run.protocol).lemmas
    names = sorted(
        {name for lemma in lemmas.values() for name in _sets(lemma)} - {EVERYTHING, *(target.name for target in wanted)}
    )
    sets = [*wanted, *(find_target(run.protocol, name) for name in names)]
    ground = whole_ground(run, sets, reduce, automorphisms, observer)
    journeys: dict[str, Journey] = {}
    return ground, [_check(ground, key, lemma, journeys) for key, lemma in lemmas.items()]


def _sets(lemma: Lemma) -> Iterator[str]:
    for part in ("of", "begin", "target"):
        if hasattr(lemma, part):
            yield getattr(lemma, part)


def _members(ground: Ground, name: str) -> Bits:
    return np.ones(ground.size, np.bool_) if name == EVERYTHING else ground.set(name)


def _check(ground: Ground, key: str, lemma: Lemma, journeys: dict[str, Journey]) -> Finding:
    if isinstance(lemma, (Stays, StaysElected)):
        return _stays(ground, key, lemma)
    if isinstance(lemma, Never):
        return _never(ground, key, lemma)
    journey = journeys.setdefault(lemma.target, Journey(ground, lemma.target))
    return _reaches(ground, key, lemma, journey) if isinstance(lemma, Reaches) else _within(ground, key, lemma, journey)


def _stays(ground: Ground, key: str, lemma: Stays | StaysElected) -> Finding:
    chosen = _members(ground, lemma.of)
    size = ground.originals(chosen)
    leak = way_out(ground, chosen)
    if leak is not None:
        return Finding(key, lemma.says, REFUTED, f"one interaction leads out of {lemma.of}", schedule=leak)
    if isinstance(lemma, StaysElected):
        if (chosen & ~ground.safe).any():
            how = "its leader is not one, or can change"
            return Finding(key, lemma.says, REFUTED, how, schedule=danger(ground, chosen))
        largest = ground.originals(ground.safe)
        share = f", {size / largest:.4g} of the largest safe set" if largest else ""
        return Finding(key, lemma.says, PROVED, f"{in_words(size)} configurations{share}")
    return Finding(key, lemma.says, PROVED, f"{in_words(size)} configurations")


def _never(ground: Ground, key: str, lemma: Never) -> Finding:
    """Every pair of states whose meeting is such an event, and whether it can meet in the set."""
    bad = _events(ground, lemma)
    x = first_member_with(ground, _members(ground, lemma.begin), bad)
    if x is None:
        return Finding(
            key, lemma.says, PROVED, f"{in_words(ground.originals(_members(ground, lemma.begin)))} configurations"
        )
    states = ground.space.states_of(x)
    pair = next(
        (i, j)
        for (i, j), after in interactions(ground.run, states)
        if _happens(ground.run, lemma, [states[i], states[j]], [after[i], after[j]])
    )
    return Finding(key, lemma.says, REFUTED, "one interaction does it", schedule=replay(ground.run, states, [pair]))


def _events(ground: Ground, lemma: Never) -> Bits:
    alphabet, of = ground.space.alphabet, ground.space.classes.of
    states, run = alphabet.states, ground.run
    happens = np.zeros((len(states), len(states)), np.bool_)
    for a, b in np.ndindex(happens.shape):
        entry = int(alphabet.table[a, b])
        after = [states[entry >> 32], states[entry & 0xFFFFFFFF]]
        happens[a, b] = _happens(run, lemma, [states[a], states[b]], after)
    chosen = ground.space.classes.chosen
    merged = happens[np.ix_(chosen, chosen)]
    if (merged[np.ix_(of, of)] != happens).any():
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


def _reaches(ground: Ground, key: str, lemma: Reaches, journey: Journey) -> Finding:
    """Reached with probability 1 from all of them: no way leads to where it cannot be reached any more."""
    begin = _members(ground, lemma.begin)
    lost = begin & ~journey.certain
    if lost.any():
        detail = f"from {in_words(ground.originals(lost))} configurations {lemma.target} can be missed"
        way = way_to(ground, begin & ~journey.target, ~journey.reaching, journey.target)
        return Finding(key, lemma.says, REFUTED, detail, schedule=way)
    return Finding(key, lemma.says, PROVED, f"from all {in_words(ground.originals(begin))} configurations")


def _within(ground: Ground, key: str, lemma: Within, journey: Journey) -> Finding:
    begin = _members(ground, lemma.begin)
    if not begin.any():
        return Finding(key, lemma.says, PROVED, f"no configuration is in {lemma.begin}")
    values = np.where(begin, journey.times.values, -1.0)
    x = int(values.argmax())
    worst = float(values[x])
    protocol = ground.run.protocol
    bound = float(protocol.ask(lemma.bound, ground.run.n, protocol.constants))
    if not bound > 0:
        raise ProtocolError(f"lemma {key!r} has the bound {bound:g}, which is not positive.", protocol.file())
    low, high = journey.times.interval(worst)
    said = f"the worst start takes {worst:.10g} steps" if worst < inf else f"{lemma.target} may never be reached"
    if lemma.order and np.isfinite(worst):
        return Finding(key, lemma.says, MEASURED, f"{said}: {worst / bound:.4g} {lemma.order}", worst, bound)
    if low > bound:
        detail = f"{said}, more than {bound:g}" if worst < inf else said
        return Finding(key, lemma.says, REFUTED, detail, worst, bound, at_once(ground, x))
    verdict = PROVED if high <= bound else MEASURED
    return Finding(key, lemma.says, verdict, f"{said}, the bound is {bound:g}", worst, bound)
