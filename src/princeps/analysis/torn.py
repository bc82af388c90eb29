"""Who bears a torn interaction? All configurations that arise if up to t interactions are applied at one side only.

A node of the search is a configuration and the number of interactions torn so far. A protocol recovers if the target is
reached with probability 1 from every configuration that can so be reached, before or after the target was first met: then
no torn interaction, whenever it comes, keeps it from the target for ever. Else there is a shortest schedule after which
the target is never reached again.

From all configurations nothing is added: both states after a torn interaction are legal, and every configuration of legal
states is a start. That is checked by expanding the torn interactions of all of them.

From a start, short schedules are looked for first (torn_search.py), since one that kills is often found where there are
far too many configurations to list them all. If there is none, everything is listed layer by layer: what is reached
without a torn interaction, then what one more makes possible, until there are t of them or nothing is new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from princeps.analysis.chain import Bits
from princeps.analysis.configurations import Configurations
from princeps.analysis.counterexamples import Counterexample, counterexample, moves_along
from princeps.analysis.expansion import Expansion
from princeps.analysis.exploration import explored, list_start
from princeps.analysis.halves import known_pairs_changing_both, pairs_changing_both
from princeps.analysis.hitting_problem import HittingProblem
from princeps.analysis.memory import available_bytes, gigabytes
from princeps.analysis.options import AnalysisOptions
from princeps.analysis.state_space import StateSpace
from princeps.analysis.symmetry import Permutation, group_of
from princeps.analysis.targets import Target
from princeps.analysis.torn_search import ScheduleSearch
from princeps.errors import PrincepsError, RunError, TooLarge
from princeps.model.formatting import json_integer
from princeps.model.limits import CONFIGURATIONS, read_limit
from princeps.model.numbers import in_words, read_count
from princeps.model.run import Run
from princeps.model.script import SIDES_OF_A_PAIR, Script
from princeps.model.starts import starting_states

UNVISITED = -1
WHOLE = 0  # in `came_by`; above it the number of the side, from 1


@dataclass(frozen=True)
class TornReport:
    """`configurations` counts the original space: all that can be reached, unless `complete` is False.

    `changing_both` is how many `pairs` of states change both agents when they meet: of those that can arise from the start
    if any two meet, or of all legal ones. Where these are infinitely or too many it is of the pairs that met, and None if
    not everything was listed.
    """

    interactions: int
    recovers: bool
    configurations: int
    complete: bool
    changing_both: int | None
    pairs: int | None
    killing: Counterexample | None = None  # the shortest schedule after which the target is never reached

    @property
    def schedule(self) -> list[list[Any]] | None:
        """The interactions of that schedule, as events of a script."""
        return None if self.killing is None else [event.lines()[0] for event in self.killing.events]

    @property
    def script(self) -> Script | None:
        """The schedule for `princeps run --script` and `princeps.replay`; None if it recovers, or nothing was torn."""
        return None if self.killing is None else self.killing.script

    @property
    def used(self) -> int:
        """How many interactions of the schedule are torn."""
        return 0 if self.killing is None else sum(side is not None for side in self.killing.sides)

    def as_json(self, names: tuple[str, ...]) -> dict[str, Any]:
        out: dict[str, Any] = {
            "interactions": self.interactions,
            "recovers": self.recovers,
            "configurations": json_integer(self.configurations),
            "complete": self.complete,
            "changing_both": self.changing_both,
            "pairs": self.pairs,
            "schedule": self.schedule,
        }
        if self.killing is not None:
            out["start"] = [dict(zip(names, state, strict=True)) for state in self.killing.states]
            out["command"] = self.killing.command
        if self.script is not None:
            out["script"] = self.script.text().splitlines()
        return out


def read_torn(options: AnalysisOptions) -> int | None:
    """How many interactions may be torn; None if the option was not given."""
    if options.torn is None:
        if options.save_script is not None:
            raise RunError(f"--save-script {options.save_script} writes the schedule that --torn finds: add --torn 1.")
        return None
    count = read_count(options.torn, "torn")
    if count < 1:
        raise RunError(f"torn = {count} is too small: give at least 1 interaction that may be torn, or leave it out.")
    return count


def torn_report(
    run: Run, problem: HittingProblem, target: Target, permutations: Sequence[Permutation], options: AnalysisOptions
) -> TornReport:
    """`problem` is the same question without torn interactions."""
    most = read_torn(options)
    assert most is not None
    try:
        found = (
            _from_everywhere(problem, most)
            if problem.space.start is None
            else _from_start(run, target, permutations, options, most)
        )
    except TooLarge:
        raise
    except PrincepsError as error:
        error.args = (f"after a torn interaction: {error}",)
        raise
    both = pairs_changing_both(run.protocol, None if problem.space.start is None else starting_states(run))
    report = found if both is None else replace(found, changing_both=both[0], pairs=both[1])
    if options.save_script is not None and report.script is not None:
        report.script.save(options.save_script, force=run.force, inputs=options.inputs)
    return report


def _from_everywhere(problem: HittingProblem, most: int) -> TornReport:
    space = problem.space
    before = space.size
    for side in SIDES_OF_A_PAIR:
        Expansion(space.configurations, side=side).go_on(before)
    assert space.size == before, "a torn interaction led to a configuration of illegal states"
    return TornReport(most, problem.is_reached, space.original_size, True, None, None, problem.trap())


def _from_start(
    run: Run, target: Target, permutations: Sequence[Permutation], options: AnalysisOptions, most: int
) -> TornReport:
    limit = CONFIGURATIONS if options.limit is None else read_limit(options.limit, CONFIGURATIONS)
    listing = run, [target], options.reduce, permutations, options.progress, limit
    until = target.name if target.name in type(run.protocol).all_goals() else None
    if target.goal is not None:
        group = group_of(run.topology, permutations) if options.reduce else [tuple(range(run.n))]
        search = ScheduleSearch(run, target, group, most, limit, options.progress)
        shortest = search.killing()
        if shortest is not None:
            killing = counterexample(run, starting_states(run), shortest, until)
            return TornReport(most, False, search.configurations, False, None, None, killing)
    configurations, starts = list_start(*listing)
    layers = Layers(configurations, most)
    space = explored(run, configurations, layers.whole.chain(), [target], starts, options.reduce, complete=True)
    lost = ~HittingProblem(space, target.name).can_reach
    both = known_pairs_changing_both(configurations.agent_states)
    report = TornReport(most, not lost.any(), space.original_size, True, *both)
    if report.recovers:
        return report
    moves, _ = moves_along(run, configurations, starting_states(run), layers.shortest_path(space, lost))
    return replace(report, killing=counterexample(run, starting_states(run), moves, until))


class Layers:
    """All configurations that can be reached from the listed ones with up to `most` torn interactions."""

    def __init__(self, configurations: Configurations, most: int) -> None:
        self.configurations, self.most = configurations, most
        self.whole = Expansion(configurations)
        self.halves = [Expansion(configurations, side=side) for side in SIDES_OF_A_PAIR]
        self.whole.go_on()
        for _ in range(most):
            last = configurations.size
            for half in self.halves:
                half.go_on(last)
            self.whole.go_on()
            if configurations.size == last:  # one more torn interaction makes nothing possible that was not before
                break

    def shortest_path(self, space: StateSpace, wanted: Bits) -> list[tuple[int, str | None]]:
        """From the start to a wanted configuration: the others on the way, each with the side of a torn interaction."""
        size, most = space.size, min(self.most, space.size)  # a shortest path comes to no configuration twice
        needed = 9 * size * (most + 1)
        if needed > available_bytes():
            raise TooLarge(
                f"the target is lost after up to {in_words(self.most)} torn interactions, but to find the shortest schedule needs about "
                f"{gigabytes(needed)}, and {gigabytes(available_bytes())} are free: give a smaller --torn."
            )
        parent = np.full((most + 1, size), UNVISITED, np.int64)
        came_by = np.zeros((most + 1, size), np.uint8)
        assert space.start is not None
        parent[0, space.start] = space.start
        frontier = {0: np.array([space.start])}
        edges = [one.known_steps for one in (self.whole, *self.halves)]
        while True:
            for layer, here in frontier.items():
                if wanted[here].any():
                    return _path(parent, came_by, layer, int(here[wanted[here]][0]))
            following: dict[int, list[Any]] = {}
            for layer, here in sorted(frontier.items()):
                for way, (offsets, successors) in enumerate(edges):
                    there = layer + (way != WHOLE)
                    if there > most:
                        continue
                    sources, found = _neighbours(offsets, successors, here)
                    new = (parent[: there + 1, found] == UNVISITED).all(axis=0)  # not either with fewer torn ones
                    found, first = np.unique(found[new], return_index=True)
                    parent[there, found], came_by[there, found] = sources[new][first], way
                    following.setdefault(there, []).append(found)
            frontier = {layer: np.concatenate(found) for layer, found in following.items()}


def _neighbours(offsets: Any, successors: Any, here: Any) -> tuple[Any, Any]:
    """Every step from these configurations: where it begins and where it leads."""
    here = here[here < len(offsets) - 1]
    lengths = offsets[here + 1] - offsets[here]
    places = np.arange(lengths.sum()) + np.repeat(offsets[here] - np.cumsum(lengths) + lengths, lengths)
    return np.repeat(here, lengths), successors[places].astype(np.int64)


def _path(parent: Any, came_by: Any, layer: int, x: int) -> list[tuple[int, str | None]]:
    path: list[tuple[int, str | None]] = []
    while layer or parent[layer, x] != x:
        way = int(came_by[layer, x])
        path.append((x, None if way == WHOLE else SIDES_OF_A_PAIR[way - 1]))
        layer, x = layer - (way != WHOLE), int(parent[layer, x])
    return path[::-1]
