"""What `--record states` wrote, as counts that a figure can show: a curve for each state, or for most agents' states.

The states are chosen for all runs of one kind together, so that their medians are of the same states.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

TIMES = ("steps", "parallel_time")  # the other columns are what was counted
MAX_STATES = 8  # that are drawn; of more, all but one of these places for single states, and one for the others


class FewStates:
    """`add` all runs, then ask for the `columns` of each."""

    def __init__(self) -> None:
        self._most: dict[Hashable, dict[str, int]] = {}  # by kind of run: the largest count of each state

    def add(self, kind: Hashable, moments: Any) -> None:
        """What is not whole is refused when its columns are asked for."""
        most = self._most.setdefault(kind, {})
        try:
            for moment in moments or ():
                for name, size in moment["counts"].items():
                    most[name] = max(most.get(name, 0), size)
        except (AttributeError, KeyError, TypeError):
            return

    def columns(self, kind: Hashable, moments: Any) -> dict[str, list[Any]] | None:
        """As if each state had been counted by itself; None if the record is not whole."""
        most = self._most[kind]
        shown = sorted(most, key=lambda name: -most[name])
        if len(shown) > MAX_STATES:
            shown = shown[: MAX_STATES - 1]
        try:
            counted = [dict(moment["counts"]) for moment in moments]
            found: dict[str, list[Any]] = {name: [moment[name] for moment in moments] for name in TIMES}
            found |= {name: [counts.get(name, 0) for counts in counted] for name in shown}
            if len(most) > len(shown):
                single = set(shown)
                found[f"{len(most) - len(shown):,} other states"] = [
                    sum(size for name, size in counts.items() if name not in single) for counts in counted
                ]
        except (KeyError, TypeError, ValueError):
            return None
        return found
