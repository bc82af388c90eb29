"""The rule as it stands in its file, the paper's line numbers beside it, and the lines that one meeting executes.

Which lines those are is found by executing the rule once more in plain Python, with the states before the meeting and
with coins that show what they must have shown: nothing is drawn from a stream of the run.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType
from typing import Any

from princeps.errors import PrincepsError, ProtocolError
from princeps.model import written_functions
from princeps.model.class_checks import bindings, file_of
from princeps.model.coins import GivenDraws
from princeps.model.protocol import PopulationProtocol
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.sources import meaning_of, names_read, node_of
from princeps.model.states import State
from princeps.model.texts import text_of_file

PAPER_LINE = re.compile(r"#\s*(\d{1,3}[a-z]?(?:\s*-\s*\d{1,3}[a-z]?)?)\b")
TABLE = "table"

Line = dict[str, Any]


# -- the text of the rule -------------------------------------------------------------------------------------------


def rule_of(protocol: PopulationProtocol) -> dict[str, Any] | None:
    """The lines of `interact` and of the functions of the file that it calls, in the order of the file."""
    cls = type(protocol)
    if is_table(protocol):
        found = _table_lines(cls)
        return None if found is None else _shown(file_of(cls), [found])
    try:
        pieces = [_extent(function) for function in rule_functions(protocol)]
    except (ProtocolError, SyntaxError):
        return None  # typed at a prompt: there is no text
    return _shown(protocol.file(), sorted(pieces))


def actions_of(algorithm: RingAlgorithm) -> dict[str, Any] | None:
    """The same of a ring algorithm, with the lines at which each action begins and ends."""
    try:
        extents = [(action.name, *_extent(action.body)) for action in algorithm.actions]
    except (ProtocolError, SyntaxError):
        return None
    shown = _shown(
        algorithm.actions[0].body.__code__.co_filename, sorted({(first, last) for _, first, last in extents})
    )
    if shown is None:
        return None
    return {**shown, "actions": [{"name": name, "first": first, "last": last} for name, first, last in extents]}


def rule_functions(protocol: PopulationProtocol) -> list[FunctionType]:
    """`interact` and what it calls of the same file."""
    rule: Any = inspect.unwrap(protocol.interact)
    file, found, waiting = rule.__code__.co_filename, list[FunctionType](), [rule]
    while waiting:
        function = waiting.pop()
        if function in found:
            continue
        found.append(function)
        for name in names_read(function.__code__):
            other = meaning_of(function, name)
            other = inspect.unwrap(other) if callable(other) else other
            if isinstance(other, FunctionType) and other.__code__.co_filename == file:
                waiting.append(other)
    return found


def is_table(protocol: PopulationProtocol) -> bool:
    return getattr(protocol.interact, "__module__", None) == written_functions.MODULE


def _extent(function: Any) -> tuple[int, int]:
    """First and last line, decorators included."""
    node = node_of(inspect.unwrap(function))
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    first = min([node.lineno, *(one.lineno for one in decorators)])
    return first, node.end_lineno or node.lineno


def _shown(file: str | None, pieces: list[tuple[int, int]]) -> dict[str, Any] | None:
    """The lines of the file from a first to a last one, several times."""
    rows = text_of_file(file).splitlines() if file is not None else []
    lines: list[Line] = []
    for first, last in pieces:
        if last > len(rows):
            return None
        lines += [{"number": k, "text": rows[k - 1], "paper": _paper(rows[k - 1])} for k in range(first, last + 1)]
    name = (file or "").replace("\\", "/").rpartition("/")[2]
    return {"file": name, "first": lines[0]["number"], "lines": lines} if lines else None


def _paper(row: str) -> str | None:
    """The number in a comment like `# 6` or `# 23: ...`."""
    found = PAPER_LINE.search(row)
    return None if found is None else found.group(1).replace(" ", "")


def _table_lines(cls: type) -> tuple[int, int] | None:
    found = next(((line, node) for name, line, node in reversed(bindings(cls)) if name == TABLE), None)
    if found is None:
        return None
    line, node = found
    return line, line + (getattr(node, "end_lineno", 0) or 0) - getattr(node, "lineno", 0)


def _entry_lines(cls: Any, before: tuple[str, str]) -> list[int]:
    """The line of the table's entry for two states, by their names."""
    for name, line, node in bindings(cls):
        if name == TABLE and isinstance(node, ast.Dict):
            for key in node.keys:
                try:
                    pair = tuple(ast.literal_eval(key)) if key is not None else ()
                except (ValueError, TypeError):
                    continue
                if pair == before or (cls.symmetric and pair == before[::-1]):
                    assert key is not None
                    return [line + key.lineno - node.lineno]
    return []


# -- the lines of one meeting ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MeetingLines:
    """The lines of the file that were executed, and the paper's numbers of them, each once and in order."""

    lines: tuple[int, ...]
    paper: tuple[str, ...]
    draws: tuple[int, ...] = ()  # what the coins showed

    def as_json(self) -> dict[str, Any]:
        return {"lines": list(self.lines), "paper": list(self.paper), "draws": list(self.draws)}


def lines_of_meeting(
    protocol: PopulationProtocol, before: tuple[State, State], after: tuple[State, State] | None = None
) -> MeetingLines:
    """What a meeting of two states executes. `after` tells which way the coins fell, and what an oracle said."""
    oracle, draws = _choices(protocol, before, after)
    if is_table(protocol):
        field = next(iter(protocol.fields_.values()))
        names = (field.names[before[0][0]], field.names[before[1][0]])
        return MeetingLines(tuple(_entry_lines(type(protocol), names)), (), draws)
    executed: list[int] = []
    codes = {function.__code__ for function in rule_functions(protocol)}
    with _traced(codes, executed.append):
        protocol.step(*before, GivenDraws(draws) if protocol.tosses else None, oracle)
    lines = tuple(dict.fromkeys(executed))
    rows = text_of_file(protocol.file() or "").splitlines()
    papers = (_paper(rows[line - 1]) for line in lines if line <= len(rows))
    return MeetingLines(lines, tuple(dict.fromkeys(paper for paper in papers if paper is not None)), draws)


def _choices(
    protocol: PopulationProtocol, before: tuple[State, State], after: tuple[State, State] | None
) -> tuple[int, tuple[int, ...]]:
    """The value of the oracle and the draws with which the meeting has this result; of a torn one, with one side of it."""
    if not protocol.has_choices:
        return 0, ()
    found = [
        (result, oracle, draws)
        for oracle in protocol.oracle_values
        for _, result, draws in protocol.branches(*before, oracle)
    ]
    if after is not None:
        whole = [one for one in found if one[0] == after]
        half = [one for one in found if one[0][0] == after[0] or one[0][1] == after[1]]
        found = [*whole, *half, *found]
    return found[0][1:]


@contextmanager
def _traced(codes: set[CodeType], executed: Callable[[int], Any]) -> Iterator[None]:
    """Every line of these functions that is executed by this thread; whoever traced before goes on afterwards."""

    def each_line(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            executed(frame.f_lineno)
        return each_line

    def each_call(frame: FrameType, event: str, argument: Any) -> Any:
        return each_line if frame.f_code in codes else None

    before = sys.gettrace()
    sys.settrace(each_call)
    try:
        yield
    except PrincepsError:  # a rule that fails half-way: the lines up to there
        pass
    finally:
        sys.settrace(before)
