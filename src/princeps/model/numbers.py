"""Whole numbers as people type them: 1000, 1e6, 10^6, 1_000_000."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from princeps.errors import ParameterError


def read_count(text: str | int | float, what: str) -> int:
    """An exact integer, also from 1e30; anything else is refused by name."""
    if isinstance(text, bool):
        raise ParameterError(f"{what} = {text!r} is not an integer.")
    if isinstance(text, int):
        return text
    try:
        number = Decimal(str(text).strip().replace("_", ""))
        if number.is_finite() and number == number.to_integral_value() and abs(number.adjusted()) < 1000:
            return int(number)
    except (InvalidOperation, ValueError):
        pass
    raise ParameterError(f"{what} = {str(text)!r} is not an integer: write it like 1000 or 1e6.")
