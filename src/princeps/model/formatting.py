"""Numbers of any length as text and in JSON."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite

MAX_DIGITS = 4000  # Python writes integers of up to 4,300 digits
MAX_SHOWN = 60  # characters of what a user wrote, where a sentence quotes it


def shortened(text: str) -> str:
    """The beginning of a long text."""
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "..."


def counted(number: float, plural: str, form: str = ",") -> str:
    """`1 step`, `2 steps`."""
    text = format(number, form)
    return f"{text} {plural.removesuffix('s') if text == '1' else plural}"


def json_integer(value: int) -> int | str:
    """The number itself, or its binary magnitude if it has too many digits to be written."""
    return value if value.bit_length() < 3 * MAX_DIGITS else f"about 2^{value.bit_length()}"


def json_float(value: float) -> float | None:
    """None for infinity, which JSON does not have."""
    return value if isfinite(value) else None


def fraction_text(value: Fraction) -> str:
    """A nonnegative fraction of any length, `17/6`."""
    numerator = _decimal(value.numerator)
    return numerator if value.denominator == 1 else f"{numerator}/{_decimal(value.denominator)}"


def _decimal(number: int) -> str:
    """str() refuses numbers of more than 4,300 digits."""
    half = number.bit_length() * 3 // 20  # of the decimal digits
    if half < 300:
        return str(number)
    high, low = divmod(number, 10**half)
    return _decimal(high) + _decimal(low).rjust(half, "0")


def table_number(value: float | None) -> str:
    """Readable at a glance: no exponents where digits can be grouped."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e15 else f"{value:,.6g}"


def half_width(interval: tuple[float, float] | None) -> str:
    if interval is None:
        return "-"
    half = (interval[1] - interval[0]) / 2
    return f"{half:,.0f}" if 100 <= half < 1e15 else f"{half:,.3g}"
