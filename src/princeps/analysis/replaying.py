"""How a schedule that was found is repeated: a command line, and for torn interactions a script as well."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from princeps.model import registry
from princeps.model.naming import command_or_reason
from princeps.model.run import Run, demanded_graph
from princeps.model.scheduler import Pair
from princeps.model.script import ForcedPair, Script, Torn, protocol_identity
from princeps.model.script_codes import code_of
from princeps.model.script_text import with_text
from princeps.model.states import State

Draws = tuple[int, ...]


class Move(NamedTuple):
    """One interaction: initiator and responder, what its coins show, and if it is torn, who takes its new state."""

    pair: Pair
    draws: Draws = ()
    side: str | None = None

    @property
    def event(self) -> ForcedPair | Torn:
        """Of a script."""
        return ForcedPair(*self.pair, self.draws) if self.side is None else Torn(*self.pair, self.side, self.draws)


def replay_command(run: Run, states: Sequence[State], moves: Sequence[Move], until: str | None = None) -> str:
    """The command line that replays these interactions."""
    if any(move.side for move in moves):
        return _script_command(run, script_of(run, states, moves, until))
    words = ["princeps", "run", run.spec, "-n", str(run.n)]
    for name, value in run.protocol.given.items():
        words += ["-p", f"{name}={value}"]
    words += ["--graph", run.topology.text] if run.topology.text != demanded_graph(type(run.protocol)) else []
    words += ["--seed", str(run.seed)] if run.topology.text.startswith(("er:", "regular:")) else []  # of the graph
    if run.protocol.input_field is not None:
        words += ["--ids", _ids(run, states)]
    words += ["--force"] if run.force else []
    words += ["--start", _start(run, states)]
    words += ["--pairs", "list:" + ",".join("/".join((f"{i}-{j}", *map(str, shown))) for (i, j), shown, _ in moves)]
    return command_or_reason(shlex.join(words), run.no_command)


def script_of(run: Run, states: Sequence[State], moves: Sequence[Move], until: str | None = None) -> Script:
    """The same as a script, which can tear interactions; it begins in these states."""
    ids_text = _ids(run, states) if run.protocol.input_field is not None else ""
    begun = replace(run, start=_start(run, states), until=until or run.until, ids_text=ids_text)
    events = tuple(move.event for move in moves)
    plain = Script(begun.words(), protocol_identity(run.protocol), events)
    return with_text(plain, begun, type(run.protocol))


def _script_command(run: Run, script: Script) -> str:
    if run.spec in registry.names():
        return f"princeps run --script {code_of(script)}"
    return command_or_reason("", f"no code of a script names {run.spec}: write it with --save-script FILE")


def _start(run: Run, states: Sequence[State]) -> str:
    return "states:" + ";".join(",".join(run.protocol.space.written(state)) for state in states)


def _ids(run: Run, states: Sequence[State]) -> str:
    assert run.protocol.input_field is not None
    k = run.protocol.space.names.index(run.protocol.input_field)
    return ",".join(str(state[k]) for state in states)
