"""Counterexamples: a configuration and the shortest list of interactions from it, which a command can replay."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from princeps.analysis.chain import Bits
from princeps.analysis.codes import EXCLUDED, NOT_VISITED
from princeps.analysis.state_space import StateSpace
from princeps.analysis.symmetry import arcs_of
from princeps.lowering.cache import kernel_module
from princeps.model.fields import Counts
from princeps.model.naming import command_or_reason
from princeps.model.run import Run, demanded_graph
from princeps.model.scheduler import Pair
from princeps.model.starts import starting_states
from princeps.model.states import State
from princeps.model.topology import COMPLETE, Topology

Draws = tuple[int, ...]
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

    def as_json(self, names: tuple[str, ...]) -> dict[str, Any]:
        tossed = {"draws": [list(shown) for shown in self.draws]} if any(self.draws) else {}
        return {
            "start": [dict(zip(names, state, strict=True)) for state in self.states],
            "pairs": [list(pair) for pair in self.pairs],
            **tossed,
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
    start = states = starting_states(space.run) if path[0] == space.start else configurations.states_of(path[0])
    moves: list[tuple[Pair, Draws]] = []
    for y in path[1:]:
        move, states = next(
            (move, after) for move, after in interactions(space.run, states) if configurations.index_of(after) == y
        )
        moves.append(move)
    if last is not None:
        moves.append(next(move for move, after in interactions(space.run, states) if last(states, after)))
    return counterexample(space.run, start, moves)


def counterexample(run: Run, states: list[State], moves: list[tuple[Pair, Draws]]) -> Counterexample:
    pairs, draws = tuple(pair for pair, _ in moves), tuple(shown for _, shown in moves)
    return Counterexample(
        tuple(map(run.protocol.space.shown, states)), pairs, replay_command(run, states, moves), draws
    )


def interactions(run: Run, states: list[State]) -> Iterator[tuple[tuple[Pair, Draws], list[State]]]:
    """Every possible interaction with what its coins show, and the configuration after it."""
    told = told_by_oracle(run, states)
    for i, j in _different_arcs(run.topology, states):
        for _, results, draws in run.protocol.branches(states[i], states[j], told):
            after = list(states)
            after[i], after[j] = results
            yield ((i, j), draws), after


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


def replay_command(run: Run, states: list[State], moves: list[tuple[Pair, Draws]]) -> str:
    """The command line that replays these interactions."""
    words = ["princeps", "run", run.spec, "-n", str(run.n)]
    for name, value in run.protocol.given.items():
        words += ["-p", f"{name}={value}"]
    words += ["--graph", run.topology.text] if run.topology.text != demanded_graph(type(run.protocol)) else []
    words += ["--seed", str(run.seed)] if run.topology.text.startswith(("er:", "regular:")) else []  # of the graph
    if run.protocol.input_field is not None:
        k = run.protocol.space.names.index(run.protocol.input_field)
        words += ["--ids", ",".join(str(state[k]) for state in states)]
    words += ["--force"] if run.force else []
    words += ["--start", "states:" + ";".join(",".join(run.protocol.space.written(state)) for state in states)]
    words += ["--pairs", "list:" + ",".join("/".join((f"{i}-{j}", *map(str, shown))) for (i, j), shown in moves)]
    return command_or_reason(shlex.join(words), run.no_command)
