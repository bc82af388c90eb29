"""The configuration in which a run begins, as a list of states. Every engine's start equals this one."""

from __future__ import annotations

import json
from typing import Any

from princeps.errors import ProtocolError, RunError
from princeps.model.protocol import Blocks, Uniform
from princeps.model.run import Run
from princeps.model.states import State


def starting_states(run: Run) -> list[State]:
    protocol = run.protocol
    space = protocol.space
    ids = run.ids.values(run.stream("ids")) if run.ids is not None else None
    if run.start.startswith("file:"):
        return states_from_file(run)
    rule = type(protocol).starts[run.start]
    if isinstance(rule, Blocks):
        return [state for size, state in starting_blocks(run, rule) for _ in range(size)]
    stream = run.stream("start")
    states = []
    input_field = protocol.input_field
    for i in range(run.n):
        blank = tuple(ids[i] if ids is not None and name == input_field else 0 for name in space.names)
        own: Any = protocol.agent(blank)  # type: ignore[call-arg]
        if isinstance(rule, Uniform):
            states.append(space.random_state(stream, own.values()))
        else:
            protocol.ask(rule, own, i, run.n, protocol.constants)
            states.append(own.values())
    return states


def starting_blocks(run: Run, start: Blocks) -> list[tuple[int, State]]:
    """How many agents are in which state, in the order of the agents."""
    protocol = run.protocol
    space, blocks = protocol.space, protocol.ask(start.rule, run.n, protocol.constants)
    if protocol.input_field is not None:
        raise ProtocolError(f"start {run.start!r} is given by numbers, but the agents have ids.", protocol.file())
    try:
        rows = [(size, dict(fields)) for size, fields in blocks]
    except (TypeError, ValueError):
        text = f"start {run.start!r} must give a list of (agents, {{field: value}})."
        raise ProtocolError(text, protocol.file()) from None
    found = []
    for size, fields in rows:
        if not isinstance(size, int) or size < 0:
            raise ProtocolError(f"start {run.start!r} has a block of {size!r} agents.", protocol.file())
        if size:
            found.append((size, space.read({**dict.fromkeys(space.names, 0), **fields}, f"start {run.start!r}")))
    if sum(size for size, _ in found) != run.n:
        total = sum(size for size, _ in found)
        raise ProtocolError(f"start {run.start!r} has {total} agents in its blocks for n = {run.n}.", protocol.file())
    return found


def states_from_file(run: Run) -> list[State]:
    path = run.start.removeprefix("file:")
    try:
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)
    except OSError as error:
        raise RunError(f"state file {path!r} cannot be read ({error.strerror}): check the path.") from None
    except (ValueError, RecursionError) as error:
        raise RunError(f"state file {path!r} is not JSON ({error}): give a list of states.") from None
    if not isinstance(rows, list) or len(rows) != run.n:
        found = f"{len(rows)} states" if isinstance(rows, list) else "no list"
        raise RunError(
            f"state file {path!r} has {found} for n = {run.n}: give a JSON list with a state for each agent."
        )
    states = [run.protocol.space.read(row, f"{path}: agent {i}") for i, row in enumerate(rows)]
    name = run.protocol.input_field
    if name is not None and run.ids is not None:
        place = run.protocol.space.names.index(name)
        for i, own in enumerate(run.ids.values(run.stream("ids"))):
            if states[i][place] != own:
                raise RunError(
                    f"{path}: agent {i} has {name} = {states[i][place]}, but its id is {own}: "
                    f"list the ids of the file with --ids."
                )
    return states
