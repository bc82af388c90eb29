"""Runs of a few meetings in which a `WithGhosts` fact fails: a pair of states that breaks a clause is no counterexample.

The meetings of 2, 3, ... agents are unrolled, who meets being unknown as well, and the first run is taken that ends where a
condition is not true. It is executed by the plain rule, ghost fields included, before it is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from princeps.errors import PrincepsError
from princeps.lowering.symbolic import PARAMS, SymbolicAgent
from princeps.lowering.symbolic_terms import Term
from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State
from princeps.proofs.asking import checked
from princeps.proofs.plain import are_legal, has_inputs, oracle_of
from princeps.proofs.rings.demands import demanded
from princeps.proofs.rings.ghosts import Ghosts
from princeps.proofs.rings.oracles import told
from princeps.proofs.rings.unrolled import SEED
from princeps.proofs.verdicts import Counterexample, Statement

SIZES = range(2, 5)
MEETINGS = 6
WORK = 20_000_000  # of the solver for the runs of one length, in its own units
Pair = tuple[int, int]


def arcs_of(topology: str, n: int) -> list[Pair]:
    if topology == "ring":
        return [(i, (i + 1) % n) for i in range(n)]
    return [(i, j) for i in range(n) for j in range(n) if i != j]


class Runs:
    """The runs of n agents, one meeting longer at a time."""

    def __init__(self, ghosts: Ghosts, n: int) -> None:
        self.ghosts, self.symbols, self.terms, self.n = ghosts, ghosts.symbols, ghosts.terms, n
        self.arcs = arcs_of(self.symbols.cls.topology, n)
        self.solver = self.terms.solver.SimpleSolver()
        self.solver.set("random_seed", SEED)
        first = [self._agent(i, 0) for i in range(n)]
        self.moments: list[list[SymbolicAgent]] = [first]
        for agent in first:
            self._add(self.symbols.legal(agent), *(self.terms.equal(agent[name], 0) for name in ghosts.fact.ghosts))
        self._add(*self.symbols.facts, *demanded(self.symbols, n))

    def _agent(self, i: int, time: int) -> SymbolicAgent:
        fields = self.symbols.agent(f"agent_{i}_{time}")
        return fields | {name: self.terms.symbol(f"agent_{i}_{time}.{name}") for name in self.ghosts.fact.ghosts}

    def _add(self, *conditions: Term) -> None:
        self.solver.add(*(self.terms.formula(one) for one in conditions))

    def _meets(self, time: int) -> Term:
        """Which of the arcs is used."""
        return self.terms.symbol(f"arc_{time}")

    def meet(self) -> None:
        """One more meeting."""
        terms, time = self.terms, len(self.moments) - 1
        now, then = self.moments[-1], [self._agent(i, time + 1) for i in range(self.n)]
        meets = self._meets(time)
        leads = [self.symbols.truth(self.symbols.cls.is_leader, agent, PARAMS) for agent in now]
        nobody = told(self.symbols, terms.number(terms.neither(terms.either(*leads))))
        self._add(terms.within(meets, 0, len(self.arcs)))
        for k, (i, j) in enumerate(self.arcs):
            met, counted, _ = self.ghosts.met(now[i], now[j], nobody)
            after = list(now)
            after[i], after[j] = counted
            same = [terms.equal(then[m][name], after[m][name]) for m in range(self.n) for name in then[m]]
            self._add(terms.implied(terms.equal(meets, k), terms.both(*met.assumed, *same)))
        self.moments.append(then)

    def broken(self, work: int = WORK) -> tuple[dict[str, int], list[dict[str, int]], list[Pair]] | None:
        """Parameters, agents at the beginning and meetings of a run that ends in an agent of which some condition fails.

        Raises TimeoutError if it is not decided.
        """
        z3 = self.terms.solver
        bad = self.terms.either(*(self.terms.neither(self.ghosts.all_hold(agent)) for agent in self.moments[-1]))
        self.solver.push()
        try:
            self.solver.set("rlimit", work)
            self._add(bad)
            answer = checked(self.solver)
            if answer == z3.unsat:
                return None
            if answer != z3.sat:
                raise TimeoutError
            model = self._with_small_parameters()
        finally:
            self.solver.pop()

        def value(term: Term) -> int:
            return term if isinstance(term, int) else int(model.eval(term, model_completion=True).as_long())

        cls = self.symbols.cls
        params = {name: value(self.symbols.params[name]) for name in cls.params_}
        states = [{name: value(term) for name, term in agent.items()} for agent in self.moments[0]]
        pairs = [self.arcs[value(self._meets(time))] for time in range(len(self.moments) - 1)]
        return params, states, pairs

    def _with_small_parameters(self) -> Any:
        """The smallest value of each in turn."""
        z3, model = self.terms.solver, self.solver.model()
        for name, parameter in self.symbols.params.items():
            if name not in self.symbols.cls.params_ or isinstance(parameter, int):
                continue
            while checked(self.solver, parameter < model.eval(parameter, model_completion=True)) == z3.sat:
                model = self.solver.model()
            self._add(parameter == model.eval(parameter, model_completion=True))
        return model


def smallest_run(statement: Statement, ghosts: Ghosts) -> tuple[Counterexample, str] | None:
    """Of as few agents as there are, then of as few meetings; and which condition is not true of whom."""
    if statement.cls.topology not in ("ring", "complete") or has_inputs(statement.cls):
        return None
    for n in SIZES:
        runs = Runs(ghosts, n)
        for _ in range(MEETINGS):
            runs.meet()
            try:
                found = runs.broken()
            except TimeoutError:
                return None
            if found is not None:
                told = executed(statement, *found)
                if told is not None:
                    return told
    return None


def executed(
    statement: Statement, params: dict[str, int], begun: Sequence[dict[str, int]], pairs: Sequence[Pair]
) -> tuple[Counterexample, str] | None:
    """The run by the plain rule; where it draws, whatever breaks the fact in the end."""
    try:
        protocol = statement.cls(len(begun), **params)
    except PrincepsError:
        return None
    names = protocol.space.names
    first = tuple(tuple(agent[name] for name in names) for agent in begun)
    if not are_legal(protocol, first):
        return None
    ghosts = [dict.fromkeys(statement.what.ghosts, 0) for _ in begun]
    return _continued(statement, protocol, (first, ghosts), list(pairs), [], first)


def _continued(
    statement: Statement,
    protocol: PopulationProtocol,
    now: tuple[Sequence[State], list[dict[str, int]]],
    pairs: list[Pair],
    drawn: list[tuple[int, ...]],
    first: tuple[State, ...],
) -> tuple[Counterexample, str] | None:
    states, ghosts = now
    if len(drawn) == len(pairs):
        for k, state in enumerate(states):
            agent = _agent(protocol, state, ghosts[k])
            for rule in statement.what.holds:
                if not protocol.ask(rule, agent, protocol.constants):
                    example = Counterexample(protocol, first, tuple(pairs), tuple(drawn) if any(drawn) else ())
                    return example, f"{rule.__name__} is not true of agent {k} after {_meetings(len(pairs))}"
        return None
    i, j = pairs[len(drawn)]
    for _, (left, right), draws in protocol.branches(states[i], states[j], oracle_of(protocol, states)):
        after, then = list(states), list(ghosts)
        after[i], after[j] = left, right
        four = [_agent(protocol, states[k], ghosts[k]) for k in (i, j)]
        four += [_agent(protocol, after[k], ghosts[k]) for k in (i, j)]
        protocol.ask(statement.what.count, *four, protocol.constants)
        for k, agent in zip((i, j), four[2:], strict=True):
            then[k] = {name: getattr(agent, name) for name in ghosts[k]}
        found = _continued(statement, protocol, (after, then), pairs, [*drawn, tuple(draws)], first)
        if found is not None:
            return found
    return None


def _agent(protocol: PopulationProtocol, state: State, ghosts: dict[str, int]) -> Any:
    return SimpleNamespace(**dict(zip(protocol.space.names, state, strict=True)), **ghosts)


def _meetings(number: int) -> str:
    return "1 meeting" if number == 1 else f"{number} meetings"
