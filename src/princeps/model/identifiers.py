"""The identifiers of numbered agents: 1..n shuffled by the seed, a list, or sparse random ones."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from princeps.errors import ParameterError, RunError
from princeps.model.formatting import counted
from princeps.model.listing import MAX_PER_AGENT, as_list
from princeps.model.numbers import natural, read_count
from princeps.model.randomness import Stream


@dataclass(frozen=True)
class Identifiers:
    """How the n identifiers come about; `listed` wins, then `at_most`, else 1..n in random order."""

    n: int
    listed: tuple[int, ...] | None = None
    at_most: int | None = None

    @property
    def is_shuffle(self) -> bool:
        return self.listed is None and self.at_most is None

    def values(self, stream: Stream) -> Sequence[int]:
        if self.listed is not None:
            return self.listed
        if self.at_most is not None:
            return [k + 1 for k in stream.sample(self.at_most, self.n)]
        numbers = list(range(1, self.n + 1))
        stream.shuffle(numbers)
        return numbers

    def unordered(self, stream: Stream) -> Sequence[int]:
        """The same numbers, in any order: cheap for the default."""
        return range(1, self.n + 1) if self.is_shuffle else self.values(stream)


def read_identifiers(given: str | Sequence[int] | None, n: int) -> Identifiers:
    if given is None:
        return Identifiers(n)
    if isinstance(given, str) and given.startswith("random:"):
        text = given.removeprefix("random:")
        try:
            most = read_count(text, "MAX")
        except ParameterError:
            raise RunError(f"ids {given!r}: MAX must be an integer, like random:1000000.") from None
        if most < n:
            raise RunError(f"ids {given!r}: {n} agents need {n} distinct ids, but MAX = {most}. Raise MAX.")
        return Identifiers(n, at_most=most)
    words = given.replace(",", " ").split() if isinstance(given, str) else given
    if not isinstance(words, Iterable):
        raise RunError(f"ids {given!r} is not understood: give a list like [3, 1, 2], or a text like random:1000000.")
    listed: list[Any] = as_list(words, "ids", MAX_PER_AGENT)
    numbers = tuple(map(_identifier, listed))
    if len(numbers) != n:
        raise RunError(f"{counted(len(numbers), 'ids', 'd')} for n = {n} agents: give one for each.")
    seen: set[int] = set()
    for number in numbers:
        if number < 0:
            raise RunError(f"id {number} is negative: give natural numbers.")
        if number in seen:
            raise RunError(f"id {number} is given twice: the ids of agents must differ.")
        seen.add(number)
    return Identifiers(n, listed=numbers)


def _identifier(word: str | int) -> int:
    if isinstance(word, str):
        number = natural(word.removeprefix("-"))
        if number is not None:
            return -number if word.startswith("-") else number
    else:
        try:
            return operator.index(word)
        except TypeError:
            pass
    raise RunError(f"id {word!r} is not an integer: give a list like --ids 3,1,2 or --ids random:MAX.")
