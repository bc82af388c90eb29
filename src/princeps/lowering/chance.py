"""Compiled twins of model/randomness.py: the same words, the same unbiased draws, in machine code.

Pairs are drawn ahead in blocks. Where the agents do not fit into the processor's cache, their memory is requested a few
interactions before it is used, while others interact: 4x faster at n = 10^7, no difference below 10^5.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.jit import intrinsic, njit

PREFETCH_DISTANCE = 12  # interactions between the request for an agent's memory and its use
# How a pair is drawn. LISTED: from a given list; DRAWN_OUTSIDE: by Python, not in a kernel.
COMPLETE, DIRECTED_RING, UNDIRECTED_RING, ARCS, LISTED, SELF_MEETING, DRAWN_OUTSIDE = range(7)


@intrinsic
def multiply_high(typingctx: Any, a: Any, b: Any) -> Any:
    """The upper 64 bits of a 128-bit product of two uint64."""
    from llvmlite import ir
    from numba import types

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic
def prefetch(typingctx: Any, array: Any, index: Any) -> Any:
    """Ask for the cache line of array[index] (first axis), to be written soon."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        view = context.make_array(kind)(context, builder, args[0])
        stride = cgutils.unpack_tuple(builder, view.strides)[0]
        offset = builder.mul(stride, builder.zext(args[1], stride.type))
        byte = ir.IntType(8)
        base = builder.bitcast(view.data, byte.as_pointer())
        address = builder.gep(base, [offset])
        i32 = ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [byte.as_pointer(), i32, i32, i32]),
            "llvm.prefetch.p0",
        )
        builder.call(function, [address, ir.Constant(i32, 1), ir.Constant(i32, 3), ir.Constant(i32, 1)])
        return context.get_dummy_value()

    return types.void(array, types.uint32), codegen


@njit
def next_word(s0: Any, s1: Any, s2: Any, s3: Any) -> Any:
    """The next word of xoshiro256++, and its next state."""
    x = s0 + s3
    word = ((x << np.uint64(23)) | (x >> np.uint64(41))) + s0
    t = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    return word, s0, s1, s2, (s3 << np.uint64(45)) | (s3 >> np.uint64(19))


@njit
def draw_block(
    kind: int, n: int, sources: Any, targets: Any, rng: Any, left: Any, right: Any, agents: Any, ahead: bool
) -> None:
    """Fill the block with the next pairs of the schedule."""
    s0, s1, s2, s3 = rng[0], rng[1], rng[2], rng[3]
    if kind == COMPLETE:
        bound = np.uint64(n) * np.uint64(n - 1)
    elif kind == DIRECTED_RING:
        bound = np.uint64(n)
    elif kind == UNDIRECTED_RING:
        bound = np.uint64(2) * np.uint64(n)
    elif kind == SELF_MEETING:
        bound = np.uint64(n) * np.uint64(n)
    else:
        bound = np.uint64(sources.size)
    threshold = (np.uint64(0) - bound) % bound
    size = left.size
    k = 0
    while k < size:
        word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
        if word * bound < threshold:
            continue
        if kind == COMPLETE:  # i and j are the two digits of a number below n(n-1), without a division
            i = multiply_high(word, np.uint64(n))
            j = multiply_high(word * np.uint64(n), np.uint64(n - 1))
            j += np.uint64(j >= i)
        elif kind == SELF_MEETING:
            i = multiply_high(word, np.uint64(n))
            j = multiply_high(word * np.uint64(n), np.uint64(n))
        else:
            edge = multiply_high(word, bound)
            if kind == DIRECTED_RING:
                i = edge
                j = np.uint64(0) if edge + np.uint64(1) == bound else edge + np.uint64(1)
            elif kind == UNDIRECTED_RING:
                i = edge >> np.uint64(1)
                j = np.uint64(0) if i + np.uint64(1) == np.uint64(n) else i + np.uint64(1)
                if edge & np.uint64(1):
                    i, j = j, i
            else:
                i = np.uint64(sources[edge])
                j = np.uint64(targets[edge])
        left[k] = i
        right[k] = j
        if ahead and k < PREFETCH_DISTANCE:  # the others are requested while these interact
            prefetch(agents, np.uint32(i))
            prefetch(agents, np.uint32(j))
        k += 1
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3


@njit
def next_below(rng: Any, bound: Any) -> Any:
    """Uniform in 0..bound-1, the compiled twin of Stream.below."""
    while True:
        word, rng[0], rng[1], rng[2], rng[3] = next_word(rng[0], rng[1], rng[2], rng[3])
        low = word * bound
        if low >= bound or low >= (np.uint64(0) - bound) % bound:  # the division is hardly ever needed
            return multiply_high(word, bound)


@njit(cache=True)
def random_words(rng: Any, total: Any, sizes: Any, lows: Any, lengths: Any, word_of: Any, shift: Any, out: Any) -> None:
    """Uniform legal states into `out` (agents x words): Space.random_state, packed."""
    for agent in range(out.shape[0]):
        k = np.int64(next_below(rng, total))
        group = 0
        while k >= sizes[group]:
            k -= sizes[group]
            group += 1
        for word in range(out.shape[1]):
            out[agent, word] = 0
        for field in range(lows.shape[1] - 1, -1, -1):
            length = lengths[group, field]
            value = lows[group, field] + k % length
            k //= length
            out[agent, word_of[field]] |= value << shift[field]


@njit(cache=True)
def shuffle(rng: Any, items: Any) -> None:
    """Fisher-Yates, the compiled twin of Stream.shuffle."""
    for i in range(items.size - 1, 0, -1):
        j = next_below(rng, np.uint64(i + 1))
        items[i], items[j] = items[j], items[i]
