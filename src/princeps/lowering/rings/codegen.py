"""The kernel of one ring algorithm: the text of kernel_text.py with the algorithm's actions inlined.

It does what the plain engine (engines/rings/reference.py) does, step by step: the same schedules, the same draws, the
same time. Messages are nodes of one pool, linked into a queue for each port.
"""

from __future__ import annotations

import ast
from typing import Any

from princeps.lowering.cache import load_kernel
from princeps.lowering.field_code import HEADER, lines, render
from princeps.lowering.guards import ANY, LARGEST, Guards, Interval
from princeps.lowering.memory import remembered
from princeps.lowering.rings.kernel_text import (
    ADVANCE,
    CONTROL,
    EVER_LED,
    HALTED,
    NUMBERS,
    STARTED,
    STATUS_COLUMNS,
    VALUES,
)
from princeps.lowering.rings.label_check import PARAMETERS, PROCESS, LabelCheck
from princeps.lowering.rings.language import (
    A_WORD,
    ME,
    RECEIVED,
    TOSS,
    RingFlattener,
    assigned_first,
    columns,
    ring_vocabulary,
)
from princeps.lowering.status import NOT_SET
from princeps.model.fields import constants_of
from princeps.model.rings.algorithm import LABEL, LEFT, NUMBER, RIGHT, Action, RingAlgorithm


class RingWriter:
    """Writes the kernel of one algorithm; parameters and the ring are its arguments."""

    def __init__(self, algorithm: RingAlgorithm) -> None:
        cls = type(algorithm)
        self.cls, self.variables, self.messages = cls, cls.variables_, cls.messages_
        self.constant_names = sorted(constants_of(algorithm.constants))
        self.words = ring_vocabulary(self.variables, self.messages, self.constant_names)
        self.words.bidirectional = cls.bidirectional
        self.columns = columns(self.variables)
        self.width = len(self.columns) + STATUS_COLUMNS
        self.used: set[str] = set()
        self.sends, self.tosses, self.checked = 0, False, False

    def source(self) -> str:
        start = next(action for action in self.cls.actions if action.message is None)
        self.words.unset = {name for name, variable in self.variables.items() if variable.kind == LABEL}
        begin = self._action(start, "if")
        self.words.unset -= assigned_first(start)
        chains = [self._chain(side) for side in ((LEFT, RIGHT) if self.cls.bidirectional else (LEFT,))]
        dispatch = chains[0]
        if len(chains) == 2:
            dispatch = ["if port < n:", *_indented(chains[0]), "else:", *_indented(chains[1])]
        body = ADVANCE.format(
            start=lines([*begin, *_stop_unset(begin)], 3),
            dispatch=lines(dispatch, 4),
            prologue=self._prologue(),
            load_control=lines([f"{name} = control[{k}]" for k, name in enumerate(CONTROL)], 1),
            save_control=lines([f"control[{k}] = {name}" for k, name in enumerate(CONTROL)], 1),
            load=lines([f"{name} = states[row, {k}]" for k, name in enumerate(self.columns)], 2),
            peaks=self._peaks(),
            unset=lines(_stop_unset(dispatch), 3),
            max_sends=max(1, self.sends),
            max_values=self.max_values,
            STARTED=self.width + STARTED,
            HALTED=self.width + HALTED,
            EVER_LED=self.width + EVER_LED,
            **NUMBERS,
        )
        return HEADER.format(imports="from princeps.lowering.checked import *" if self.checked else "") + body

    @property
    def max_values(self) -> int:
        return max((len(message.values) for message in self.messages), default=0)

    def _chain(self, side: str) -> list[str]:
        """The actions on messages from one side: by kind, and within a kind in the order of the list."""
        out: list[str] = []
        for code, message in enumerate(self.messages):
            fitting = [a for a in self.cls.actions if a.message is message and a.side == side]
            if fitting:
                out.append(f"{'elif' if out else 'if'} kind == {code}:")
                inner = [f"{RECEIVED}_{k} = pool[at, {VALUES + k}]" for k in range(len(message.values))]
                for k, action in enumerate(fitting):
                    inner += self._action(action, "elif" if k else "if")
                out += _indented(inner)
        return out or ["pass"]

    def _action(self, action: Action, word: str) -> list[str]:
        kinds = list(action.message.kinds) if action.message is not None else []
        LabelCheck(action.body, self.variables, [PROCESS, *kinds, PARAMETERS]).body()
        flat = RingFlattener(action.body, self.words, check_domains=True)
        known, guards = self._known(), Guards({}, ANY)
        guard, statement = flat.action(action)
        guard, statement = guards.expression(guard, known), guards.statements(statement, known)
        self.checked |= guards.places > 0
        self.used |= flat.used_params
        text = render(statement, 0).splitlines()
        self.tosses |= any(TOSS in line for line in text)
        self.sends = max(self.sends, sum(line.strip() == "sends += 1" for line in text))
        written = {
            node.id
            for s in statement
            for node in ast.walk(s)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        stores = [f"states[row, {k}] = {name}" for k, name in enumerate(self.columns) if name in written]
        number = list(self.cls.actions).index(action)
        return [f"{word} {ast.unparse(guard)}:", *_indented([f"act = {number}", *text, *stores])]

    def _known(self) -> dict[str, Interval]:
        """Between what bounds the variables of a process lie; strings are no longer than a few rings."""
        out = {
            f"{ME}_{name}": (variable.low, LARGEST if variable.high is None else variable.high)
            for name, variable in self.variables.items()
            if variable.kind == NUMBER and (variable.high is None or isinstance(variable.high, int))
        }
        inner = [column for column in self.columns if column.startswith(f"{A_WORD}_")]
        return out | dict.fromkeys(["n", "j", "sends", *inner], (0, 1 << 31))

    def _prologue(self) -> str:
        out = [f"p_{name} = constants[{k}]" for k, name in enumerate(self.constant_names) if name in self.used]
        for k, (name, variable) in enumerate(self.variables.items()):
            if variable.kind == NUMBER:
                out += [f"low_{name} = {variable.low}", f"high_{name} = tops[{k}]"]
        return lines(out, 1)

    def _peaks(self) -> str:
        growing = [name for name, v in self.variables.items() if v.kind == NUMBER and v.high is None]
        return lines(
            [f"peaks[row, {k}] = max(peaks[row, {k}], {ME}_{name})" for k, name in enumerate(growing)] or ["pass"], 3
        )


def _indented(texts: list[str]) -> list[str]:
    return [f"    {text}" for text in texts]


def _stop_unset(code: list[str]) -> list[str]:
    """After code that may have read a label without a value."""
    reads = any("defined(" in line for line in code)
    return ["if unset[0] != 0:", f"    status = {NOT_SET}", "    break"] if reads else []


def ring_kernel(algorithm: RingAlgorithm) -> tuple[Any, RingWriter]:
    """The compiled `advance` of this algorithm's class."""
    known = remembered(type(algorithm), "ring kernel")
    if not known:
        writer = RingWriter(algorithm)
        try:
            source = writer.source()
        except RecursionError:
            raise algorithm.mistake(
                "its actions are nested too deeply to be compiled, or a function calls itself: shorten them.", "actions"
            ) from None
        known.keep("advance", (load_kernel(source, type(algorithm)).advance, writer))
    found: tuple[Any, RingWriter] = known["advance"]
    return found
