"""Small chains, and slow but simple computations of everything that the analysis finds about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import inf

import numpy as np

from princeps.analysis.chain import Bits, Chain

Steps = list[list[tuple[int, int]]]  # of every state: successor, weight
Value = Fraction | float  # a float only if it is infinite


def make_chain(
    steps: Steps, total: int = 0, changes_output: Iterable[tuple[int, int]] = (), weighted: bool = True
) -> Chain:
    """`changes_output`: steps that change an output. Without weights every step must weigh 1."""
    assert weighted or all(w == 1 for out in steps for _, w in out)
    changing = set(changes_output)
    return Chain(
        np.cumsum([0, *map(len, steps)], dtype=np.int64),
        np.array([y for out in steps for y, _ in out], np.int32),
        np.array([w for out in steps for _, w in out] if weighted else [], np.int64),
        np.array([(x, y) in changing for x, out in enumerate(steps) for y, _ in out], np.uint8),
        total or max(sum(w for _, w in out) for out in steps),
    )


def bits(size: int, chosen: Iterable[int]) -> Bits:
    out = np.zeros(size, np.bool_)
    out[list(chosen)] = True
    return out


def random_graph(rng: np.random.Generator, size: int, degree: float, change_probability: float = 0.0) -> Chain:
    """Arcs anywhere, also twice and from a state to itself."""
    steps: Steps = [[(int(y), 1) for y in rng.integers(0, size, rng.poisson(degree))] for _ in range(size)]
    changes_output = [(x, y) for x, out in enumerate(steps) for y, _ in out if rng.random() < change_probability]
    return make_chain(steps, size, changes_output, weighted=False)


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
