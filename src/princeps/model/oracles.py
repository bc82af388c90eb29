"""Oracles: a fact about the whole configuration that a rule may read.

A protocol declares one, `oracle = NobodyLeads()`, and its rule reads it as `p.nobody_leads`, 0 or 1: the value for the
configuration before the interaction. It is a condition on counts, as goals are, so that engines keep it from the counts
that they hold anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from keyword import iskeyword

from princeps.model.fields import Counts, Params
from princeps.model.values import function_complaint, shown

VALUES = (0, 1)


class Oracle:
    """`name` is how rules read it; `rule(c, p)` is the condition on the counts of agents."""

    def __init__(self, name: str, rule: Callable[[Counts, Params], int]) -> None:
        self.name, self.rule = name, rule

    def complaint(self) -> str | None:
        """What is wrong with the declaration, if anything is."""
        if not isinstance(self.name, str) or not self.name.isidentifier() or iskeyword(self.name):
            return f"has the name {shown(self.name)}: give one that a rule can read, like 'nobody_leads'"
        return function_complaint(self.rule, "c, p")


def nobody_leads(c: Counts, p: Params) -> int:
    """no agent leads"""
    return c.leaders == 0


class NobodyLeads(Oracle):
    """Is there no leader at all? Known as the eventual leader detector in its simplest form."""

    def __init__(self) -> None:
        super().__init__("nobody_leads", nobody_leads)
