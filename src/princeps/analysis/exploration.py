"""Building the state space of a population: from all configurations, or from one start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import factorial, prod
from typing import Any

import numpy as np

from princeps.analysis.agent_states import MAX_TABULATED_STATES, AgentStates, legal_agent_states, make_agent_states
from princeps.analysis.chain import Bits, Chain
from princeps.analysis.choosing_states import ChoosingStates
from princeps.analysis.configurations import Configurations
from princeps.analysis.expansion import expand
from princeps.analysis.goal_tables import GoalTables, can_tabulate
from princeps.analysis.merging import StateClasses, merge, singleton_classes
from princeps.analysis.position_checks import refuse_if_positions_matter, refuse_if_too_many_permutations
from princeps.analysis.progress import ProgressCallback, no_progress
from princeps.analysis.state_space import StateSpace
from princeps.analysis.symmetry import Permutation, group_of
from princeps.analysis.targets import Target, colours, members
from princeps.errors import RunError, TooLarge
from princeps.model.limits import CONFIGURATIONS
from princeps.model.numbers import in_words
from princeps.model.protocol import Closed
from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.model.states import State

MAX_PLACEMENTS = 10_000  # of the agents at a start, if nothing is merged


def explore_all(
    run: Run,
    sets: Sequence[Target],
    reduce: bool = True,
    automorphisms: Sequence[Permutation] = (),
    progress: ProgressCallback = no_progress,
    limit: int | None = None,
    symmetric: bool = True,
) -> StateSpace:
    """All configurations of legal states, with these sets; at most `limit`, by default as many as memory holds.

    Not `symmetric`: no symmetry of the graph is used, so that every arc keeps its agents.
    """
    protocol = run.protocol
    unbounded = next((name for name, size in protocol.fields.items() if size is None), None)
    if unbounded is not None:
        raise RunError(
            f"{protocol.name} has infinitely many configurations (its field {unbounded!r} is unbounded): "
            f"explore those that can be reached, with --start {type(protocol).default_start}."
        )
    agent_states = legal_agent_states(protocol, progress)
    group = group_of(run.topology, automorphisms) if reduce and symmetric else [tuple(range(run.n))]
    untabulated = [
        target.goal
        for target in sets
        if reduce and isinstance(target.goal, Closed) and not can_tabulate(agent_states, run.n)
    ]
    for goal in untabulated:
        refuse_if_too_many_permutations(goal, run.n, group)
    configurations = _reduced(run, agent_states, group, sets, reduce, progress, limit)
    configurations.limit = None  # they fit
    configurations.list_all()
    chain = expand(configurations)
    named = _named_sets(sets, configurations)
    for goal in untabulated:
        refuse_if_positions_matter(goal, configurations)
    return StateSpace(run, configurations, chain, named)


def _reduced(
    run: Run,
    agent_states: AgentStates,
    group: Sequence[Permutation] | None,
    sets: Sequence[Target],
    reduce: bool,
    progress: ProgressCallback,
    limit: int | None,
) -> Configurations:
    """An empty list of configurations over merged states that no set distinguishes, once it is known to fit."""
    tables = GoalTables(agent_states, run.n, progress)  # large: released when this function returns

    def fitting(classes: StateClasses) -> Configurations:
        configurations = Configurations(agent_states, classes, run.topology, group, progress)
        configurations.limit = limit
        original_size = agent_states.size**run.n
        configurations.refuse_if_too_large(original_size)
        progress(
            f"{in_words(original_size)} configurations, {in_words(configurations.count_all())} after reduction", 0, 0
        )
        return configurations

    if reduce:
        columns = [
            agent_states.leader_mask()[:, None],
            oracle_columns(agent_states),
            *(colours(target, agent_states, tables) for target in sets),
        ]
        configurations = fitting(merge(agent_states, np.concatenate(columns, axis=1)))
        goals = [target.goal for target in sets if isinstance(target.goal, Closed)]
        if not can_tabulate(agent_states, run.n) or all(tables.reduction_holds(g, configurations) for g in goals):
            return configurations
    return fitting(singleton_classes(agent_states))


def oracle_columns(agent_states: AgentStates) -> Any:
    """What the oracle counts of each state; nothing, where there is none."""
    if isinstance(agent_states, ChoosingStates):
        return agent_states.oracle_columns()
    return np.zeros((agent_states.size, 0), np.bool_)


def _named_sets(sets: Sequence[Target], configurations: Configurations) -> dict[str, Bits]:
    return {
        target.name: members(target, configurations, 0, configurations.size)
        for target in sets
        if target.goal is not None
    }


def explore_from_start(
    run: Run,
    sets: Sequence[Target],
    reduce: bool = True,
    automorphisms: Sequence[Permutation] = (),
    past_target: bool = False,
    progress: ProgressCallback = no_progress,
    limit: int = CONFIGURATIONS,
    ends: Sequence[tuple[Target, bool]] = (),
    symmetric: bool = True,
) -> StateSpace:
    """What can be reached from the start, at most `limit` configurations.

    Members of the first set have no steps, unless `past_target`. If `ends` are given it is these sets instead, or what
    lies outside of them where the truth value is False. `symmetric` as in `explore_all`.
    """
    configurations, starts = list_start(run, sets, reduce, automorphisms, progress, limit, symmetric)
    ends = ends or [(sets[0], True)]
    complete = past_target or any(target.goal is None for target, _ in ends)

    def absorbing(begin: int, end: int) -> Bits:
        found = [members(target, configurations, begin, end) == inside for target, inside in ends]
        return np.asarray(np.logical_or.reduce(found))

    chain = expand(configurations, None if complete else absorbing)
    return explored(run, configurations, chain, sets, starts, reduce, complete)


def list_start(
    run: Run,
    sets: Sequence[Target],
    reduce: bool,
    automorphisms: Sequence[Permutation],
    progress: ProgressCallback,
    limit: int,
    symmetric: bool = True,
) -> tuple[Configurations, list[int]]:
    """A list of configurations that has nothing but the start, and its number; of all placements, if nothing is merged."""
    states = starting_states(run)
    agent_states = make_agent_states(run.protocol, states)
    group = group_of(run.topology, automorphisms) if reduce and symmetric else [tuple(range(run.n))]
    most = min(run.n, MAX_TABULATED_STATES)  # fewer states than agents: rows of counts are short
    if not agent_states.close(most, progress):
        agent_states = make_agent_states(run.protocol, states)
    for goal in _goals_on_configurations(sets, reduce):
        refuse_if_too_many_permutations(goal, run.n, group)
    configurations = Configurations(agent_states, singleton_classes(agent_states), run.topology, group, progress)
    configurations.limit = limit
    starts = [configurations.add(states)]
    if not reduce and symmetric:  # all starts that the reduction identifies, so that both count the same configurations
        starts += [configurations.add(placed) for placed in placements(states, group_of(run.topology, automorphisms))]
    return configurations, starts


def explored(
    run: Run,
    configurations: Configurations,
    chain: Chain,
    sets: Sequence[Target],
    starts: Sequence[int],
    reduce: bool,
    complete: bool,
) -> StateSpace:
    """The state space that was reached from a start."""
    named = _named_sets(sets, configurations)
    for goal in _goals_on_configurations(sets, reduce):
        refuse_if_positions_matter(goal, configurations)
    return StateSpace(run, configurations, chain, named, starts, complete)


def _goals_on_configurations(sets: Sequence[Target], reduce: bool) -> list[Closed]:
    """That must not depend on the places of the agents, where configurations are listed up to symmetry."""
    return [target.goal for target in sets if reduce and isinstance(target.goal, Closed)]


def placements(states: Sequence[State], group: Sequence[Permutation] | None) -> Iterator[list[State]]:
    """The images of a start under the automorphisms of the graph (None: all permutations)."""
    if group is not None:
        yield from ([states[i] for i in permutation] for permutation in group)
        return
    remaining = Counter(states)
    count = factorial(len(states)) // prod(factorial(copies) for copies in remaining.values())
    if count > MAX_PLACEMENTS:
        raise TooLarge(
            f"{len(states)} agents can stand in {in_words(count)} orders at the start, too many to be listed: "
            f"leave --no-reduce out, or lower -n."
        )

    def extend(so_far: list[State]) -> Iterator[list[State]]:
        if len(so_far) == len(states):
            yield so_far
        for state in [state for state, copies in remaining.items() if copies]:
            remaining[state] -= 1
            yield from extend([*so_far, state])
            remaining[state] += 1

    yield from extend([])
