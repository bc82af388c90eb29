"""What a compiled rule draws its coins from, and reads its oracle from.

In the loop over packed agents `choices` is an array: the state of the coins' random stream, and whether a draw was
refused. In the function with an address (callables.py) it is memory behind the two agents and what they become:

    ORACLE     what the oracle says                       STREAM     four words: the state of the coins' stream
    RANDOM     1: draw from the stream; 0: as PATH says   REFUSED    1 after a draw from fewer than one value
    GIVEN      how many draws PATH says                   MADE       how many draws there were in this execution
    PATH       pairs (what was drawn, from how many)      ROOM       how many draws PATH has room for

Without randomness draws beyond those given are 0, and PATH tells afterwards from how many values each was drawn. So all
results of an interaction are found by executing the rule once for every path, as model/coins.py does it in Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.lowering.chance import multiply_high, next_below, next_word
from princeps.lowering.choice_code import GIVEN, MADE, PATH, RANDOM, REFUSED, REFUSED_TOSS, ROOM, STREAM
from princeps.lowering.jit import njit
from princeps.lowering.pointers import call
from princeps.lowering.status import CONTINUE


@njit
def toss(choices: Any, k: int) -> Any:
    """One of 0..k-1: the compiled twin of Stream.below. A draw from nothing is noted; the engine explains it."""
    if k < 1:
        choices[REFUSED_TOSS] = 1
        return 0
    return np.int64(next_below(choices, np.uint64(k)))


@njit
def take(io: Any, base: int, k: int) -> Any:
    """The next draw of the rule, in the memory that begins at io[base]."""
    made = io[base + MADE]
    if k < 1 or made >= io[base + ROOM]:
        io[base + REFUSED] = 1
        return 0
    value = np.int64(0)
    if io[base + RANDOM] != 0:
        value = take_random(io, base, k)
    elif made < io[base + GIVEN]:
        value = io[base + PATH + 2 * made]
    io[base + PATH + 2 * made] = value
    io[base + PATH + 2 * made + 1] = k
    io[base + MADE] = made + 1
    return value


@njit
def take_random(io: Any, base: int, k: int) -> Any:
    """next_below, on a stream in this memory."""
    s0, s1 = np.uint64(io[base + STREAM]), np.uint64(io[base + STREAM + 1])
    s2, s3 = np.uint64(io[base + STREAM + 2]), np.uint64(io[base + STREAM + 3])
    bound = np.uint64(k)
    while True:
        word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
        low = word * bound
        if low >= bound or low >= (np.uint64(0) - bound) % bound:
            break
    io[base + STREAM], io[base + STREAM + 1] = np.int64(s0), np.int64(s1)
    io[base + STREAM + 2], io[base + STREAM + 3] = np.int64(s2), np.int64(s3)
    return np.int64(multiply_high(word, bound))


@njit
def begin_random(io: Any, base: int, coins: Any) -> None:
    """The next execution draws from these coins."""
    io[base + RANDOM], io[base + MADE], io[base + REFUSED] = 1, 0, 0
    for word in range(4):
        io[base + STREAM + word] = np.int64(coins[word])


@njit
def keep_stream(io: Any, base: int, coins: Any) -> None:
    """What the execution has left of the stream."""
    for word in range(4):
        coins[word] = np.uint64(io[base + STREAM + word])


@njit
def begin_paths(io: Any, base: int) -> None:
    io[base + RANDOM] = io[base + GIVEN] = io[base + MADE] = io[base + REFUSED] = 0


@njit
def next_path(io: Any, base: int) -> bool:
    """After an execution: to the next path; False after the last."""
    made = io[base + MADE]
    while made > 0:
        last = base + PATH + 2 * (made - 1)
        if io[last] + 1 < io[last + 1]:
            io[last] += 1
            io[base + GIVEN] = made
            io[base + MADE] = 0
            return True
        made -= 1
    return False


@njit
def may_change(io: Any, base: int, rule: int, io_at: int, constants_at: int, tops_at: int, most_paths: int) -> bool:
    """Can some result of this interaction be another pair of states?

    A rule that fails counts as a change, and so does one with too many paths to follow.
    """
    half = base // 2
    begin_paths(io, base)
    for _ in range(most_paths):
        if call(rule, io_at, constants_at, tops_at) != CONTINUE:
            return True
        for w in range(half):
            if io[w] != io[half + w]:
                return True
        if not next_path(io, base):
            return False
    return True


@njit
def ask_oracle(oracle: int, counts_at: int, constants_at: int) -> Any:
    """0 or 1; negative if it fails, and 0 if there is none."""
    if oracle == 0:
        return 0
    told = call(oracle, counts_at, constants_at, constants_at)
    return min(told, 1)
