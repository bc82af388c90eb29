"""Calling a compiled function by its address.

A kernel that takes the rule as an argument would be compiled anew for every protocol; one that is handed an address is
compiled once for all of them and found in the cache by every later process.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def call(typingctx: Any, function: Any, first: Any, second: Any, third: Any) -> Any:
    """Call the C function int64 f(int64*, int64*, int64*); all four arguments are addresses."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word] * 3)
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), list(args[1:]))

    return types.int64(types.int64, types.int64, types.int64, types.int64), codegen
