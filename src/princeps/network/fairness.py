"""How far the pairs of a network run are from the uniform scheduler of the model.

Poisson clocks give uniform arcs if all agents are equally fast. If one of them is slow, the law of the run is another
one, and its interactions are not comparable with the model's steps. So each result says how the pairs came out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, lgamma, log

from princeps.model.topology import Topology

FEWEST = 5.0  # meetings of an arc that are expected, below which a chi-square says nothing
REJECTED = 1e-6  # a p-value below which the pairs are not called uniform


@dataclass(frozen=True)
class Fairness:
    chi_square: float
    degrees: int  # of freedom: arcs - 1
    p_value: float | None  # None if there were too few interactions to tell
    refused_share: float  # of all requests
    slowest: int  # the agent that met others least, compared with its fair share
    slowest_share: float  # of its fair share: 1.0 is fair

    @property
    def is_uniform(self) -> bool:
        return self.p_value is None or self.p_value >= REJECTED

    def sentence(self) -> str:
        if self.p_value is None:
            return "too few interactions to tell whether the pairs are uniform"
        text = f"chi-square {self.chi_square:.1f} on {self.degrees} degrees of freedom, p = {self.p_value:.3g}"
        slow = f"; agent {self.slowest} met others least, {self.slowest_share:.2f} times as often as its fair share"
        if self.is_uniform:
            return f"pairs are uniform as far as can be told: {text}{slow}"
        return f"pairs are not uniform: steps are not comparable with the model ({text}{slow})"


def fairness(pairs: Mapping[tuple[int, int], int], graph: Topology, refused_share: float = 0.0) -> Fairness:
    arcs = [graph.arc(k) for k in range(graph.arc_count)]
    met = sum(pairs.values())
    expected = met / len(arcs)
    multiplicity: dict[tuple[int, int], int] = {}
    for arc in arcs:
        multiplicity[arc] = multiplicity.get(arc, 0) + 1
    chi_square = sum(
        (pairs.get(arc, 0) - count * expected) ** 2 / (count * expected) for arc, count in multiplicity.items() if met
    )
    degrees = len(multiplicity) - 1
    fair, had = [0.0] * graph.n, [0] * graph.n
    for (i, j), count in multiplicity.items():
        fair[i] += count * expected
        fair[j] += count * expected
        had[i] += pairs.get((i, j), 0)
        had[j] += pairs.get((i, j), 0)
    shares = [have / wanted if wanted else 1.0 for have, wanted in zip(had, fair, strict=True)]
    slowest = min(range(graph.n), key=shares.__getitem__)
    tells = degrees > 0 and expected >= FEWEST
    p_value = chi_square_tail(chi_square, degrees) if tells else None
    return Fairness(chi_square, degrees, p_value, refused_share, slowest, shares[slowest])


def chi_square_tail(x: float, degrees: int) -> float:
    """The probability that a chi-square variate with these degrees of freedom exceeds x: Q(degrees/2, x/2)."""
    return upper_gamma(degrees / 2, x / 2)


def upper_gamma(a: float, x: float) -> float:
    """The regularised incomplete gamma function Q(a, x): by its series where that converges fast, else by a fraction."""
    if x <= 0:
        return 1.0
    scale = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1.0 / a
        k = a
        while term > total * 1e-17:
            k += 1
            term *= x / k
            total += term
        return max(0.0, 1.0 - total * scale)
    tiny = 1e-300  # Lentz's way to evaluate a continued fraction
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    h = d
    for k in range(1, 10_000):
        numerator = -k * (k - a)
        b += 2
        d = 1 / (numerator * d + b or tiny)
        c = b + numerator / c or tiny
        h *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return scale * h
