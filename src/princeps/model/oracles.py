"""Oracles: a fact about the whole configuration that a rule may read.

A protocol declares one, `oracle = NobodyLeads()`, and its rule reads it as `p.nobody_leads`, 0 or 1: the value for the
configuration before the interaction. It is a condition on counts, as goals are, so that engines keep it from the counts
that they hold anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any

from princeps.model.fields import NOBODY_LEADS, Counts, Params
from princeps.model.values import function_complaint, shown

VALUES = (0, 1)


@dataclass(frozen=True)
class Oracle:
    """`name` is how rules read it; `rule(c, p)` is the condition on the counts of agents."""

    name: str
    rule: Callable[[Counts, Params], int] = None  # type: ignore[assignment]  # refused with the line of the class

    def complaint(self) -> str | None:
        """What is wrong with the declaration, if anything is."""
        given: Any = self.name
        if callable(given):
            return "has no name that a rule can read: write Oracle('nobody_leads', lambda c, p: ...)"
        if not isinstance(self.name, str) or not self.name.isidentifier() or iskeyword(self.name):
            return f"has the name {shown(self.name)}: give one that a rule can read, like 'nobody_leads'"
        return function_complaint(self.rule, "c, p")


def nobody_leads(c: Counts, p: Params) -> int:
    """no agent leads"""
    return c.leaders == 0


@dataclass(frozen=True)
class NobodyLeads(Oracle):
    """Is there no leader at all? Known as the eventual leader detector in its simplest form."""

    name: str = NOBODY_LEADS
    rule: Callable[[Counts, Params], int] = nobody_leads
