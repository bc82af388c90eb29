"""The rule, the predicates and the goal as C functions with an address, for the kernels that serve every protocol.

Each takes three pointers to int64 and returns an int64, so that one way of calling fits all.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from princeps.lowering.choice_code import IMPORT_TAKE, rule_oracle, rule_with_choices
from princeps.lowering.codegen import Writer
from princeps.lowering.field_code import IMPORT_STATUSES, header, lines, render
from princeps.lowering.intervals import Intervals
from princeps.lowering.trees import TheCounts, TheParams
from princeps.model.protocol import Counted, Predicate

IMPORTS = """
from princeps.lowering.jit import cfunc

SIGNATURE = "int64(CPointer(int64), CPointer(int64), CPointer(int64))"
FAILED = -1
"""

RULE = """
@njit
def interact(io, constants, tops):
{prologue}
{unpack}
    bad = 0
{rule}
    if bad != 0:
        return OUTSIDE_DOMAIN
{pack}
    return CONTINUE


@cfunc(SIGNATURE)
def meet(io, constants, tops):
    try:
        return interact(io, constants, tops)
    except Exception:
        return RULE_FAILED
"""

MARKS = """
@njit
def marks_of(state, constants):
{prologue}
{unpack}
    out = 0
{marks}
    return out


@cfunc(SIGNATURE)
def mark(state, constants, unused):
    try:
        return marks_of(state, constants)
    except Exception:
        return FAILED
"""

GOAL = """
@njit
def is_met(counts, constants):
{prologue}
{counts}
    return int64(({test}) != 0)


@cfunc(SIGNATURE)
def met(counts, constants, unused):
    try:
        return is_met(counts, constants)
    except Exception:
        return FAILED  # not 0: the engine stops, and asks the goal in Python
"""

REACH = """
@cfunc(SIGNATURE)
def within(lows, highs, constants):
{prologue}
{counts}
    return int64({test})
"""


def rule_source(writer: Writer) -> str:
    """`meet`: io holds two agents, then what they become. Returns a status (see lowering/status.py)."""
    guards = writer.guards()
    body, used = writer.guarded_rule(guards)
    width = writer.layout.words
    template, imports, told = RULE, f"{IMPORTS}\n{IMPORT_STATUSES}", ""
    if writer.protocol.has_choices:
        template, imports = rule_with_choices(RULE, width), f"{imports}\n{IMPORT_TAKE}"
        told = rule_oracle(writer, width)
    cells = [[f"io[{block * width + w}]" for w in range(width)] for block in range(4)]
    return header(imports, guards) + template.format(
        prologue=writer.prologue(used, 1) + writer.tops(1) + told,
        unpack=writer.unpack_cells("l", cells[0], 1, "x") + writer.unpack_cells("r", cells[1], 1, "y"),
        rule=render(body, 1),
        pack=writer.pack_cells("l", cells[2], 1, "u") + writer.pack_cells("r", cells[3], 1, "v"),
    )


def marks_source(writer: Writer, predicates: Sequence[Predicate]) -> str:
    """`mark`: a bit for each predicate that the state satisfies; negative where one of them fails."""
    marks, used, guards = [], set(), writer.guards()
    for k, predicate in enumerate(predicates):
        text, params = writer.guarded_predicate(predicate, guards)
        marks.append(f"out |= int64(({text}) != 0) << {k}")
        used |= params
    cells = [f"state[{w}]" for w in range(writer.layout.words)]
    return header(IMPORTS, guards) + MARKS.format(
        prologue=writer.prologue(used, 1), unpack=writer.unpack_cells("l", cells, 1, "x"), marks=lines(marks, 1)
    )


def goal_source(writer: Writer, goal: Counted, tracked: Sequence[str]) -> str:
    """`met`: is the goal true of these counts? The last of them is n. Negative where it cannot be told."""
    flat, guards = writer.goal_flattener(goal), writer.guards()
    test = ast.unparse(guards.expression(flat.expression([TheCounts(), TheParams()])))
    names = [*(f"c_{name}" for name in tracked), "n"]
    return header(IMPORTS, guards) + GOAL.format(
        prologue=writer.prologue(flat.used_params, 1),
        counts=lines([f"{name} = counts[{k}]" for k, name in enumerate(names)], 1),
        test=test,
    )


def reach_source(writer: Writer, goal: Counted, tracked: Sequence[str], fails: bool = False) -> str:
    """`within`: can the goal be true (or fail to be) of some counts between these lows and highs?"""
    flat = writer.goal_flattener(goal)
    tree = flat.expression([TheCounts(), TheParams()])
    tree = ast.UnaryOp(ast.Not(), tree) if fails else tree
    names = [*(f"c_{name}" for name in tracked), "n"]
    imports = f"{IMPORTS}\nfrom princeps.lowering.intervals import *"
    return header(imports, writer.guards()) + REACH.format(
        prologue=writer.prologue(flat.used_params, 1),
        counts=lines([f"{name} = (float(lows[{k}]), float(highs[{k}]))" for k, name in enumerate(names)], 1),
        test=Intervals().possible(tree),
    )
