"""Populations whose configurations are all listed agent by agent, and analysed by simple methods."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, identity
from scipy.sparse.linalg import spsolve

from princeps.analysis.chain import Bits
from princeps.analysis.exploration import explore_all
from princeps.analysis.targets import find_target
from princeps.engines import simulate
from princeps.model.run import Run
from princeps.model.states import State
from tests.conftest import Command


class PlainPopulation:
    """Every configuration of a population, agent by agent, nothing merged: configuration c has digit i for agent i."""

    def __init__(self, run: Run) -> None:
        self.run, self.n = run, run.n
        ring = run.topology.kind == "ring"
        assert ring or run.topology.kind == "complete"
        pairs = [(i, j) for i in range(run.n) for j in range(run.n)]
        self.arcs = [(i, j) for i, j in pairs if (j == (i + 1) % run.n if ring else i != j)]
        space = run.protocol.space
        every = product(*(range(size or 0) for size in space.sizes))
        self.states: list[State] = [state for state in every if space.is_legal(state)]
        self.base = len(self.states)
        self.size = self.base**run.n
        number = {state: k for k, state in enumerate(self.states)}
        leads = np.array([run.protocol.leads(state) for state in self.states])
        met = [
            [[run.protocol.step(a, b, None, told) for b in self.states] for a in self.states]
            for told in run.protocol.oracle_values
        ]
        first, second = (
            np.array([[[number[pair[k]] for pair in row] for row in table] for table in met]) for k in (0, 1)
        )
        code = np.arange(self.size)
        digits = [code // self.base**i % self.base for i in range(run.n)]
        self.leaders: NDArray[np.int64] = sum(leads[digit].astype(np.int64) for digit in digits)
        told = (self.leaders == 0).astype(np.int64) * (len(met) - 1)  # NobodyLeads, the only oracle of the library
        self.after, self.changes_output = [], []
        for i, j in self.arcs:
            a, b = digits[i], digits[j]
            u, v = first[told, a, b], second[told, a, b]
            self.after.append(code + (u - a) * self.base**i + (v - b) * self.base**j)
            self.changes_output.append((leads[u] != leads[a]) | (leads[v] != leads[b]))

    def number(self, states: Sequence[State]) -> int:
        return sum(self.states.index(state) * self.base**i for i, state in enumerate(states))

    def configuration(self, code: int) -> list[State]:
        return [self.states[code // self.base**i % self.base] for i in range(self.n)]

    def satisfying(self, rule: Callable[[list[State]], Any]) -> Bits:
        return np.array([bool(rule(self.configuration(code))) for code in range(self.size)], np.bool_)

    def goal(self, name: str) -> Bits:
        """A goal on whole configurations, evaluated for every one in plain Python."""
        protocol: Any = self.run.protocol
        rule: Any = type(protocol).all_goals()[name].rule
        return self.satisfying(lambda states: rule(list(map(protocol.agent, states)), self.n, protocol.constants))

    def safe(self) -> Bits:
        """Begin with all configurations of one leader; as long as one has a step that is not allowed, remove it."""
        inside: Bits = self.leaders == 1
        while True:
            good = inside.copy()
            for after, changes_output in zip(self.after, self.changes_output, strict=True):
                good &= inside[after] & ~changes_output
            if (good == inside).all():
                return inside
            inside = good

    def leading_to(self, wanted: Bits, stop: Bits) -> Bits:
        """From where a wanted configuration can be reached; what is in `stop` is not left."""
        while True:
            wider = wanted | (np.any([wanted[after] for after in self.after], axis=0) & ~stop)
            if (wider == wanted).all():
                return wanted
            wanted = wider

    def distance(self, sources: Bits, wanted: Bits | None) -> int | None:
        """Steps to the nearest wanted configuration; if None is given, to the nearest change of an output."""
        seen, steps = sources.copy(), 0
        front = np.flatnonzero(sources)
        while len(front):
            if wanted is not None and wanted[front].any():
                return steps
            if wanted is None and any(changes_output[front].any() for changes_output in self.changes_output):
                return steps + 1
            reached = np.unique(np.concatenate([after[front] for after in self.after]))
            front = reached[~seen[reached]]
            seen[front] = True
            steps += 1
        return None

    def expected(self, target: Bits, lost_at_once: bool = False) -> NDArray[np.float64]:
        """Steps to the target by one system, dense if it is small; a change of outputs may end it too."""
        known = np.flatnonzero(~target)
        place = np.full(self.size, -1)
        place[known] = np.arange(len(known))
        matrix: Any = identity(len(known), format="csr")
        for after, changes_output in zip(self.after, self.changes_output, strict=True):
            rows = np.flatnonzero((place[after[known]] >= 0) & ~(changes_output[known] & lost_at_once))
            heads = place[after[known[rows]]]
            matrix = matrix - csr_matrix((np.ones(len(rows)), (rows, heads)), shape=matrix.shape) / len(self.arcs)
        out, ones = np.zeros(self.size), np.ones(len(known))
        out[known] = np.linalg.solve(matrix.toarray(), ones) if self.size < 1500 else spsolve(matrix.tocsc(), ones)
        return out


class Comparison:
    """The state space of a population, and the same population with all configurations listed."""

    def __init__(self, run: Run, names: tuple[str, ...], reduce: bool = True) -> None:
        sets = [find_target(run.protocol, name) for name in names]
        self.run, self.plain, self.space = run, PlainPopulation(run), explore_all(run, sets, reduce)
        configurations = map(self.plain.configuration, range(self.plain.size))
        self.number = np.array([self.space.configurations.index_of(states) for states in configurations])
        assert (self.number >= 0).all()
        self.safe = self.plain.safe()

    def each(self, values: Any) -> Any:
        """Values of the numbered configurations, for every plain one."""
        return values[self.number]


def replayed(run: Run, states: Sequence[State], pairs: Iterable[tuple[int, int]]) -> list[list[State]]:
    """Every configuration of a schedule, the first one included, by the rule in plain Python."""
    out = [list(states)]
    for i, j in pairs:
        after = list(out[-1])
        after[i], after[j] = run.protocol.step(after[i], after[j])
        out.append(after)
    return out


def run_command(command: str, quick: Command, monkeypatch: pytest.MonkeyPatch) -> list[State]:
    """Run a printed command, and return the states of the agents at its end."""
    last: list[Any] = []

    def conductor(run: Run, population: Any, *rest: Any) -> Any:
        last.append(population)
        return actual(run, population, *rest)

    actual = vars(simulate)["Conductor"]
    words = shlex.split(command)
    assert words[:2] == ["princeps", "run"]
    with monkeypatch.context() as patch:
        patch.setattr(simulate, "Conductor", conductor)
        outcome = quick(*words[1:], "--json")
    assert outcome.code in (0, 1), outcome.stderr
    return [tuple(last[0].state(agent)) for agent in range(outcome.object["n"])]
