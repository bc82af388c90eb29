"""Loops over all agents by their numbers: where a leader is, and how many lead."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from princeps.lowering.symbolic_code import Execution
from princeps.lowering.symbolic_terms import Term
from princeps.proofs.rings.sets import NotAScan
from princeps.proofs.rings.solving import always

if TYPE_CHECKING:
    from princeps.proofs.rings.reading import Reader


def assigned_in(loop: ast.For) -> list[str]:
    """Names that the body assigns, in order."""
    found = [node.id for node in ast.walk(loop) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return list(dict.fromkeys(found))


def read_count(reader: Reader, loop: ast.For, live: Term) -> Term | None:
    """Executes such a loop and returns where its end is reached; None if it is another loop."""
    assert isinstance(loop.iter, ast.Call)
    assert isinstance(loop.target, ast.Name)
    terms, templates, outer = reader.symbols.terms, reader.templates, reader.execution
    bounds = [outer.expression(one, live) for one in loop.iter.args]
    if len(bounds) != 1 or isinstance(bounds[0], int) or not bounds[0].eq(templates.number):
        return None
    index = terms.symbol("i")
    agent, leads = templates.agent, templates.leads(templates.agent)
    others: list[Term] = []

    def read(name: str, asked: Term) -> Term:
        if isinstance(asked, int) or not asked.eq(index):
            others.append(asked)
        return agent[name]

    registers = [name for name in assigned_in(loop) if name in outer.variables and name != loop.target.id]
    symbols = {name: terms.symbol(f"counted {name}") for name in registers}
    variables = {**outer.variables, **symbols, loop.target.id: index}
    inner = Execution(terms, variables, read=read)
    inner.broken.append([])
    end = inner.block(loop.body)
    if others:
        return None
    if inner.broken.pop() or inner.needed:
        raise NotAScan(f"a loop of {reader.function.__name__} over all agents breaks off.")
    facts = [*reader.symbols.facts, reader.symbols.legal(agent)]
    led = reader.known.led or terms.at_most(1, reader.known.count)
    if inner.returned:
        guard, value = inner.returned[0]
        locates = len(inner.returned) == 1 and not registers and not isinstance(value, int) and value.eq(index)
        if not locates or not always(terms, facts, terms.equal(terms.truth(guard), leads)):
            raise NotAScan(f"a loop of {reader.function.__name__} over all agents looks for more than a leader.")
        outer.returned.append((terms.both(live, led), reader.known.first))
        return terms.both(live, terms.neither(led))
    if end is not True:
        raise NotAScan(f"a loop of {reader.function.__name__} over all agents ends early.")
    for name in registers:
        old, new = symbols[name], inner.variables[name]
        counts = outer.variables[name] == 0 and isinstance(outer.variables[name], int)
        if counts and always(terms, facts, terms.equal(new, old + terms.number(leads))):
            outer.variables[name] = reader.known.count
        elif always(terms, facts, terms.equal(new, terms.choice(leads, index, old))):
            outer.variables[name] = terms.choice(led, reader.known.last, outer.variables[name])
        else:
            raise NotAScan(f"a loop of {reader.function.__name__} over all agents counts other things than leaders.")
    for name in (*assigned_in(loop), loop.target.id):
        if name not in registers:
            outer.variables.pop(name, None)
    return live
