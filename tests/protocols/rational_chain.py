"""Expected times of small populations on the complete graph, as fractions, from a transcription alone.

Shares nothing with princeps: configurations are multisets of states, and states are eliminated one after the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import permutations

State = dict[str, int]
Outcomes = Callable[[State, State, State], Iterable[tuple[Fraction, State, State]]]
Delta = Callable[[State, State, State], tuple[State, State]]
Done = Callable[[list[State]], bool]
Multiset = tuple[tuple[tuple[str, int], ...], ...]


def certain(delta: Delta) -> Outcomes:
    """A rule without coins: one outcome each."""
    return lambda a, b, p: [(Fraction(1), *delta(a, b, p))]


def multiset(agents: Iterable[State]) -> Multiset:
    return tuple(sorted(tuple(agent.items()) for agent in agents))


def moves(here: Multiset, outcomes: Outcomes, p: State) -> dict[Multiset, Fraction]:
    """Where one step leads, and how likely."""
    agents, found = [dict(agent) for agent in here], defaultdict[Multiset, Fraction](Fraction)
    share = Fraction(1, len(agents) * (len(agents) - 1))
    for i, j in permutations(range(len(agents)), 2):
        for chance, x, y in outcomes(agents[i], agents[j], p):
            rest = [agent for k, agent in enumerate(agents) if k not in (i, j)]
            found[multiset([*rest, x, y])] += share * chance
    return found


def one_of(leads: Callable[[State], bool]) -> Done:
    """Exactly one agent leads."""
    return lambda agents: sum(map(leads, agents)) == 1


def expected_steps(outcomes: Outcomes, p: State, start: list[State], done: Done) -> Fraction:
    """Until a configuration is first what it should be."""
    chain: dict[Multiset, dict[Multiset, Fraction]] = {}
    todo = [multiset(start)]
    while todo:
        here = todo.pop()
        if here not in chain and not done([dict(agent) for agent in here]):
            chain[here] = moves(here, outcomes, p)
            todo += chain[here]
    return solved(chain, multiset(start)) if chain else Fraction()


def solved(chain: dict[Multiset, dict[Multiset, Fraction]], start: Multiset) -> Fraction:
    """t(x) = 1 + sum of chance * t(y) over the chain, and t = 0 outside of it; eliminates all but the start."""
    time = dict.fromkeys(chain, Fraction(1))
    rows = {here: {to: chance for to, chance in row.items() if to in chain} for here, row in chain.items()}
    before: dict[Multiset, set[Multiset]] = defaultdict(set)
    for here, row in rows.items():
        for to in row:
            before[to].add(here)
    for gone in sorted(rows, key=lambda one: one == start):  # the start last
        row = rows.pop(gone)
        leaves = 1 - row.pop(gone, Fraction())
        time[gone] /= leaves
        for place in before[gone] & set(rows):
            share = rows[place].pop(gone) / leaves
            time[place] += share * leaves * time[gone]
            for to, chance in row.items():
                rows[place][to] = rows[place].get(to, Fraction()) + share * chance
                before[to].add(place)
    return time[start]
