"""Small chains and small populations, and plain ways to know everything about them: by these the exact room is judged."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, identity
from scipy.sparse.linalg import spsolve

from princeps.analysis.chain import Bits, Chain
from princeps.analysis.ground import whole_ground
from princeps.analysis.targets import find_target
from princeps.engines import simulate
from princeps.model.run import Run
from princeps.model.states import State
from tests.conftest import Command

Steps = list[list[tuple[int, int]]]  # of every state: successor, weight
Value = Fraction | float  # a float only if it is infinite


# -- chains -------------------------------------------------------------------------------------------------------


def make_chain(steps: Steps, total: int = 0, loud: Iterable[tuple[int, int]] = (), weighted: bool = True) -> Chain:
    """`loud`: these steps change an output. Without weights every step must weigh 1."""
    assert weighted or all(w == 1 for out in steps for _, w in out)
    noisy = set(loud)
    return Chain(
        np.cumsum([0, *map(len, steps)], dtype=np.int64),
        np.array([y for out in steps for y, _ in out], np.int32),
        np.array([w for out in steps for _, w in out] if weighted else [], np.int64),
        np.array([(x, y) in noisy for x, out in enumerate(steps) for y, _ in out], np.uint8),
        total or max(sum(w for _, w in out) for out in steps),
    )


def bits(size: int, chosen: Iterable[int]) -> Bits:
    out = np.zeros(size, np.bool_)
    out[list(chosen)] = True
    return out


def random_graph(rng: np.random.Generator, size: int, degree: float, loudness: float = 0.0) -> Chain:
    """Arcs anywhere, also twice and from a state to itself."""
    steps: Steps = [[(int(y), 1) for y in rng.integers(0, size, rng.poisson(degree))] for _ in range(size)]
    loud = [(x, y) for x, out in enumerate(steps) for y, _ in out if rng.random() < loudness]
    return make_chain(steps, size, loud, weighted=False)


def random_steps(rng: np.random.Generator, sizes: Sequence[int], heaviest: int = 9, traps: int = 0) -> Steps:
    """Cycles with chords, each with exits to what came before: state 0 is reached from everywhere, and with `traps`
    also cycles of three that nothing leaves, which all later ones may fall into."""
    steps: Steps = [[]]

    def weight() -> int:
        return int(rng.integers(1, heaviest + 1))

    for number, size in enumerate([*sizes, *[3] * traps, *sizes] if traps else sizes):
        first, closed = len(steps), len(sizes) <= number < len(sizes) + traps
        for i in range(size):
            heads = [first + (i + 1) % size, *(first + rng.integers(0, size, 2)).tolist()]
            if not closed and (i == 0 or rng.random() < 0.2):
                heads += rng.integers(0, first, 2).tolist()
            steps.append([(y, weight()) for y in heads])
    names = rng.permutation(len(steps) - 1) + 1  # state 0 keeps its name
    name = [0, *names.tolist()]
    out: Steps = [[] for _ in steps]
    for x, found in enumerate(steps):
        out[name[x]] = [(name[y], w) for y, w in found]
    return out


def walk(length: int, home: int, away: int, total: int = 0) -> Steps:
    """On a line that ends at `length`: one step home (to 0) or away."""
    inner = [[(k - 1, home), (k + 1, away)] for k in range(1, length)]
    stay = max(0, total - home - away)
    return [[], *([*out, (k, stay)] if stay else out for k, out in enumerate(inner, 1)), [(length - 1, home)]]


def heads(chain: Chain, x: int) -> list[int]:
    return [int(y) for y in chain.successors[chain.offsets[x] : chain.offsets[x + 1]]]


def reached_from(chain: Chain, x: int, stop: Bits | None = None) -> set[int]:
    """By any number of steps, x itself included; what is in `stop` is not left."""
    seen, waiting = {x}, [x]
    while waiting:
        here = waiting.pop()
        if stop is None or not stop[here]:
            for y in heads(chain, here):
                if y not in seen:
                    seen.add(y)
                    waiting.append(y)
    return seen


def certain_states(chain: Chain, target: Bits) -> Bits:
    """From where the target is reached with probability 1: from everything on the way it can be reached."""
    after = [reached_from(chain, x, target) for x in range(chain.size)]
    hopeful = {x for x, seen in enumerate(after) if any(target[y] for y in seen)}
    return np.array([seen <= hopeful for seen in after])


def solved(chain: Chain, target: Bits, cost: Callable[[int], Fraction], ends: Callable[[int], Fraction]) -> list[Value]:
    """Expected costs until the target plus what is found there, by elimination of all equations at once in fractions."""
    sure = certain_states(chain, target)
    unknown = [x for x in range(chain.size) if sure[x] and not target[x]]
    place = {x: i for i, x in enumerate(unknown)}
    matrix = []
    for x in unknown:
        row = [Fraction(0)] * (len(unknown) + 1)
        row[-1] = chain.total * cost(x)
        for k in range(chain.offsets[x], chain.offsets[x + 1]):
            y, w = int(chain.successors[k]), int(chain.weights[k]) if len(chain.weights) else 1
            if y == x:
                continue
            row[place[x]] += w
            if y in place:
                row[place[y]] -= w
            else:
                row[-1] += w * ends(y)
        matrix.append(row)
    for k in range(len(matrix)):
        swap = next(i for i in range(k, len(matrix)) if matrix[i][k])
        matrix[k], matrix[swap] = matrix[swap], matrix[k]
        pivot = [entry / matrix[k][k] for entry in matrix[k]]
        matrix[k] = pivot
        for i, row in enumerate(matrix):
            if i != k and (factor := row[k]):
                matrix[i] = [a - factor * b if b else a for a, b in zip(row, pivot, strict=True)]
    return [ends(x) if target[x] else matrix[place[x]][-1] if x in place else inf for x in range(chain.size)]


def exact_times(chain: Chain, target: Bits) -> list[Value]:
    return solved(chain, target, lambda x: Fraction(1), lambda x: Fraction(0))


def exact_squares(chain: Chain, target: Bits) -> list[Value]:
    """E[T^2] = E[(1 + T')^2] = E[T'^2] + 2 E[T] - 1."""
    times = exact_times(chain, target)
    return solved(chain, target, lambda x: 2 * Fraction(times[x]) - 1, lambda x: Fraction(0))


def within(low: float, truth: Value, high: float) -> bool:
    """Without rounding: Python compares fractions with its own floats exactly."""
    if truth == inf:
        return float(low) == float(high) == inf
    return float(low) <= truth <= float(high)


# -- populations ----------------------------------------------------------------------------------------------------


class Plain:
    """Every configuration of a population, agent by agent, nothing merged: configuration c has digit i for agent i."""

    def __init__(self, run: Run) -> None:
        self.run, self.n = run, run.n
        ring = run.topology.kind == "ring"
        assert ring or run.topology.kind == "complete"
        pairs = [(i, j) for i in range(run.n) for j in range(run.n)]
        self.arcs = [(i, j) for i, j in pairs if (j == (i + 1) % run.n if ring else i != j)]
        space = run.protocol.space
        every = product(*(range(size or 0) for size in space.sizes))
        self.states: list[State] = [state for state in every if space.is_legal(state)]
        self.base = len(self.states)
        self.size = self.base**run.n
        number = {state: k for k, state in enumerate(self.states)}
        leads = np.array([run.protocol.leads(state) for state in self.states])
        met = [[run.protocol.step(a, b) for b in self.states] for a in self.states]
        first, second = (np.array([[number[pair[k]] for pair in row] for row in met]) for k in (0, 1))
        code = np.arange(self.size)
        digits = [code // self.base**i % self.base for i in range(run.n)]
        self.leaders: NDArray[np.int64] = sum(leads[digit].astype(np.int64) for digit in digits)  # type: ignore[assignment]
        self.after, self.loud = [], []
        for i, j in self.arcs:
            a, b = digits[i], digits[j]
            u, v = first[a, b], second[a, b]
            self.after.append(code + (u - a) * self.base**i + (v - b) * self.base**j)
            self.loud.append((leads[u] != leads[a]) | (leads[v] != leads[b]))

    def number(self, states: Sequence[State]) -> int:
        return sum(self.states.index(state) * self.base**i for i, state in enumerate(states))

    def configuration(self, code: int) -> list[State]:
        return [self.states[code // self.base**i % self.base] for i in range(self.n)]

    def satisfying(self, rule: Callable[[list[State]], Any]) -> Bits:
        return np.array([bool(rule(self.configuration(code))) for code in range(self.size)], np.bool_)

    def goal(self, name: str) -> Bits:
        """A goal on whole configurations, asked of every one in plain Python."""
        protocol: Any = self.run.protocol
        rule: Any = type(protocol).all_goals()[name].rule
        return self.satisfying(lambda states: rule(list(map(protocol.agent, states)), self.n, protocol.constants))

    def safe(self) -> Bits:
        """Begin with all configurations of one leader; as long as one has a bad step, take it out."""
        inside = self.leaders == 1
        while True:
            good = inside.copy()
            for after, loud in zip(self.after, self.loud, strict=True):
                good &= inside[after] & ~loud
            if (good == inside).all():
                return inside
            inside = good

    def leading_to(self, wanted: Bits, stop: Bits) -> Bits:
        """From where a wanted configuration can be reached; what is in `stop` is not left."""
        while True:
            wider = wanted | (np.any([wanted[after] for after in self.after], axis=0) & ~stop)
            if (wider == wanted).all():
                return wanted
            wanted = wider

    def distance(self, sources: Bits, wanted: Bits | None) -> int | None:
        """Steps to the nearest wanted configuration; if None is given, to the nearest change of an output."""
        seen, steps = sources.copy(), 0
        front = np.flatnonzero(sources)
        while len(front):
            if wanted is not None and wanted[front].any():
                return steps
            if wanted is None and any(loud[front].any() for loud in self.loud):
                return steps + 1
            reached = np.unique(np.concatenate([after[front] for after in self.after]))
            front = reached[~seen[reached]]
            seen[front] = True
            steps += 1
        return None

    def expected(self, target: Bits, lost_at_once: bool = False) -> NDArray[np.float64]:
        """Steps to the target by one system, dense if it is small; a change of outputs may end the walk too."""
        known = np.flatnonzero(~target)
        place = np.full(self.size, -1)
        place[known] = np.arange(len(known))
        matrix: Any = identity(len(known), format="csr")
        for after, loud in zip(self.after, self.loud, strict=True):
            rows = np.flatnonzero((place[after[known]] >= 0) & ~(loud[known] & lost_at_once))
            heads = place[after[known[rows]]]
            matrix = matrix - csr_matrix((np.ones(len(rows)), (rows, heads)), shape=matrix.shape) / len(self.arcs)
        out, ones = np.zeros(self.size), np.ones(len(known))
        out[known] = np.linalg.solve(matrix.toarray(), ones) if self.size < 1500 else spsolve(matrix.tocsc(), ones)
        return out


class Both:
    """A population analysed, and the same one by one."""

    def __init__(self, run: Run, names: tuple[str, ...], reduce: bool = True) -> None:
        sets = [find_target(run.protocol, name) for name in names]
        self.run, self.plain, self.ground = run, Plain(run), whole_ground(run, sets, reduce)
        configurations = map(self.plain.configuration, range(self.plain.size))
        self.number = np.array([self.ground.space.number_of(states) for states in configurations])
        assert (self.number >= 0).all()
        self.safe = self.plain.safe()

    def each(self, values: Any) -> Any:
        """What is known of numbered configurations, for all plain ones."""
        return values[self.number]


def replayed(run: Run, states: Sequence[State], pairs: Iterable[tuple[int, int]]) -> list[list[State]]:
    """Every configuration of a schedule, the first one included, by the rule in plain Python."""
    out = [list(states)]
    for i, j in pairs:
        after = list(out[-1])
        after[i], after[j] = run.protocol.step(after[i], after[j])
        out.append(after)
    return out


def obey(command: str, quick: Command, monkeypatch: pytest.MonkeyPatch) -> list[State]:
    """Type a printed command, and look at the agents when it is over."""
    last: list[Any] = []

    def conduct(run: Run, population: Any, *rest: Any) -> Any:
        last.append(population)
        return actual(run, population, *rest)

    actual = simulate.conduct
    words = shlex.split(command)
    assert words[:2] == ["princeps", "run"]
    with monkeypatch.context() as patch:
        patch.setattr(simulate, "conduct", conduct)
        outcome = quick(*words[1:], "--json")
    assert outcome.code in (0, 1), outcome.stderr
    return [tuple(last[0].state(agent)) for agent in range(outcome.object["n"])]
