"""The configuration in which a run begins, as a list of states. Every engine's start equals this one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from princeps.errors import PrincepsError, RunError, StateError
from princeps.model.formatting import counted, shortened
from princeps.model.given_starts import start_in_sentence
from princeps.model.input_files import opened_text
from princeps.model.numbers import natural
from princeps.model.protocol import Blocks, PopulationProtocol, Uniform
from princeps.model.run import Run
from princeps.model.state_declarations import by_number, is_state
from princeps.model.states import Space, State
from princeps.model.values import shown, whole_number
from princeps.wording import either


def starting_states(run: Run) -> list[State]:
    protocol = run.protocol
    space = protocol.space
    ids = run.ids.values(run.stream("ids")) if run.ids is not None else None
    if run.lists_states:
        return listed_states(run)
    rule = type(protocol).start_rule(run.start)
    if isinstance(rule, Blocks):
        return [state for size, state in starting_blocks(run, rule) for _ in range(size)]
    stream = run.stream("start")
    states = []
    input_field = protocol.input_field
    for i in range(run.n):
        blank = tuple(ids[i] if ids is not None and name == input_field else 0 for name in space.names)
        own: Any = protocol.agent(blank)  # type: ignore[call-arg]
        if isinstance(rule, Uniform):
            states.append(space.random_state(stream, blank))
        else:
            protocol.ask(rule, own, i, run.n, protocol.constants)
            states.append(protocol.values_of(own))
    return states


def starting_blocks(run: Run, start: Blocks) -> list[tuple[int, State]]:
    """How many agents are in which state, in the order of the agents."""
    protocol = run.protocol
    space, what = protocol.space, f"start {start_in_sentence(run.start)}"

    def mistake(sentence: str) -> PrincepsError:
        declared = run.start in type(protocol).starts  # else it was given for this run
        return protocol.mistake(sentence, "starts", start.rule) if declared else RunError(sentence)

    if protocol.input_field is not None:
        raise mistake(f"{what} is given by numbers, but the agents have ids: give a state for each of them.")
    blocks = protocol.ask(start.rule, run.n, protocol.constants)
    try:
        pairs = [(size, state) for state, size in blocks.items()] if isinstance(blocks, Mapping) else list(blocks)
        turned = next((pair for pair in pairs if _is_turned(*pair)), None)
        if turned is not None:
            raise mistake(
                f"{what} has the block {shown(tuple(turned))}: the order is (how many, state), {shown(tuple(turned)[::-1])}."
            )
        rows = [
            (size, _fields_named(protocol, state) if is_state(type(protocol), state) else dict(state))
            for size, state in pairs
        ]
    except (TypeError, ValueError):
        raise mistake(f"{what} must give a list of (agents, {{field: value}}).") from None
    except StateError as error:
        raise mistake(f"{what}: {error}") from None
    found = []
    for size, fields in rows:
        if not isinstance(size, int) or size < 0:
            remedy = "divide with //, like n // 2" if isinstance(size, float) else "give a whole number, 0 or more"
            raise mistake(f"{what} has a block of {shown(size)} agents: {remedy}.")
        try:
            found += [(size, space.read({**dict.fromkeys(space.names, 0), **fields}, what))] if size else []
        except StateError as error:
            raise mistake(str(error)) from None
    total = sum(size for size, _ in found)
    if total != run.n:
        raise mistake(f"{what} has {counted(total, 'agents')} in its blocks for n = {run.n}: let them add up to n.")
    return found


def _is_turned(size: Any, state: Any) -> bool:
    """(state, how many)"""
    return isinstance(size, Mapping | str) and whole_number(state) is not None


def _fields_named(protocol: PopulationProtocol, name: Any) -> dict[str, int]:
    """A state by the name of the value of one field; that of the only field also by its number."""
    known = type(protocol).state_names_
    numbered = by_number(type(protocol), name)
    if numbered is not None:
        return dict([numbered])
    if name not in known:
        remedy = f"the states are {', '.join(known)}" if known else "no field has named values"
        raise StateError(f"{name!r} is no state: {remedy}.")
    return dict([known[name]])


def listed_states(run: Run) -> list[State]:
    """The start file:PATH, json:TEXT or states:1,0;0,2: a state for each agent."""
    if run.states is not None:
        return list(run.states)
    kind, _, text = run.start.partition(":")
    what, where = either(f"--start {kind}:", "start"), either(f"--start {kind}:", "start:")
    if kind == "file":
        what, where = f"state file {text!r}", f"{text}:"
    space = run.protocol.space
    rows: Any
    if kind == "states":
        rows, remedy = text.split(";") if text.strip() else [], "a state for each agent, like '1,0;0,2' in quotes"
    else:
        rows, remedy = _read_json(kind, text), "a JSON list with a state for each agent"
    if not isinstance(rows, list) or len(rows) != run.n:
        found = counted(len(rows), "states") if isinstance(rows, list) else "no list"
        raise RunError(f"{what} has {found} for n = {run.n}: give {remedy}.")
    if kind == "states":
        rows = [_named_values(row, space, f"{where} agent {i}") for i, row in enumerate(rows)]
    states = [space.read(row, f"{where} agent {i}") for i, row in enumerate(rows)]
    name = run.protocol.input_field
    if name is not None and run.ids is not None:
        index = space.names.index(name)
        for i, own in enumerate(run.ids.values(run.stream("ids"))):
            if states[i][index] != own:
                raise RunError(
                    f"{where} agent {i} has {name} = {states[i][index]}, but its id is {own}: "
                    f"list the ids of these states with --ids."
                )
    return states


def _read_json(kind: str, text: str) -> Any:
    """What the file says, or the text itself."""
    try:
        if kind == "json":
            return json.loads(text)
        with opened_text(text) as file:
            return json.load(file)
    except OSError as error:
        raise RunError(f"state file {text!r} cannot be read ({error.strerror}): check the path.") from None
    except (ValueError, RecursionError) as error:
        what, remedy = f"state file {text!r}", "give a list of states"
        if kind == "json":
            what, remedy = f"--start json: {shortened(text)!r}", "give a list of states, all in single quotes"
        raise RunError(f"{what} is not JSON ({error}): {remedy}.") from None


def _named_values(text: str, space: Space, what: str) -> dict[str, Any]:
    """The values of one agent, separated by commas; a word that is no number is left for Space.read."""
    names = space.names
    words = [word.strip() for word in text.split(",")]
    if len(words) != len(names):
        raise StateError(f"{what} has {text.strip()!r}, not one value a field: give {','.join(names)} in this order.")
    return {name: _integer(word) for name, word in zip(names, words, strict=True)}


def _integer(word: str) -> int | str:
    number = natural(word.removeprefix("-"))
    return word if number is None else -number if word.startswith("-") else number
