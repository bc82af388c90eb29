"""Conditions on numbers of agents, before and after one meeting among n agents, whatever n is.

The two that meet are terms; the others are known only by how many of them are in each cell, a cell being the set of
predicates that an agent satisfies. `legal` agents are in no cell but those listed, which is a clause of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from princeps.lowering.symbolic import PARAMS, SymbolicAgent, SymbolicCounts, Symbols
from princeps.lowering.symbolic_terms import Term
from princeps.lowering.trees import TheCounts, TheParams
from princeps.model.goals import Counted, Goal, Predicate
from princeps.model.lemmas import EVERYTHING
from princeps.model.predicates import read_predicates
from princeps.proofs.certificate import Weight
from princeps.proofs.clauses import FAILS, Answer, Clause, ask
from princeps.proofs.meeting import CannotState, Meeting, Start, example_of

Cells = tuple[tuple[str, ...], ...]
Numbers = Mapping[str, Term]  # of agents by predicate; "n": all
QUANTIFIERS = ("some", "all", "none")
HERE = "here"  # the predicate of `some:PREDICATE`


@dataclass(frozen=True)
class CountSet:
    """A set of configurations that numbers of agents decide."""

    predicates: Mapping[str, Predicate]
    holds: Callable[[Symbols, Numbers], Term]


def asked_counts(symbols: Symbols, rule: Callable[..., object]) -> list[str]:
    flat = symbols.flattener(rule)
    flat.expression([TheCounts(), TheParams()])
    return sorted(flat.used_counts - {"n"})


def condition_set(symbols: Symbols, rule: Callable[..., object]) -> CountSet:
    """Of a condition (c, p) of the file: an invariant, a goal, an oracle."""
    known = symbols.cls.all_predicates()
    names = asked_counts(symbols, rule)

    def holds(symbols: Symbols, numbers: Numbers) -> Term:
        return symbols.truth(rule, SymbolicCounts(numbers), PARAMS)

    return CountSet({name: known[name] for name in names}, holds)


def named_set(symbols: Symbols, name: str) -> CountSet | None:
    """A set as lemmas name it; None: every configuration."""
    cls = symbols.cls
    if name == EVERYTHING:
        return None
    goal: Goal | None = cls.all_goals().get(name)
    if isinstance(goal, Counted):
        return condition_set(symbols, goal.rule)
    quantifier, colon, text = name.partition(":")
    if goal is not None or not colon or quantifier not in QUANTIFIERS:
        raise CannotState(f"{name!r} is no condition on numbers of agents.")
    predicate = read_predicates(example_of(cls), {HERE: text.strip()})[HERE]

    def holds(symbols: Symbols, numbers: Numbers) -> Term:
        here, terms = numbers[HERE], symbols.terms
        if quantifier == "some":
            return terms.at_most(1, here)
        return terms.equal(here, numbers["n"] if quantifier == "all" else 0)

    return CountSet({HERE: predicate}, holds)


def joined(some: Mapping[str, Predicate], more: Mapping[str, Predicate]) -> dict[str, Predicate]:
    """Both, if no name means two things: the numbers of agents are known by these names."""
    twice = next((name for name in some if name in more and some[name] is not more[name]), None)
    if twice is not None:
        raise CannotState(f"the predicate {twice!r} has a name that the proof needs for itself: rename it.")
    return {**some, **more}


def weight_holds(weight: Weight, numbers: Numbers) -> Term:
    total: Term = 0
    for name, value in weight.of.items():
        if value:
            total = total + value * numbers[name]
    return total >= weight.least


class Counting:
    """The numbers of agents that satisfy some predicates, around one meeting."""

    def __init__(self, meeting: Meeting, predicates: Mapping[str, Predicate], cells: Cells | None = None) -> None:
        self.meeting, self.terms = meeting, meeting.terms
        oracle = meeting.cls.oracle
        self.oracle = None if oracle is None else condition_set(meeting.symbols, oracle.rule)
        self.predicates = joined(predicates, {} if self.oracle is None else self.oracle.predicates)
        self.cells = self._possible_cells() if cells is None else cells
        self.others = [self.terms.symbol(f"others_{k}") for k in range(len(self.cells))]
        self.before = self._numbers(meeting.a, meeting.b)
        self.after = self._numbers(meeting.x, meeting.y)
        told: list[Term] = []
        if self.oracle is not None:
            holds = self.terms.number(self.oracle.holds(meeting.symbols, self.before))
            told.append(self.terms.equal(meeting.met.oracle, holds))
        self.given = (*meeting.given, *(self.terms.at_most(0, one) for one in self.others), *told)

    def _possible_cells(self) -> Cells:
        """All combinations of predicates that a possible agent satisfies."""
        meeting, terms = self.meeting, self.terms
        known = (*meeting.symbols.facts, meeting.is_possible(meeting.a))
        found: list[tuple[str, ...]] = []
        while True:
            answer = ask(terms, Clause("", known, terms.either(*(self._in(cell) for cell in found))))
            if answer.outcome != FAILS:
                return tuple(sorted(found))
            found.append(self.cell_of(answer, meeting.a))

    def cell_of(self, answer: Answer, agent: SymbolicAgent) -> tuple[str, ...]:
        value = {
            name: answer.value(self.terms, self.meeting.predicate(rule, agent))
            for name, rule in self.predicates.items()
        }
        return tuple(name for name in self.predicates if value[name])

    def _in(self, cell: Sequence[str], agent: SymbolicAgent | None = None) -> Term:
        agent, terms = agent or self.meeting.a, self.terms
        held = {name: self.meeting.predicate(rule, agent) for name, rule in self.predicates.items()}
        return terms.both(*(one if name in cell else terms.neither(one) for name, one in held.items()))

    def complete(self) -> Clause:
        meeting = self.meeting
        known = (*meeting.symbols.facts, meeting.is_possible(meeting.a))
        return Clause(
            "an agent is in one of the cells", known, self.terms.either(*(self._in(one) for one in self.cells))
        )

    def outside(self, cell: Sequence[str]) -> Clause:
        """No possible agent is in the cell: fails with one that is."""
        meeting = self.meeting
        known = (*meeting.symbols.facts, meeting.is_possible(meeting.a))
        return Clause("nobody is in the cell", known, self.terms.neither(self._in(cell)))

    def _numbers(self, *agents: SymbolicAgent) -> dict[str, Term]:
        found: dict[str, Term] = {"n": sum(self.others, len(agents)) if self.others else len(agents)}
        for name, rule in self.predicates.items():
            total: Term = 0
            for one, cell in zip(self.others, self.cells, strict=True):
                if name in cell:
                    total = total + one
            for agent in agents:
                total = total + self.terms.number(self.meeting.predicate(rule, agent))
            found[name] = total
        return found

    def at_start(self, start: Start) -> tuple[tuple[Term, ...], dict[str, Term]] | None:
        """What is known of the start, and its numbers of agents; None if they are not known."""
        if start.is_any or any(size is None for _, size in start.blocks):
            return None
        found: dict[str, Term] = {"n": self.meeting.n}
        for name, rule in self.predicates.items():
            total: Term = 0
            for agent, size in start.blocks:
                total = total + self.terms.choice(self.meeting.predicate(rule, agent), size, 0)
            found[name] = total
        return start.given, found

    def after_first(self, start: Start) -> tuple[tuple[Term, ...], dict[str, Term]] | None:
        """The same after the first meeting, where all agents begin in one state."""
        if not start.one:
            return None
        meeting, (agent, size) = self.meeting, start.blocks[0]
        begun = [self.terms.equal(one[name], value) for one in (meeting.a, meeting.b) for name, value in agent.items()]
        found: dict[str, Term] = {"n": meeting.n}
        for name, rule in self.predicates.items():
            rest = self.terms.choice(meeting.predicate(rule, agent), size - 2, 0)
            pair = [self.terms.number(meeting.predicate(rule, one)) for one in (meeting.x, meeting.y)]
            found[name] = rest + pair[0] + pair[1]
        told: list[Term] = []
        if self.oracle is not None:
            numbers = self.at_start(start)
            assert numbers is not None
            told.append(
                self.terms.equal(meeting.met.oracle, self.terms.number(self.oracle.holds(meeting.symbols, numbers[1])))
            )
        return (*start.given, *begun, *meeting.met.assumed, *told), found
