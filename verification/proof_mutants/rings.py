"""P_RL's lemmas on every configuration of a small ring: a table of plain interactions, and arrays of the sets' members.

Nothing of the proofs is used: sets and marks are what the functions of the file return, one configuration at a time, and an
altered rule is executed by the plain protocol on every pair of states.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from princeps.errors import PrincepsError
from princeps.model import registry
from princeps.model.goals import Closed
from princeps.model.lemmas import Never, Stays, StaysElected
from princeps.model.protocol import PopulationProtocol
from princeps.model.step_facts import Marked, WithGhosts
from princeps.proofs.rings.plain_marks import Watched, _called, _twin  # the file's own loops, made to go on

SIZES = ((2, 2), (2, 3), (2, 4), (3, 3))
SIZES_OF_MARKS = ((2, 2), (2, 3))
SIZES_OF_GHOSTS = ((2, 2), (2, 3))
Bits = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]


class Ring:
    """All configurations of n agents, by number: agent 0 is the last digit."""

    def __init__(self, protocol: PopulationProtocol, n: int) -> None:
        self.protocol, self.n = protocol, n
        self.states = protocol.space.listed()
        self.place = {state: k for k, state in enumerate(self.states)}
        self.S = len(self.states)
        self.total = self.S**n
        agent: Any = protocol.agent
        self.agents = [agent(state) for state in self.states]
        self.leads = np.array([protocol.leads(state) for state in self.states])

    def digits(self, i: int) -> Numbers:
        found: Numbers = np.arange(self.total, dtype=np.int64) // self.S**i % self.S
        return found

    @cache  # noqa: B019 - rings live as long as the program
    def members(self, name: str) -> Bits:
        goal: Any = type(self.protocol).goals[name]
        assert isinstance(goal, Closed)
        rule, p, S, n, agents = goal.rule, self.protocol.constants, self.S, self.n, self.agents
        found = np.zeros(self.total, dtype=bool)
        for k in range(self.total):
            found[k] = bool(rule([agents[k // S**i % S] for i in range(n)], n, p))
        return found

    @cache  # noqa: B019
    def rejected(self, of: str, loop: str) -> npt.NDArray[np.uint8]:
        """By configuration the agents at which the loop returns 0, as bits; all of them where nobody leads."""
        goal: Any = type(self.protocol).goals[of]
        name, _, number = loop.rpartition(".")
        twin = _twin(_called(goal.rule, name, set()), int(number))
        p, S, n, agents = self.protocol.constants, self.S, self.n, self.agents
        found = np.full(self.total, (1 << n) - 1, dtype=np.uint8)
        for k in np.flatnonzero(self.led()):
            watched = Watched([agents[k // S**i % S] for i in range(n)])
            twin(watched, n, p)
            found[k] = sum(1 << i for i in watched.rejected)
        return found

    def led(self) -> Bits:
        found = np.zeros(self.total, dtype=bool)
        for i in range(self.n):
            found |= self.leads[self.digits(i)]
        return found


@cache
def ring(n: int, N: int) -> Ring:
    return Ring(registry.find("p_rl")(n, N=N), n)


class Altered:
    """An altered rule on a ring: by pairs of states what becomes of them, -1 where a value leaves its domain."""

    def __init__(self, cls: type[PopulationProtocol], n: int, N: int) -> None:
        self.protocol, self.ring = cls(n, N=N), ring(n, N)
        S = self.ring.S
        self.left, self.right = np.full((S, S), -1), np.full((S, S), -1)
        for i, a in enumerate(self.ring.states):
            for j, b in enumerate(self.ring.states):
                try:
                    x, y = self.protocol.step(a, b)
                    self.left[i, j], self.right[i, j] = self.ring.place[x], self.ring.place[y]
                except (PrincepsError, KeyError):
                    continue

    def met(self, i: int) -> tuple[Numbers, Numbers, Numbers, Numbers, Numbers]:
        """States of agents i and i + 1 before and after they meet, and the configuration after; -1 where there is none."""
        r, j = self.ring, (i + 1) % self.ring.n
        a, b = r.digits(i), r.digits(j)
        x, y = self.left[a, b], self.right[a, b]
        after = np.arange(r.total) + (x - a) * r.S**i + (y - b) * r.S**j
        return a, b, x, y, np.where(x < 0, -1, after)

    def breaks(self, lemma: Any) -> bool:
        """None: that states remain legal."""
        if lemma is None:
            return not (self.left >= 0).all()
        if isinstance(lemma, WithGhosts):
            return self._breaks_ghosts(lemma)
        if isinstance(lemma, Marked):
            return self._breaks_marks(lemma)
        return any(self._breaks_at(lemma, i) for i in range(self.ring.n))

    def _breaks_at(self, lemma: Any, i: int) -> bool:
        r = self.ring
        inside = r.members(lemma.begin if isinstance(lemma, Never) else lemma.of)
        a, b, x, y, after = self.met(i)
        here = inside & (after >= 0)
        if isinstance(lemma, Never):
            p, agents = self.protocol.constants, r.agents
            return any(
                lemma.event(agents[old], agents[new], p)
                for before, then in ((a, x), (b, y))
                for old, new in {(int(u), int(v)) for u, v in np.unique(np.stack([before, then])[:, here], axis=1).T}
            )
        if (here & ~inside[after]).any():
            return True
        if not isinstance(lemma, StaysElected):
            return False
        changed = (r.leads[a] != r.leads[x]) | (r.leads[b] != r.leads[y])
        several = sum(r.leads[r.digits(k)].astype(int) for k in range(r.n)) != 1
        return bool((here & (changed | several)).any())

    def _breaks_marks(self, fact: Marked) -> bool:
        """Agents 0 and 1 meet: every other pair is the same on a ring that is turned."""
        r = self.ring
        a, b, x, y, after = self.met(0)
        here = after >= 0
        for loop in fact.known:
            here &= ~r.led() | (r.rejected(fact.of, loop) == 0)
        marks = {name: r.rejected(fact.of, loop) for name, loop in fact.marks.items()}
        then = {name: of[after] for name, of in marks.items()}
        columns = [a, b, x, y]
        columns += [of >> k & 1 for old in (marks, then) for k in (0, 1) for of in old.values()]
        if self._any(fact.bad, 4, columns, here, list(marks)):
            return True
        for k in range(2, r.n) if fact.bad_elsewhere is not None else ():
            other = r.digits(k)
            columns = [other, other, *(of >> k & 1 for old in (marks, then) for of in old.values())]
            if self._any(fact.bad_elsewhere, 2, columns, here, list(marks)):
                return True
        return False

    def _any(self, bad: Any, count: int, columns: list[Any], here: Bits, marks: list[str]) -> bool:
        """Is it bad for any combination that occurs? Columns: the states, then each one's marks (1: rejected)."""
        names, states = self.protocol.space.names, self.ring.states
        rows = np.unique(np.stack([column[here] for column in columns]), axis=1).T
        for row in rows.tolist():
            agents = []
            for k in range(count):
                own = row[count + k * len(marks) : count + (k + 1) * len(marks)]
                fields = dict(zip(names, states[row[k]], strict=True))
                agents.append(
                    SimpleNamespace(**fields, **{name: 1 - bit for name, bit in zip(marks, own, strict=True)})
                )
            if bad(*agents, self.protocol.constants):
                return True
        return False

    def _breaks_ghosts(self, fact: WithGhosts) -> bool:
        """Breadth first over configurations with ghost fields, from all of them with ghost fields 0; one ghost, small."""
        r, p = self.ring, self.protocol.constants
        (ghost,) = fact.ghosts
        count: Any = fact.count
        names = self.protocol.space.names
        known: dict[Any, Any] = {}

        def agent(state: int, moves: int) -> Any:
            return SimpleNamespace(**dict(zip(names, r.states[state], strict=True)), **{ghost: moves})

        def met(one: tuple[int, int], other: tuple[int, int]) -> Any:
            """Both afterwards; None if nothing legal comes of it, True if a condition is broken."""
            x, y = int(self.left[one[0], other[0]]), int(self.right[one[0], other[0]])
            if x < 0:
                return None
            four = [agent(*one), agent(*other), agent(x, one[1]), agent(y, other[1])]
            count(*four, p)
            if not all(rule(own, p) for own in four[2:] for rule in fact.holds):
                return True
            return (x, getattr(four[2], ghost)), (y, getattr(four[3], ghost))

        if not all(rule(agent(state, 0), p) for state in range(r.S) for rule in fact.holds):
            return True
        waiting = [tuple((int(k) // r.S**i % r.S, 0) for i in range(r.n)) for k in range(r.total)]
        seen = set(waiting)
        while waiting:
            now = waiting.pop()
            for i in range(r.n):
                j = (i + 1) % r.n
                pair = (now[i], now[j])
                if pair not in known:
                    known[pair] = met(*pair)
                found = known[pair]
                if found is True:
                    return True
                if found is not None:
                    after = list(now)
                    after[i], after[j] = found
                    if tuple(after) not in seen:
                        seen.add(tuple(after))
                        waiting.append(tuple(after))
        return False


def is_judged(what: Any, size: tuple[int, int]) -> bool:
    """Loops of marks and runs with ghosts take longer, so that fewer sizes are tried."""
    if isinstance(what, Marked):
        return size in SIZES_OF_MARKS
    if isinstance(what, WithGhosts):
        return size in SIZES_OF_GHOSTS
    return what is None or isinstance(what, Stays | StaysElected | Never)


def enumerated(cls: type[PopulationProtocol]) -> dict[str, dict[str, Any]]:
    """By lemma: the sizes at which it was enumerated, and the first at which it is broken (None: nowhere)."""
    found: dict[str, dict[str, Any]] = {}
    for n, N in SIZES:
        altered = Altered(cls, n, N)
        for name, what in {"groups": None, **cls.lemmas, **cls.facts}.items():
            if not is_judged(what, (n, N)):
                continue
            entry = found.setdefault(name, {"sizes": [], "broken": None})
            if entry["broken"] is None:  # else larger sizes are not asked
                entry["sizes"].append([n, N])
                if altered.breaks(what):
                    entry["broken"] = [n, N]
    return found
