"""The classical ring algorithms run to their ends, and what is known of their ends beforehand: leader and messages."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, permutations
from typing import Any

from princeps.engines.rings.reference import Network
from princeps.model.randomness import Stream
from princeps.model.rings.event import Event
from princeps.model.rings.reading import make_ring_run

Labels = Sequence[int]
Outcome = tuple[int, int]  # the process that leads, and the number of messages
LABELED = ("chang_roberts", "lelann", "peterson", "franklin", "hirschberg_sinclair")


def events(network: Network) -> Iterator[Event]:
    """A run that goes on and on is a failure, not a hang."""
    return islice(network.events(), 5000)


def ended(name: str, fired: set[str] | None = None, **given: Any) -> Network:
    """A run that ends as the specification wants it, within the promised bounds; `fired` gathers its actions."""
    network = Network(make_ring_run(name, **given))
    actions = {event.action for event in events(network)}
    if fired is not None:
        fired |= actions
    assert not network.violations, (given, network.violations)
    assert not network.ending().violations(network.now), given
    measured = {"messages": network.messages, "time": network.now}
    for what, bound in network.algorithm.promised(network.ring).items():
        assert measured[what] <= bound, (given, what)
    return network


def forced(name: str, **given: Any) -> Network:
    """A run on a ring for which nothing is promised; it need not end."""
    network = Network(make_ring_run(name, force=True, **given))
    for _ in events(network):
        pass
    return network


def outcome(network: Network) -> Outcome:
    (leader,) = network.leaders
    return leader, network.messages


def rings(n: int, most: int = 12) -> Iterator[tuple[int, ...]]:
    """All rings of the labels 1..n, or some of them."""
    if n <= 4:
        yield from permutations(range(1, n + 1))
    else:
        chance = random.Random(n)
        yield from (tuple(chance.sample(range(1, n + 1), n)) for _ in range(most))


def schedules(n: int) -> list[tuple[str, int]]:
    slow = [(f"slow:{edge}", 0) for edge in range(n)]
    return [("synchronous", 0), ("adversarial", 0), *(("random", seed) for seed in range(2)), *slow]


# -- what is known beforehand -------------------------------------------------------------------------------------


def hops(values: Sequence[int], i: int, step: int = 1) -> int:
    """How far it is from process i to a larger value, clockwise (or not); n if there is none."""
    n = len(values)
    return next((d for d in range(1, n) if values[(i + step * d) % n] > values[i]), n)


def chang_roberts(labels: Labels) -> Outcome:
    n = len(labels)
    return labels.index(n), sum(hops(labels, i) for i in range(n)) + n


def lelann(labels: Labels) -> Outcome:
    n = len(labels)
    return labels.index(n), n * n + n


def peterson(labels: Labels) -> Outcome:
    """A host passes its guest to the next active process, if the guest is larger than both neighbours."""
    n, phases, active = len(labels), 0, list(enumerate(labels))
    while len(active) > 1:
        triples = [(active[j - 2][1], active[j - 1][1], active[j]) for j in range(len(active))]
        active = [(process, first) for second, first, (process, own) in triples if first > max(second, own)]
        phases += 1
    return active[0][0], 2 * n * phases + n + n


def franklin(labels: Labels) -> Outcome:
    """The local maxima stay."""
    n, phases, active = len(labels), 0, list(labels)
    while len(active) > 1:
        last = len(active) - 1
        active = [x for j, x in enumerate(active) if x > max(active[j - 1], active[j + 1 if j < last else 0])]
        phases += 1
    return labels.index(n), 2 * n * (phases + 1) + n


def hirschberg_sinclair(labels: Labels) -> Outcome:
    """Phase by phase, as in the synchronous schedule; a probe that is not swallowed returns as a reply, or comes home."""
    n, messages, reach, active = len(labels), 0, 1, list(range(len(labels)))
    while True:
        for i in active:
            for d in (hops(labels, i), hops(labels, i, -1)):
                messages += d if d <= reach else 2 * reach
        if reach >= n:
            return labels.index(n), messages + 2 * n
        active = [i for i in active if min(hops(labels, i), hops(labels, i, -1)) > reach]
        reach *= 2


def itai_rodeh(n: int, seed: int) -> Outcome:
    """With the processes' own coins; passive ones stand for the number -1."""
    coins = [Stream.of(seed, 0, f"coins:{i}") for i in range(n)]
    active, messages = list(range(n)), 0
    while True:
        numbers = [coins[i].below(n) if i in active else -1 for i in range(n)]
        messages += sum(hops(numbers, i) for i in active)
        active = [i for i in active if numbers[i] == max(numbers)]
        if len(active) == 1:
            return active[0], messages + n


KNOWN: dict[str, Callable[[Labels], Outcome]] = {
    "chang_roberts": chang_roberts,
    "lelann": lelann,
    "peterson": peterson,
    "franklin": franklin,
    "hirschberg_sinclair": hirschberg_sinclair,
}
