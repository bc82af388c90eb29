"""What a process of a ring writes down: one line an event, before anything that depends on it leaves the process.

    ["start", p, i, [action, digest, left, right], tosses]                   the first action of process p, incarnation i
    ["reset", p, i, [action, digest, left, right], tosses]                   the same of an incarnation that forgot everything
    ["deliver", p, i, side, number, message, [action, digest, left, right], tosses]
    ["stuck", p, i, side, number, message]                                   no action is enabled for this message
    ["failed", p, i, side, number, message, sentence]                        its action could not be completed
    ["lost", p, i, side, first, last]                                        the neighbour forgot these numbers
    ["resume", p, i]                                                         an incarnation that goes on from its log
    ["ended", p, i, side, number]                                            from this number on nothing can come from there
    ["tally", p, i, {counter: number}]                                       what the links counted; not part of the execution

`digest` is that of the state after the action and of what was sent; `left` and `right` count what the process has sent
to either side in all its incarnations. These numbers order the lines of different processes without a clock.
"""

from __future__ import annotations

import json
from typing import Any

from princeps.model.rings.algorithm import LEFT

START, RESET, DELIVER, STUCK, FAILED = "start", "reset", "deliver", "stuck", "failed"
LOST, RESUME, ENDED, TALLY = "lost", "resume", "ended", "tally"
ACTIONS = (START, RESET, DELIVER)  # the lines of actions that were taken
LINES_OF_ACTIONS = tuple(f'["{event}"' for event in ACTIONS)  # how they begin

Record = list[Any]


def as_line(record: Record) -> str:
    return json.dumps(record, separators=(",", ":"))


def read_line(line: str) -> Record | None:
    """None: the writer was killed in the middle of the line, so that nothing that depends on it has left it."""
    try:
        record = json.loads(line)
    except json.JSONDecodeError:
        return None
    return record if isinstance(record, list) else None


def effect_of(record: Record) -> Any:
    """[action, digest, left, right] of a line of ACTIONS."""
    return record[6] if record[0] == DELIVER else record[3]


def tosses_of(record: Record) -> list[list[int]]:
    """The coins of a line of ACTIONS: the number of sides and what came up, one after the other."""
    found: list[list[int]] = record[7] if record[0] == DELIVER else record[4]
    return found


def port_of(process: int, side: str, n: int) -> int:
    """As engines number them: port i is process i's left side, n + i its right side."""
    return process if side == LEFT else n + process
