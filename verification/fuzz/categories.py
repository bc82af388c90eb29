"""All categories, and how many inputs each of them gets."""

from __future__ import annotations

from collections.abc import Sequence

from fuzz import (
    command_lines,
    damaged_cache,
    damaged_files,
    damaged_stores,
    formulas,
    interrupts,
    mutated_files,
    python_calls,
    random_protocols,
    random_rings,
    session_calls,
)
from fuzz.attack import Tally
from fuzz.inputs import Category

MODULES = (
    command_lines, python_calls, session_calls, formulas, damaged_files, damaged_stores, damaged_cache, mutated_files, interrupts,
    random_protocols, random_rings,
)  # fmt: skip
CATEGORIES: dict[str, Category] = {module.CATEGORY.name: module.CATEGORY for module in MODULES}


def planned(chosen: Sequence[str], inputs: int, protocols: int) -> list[Tally]:
    """Inputs are divided among the chosen categories by their shares; the others have the number of protocols."""
    categories = [CATEGORIES[name] for name in chosen]
    whole = sum(category.share for category in categories) or 1.0
    return [
        Tally(category, round(inputs * category.share / whole) if category.share else protocols)
        for category in categories
    ]
