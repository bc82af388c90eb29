"""The ways in which a protocol loses its leader: those that its file declares, else found from the fields that count down."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from princeps.errors import RunError
from princeps.lowering.trees import function_tree
from princeps.model.losses import CREATED, FALLEN, Loss, SoftMin, Spent
from princeps.model.protocol import PopulationProtocol
from princeps.model.run import Run
from princeps.model.written_functions import written_function


def losses_of(run: Run) -> Mapping[str, Loss]:
    """Every one has two level functions at least: to a single one, that of the fields that count down is added."""
    protocol = run.protocol
    cls = type(protocol)
    declared = cls.losses
    if not declared:
        return _default(protocol)
    if all(len(loss.levels) >= 2 for loss in declared.values()):
        return declared
    default = next(iter(_default(protocol).values())).levels
    out: dict[str, Loss] = {}
    for name, loss in declared.items():
        more = [level for level in default if level not in loss.levels][: max(0, 2 - len(loss.levels))]
        out[name] = Loss(loss.kind, *loss.levels, *more)
    return out


def _default(protocol: PopulationProtocol) -> dict[str, Loss]:
    cls = type(protocol)
    names = counting_down(cls)
    of, top = _sum_of(cls, names), sum((protocol.fields[name] or 1) - 1 for name in names)
    levels = SoftMin(of), Spent(of, top=lambda p: top)
    return {kind: Loss(kind, *levels) for kind in (CREATED, FALLEN)}


def counting_down(cls: type[PopulationProtocol]) -> list[str]:
    """Fields from which the rule, or a function of its file, subtracts a number."""
    tree = function_tree(cls.interact)[0]
    found = {
        node.left.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and isinstance(node.left, ast.Attribute)
    }
    names = [name for name in cls.fields_ if name in found]
    if not names:
        raise RunError(
            f"no field of {cls.name} counts down, so that nothing says how near it is to losing its leader: declare "
            f"losses in its file, as docs/hold.md shows."
        )
    return names


def _sum_of(cls: type[PopulationProtocol], names: list[str]) -> Callable[..., Any]:
    """A function of the language that compiled rules are written in."""
    text = f"def counted(a, p):\n    return {' + '.join(f'a.{name}' for name in names)}\n"
    return written_function(text, "counted", f"fields of {cls.name} that count down", {})
