"""A loop once around the ring as a scan: its registers, what an agent does to them, and where it returns 0."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from princeps.lowering.symbolic_code import Execution
from princeps.lowering.symbolic_terms import Term
from princeps.proofs.rings.counting import assigned_in
from princeps.proofs.rings.recorded import Recorded
from princeps.proofs.rings.sets import NotAScan, Scan
from princeps.proofs.rings.solving import always

if TYPE_CHECKING:
    from princeps.proofs.rings.reading import Reader

RUNNING, ACCEPTED = "running", "accepted"  # registers of loops that end early, by `break` or by `return 1`


def read_scan(reader: Reader, loop: ast.For, live: Term) -> Term:
    """Adds the scan to the reader's; returns where the statements after the loop are reached."""
    assert isinstance(loop.iter, ast.Call)
    assert isinstance(loop.target, ast.Name)
    terms, templates, outer = reader.symbols.terms, reader.templates, reader.execution
    scan = f"{reader.function.__name__}.{1 + sum(s.name.startswith(reader.function.__name__) for s in reader.scans)}"
    bounds = [terms.number(outer.expression(one, live)) for one in loop.iter.args]
    first, end = (0, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
    if len(bounds) > 2 or not isinstance(first, int) or not 0 <= first <= 1:
        raise NotAScan(f"a loop of {reader.function.__name__} is over `{ast.unparse(loop.iter)}`.")
    whole = not isinstance(end, int) and end.eq(templates.number)
    if not whole:
        reader.loops.append(terms.implied(live, terms.at_most(end, templates.number)))
    ways: set[int] = set()

    def read(name: str, index: Term) -> Term:
        ways.add(_way(reader, index))
        return templates.agent[name]

    kept = [name for name in assigned_in(loop) if name in outer.variables and name != loop.target.id]
    short = {name: name.partition("_")[2] for name in kept}
    if len(set(short.values())) < len(kept):
        raise NotAScan(f"a loop of {reader.function.__name__} has two variables of one name.")
    d = templates.distance
    variables = Recorded(outer.variables, reader.asked)
    variables.update({name: templates.register(scan, short[name]) for name in kept})
    variables[loop.target.id] = d
    inner = Execution(terms, variables, read=read)
    inner.broken.append([])
    running = templates.register(scan, RUNNING)
    ends_early = any(_ends_early(node) for node in ast.walk(loop))
    active = terms.both(live, True if first == 0 else terms.at_most(first, d), True if whole else terms.less(d, end))
    goes_on = terms.both(active, terms.truth(running)) if ends_early else active
    inner.block(loop.body, goes_on)
    broken = inner.broken.pop()
    if inner.needed and not always(terms, _facts(reader), terms.both(*inner.needed)):
        raise NotAScan(f"a loop of {reader.function.__name__} divides by what is not known.")
    if len(ways) != 1:
        raise NotAScan(f"a loop of {reader.function.__name__} goes both ways around the ring, or nowhere.")
    rejects = terms.either(*[terms.both(guard, terms.neither(value)) for guard, value in inner.returned])
    accepts = terms.either(*[terms.both(guard, terms.truth(value)) for guard, value in inner.returned])
    steps = {short[name]: inner.variables[name] for name in kept}
    starts = {short[name]: outer.variables[name] for name in kept}
    if ends_early:
        steps[RUNNING] = terms.number(terms.both(terms.truth(running), terms.neither(terms.either(accepts, *broken))))
        starts[RUNNING] = 1
    if ends_early and accepts is not False:
        accepted = templates.register(scan, ACCEPTED)
        steps[ACCEPTED] = terms.number(terms.either(terms.truth(accepted), accepts))
        starts[ACCEPTED] = 0
    for name in kept:
        outer.variables[name] = templates.last(scan, short[name])
    for name in (*assigned_in(loop), loop.target.id):
        if name not in kept:
            outer.variables.pop(name, None)
    bits = _bits(reader, scan, starts, steps)
    resets = whole and first == 0 and not ends_early and _resets(reader, scan, steps, rejects)
    reader.scans.append(Scan(scan, ways.pop(), starts, steps, rejects, bits, resets))
    if ACCEPTED in steps:
        done = terms.truth(templates.last(scan, ACCEPTED))
        reader.asked.add(f"{scan}.{ACCEPTED}.last")
        outer.returned.append((terms.both(live, done), 1))
        live = terms.both(live, terms.neither(done))
    return live


def _ends_early(node: ast.AST) -> bool:
    """Where a loop returns 0, nothing after that matters; `break` and any other value end it for good."""
    if isinstance(node, ast.Return):
        return not (isinstance(node.value, ast.Constant) and node.value.value == 0)
    return isinstance(node, ast.Break)


def _way(reader: Reader, index: Term) -> int:
    terms, n, d = reader.symbols.terms, reader.templates.number, reader.templates.distance
    for place in reader.known.places:
        right, left = place + d, place - d
        if reader.is_place(index, terms.choice(terms.less(right, n), right, right - n)):
            return 1
        if reader.is_place(index, terms.choice(terms.less(left, 0), left + n, left)):
            return -1
    raise NotAScan(f"a loop of {reader.function.__name__} asks other agents than those at distance d of the leader.")


def _facts(reader: Reader) -> list[Term]:
    terms, templates = reader.symbols.terms, reader.templates
    n, d = templates.number, templates.distance
    places = [terms.within(place, 0, n) for place in reader.known.places]
    legal = reader.symbols.legal(templates.agent)
    return [*reader.symbols.facts, legal, *places, terms.within(d, 0, n), terms.at_most(2, n)]


def _bits(reader: Reader, scan: str, starts: Mapping[str, Term], steps: Mapping[str, Term]) -> frozenset[str]:
    """Registers that are 0 or 1 at the beginning and remain so."""
    terms, templates = reader.symbols.terms, reader.templates
    found = {name for name, start in starts.items() if isinstance(start, int) and start in (0, 1)}
    while True:
        facts = [*_facts(reader), *(terms.within(templates.register(scan, name), 0, 2) for name in found)]
        kept = {name for name in found if always(terms, facts, terms.within(steps[name], 0, 2))}
        if kept == found:
            return frozenset(found)
        found = kept


def _resets(reader: Reader, scan: str, steps: Mapping[str, Term], rejects: Term) -> bool:
    """A leader's registers and violation depend on nothing before it, and the distance is never asked."""
    terms, templates = reader.symbols.terms, reader.templates
    d, leads = templates.distance, templates.leads(templates.agent)
    other = [(d, terms.symbol("another d"))]
    before = [(templates.register(scan, name), terms.symbol(f"another {name}")) for name in steps]
    facts = [*reader.symbols.facts, reader.symbols.legal(templates.agent)]
    for template in (*steps.values(), terms.number(rejects)):
        moved, fresh = templates.put(template, *other), templates.put(template, *other, *before)
        if not always(terms, facts, terms.equal(template, moved)):
            return False
        if not always(terms, [*facts, leads], terms.equal(template, fresh)):
            return False
    return True
