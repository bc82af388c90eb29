"""A lemma about the sets of a ring: proved for every n, at single sizes, refuted, or not proved.

verdict = prove(statement)                        # kept invariants first, then Spacer
verdict = prove(statement, kept={})               # from nothing
recheck(statement, invariants, cvc5_library())    # plain solving by another solver; None, or what fails
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

from princeps.errors import NotCompiled
from princeps.lowering.symbolic import Symbols
from princeps.model.goals import Closed
from princeps.model.lemmas import Never, Stays, StaysElected
from princeps.model.protocol import PopulationProtocol
from princeps.model.step_facts import Marked, WithGhosts
from princeps.proofs.certificate import Certificate
from princeps.proofs.rings.assumptions import assumptions_of
from princeps.proofs.rings.checking import failing_clause
from princeps.proofs.rings.ghosts import Ghosts
from princeps.proofs.rings.horn import Clauses, Question
from princeps.proofs.rings.kept import Invariants, kept_invariants
from princeps.proofs.rings.questions import Questions
from princeps.proofs.rings.replaying import replayed
from princeps.proofs.rings.searching import SECONDS, SEEDS, search
from princeps.proofs.rings.sets import NotAScan
from princeps.proofs.rings.single_sizes import LARGEST, first_broken
from princeps.proofs.rings.solving import always
from princeps.proofs.rings.unrolled import Undecided, model_at
from princeps.proofs.verdicts import NOT_PROVED, PROVED, REFUTED, Counterexample, Statement, Verdict, proved_at

if TYPE_CHECKING:
    from princeps.proofs.prove import Context

SCANS = "scans"  # the template of these certificates
FIRST_SIZES = range(2, 5)  # a counterexample is looked for there before anything else
SIZES = range(2, 13)  # and there, where an invariant was not found


@dataclass(frozen=True)
class Limits:
    """Of searches. The sizes are those of the fallback for sets that are no scans."""

    seeds: tuple[int, ...] = SEEDS
    seconds: float = SECONDS
    largest: int = LARGEST


def prove(statement: Statement, kept: Invariants | None = None, limits: Limits | None = None) -> Verdict:
    begun = perf_counter()
    limits = limits or Limits()
    symbols = Symbols(statement.cls)
    kept = kept_invariants(statement.cls.name) if kept is None else kept
    assumed = assumptions_of(statement.cls)

    def verdict(word: str, why: str, **more: Any) -> Verdict:
        return Verdict(statement, word, why, assumed, seconds=perf_counter() - begun, **more)

    if not stays_legal(symbols):
        return verdict(NOT_PROVED, "the rule may leave the legal states")
    if isinstance(statement.what, WithGhosts):
        failing = Ghosts(symbols, statement.what).failing()
        return (
            verdict(PROVED, "every meeting of two agents keeps it") if failing is None else verdict(NOT_PROVED, failing)
        )
    try:
        questions = Questions(symbols).of(statement.what)
    except (NotAScan, NotCompiled) as reason:
        word, why, found = _at_single_sizes(statement, symbols, limits, str(reason))
        return verdict(word, why, counterexample=found)
    invariants = {one.name: lines for one in questions if (lines := _kept_proof(symbols, one, kept)) is not None}
    open_ones = [one for one in questions if one.name not in invariants]
    found = _smallest(statement, symbols, open_ones, FIRST_SIZES)
    for question in open_ones if found is None else ():
        searched = search(Clauses(symbols, question), limits.seeds, limits.seconds).invariant
        if searched is None:
            found = _smallest(statement, symbols, open_ones, SIZES[len(FIRST_SIZES) :])
            if found is None:
                return verdict(NOT_PROVED, f"no invariant was found for: {question.name}")
            break
        invariants[question.name] = searched
    if found is not None:
        return verdict(REFUTED, f"by a ring of {len(found.states)} agents", counterexample=found)
    says = f"{len(invariants)} invariants of an untouched part of the ring"
    return verdict(PROVED, says, certificate=Certificate(SCANS, extra=json.dumps(invariants)))


def by_scans(statement: Statement, context: Context) -> Verdict | None:
    """The method for sets of whole configurations on rings; None of anything else."""
    what = statement.what
    kept: Invariants | None = {} if context.search else None
    if isinstance(what, WithGhosts | Marked):
        return prove(statement, kept)
    if statement.cls.topology != "ring" or not isinstance(what, Stays | StaysElected | Never):
        return None
    name = what.begin if isinstance(what, Never) else what.of
    return prove(statement, kept) if isinstance(statement.cls.goals.get(name), Closed) else None


def _kept_proof(symbols: Symbols, question: Question, kept: Invariants) -> list[str] | None:
    """A kept invariant, if it is a proof of what the rule is now."""
    if question.name not in kept:
        return None
    try:
        failing = failing_clause(Clauses(symbols, question), kept[question.name])
    except KeyError:  # a register that there is no more
        return None
    return list(kept[question.name]) if failing is None else None


def _smallest(
    statement: Statement, symbols: Symbols, questions: Sequence[Question], sizes: Sequence[int]
) -> Counterexample | None:
    """The smallest ring that breaks the lemma, and of those one with small parameters; executed before it is told."""
    asked = [one for one in questions if one.elsewhere is None]  # marks are no functions of the file: not executed
    for n in sizes:
        models = []
        for question in asked:
            try:
                models.append(model_at(symbols, question, n))
            except Undecided:
                return None
        for model in sorted((one for one in models if one is not None), key=lambda one: list(one.params.values())):
            found = replayed(statement, model)
            if found is not None:
                return found
    return None


def _at_single_sizes(
    statement: Statement, symbols: Symbols, limits: Limits, reason: str
) -> tuple[str, str, Counterexample | None]:
    try:
        for n in range(2, limits.largest + 1):
            broken = first_broken(symbols, statement.what, n)
            if broken is not None:
                pair, model = broken
                found = replayed(statement, model, pair)
                return (NOT_PROVED, reason, None) if found is None else (REFUTED, f"at n = {n}", found)
    except (NotAScan, NotCompiled, Undecided) as other:
        return NOT_PROVED, str(other), None
    return proved_at(limits.largest), f"at n = 2 to {limits.largest}, loops unrolled, because {reason}", None


def stays_legal(symbols: Symbols) -> bool:
    """Legal states become legal states, and the terms of the rule are what Python computes."""
    terms = symbols.terms
    a, b = symbols.agent("a"), symbols.agent("b")
    met = symbols.interact(a, b)
    shown = terms.both(*met.needed, symbols.legal(met.left), symbols.legal(met.right))
    return always(terms, [*symbols.facts, symbols.legal(a), symbols.legal(b), *met.assumed], shown)


class Rechecking:
    """Kept invariants of one protocol, every clause by plain solving with the given library; each question once."""

    def __init__(self, cls: type[PopulationProtocol], invariants: Invariants, library: Any) -> None:
        self.symbols, self.invariants = Symbols(cls, library), invariants
        self.questions = Questions(self.symbols)
        self.legal = stays_legal(self.symbols)
        self._failing: dict[str, str | None] = {}

    def failing(self, statement: Statement) -> str | None:
        """What the proof of the statement lacks; None: nothing."""
        if not self.legal:
            return "the rule may leave the legal states"
        if isinstance(statement.what, WithGhosts):
            return Ghosts(self.symbols, statement.what).failing()
        try:
            for question in self.questions.of(statement.what):
                if question.name not in self._failing:
                    self._failing[question.name] = self._checked(question)
                if self._failing[question.name] is not None:
                    return f"{question.name}: {self._failing[question.name]}"
        except (NotAScan, NotCompiled) as reason:
            return str(reason)
        return None

    def _checked(self, question: Question) -> str | None:
        if question.name not in self.invariants:
            return "no invariant is kept"
        try:
            failing = failing_clause(Clauses(self.symbols, question), self.invariants[question.name])
        except KeyError as name:
            return f"there is no register {name}"
        return None if failing is None else f"clause `{failing}`"


def recheck(statement: Statement, invariants: Invariants, library: Any) -> str | None:
    return Rechecking(statement.cls, invariants, library).failing(statement)
