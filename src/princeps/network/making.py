"""The node of one incarnation of one agent of a run."""

from __future__ import annotations

from collections.abc import Sequence

from princeps.model.run import Run
from princeps.model.states import State
from princeps.network.handshake import Node
from princeps.network.membership import Membership, Timing, arcs_of, stream_of


def make_node(
    kind: type[Node],
    run: Run,
    member: Membership,
    agent: int,
    incarnation: int,
    state: State,
    rate: float,
    timing: Timing,
    dead: Sequence[tuple[int, int]],
) -> Node:
    targets, sources = arcs_of(run.topology, agent)
    return kind(
        member,
        agent,
        incarnation,
        state,
        targets,
        sources,
        stream=stream_of(run, agent, incarnation, "clock"),
        coins=stream_of(run, agent, incarnation, "coins") if run.protocol.tosses else None,
        rate=rate,
        timing=timing,
        dead=dead,
    )
