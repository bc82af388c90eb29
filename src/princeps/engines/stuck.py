"""Whether anything can change any more, decided exactly and from counts alone, the same way for every engine.

A configuration is stuck if no interaction that the scheduler may choose changes anything. Engines that skip null
interactions see it at once. Those that go through all pairs would go on for ever: after a run of interactions without a
change all pairs of states that can meet are examined, and if one of them may change something, again after twice as
many. An examination takes no more pairs than there were interactions without a change, so that it never costs more than
these did.

A goal that is not met in such a configuration never will be. Where a fault is still to come, the run goes on to it; a
leader is held for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from princeps.errors import PrincepsError
from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State
from princeps.model.topology import COMPLETE, Topology

if TYPE_CHECKING:
    from princeps.engines.population import Population

FIRST_LOOK = 1 << 12  # interactions without a change before the first examination, at least
PER_AGENT = 64  # the same for each agent: to list the states takes longer than an interaction of every agent
FIRST_PAIRS = 256  # that are asked before all pairs of states that can meet are listed
REMEMBERED = 1 << 16  # pairs of states that have been examined
LAST_LOOK = 1 << 20  # pairs that are examined where a run comes to its limit, at least


def may_change(protocol: PopulationProtocol, a: State, b: State, oracle: int = 0) -> bool:
    """May an interaction of a with b change anything, whatever its coins show, given what the oracle says now?

    One that fails would: it ends the run when it is chosen.
    """
    try:
        if protocol.tosses:
            return any(after != (a, b) for _, after, _ in protocol.branches(a, b, oracle))
        return protocol.step(a, b, oracle=oracle) != (a, b)
    except PrincepsError:
        return True


class Meetings(NamedTuple):
    """The states that occur, how many agents are in each, and which of them can meet; None: all, as often as they occur."""

    states: Sequence[State]
    sizes: Sequence[int]
    pairs: Iterable[tuple[int, int]] | None

    def of_states(self) -> Iterator[tuple[State, State]]:
        states = self.states
        if self.pairs is not None:
            yield from ((states[i], states[j]) for i, j in self.pairs)
            return
        for i, a in enumerate(states):
            for j, b in enumerate(states):
                if i != j or self.sizes[i] > 1:
                    yield a, b


def meetings(population: Population, graph: Topology) -> Meetings:
    """In plain Python; populations that hold many agents have a faster way."""
    if graph.kind == COMPLETE:
        states, sizes = zip(*population.tally(), strict=True)
        return Meetings(states, sizes, None)
    numbers: dict[State, int] = {}
    of_agent = [numbers.setdefault(population.state(agent), len(numbers)) for agent in range(graph.n)]
    arcs = (graph.arc(k) for k in range(graph.arc_count))
    return Meetings(list(numbers), [], {(of_agent[i], of_agent[j]) for i, j in arcs})


def soon_changes(population: Population, graph: Topology) -> bool:
    """Among a few pairs from everywhere one mostly changes something: then nobody need list what millions of agents hold."""
    arcs = graph.n - 1 if graph.kind == COMPLETE else graph.arc_count
    chosen = (*range(min(FIRST_PAIRS, arcs)), *range(0, arcs, max(1, arcs // FIRST_PAIRS)))
    pairs = ((k, k + 1) if graph.kind == COMPLETE else graph.arc(k) for k in chosen)
    protocol, oracle = population.run.protocol, population.oracle_value()
    return any(may_change(protocol, population.state(i), population.state(j), oracle) for i, j in pairs)


def are_too_many(states: Iterable[State], most: int) -> bool:
    """Of these states more than `most` pairs can meet on the complete graph: then the answer is yes, without a list."""
    enough = isqrt(most) + 2
    few: set[State] = set()
    for state in states:
        few.add(state)
        if len(few) == enough:
            return True
    return False


def any_arc_may_change(population: Population, states: Sequence[State], graph: Topology) -> bool:
    """Along all arcs in turn, without a list of the pairs of states that occur."""
    protocol, oracle = population.run.protocol, population.oracle_value()
    examined: set[tuple[State, State]] = set()
    for i, j in map(graph.arc, range(graph.arc_count)):
        pair = states[i], states[j]
        if pair not in examined:
            if may_change(protocol, *pair, oracle):
                return True
            if len(examined) == REMEMBERED:
                examined.clear()
            examined.add(pair)
    return False


def any_may_change(protocol: PopulationProtocol, found: Meetings, most: int, oracle: int = 0) -> bool:
    """More than `most` pairs are not examined: then the answer is yes."""
    for examined, (a, b) in enumerate(found.of_states()):
        if examined == most or may_change(protocol, a, b, oracle):
            return True
    return False


def is_stuck(population: Population, most: int) -> bool:
    """No pair that the scheduler may choose changes anything; False where that would take more than `most` pairs."""
    scheduler = population.run.scheduler
    if scheduler.listed is not None:  # it has an end of its own, and is followed to it
        return False
    return not population.any_may_change(scheduler.choices(population.run.topology), most)


class Watch:
    """Counts the interactions without a change, and says when to look."""

    def __init__(self, population: Population) -> None:
        self.first = max(FIRST_LOOK, PER_AGENT * population.run.n)
        self.begin(population)

    def begin(self, population: Population) -> None:
        """Something has changed."""
        self.since, self.events, self.due = population.steps, population.events, self.first

    def stretch(self, steps: int) -> int:
        """How far to go before the next look, where it does not matter how a run is cut."""
        return max(self.first, steps)

    def sees_stuck(self, population: Population) -> bool:
        if population.events is None:
            return False
        quiet = population.steps - self.since
        if population.events != self.events:
            self.begin(population)
        elif quiet >= self.due:
            self.due = 2 * quiet
            return is_stuck(population, quiet)
        return False


def is_stuck_at_last(population: Population) -> bool:
    """The same where a run comes to its limit, perhaps before the first look."""
    return is_stuck(population, max(LAST_LOOK, population.steps)) if population.events is not None else False
