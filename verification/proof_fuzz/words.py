"""Random expressions of the language of protocol files, as text: each has a value in plain Python, whatever it is asked of."""

from __future__ import annotations

import random
from collections.abc import Sequence

COMPARED = ("==", "!=", "<", "<=", ">", ">=")


class Words:
    """Draws numbers and conditions over some names that are numbers, of which `bits` are 0 or 1."""

    def __init__(self, rng: random.Random, numbers: Sequence[str], bits: Sequence[str], random_values: bool) -> None:
        self.rng, self.numbers, self.bits, self.random_values = rng, list(numbers), list(bits), random_values

    def number(self, depth: int = 2) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.25:
            return rng.choice([*self.numbers, *self.bits, *self.numbers, str(rng.randint(-2, 3))])
        kind = rng.randrange(11)
        one, other = self.number(depth - 1), self.number(depth - 1)
        if kind < 3:
            return f"({one} {rng.choice('+-')} {other})"
        if kind == 3:
            return f"({one} * {rng.randint(-1, 2)})"
        if kind == 4:
            return f"({one} {rng.choice(('//', '%'))} {rng.randint(1, 3)})"
        if kind == 5:
            return f"{rng.choice(('min', 'max'))}({one}, {other})"
        if kind == 6:
            return f"abs({one})"
        if kind == 7:
            return f"({one} if {self.condition(depth - 1)} else {other})"
        if kind == 8 and self.random_values:
            return rng.choice(["coin()", f"draw({rng.randint(1, 3)})"])
        if kind == 9:
            return f"({self.condition(depth - 1)})"
        return f"-{one}" if kind == 8 else f"({self.bit()} {rng.choice('&|^')} {self.bit()})"

    def bit(self) -> str:
        return self.rng.choice([*self.bits, f"({self.condition(0)})"])

    def condition(self, depth: int = 1) -> str:
        rng = self.rng
        kind = rng.randrange(8) if depth else 0
        if kind == 5:
            return f"not {self.bit()}"
        if kind == 6:
            low, high = self.number(0), self.number(0)
            return f"{low} {rng.choice(('<', '<='))} {self.number(0)} {rng.choice(('<', '<='))} {high}"
        if kind == 7 or kind == 4:
            return f"({self.condition(0)} {rng.choice(('and', 'or'))} {self.condition(0)})"
        return f"{self.number(min(depth, 1))} {rng.choice(COMPARED)} {self.number(0)}"
