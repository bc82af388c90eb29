"""Exact solutions of linear equations: lifting against elimination, and what must be refused or noticed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from princeps.analysis import linear_systems
from princeps.analysis.linear_systems import LinearSystem


def system(size: int, seed: int = 0) -> LinearSystem:
    rng = np.random.default_rng(seed)
    rows = [{int(y): int(rng.integers(1, 9)) for y in rng.permutation(size)[:4] if y != x} for x in range(size)]
    return LinearSystem(rows, [sum(row.values()) + 1 for row in rows], [10**60 + x for x in range(size)])


@pytest.mark.slow
def test_lifting_and_elimination_agree() -> None:
    equations = system(50)
    numerators, denominator = linear_systems.lifted(equations)
    others, other = linear_systems.eliminated(equations)
    assert [Fraction(x, denominator) for x in numerators] == [Fraction(x, other) for x in others]


def test_the_heaviest_weights_that_are_lifted() -> None:
    """The residual then needs almost all of its 64 bits."""
    rows = [
        {
            (i + 1) % 40: linear_systems.MAX_LIFTED_WEIGHT // 2 - 3 * i,
            (i + 7) % 40: linear_systems.MAX_LIFTED_WEIGHT // 2 - 5,
        }
        for i in range(40)
    ]
    equations = LinearSystem(rows, [sum(row.values()) + 1 for row in rows], [1] * 40)
    assert max(equations.diagonal) < linear_systems.MAX_LIFTED_WEIGHT
    assert equations.holds(*linear_systems.lifted(equations))


def test_a_prime_that_divides_the_determinant_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    prime = linear_systems._prime_below(1 << 29)
    assert prime == (1 << 29) - 3
    equations = system(30)
    row = equations.rows[4]
    equations.rows[4] = {y: w * prime for y, w in row.items()}
    equations.diagonal[4] *= prime
    assert linear_systems._kernel().factors(equations.rows, equations.diagonal, prime) is None
    assert equations.holds(*linear_systems.lifted(equations))
    monkeypatch.setattr(linear_systems, "MAX_PRIMES", 1)
    with pytest.raises(ArithmeticError, match="no unique solution"):
        linear_systems.lifted(equations)


def digits_of(equations: LinearSystem, count: int, prime: int) -> NDArray[np.uint32]:
    numerators, denominator = linear_systems.eliminated(equations)
    modulus = prime**count
    numbers = [x * pow(denominator, -1, modulus) % modulus for x in numerators]
    return np.array([[x // prime**t % prime for x in numbers] for t in range(count)], np.uint32)


def test_too_few_digits_are_refused() -> None:
    equations, prime = system(30), linear_systems._prime_below(1 << 29)
    exact = linear_systems.lifted(equations)
    digits = digits_of(equations, 40, prime)
    found = [linear_systems.recovered(equations, list(range(30)), digits[:count], prime) for count in range(1, 41)]
    enough = next(count for count, answer in enumerate(found) if answer is not None)
    assert 5 < enough < 35
    for answer in found[enough:]:
        assert answer is not None
        assert [Fraction(x, answer[1]) for x in answer[0]] == [Fraction(x, exact[1]) for x in exact[0]]


def test_a_wrong_digit_is_noticed() -> None:
    equations, prime = system(30), linear_systems._prime_below(1 << 29)
    digits = digits_of(equations, 40, prime)
    assert linear_systems.recovered(equations, list(range(30)), digits, prime) is not None
    for place, column in ((0, 0), (2, 17), (9, 29)):
        wrong = digits.copy()
        wrong[place, column] = (wrong[place, column] + 1) % prime
        assert linear_systems.recovered(equations, list(range(30)), wrong, prime) is None


def test_rash_guesses_do_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """With next to no surplus of digits, wrong fractions are found at first; only the equations refuse them."""
    guesses, holds = [], LinearSystem.holds

    def watched(self: LinearSystem, numerators: list[int], denominator: int) -> bool:
        guesses.append(holds(self, numerators, denominator))
        return guesses[-1]

    monkeypatch.setattr(linear_systems, "SURPLUS_BITS", -54)  # 4 bits remain at the first attempt, with 32 digits
    monkeypatch.setattr(LinearSystem, "holds", watched)
    for seed in range(5):
        equations = system(120, seed)
        assert holds(equations, *linear_systems.lifted(equations))
    assert guesses.count(True) == 5
    assert guesses.count(False) > 0


def test_denominators_that_differ() -> None:
    """The first number lacks most factors of the common denominator: blocks of two states, each of its own."""
    rows = [{i ^ 1: 1} for i in range(240)]
    diagonal = [2 + i // 2 for i in range(240)]
    equations = LinearSystem(rows, diagonal, [1] * 240)
    numerators, denominator = linear_systems.lifted(equations)
    assert [Fraction(x, denominator) for x in numerators] == [Fraction(1, d - 1) for d in diagonal]
