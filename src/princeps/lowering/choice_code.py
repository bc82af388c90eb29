"""The text of kernels whose rule tosses coins or reads an oracle; without either the text of codegen.py is used as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from princeps.lowering.field_code import lines
from princeps.lowering.trees import DRAW, draws_in

if TYPE_CHECKING:
    from princeps.lowering.codegen import Writer

# Indices of the memory that choices.py describes, which needs numba and is not imported here.
ORACLE, RANDOM, STREAM, REFUSED, GIVEN, MADE, ROOM, PATH = 0, 1, 2, 6, 7, 8, 9, 10
TOSSED = 5  # length of the array `choices` in the loop over packed agents: the stream, and whether a draw was refused
REFUSED_TOSS = 4  # the index of the latter

IMPORT_TOSS = f"from princeps.lowering.choices import toss as {DRAW}\n"
IMPORT_TAKE = "from princeps.lowering.choices import take"

TAKE = """
@njit
def {draw}(io, k):
    return take(io, {base}, k)

"""

COINS = ", ".join(f"choices[{word}]" for word in range(REFUSED_TOSS))  # comes first in it
# A pair that is refused leaves the coins as they were, so that Python can repeat it.
KEPT, RESTORED = (
    f"            kept = {COINS}\n",
    f"                {COINS} = kept\n",
)


def with_choices(advance: str) -> str:
    """The loop over packed agents, with one more argument: the array `choices`."""
    advance = _replaced(advance, "budget, ahead):", "budget, ahead, choices):")
    advance = _replaced(advance, "            bad = 0\n", f"            bad = 0\n{KEPT}")
    return _replaced(
        advance, "            if bad != 0:\n", f"            if bad != 0 or choices[{REFUSED_TOSS}] != 0:\n{RESTORED}"
    )


def rule_with_choices(rule: str, width: int) -> str:
    """The function with an address, on memory that ends with what choices.py describes."""
    base = 4 * width
    rule = _replaced(rule, "    bad = 0\n", "    bad = 0\n    choices = io\n")
    rule = _replaced(rule, "    if bad != 0:\n", f"    if bad != 0 or io[{base + REFUSED}] != 0:\n")
    return TAKE.format(draw=DRAW, base=base) + rule


def rule_oracle(writer: Writer, width: int) -> str:
    oracle = writer.protocol.oracle
    return "" if oracle is None else lines([f"p_{oracle.name} = io[{4 * width + ORACLE}]"], 1)


def choice_cells(writer: Writer) -> int:
    """Words of the memory behind the agents: a rule makes no more draws than stand in its code, which has no loops."""
    body, _ = writer.guarded_rule(writer.guards())
    return PATH + 2 * draws_in(*body)


def _replaced(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, old
    return text.replace(old, new)
