"""The random stream, written in plain Python so that every engine can be held to it.

xoshiro256++ (Blackman and Vigna), seeded by SHA-256 of (seed, trial, purpose): starts, ids, graph, schedule and
faults draw from separate streams, and streams of different trials do not overlap in practice (2^256 states).
"""

from __future__ import annotations

import hashlib
from collections.abc import MutableSequence
from typing import Any

WORD = 1 << 64
_MASK = WORD - 1


def seed_words(seed: int, trial: int, purpose: str) -> tuple[int, int, int, int]:
    """The initial state of the stream that serves `purpose` in this trial of this seed."""
    digest = hashlib.sha256(f"princeps:{seed}:{trial}:{purpose}".encode()).digest()
    a, b, c, d = (int.from_bytes(digest[i : i + 8], "little") for i in (0, 8, 16, 24))
    return a, b, c, d


class Stream:
    """Uniform 64-bit words and unbiased integers drawn from them."""

    def __init__(self, words: tuple[int, int, int, int]) -> None:
        self.words = words

    @classmethod
    def of(cls, seed: int, trial: int, purpose: str) -> Stream:
        return cls(seed_words(seed, trial, purpose))

    def next64(self) -> int:
        s0, s1, s2, s3 = self.words
        x = (s0 + s3) & _MASK
        out = (((x << 23) | (x >> 41)) + s0) & _MASK
        t = (s1 << 17) & _MASK
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= t
        s3 = ((s3 << 45) | (s3 >> 19)) & _MASK
        self.words = (s0, s1, s2, s3)
        return out

    def skip(self, words: int) -> None:
        """Pass over draws that were made elsewhere."""
        for _ in range(words):
            self.next64()

    def words_to(self, later: tuple[int, int, int, int]) -> int:
        """How many words this stream draws until it is in a later state of its own."""
        ahead, count = Stream(self.words), 0
        while ahead.words != later:
            ahead.next64()
            count += 1
        return count

    def below(self, bound: int) -> int:
        """Uniform in 0..bound-1, exactly: multiply-shift, rejecting the draws that would make some values likelier."""
        if bound >= WORD:  # several words at once, rejecting what lies beyond the last whole multiple
            words = (bound.bit_length() + 63) // 64 + 1
            limit = (WORD**words) // bound * bound
            while True:
                big = 0
                for _ in range(words):
                    big = big << 64 | self.next64()
                if big < limit:
                    return big % bound
        threshold = WORD % bound
        while True:
            product = self.next64() * bound
            if (product & _MASK) >= threshold:
                return product >> 64

    def shuffle(self, items: MutableSequence[Any]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def sample(self, population: int, size: int) -> list[int]:
        """`size` distinct numbers of 0..population-1, uniformly, in the order drawn."""
        if 2 * size >= population:
            numbers = list(range(population))
            self.shuffle(numbers)
            return numbers[:size]
        chosen: dict[int, None] = {}
        while len(chosen) < size:
            chosen.setdefault(self.below(population))
        return list(chosen)
