"""Which argument of a helper means what, in one call: by place, by name, or by default."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from operator import index
from typing import Any, SupportsIndex

from princeps.lowering.trees import Meaning, plain_function


class CannotBind(Exception):
    """Why not, in a sentence."""


def bound_arguments(
    function: Callable[..., Any], tree: ast.FunctionDef, given: Sequence[Meaning], named: Mapping[str, Meaning]
) -> dict[str, Meaning | int]:
    """As Python binds them; a default is the integer that it was when the function was defined."""
    if tree.args.vararg or tree.args.kwarg:
        raise CannotBind(f"{tree.name} takes other than plain arguments: write them one after the other.")
    signature = inspect.signature(plain_function(function), follow_wrapped=False)
    try:
        found = dict(signature.bind(*given, **named).arguments)
    except TypeError as error:
        if named:
            raise CannotBind(f"{tree.name} cannot be called like this: {error}.") from None
        wanted, count = len(signature.parameters), len(given)
        raise CannotBind(f"{tree.name} takes {wanted} arguments where {count} are given.") from None
    for name, parameter in signature.parameters.items():
        if name not in found and not isinstance(parameter.default, SupportsIndex):
            raise CannotBind(f"{name} of {tree.name} is {parameter.default!r} if it is not given: give an integer.")
        if name not in found:
            found[name] = index(parameter.default)
    return found


def names_given(node: ast.Call) -> list[tuple[str, ast.expr]] | None:
    """The arguments by name, in the order in which Python evaluates them; None if there is a `**`."""
    if any(one.arg is None for one in node.keywords):
        return None
    return [(str(one.arg), one.value) for one in node.keywords]
