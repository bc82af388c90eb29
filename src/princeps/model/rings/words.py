"""Words over labels: periods, Lyndon words, and the strings that ring algorithms remember.

The functions take any sequence whose items can be compared and only compare them. They are the definitions (in
linear time); what compiled engines do letter by letter is held to them by tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any


def smallest_period(word: Sequence[Any]) -> int:
    """The length of srp(word), the shortest prefix whose repetition, perhaps cut off, is the word."""
    border = [0] * len(word)  # border[i]: the longest proper prefix of word[:i+1] that is also its suffix
    for i in range(1, len(word)):
        k = border[i - 1]
        while k and word[i] != word[k]:
            k = border[k - 1]
        border[i] = k + 1 if word[i] == word[k] else 0
    return len(word) - border[-1] if word else 0


def rotational_period(word: Sequence[Any]) -> int:
    """The smallest rotation by which the circular word looks the same; its length if there is no smaller one."""
    period = smallest_period(word)
    return period if period and len(word) % period == 0 else len(word)


def least_rotation(word: Sequence[Any]) -> int:
    """Where the lexicographically least rotation of a circular word begins."""
    n = len(word)
    best, rival, same = 0, 1, 0  # two candidates that agree on their first `same` letters
    while rival < n and same < n:
        x, y = word[(best + same) % n], word[(rival + same) % n]
        if x == y:
            same += 1
            continue
        if x > y:
            best, rival = rival, max(rival + 1, best + same + 1)
        else:
            rival = rival + same + 1
        if rival == best:
            rival += 1
        same = 0
    return best


class Word:
    """A string of labels as a process remembers it: it grows by `word + label`, and may be asked what A_k asks."""

    __slots__ = ("letters",)

    def __init__(self, letters: tuple[Any, ...] = ()) -> None:
        self.letters = letters

    def __add__(self, letter: Any) -> Word:
        return Word((*self.letters, letter))

    def __len__(self) -> int:
        return len(self.letters)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and self.letters == other.letters

    def __hash__(self) -> int:
        return hash(self.letters)

    def __str__(self) -> str:
        texts = [str(letter) for letter in self.letters]
        return ("" if all(len(text) == 1 for text in texts) else ".").join(texts)

    def mlty(self) -> int:
        """How many copies of its most frequent label the word contains."""
        return max(Counter(self.letters).values(), default=0)

    def srp_is_lyndon(self) -> bool:
        """srp(word) = LW(srp(word)): the word is a prefix of a power of a Lyndon word, which Duval's scan decides."""
        word, period = self.letters, 1
        for i in range(1, len(word)):
            if word[i] < word[i - period]:
                return False
            if word[i] != word[i - period]:
                period = i + 1
        return bool(word)

    def first_of_LW_srp(self) -> Any:  # noqa: N802 - the paper's LW(srp(word))[1]
        """LW(srp(word))[1]"""
        srp = self.letters[: smallest_period(self.letters)]
        return srp[least_rotation(srp)]


def lyndon_count(length: int, letters: int) -> int:
    """How many Lyndon words of this length there are, without listing them: Moebius inversion over the divisors."""
    total = 0
    for period in range(1, length + 1):
        if length % period == 0:
            total += _moebius(length // period) * letters**period
    return total // length


def _moebius(number: int) -> int:
    sign, prime = 1, 2
    while number > 1:
        if number % prime == 0:
            number //= prime
            if number % prime == 0:
                return 0
            sign = -sign
        prime += 1
    return sign


def lyndon_words(length: int, letters: int) -> Iterator[tuple[int, ...]]:
    """All Lyndon words of this length over 1..letters, in lexicographic order (Duval): one for each asymmetric ring."""
    word = [0]
    while word:
        word[-1] += 1
        if len(word) == length:
            yield tuple(word)
        word = [word[i % len(word)] for i in range(length)]  # the word repeated, cut off
        while word and word[-1] == letters:
            word.pop()
