"""The sets of `Closed` goals, read as scans out of the loops of a protocol file.

A goal's function is executed on symbols, statement by statement. Of the configuration it may ask

    for i in range(n): ... u[i] ...               where a leader is, and how many there are
    for d in range(n): i = (k + d) % n ...        a scan, from the leader k rightwards (k - d: leftwards)
    u[k]                                          the leader itself

and other functions that do the same. The function is read twice: first to see what a member has in any case (some
leader or exactly one, membership in other sets), then with that known, so that the templates are short. The second reading
turns the ring so that the leader is agent 0. That both mean the same, wherever the leader stands, is shown (`_require_same`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from princeps.lowering.symbolic import CONFIGURATION, PARAMS, Symbols
from princeps.lowering.symbolic_terms import Term, Terms
from princeps.lowering.trees import Meaning, TheConfig, TheParams
from princeps.proofs.rings.copies import Copy
from princeps.proofs.rings.counting import read_count
from princeps.proofs.rings.loops import read_scan
from princeps.proofs.rings.recorded import Recorded
from princeps.proofs.rings.sets import NotAScan, RingSet, Scan, Templates
from princeps.proofs.rings.solving import always

ConfigFunction = Callable[..., Any]


@dataclass
class Known:
    """What is known of the members while a function is read: nothing at first."""

    count: Term  # of leaders
    first: Term  # the leader of the smallest number: a scan begins at one of these two
    last: Term
    led: bool = False
    inside: Callable[[str], Term] = lambda name: None

    @property
    def places(self) -> tuple[Term, ...]:
        return (self.first, self.last)

    def facts(self, terms: Terms, n: Term) -> list[Term]:
        """Where leaders are, if there are any. Of one only the first is the last."""
        known = [terms.within(self.first, 0, n), terms.within(self.last, 0, n), terms.at_most(self.first, self.last)]
        return [*known, terms.equal(terms.at_most(self.count, 1), terms.equal(self.first, self.last))]


@dataclass
class Reader:
    """Reads one function, and by further readers the functions that it calls."""

    symbols: Symbols
    function: ConfigFunction
    known: Known
    scans: list[Scan] = field(default_factory=list)
    loops: list[Term] = field(default_factory=list)  # where a loop ends, at most n
    asked: set[str] = field(default_factory=set)  # last values that are read
    depth: int = 0

    def read(self, arguments: Sequence[Term | TheConfig | TheParams]) -> Term:
        """What the function returns where no scan is violated."""
        if self.depth > 20:
            raise NotAScan(f"{self.function.__name__} calls itself.")
        self.templates = Templates(self.symbols)
        meanings: list[Meaning] = []
        others: dict[str, Term] = {}
        for k, argument in enumerate(arguments):
            if isinstance(argument, TheConfig | TheParams):
                meanings.append(argument)
            else:
                meanings.append(ast.Name(f"given_{k}", ast.Load()))
                others[f"given_{k}"] = argument
        self.flat = self.symbols.flattener(self.function)
        body = self.flat.function_body(meanings)
        self.execution = self.symbols.execution({}, others, read=self._field, call=self._call)
        self.execution.variables = Recorded(self.execution.variables, self.asked)
        live: Term = True
        for statement in body:
            if isinstance(statement, ast.For):
                live = self._loop(statement, live)
                continue
            returns = len(self.execution.returned)
            end = self.execution.block([statement], live)
            values = [value for _, value in self.execution.returned[returns:]]
            if not values or not all(isinstance(value, int) and value == 0 for value in values):
                live = end  # where 0 is returned, the configuration is no member, and it does not matter what follows
        return self.execution.result()

    # -- what a function asks of the configuration ------------------------------------------------------------------

    def _field(self, name: str, index: Term) -> Term:
        """Outside of loops only the leader is asked."""
        if not any(self.is_place(index, place) for place in self.known.places):
            raise NotAScan(f"{self.function.__name__} asks agents outside of a loop around the ring.")
        return self.templates.leader[name]

    def _call(self, name: str, values: Sequence[Term]) -> Term:
        helper, kinds = self.flat.calls[int(name.removeprefix("on_config_"))]
        given = iter(values)
        arguments = [
            CONFIGURATION if kind is TheConfig else PARAMS if kind is TheParams else next(given) for kind in kinds
        ]
        inner = Reader(self.symbols, helper, self.known, self.scans, self.loops, self.asked, self.depth + 1)
        before = len(self.scans)
        found = inner.read(arguments)
        if len(self.scans) == before:
            return found
        inside = self.known.inside(helper.__name__)
        return found if inside is None else self.symbols.terms.choice(inside, found, 0)

    def _loop(self, loop: ast.For, live: Term) -> Term:
        counted = read_count(self, loop, live)
        return counted if counted is not None else read_scan(self, loop, live)

    def is_place(self, index: Term, wanted: Term) -> bool:
        """Do both name the same agent, for every leader's place and every distance?"""
        if isinstance(index, int) or isinstance(wanted, int):
            if isinstance(index, int) and isinstance(wanted, int):
                return index == wanted
        elif index.eq(wanted):
            return True
        terms, n, d = self.symbols.terms, self.templates.number, self.templates.distance
        facts = [terms.within(d, 0, n), terms.at_most(2, n), terms.at_most(1, self.known.count)]
        facts += [terms.within(place, 0, n) for place in self.known.places]
        return always(terms, facts, terms.equal(index, wanted))


def read_set(symbols: Symbols, name: str, function: ConfigFunction) -> RingSet:
    """The set of a `Closed` goal; NotAScan where the loops are others, NotCompiled outside of the language."""
    terms, templates = symbols.terms, Templates(symbols)
    arguments = (CONFIGURATION, templates.number, PARAMS)
    count = terms.symbol("leaders")
    inside: list[tuple[str, Term]] = []

    def is_inside(called: str) -> Term:
        """Of one call: another one of the same function may return something else."""
        inside.append((called, terms.truth(terms.symbol(f"inside {called} {len(inside)}"))))
        return inside[-1][1]

    places = Known(count, terms.symbol("first place"), terms.symbol("last place"), inside=is_inside)
    first = Reader(symbols, function, places)
    result = terms.truth(first.read(arguments))
    facts = [*symbols.facts, terms.at_most(0, count), terms.at_most(2, templates.number)]
    facts.append(terms.implied(terms.at_most(1, count), terms.both(*places.facts(terms, templates.number))))
    for called, condition in inside:
        if not always(terms, [*facts, result], condition):
            raise NotAScan(f"a member of {name} may be outside of what {called} returns.")
    if not always(terms, [*facts, result], terms.at_most(1, count)):
        raise NotAScan(f"{name} has members without a leader: a scan needs one to begin at.")
    one = always(terms, [*facts, result], terms.equal(count, 1))
    second = Reader(symbols, function, Known(1 if one else count, 0, 0, led=True))
    top = terms.truth(second.read(arguments))
    known = [*facts, terms.equal(count, 1) if one else terms.at_most(1, count), *(one for _, one in inside)]
    _require_same(symbols, name, (first, result), (second, top), known)
    leader = templates.leader
    facts = [*facts, terms.at_most(1, count), symbols.legal(leader), templates.leads(leader)]
    if not isinstance(top, bool) and always(terms, facts, top):
        top = True
    scans = second.scans
    fields = [
        field
        for field, symbol in leader.items()
        if any(templates.mentions(term, symbol) for scan in scans for term in scan.terms)
    ]
    found = RingSet(
        *(name, one, tuple(scans), top, _uses_n(symbols, second, top)),
        asked=frozenset(second.asked),
        leader_fields=tuple(fields),
        loops=tuple(second.loops),
    )
    _require_known_symbols(symbols, found)
    Copy(symbols, found, (), True, "").require_names()
    if not one and (fields or not found.resets):
        raise NotAScan(f"the registers of {name} depend on which of several leaders a loop begins at.")
    return found


def _require_same(
    symbols: Symbols, name: str, read: tuple[Reader, Term], turned: tuple[Reader, Term], facts: Sequence[Term]
) -> None:
    """Templates must not ask at which number a leader stands, nor how many lead where that is not known: both may change."""
    terms, templates = symbols.terms, Templates(symbols)
    legal = [symbols.legal(templates.agent), terms.within(templates.distance, 0, templates.number)]
    pairs = [(read[1], turned[1]), *zip(read[0].loops, turned[0].loops, strict=True)]
    for one, other in zip(read[0].scans, turned[0].scans, strict=True):
        same_way = (one.name, one.way, list(one.steps)) == (other.name, other.way, list(other.steps))
        if not same_way:
            raise NotAScan(f"{name} goes another way around the ring where a leader has another number.")
        pairs += zip(one.terms, other.terms, strict=True)
    count = terms.symbol("leaders")
    for here, there in pairs:
        if templates.mentions(there, count) or not always(
            terms, [*facts, *legal], terms.equal(terms.number(here), terms.number(there))
        ):
            raise NotAScan(
                f"{name} asks at which number a leader stands, or which of several is meant, or how many lead."
            )


def _require_known_symbols(symbols: Symbols, found: RingSet) -> None:
    """Templates consist of what clauses put in their places, and of parameters."""
    templates = Templates(symbols)
    every = [*templates.agent.values(), *templates.leader.values(), templates.distance, templates.number]
    known = {str(one) for one in (*every, *symbols.params.values())} | found.asked
    known |= {f"{scan.name}.{name}" for scan in found.scans for name in scan.steps}
    for template in (found.top, *found.loops, *(term for scan in found.scans for term in scan.terms)):
        strange = templates.strange(template, known)
        if strange is not None:
            raise NotAScan(f"{found.name} depends on {strange!r}, which is not known of a part of the ring.")


def _uses_n(symbols: Symbols, reader: Reader, top: Term) -> bool:
    """Does any template mention the number of agents?"""
    templates = Templates(symbols)
    every = [top, *reader.loops, *(term for scan in reader.scans for term in scan.terms)]
    return any(templates.mentions(one, templates.number) for one in every)
