"""The integers that outcomes.py and its kernel exchange; numba freezes them into machine code."""

from __future__ import annotations

LARGEST_DENOMINATOR = 1 << 52  # of a probability: such numbers are exact as floats, too
RULE_FAILS, TOO_MANY = -1, -2  # in place of a denominator
