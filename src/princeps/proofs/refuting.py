"""Counterexamples of a few agents: from the solver where any legal configuration may be the start, else by search.

Nothing is refuted by a solver alone. Constants are those of real parameters here, and the meeting that is found is
executed by the plain rule (plain.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from princeps.errors import PrincepsError, ProtocolError
from princeps.lowering.symbolic import SymbolicAgent
from princeps.model.fields import constants_of
from princeps.model.goals import Blocks, Uniform
from princeps.model.lemmas import EveryAgent, Reaches, Within
from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State
from princeps.model.step_facts import Marked, WithGhosts
from princeps.proofs.certificate import Certificate
from princeps.proofs.clauses import FAILS, Answer, Clause, ask
from princeps.proofs.counting import Counting, condition_set
from princeps.proofs.meeting import CannotState, Meeting
from princeps.proofs.plain import Configuration, breaking, has_inputs, results
from princeps.proofs.templates import AGENTS, MEETING, SET, base, clauses_of, counting_for
from princeps.proofs.verdicts import Counterexample, Statement

SIZES = range(2, 6)
MEETINGS = 60_000  # that a search executes at one size
SMALL_SIZES = range(2, 4)  # with other parameters than those that the file proposes
FEWER_MEETINGS = 8_000
BOUNDS = (4, 8, 16, 64)  # of all parameters, for the solver
SMALL_VALUES = 2  # of each parameter, from its smallest one on


def counterexample(statement: Statement) -> Counterexample | None:
    """The first that is found, at the smallest size."""
    cls = statement.cls
    if isinstance(statement.what, Reaches | Within | WithGhosts | Marked):  # no single meeting of the file breaks these
        return None
    if has_inputs(cls):
        return None
    for given, n in _tried(statement):
        try:
            protocol = cls(n, **given)
        except PrincepsError:
            continue
        try:
            found = _at(statement, protocol, n, FEWER_MEETINGS if given else MEETINGS)
        except (CannotState, ProtocolError):
            return None
        if found is not None:
            return found
    return None


def _tried(statement: Statement) -> Iterator[tuple[dict[str, int], int]]:
    """Parameters and sizes, those of the file first."""
    yield from (({}, n) for n in SIZES)
    yield from ((given, n) for given in small_parameters(statement.cls) for n in SMALL_SIZES)
    yield from ((given, n) for given in proposed_parameters(statement) for n in SMALL_SIZES)


def _is_from_start(statement: Statement) -> bool:
    cls = statement.cls
    from_start = statement.kind == "invariant" or isinstance(statement.what, EveryAgent)
    return from_start and not (cls.starts and isinstance(cls.start_rule(cls.default_start), Uniform))


def small_parameters(cls: type[PopulationProtocol]) -> list[dict[str, int]]:
    """Every parameter alone with small values, then all with their smallest one: some lemmas are false there only."""
    ranges = {name: one for name, one in cls.params_.items() if one.default != "n"}
    ranges |= {name: one.or_given for name, one in cls.derived_.items() if one.or_given is not None}
    found = [{name: one.min + k} for name, one in ranges.items() for k in range(SMALL_VALUES) if one.has(one.min + k)]
    return [*found, *([{name: one.min for name, one in ranges.items()}] if len(ranges) > 1 else [])]


def _at(statement: Statement, protocol: PopulationProtocol, n: int, meetings: int) -> Counterexample | None:
    if _is_from_start(statement):
        return _searched(statement, protocol, n, meetings)
    for states in _proposed(statement, protocol, n):
        draws = breaking(statement, protocol, states, (0, 1))
        if draws is not None:
            return Counterexample(protocol, states, ((0, 1),), (draws,))
    return None


# -- from the solver -------------------------------------------------------------------------------------------------


def _proposed(statement: Statement, protocol: PopulationProtocol, n: int) -> Iterator[Configuration]:
    """Configurations of n agents in which a meeting of the first two breaks some clause."""
    meeting = Meeting(statement.cls, fixed=constants_of(protocol.constants))
    terms = meeting.terms
    counting, clauses = _clauses(statement, meeting)
    for clause in clauses:
        sized = clause
        if counting is not None:
            total = sum(counting.others, 2)
            sized = replace(clause, given=(*clause.given, terms.equal(total, n)))
        answer = ask(terms, sized)
        if answer.outcome == FAILS:
            yield _configuration(meeting, counting, answer, n)


def proposed_parameters(statement: Statement) -> list[dict[str, int]]:
    """As small ones as the solver finds with which a clause fails: others than the small ones may be needed."""
    if not statement.cls.params_ or _is_from_start(statement):
        return []
    try:
        meeting = Meeting(statement.cls)
        terms, params = meeting.terms, {name: meeting.symbols.params[name] for name in statement.cls.params_}
        found = []
        for clause in _clauses(statement, meeting)[1]:
            for bound in BOUNDS:
                limits = [terms.at_most(value, bound) for value in params.values()]
                answer = ask(terms, replace(clause, given=(*clause.given, *limits)))
                if answer.outcome == FAILS:
                    found.append({name: answer.value(terms, value) for name, value in params.items()})
                    break
    except (CannotState, ProtocolError):
        return []
    return found


def _clauses(statement: Statement, meeting: Meeting) -> tuple[Counting | None, list[Clause]]:
    """Of which one fails where a single meeting breaks the lemma."""
    terms = meeting.terms
    counting: Counting | None = None
    if statement.kind == "invariant":
        counting = Counting(meeting, condition_set(meeting.symbols, statement.what).predicates)
        invariant = condition_set(meeting.symbols, statement.what)
        clauses = [base(counting, lambda numbers: invariant.holds(meeting.symbols, numbers))]
    elif statement.kind == "lemma":
        counting = counting_for(statement, Certificate(SET), meeting, search=True)
        clauses = clauses_of(statement, Certificate(SET, cells=counting.cells), meeting)
    elif statement.what is None:
        clauses = clauses_of(statement, Certificate(AGENTS), meeting)
    elif isinstance(statement.what, EveryAgent):
        holds = [meeting.predicate(statement.what.holds, agent) for agent in (meeting.x, meeting.y)]
        clauses = [Clause("", meeting.given, terms.both(*holds))]
    else:
        clauses = clauses_of(statement, Certificate(MEETING), meeting)
    return counting, clauses


def _configuration(meeting: Meeting, counting: Counting | None, answer: Answer, n: int) -> Configuration:
    states = [_state(meeting, answer, agent) for agent in (meeting.a, meeting.b)]
    if counting is not None:
        for other, cell in zip(counting.others, counting.cells, strict=True):
            number = answer.value(meeting.terms, other)
            if number > 0:
                one = ask(meeting.terms, counting.outside(cell))
                states += [_state(meeting, one, meeting.a)] * number
    return tuple([*states, *states[:1] * n][:n])


def _state(meeting: Meeting, answer: Answer, agent: SymbolicAgent) -> State:
    return tuple(answer.value(meeting.terms, value) for value in agent.values())


# -- by search from the start ----------------------------------------------------------------------------------------


def _searched(statement: Statement, protocol: PopulationProtocol, n: int, meetings: int) -> Counterexample | None:
    """Breadth first over all configurations that can be reached, as far as so many meetings go."""
    start = start_of(protocol, n)
    if start is None:
        return None
    on_ring = statement.cls.topology == "ring"
    arcs = [(i, j) for i in range(n) for j in range(n) if (j == (i + 1) % n if on_ring else i != j)]
    first = start if on_ring else tuple(sorted(start))
    came: dict[Configuration, Any] = {first: None}
    waiting, executed = [first], 0
    for states in waiting:  # grows meanwhile
        tried: set[Any] = set()
        for i, j in arcs:
            if not on_ring and (states[i], states[j]) in tried:
                continue
            tried.add((states[i], states[j]))
            executed += 1
            draws = breaking(statement, protocol, states, (i, j))
            if draws is not None:
                return _path(protocol, start, came, (states, (states[i], states[j]), (i, j), draws), on_ring)
            for after, drawn in results(protocol, states, (i, j)):
                known = after if on_ring else tuple(sorted(after))
                if known not in came:
                    came[known] = (states, (states[i], states[j]), (i, j), drawn)
                    waiting.append(known)
        if executed > meetings:
            return None
    return None


def start_of(protocol: PopulationProtocol, n: int) -> Configuration | None:
    """The agents of the default start; None if they are random, or listed in another way."""
    cls = type(protocol)
    if not cls.starts:
        return None
    rule = cls.start_rule(cls.default_start)
    space = protocol.space
    if isinstance(rule, Blocks):
        rows: Any = protocol.ask(rule.rule, n, protocol.constants)
        if not isinstance(rows, list) or not all(isinstance(state, dict) for _, state in rows):
            return None
        return tuple(
            space.read({**dict.fromkeys(space.names, 0), **state}) for size, state in rows for _ in range(size)
        )
    if isinstance(rule, Uniform):
        return None
    found = []
    for i in range(n):
        own: Any = protocol.agent((0,) * len(space.names))  # type: ignore[call-arg]
        protocol.ask(rule, own, i, n, protocol.constants)
        found.append(protocol.values_of(own))
    return tuple(found)


def _path(
    protocol: PopulationProtocol, start: Configuration, came: dict[Configuration, Any], last: Any, on_ring: bool
) -> Counterexample:
    """The meetings from the start, by agents: the search forgot who is who, since agents are anonymous."""
    moves = [last]
    while (before := came[moves[-1][0]]) is not None:
        moves.append(before)
    states, pairs, shown = list(start), [], []
    for k, (_, (one, other), arc, draws) in enumerate(reversed(moves)):
        pair = arc
        if not on_ring:
            i = states.index(one)
            pair = (i, next(j for j, state in enumerate(states) if j != i and state == other))
        if k + 1 < len(moves):
            wanted = next(after for after, drawn in results(protocol, tuple(states), pair) if drawn == draws)
            states = list(wanted)
        pairs.append(pair)
        shown.append(draws)
    return Counterexample(protocol, start, tuple(pairs), tuple(shown))
