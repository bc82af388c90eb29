"""A fault: who it hits, and the random states that they take. Of many agents by compiled twins of the same draws."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from princeps.engines.population import Population
from princeps.lowering.cache import kernel_module
from princeps.model.randomness import WORD, Stream
from princeps.model.states import Space, State

MANY = 2000  # draws that are worth calling compiled code, which may have to be loaded


def compiled() -> Any:
    return kernel_module("princeps.engines.random_changes_kernel")


def random_changes(
    population: Population, stream: Stream, size: int, agents: Sequence[int] | None = None
) -> list[tuple[int, State]]:
    """A fault that hits `size` agents: who they are, unless somebody chose them, and uniformly random legal states;
    inputs are kept."""
    protocol, n = population.run.protocol, population.run.n
    space = protocol.space
    chosen = list(agents) if agents is not None else _sample(stream, n, size)
    if size > MANY and space.random_count < WORD // 2:
        columns = _random_columns(space, _numbers_below(stream, space.random_count, size))
        if protocol.input_field is not None:
            columns[space.names.index(protocol.input_field)] = _inputs(population, protocol.input_field, chosen)
        return list(zip(chosen, zip(*columns, strict=True), strict=True))
    blank = (0,) * len(space.names)
    if protocol.input_field is None:
        return [(agent, space.random_state(stream, blank)) for agent in chosen]
    return [(agent, space.random_state(stream, population.state(agent))) for agent in chosen]


def _inputs(population: Population, name: str, chosen: Sequence[int]) -> list[int]:
    if population.engine in ("agents", "events"):
        kept: list[int] = population.fields()[name][chosen].tolist()
        return kept
    place = population.run.protocol.space.names.index(name)
    return [population.state(agent)[place] for agent in chosen]


def _random_columns(space: Space, numbers: Any) -> list[list[int]]:
    """The values of each field in the legal states with these numbers: Space.numbered_state for all of them."""
    import numpy as np

    out = [np.zeros(len(numbers), np.int64) for _ in space.names]
    first = 0
    for group in space.random_groups:
        lengths = [len(values) for values in group]
        size = prod(lengths)
        here = np.flatnonzero((numbers >= first) & (numbers < first + size))
        rest = numbers[here] - first
        for column, values, length in reversed(list(zip(out, group, lengths, strict=True))):
            column[here] = values.start + rest % length
            rest //= length
        first += size
    return [column.tolist() for column in out]


def _sample(stream: Stream, population: int, size: int) -> list[int]:
    """Stream.sample."""
    if 2 * size < population or population <= MANY:
        return stream.sample(population, size)
    import numpy as np

    numbers, rng = np.arange(population), np.array(stream.words, np.uint64)
    compiled().shuffle(rng, numbers)
    stream.words = _words(rng)
    chosen: list[int] = numbers[:size].tolist()
    return chosen


def _numbers_below(stream: Stream, bound: int, count: int) -> Any:
    """Stream.below so many times: states of one field with one group are their own numbers."""
    import numpy as np

    rng, out = np.array(stream.words, np.uint64), np.zeros((count, 1), np.int64)
    one, zero = np.array([[bound]], np.int64), np.zeros((1, 1), np.int64)
    compiled().random_words(rng, np.uint64(bound), one[0], zero, one, zero[0], zero[0], out)
    stream.words = _words(rng)
    return out[:, 0]


def skip(stream: Stream, words: int) -> None:
    """Stream.skip: below 1, no draw is refused."""
    if words > MANY:
        _numbers_below(stream, 1, words)
    else:
        stream.skip(words)


def least_draws(n: int, size: int, are_chosen: bool) -> int:
    """Words that such a fault draws if none is refused, or fewer."""
    return size + (0 if are_chosen else n - 1 if 2 * size >= n else size)


def words_drawn(before: Stream, after: Stream, least: int) -> int:
    """How many words lie between two states of one stream, of which `least` are known; a few draws may have been refused."""
    ahead = Stream(before.words)
    skip(ahead, least)
    return least + ahead.words_to(after.words)


def _words(rng: Any) -> tuple[int, int, int, int]:
    a, b, c, d = (int(word) for word in rng)
    return a, b, c, d
