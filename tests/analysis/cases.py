"""One check of many cases as one test."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Case = TypeVar("Case")


def check_all(cases: Iterable[Case], check: Callable[[Case], None]) -> None:
    """Check every case, and name all that fail."""
    failures, count = [], 0
    for case in cases:
        count += 1
        try:
            check(case)
        except AssertionError as error:
            failures.append(f"case {case!r}: {error}")
    assert count > 0
    assert not failures, f"{len(failures)} of {count} cases fail\n" + "\n".join(failures)
