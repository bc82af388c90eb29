"""Hitting times as fractions: against a second elimination, closed forms, and their own equations."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from princeps.analysis import linear_systems, rational
from princeps.analysis.chain import Bits, Chain
from princeps.errors import TooLarge
from princeps.model.formatting import fraction_text
from tests.analysis.cases import check_all

Step = tuple[int, int]  # successor, weight
Problem = tuple[Chain, Bits, NDArray[np.int32]]


def make_problem(
    steps: Sequence[Sequence[Step]], target: Sequence[int], component: Sequence[int], total: int
) -> Problem:
    offsets = np.cumsum([0, *map(len, steps)], dtype=np.int64)
    heads = np.array([y for out in steps for y, _ in out], np.int32)
    weights = np.array([w for out in steps for _, w in out], np.int64)
    chain = Chain(offsets, heads, weights, np.zeros(len(heads), np.uint8), total)
    return chain, np.isin(np.arange(len(steps)), target), np.array(component, np.int32)


def line(weights: Sequence[int], total: int) -> Problem:
    """State k leads to k - 1 with weights[k - 1]; 0 is the target."""
    steps: list[list[Step]] = [[], *([(k, w)] for k, w in enumerate(weights))]
    return make_problem(steps, [0], range(len(steps)), total)


def random_problem(rng: np.random.Generator, sizes: Sequence[int], degree: int, heaviest: int) -> Problem:
    """A target, and one component after another: a cycle with random chords and a few exits to earlier states.

    Some states of later components are targets too; states and steps are shuffled, some steps doubled or to x itself.
    """
    steps: list[list[Step]] = [[]]
    component, target = [0], [0]
    for number, size in enumerate(sizes, 1):
        first = len(steps)
        for i in range(size):
            heads = [first + (i + 1) % size, *(first + rng.integers(0, size, degree - 1)).tolist()]
            if i == 0 or rng.random() < 0.2:
                heads += rng.integers(0, first, 2).tolist()
            steps.append([(y, int(rng.integers(1, heaviest + 1))) for y in heads])
            component.append(number)
        if size > 2 and rng.random() < 0.3:
            target.append(first + 1)
    total = max(sum(w for _, w in out) for out in steps) + int(rng.integers(0, 5))
    name = rng.permutation(len(steps))
    shuffled: list[list[Step]] = [[] for _ in steps]
    order = [0] * len(steps)
    for x, out in enumerate(steps):
        shuffled[name[x]] = [(int(name[y]), w) for y, w in out]
        order[name[x]] = component[x]
    return make_problem(shuffled, name[target].tolist(), order, total)


def gauss(chain: Chain, target: Bits) -> list[Fraction]:
    """All equations at once, densely, with exchanges of rows: nothing in common with what is tested."""
    size = chain.size
    matrix = []
    for x in range(size):
        row = [Fraction(0)] * (size + 1)
        row[x] = Fraction(1)
        if not target[x]:
            row[size] = Fraction(1)
            stay = chain.total
            for k in range(chain.offsets[x], chain.offsets[x + 1]):
                weight = int(chain.weights[k])
                row[chain.successors[k]] -= Fraction(weight, chain.total)
                stay -= weight
            row[x] -= Fraction(stay, chain.total)
        matrix.append(row)
    for k in range(size):
        swap = next(i for i in range(k, size) if matrix[i][k])
        matrix[k], matrix[swap] = matrix[swap], matrix[k]
        matrix[k] = [a / matrix[k][k] for a in matrix[k]]
        for i in range(size):
            factor = matrix[i][k]
            if i != k and factor:
                matrix[i] = [a - factor * b for a, b in zip(matrix[i], matrix[k], strict=True)]
    return [row[size] for row in matrix]


def satisfies(chain: Chain, target: Bits, times: Sequence[Fraction]) -> bool:
    return all(
        times[x] == 0 if target[x] else sum(w * (times[x] - times[y]) for y, w in chain.steps(x)) == chain.total
        for x in range(chain.size)
    )


def check_small_chain(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 7, rng.integers(1, 6)).tolist()
    problem = random_problem(rng, sizes, degree=2, heaviest=int(rng.choice([1, 3, 10**6])))
    assert rational.hitting_times(*problem) == gauss(*problem[:2])


def test_small_chains_agree_with_a_plain_elimination() -> None:
    check_all(range(40), check_small_chain)


def test_small_chains_agree_when_they_are_lifted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_systems, "MAX_ELIMINATED", 1)
    check_all(range(10), check_small_chain)


def test_without_weights_every_step_weighs_1() -> None:
    problem = random_problem(np.random.default_rng(5), [3, 4], degree=2, heaviest=1)
    chain = problem[0]
    plain = Chain(chain.offsets, chain.successors, np.zeros(0, np.int64), chain.changes_output, chain.total)
    assert rational.hitting_times(plain, *problem[1:]) == gauss(*problem[:2])


def test_fratricide() -> None:
    n = 1000
    times = rational.hitting_times(*line([k * (k - 1) for k in range(2, n + 1)], n * (n - 1)))
    assert times[-1] == (n - 1) ** 2
    assert times == [n * (n - 1) * (1 - Fraction(1, k)) for k in range(1, n + 1)]


def test_epidemic() -> None:
    n = 1000
    times = rational.hitting_times(*line([2 * k * (n - k) for k in range(n - 1, 0, -1)], n * (n - 1)))
    assert times[-1] == (n - 1) * sum(Fraction(1, k) for k in range(1, n))


@pytest.mark.parametrize(
    ("sizes", "degree", "heaviest"), [([300], 3, 1000), ([60, 1, 90, 2, 150], 3, 9), ([130], 40, 1)]
)
def test_large_components_satisfy_their_equations(sizes: list[int], degree: int, heaviest: int) -> None:
    problem = random_problem(np.random.default_rng(7), sizes, degree, heaviest)
    times = rational.hitting_times(*problem)
    assert satisfies(*problem[:2], times)
    times[int(np.argmax(~problem[1]))] += Fraction(1, 10**300)
    assert not satisfies(*problem[:2], times)


def test_a_walk_along_a_long_path() -> None:
    """Symmetric, reflected at the far end: k(2n + 1 - k) from k; eliminated without any dense core."""
    n = 700
    steps: list[list[Step]] = [[], *([(k - 1, 1), (k + 1, 1)] for k in range(1, n)), [(n - 1, 1)]]
    times = rational.hitting_times(*make_problem(steps, [0], [0] + [1] * n, 2))
    assert times == [k * (2 * n + 1 - k) for k in range(n)] + [n * (n + 1)]


def test_weights_too_heavy_for_64_bits() -> None:
    problem = random_problem(np.random.default_rng(3), [linear_systems.MAX_ELIMINATED + 6], degree=2, heaviest=1 << 61)
    assert satisfies(*problem[:2], rational.hitting_times(*problem))


def test_too_large_a_component_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rational, "_Equations", None)
    size = rational.MAX_COMPONENT + 1
    chain = Chain(np.zeros(size + 2, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0, np.uint8), 2)
    target = np.arange(size + 1) == 0
    with pytest.raises(TooLarge) as refusal:
        rational.hitting_times(chain, target, np.ones(size + 1, np.int32))
    assert str(refusal.value) == (
        f"the largest component has {size:,} configurations, too many for exact fractions "
        f"(at most {size - 1:,}): leave rational=True out for a certified interval."
    )


def test_progress_ends_at_the_end() -> None:
    reports: list[tuple[int, int]] = []
    rational.hitting_times(*line([1] * 1000, 3), progress=lambda done, all_: reports.append((done, all_)))
    assert reports[-1] == (1000, 1000)
    assert reports == sorted(reports)
    assert len(reports) <= 100


def test_nothing_to_do() -> None:
    reports: list[int] = []
    problem = make_problem([[(1, 1)], []], [0, 1], [1, 0], 2)
    assert rational.hitting_times(*problem, progress=lambda done, _: reports.append(done)) == [0, 0]


def test_worst_sees_a_difference_beyond_64_places() -> None:
    tiny = Fraction(1, 10**400)
    values = [Fraction(7, 3), Fraction(22, 7), Fraction(22, 7) + tiny, Fraction(22, 7) - tiny, Fraction(1)]
    assert rational.largest(values) == Fraction(22, 7) + tiny


def test_weighted_mean() -> None:
    rng = np.random.default_rng(1)
    for size in (1, 2, 3, 7, 64, 101):
        values = [Fraction(int(rng.integers(0, 100)), int(rng.integers(1, 30))) for _ in range(size)]
        copies = [int(w) << int(rng.integers(0, 90)) for w in rng.integers(1, 50, size)]
        expected = sum(v * w for v, w in zip(values, copies, strict=True)) / Fraction(sum(copies))
        assert rational.weighted_mean(values, copies) == expected
        assert rational.weighted_mean(values, np.array(copies, object)) == expected


def test_text() -> None:
    assert fraction_text(Fraction(34, 12)) == "17/6"
    assert fraction_text(Fraction(6)) == "6"
    assert fraction_text(Fraction(0)) == "0"
    assert fraction_text(Fraction(10**9000 + 7, 10**5000)) == f"1{'0' * 8999}7/1{'0' * 5000}"


def test_numba_is_not_imported_before_it_is_needed() -> None:
    probe = "import sys, princeps.analysis.rational; print(sorted({'numba', 'scipy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("[]\n", "")
