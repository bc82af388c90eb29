"""How far an attack has come, as a file: one that was interrupted, or whose time was over, goes on from there.

An input depends on the seed, its category and its number alone, so that an attack in parts is the attack. The file names
the commit of each part.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fuzz.attack import Tally


class Progress:
    """`plan` is what was asked for: another one begins anew."""

    def __init__(self, path: Path, plan: dict[str, Any]) -> None:
        self.path, self.plan = path, plan
        self.parts: list[dict[str, Any]] = []  # commit and seconds of each

    def resume(self, tallies: Sequence[Tally]) -> None:
        """What an earlier part has tried is not tried again."""
        if not self.path.exists():
            return
        known = json.loads(self.path.read_text())
        if known["plan"] != self.plan:
            sys.exit(f"{self.path} is of another attack, {known['plan']}: remove it, or leave --resume out.")
        self.parts = known["parts"]
        for tally in tallies:
            tally.restore(known["categories"][tally.category.name])

    def save(self, tallies: Sequence[Tally], seconds: float) -> None:
        """Whole or not at all."""
        found = {tally.category.name: tally.as_json() for tally in tallies}
        parts = [*self.parts, {"commit": commit(), "seconds": round(seconds)}]
        beside = self.path.with_suffix(".new")
        beside.write_text(json.dumps({"plan": self.plan, "parts": parts, "categories": found}, indent=1))
        beside.replace(self.path)


def commit() -> str:
    """Of the tree that is attacked, with a sign if it was changed since."""
    asked = ["git", "describe", "--always", "--dirty"]
    try:
        return subprocess.run(
            asked, capture_output=True, text=True, check=True, cwd=Path(__file__).parent
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
