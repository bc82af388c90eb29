"""A notebook without Jupyter: every cell is a text of its own, and all of them share their names."""

from __future__ import annotations

import linecache
from itertools import count
from typing import Any

import pytest

_numbers = count()


class Notebook:
    """`notebook.cell(text)` executes a cell; `notebook["Mine"]` is what a name stands for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.cell("import math\nimport princeps\nfrom princeps import *\n")

    def cell(self, text: str) -> None:
        name = f"<cell {next(_numbers)}>"
        self.monkeypatch.setitem(linecache.cache, name, (len(text), None, text.splitlines(True), name))
        exec(compile(text, name, "exec", dont_inherit=True), self.names)

    def __getitem__(self, name: str) -> Any:
        return self.names[name]


CONSTANT = "L = 1\n"
HELPER = "def hit(a):\n    return a.x == L\n"
START = 'def initial(n, p):\n    return [(n, {"leader": 1, "x": L})]\n'
MINE = """
class Mine(PopulationProtocol):
    leader = Bit()
    x = Range(4)
    starts = {"initial": Blocks(initial)}

    def interact(a, b, p):
        if a.leader == 1 and b.leader == 1 and hit(a):
            b.leader = 0
"""


def with_mine(monkeypatch: pytest.MonkeyPatch) -> Notebook:
    """A protocol whose constant, helper and start stand in cells of their own."""
    notebook = Notebook(monkeypatch)
    for text in (CONSTANT, HELPER, START, MINE):
        notebook.cell(text)
    return notebook
