"""Weights that prove an invariant: sums over agents that never fall, found from counterexamples.

A candidate is a small integer for each predicate. Three kinds of counterexamples rule candidates out: numbers of agents
at the beginning, which must satisfy the sum; changes by one meeting, which must not lower it; and numbers of agents that
break the invariant, each of which some sum must exclude. One sum is made to exclude as many of those as it can.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from princeps.proofs.asking import checked
from princeps.proofs.certificate import Certificate, Weight
from princeps.proofs.clauses import FAILS, HOLDS, Answer, Clause, ask
from princeps.proofs.counting import Counting, weight_holds
from princeps.proofs.templates import base, implied, kept_weight
from princeps.proofs.verdicts import Statement

LARGEST = 3  # of a weight
LARGEST_LEAST = 2
ROUNDS = 80
Vector = dict[str, int]


@dataclass
class Excluding:
    """One sum, and the numbers of agents that it excludes."""

    broken: list[Vector] = field(default_factory=list)
    weight: Weight | None = None


@dataclass
class Search:
    statement: Statement
    counting: Counting
    begun: list[Vector] = field(default_factory=list)
    changes: list[Vector] = field(default_factory=list)
    rounds: int = 0

    def find(self, empty: Certificate) -> Certificate | None:
        """The certificate with weights, or None."""
        sums: list[Excluding] = []
        while self.rounds < ROUNDS:
            weights = tuple(one.weight for one in sums if one.weight is not None)
            found = replace(empty, cells=self.counting.cells, weights=weights)
            clause = implied(self.statement, self.counting, found)
            answer = ask(self.counting.terms, clause)
            if answer.outcome == HOLDS:
                return found
            if answer.outcome != FAILS or not self._exclude(sums, self._numbers(answer)):
                return None
        return None

    def _exclude(self, sums: list[Excluding], numbers: Vector) -> bool:
        for one in (*sums, Excluding()):
            weight = self._refined([*one.broken, numbers])
            if weight is not None:
                one.broken.append(numbers)
                one.weight = weight
                if one not in sums:
                    sums.append(one)
                return True
        return False

    def _refined(self, broken: list[Vector]) -> Weight | None:
        """A sum that excludes these, is true at the beginning and never falls."""
        terms = self.counting.terms
        while self.rounds < ROUNDS:
            self.rounds += 1
            weight = self._candidate(broken)
            if weight is None:
                return None
            clause = base(self.counting, lambda numbers, weight=weight: weight_holds(weight, numbers))  # type: ignore[misc]
            answer = ask(terms, clause)
            if answer.outcome == FAILS:
                self.begun.append(self._begun(answer, clause))
                continue
            if answer.outcome == HOLDS:
                answer = ask(terms, kept_weight(self.counting, weight))
                if answer.outcome == HOLDS:
                    return weight
                if answer.outcome == FAILS:
                    self.changes.append(self._change(answer))
                    continue
            return None
        return None

    def _candidate(self, broken: list[Vector]) -> Weight | None:
        library = self.counting.terms.solver
        names = [*self.counting.predicates, "n"]
        for largest in range(1, LARGEST + 1):
            solver = library.Solver()
            of = {name: library.Int(f"weight_{name}") for name in names}
            least = library.Int("least")
            solver.add(least >= 0, least <= LARGEST_LEAST)
            for one in of.values():
                solver.add(one >= -largest, one <= largest)
            for vector in self.begun:
                solver.add(sum(of[name] * vector[name] for name in names) >= least)
            for vector in self.changes:
                solver.add(sum(of[name] * vector[name] for name in names) >= 0)
            for vector in broken:
                solver.add(sum(of[name] * vector[name] for name in names) < least)
            if checked(solver) == library.sat:
                model = solver.model()
                values = {name: model.eval(one, model_completion=True).as_long() for name, one in of.items()}
                return Weight(values, model.eval(least, model_completion=True).as_long())
        return None

    # -- numbers out of models -----------------------------------------------------------------------------------

    def _numbers(self, answer: Answer) -> Vector:
        return {name: answer.value(self.counting.terms, one) for name, one in self.counting.before.items()}

    def _change(self, answer: Answer) -> Vector:
        after = {name: answer.value(self.counting.terms, one) for name, one in self.counting.after.items()}
        return {name: after[name] - value for name, value in self._numbers(answer).items()}

    def _begun(self, answer: Answer, clause: Clause) -> Vector:
        from princeps.proofs.meeting import start_of

        start = start_of(self.counting.meeting)
        known = None if start.is_any else self.counting.after_first(start) or self.counting.at_start(start)
        numbers = self.counting.after if known is None else known[1]
        return {name: answer.value(self.counting.terms, one) for name, one in numbers.items()}
