"""Variables of an execution that note which last values of registers are read."""

from __future__ import annotations

from collections.abc import Mapping

from princeps.lowering.symbolic_terms import Term


class Recorded(dict[str, Term]):
    """A last value is a symbol `scan.register.last`."""

    def __init__(self, values: Mapping[str, Term], asked: set[str]) -> None:
        super().__init__(values)
        self.asked = asked

    def __getitem__(self, name: str) -> Term:
        value = super().__getitem__(name)
        if not isinstance(value, int) and str(value).endswith(".last"):
            self.asked.add(str(value))
        return value
