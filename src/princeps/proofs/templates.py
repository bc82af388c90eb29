"""The clauses of a proof, from a lemma and a certificate: what is checked is the same for every solver.

    agents     every agent satisfies something: (U) possible(a), possible(b) => possible(x), possible(y)
    meeting    something is true of every meeting of two legal states
    set        a set that numbers of agents decide is closed, and what the lemma says besides
    closed     an invariant that is kept by itself from the first meeting on: (T) somebody is in T for ever, and others
    weights    (W) sums of weights never fall, and together imply the invariant
    top        (M) all agents wait, or some witness has a key that nobody exceeds

The number of agents does not occur but as a sum of numbers of agents, so a proof is one for every n; and since every
meeting changes two agents and no others, on every graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from princeps.lowering.symbolic import PARAMS, SymbolicAgent
from princeps.lowering.symbolic_terms import Term
from princeps.model.goals import Predicate
from princeps.model.lemmas import EveryAgent, EveryMeeting, Never, StaysElected, Symmetric, Top
from princeps.model.protocol import PopulationProtocol
from princeps.proofs.certificate import Certificate
from princeps.proofs.clauses import Clause
from princeps.proofs.counting import Counting, CountSet, Numbers, condition_set, joined, named_set, weight_holds
from princeps.proofs.meeting import CannotState, Meeting, start_of
from princeps.proofs.verdicts import Statement

AGENTS, MEETING, SET, CLOSED, WEIGHTS, TOP = "agents", "meeting", "set", "closed", "weights", "top"
LEADERS = "leaders"


def meeting_for(
    statement: Statement, certificate: Certificate, library: Any = None, fixed: Mapping[str, int] | None = None
) -> Meeting:
    return Meeting(statement.cls, library, certificate.agents, fixed, stated_facts(statement))


def stated_facts(statement: Statement) -> list[Predicate]:
    """What the lemma itself says of every agent."""
    return [statement.what.holds] if isinstance(statement.what, EveryAgent) else []


class Meetings:
    """The meetings of one protocol, one for each set of known facts; the rule is executed once for all of them."""

    def __init__(self, cls: type[PopulationProtocol], library: Any = None) -> None:
        self.cls, self.library = cls, library
        self._known: dict[tuple[tuple[str, ...], str], Meeting] = {}

    @cached_property
    def plain(self) -> Meeting:
        """Nothing is known of its agents but that they are legal."""
        return Meeting(self.cls, self.library)

    def of(self, statement: Statement, certificate: Certificate) -> Meeting:
        stated = stated_facts(statement)
        key = (certificate.agents, statement.id if stated else "")
        if key not in self._known:
            self._known[key] = self.plain.knowing(certificate.agents, stated)
        return self._known[key]


def clauses_of(statement: Statement, certificate: Certificate, meeting: Meeting) -> list[Clause]:
    """All of them together prove the lemma; a certificate of another room's template is none of these."""
    if certificate.template in (MEETING, SET) and certificate.agents:
        raise CannotState("facts of agents that a run has are not true of any configuration.")
    makers: dict[str, Callable[[Statement, Certificate, Meeting], list[Clause]]] = {
        AGENTS: _agents,
        MEETING: _meeting,
        SET: _set,
        CLOSED: _closed,
        WEIGHTS: _weights,
        TOP: _top,
    }
    return makers[certificate.template](statement, certificate, meeting)


# -- (U) every agent, every meeting ------------------------------------------------------------------------------------


def _agents(statement: Statement, certificate: Certificate, meeting: Meeting) -> list[Clause]:
    if statement.what is None:  # the groups of legal states
        if not meeting.symbols.has_all_groups:
            raise CannotState("the groups of legal states are listed in a way that has no formula for every parameter.")
        return [meeting.closed]
    return [meeting.closed, *started(meeting)]


def started(meeting: Meeting) -> list[Clause]:
    """Every agent of the default start is possible."""
    start = start_of(meeting)
    if start.is_any:
        known = (*start.given, meeting.symbols.legal(meeting.a))
        return [Clause("every legal agent is possible", known, meeting.is_possible(meeting.a))]
    terms = meeting.terms
    return [
        Clause(
            "an agent of the start is possible",
            (*start.given, True if size is None else terms.at_most(1, size)),
            meeting.is_possible(agent),
        )
        for agent, size in start.blocks
    ]


def _meeting(statement: Statement, certificate: Certificate, meeting: Meeting) -> list[Clause]:
    terms, what = meeting.terms, statement.what
    if isinstance(what, Symmetric):
        if meeting.met.draws:
            raise CannotState("the rule draws, so that a meeting has no single result to compare.")
        turned = meeting.symbols.interact(meeting.b, meeting.a, meeting.met.oracle)
        pairs = [(meeting.x, turned.right), (meeting.y, turned.left)]
        same = [terms.equal(one[name], other[name]) for one, other in pairs for name in one]
        return [
            meeting.closed,
            Clause("with the roles exchanged the same becomes of both", meeting.given, terms.both(*same)),
        ]
    assert isinstance(what, EveryMeeting)
    needed: list[Term] = []
    holds = meeting.symbols.truth(what.holds, meeting.a, meeting.b, meeting.x, meeting.y, PARAMS, needed=needed)
    return [meeting.closed, Clause(statement.says, meeting.given, terms.both(holds, *needed))]


# -- sets that numbers of agents decide --------------------------------------------------------------------------------


def set_of(statement: Statement, meeting: Meeting) -> CountSet | None:
    """Of a lemma the set it is about, with the leaders where their number matters."""
    what = statement.what
    found = named_set(meeting.symbols, what.begin if isinstance(what, Never) else what.of)
    if found is None or not isinstance(what, StaysElected):
        return found
    leaders = {LEADERS: statement.cls.all_predicates()[LEADERS]}
    return CountSet({**found.predicates, **leaders}, found.holds)


def counting_for(statement: Statement, certificate: Certificate, meeting: Meeting, search: bool = False) -> Counting:
    """The predicates of the lemma; cells as the certificate lists them, or found where there is none."""
    if certificate.template == SET:
        found = set_of(statement, meeting)
        predicates = {} if found is None else dict(found.predicates)
    else:
        predicates = dict(condition_set(meeting.symbols, statement.what).predicates)
        known = statement.cls.all_predicates()
        predicates |= {name: known[name] for weight in certificate.weights for name in weight.of if name != "n"}
        if certificate.template == TOP:
            hint = hint_of(statement)
            predicates = joined(predicates, {"witness": hint.witness, "waiting": hint.waiting})
    return Counting(meeting, predicates, None if search else certificate.cells)


def _set(statement: Statement, certificate: Certificate, meeting: Meeting) -> list[Clause]:
    what, terms, symbols = statement.what, meeting.terms, meeting.symbols
    found, counting = set_of(statement, meeting), counting_for(statement, certificate, meeting)
    inside = counting.given if found is None else (*counting.given, found.holds(symbols, counting.before))
    clauses = [meeting.closed, counting.complete()]
    if isinstance(what, Never):
        pairs = ((meeting.a, meeting.x), (meeting.b, meeting.y))
        events = [terms.neither(symbols.truth(what.event, old, new, PARAMS)) for old, new in pairs]
        return [*clauses, Clause("no such event in a meeting", inside, terms.both(*events))]
    if found is None:
        raise CannotState("every configuration stays one: nothing is to be proved.")
    clauses.append(Clause("the set is not left", inside, found.holds(symbols, counting.after)))
    if isinstance(what, StaysElected):
        clauses.append(Clause("one agent leads in the set", inside, terms.equal(counting.before[LEADERS], 1)))
        clauses.append(Clause("no agent begins or ceases to lead", inside, _same_output(meeting)))
    return clauses


def _same_output(meeting: Meeting) -> Term:
    terms, leads = meeting.terms, meeting.cls.is_leader
    pairs = ((meeting.a, meeting.x), (meeting.b, meeting.y))
    return terms.both(
        *(
            terms.equal(terms.number(meeting.predicate(leads, old)), terms.number(meeting.predicate(leads, new)))
            for old, new in pairs
        )
    )


# -- invariants from the start on --------------------------------------------------------------------------------------


def base(counting: Counting, holds: Callable[[Numbers], Term]) -> Clause:
    """True after the first meeting, or of the start where only that is known; of any start after any meeting."""
    meeting = counting.meeting
    start = start_of(meeting)
    if start.is_any:
        return Clause("true after any meeting", counting.given, holds(counting.after))
    known = counting.after_first(start) or counting.at_start(start)
    if known is None:
        raise CannotState("the agents of the start are in states that depend on their numbers.")
    return Clause("true after the first meeting", known[0], holds(known[1]))


def _closed(statement: Statement, certificate: Certificate, meeting: Meeting) -> list[Clause]:
    counting = counting_for(statement, certificate, meeting)
    invariant = condition_set(meeting.symbols, statement.what)

    def holds(numbers: Numbers) -> Term:
        return invariant.holds(meeting.symbols, numbers)

    kept = Clause("kept by every meeting", (*counting.given, holds(counting.before)), holds(counting.after))
    return [meeting.closed, *started(meeting), counting.complete(), base(counting, holds), kept]


def _weights(statement: Statement, certificate: Certificate, meeting: Meeting) -> list[Clause]:
    counting = counting_for(statement, certificate, meeting)
    clauses = [meeting.closed, *started(meeting), counting.complete()]
    for weight in certificate.weights:
        clauses.append(base(counting, lambda numbers, weight=weight: weight_holds(weight, numbers)))  # type: ignore[misc]
        clauses.append(kept_weight(counting, weight))
    return [*clauses, implied(statement, counting, certificate)]


def kept_weight(counting: Counting, weight: Any) -> Clause:
    known = (*counting.given, weight_holds(weight, counting.before))
    return Clause(f"kept by every meeting: {weight}", known, weight_holds(weight, counting.after))


def implied(statement: Statement, counting: Counting, certificate: Certificate) -> Clause:
    meeting = counting.meeting
    known = (*counting.given, *(weight_holds(one, counting.before) for one in certificate.weights))
    invariant = condition_set(meeting.symbols, statement.what)
    return Clause("together they imply the invariant", known, invariant.holds(meeting.symbols, counting.before))


# -- (M) a witness on top ------------------------------------------------------------------------------------------------


def hint_of(statement: Statement) -> Top:
    hint = statement.cls.hints.get(statement.id)
    if hint is None:
        raise CannotState("the file gives no hint.")
    return hint


def _top(statement: Statement, certificate: Certificate, meeting: Meeting) -> list[Clause]:
    hint, terms = hint_of(statement), meeting.terms
    a, b, x, y = meeting.a, meeting.b, meeting.x, meeting.y
    other = meeting.symbols.agent("w")

    def witness(agent: SymbolicAgent) -> Term:
        return meeting.predicate(hint.witness, agent)

    def waits(agent: SymbolicAgent) -> Term:
        return meeting.predicate(hint.waiting, agent)

    def behind(one: SymbolicAgent, leader: SymbolicAgent) -> Term:
        """No part of the key of `one` decides against the leader."""
        result: Term = True
        for part in reversed(hint.key):
            low, high = (meeting.value(part, agent) for agent in (one, leader))
            result = terms.either(terms.less(low, high), terms.both(terms.equal(low, high), result))
        return result

    def leads(one: SymbolicAgent, partner: SymbolicAgent, *before: SymbolicAgent) -> Term:
        """After the meeting `one` is a witness that the partner and all who were behind these do not exceed."""
        return terms.both(witness(one), behind(partner, one), *(behind(old, one) for old in before))

    given, possible = meeting.given, meeting.is_possible(other)
    stays = terms.both(behind(x, other), behind(y, other))
    clauses = [
        meeting.closed,
        *started(meeting),
        Clause(
            "a witness that does not meet is on top still, or one of the two is",
            (*given, possible, witness(other), behind(a, other), behind(b, other)),
            terms.either(stays, leads(x, y, other), leads(y, x, other)),
        ),
    ]
    for one, partner in ((a, b), (b, a)):
        clauses.append(
            Clause(
                "after a meeting of a witness one of the two is on top",
                (*given, witness(one), behind(partner, one)),
                terms.either(leads(x, y, one), leads(y, x, one)),
            )
        )
    clauses.append(
        Clause(
            "of waiting agents both wait still, or one is a witness on top of all that wait",
            (*given, waits(a), waits(b), possible, waits(other)),
            terms.either(terms.both(waits(x), waits(y)), leads(x, y, other), leads(y, x, other)),
        )
    )
    for agent, _ in start_of(meeting).blocks or ((None, None),):
        if agent is None:
            raise CannotState("the start may be any configuration, in which nobody need wait.")
        clauses.append(Clause("at the start all agents wait", start_of(meeting).given, waits(agent)))
    counting = counting_for(statement, certificate, meeting)
    numbers = counting.before
    on_top = terms.either(terms.equal(numbers["waiting"], numbers["n"]), terms.at_most(1, numbers["witness"]))
    invariant = condition_set(meeting.symbols, statement.what).holds(meeting.symbols, numbers)
    return [*clauses, counting.complete(), Clause("this implies the invariant", (*counting.given, on_top), invariant)]
