"""What one interaction of P_PL can do: the deterministic half of the lemmas, over all pairs of states.

Each fact speaks of an agent `v` that met `w` and is `x` now. With small constants all pairs are looked at, with the
printed ones a sample that keeps to the ends of the ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from princeps.model.fields import Agent, Params
from princeps.model.reading import make_run
from princeps.papers.answers import Measurement
from princeps.papers.claims import ProvedBy
from princeps.papers.judging import exhaustive, watched
from princeps.papers.laboratory import Lab
from princeps.papers.sources import place_of
from princeps.papers.verdicts import Part
from princeps.papers.walks import Config, Watcher, joined, walk

TINY = {"N": 2, "virus_factor": 2, "emit_factor": 1}  # t_virus, t_max and t_emit 2: 108 states
SMALL = {"N": 3, "virus_factor": 1, "emit_factor": 1}  # t_virus 2, t_max and t_emit 4: 300 states
LARGER = {"N": 2, "virus_factor": 3, "emit_factor": 2}  # t_virus 3, t_max and t_emit 6: 784 states
PRINTED = ({"N": 64}, {"N": 1000, "c": 2})

Fact = Callable[[Agent, Agent, Agent, Params, bool], bool | None]  # None where there is nothing to assert


# -- the facts ---------------------------------------------------------------------------------------------------------


def carries(v: Agent, w: Agent, x: Agent, p: Params, initiates: bool) -> bool | None:
    """timerL and virus are propagating variables: nobody has less than the larger value, less one."""
    return bool(x.timerL >= max(v.timerL, w.timerL) - 1 and x.virus >= max(v.virus, w.virus) - 1)


def resets(v: Agent, w: Agent, x: Agent, p: Params, initiates: bool) -> bool | None:
    """where one of the two leads, both have a full timer afterwards"""
    return bool(x.timerL == p.t_max) if v.leader or w.leader else None


def trusts(v: Agent, w: Agent, x: Agent, p: Params, initiates: bool) -> bool | None:
    """only agents with leader timers of at most 1 become leaders"""
    return max(v.timerL, w.timerL) <= 1 if x.leader > v.leader else None


def shields(v: Agent, w: Agent, x: Agent, p: Params, initiates: bool) -> bool | None:
    """a shielded leader leads on, shielded, until its own timer has run down, by one a meeting"""
    if not (v.leader and v.shield and v.timerI >= 2):
        return None
    return bool(x.leader and x.shield and x.timerI == v.timerI - 1)


def spares(v: Agent, w: Agent, x: Agent, p: Params, initiates: bool) -> bool | None:
    """no leader is lost where neither of the two carries a virus"""
    return bool(x.leader) if v.leader and v.virus == w.virus == 0 else None


def sources(v: Agent, w: Agent, x: Agent, p: Params, initiates: bool) -> bool | None:
    """viruses lose one a meeting; a new one is with a shielded leader whose own timer is full"""
    fades = x.virus <= max(v.virus - 1, w.virus - 1, 0)
    return bool(fades or (x.leader and x.shield and x.timerI == p.t_emit))


def runs_down(v: Agent, w: Agent, x: Agent, p: Params, initiates: bool) -> bool | None:
    """leader timers lose one a meeting of two followers; at 0, and without viruses, they lead"""
    if v.leader or w.leader:
        return None
    if x.timerL == p.t_max:
        return bool(max(v.timerL, w.timerL) <= 1)
    return bool(x.timerL <= max(v.timerL, w.timerL) - 1 and (x.timerL > 0 or x.virus > 0))


def tosses(v: Agent, w: Agent, x: Agent, p: Params, initiates: bool) -> bool | None:
    """a leader whose own timer runs down emits and shields itself as initiator, unshields itself as responder"""
    if not (v.leader and v.timerI <= 1 and max(v.virus, w.virus) <= 1):
        return None
    return bool(x.shield == 1 and x.virus == p.t_virus) if initiates else x.shield == 0


def kills(v: Agent, w: Agent, x: Agent, p: Params, initiates: bool) -> bool | None:
    """an unshielded agent that meets a living virus follows afterwards"""
    return x.leader == 0 if v.shield == 0 and max(v.virus, w.virus) >= 2 else None


FACTS = (carries, resets, trusts, shields, spares, sources, runs_down, tosses, kills)


# What the protocol's file states of them, which is proved for all constants: of `shields` and `sources` not their own timers.
LEMMAS = {
    "carries": ("propagation", "emission"),
    "resets": ("full timers",),
    "trusts": ("creation",),
    "shields": ("shield",),
    "spares": ("loss",),
    "sources": ("emission",),
}


def proved(*wanted: Fact) -> ProvedBy:
    """The lemmas on which these facts rest; a claim about times has other parts besides."""
    return ProvedBy("p_pl", *dict.fromkeys(lemma for fact in wanted for lemma in LEMMAS[fact.__name__]))


# -- looking at pairs --------------------------------------------------------------------------------------------------


def facts(
    part: int, seed: int, *, protocol: str, constants: Sequence[Mapping[str, int]], pairs: int | None
) -> dict[str, list[Any]]:
    """With each of these constants, over all pairs of states or over `pairs` random ones: cases, breaches, the first in words."""
    run = make_run(protocol, 2, params=dict(constants[part]))
    known = run.protocol.constants.as_dict()
    found: dict[str, list[Any]] = {fact.__name__: [0, 0, ""] for fact in FACTS}
    top = [1, 1, known["t_virus"], known["t_max"], known["t_emit"]]
    make: Any = run.protocol.agent
    for a, b in _all_pairs(top) if pairs is None else _some_pairs(top, pairs, np.random.default_rng((seed, part))):
        after = run.protocol.step(a, b)
        old, new = (make(a), make(b)), (make(after[0]), make(after[1]))
        for k in (0, 1):
            for fact in FACTS:
                right = fact(old[k], old[1 - k], new[k], run.protocol.constants, k == 0)
                if right is not None:
                    entry = found[fact.__name__]
                    entry[0] += 1
                    if not right:
                        entry[1] += 1
                        entry[2] = entry[2] or f"{a} with {b} gives {after[0]} and {after[1]}"
    return found


def _all_pairs(top: Sequence[int]) -> Iterator[tuple[Any, Any]]:
    states = list(product(*(range(most + 1) for most in top)))
    return product(states, states)


def _some_pairs(top: Sequence[int], pairs: int, rng: Any) -> Iterator[tuple[Any, Any]]:
    """Each variable at one of its ends, in the middle, or anywhere."""
    columns = []
    for most in (*top, *top):
        ends = np.clip([0, 1, 2, most // 2, most - 1, most], 0, most)
        chosen = rng.choice(ends, pairs)
        columns.append(np.where(rng.random(pairs) < 0.3, rng.integers(0, most + 1, pairs), chosen).tolist())
    for values in zip(*columns, strict=True):
        yield values[:5], values[5:]


def looked_at(lab: Lab) -> tuple[Measurement, Measurement]:
    small = lab.pick([TINY, SMALL], [TINY, SMALL, LARGER], [TINY])
    every = lab.measure(facts, parts=len(small), protocol="p_pl", constants=small, pairs=None)
    some = lab.measure(
        facts, parts=len(PRINTED), protocol="p_pl", constants=PRINTED, pairs=lab.pick(10_000, 100_000, 2000)
    )
    return every, some


def established(lab: Lab, *wanted: Fact) -> list[Part]:
    """These facts: over all pairs of states with small constants, and by a sample with the printed ones."""
    every, some = looked_at(lab)
    names = [fact.__name__ for fact in wanted]
    what = "; ".join((fact.__doc__ or "").rstrip(".") for fact in wanted)
    cases, breaches, breach = _over(every.parts, names)
    all_pairs = exhaustive(breaches, cases, f"{what}, small constants", "meetings, all pairs of states", breach=breach)
    cases, breaches, breach = _over(some.parts, names)
    steps = len(some.parts) * lab.pick(10_000, 100_000, 2000)
    return [all_pairs, watched(breaches, cases, steps, "the same with the printed constants", breach=breach)]


def _over(answers: Sequence[Mapping[str, Sequence[Any]]], names: Sequence[str]) -> tuple[int, int, str]:
    own = [answer[name] for answer in answers for name in names]
    return sum(entry[0] for entry in own), sum(entry[1] for entry in own), next((e[2] for e in own if e[2]), "")


# -- virtual agents on every step --------------------------------------------------------------------------------------


class Carried(Watcher):
    """Whoever an epidemic has reached has at least the root's value, less the interactions of its virtual agent.

    A new epidemic starts, from the initiator of the moment, whenever the last has reached everybody.
    """

    def begin(self, u: Config) -> str | None:
        self._root(u, 0)
        return None

    def _root(self, u: Config, root: int) -> None:
        self.wear: dict[int, int] = {root: 0}  # of the virtual agents that have arrived, or will pass here
        self.timer, self.virus = u[root].timerL, u[root].virus

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        reached = [k for k in (i, j) if k in self.wear]
        if reached:
            worn = {k: self.wear[k if k in self.wear else reached[0]] + 1 for k in (i, j)}
            self.wear.update(worn)
            for k in (i, j):
                self.cases += 1
                if u[k].timerL < self.timer - worn[k] or u[k].virus < self.virus - worn[k]:
                    return f"agent {k} has less than the root's value, less the {worn[k]} interactions on the way"
        if len(self.wear) == self.n:
            self._root(u, i)
        return None


def carried(lab: Lab) -> Part:
    params = {"virus_factor": 2, "emit_factor": 2}
    cases = [
        {"n": 12, "params": params, "start": start, "scheduler": scheduler, "steps": steps, "times": 1}
        for steps in (lab.pick(2000, 20_000, 500),)
        for start in ("random", "one_virus", "no_leader_full_timers")
        for scheduler in ("uniform", "bursts", "cliques")
    ]
    place = place_of(Carried)
    found = joined(lab.measure(walk, parts=len(cases), protocol="p_pl", cases=cases, watchers=[place]).parts, place)
    return watched(**found, what="values carried by virtual agents", least=100)
