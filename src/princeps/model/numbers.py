"""Whole numbers as people type them: 1000, 1e6, 10^6, 1_000_000."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import log10
from numbers import Real
from typing import SupportsIndex

from princeps.errors import ParameterError, RunError

Count = int | str | float | SupportsIndex  # a whole number as people type it: 1000, "1e6", 1e6, np.int64(1000)
Integer = SupportsIndex | str  # a seed, or a parameter of a protocol

MAX_INPUT_DIGITS = 1000
UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0}


def read_count(text: Count, what: str) -> int:
    """An exact integer, also from 1e30; anything else is refused by name."""
    if isinstance(text, int) and not isinstance(text, bool):
        return text
    plain = str(text).strip().replace("_", "")
    if plain.startswith("10^"):
        plain = "1e" + plain.removeprefix("10^")
    try:
        number = Decimal(plain)
        whole = number.is_finite() and number == number.to_integral_value()
    except (InvalidOperation, ValueError):
        whole = False
    if not whole:
        raise ParameterError(f"{what} = {_shown(text)} is not an integer: write it like 1000 or 1e6.")
    if number.adjusted() >= MAX_INPUT_DIGITS:
        raise ParameterError(
            f"{what} = {_shown(text)} has more than {MAX_INPUT_DIGITS} digits: write a smaller number."
        )
    return int(number)


def read_integer(text: Integer, what: str) -> int:
    """A seed or a number of a trial: plain digits, perhaps with a sign."""
    if isinstance(text, int) and not isinstance(text, bool):
        number = text
    else:
        try:
            number = int(str(text))
        except ValueError:
            raise ParameterError(f"{what} = {_shown(text)} is not an integer: give a number like 7.") from None
    if abs(number) >= 10**MAX_INPUT_DIGITS:
        raise ParameterError(f"{what} has more than {MAX_INPUT_DIGITS} digits: give a number like 7.")
    return number


def _shown(given: object) -> str:
    """A number without quotes, anything else in them."""
    return str(given) if isinstance(given, Real) else repr(str(given))


def natural(text: str) -> int | None:
    """The number that plain digits spell, else None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_INPUT_DIGITS else None


def simple_fraction(value: float) -> Fraction:
    """What somebody may have meant by a float: 1/3 by 0.3333, 1/20 by 0.05. Only a whole number becomes one."""
    exact = Fraction(repr(float(value)))
    for largest in (10, 100, 1000):
        found = exact.limit_denominator(largest)
        if abs(found - exact) <= abs(exact) / 500 and (found.denominator > 1 or exact.denominator == 1):
            return found
    return exact.limit_denominator(10**6) or exact


def in_words(number: int) -> str:
    """In full up to 15 digits, else its magnitude."""
    return f"{number:,}" if number < 10**15 else f"about 10^{int(log10(number))}"


def rounded_up(number: int) -> str:
    """The next power of ten as one types it, 1e12."""
    return f"1e{int(log10(max(number, 1))) + 1}"


def bytes_in_words(size: float) -> str:
    if size >= 2**60:
        return f"{in_words(int(size)).removeprefix('about ')} bytes"
    for unit in ("B", "KiB", "MiB", "GiB", "TiB", "PiB"):
        if size < 1024 or unit == "PiB":
            break
        size /= 1024
    return f"{size:.3g} {unit}" if size < 1000 else f"{size:.0f} {unit}"


def duration_in_words(seconds: float) -> str:
    for size, unit in ((365.25 * 86400, "years"), (86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            whole = int(seconds) // int(size)  # which may be too large for a float
            return f"{seconds / size:.3g} {unit}" if whole < 10**6 else f"{in_words(whole)} {unit}"
    return f"{seconds:.2g} seconds"


def read_seconds(text: str | float, what: str) -> float:
    """A time like 60s, 500ms or 2min; a number alone is seconds."""
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(ms|s|min|h)?\s*", str(text))
    if found is None or isinstance(text, bool):
        raise RunError(f"{what} {text!r} is not understood: give a time like 60s, 500ms or 2min.")
    if float(found[1]) <= 0:
        raise RunError(f"{what} {text!r} is no time: give one above zero, like 60s, 500ms or 2min.")
    return float(found[1]) * UNITS[found[2] or "s"]
