"""Random expressions of numbers and truth values, compiled by numba, are what Python makes of them."""

from __future__ import annotations

import ctypes
import random
from pathlib import Path

import numpy as np
import pytest

import princeps
from princeps.lowering.kernels import Kernels
from princeps.lowering.status import Status

FIELDS = 24
TOP = 97
LEAVES = ["a.f0", "b.f1", "a.f2", "b.f3", "p.k", "K", "True", "3", "(-7)", "local"]
FILE = """\
from princeps.model import *
K = -12
class Mine(PopulationProtocol):
    k = Param(default=5)
FIELDS
    @staticmethod
    def is_leader(a, p):
        return a.f0
    @staticmethod
    def interact(a, b, p):
        local = a.f1 > b.f0
RULES
"""


def expression(draw: random.Random, depth: int) -> str:
    """Small enough that nothing leaves 64 bits."""
    if depth == 0 or draw.random() < 0.1:
        return draw.choice(LEAVES)
    x, y, z = (expression(draw, depth - 1) for _ in range(3))
    return draw.choice(
        [
            f"({x} {draw.choice('+-&|^')} {y})",
            f"({x} * ({y} % 9))",
            f"({x} // (abs({y}) + 1))",
            f"({x} // -(abs({y}) + 2))",
            f"({x} % (abs({y}) + 1))",
            f"({x} % -(abs({y}) + 3))",
            f"(({x}) >> (({y}) & 7))",
            f"(({x}) << (({y}) & 3))",
            f"{draw.choice(['min', 'max'])}({x}, {y}, {z})",
            f"abs({x})",
            f"(-({x}))",
            f"({x} {draw.choice(['<', '<=', '==', '!=', '>', '>='])} {y})",
            f"({x} < {y} <= {z})",
            f"({x} and {y})",
            f"({x} or {y})",
            f"(not {x})",
            f"bool({x})",
            f"int({x})",
            f"({x} if {y} else {z})",
            f"({x} {draw.choice(['in', 'not in'])} ({y}, {z}, 3))",
            f"({x} in range({y}, {z}))",
            f"(({x}, {y}) {draw.choice(['<', '<=', '==', '!=', '>', '>='])} ({z}, 1))",
            f"(({x}, {y}) in (({z}, 0), (1, local)))",
        ]
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_compiled_expressions_of_numbers_and_truths(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    rules = [f"        a.f{k} = abs({expression(draw, 3)}) % {TOP}" for k in range(FIELDS)]
    fields = [f"    f{k} = Range({TOP})" for k in range(FIELDS)]
    path = tmp_path / "mine.py"
    path.write_text(FILE.replace("FIELDS", "\n".join(fields)).replace("RULES", "\n".join(rules)))
    protocol = princeps.protocol(f"{path}:Mine", n=4)
    kernels = Kernels(protocol)
    rule = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 3)(kernels.rule_at())
    words = kernels.layout.words
    for _ in range(500):
        before = [tuple(draw.choice([0, 1, 2, TOP - 1, draw.randrange(TOP)]) for _ in range(FIELDS)) for _ in "ab"]
        io = np.zeros(4 * words, np.int64)
        io[: 2 * words] = kernels.pack(before).astype(np.int64).ravel()
        status = rule(io.ctypes.data, kernels.constants.ctypes.data, kernels.tops.ctypes.data)
        assert status == Status.CONTINUE
        after = tuple(kernels.layout.unpack(protocol.space.names, io[k * words : (k + 1) * words]) for k in (2, 3))
        assert after == protocol.step(before[0], before[1])
