"""Which questions a lemma of the file asks; it is proved when none of the goals can occur."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from princeps.lowering.symbolic import PARAMS, Symbols
from princeps.lowering.symbolic_terms import Term
from princeps.model.goals import Closed
from princeps.model.lemmas import Fact, Lemma, Never, Stays, StaysElected
from princeps.model.step_facts import Marked
from princeps.proofs.rings.horn import Closing, Question
from princeps.proofs.rings.marks import Marking
from princeps.proofs.rings.reading import read_set
from princeps.proofs.rings.sets import NotAScan, RingSet, Templates


class Questions:
    """The sets of one protocol as scans, and the questions of its lemmas."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols, self.terms, self.templates = symbols, symbols.terms, Templates(symbols)
        self._sets: dict[str, RingSet] = {}

    def set(self, name: str) -> RingSet:
        if name not in self._sets:
            goal = self.symbols.cls.goals.get(name)
            if not isinstance(goal, Closed):
                raise NotAScan(f"{name} is no set of whole configurations: a Closed goal of the file is needed.")
            self._sets[name] = read_set(self.symbols, name, goal.rule)
        return self._sets[name]

    def of(self, lemma: Lemma | Fact) -> list[Question]:
        if isinstance(lemma, Stays | StaysElected):
            of = self.set(lemma.of)
            if isinstance(lemma, StaysElected) and not of.one:
                raise NotAScan(f"{lemma.of} has members with several leaders.")
            return self._closed(of)
        if isinstance(lemma, Never):
            of = self.set(lemma.begin)
            name = f"{lemma.event.__name__}"
            return [self._asked(of, name, of.one, (), self._event(lemma)), *self._ends(of)]
        if isinstance(lemma, Marked):
            return list(Marking(self.symbols, lemma, self.set(lemma.of)).questions())
        raise NotAScan("it is about what will happen, not about single interactions.")

    def _asked(
        self,
        of: RingSet,
        says: str,
        one: bool,
        observed: tuple[str, ...],
        goal: Callable[[Closing], Term],
        **more: Any,
    ) -> Question:
        scans = ", ".join(scan.name for scan in of.scans)
        known = "anything" if more.get("anywhere") else scans
        name = f"{'one leader' if one else 'some leader'}; {known}: {says}"
        return Question(name, of, one, observed, goal, **more)

    def _closed(self, of: RingSet) -> list[Question]:
        terms = self.terms
        found = self._ends(of)
        if of.one:
            found.append(self._asked(of, "an output changes", True, (), self._changed))
        else:
            found.append(self._asked(of, "no leader is left", False, (), lambda c: terms.equal(c.led_after, 0)))
        one, same = of.one and not of.resets, of.one and not of.resets

        def violated(c: Closing) -> Term:
            known = terms.neither(self._changed(c)) if same else terms.at_most(1, c.led_after)
            return terms.both(known, c.violated)

        asked = tuple(name for scan in of.scans for name in [scan.name] if any(f"{name}." in one for one in of.asked))
        for scan in of.scans:
            observed = tuple(dict.fromkeys((*asked, scan.name)))
            found.append(self._asked(of, f"{scan.name} violated", one, observed, violated, same_output=same))
        if of.top is not True:
            found.append(self._asked(of, "the leader violates", one, asked, violated, same_output=same, top=True))
        return found

    def _ends(self, of: RingSet) -> list[Question]:
        """Loops that go only a part of the way do not go further than once around."""
        if not of.loops:
            return []
        return [self._asked(of, "a loop goes on", of.one, (), lambda c: self.terms.neither(c.loops), anywhere=True)]

    def _changed(self, c: Closing) -> Term:
        terms, leads = self.terms, self.templates.leads
        pairs = ((c.left, c.met.left), (c.right, c.met.right))
        return terms.either(*[terms.neither(terms.equal(leads(old), leads(new))) for old, new in pairs])

    def _event(self, lemma: Never) -> Callable[[Closing], Term]:
        def goal(c: Closing) -> Term:
            pairs = ((c.left, c.met.left), (c.right, c.met.right))
            return self.terms.either(*[self.symbols.truth(lemma.event, old, new, PARAMS) for old, new in pairs])

        return goal
