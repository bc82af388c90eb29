"""Questions about single agents: what a loop of a set says of each of them, before and after an interaction.

The mark of an agent is 1 unless the loop returns 0 at it; where nobody leads, there are no registers and all marks are 0.
Hence four questions: with and without a leader before, with and without one after.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from princeps.lowering.symbolic import PARAMS, SymbolicAgent, Symbols
from princeps.lowering.symbolic_terms import Term
from princeps.model.step_facts import Marked
from princeps.proofs.rings.copies import Violations
from princeps.proofs.rings.ghosts import require_new
from princeps.proofs.rings.horn import Closing, Elsewhere, Goal, Question
from princeps.proofs.rings.sets import NotAScan, RingSet


class Marking:
    """A `Marked` fact as questions."""

    def __init__(self, symbols: Symbols, fact: Marked, of: RingSet) -> None:
        self.symbols, self.terms, self.fact, self.of = symbols, symbols.terms, fact, of
        names = {scan.name for scan in of.scans}
        for loop in (*fact.marks.values(), *fact.known):
            if loop not in names:
                raise NotAScan(f"{fact.of} has no loop {loop}: it has {', '.join(sorted(names))}.")
        if not of.resets:
            raise NotAScan(f"the loops of {fact.of} have a meaning for one leader only.")
        require_new(symbols, fact.marks)
        words = symbols.words.fields
        assert isinstance(words, dict)
        words.update(dict.fromkeys(fact.marks, 2))

    def questions(self) -> Iterator[Question]:
        scans = tuple(dict.fromkeys(self.fact.marks.values()))
        for nobody in (False, True):
            for left in (True, False):
                before = "nobody leads" if nobody else f"some leader; {', '.join(self.fact.known) or 'anything'}"
                after = "some leader" if left else "no leader"
                name = f"{before}: {self.fact.bad.__name__}, {after} is left"
                observed = scans if left else ()
                yield Question(
                    *(name, self.of, False, observed, self._goal(left)),
                    nobody=nobody,
                    known=self.fact.known,
                    elsewhere=self._elsewhere,
                )

    @property
    def _elsewhere(self) -> Elsewhere:
        def bad(agent: SymbolicAgent, before: Violations, after: Violations) -> Term:
            if self.fact.bad_elsewhere is None:
                return False
            old, new = self._marked(agent, before), self._marked(agent, after)
            return self.symbols.truth(self.fact.bad_elsewhere, old, new, PARAMS)

        return bad

    def _goal(self, left: bool) -> Goal:
        def goal(c: Closing) -> Term:
            agents = (c.left, c.right, c.met.left, c.met.right)
            marked = [self._marked(agent, found) for agent, found in zip(agents, c.judged, strict=True)]
            here = self.symbols.truth(self.fact.bad, *marked, PARAMS)
            led = self.terms.at_most(1, c.led_after) if left else self.terms.equal(c.led_after, 0)
            return self.terms.both(led, self.terms.either(here, c.violated))

        return goal

    def _marked(self, agent: Mapping[str, Term], violations: Violations) -> SymbolicAgent:
        terms = self.terms
        marks = {
            name: terms.number(terms.neither(violations[loop])) if loop in violations else 0
            for name, loop in self.fact.marks.items()
        }
        return {**agent, **marks}
