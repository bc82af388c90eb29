"""The lemmas of a protocol's file one after the other, each with a verdict for every n.

A method takes a statement and returns a verdict, or None if it has nothing to say of such a lemma. To add one (for sets on
rings, say) put its name into METHODS: `module:function`; the first that proves or refutes decides.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from typing import Any

from princeps.errors import ProtocolError, RunError, UnknownName
from princeps.model.lemmas import EveryAgent, EveryMeeting, Reaches, Symmetric, Within
from princeps.model.protocol import PopulationProtocol
from princeps.model.step_facts import Marked, WithGhosts
from princeps.proofs.certificate import Certificate
from princeps.proofs.clauses import HOLDS, Clause, ask
from princeps.proofs.meeting import CannotState, Meeting
from princeps.proofs.selecting import with_needed_facts
from princeps.proofs.strengthening import inductive_facts
from princeps.proofs.templates import (
    AGENTS,
    CLOSED,
    MEETING,
    SET,
    TOP,
    WEIGHTS,
    Meetings,
    clauses_of,
    counting_for,
)
from princeps.proofs.verdicts import NOT_PROVED, PROVED, Statement, Verdict
from princeps.proofs.weights import Search

GROUPS = "groups"
METHODS = ("princeps.proofs.rings.proving:by_scans", "princeps.proofs.prove:by_pairs")
HOW = {
    AGENTS: "every meeting of two agents keeps it",
    MEETING: "true of every two legal states that meet",
    SET: "every meeting of two agents among n keeps it",
    CLOSED: "true after the first meeting, and kept by every one",
    WEIGHTS: "by weights that never fall in sum",
    TOP: "by a witness whose key nobody exceeds (the hint of the file)",
}
Method = Callable[[Statement, "Context"], "Verdict | None"]


class Context:
    """What the proofs of one protocol share: facts of its agents, certificates that were kept."""

    def __init__(
        self, cls: type[PopulationProtocol], kept: dict[str, Certificate] | None = None, search: bool = False
    ) -> None:
        self.cls, self.kept = cls, kept or {}
        self.search = search  # methods that keep certificates of their own do without them
        self.meetings = Meetings(cls)
        self._facts: tuple[str, ...] | None = None
        self._shared: dict[str, Any] = {}

    def shared(self, name: str, make: Callable[[], Any]) -> Any:
        """What a method keeps from lemma to lemma."""
        if name not in self._shared:
            self._shared[name] = make()
        return self._shared[name]

    @cached_property
    def is_possible(self) -> bool:
        """Is there a legal state at all? Else everything would be proved, and nothing said."""
        try:
            meeting = self.meetings.plain
        except (CannotState, ProtocolError):
            return True  # nothing is proved of a rule without formulas
        known = (*meeting.symbols.facts, meeting.symbols.legal(meeting.a), meeting.symbols.legal(meeting.b))
        return ask(meeting.terms, Clause("nothing is legal", known, False)).outcome != HOLDS

    @property
    def facts(self) -> tuple[str, ...]:
        if self._facts is None:
            try:
                self._facts = inductive_facts(self.cls, self.meetings.plain)
            except (CannotState, ProtocolError):
                self._facts = ()
        return self._facts


def statements_of(cls: type[PopulationProtocol], wanted: Sequence[str] = ()) -> list[Statement]:
    """All that the file states, and that its legal states are closed; or those asked for, in the order of the file."""
    found = [Statement(cls, GROUPS, "every meeting of legal states ends in legal states", GROUPS, None)]
    found += [
        Statement(cls, name, (rule.__doc__ or name).strip().splitlines()[0], "invariant", rule)
        for name, rule in cls.invariants.items()
    ]
    found += [Statement(cls, name, lemma.says, "lemma", lemma) for name, lemma in cls.lemmas.items()]
    for name, fact in cls.facts.items():
        kind = "fact" if isinstance(fact, EveryAgent | EveryMeeting | Symmetric) else "lemma"
        found.append(Statement(cls, name, fact.says, kind, fact))
    known = [one.id for one in found]
    twice = next((name for name in known if known.count(name) > 1), None)
    if twice is not None:
        raise RunError(f"{cls.name} states {twice!r} twice, as invariant, lemma or fact: rename one of them.")
    for name in wanted:
        if name not in known:
            raise UnknownName("lemma", name, known)
    return [one for one in found if not wanted or one.id in wanted]


def prove_all(
    cls: type[PopulationProtocol], wanted: Sequence[str] = (), kept: dict[str, Certificate] | None = None
) -> Iterator[Verdict]:
    context = Context(cls, kept)
    for statement in statements_of(cls, wanted):
        yield prove_one(statement, context)


def prove_one(statement: Statement, context: Context) -> Verdict:
    began = time.perf_counter()
    found: Verdict | None = None
    if not context.is_possible:
        found = Verdict(statement, NOT_PROVED, "no values of the parameters leave every field a value.")
    for name in METHODS if found is None else ():
        module, _, function = name.partition(":")
        method: Any = getattr(import_module(module), function)
        told: Verdict | None = method(statement, context)
        if told is not None:
            if found is None or told.verdict != NOT_PROVED:
                found = told
            if told.verdict != NOT_PROVED:
                break
    if found is None:
        found = Verdict(statement, NOT_PROVED, "there is no method for such a lemma.")
    return replace(found, seconds=time.perf_counter() - began)


# -- pairs of agents -------------------------------------------------------------------------------------------------


def by_pairs(statement: Statement, context: Context) -> Verdict | None:
    """The templates of templates.py, which hold on the complete graph and on every other."""
    if isinstance(statement.what, WithGhosts):
        return None
    if isinstance(statement.what, Marked):
        return Verdict(statement, NOT_PROVED, "a loop around the ring means nothing on other graphs.")
    if isinstance(statement.what, Reaches | Within):
        return Verdict(statement, NOT_PROVED, "what is reached, and when, is not had by this method: ask exact.")
    why = "no template fits."
    try:
        for certificate in candidates(statement, context):
            meeting = context.meetings.of(statement, certificate)
            why = _failing(statement, certificate, meeting)
            if not why:
                how = HOW[certificate.template]
                return Verdict(statement, PROVED, how, assumptions(statement, meeting, certificate), certificate)
    except CannotState as error:
        why = str(error)
    except ProtocolError as error:
        why = f"the rule, or the lemma, has no formula: {error}"
    return Verdict(statement, NOT_PROVED, why)


def _failing(statement: Statement, certificate: Certificate, meeting: Meeting) -> str:
    """What cannot be shown; empty where everything is."""
    failing = meeting.first_failing(clauses_of(statement, certificate, meeting))
    if failing is None:
        return ""
    clause, answer = failing
    reason = "two states break it" if answer.model is not None else "the solver gave up"
    return f"not shown: {clause.says} ({reason})."


def candidates(statement: Statement, context: Context) -> Iterator[Certificate]:
    """A certificate that was kept, then what is found, the simplest first."""
    if statement.id in context.kept:
        yield context.kept[statement.id]
    if statement.kind in (GROUPS, "fact"):
        is_agents = statement.what is None or isinstance(statement.what, EveryAgent)
        yield Certificate(AGENTS if is_agents else MEETING)
        if is_agents and statement.kind == "fact":
            yield from _strengthened(statement, context, Certificate(AGENTS))
    elif statement.kind == "lemma":
        yield _with_cells(statement, context, Certificate(SET))
    else:
        yield from _for_invariants(statement, context)


def _for_invariants(statement: Statement, context: Context) -> Iterator[Certificate]:
    yield _with_cells(statement, context, Certificate(CLOSED))
    if statement.id in statement.cls.hints:
        yield _with_cells(statement, context, Certificate(TOP))
        yield from _strengthened(statement, context, Certificate(TOP))
    yield from _weighed(statement, context, Certificate(WEIGHTS))
    if context.facts:
        yield from _strengthened(statement, context, Certificate(CLOSED))
        for one in _weighed(statement, context, Certificate(WEIGHTS, context.facts)):
            yield from _strengthened(statement, context, one)


def _weighed(statement: Statement, context: Context, empty: Certificate) -> Iterator[Certificate]:
    """With weights, if there are any that prove the invariant."""
    counting = counting_for(statement, empty, context.meetings.of(statement, empty), search=True)
    found = Search(statement, counting).find(empty)
    if found is not None:
        yield found


def _strengthened(statement: Statement, context: Context, certificate: Certificate) -> Iterator[Certificate]:
    """With those of the facts of agents that it needs."""
    if context.facts:
        counted = certificate.template != AGENTS
        found = with_needed_facts(statement, replace(certificate, agents=context.facts), context.meetings, counted)
        if found is not None:
            yield found


def _with_cells(statement: Statement, context: Context, certificate: Certificate) -> Certificate:
    meeting = context.meetings.of(statement, certificate)
    return replace(certificate, cells=counting_for(statement, certificate, meeting, search=True).cells)


def assumptions(statement: Statement, meeting: Meeting, certificate: Certificate) -> tuple[str, ...]:
    """What a proof takes for granted, in sentences."""
    cls, found = statement.cls, ["n >= 2, on every graph"]
    for name, declared in cls.params_.items():
        found.append(f"{name} >= {declared.min}" + ("" if declared.max is None else f" and <= {declared.max}"))
    for name in meeting.symbols.free:
        given = cls.derived_[name].or_given if name in meeting.symbols.limited else None
        limits = "" if given is None else f" from {given.min} on, and what the file computes"
        found.append(f"{name}: any value{limits}" if name in cls.derived_ else name)
    if statement.kind == "invariant" or (certificate.template == AGENTS and statement.what is not None):
        found.append(f"from the start {cls.default_start!r}, after every meeting")
    else:
        found.append("from all legal states")
    if certificate.template == TOP:
        found.append(f"the hint of the file for {statement.id}")
    return tuple(found)
