"""Text without mathematics that still reads like it: n^2 with a raised 2, +- as one sign, 1e-05 as a power of ten.

Pages of papers need it: there a text is one text, which can be searched and copied, and not a drawing of letters.
"""

from __future__ import annotations

import re

from princeps.figures.text import TIMES

RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
SIGNS = {"+-": "±", "<=": "≤", ">=": "≥", "!=": "≠", "->": "→"}
MATHS = re.compile(r"\$\^\{(-?\d+)\}\$")  # as figures.text writes exponents
EXPONENT = re.compile(r"\^(-?\d+)(?!\.?\d|[A-Za-z_])")  # not n^1.5, for whose point there is no raised letter
SCIENTIFIC = re.compile(r"(?<![\w.^])(\d+(?:\.\d+)?)e([+-]?)0*(\d+)(?![\w.]*\w)")


def superscript(text: str) -> str:
    return text.translate(RAISED)


def with_unicode_signs(text: str) -> str:
    """Text as it is typed in a terminal, with the signs of print: <= as one sign, n^2 with a raised 2."""
    for plain, sign in SIGNS.items():
        text = text.replace(plain, sign)
    text = SCIENTIFIC.sub(_power, text)
    return EXPONENT.sub(lambda found: superscript(found[1]), text)


def without_markup(text: str) -> str:
    """Exponents that were set as mathematics, in letters."""
    return MATHS.sub(lambda found: superscript(found[1]), text)


def _power(found: re.Match[str]) -> str:
    power = f"10{superscript(found[2].strip('+') + found[3])}"
    return power if float(found[1]) == 1 else f"{found[1]} {TIMES} {power}"
