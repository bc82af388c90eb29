"""Counterexamples as schedules: the shortest way through the chain, as interactions of agents that can be replayed."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from princeps.analysis.chain import Bits
from princeps.analysis.ground import Ground
from princeps.analysis.symmetry import arcs_of
from princeps.lowering.cache import kernel_module
from princeps.model.run import Run, demanded_graph
from princeps.model.starts import starting_states
from princeps.model.states import State
from princeps.model.topology import COMPLETE, Topology


def kernel() -> Any:
    return kernel_module("princeps.analysis.schedules_kernel")


@dataclass(frozen=True)
class Schedule:
    """Interactions from a configuration on; `states` are those of the agents at the beginning."""

    states: tuple[State, ...]
    pairs: tuple[tuple[int, int], ...]
    command: str  # replays it

    def as_json(self, names: tuple[str, ...]) -> dict[str, Any]:
        return {
            "start": [dict(zip(names, state, strict=True)) for state in self.states],
            "pairs": [list(pair) for pair in self.pairs],
            "command": self.command,
        }


def way_to(ground: Ground, sources: Bits, wanted: Bits, without: Bits | None = None) -> Schedule | None:
    """The shortest schedule from some source to some wanted configuration, not through those in `without`."""
    return _way(ground, sources, wanted, False, without)


def way_to_loud(ground: Ground, sources: Bits) -> Schedule | None:
    """The shortest schedule from some source whose last interaction changes an output."""
    return _way(ground, sources, np.zeros(ground.size, np.bool_), True)


def way_out(ground: Ground, members: Bits) -> Schedule | None:
    """One interaction that leads out of a set, None if it is closed."""
    x = int(kernel().first_leak(ground.chain.offsets, ground.chain.successors, members))
    if x < 0:
        return None
    return _concrete(ground, [x], lambda before, after: not members[ground.space.number_of(after)])


def at_once(ground: Ground, x: int) -> Schedule:
    """A configuration that is itself the counterexample."""
    return _concrete(ground, [x], None)


def _way(ground: Ground, sources: Bits, wanted: Bits, to_loud: bool, without: Bits | None = None) -> Schedule | None:
    chain, size = ground.chain, ground.size
    parent, queue = np.full(size, -1, np.int32), np.empty(size, np.int32)
    if without is not None:
        parent[without] = -3
    x, step = kernel().breadth_first(
        *(chain.offsets, chain.successors, chain.loud, sources, wanted, to_loud, parent, queue)
    )
    if x < 0:
        return None
    way = [int(x)]
    while parent[way[-1]] >= 0:
        way.append(int(parent[way[-1]]))
    return _concrete(ground, way[::-1], _outputs_change(ground) if step >= 0 else None)


def met_from(ground: Ground, absorbing: Bits) -> Bits:
    """What can be met from the start if absorbing configurations are not left."""
    seen, queue = np.zeros(ground.size, np.bool_), np.empty(ground.size, np.int32)
    seen[list(ground.starts)] = True
    kernel().meet(ground.chain.offsets, ground.chain.successors, absorbing, seen, queue)
    return seen


Last = Callable[[list[State], list[State]], bool]


def _outputs_change(ground: Ground) -> Last:
    leads = ground.run.protocol.leads
    return lambda before, after: any(leads(a) != leads(b) for a, b in zip(before, after, strict=True))


def _concrete(ground: Ground, way: list[int], last: Last | None) -> Schedule:
    """The interactions of agents that lead along numbered configurations, and then one more that satisfies `last`."""
    space = ground.space
    start = states = starting_states(ground.run) if way[0] == ground.start else space.states_of(way[0])
    pairs: list[tuple[int, int]] = []
    for y in way[1:]:
        pair, states = next(
            (pair, after) for pair, after in interactions(ground.run, states) if space.number_of(after) == y
        )
        pairs.append(pair)
    if last is not None:
        pair, _ = next((pair, after) for pair, after in interactions(ground.run, states) if last(states, after))
        pairs.append(pair)
    return replay(ground.run, start, pairs)


def replay(run: Run, states: list[State], pairs: list[tuple[int, int]]) -> Schedule:
    return Schedule(tuple(states), tuple(pairs), command(run, states, pairs))


def first_member_with(ground: Ground, members: Bits, bad: Bits) -> int | None:
    """A configuration of the set in which two agents of a bad pair of classes may meet."""
    space = ground.space
    x = kernel().first_meeting(space.listed, members, space.form, space.sources, space.targets, bad)
    return None if x < 0 else int(x)


def interactions(run: Run, states: list[State]) -> Iterator[tuple[tuple[int, int], list[State]]]:
    """Every interaction that is possible now, and the configuration after it."""
    for i, j in _different_arcs(run.topology, states):
        after = list(states)
        after[i], after[j] = run.protocol.step(states[i], states[j])
        yield (i, j), after


def _different_arcs(topology: Topology, states: list[State]) -> Iterator[tuple[int, int]]:
    """On a complete graph one arc for each ordered pair of states speaks for all."""
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


def command(run: Run, states: list[State], pairs: list[tuple[int, int]]) -> str:
    """The command line that replays a schedule."""
    words = ["princeps", "run", run.spec, "-n", str(run.n)]
    for name, value in run.protocol.given.items():
        words += ["-p", f"{name}={value}"]
    words += ["--graph", run.topology.text] if run.topology.text != demanded_graph(type(run.protocol)) else []
    words += ["--seed", str(run.seed)] if run.topology.text.startswith(("er:", "regular:")) else []  # of the graph
    if run.protocol.input_field is not None:
        place = run.protocol.space.names.index(run.protocol.input_field)
        words += ["--ids", ",".join(str(state[place]) for state in states)]
    words += ["--force"] if run.force else []
    words += ["--start", "states:" + ";".join(",".join(map(str, state)) for state in states)]
    words += ["--pairs", "list:" + ",".join(f"{i}-{j}" for i, j in pairs)]
    return shlex.join(words)
