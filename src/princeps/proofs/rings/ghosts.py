"""Ghost fields: what is counted along a run, in the proof only. One check of a pair of agents, on every graph."""

from __future__ import annotations

from collections.abc import Iterable

from princeps.errors import ProtocolError
from princeps.lowering.symbolic import PARAMS, Interaction, SymbolicAgent, Symbols
from princeps.lowering.symbolic_terms import Term
from princeps.lowering.trees import AnAgent, TheParams
from princeps.model.step_facts import WithGhosts
from princeps.proofs.rings.solving import always

ROLES = ("a", "b", "x", "y")


def require_new(symbols: Symbols, names: Iterable[str]) -> None:
    """A field of the protocol begins with any value, and cannot be a ghost or a mark as well."""
    taken = next((name for name in names if name in symbols.cls.fields_), None)
    if taken is not None:
        raise ProtocolError(f"{taken!r} is a field of the protocol, and cannot be added in a fact: rename it there.")


class Ghosts:
    """The clauses of a `WithGhosts` fact: at the beginning, and at every meeting."""

    def __init__(self, symbols: Symbols, fact: WithGhosts) -> None:
        self.symbols, self.terms, self.fact = symbols, symbols.terms, fact
        require_new(symbols, fact.ghosts)
        words = symbols.words.fields
        assert isinstance(words, dict)
        words.update(dict.fromkeys(fact.ghosts))

    def failing(self) -> str | None:
        """What is not shown; None: it is a proof, as far as the rule keeps its states legal."""
        symbols, terms = self.symbols, self.terms
        start: SymbolicAgent = symbols.agent("a") | dict.fromkeys(self.fact.ghosts, 0)
        if not always(terms, [*symbols.facts, symbols.legal(start)], self._holds(start)):
            return "not shown: it is true where all ghost fields are 0"
        a, b = (symbols.agent(name) | self._ghosts(name) for name in ("a", "b"))
        met, after, needed = self.met(a, b)
        known = [*symbols.facts, symbols.legal(a), symbols.legal(b), *met.assumed, self._holds(a), self._holds(b)]
        shown = terms.both(*needed, *(self._holds(one) for one in after))
        return None if always(terms, known, shown) else "not shown: every meeting of two agents keeps it"

    def met(
        self, a: SymbolicAgent, b: SymbolicAgent, oracle: Term | None = None
    ) -> tuple[Interaction, list[SymbolicAgent], list[Term]]:
        """The interaction, both agents afterwards with their ghost fields, and what counting needs."""
        symbols = self.symbols
        met = symbols.interact(a, b, oracle)
        execution = symbols.execution(dict(zip(ROLES, (a, b, met.left, met.right), strict=True)), {})
        body = symbols.flattener(self.fact.count).statements([*(AnAgent(one) for one in ROLES), TheParams()])
        execution.block(body)
        after = [{name: execution.variables[f"{role}_{name}"] for name in a} for role in ("x", "y")]
        for counted, left in zip(after, (met.left, met.right), strict=True):
            self._require_fields_kept(left, counted)
        return met, after, execution.needed

    def _require_fields_kept(self, before: SymbolicAgent, counted: SymbolicAgent) -> None:
        """A proof is about the rule: what `count` does to fields of the protocol no run does."""
        for name in self.symbols.sizes:
            if not _is_same(before[name], counted[name]):
                raise ProtocolError(
                    f"`count` of a fact sets the field {name!r} of the protocol: it may set ghost fields only,"
                    f" which are {', '.join(self.fact.ghosts)}."
                )

    def all_hold(self, agent: SymbolicAgent) -> Term:
        """What the fact says of an agent."""
        return self.terms.both(*(self.symbols.truth(rule, agent, PARAMS) for rule in self.fact.holds))

    def _ghosts(self, agent: str) -> SymbolicAgent:
        return {name: self.terms.symbol(f"{agent}.{name}") for name in self.fact.ghosts}

    def _holds(self, agent: SymbolicAgent) -> Term:
        return self.terms.both(*(self.terms.at_most(0, agent[name]) for name in self.fact.ghosts), self.all_hold(agent))


def _is_same(old: Term, new: Term) -> bool:
    if isinstance(old, int) or isinstance(new, int):
        return isinstance(old, int) and isinstance(new, int) and old == new
    return bool(old.eq(new))
