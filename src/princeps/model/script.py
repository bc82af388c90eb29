"""A script: everything that was done to a run, as data that can be kept, sent and replayed.

On disk it is JSON lines. The first is the head: the version of the format, the command that makes the run, and the
content identity of the protocol; of a class that no command can name also its text (carried.py), or why it has none. The
text is data until somebody replays the script. Each other line is one event, a list:

    ["steps", k]            the next k interactions of the seed's own stream
    ["pair", i, j]          initiator i meets responder j, by order
    ["pair", i, j, [1, 0]]  the same, where the rule tosses coins: what they show, one draw after the other
    ["torn", i, j, side]    the same, but only the "initiator" or the "responder" takes its new state; also with draws
    ["set", i, STATE]       agent i is put into a state, a mapping of all fields
    ["set", i, STATE, {"draws": k}]    the same, drawn at random: k words of the stream of faults were used
    ["dead", i]  ["alive", i]  ["cut", i, j]  ["heal", i, j]
    ["deliver", p, side]    on a ring: the next message that waits at this side of process p, or p's start
    ["drop", p, side]       that message is lost
    ["reset", p]            process p forgets everything and starts again at once

Lines of `set` that follow one another are one change: their numbers are those before the first. `["steps", 0]` between
them keeps two changes apart. Where the engine draws interactions in batches, "steps" also says how they were asked for,
["steps", k, {"until": GOAL, "limit": STEPS}], since a batch that is cut is another one. On a ring, the same with null
for both says that nothing could happen after these steps, and that the last messages found no receiver.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any

from princeps.errors import PrincepsError, ProtocolError, RunError
from princeps.model.canonical import content_of_value, tree_of
from princeps.model.carried import Carried
from princeps.model.fields import constants_of
from princeps.model.files import SCRIPT, FilePath, Output
from princeps.model.protocol import PopulationProtocol
from princeps.model.rings.algorithm import RingAlgorithm

FORMAT = 1
DIGITS = 20  # of an identity: 80 bits
SIDES_OF_A_PAIR = ("initiator", "responder")
SIDES_OF_A_PROCESS = ("left", "right")


@dataclass(frozen=True)
class Steps:
    """Interactions of the scheduler; `until` and `limit` are kept where the way of asking matters."""

    count: int
    until: str | None = None
    limit: int | None = None
    is_one_call: bool = False  # how the steps were asked for matters

    def lines(self) -> list[list[Any]]:
        return [
            ["steps", self.count, {"until": self.until, "limit": self.limit}]
            if self.is_one_call
            else ["steps", self.count]
        ]


@dataclass(frozen=True)
class ForcedPair:
    i: int
    j: int
    draws: tuple[int, ...] = ()  # what its coins showed

    def lines(self) -> list[list[Any]]:
        return [["pair", self.i, self.j, *([list(self.draws)] if self.draws else [])]]


@dataclass(frozen=True)
class Torn:
    i: int
    j: int
    side: str
    draws: tuple[int, ...] = ()

    def lines(self) -> list[list[Any]]:
        return [["torn", self.i, self.j, self.side, *([list(self.draws)] if self.draws else [])]]


@dataclass(frozen=True)
class SetStates:
    """Agents put into states, all at once."""

    changes: tuple[tuple[int, Mapping[str, int]], ...]
    draws: int = 0  # words of the stream of faults that were drawn for it: those of the next attack come after them

    def lines(self) -> list[list[Any]]:
        rows: list[list[Any]] = [["set", agent, dict(state)] for agent, state in self.changes]
        if self.draws:
            rows[0].append({"draws": self.draws})
        return rows


@dataclass(frozen=True)
class Dead:
    agent: int

    def lines(self) -> list[list[Any]]:
        return [["dead", self.agent]]


@dataclass(frozen=True)
class Alive:
    agent: int

    def lines(self) -> list[list[Any]]:
        return [["alive", self.agent]]


@dataclass(frozen=True)
class Cut:
    i: int
    j: int

    def lines(self) -> list[list[Any]]:
        return [["cut", self.i, self.j]]


@dataclass(frozen=True)
class Heal:
    i: int
    j: int

    def lines(self) -> list[list[Any]]:
        return [["heal", self.i, self.j]]


@dataclass(frozen=True)
class Deliver:
    process: int
    side: str

    def lines(self) -> list[list[Any]]:
        return [["deliver", self.process, self.side]]


@dataclass(frozen=True)
class Drop:
    process: int
    side: str

    def lines(self) -> list[list[Any]]:
        return [["drop", self.process, self.side]]


@dataclass(frozen=True)
class Reset:
    process: int

    def lines(self) -> list[list[Any]]:
        return [["reset", self.process]]


ScriptEvent = Steps | ForcedPair | Torn | SetStates | Dead | Alive | Cut | Heal | Deliver | Drop | Reset


@dataclass(frozen=True)
class Script:
    """A run and what was done to it."""

    command: str
    identity: str | None  # of the protocol; None where its source cannot be read
    events: tuple[ScriptEvent, ...] = ()
    version: int = FORMAT
    gathered: Carried | None = None  # the class that the command names, if nothing else leads to it
    no_text: str = ""  # why there is none, though it is needed
    place: str = field(default="", compare=False)  # FILE:LINE of the head, if it was read from a file
    places: tuple[tuple[str, ...], ...] = field(
        default=(), compare=False
    )  # of each event; of SetStates, of each change

    @property
    def head(self) -> dict[str, Any]:
        head: dict[str, Any] = {"script": self.version, "command": self.command, "identity": self.identity}
        if self.gathered is not None:
            head["gathered"] = self.gathered.as_json
        return head | ({"no_text": self.no_text} if self.no_text else {})

    def lines(self) -> Iterator[str]:
        """The lines of the file."""
        yield json.dumps(self.head)
        before: ScriptEvent | None = None
        for event in self.events:
            if isinstance(event, SetStates) and isinstance(before, SetStates):
                yield json.dumps(["steps", 0])
            yield from map(json.dumps, event.lines())
            before = event

    def located(self) -> Iterator[tuple[ScriptEvent, tuple[str, ...]]]:
        """The events, each with the lines of the file that say it."""
        return ((event, self.places[k] if self.places else ()) for k, event in enumerate(self.events))

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines())

    def save(self, path: FilePath, *, force: bool = False, inputs: Sequence[str] = ()) -> None:
        """Into a file; one that is no script is replaced only with `force`, and one of the `inputs` never."""
        with Output(checked_path(path), SCRIPT, inputs, force).replacing() as write:
            write(self.text().encode())

    def __repr__(self) -> str:
        return f"<script of {len(self.events)} events: {self.command}>"


@contextmanager
def at_place(place: str) -> Iterator[None]:
    """Whatever is refused within names this line of a script; without one nothing is added."""
    try:
        yield
    except PrincepsError as error:
        if place:
            error.args = (f"{place}: {error}",)
        raise


def checked_path(path: Any) -> str:
    """The path of a script as text."""
    if not isinstance(path, str | PathLike) or isinstance(fspath(path), bytes):
        raise RunError(f"{path!r} is no path of a script: give one like 'attack.script'.")
    return str(fspath(path))


# -- what the protocol was -----------------------------------------------------------------------------------------


def protocol_identity(protocol: PopulationProtocol | RingAlgorithm) -> str | None:
    """The content of the rule and of what it works on; a docstring or another name of a variable does not change it."""
    try:
        content = _population_content(protocol) if isinstance(protocol, PopulationProtocol) else _ring_content(protocol)
    except (ProtocolError, OSError):  # the source is gone: nothing can be compared
        return None
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def _population_content(protocol: PopulationProtocol) -> Any:
    cls = type(protocol)
    constants = {name: str(value) for name, value in sorted(constants_of(protocol.constants).items())}
    fields = [[name, str(size)] for name, size in protocol.fields.items()]
    content = ["population", tree_of(cls.interact), tree_of(cls.is_leader), fields, constants]
    return content if cls.oracle is None else [*content, cls.oracle.name, tree_of(cls.oracle.rule)]


def _ring_content(algorithm: RingAlgorithm) -> Any:
    actions = [[a.name, a.message and a.message.name, a.side, _text_of(a.body)] for a in type(algorithm).actions]
    variables = [
        [name, variable.kind, content_of_value(variable.high)] for name, variable in algorithm.variables_.items()
    ]
    constants = {name: str(value) for name, value in sorted(constants_of(algorithm.constants).items())}
    return ["ring", actions, variables, constants]


def _text_of(body: Callable[..., Any]) -> str:
    """The syntax tree of an action without its docstring; its messages are known by their names."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(body))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    if ast.get_docstring(tree) is not None:
        tree.body = tree.body[1:]
    return ast.dump(tree)
