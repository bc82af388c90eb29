"""Pages of papers: claims with their verdicts, charts, tables, errata and commands, in one file each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def refuse_pages(path: str, papers: Sequence[Any]) -> None:
    """What is wrong with the path is told before hours of work."""


def write_pages(path: str, pages: Sequence[tuple[Any, Any, Any]], *, full: bool, seed: str) -> None:
    """One self-contained page a paper; in a folder also an index of them all."""
