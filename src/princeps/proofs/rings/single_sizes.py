"""Sets that are no scans: their loops are executed agent by agent, at n = 2, 3, ... and with every parameter.

What is shown holds at these sizes only, and the verdict says so. Nothing is assumed about rotations: every pair of
neighbours is asked.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from princeps.errors import NotCompiled
from princeps.lowering.symbolic import CONFIGURATION, PARAMS, SymbolicAgent, Symbols
from princeps.lowering.symbolic_terms import Term
from princeps.lowering.trees import Meaning, TheConfig, TheParams
from princeps.model.goals import Closed
from princeps.model.lemmas import Never, Stays, StaysElected
from princeps.proofs.rings.demands import demanded
from princeps.proofs.rings.oracles import told
from princeps.proofs.rings.sets import NotAScan, Templates
from princeps.proofs.rings.unrolled import WORK, Model, model_of

LARGEST = 20


def value_at(symbols: Symbols, function: Callable[..., Any], agents: Sequence[SymbolicAgent], *others: Term) -> Term:
    """What a function (u, n, p) of the file returns of these agents."""
    return _executed(symbols, function, agents, [CONFIGURATION, *others, PARAMS])


def _executed(
    symbols: Symbols, function: Callable[..., Any], agents: Sequence[SymbolicAgent], given: Sequence[Any]
) -> Term:
    terms = symbols.terms
    meanings: list[Meaning] = []
    others: dict[str, Term] = {}
    for k, argument in enumerate(given):
        if isinstance(argument, TheConfig | TheParams):
            meanings.append(argument)
        else:
            meanings.append(ast.Name(f"given_{k}", ast.Load()))
            others[f"given_{k}"] = argument
    flat = symbols.flattener(function)
    body = flat.function_body(meanings)

    def read(name: str, index: Term) -> Term:
        if isinstance(index, int):
            if not -len(agents) <= index < len(agents):
                raise NotCompiled(f"{function.__name__} asks for agent {index} of {len(agents)}.")
            return agents[index][name]
        index = terms.choice(terms.less(index, 0), index + len(agents), index)  # u[-1] is the last agent
        found: Term = agents[-1][name]
        for k in reversed(range(len(agents) - 1)):
            found = terms.choice(terms.equal(index, k), agents[k][name], found)
        return found

    def call(name: str, values: Sequence[Term]) -> Term:
        helper, kinds = flat.calls[int(name.removeprefix("on_config_"))]
        left = iter(values)
        arguments = [CONFIGURATION if one is TheConfig else PARAMS if one is TheParams else next(left) for one in kinds]
        return _executed(symbols, helper, agents, arguments)

    execution = symbols.execution({}, others, read=read, call=call)
    execution.block(body)
    if execution.needed:
        raise NotCompiled(f"{function.__name__} cannot be compiled for a proof: it divides by what is not known.")
    return execution.result()


def questions_at(
    symbols: Symbols, lemma: Any, n: int
) -> Iterator[tuple[tuple[int, int], list[Term], list[SymbolicAgent], Any]]:
    """For every pair of neighbours what holds where the lemma is broken."""
    terms, templates = symbols.terms, Templates(symbols)
    if not isinstance(lemma, Stays | StaysElected | Never):
        raise NotAScan("it is about what will happen, not about single interactions.")
    name = lemma.begin if isinstance(lemma, Never) else lemma.of
    goal = symbols.cls.goals.get(name)
    if not isinstance(goal, Closed):
        raise NotAScan(f"{name} is no set of whole configurations: a Closed goal of the file is needed.")
    agents = [symbols.agent(f"agent_{i}") for i in range(n)]
    leads = [templates.leads(agent) for agent in agents]
    nobody = terms.number(terms.neither(terms.either(*leads)))
    known = [*symbols.facts, *demanded(symbols, n), *(symbols.legal(agent) for agent in agents)]
    known.append(terms.truth(value_at(symbols, goal.rule, agents, n)))
    for i in range(n):
        j = (i + 1) % n
        met = symbols.interact(agents[i], agents[j], told(symbols, nobody))
        then = list(agents)
        then[i], then[j] = met.left, met.right
        if isinstance(lemma, Never):
            pairs = ((agents[i], met.left), (agents[j], met.right))
            bad = terms.either(*[symbols.truth(lemma.event, old, new, PARAMS) for old, new in pairs])
        else:
            bad = terms.neither(value_at(symbols, goal.rule, then, n))
        if isinstance(lemma, StaysElected):
            now = [templates.leads(agent) for agent in then]
            changed = [terms.neither(terms.equal(old, new)) for old, new in zip(leads, now, strict=True)]
            total: Term = 0
            for one in leads:
                total = total + terms.number(one)
            bad = terms.either(bad, *changed, terms.neither(terms.equal(total, 1)))
        yield (i, j), [*known, *met.assumed, bad], agents, met


def first_broken(symbols: Symbols, lemma: Any, n: int, work: int = WORK) -> tuple[tuple[int, int], Model] | None:
    """A pair of neighbours and a configuration of n agents that break the lemma."""
    for pair, conditions, agents, met in questions_at(symbols, lemma, n):
        formulas = [symbols.terms.formula(one) for one in conditions]
        found = model_of(symbols, formulas, agents, [one.value for one in met.draws], work)
        if found is not None:
            return pair, found
    return None
