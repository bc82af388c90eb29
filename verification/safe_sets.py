"""The goals of p_rl on all configurations of small rings.

`safe` is stated in closed form; here the set that it names is computed from the rule alone: the largest set of
configurations with one leader that no interaction leaves and in which the leader is always the same agent. It is a
greatest fixed point: begin with all configurations that have one leader and strike out, until nothing changes, those
from which some interaction leads to one that is struck out already.

A configuration is an index into an array with one axis for each agent. Interactions treat all positions alike, so the
leader may be taken to stand at position 0.

On rings of more than three agents equivalent states are merged: nothing reads a leader's distL or a follower's shield
before it is overwritten, so both may be taken as 0. That this commutes with the rule is checked on every pair of states.
The goals s_rl and c_ni do ask for distL = 0 at the leaders, which is what a merged state has; that leaders whose distL
is 0 keep it, and new ones begin with it, is checked on the same pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

import princeps
from princeps.lowering.kernels import Kernels
from princeps.model.protocol import Closed

Bits = NDArray[np.bool_]
Table = NDArray[np.int64]
State = tuple[int, ...]  # leader, bullet, shield, signal, distL
GOALS = ("safe", "s_rl", "c_ni", "c_pb")
PYTHON_LIMIT = 25_000  # configurations that are judged in plain Python; beyond, by the compiled goal

LEAK_LIMIT = 10_000_000  # configurations of any number of leaders up to which goals are tested for being closed


def merged(state: State) -> State:
    leader, bullet, shield, signal, dist = state
    return (1, bullet, shield, signal, 0) if leader else (0, bullet, 0, signal, dist)


class Ring:
    """n agents with bound N: states (followers first, then leaders), the rule as tables, goals as sets."""

    def __init__(self, n: int, N: int, merge: bool) -> None:
        self.n, self.N, self.merge = n, N, merge
        self.protocol = princeps.protocol("p_rl", n, N=N)
        if self.protocol.space.names != ("leader", "bullet", "shield", "signal", "distL"):
            raise RuntimeError(f"p_rl has the fields {self.protocol.space.names}: adapt this file.")
        every = [tuple(state) for state in product(*(range(size or 0) for size in self.protocol.space.sizes))]
        self.unmerged_states = len(every)
        self.merge_errors = self._count_merge_errors(every) if merge else 0
        self.states = sorted({merged(state) for state in every} if merge else every)
        self.followers = [state for state in self.states if state[0] == 0]
        self.leaders = [state for state in self.states if state[0] == 1]

    def _count_merge_errors(self, every: list[State]) -> int:
        step, errors = self.protocol.step, 0
        for a, b in product(every, every):
            after = step(merged(a), merged(b))
            errors += tuple(map(merged, step(a, b))) != tuple(map(merged, after))
            errors += any(leader == 1 and dist > 0 for leader, *_, dist in after)
        return errors

    def table(self, left: list[State], right: list[State]) -> Table:
        """For each pair of states the index of the pair after an interaction, -1 if it is none of these pairs."""
        place_l, place_r = ({state: k for k, state in enumerate(states)} for states in (left, right))
        out = np.full((len(left), len(right)), -1, dtype=np.int64)
        for (i, a), (j, b) in product(enumerate(left), enumerate(right)):
            after = self.protocol.step(a, b)
            x, y = map(merged, after) if self.merge else after
            if x in place_l and y in place_r:
                out[i, j] = place_l[x] * len(right) + place_r[y]
        return out

    def led_from(self, k: int) -> list[list[State]]:
        """The states of each position when only position k leads."""
        return [self.leaders if i == k else self.followers for i in range(self.n)]

    def anything(self) -> list[list[State]]:
        return [self.states] * self.n

    def goal(self, name: str, places: list[list[State]], in_python: bool | None = None) -> Bits:
        """The configurations over these states of each position that the protocol's own rule accepts."""
        shape = tuple(len(states) for states in places)
        goal = type(self.protocol).goals[name]
        assert isinstance(goal, Closed)
        if in_python or (in_python is None and np.prod(shape) <= PYTHON_LIMIT):
            record: Any = self.protocol.agent
            agents = [[record(state) for state in states] for states in places]
            found = [bool(goal.rule(u, self.n, self.protocol.constants)) for u in product(*agents)]
            return np.array(found).reshape(shape)
        kernels = Kernels(self.protocol)
        words = np.concatenate([kernels.pack(states) for states in places])
        out = np.zeros(shape, dtype=np.bool_)
        judge_all(kernels.goal_test(goal), kernels.constants, words, np.array(shape), out.reshape(-1))
        return out

    def largest_safe(self) -> tuple[Bits, int]:
        """The greatest fixed point with the leader at position 0, and how many rounds it took."""
        places = self.led_from(0)
        tables = [self.table(places[i], places[(i + 1) % self.n]) for i in range(self.n)]
        alive: Bits = np.ones([len(states) for states in places], dtype=np.bool_)
        rounds, before, now = 0, -1, alive.size
        while now != before:
            for i, table in enumerate(tables):
                alive &= after_interaction(alive, i, table)
            rounds, before, now = rounds + 1, now, int(alive.sum())
        return alive, rounds

    def leaks(self, members: Bits) -> int:
        """Interactions that lead out of a set of configurations over all states."""
        table = self.table(self.states, self.states)
        return sum(int((members & ~after_interaction(members, i, table)).sum()) for i in range(self.n))


def after_interaction(members: Bits, i: int, table: Table) -> Bits:
    """For each configuration: is it in the set after the interaction of positions i and i + 1?"""
    pair = (i, (i + 1) % members.ndim)
    front = np.moveaxis(members, pair, (0, 1))
    targets = table.reshape(-1)
    rows = front.reshape(targets.size, -1)[targets]
    rows[targets < 0] = False
    return np.moveaxis(rows.reshape(front.shape), (0, 1), pair)


@njit
def judge_all(goal: Any, constants: Any, words: Any, shape: Any, out: Any) -> None:
    """The compiled goal on every configuration; `words` holds the packed states of position 0, then 1, ..."""
    n = shape.size
    agents = np.empty(n, dtype=words.dtype)
    for k in range(out.size):
        rest, end = k, words.size
        for i in range(n - 1, -1, -1):
            end -= shape[i]
            agents[i] = words[end + rest % shape[i]]
            rest //= shape[i]
        out[k] = goal(agents, n, constants) != 0


@dataclass(frozen=True)
class Finding:
    """Counts are of configurations with unmerged states, the leader at any position."""

    n: int
    N: int
    configurations: int
    one_leader: int
    safe: int
    s_rl: int
    outside: int  # safe but not in s_rl
    outside_dist_0: int  # of these, with distL = 0 at the leader
    rounds: int
    mismatches: int  # configurations on which `safe` and the fixed point differ
    stray: int  # configurations in s_rl that are not safe
    merge_errors: int
    leaks: dict[str, int]  # by goal: interactions that lead out of it; empty if there are too many configurations
    disagreements: int | None  # between the goals in plain Python and compiled; None if not asked


def turned(members: Bits, k: int) -> Bits:
    """The set with everybody moved k positions to the right."""
    return members.transpose([(i - k) % members.ndim for i in range(members.ndim)])


def examine_all(n: int, N: int, both: bool = False) -> Finding:
    """All configurations over unmerged states. `both`: the goals in plain Python and compiled must agree."""
    ring = Ring(n, N, merge=False)
    largest, rounds = ring.largest_safe()
    sets = {name: ring.goal(name, ring.anything()) for name in GOALS}
    expected = np.zeros_like(sets["safe"])
    F = len(ring.followers)
    for k in range(n):
        expected[tuple(slice(F, None) if i == k else slice(F) for i in range(n))] = turned(largest, k)
    outside = expected & ~sets["s_rl"]
    clean = np.zeros_like(outside)  # every leader has distL = 0
    clean[np.ix_(*[[k for k, state in enumerate(ring.states) if not (state[0] and state[-1])]] * n)] = True
    disagreements = None
    if both:
        judges = [[ring.goal(name, ring.anything(), in_python) for name in GOALS] for in_python in (False, True)]
        disagreements = int((np.array(judges[0]) != np.array(judges[1])).sum())
    return Finding(
        n=n,
        N=N,
        configurations=len(ring.states) ** n,
        one_leader=n * largest.size,
        safe=int(sets["safe"].sum()),
        s_rl=int(sets["s_rl"].sum()),
        outside=int(outside.sum()),
        outside_dist_0=int((outside & clean).sum()),
        rounds=rounds,
        mismatches=int((expected != sets["safe"]).sum()),
        stray=int((sets["s_rl"] & ~expected).sum()),
        merge_errors=0,
        leaks={name: ring.leaks(members) for name, members in sets.items()},
        disagreements=disagreements,
    )


def examine_merged(n: int, N: int) -> Finding:
    """All configurations with one leader, equivalent states merged; the rule is judged for every leader position."""
    ring = Ring(n, N, merge=True)
    largest, rounds = ring.largest_safe()
    mismatches = stray = safe = paper = outside = 0
    for k in range(n):
        expected, said = turned(largest, k), ring.goal("safe", ring.led_from(k))
        s_rl = ring.goal("s_rl", ring.led_from(k))  # only distL = 0 at the leader can be in it
        mismatches += int((expected != said).sum())
        stray += int((s_rl & ~expected).sum())
        safe, paper, outside = safe + int(said.sum()), paper + int(s_rl.sum()), outside + int((expected & ~s_rl).sum())
    shields = 2 ** (n - 1)
    tested = GOALS if len(ring.states) ** n <= LEAK_LIMIT else ()
    return Finding(
        n=n,
        N=N,
        configurations=ring.unmerged_states**n,
        one_leader=n * (ring.unmerged_states // 2) ** n,
        safe=safe * shields * (N + 1),
        s_rl=paper * shields,
        outside=safe * shields * (N + 1) - paper * shields,
        outside_dist_0=outside * shields,
        rounds=rounds,
        mismatches=mismatches,
        stray=stray,
        merge_errors=ring.merge_errors,
        leaks={name: ring.leaks(ring.goal(name, ring.anything())) for name in tested},
        disagreements=None,
    )
