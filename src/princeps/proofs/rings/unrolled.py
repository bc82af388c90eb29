"""The same question on a ring of n agents, n known and the parameters not: a counterexample is a configuration.

l is agent 0 and r is agent 1: scans do not depend on where an agent's number begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from princeps.errors import PrincepsError
from princeps.lowering.symbolic import SymbolicAgent, Symbols
from princeps.lowering.symbolic_terms import Term
from princeps.proofs.asking import checked
from princeps.proofs.rings.copies import AFTER, Copy, Registers, Violations
from princeps.proofs.rings.demands import demanded
from princeps.proofs.rings.horn import Closing, Question
from princeps.proofs.rings.oracles import told
from princeps.proofs.rings.sets import Templates

SEED = 1
WORK = 200_000_000  # of the solver for one ring, in its own units: no clock decides


class Undecided(PrincepsError):
    """The solver gave up."""


class Model(NamedTuple):
    """Values of the parameters and of every agent's fields, and what is drawn."""

    params: dict[str, int]
    states: list[dict[str, int]]
    draws: tuple[int, ...]


def unrolled(symbols: Symbols, question: Question, n: int) -> tuple[list[Term], list[SymbolicAgent], Any]:
    """Conditions that hold where the goal occurs, the agents, and the interaction."""
    terms, templates, of = symbols.terms, Templates(symbols), question.of
    agents = [symbols.agent(f"agent_{i}") for i in range(n)]
    met = symbols.interact(agents[0], agents[1], told(symbols, int(question.nobody)))
    then = [met.left, met.right, *agents[2:]]
    place = (templates.number, n)
    conditions = [*symbols.facts, *demanded(symbols, n), *met.assumed, *(symbols.legal(agent) for agent in agents)]
    before = Copy(symbols, of, () if question.nobody else of.scans, of.top, "")
    seen = [scan for scan in of.scans if scan.name in question.observed]
    after = Copy(symbols, of, seen, of.top if question.top else True, AFTER, question.same_output)
    found: list[list[Violations]] = []  # before and after, by agent
    for copy, ring in ((before, agents), (after, then)):
        gaps: list[Registers] = [copy.at(f"gap_{i}") for i in range(n)]
        found.append([])
        for i, agent in enumerate(ring):
            passed, violations = copy.passes(agent, gaps[i], gaps[(i + 1) % n])
            conditions += passed
            found[-1].append(violations)
    for violations in found[0]:
        conditions += question.known_before(terms, violations)
    first = 0 if question.elsewhere is None else 2  # what is bad of the two that meet is then for the goal to say
    violated = terms.either(*(question.bad(terms, agents[i], found[0][i], found[1][i]) for i in range(first, n)))
    led = [_sum([terms.number(templates.leads(agent)) for agent in ring]) for ring in (agents, then)]
    wanted = terms.equal(led[0], 0 if question.nobody else 1)
    conditions.append(wanted if question.one or question.nobody else terms.at_most(1, led[0]))
    loops = terms.both(*[before.put(one) for one in of.loops])
    judged = (*found[0][:2], *found[1][:2])
    conditions.append(question.goal(Closing(agents[0], agents[1], met, led[0], led[1], violated, loops, judged)))
    return [templates.put(one, place) for one in conditions], agents, met


def _sum(parts: Sequence[Term]) -> Term:
    total: Term = 0
    for part in parts:
        total = total + part
    return total


def model_at(symbols: Symbols, question: Question, n: int, work: int = WORK) -> Model | None:
    """A ring of n agents on which the goal occurs, with as small parameters as there are; None: there is none."""
    terms = symbols.terms
    conditions, agents, met = unrolled(symbols, question, n)
    return model_of(symbols, [terms.formula(one) for one in conditions], agents, [one.value for one in met.draws], work)


def model_of(
    symbols: Symbols, formulas: Sequence[Any], agents: Sequence[SymbolicAgent], draws: Sequence[Term], work: int
) -> Model | None:
    z3 = symbols.terms.solver
    solver = z3.Solver()
    solver.set("random_seed", SEED, "rlimit", work)
    solver.add(*formulas)
    answer = checked(solver)
    if answer == z3.unsat:
        return None
    if answer != z3.sat:
        raise Undecided(f"a ring of {len(agents)} agents was not decided.")
    model = solver.model()
    free = [term for name, term in symbols.params.items() if name in symbols.cls.params_ and not isinstance(term, int)]
    for parameter in free:  # the smallest value of each in turn
        while checked(solver, parameter < model.eval(parameter, model_completion=True)) == z3.sat:
            model = solver.model()
        solver.add(parameter == model.eval(parameter, model_completion=True))

    def value(term: Term) -> int:
        return term if isinstance(term, int) else int(model.eval(term, model_completion=True).as_long())

    params = {name: value(symbols.params[name]) for name in symbols.cls.params_}
    states = [{name: value(term) for name, term in agent.items()} for agent in agents]
    return Model(params, states, tuple(value(one) for one in draws))
