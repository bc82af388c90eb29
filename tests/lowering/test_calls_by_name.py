"""Arguments by name, defaults, named tuples and divmod: compiled rules do what Python does with them."""

from __future__ import annotations

import ctypes
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import princeps
from princeps.errors import ProtocolError
from princeps.lowering.kernels import Kernels
from princeps.lowering.status import Status

FILE = """\
import collections
from princeps import *
TOP = 4
BOX = collections.namedtuple("Box", "low high")(1, 6)
def between(x, low=0, *, high=TOP):
    return min(max(x, low), high)
def put(a, x, *, y=2, z):
    a.x = x
    a.y = between(y, high=4) if z else 3
def share(a, b, total, parts=2):
    a.x, b.x = divmod(total, parts)
class Mine(PopulationProtocol):
    k, case = Param(default=3), Param(min=0, default=0)
    leader, x, y = Bit(), Range(8), Range(8)
    starts = {"initial": Blocks(lambda n, p: [(n, {})])}
    @staticmethod
    def interact(a, b, p):
RULE
"""
EXPRESSIONS = {
    "by name": "between(high=b.x, x=a.y + 1)",
    "all by name, in another order": "between(low=2, high=p.k, x=a.x)",
    "mixed": "between(a.x, high=5, low=b.y)",
    "nested": "between(between(x=a.x, low=1), high=between(b.x, low=3, high=6))",
    "a named tuple": "min(a.x + BOX.low, BOX.high)",
    "a part of divmod": "divmod(a.x - b.y, -3)[1] + 2",
    "the other part": "abs(divmod(a.x - 2 * b.y, p.k)[-2]) % 8",
}
STATEMENTS = {
    "statement": "put(a, z=b.y > 2, x=b.x)",
    "statement by name": "put(x=b.y, a=b, z=1, y=a.x)",
    "swapped by name": "put(b, y=a.x, x=a.y, z=a.x)",
    "divmod": "a.x, b.x = divmod(a.x + b.y, 3)",
    "divmod of what is assigned": "b.y, a.y = divmod(a.y, p.k)",
    "divmod by a negative number": "q, r = divmod(a.x - 5, -3)\n        a.x, b.x = q + 3, -r",
    "divmod in a helper": "share(b, a, parts=3, total=a.x + b.x)",
    "divmod twice assigned": "a.x, b.x = q, r = divmod(7, 1 + a.y)\n        a.y = min(q + r, 7)",
}


DRAWN = {
    "draws by name, in their order": "put(b, y=draw(k=5), x=draw(7), z=coin())",
    "one draw for both parts": "a.x, b.x = divmod(draw(20), 3)",
    "two draws": "a.y, b.y = divmod(draw(8), 1 + draw(2))",
    "beside each other": "a.x, b.x = divmod(draw(6), 2)\n        a.y, b.y = divmod(b.x + draw(5), 4)",
}
REFUSED = {
    "a.x = between(1, z=3)": "between cannot be called like this: got an unexpected keyword argument 'z'",
    "a.x = between(1, x=3)": "between cannot be called like this: multiple values for argument 'x'",
    "put(a, 1)": "put takes 4 arguments where 2 are given",
    "put(a, x=1)": "put cannot be called like this: missing a required.* argument: 'z'",
    "a.x = between(*(1, 2))": "write its arguments out",
    "a.x = between(**{'x': 1})": "write its arguments out",
    "a.x = max(1, 2, key=abs)": "cannot be compiled",
    "q = divmod(a.x, 2)\n        a.x = q[0]": "q, r = divmod",
    "a.x = divmod(a.x, 2)[2]": "cannot be compiled",
}


def protocol_of(folder: Path, rule: str) -> princeps.PopulationProtocol:
    path = folder / "mine.py"
    path.write_text(FILE.replace("RULE", f"        {rule}"))
    found = princeps.protocol(f"{path}:Mine", n=4)
    assert isinstance(found, princeps.PopulationProtocol)
    return found


@pytest.mark.medium
def test_a_compiled_call_is_that_of_python(tmp_path: Path) -> None:
    """All of them in one protocol, which is compiled once."""
    rules = [*(f"a.x = {text}" for text in EXPRESSIONS.values()), *STATEMENTS.values()]
    cases = [f"if p.case == {k}:\n            " + rule.replace("\n", "\n    ") for k, rule in enumerate(rules)]
    path = tmp_path / "mine.py"
    path.write_text(FILE.replace("RULE", "        " + "\n        ".join(cases)))
    states = [(0, x, y) for x in range(8) for y in range(8)]
    for case, rule_text in enumerate(rules):
        protocol = princeps.protocol(f"{path}:Mine", n=4, case=case)
        assert isinstance(protocol, princeps.PopulationProtocol)
        kernels = Kernels(protocol)
        names = protocol.space.names
        rule = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 3)(kernels.rule_at())
        packed = kernels.pack(states).astype(np.int64).ravel()
        compared = 0
        for (i, a), (j, b) in product(enumerate(states), enumerate(states)):
            io = np.array([packed[i], packed[j], 0, 0], np.int64)
            status = rule(io.ctypes.data, kernels.constants.ctypes.data, kernels.tops.ctypes.data)
            try:
                expected = protocol.step(a, b)
            except princeps.PrincepsError:
                assert status != Status.CONTINUE, rule_text
                continue
            compared += 1
            assert status == Status.CONTINUE, rule_text
            after = tuple(kernels.layout.unpack(names, [int(io[k])]) for k in (2, 3))
            assert after == expected, (rule_text, a, b)
        assert compared > 1000, rule_text


@pytest.mark.medium
def test_draws_by_name_and_divided_are_drawn_in_the_order_of_python(tmp_path: Path) -> None:
    for rule in DRAWN.values():
        protocol_of(tmp_path, rule)
        given: dict[str, object] = {"n": 6, "seed": 3, "max_steps": 300, "snapshots": [300]}
        found = [princeps.run(str(tmp_path / "mine.py"), engine=engine, **given) for engine in ("reference", "agents")]
        first, second = (one.snapshots[300].columns() for one in found)
        assert first == second, rule
        assert len(set(map(str, zip(*first.values(), strict=True)))) > 2


@pytest.mark.parametrize("rule", REFUSED)
def test_what_cannot_be_called_is_said_in_a_sentence(tmp_path: Path, rule: str) -> None:
    with pytest.raises(ProtocolError, match=REFUSED[rule]):
        Kernels(protocol_of(tmp_path, rule)).rule_at()
