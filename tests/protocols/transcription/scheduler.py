"""A slow, fair simulation loop for the self-checks; it is no engine and is meant to stay obvious."""

from collections.abc import Callable, Iterator
from random import Random

State = dict[str, int]
Delta = Callable[[State, State, State], tuple[State, State]]
Topology = Callable[[int, Random], tuple[int, int]]
Key = tuple[int, ...]

MEMO_LIMIT = 300_000


def complete(n: int, rng: Random) -> tuple[int, int]:
    """An ordered pair of distinct agents, every pair equally likely."""
    first, second = rng.randrange(n), rng.randrange(n - 1)
    return first, second + (second >= first)


def ring(n: int, rng: Random) -> tuple[int, int]:
    """A clockwise edge: agent i is the initiator, its right neighbour the responder."""
    first = rng.randrange(n)
    return first, (first + 1) % n


def remembered(delta: Delta, p: State) -> Delta:
    """The same rule with a bounded memory of pairs already answered; answers must not be modified."""
    table: dict[tuple[Key, Key], tuple[State, State]] = {}

    def lookup(a: State, b: State, _: State) -> tuple[State, State]:
        key = (tuple(a.values()), tuple(b.values()))
        if key not in table:
            if len(table) >= MEMO_LIMIT:
                table.clear()
            table[key] = delta(a, b, p)
        return table[key]

    return lookup


def walk(
    delta: Delta, p: State, start: list[State], topology: Topology, rng: Random
) -> Iterator[tuple[int, int, list[State]]]:
    """Yield (initiator, responder, live configuration) after each interaction, for ever."""
    agents = list(start)
    while True:
        i, j = topology(len(agents), rng)
        agents[i], agents[j] = delta(agents[i], agents[j], p)
        yield i, j, agents


def settle(
    delta: Delta, p: State, start: list[State], topology: Topology, rng: Random, hold: int = 0, limit: int = 10**8
) -> int:
    """The step from which one and the same agent has led alone for `hold` further steps."""
    led = [x["leader"] for x in start]
    count, since = sum(led), 0
    for step, (i, j, agents) in enumerate(walk(delta, p, start, topology, rng), start=1):
        for k in (i, j):
            now = agents[k]["leader"]
            if now != led[k]:
                count += now - led[k]
                led[k], since = now, step
        if count == 1 and step - since >= hold:
            return since
        if step >= limit:
            raise RuntimeError(f"no settled leader within {limit} steps; {count} leaders left")
    raise AssertionError("unreachable")
