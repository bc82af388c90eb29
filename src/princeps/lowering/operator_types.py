"""What type an operator gives for numbers, found once: numba would go through all its overloads at every `+`.

A kernel holds thousands of operators on a dozen combinations of types, and looking their types up took a sixth of the
time of compiling.
"""
# mypy: disallow-untyped-calls=False

from __future__ import annotations

import operator
from typing import Any

from numba.core import types
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NopythonTypeInference

_OPERATORS = frozenset(value for value in vars(operator).values() if callable(value))
_NUMBERS = (types.Integer, types.Float, types.Boolean)
MAX_KNOWN = 1 << 14  # constants have types of their own

_known: dict[Any, Any] = {}


class RememberingContext:
    """numba's typing context, except that what was found for an operator on numbers is not looked for again."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
        if kws or not _is_operator(function) or not all(isinstance(kind, _NUMBERS) for kind in args):
            return self._context.resolve_function_type(function, args, kws)
        key = (function, tuple(args))
        signature = _known.get(key)
        if signature is None:
            signature = self._context.resolve_function_type(function, args, kws)
            if signature is not None:
                if len(_known) >= MAX_KNOWN:
                    _known.clear()
                _known[key] = signature
        return signature


def _is_operator(function: Any) -> bool:
    return isinstance(function, types.Function) and function.typing_key in _OPERATORS


@register_pass(mutates_CFG=True, analysis_only=False)
class RememberingTypeInference(NopythonTypeInference):
    _name = "remembering_type_inference"

    def run_pass(self, state: Any) -> bool:
        context = state.typingctx
        state.typingctx = RememberingContext(context)
        try:
            return bool(super().run_pass(state))
        finally:
            state.typingctx = context
