"""Counterexamples: a configuration and the shortest list of interactions from it, which a command can replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from princeps.analysis.chain import Bits
from princeps.analysis.codes import EXCLUDED, NOT_VISITED
from princeps.analysis.configurations import Configurations
from princeps.analysis.replaying import Draws, Move, replay_command, script_of
from princeps.analysis.state_space import StateSpace
from princeps.analysis.symmetry import arcs_of
from princeps.lowering.cache import kernel_module
from princeps.model.fields import Counts
from princeps.model.run import Run
from princeps.model.scheduler import Pair
from princeps.model.script import SIDES_OF_A_PAIR, ForcedPair, Script, Torn
from princeps.model.starts import starting_states
from princeps.model.states import State
from princeps.model.topology import COMPLETE, Topology

Condition = Callable[[list[State], list[State]], bool]  # on the states before and after an interaction


def kernel() -> Any:
    return kernel_module("princeps.analysis.counterexamples_kernel")


@dataclass(frozen=True)
class Counterexample:
    """`states` are those of the agents at the beginning, `pairs` the interactions from there on."""

    states: tuple[State, ...]
    pairs: tuple[Pair, ...]
    command: str  # replays it
    draws: tuple[Draws, ...] = ()  # what the coins of each interaction show, where the rule tosses any
    sides: tuple[str | None, ...] = ()  # of torn interactions, who takes its new state; None: both
    script: Script | None = None  # the same as a file for `run --script`, if interactions are torn

    @property
    def events(self) -> list[ForcedPair | Torn]:
        """The interactions as events of a script."""
        return [one.event for one in map(Move, self.pairs, self.draws, self.sides or (None,) * len(self.pairs))]

    def as_json(self, names: tuple[str, ...]) -> dict[str, Any]:
        tossed = {"draws": [list(shown) for shown in self.draws]} if any(self.draws) else {}
        torn = {"sides": list(self.sides)} if any(self.sides) else {}
        return {
            "start": [dict(zip(names, state, strict=True)) for state in self.states],
            "pairs": [list(pair) for pair in self.pairs],
            **tossed,
            **torn,
            "command": self.command,
        }


# -- searching the chain ------------------------------------------------------------------------------------------


def path_to(space: StateSpace, sources: Bits, wanted: Bits, without: Bits | None = None) -> Counterexample | None:
    """The shortest path from some source to some wanted configuration, not through those in `without`."""
    return _shortest_path(space, sources, wanted, False, without)


def path_to_output_change(space: StateSpace, sources: Bits) -> Counterexample | None:
    """The shortest path from some source whose last interaction changes an output."""
    return _shortest_path(space, sources, np.zeros(space.size, np.bool_), True)


def step_leaving(space: StateSpace, members: Bits) -> Counterexample | None:
    """One interaction that leads out of a set, None if it is closed."""
    x = int(kernel().first_leaving(space.chain.offsets, space.chain.successors, members))
    if x < 0:
        return None
    return _with_interactions(space, [x], lambda before, after: not members[space.configurations.index_of(after)])


def single_configuration(space: StateSpace, x: int) -> Counterexample:
    """A configuration that is itself the counterexample."""
    return _with_interactions(space, [x], None)


def reachable_before(space: StateSpace, absorbing: Bits) -> Bits:
    """Configurations that can be reached from the start if absorbing ones are not left."""
    reached, queue = np.zeros(space.size, np.bool_), np.empty(space.size, np.int32)
    reached[list(space.starts)] = True
    kernel().mark_reachable(space.chain.offsets, space.chain.successors, absorbing, reached, queue)
    return reached


def first_member_with(space: StateSpace, members: Bits, wanted: Bits) -> int | None:
    """A configuration of the set in which two agents of a wanted pair of classes may interact."""
    c = space.configurations
    x = kernel().first_with_pair(c.listed_rows, members, c.encoding, c.sources, c.targets, wanted)
    return None if x < 0 else int(x)


def _shortest_path(
    space: StateSpace, sources: Bits, wanted: Bits, to_output_change: bool, without: Bits | None = None
) -> Counterexample | None:
    chain, size = space.chain, space.size
    parent, queue = np.full(size, NOT_VISITED, np.int32), np.empty(size, np.int32)
    if without is not None:
        parent[without] = EXCLUDED
    x, step = kernel().breadth_first(
        *(chain.offsets, chain.successors, chain.changes_output, sources, wanted, to_output_change, parent, queue)
    )
    if x < 0:
        return None
    path = [int(x)]
    while parent[path[-1]] >= 0:
        path.append(int(parent[path[-1]]))
    return _with_interactions(space, path[::-1], _outputs_change(space) if step >= 0 else None)


def _outputs_change(space: StateSpace) -> Condition:
    leads = space.run.protocol.leads
    return lambda before, after: any(leads(a) != leads(b) for a, b in zip(before, after, strict=True))


# -- interactions of agents ---------------------------------------------------------------------------------------


def _with_interactions(space: StateSpace, path: list[int], last: Condition | None) -> Counterexample:
    """The interactions of agents along a path of numbered configurations, and then one more that satisfies `last`."""
    configurations = space.configurations
    start = starting_states(space.run) if path[0] == space.start else configurations.states_of(path[0])
    moves, states = moves_along(space.run, configurations, start, [(y, None) for y in path[1:]])
    if last is not None:
        moves.append(next(move for move, after in interactions(space.run, states) if last(states, after)))
    return counterexample(space.run, start, moves)


def moves_along(
    run: Run, configurations: Configurations, states: list[State], path: Sequence[tuple[int, str | None]]
) -> tuple[list[Move], list[State]]:
    """Interactions of agents that lead through numbered configurations, torn where a side is given; and the last states."""
    moves: list[Move] = []
    for y, side in path:
        possible = interactions(run, states) if side is None else torn_interactions(run, states)
        move, states = next(
            (move, after) for move, after in possible if move.side == side and configurations.index_of(after) == y
        )
        moves.append(move)
    return moves, states


def counterexample(run: Run, states: list[State], moves: list[Move], until: str | None = None) -> Counterexample:
    """`until` is the goal that a script names."""
    is_torn = any(move.side for move in moves)
    return Counterexample(
        states=tuple(map(run.protocol.space.shown, states)),
        pairs=tuple(move.pair for move in moves),
        command=replay_command(run, states, moves, until),
        draws=tuple(move.draws for move in moves),
        sides=tuple(move.side for move in moves) if is_torn else (),
        script=script_of(run, states, moves, until) if is_torn else None,
    )


def interactions(run: Run, states: list[State]) -> Iterator[tuple[Move, list[State]]]:
    """Every possible interaction with what its coins show, and the configuration after it."""
    told = told_by_oracle(run, states)
    for i, j in _different_arcs(run.topology, states):
        for _, results, draws in run.protocol.branches(states[i], states[j], told):
            after = list(states)
            after[i], after[j] = results
            yield Move((i, j), draws), after


def torn_interactions(run: Run, states: list[State]) -> Iterator[tuple[Move, list[State]]]:
    """Every interaction that changes both agents, torn at either side, and the configuration after it."""
    for move, whole in interactions(run, states):
        if all(states[agent] != whole[agent] for agent in move.pair):
            for side, agent in zip(SIDES_OF_A_PAIR, move.pair, strict=True):
                after = list(states)
                after[agent] = whole[agent]
                yield move._replace(side=side), after


def told_by_oracle(run: Run, states: list[State]) -> int:
    """What the protocol's oracle says of a configuration; 0 if there is none."""
    protocol, oracle = run.protocol, run.protocol.oracle
    if oracle is None:
        return 0
    agents: list[Any] = [protocol.agent(state) for state in states]  # type: ignore[call-arg]
    counts = {
        name: sum(bool(protocol.ask(predicate, agent, protocol.constants)) for agent in agents)
        for name, predicate in type(protocol).all_predicates().items()
    }
    return int(bool(protocol.ask(oracle.rule, Counts({**counts, "n": run.n}), protocol.constants)))


def _different_arcs(topology: Topology, states: list[State]) -> Iterator[Pair]:
    """On a complete graph one arc for each ordered pair of states: the others have the same effect up to symmetry."""
    if topology.kind != COMPLETE:
        yield from arcs_of(topology)
        return
    agents: dict[State, list[int]] = {}
    for agent, state in enumerate(states):
        agents.setdefault(state, []).append(agent)
    for one, many in agents.items():
        for other, others in agents.items():
            if one != other:
                yield many[0], others[0]
            elif len(many) > 1:
                yield many[0], many[1]
