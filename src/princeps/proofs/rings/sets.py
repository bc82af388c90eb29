"""Sets of configurations of a ring as scans: loops that carry registers once around the ring.

A scan's terms are templates on symbols: the agent `x`, the registers before it, the distance `d` from the leader, the
number of agents `n`, the agent `leader`, and the values `last` that registers of this and other scans have after the last agent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from princeps.errors import PrincepsError
from princeps.lowering.symbolic import PARAMS, SymbolicAgent, Symbols
from princeps.lowering.symbolic_terms import Term


class NotAScan(PrincepsError):
    """The set is in the language but its function does not go once around the ring: only single sizes are left."""


@dataclass(frozen=True)
class Scan:
    """One loop around the ring, from a leader, rightwards (way = 1) or leftwards (-1)."""

    name: str
    way: int
    starts: Mapping[str, Term]  # register -> its value before the leader, where the loop begins
    steps: Mapping[str, Term]  # register -> its value after agent x
    violation: Term  # the loop returns 0 at agent x
    bits: frozenset[str]  # registers that are 0 or 1
    resets: bool  # registers forget everything at a leader, hence do not depend on where the loop begins

    @property
    def terms(self) -> list[Term]:
        return [*self.starts.values(), *self.steps.values(), self.violation]


@dataclass(frozen=True)
class RingSet:
    """A configuration is in the set if it has one leader (or some), no scan is violated, and `top` holds."""

    name: str
    one: bool  # exactly one leader, else at least one
    scans: tuple[Scan, ...]
    top: Term  # a condition on the leader and last values
    uses_n: bool
    asked: frozenset[str] = frozenset()  # the last values that are read, `scan.register.last`
    leader_fields: tuple[str, ...] = ()  # fields of the leader that scans ask for
    loops: tuple[Term, ...] = ()  # loops end within the ring: to be proved

    @property
    def resets(self) -> bool:
        """The scans mean something where several agents lead, too."""
        return self.top is True and all(scan.resets for scan in self.scans)


@dataclass(frozen=True)
class Templates:
    """The symbols that templates are made of, and how terms are put in their places."""

    symbols: Symbols

    @property
    def agent(self) -> SymbolicAgent:
        return self.symbols.agent("x")

    @property
    def leader(self) -> SymbolicAgent:
        """The agent that scans begin at."""
        return self.symbols.agent("leader")

    @property
    def distance(self) -> Term:
        return self.symbols.terms.symbol("d")

    @property
    def number(self) -> Term:
        return self.symbols.terms.symbol("n")

    def register(self, scan: str, name: str) -> Term:
        return self.symbols.terms.symbol(f"{scan}.{name}")

    def last(self, scan: str, name: str) -> Term:
        return self.symbols.terms.symbol(f"{scan}.{name}.last")

    def leads(self, agent: SymbolicAgent) -> Term:
        return self.symbols.truth(self.symbols.cls.is_leader, agent, PARAMS)

    def put(self, template: Term, *places: tuple[Term, Term]) -> Term:
        """The template with a term in place of each symbol."""
        if isinstance(template, int) or not places:
            return template
        solver = self.symbols.terms.solver
        pairs = [(old, solver.IntVal(new) if isinstance(new, int) else new) for old, new in places]
        return solver.substitute(template, *pairs)

    def at(self, agent: SymbolicAgent) -> Iterator[tuple[Term, Term]]:
        """Another agent in place of x."""
        for name, symbol in self.agent.items():
            yield symbol, agent[name]

    def led_by(self, agent: SymbolicAgent) -> Iterator[tuple[Term, Term]]:
        """Another agent in place of the leader."""
        for name, symbol in self.leader.items():
            yield symbol, agent[name]

    def strange(self, template: Term, known: Collection[str]) -> str | None:
        """A symbol of the template that is none of these. In clauses it would be another one in each."""
        left, seen = [] if isinstance(template, int) else [template], set()
        while left:
            term = left.pop()
            if term.get_id() in seen:
                continue
            seen.add(term.get_id())
            inner, name = term.children(), str(term)
            if not inner and name not in known and name not in ("True", "False") and not name.lstrip("-").isdigit():
                return name
            left += inner
        return None

    def mentions(self, template: Term, *symbols: Term) -> bool:
        """Does any of the symbols stand in the template?"""
        if isinstance(template, int):
            return False
        other = [(symbol, self.symbols.terms.symbol("another symbol")) for symbol in symbols]
        return not self.put(template, *other).eq(template)
