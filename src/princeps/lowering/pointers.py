"""Calling a compiled function by its address, and reading memory by its address.

A kernel that takes the rule as an argument would be compiled anew for every protocol; one that is handed an address is
compiled once for all of them and found in the cache by every later process.
"""

from __future__ import annotations

from typing import Any

from princeps.lowering.jit import intrinsic, njit


@intrinsic
def call(typingctx: Any, function: Any, first: Any, second: Any, third: Any) -> Any:
    """Call the C function int64 f(int64*, int64*, int64*); all four arguments are addresses."""
    from llvmlite import ir
    from numba import types

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word] * 3)
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), list(args[1:]))

    return types.int64(types.int64, types.int64, types.int64, types.int64), codegen


def _pointer(kind: str) -> Any:
    """To numbers of a type of numba."""

    def declare(typingctx: Any, address: Any) -> Any:
        from numba import types

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

        return types.CPointer(getattr(types, kind))(types.int64), codegen

    return declare


words_at = intrinsic(_pointer("int64"))  # the int64 at an address and after it
unsigned_at = intrinsic(_pointer("uint64"))
halves_at = intrinsic(_pointer("uint32"))
quarters_at = intrinsic(_pointer("uint16"))


@njit
def recount(counts: Any, x: int, y: int, z: int, w: int) -> None:
    """Keep the counts of the tracked predicates, from the marks of two agents before and after; the last count is n."""
    for k in range(counts.size - 1):
        counts[k] += ((z >> k) & 1) + ((w >> k) & 1) - ((x >> k) & 1) - ((y >> k) & 1)
