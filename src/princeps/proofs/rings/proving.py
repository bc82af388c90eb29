"""A lemma about the sets of a ring: proved for every n, at single sizes, refuted, or not proved.

verdict = prove(statement)                        # what is kept for this rule and lemma first, then Spacer
verdict = prove(statement, kept={})               # from nothing
prover = Prover(cls); prover.prove(statement)     # of several lemmas: sets are read once, shared questions asked once
recheck(statement, invariants, cvc5_library())    # plain solving by another solver; None, or what fails
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any

from princeps.errors import NotCompiled, ProtocolError
from princeps.lowering.symbolic import Symbols
from princeps.model.goals import Closed
from princeps.model.lemmas import Never, Stays, StaysElected
from princeps.model.protocol import PopulationProtocol
from princeps.model.step_facts import Marked, WithGhosts
from princeps.proofs.certificate import Certificate
from princeps.proofs.rings.assumptions import assumptions_of
from princeps.proofs.rings.checking import failing_clause
from princeps.proofs.rings.demands import demanded
from princeps.proofs.rings.ghost_runs import smallest_run
from princeps.proofs.rings.ghosts import Ghosts
from princeps.proofs.rings.horn import Clauses, Question
from princeps.proofs.rings.kept import Invariants, kept_for
from princeps.proofs.rings.questions import Questions
from princeps.proofs.rings.replaying import replayed
from princeps.proofs.rings.searching import SEARCH, SEEDS, search
from princeps.proofs.rings.sets import NotAScan
from princeps.proofs.rings.single_sizes import LARGEST, first_broken
from princeps.proofs.rings.solving import always
from princeps.proofs.rings.unrolled import WORK, Undecided, model_at
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
    search: int = SEARCH  # for one question and seed
    largest: int = LARGEST
    work: int = WORK  # for one pair of neighbours at one size


class Prover:
    """The lemmas of one ring protocol: its sets are read once, and a question that two lemmas ask is searched once."""

    def __init__(self, cls: type[PopulationProtocol], limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.symbols = Symbols(cls)
        self.questions = Questions(self.symbols)
        self.assumed = assumptions_of(cls)
        self.found: dict[str, list[str]] = {}  # invariants, by question
        self.missed: set[tuple[str, Any]] = set()  # questions whose search ended without one

    @cached_property
    def legal(self) -> bool:
        return stays_legal(self.symbols)

    @cached_property
    def possible(self) -> bool:
        """Is there any ring? Else everything would be proved of it."""
        terms = self.symbols.terms
        n, agent = terms.symbol("n"), self.symbols.agent("a")
        known = [*self.symbols.facts, terms.at_most(2, n), *demanded(self.symbols, n), self.symbols.legal(agent)]
        return not always(terms, known, False)

    def prove(self, statement: Statement, kept: Invariants | None = None) -> Verdict:
        begun = perf_counter()
        found = self._proved(statement, kept_for(statement) if kept is None else kept)
        return replace(found, assumptions=self.assumed, seconds=perf_counter() - begun)

    def _proved(self, statement: Statement, kept: Invariants) -> Verdict:
        if not self.legal:
            return Verdict(statement, NOT_PROVED, "the rule may leave the legal states")
        if not self.possible:
            return Verdict(statement, NOT_PROVED, "no number of agents and no parameters fulfil what the file demands")
        if isinstance(statement.what, WithGhosts):
            return self._with_ghosts(statement)
        try:
            questions = self.questions.of(statement.what)
        except (NotAScan, NotCompiled) as reason:
            word, why, example = _at_single_sizes(statement, self.symbols, self.limits, str(reason))
            return Verdict(statement, word, why, counterexample=example)
        return self._by_invariants(statement, questions, kept)

    def _with_ghosts(self, statement: Statement) -> Verdict:
        ghosts = Ghosts(self.symbols, statement.what)
        failing = ghosts.failing()
        if failing is None:
            return Verdict(statement, PROVED, "every meeting of two agents keeps it")
        run = smallest_run(statement, ghosts)
        return (
            Verdict(statement, NOT_PROVED, failing)
            if run is None
            else Verdict(statement, REFUTED, run[1], counterexample=run[0])
        )

    def _by_invariants(self, statement: Statement, questions: Sequence[Question], kept: Invariants) -> Verdict:
        known = {**self.found, **kept}
        invariants = {
            one.name: lines for one in questions if (lines := _kept_proof(self.symbols, one, known)) is not None
        }
        open_ones = [one for one in questions if one.name not in invariants]
        example = _smallest(statement, self.symbols, open_ones, FIRST_SIZES)
        for question in open_ones if example is None else ():
            searched = self._searched(statement, question)
            if searched is None:
                example = _smallest(statement, self.symbols, open_ones, SIZES[len(FIRST_SIZES) :])
                if example is None:
                    return Verdict(statement, NOT_PROVED, f"no invariant was found for: {question.name}")
                break
            invariants[question.name] = searched
        if example is not None:
            why = f"by a ring of {len(example.states)} agents"
            return Verdict(statement, REFUTED, why, counterexample=example)
        says = f"{len(invariants)} invariants of an untouched part of the ring"
        return Verdict(statement, PROVED, says, certificate=Certificate(SCANS, extra=json.dumps(invariants)))

    def _searched(self, statement: Statement, question: Question) -> list[str] | None:
        what = statement.what
        asked = (
            question.name,
            what.event if isinstance(what, Never) else what.bad if isinstance(what, Marked) else None,
        )
        if asked in self.missed:
            return None
        found = search(Clauses(self.symbols, question), self.limits.seeds, self.limits.search).invariant
        if found is None:
            self.missed.add(asked)
        else:
            self.found[question.name] = found
        return found


def prove(statement: Statement, kept: Invariants | None = None, limits: Limits | None = None) -> Verdict:
    return Prover(statement.cls, limits).prove(statement, kept)


def is_about_rings(statement: Statement) -> bool:
    """Of a set of whole configurations on rings, or with ghosts or marks; nothing else is proved by this room's method."""
    what = statement.what
    if isinstance(what, WithGhosts):  # of pairs of agents, on every graph
        return True
    if statement.cls.topology != "ring":
        return False
    if isinstance(what, Marked):
        return True
    if not isinstance(what, Stays | StaysElected | Never):
        return False
    name = what.begin if isinstance(what, Never) else what.of
    return isinstance(statement.cls.goals.get(name), Closed)


def by_scans(statement: Statement, context: Context) -> Verdict | None:
    """The method for sets of whole configurations on rings; None of anything else."""
    kept: Invariants | None = {} if context.search else None
    if not is_about_rings(statement):
        return None
    try:
        prover: Prover = context.shared("rings", lambda: Prover(statement.cls))
        return prover.prove(statement, kept)
    except ProtocolError as error:
        return Verdict(statement, NOT_PROVED, f"the rule, or the lemma, has no formula: {error}")


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
    for n in sizes:
        models = []
        for question in questions:
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
    """Size by size, as far as the solver decides: the verdict names the largest size that was shown, and no more."""
    shown, ended = 1, ""
    try:
        for n in range(2, limits.largest + 1):
            broken = first_broken(symbols, statement.what, n, limits.work)
            if broken is not None:
                pair, model = broken
                found = replayed(statement, model, pair)
                return (NOT_PROVED, reason, None) if found is None else (REFUTED, f"at n = {n}", found)
            shown = n
    except Undecided as other:
        ended = f"; {other}"
    except (NotAScan, NotCompiled) as other:
        return NOT_PROVED, str(other), None
    if shown < 2:
        return NOT_PROVED, f"{reason}{ended}", None
    return proved_at(shown), f"at n = 2 to {shown}, loops unrolled, because {reason}{ended}", None


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
