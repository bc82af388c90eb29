"""P_LL's lemmas on everything that a few agents reach from the default start, by the plain rule and breadth first."""

from __future__ import annotations

from typing import Any

from princeps.errors import PrincepsError
from princeps.model.lemmas import EveryAgent
from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State

SIZES = ((2, {"m": 1, "c_max": 2}), (2, {"m": 2, "c_max": 3}), (3, {"m": 2, "c_max": 2}), (4, {"m": 2, "c_max": 2}))
MOST = 60_000  # configurations at one size; a size with more is seen in part, and not among those that are complete
Populace = tuple[State, ...]


class Population:
    """n agents of an altered protocol; what two states become is computed once."""

    def __init__(self, cls: type[PopulationProtocol], n: int, given: dict[str, int]) -> None:
        self.protocol, self.n = cls(n, **given), n
        self._known: dict[tuple[State, State], tuple[State, State] | None] = {}

    def met(self, a: State, b: State) -> tuple[State, State] | None:
        """What becomes of both; None where a value leaves its domain: there the run ends."""
        if (a, b) not in self._known:
            try:
                found: tuple[State, State] | None = self.protocol.step(a, b)
            except PrincepsError:
                found = None
            self._known[a, b] = found
        return self._known[a, b]

    def leaves_the_groups(self) -> bool:
        states = self.protocol.space.listed()
        legal = set(states)
        for a in states:
            for b in states:
                found = self.met(a, b)
                if found is None or not legal.issuperset(found):
                    return True
        return False

    def broken_lemmas(self) -> tuple[set[str], bool]:
        """Lemmas that some reachable configuration breaks, and whether all of them were seen."""
        protocol, cls = self.protocol, type(self.protocol)
        blank = (0,) * len(protocol.space.names)
        rule: Any = cls.start_rule(cls.default_start)
        begun = []
        for i in range(self.n):
            own: Any = protocol.agent(blank)  # type: ignore[call-arg]
            protocol.ask(rule, own, i, self.n, protocol.constants)
            begun.append(protocol.values_of(own))
        first = tuple(sorted(begun))
        seen, waiting, broken = {first}, [first], set[str]()
        for now in waiting:  # grows meanwhile
            for i, a in enumerate(now):
                for j, b in enumerate(now):
                    found = None if i == j else self.met(a, b)
                    if found is None:
                        continue
                    after = list(now)
                    after[i], after[j] = found
                    then = tuple(sorted(after))
                    if then not in seen:
                        seen.add(then)
                        waiting.append(then)
                        broken |= self._broken_by(then)
            if len(seen) > MOST:
                return broken, False
        return broken | self._broken_by_first(first), True

    def _broken_by_first(self, first: Populace) -> set[str]:
        """The start itself counts for facts of every agent, and for invariants only where a meeting leads back to it."""
        facts = {name for name, one in type(self.protocol).facts.items() if isinstance(one, EveryAgent)}
        return self._broken_by(first) & facts

    def _broken_by(self, states: Populace) -> set[str]:
        protocol, cls = self.protocol, type(self.protocol)
        p, agent = protocol.constants, protocol.agent
        agents: list[Any] = [agent(state) for state in states]  # type: ignore[call-arg]
        counts = _Counts(
            {name: sum(bool(rule(one, p)) for one in agents) for name, rule in cls.all_predicates().items()},
            len(states),
        )
        found = {name for name, rule in cls.invariants.items() if not rule(counts, p)}  # type: ignore[arg-type]
        for name, fact in cls.facts.items():
            if isinstance(fact, EveryAgent) and not all(fact.holds(one, p) for one in agents):
                found.add(name)
        return found


class _Counts:
    def __init__(self, values: dict[str, int], n: int) -> None:
        self.__dict__.update(values, n=n)


def enumerated(cls: type[PopulationProtocol]) -> dict[str, dict[str, Any]]:
    """By lemma: the sizes at which all was seen, and the first at which it is broken (None: nowhere)."""
    names = ["groups", *cls.invariants, *(name for name, one in cls.facts.items() if isinstance(one, EveryAgent))]
    found: dict[str, dict[str, Any]] = {name: {"sizes": [], "broken": None} for name in names}
    for n, given in SIZES:
        population = Population(cls, n, given)
        size = [n, *given.values()]
        broken, complete = population.broken_lemmas()
        if n == 2 and population.leaves_the_groups():
            broken.add("groups")
        for name, entry in found.items():
            if entry["broken"] is not None or (name == "groups" and n > 2):
                continue
            if name in broken:
                entry["broken"] = size
            if complete or name == "groups":
                entry["sizes"].append(size)
    return found
