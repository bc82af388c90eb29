"""What one question about a set asks, as three Horn clauses about a part of the ring that nobody touches.

The ring is the initiator l, the responder r, and a part of k agents from r's right to l's left, k + 2 = n. Before and
after the interaction the part is the same. The unknown relation Part holds what a part of k agents can do:

    Part(k, registers on its left, registers on its right, the last values, a leader inside, violated afterwards)

    empty    Part of 0 agents has the same registers on both sides
    longer   from a part of k agents to one of k + 1, by a legal agent x on the right at which no scan is violated before
    closed   no part closes to a ring in which l meets r, the set holds before, and the goal (something bad) after

A rightwards scan computes the registers on the right of an agent from those on its left, a leftwards one the other way
round. Whatever relation fulfils the three clauses proves that the goal never occurs: `Clauses` takes any, the unknown
one of a search or the one of a certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from princeps.lowering.symbolic import Interaction, SymbolicAgent, Symbols
from princeps.lowering.symbolic_terms import Term, Terms
from princeps.proofs.rings.copies import AFTER, Copy, Registers, Violations
from princeps.proofs.rings.demands import demanded, inherited
from princeps.proofs.rings.oracles import told
from princeps.proofs.rings.sets import RingSet, Templates

Relation = Callable[[Sequence[Term]], Term]
Goal = Callable[["Closing"], Term]
Elsewhere = Callable[[SymbolicAgent, Violations, Violations], Term]  # an agent, and what it violates before and after


@dataclass(frozen=True)
class Closing:
    """What a goal may ask: the two agents, before and after, and what has become of the ring."""

    left: SymbolicAgent
    right: SymbolicAgent
    met: Interaction
    led_before: Term  # how many lead, 2 for more
    led_after: Term
    violated: Term  # an observed scan, after
    loops: Term  # all loops end within the ring, before
    judged: tuple[Violations, ...] = ()  # by l and r before, then by l and r after


@dataclass(frozen=True)
class Question:
    """A set that holds before, the scans that are observed after, and what must never occur."""

    name: str
    of: RingSet
    one: bool  # exactly one leader before, else some
    observed: tuple[str, ...]  # scans of the set, after
    goal: Goal
    top: bool = False  # the condition on the leader is observed, too
    same_output: bool = False  # proved before: no agent changes its output
    anywhere: bool = False  # nothing is known before but the number of leaders
    nobody: bool = False  # leads before; then there are no registers before
    known: tuple[str, ...] | None = None  # scans that are not violated before; None: all of the set
    elsewhere: Elsewhere | None = None  # what must not happen at other agents; None: an observed scan is violated

    def known_before(self, terms: Terms, violations: Violations) -> list[Term]:
        """What is known of an agent before, where it would violate these scans."""
        if self.anywhere:
            return []
        return [terms.neither(one) for name, one in violations.items() if self.known is None or name in self.known]

    def bad(self, terms: Terms, agent: SymbolicAgent, before: Violations, after: Violations) -> Term:
        """What must not happen at an agent that does not take part."""
        return terms.either(*after.values()) if self.elsewhere is None else self.elsewhere(agent, before, after)


@dataclass(frozen=True)
class Clause:
    """The body's relation (if any) and conditions imply the head's relation (if any, else they cannot hold)."""

    name: str
    body: Sequence[Term] | None
    conditions: Sequence[Term]
    head: Sequence[Term] | None


class Clauses:
    """The clauses of a question, with the names and kinds of the relation's arguments."""

    def __init__(self, symbols: Symbols, question: Question) -> None:
        self.symbols, self.question = symbols, question
        self.terms, self.templates = symbols.terms, Templates(symbols)
        of = question.of
        self.before = Copy(symbols, of, () if question.nobody else of.scans, of.top, "")
        seen = [scan for scan in of.scans if scan.name in question.observed]
        self.after = Copy(symbols, of, seen, of.top if question.top else True, AFTER, question.same_output)
        self.observes = bool(seen) or question.top or question.elsewhere is not None
        self.copies = (self.before, self.after) if self.observes else (self.before,)
        constants = [name for name in (*symbols.cls.params_, *symbols.free) if name in symbols.params]
        self.fixed = {str(term): term for name in constants if not isinstance(term := symbols.params[name], int)}
        if of.uses_n:
            self.fixed["n"] = self.templates.number
        self.k = self.terms.symbol("k")
        self.led, self.violated = self._bool("led"), self._bool("violated")

    def _bool(self, name: str) -> Term:
        return self.terms.solver.Bool(name)

    def symbols_at(self, side: str) -> Registers:
        found: Registers = {}
        for copy in self.copies:
            found |= copy.at(side)
        return found

    @property
    def arguments(self) -> dict[str, Term]:
        """The relation's arguments by name, in order."""
        left, right = self.symbols_at("left"), self.symbols_at("right")
        found = dict(self.fixed) | {"k": self.k}
        found |= {f"left_{name}": term for name, term in left.items()}
        found |= {f"right_{name}": term for name, term in right.items()}
        for copy in self.copies:
            found |= copy.fixed
        found["led"] = self.led
        if self.observes:
            found["violated"] = self.violated
        return found

    def _values(self, k: Term, left: Registers, right: Registers, led: Term, violated: Term) -> list[Term]:
        values = {**self.arguments, "k": k, "led": led}
        values |= {f"left_{name}": term for name, term in left.items()}
        values |= {f"right_{name}": term for name, term in right.items()}
        if self.observes:
            values["violated"] = violated
        return list(values.values())

    def all(self) -> list[Clause]:
        return [self._empty(), self._longer(), self._closed()]

    def _empty(self) -> Clause:
        left = self.symbols_at("left")
        return Clause("empty", None, [*self.symbols.facts], self._values(0, left, left, False, False))

    def _longer(self) -> Clause:
        terms, x, k = self.terms, self.symbols.agent("x"), self.k
        left, middle, right = (self.symbols_at(side) for side in ("left", "middle", "right"))
        leads = self.templates.leads(x)
        conditions = [*self.symbols.facts, terms.at_most(0, k), self.symbols.legal(x), *self._size(k + 3)]
        violations: list[Violations] = []
        for copy in self.copies:
            passed, found = copy.passes(x, middle, right)
            conditions += passed
            violations.append(found)
        conditions += self.question.known_before(terms, violations[0])
        violated = terms.either(self.violated, self.question.bad(terms, x, *violations)) if self.observes else False
        if self.question.one:
            conditions.append(terms.neither(terms.both(self.led, leads)))
        if self.question.nobody:
            conditions.append(terms.neither(leads))
        body = self._values(k, left, middle, self.led, self.violated)
        return Clause(
            "longer", body, conditions, self._values(k + 1, left, right, terms.either(self.led, leads), violated)
        )

    def _size(self, n: Term) -> list[Term]:
        """A part of a ring whose size is demanded."""
        if not self.question.of.uses_n:
            return inherited(self.symbols, n)
        return [self.terms.at_most(n, self.templates.number), *demanded(self.symbols, self.templates.number)]

    def _closed(self) -> Clause:
        terms, k, question = self.terms, self.k, self.question
        l, r = self.symbols.agent("l"), self.symbols.agent("r")
        met = self.symbols.interact(l, r, told(self.symbols, int(question.nobody)))
        left, middle, right = (self.symbols_at(side) for side in ("left", "middle", "right"))
        conditions = [*self.symbols.facts, self.symbols.legal(l), self.symbols.legal(r), *met.assumed]
        conditions += [terms.at_most(0, k), *demanded(self.symbols, k + 2)]
        if question.of.uses_n:
            conditions.append(terms.equal(k + 2, self.templates.number))
        violated: Term = self.violated if self.observes else False
        judged: list[Violations] = []
        for copy in self.copies:
            pair = (l, r) if copy is self.before else (met.left, met.right)
            for agent, here, there in ((pair[0], right, middle), (pair[1], middle, left)):
                passed, found = copy.passes(agent, here, there)
                conditions += passed
                judged.append(found)
                if copy is self.before:
                    conditions += question.known_before(terms, found)
                elif question.elsewhere is None:
                    violated = terms.either(violated, *found.values())
        before = self._leaders(l, r)
        wanted = terms.equal(before, 0 if question.nobody else 1)
        conditions.append(wanted if question.one or question.nobody else terms.at_most(1, before))
        loops = terms.both(*[self.before.put(one) for one in question.of.loops])
        closing = Closing(l, r, met, before, self._leaders(met.left, met.right), violated, loops, tuple(judged))
        conditions.append(question.goal(closing))
        return Clause("closed", self._values(k, left, right, self.led, self.violated), conditions, None)

    def _leaders(self, *agents: SymbolicAgent) -> Term:
        number = self.terms.number
        return number(self.led) + sum(number(self.templates.leads(agent)) for agent in agents)
