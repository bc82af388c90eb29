"""Exact laws of small populations, from the rule and the scheduler's definition alone, and tests against them.

The chain of configurations is explored from the start by plain Python; its distribution is iterated step by step.
On the complete graph a configuration is a multiset of states, on other graphs it says who is in which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from math import factorial, inf, prod
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.stats import chi2

from princeps.model.fields import Counts
from princeps.model.protocol import Counted, Uniform
from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.model.states import State
from princeps.model.topology import COMPLETE

Configuration = tuple[State, ...]
LEAST_EXPECTED = 10
MAX_BINS = 60  # finer bins would spread a small shift of the law over more degrees of freedom
LONGEST = 400  # steps, where a run may never reach its goal
LATE = 1e-3  # the chance of a run that the horizon cuts off, where it can be afforded


def unordered(run: Run) -> bool:
    return bool(run.topology.kind == COMPLETE)


def seen_as(run: Run, states: Sequence[State]) -> Configuration:
    """Agents of the complete graph have no places."""
    return tuple(sorted(states)) if unordered(run) else tuple(states)


def met(run: Run, states: Configuration) -> bool:
    """Is the goal met in this configuration?"""
    protocol, goal = run.protocol, run.goal
    agents: list[Any] = [protocol.agent(state) for state in states]  # type: ignore[call-arg]
    if not isinstance(goal, Counted):
        return bool(protocol.ask(goal.rule, agents, run.n, protocol.constants))
    return holds_of_counts(run, goal.rule, states)


def holds_of_counts(run: Run, rule: Callable[..., int], states: Configuration) -> bool:
    """A condition on counts."""
    protocol = run.protocol
    agents: list[Any] = [protocol.agent(state) for state in states]  # type: ignore[call-arg]
    counts = {
        name: sum(bool(protocol.ask(predicate, agent, protocol.constants)) for agent in agents)
        for name, predicate in type(protocol).all_predicates().items()
    }
    return bool(protocol.ask(rule, Counts({**counts, "n": run.n}), protocol.constants))


def starting_law(run: Run) -> dict[Configuration, float]:
    """One configuration, or on the complete graph the uniform product as multisets."""
    rule = None if run.start.startswith("file:") else type(run.protocol).starts[run.start]
    if not isinstance(rule, Uniform):
        return {seen_as(run, starting_states(run)): 1.0}
    space = run.protocol.space
    states = sorted(space.numbered_state(k) for k in range(space.random_count))
    law: dict[Configuration, float] = {}
    for chosen in combinations_with_replacement(states, run.n):
        orders = factorial(run.n) // prod(factorial(times) for times in Counter(chosen).values())
        if unordered(run):
            law[chosen] = orders / len(states) ** run.n
        else:
            law.update(dict.fromkeys(_orders(chosen), len(states) ** -run.n))
    return law


def _orders(chosen: Configuration) -> set[Configuration]:
    return set(permutations(chosen))


class Moves:
    """One step of the scheduler, from configuration to configuration."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.known: dict[tuple[State, State, int], list[tuple[tuple[State, State], float]]] = {}
        topology = run.topology
        self.arcs = [] if unordered(run) else [topology.arc(k) for k in range(topology.arc_count)]

    def _after(self, a: State, b: State, told: int) -> list[tuple[tuple[State, State], float]]:
        """All results of an interaction, with their probabilities: one, unless the rule tosses coins."""
        if (a, b, told) not in self.known:
            found = self.run.protocol.branches(a, b, told)
            self.known[a, b, told] = [(states, float(probability)) for probability, states, _ in found]
        return self.known[a, b, told]

    def _told(self, states: Configuration) -> int:
        """What the oracle says of a configuration."""
        oracle = self.run.protocol.oracle
        return 0 if oracle is None else int(holds_of_counts(self.run, oracle.rule, states))

    def from_(self, states: Configuration) -> Iterator[tuple[Configuration, float]]:
        """Where it may lead, each with its number of ordered pairs, times the probability that it leads there."""
        told = self._told(states)
        if not unordered(self.run):
            for i, j in self.arcs:
                for (one, other), probability in self._after(states[i], states[j], told):
                    after = list(states)
                    after[i], after[j] = one, other
                    yield tuple(after), probability
            return
        counts = Counter(states)
        for a in counts:
            for b in counts:
                pairs = counts[a] * (counts[b] - (a == b))
                if pairs:
                    rest = list(states)
                    rest.remove(a)
                    rest.remove(b)
                    for results, probability in self._after(a, b, told):
                        yield tuple(sorted([*rest, *results])), pairs * probability


@dataclass(frozen=True)
class Chain:
    """Configurations found within `depth` steps (inf: all there are), and the matrix of one step among them."""

    configurations: list[Configuration]
    start: Any
    step: Any
    goal: Any
    depth: float


def explore(run: Run, most: int = 30_000, depth: float = inf, past_goal: bool = False) -> Chain:
    """Layer by layer; a layer is expanded as a whole or not at all, so that steps up to `depth` are exact."""
    first = starting_law(run)
    number = {states: k for k, states in enumerate(first)}
    found = list(first)
    moves, total = Moves(run), run.topology.arc_count
    rows, columns, values = [], [], []
    done = begun = 0
    goals: list[bool] = []
    while begun < len(found) and done < depth and (len(found) < most or done == 0):
        layer, begun = range(begun, len(found)), len(found)
        for k in layer:
            goals.append(met(run, found[k]))
            if goals[k] and not past_goal:
                continue
            for after, pairs in moves.from_(found[k]):
                if after not in number:
                    number[after] = len(found)
                    found.append(after)
                rows.append(k)
                columns.append(number[after])
                values.append(pairs / total)
        done += 1
    complete = begun == len(found)
    goals += [met(run, states) for states in found[begun:]]
    start = np.zeros(len(found))
    start[: len(first)] = list(first.values())
    matrix = csr_matrix((values, (rows, columns)), shape=(len(found), len(found))).T.tocsr()
    return Chain(found, start, matrix, np.array(goals), inf if complete else done)


def hitting_law(run: Run, most: int = 30_000, late: float = LATE, longest: int = LONGEST) -> list[float]:
    """P(the goal is first met at step t) for t = 0, 1, ..., horizon, and last the probability of all that is later."""
    chain = explore(run, most)
    law: list[float] = []
    now = chain.start.copy()
    for step in range(longest + 1):
        law.append(float(now[chain.goal].sum()))
        now[chain.goal] = 0.0
        if now.sum() < late or step >= chain.depth:
            break
        now = chain.step @ now
    return [*law, float(now.sum())]


def configuration_laws(run: Run, steps: Sequence[int]) -> dict[int, dict[Configuration, float]]:
    """The law of the configuration after each of these numbers of steps."""
    chain = explore(run, most=1 << 30, depth=max(steps), past_goal=True)
    laws, now = {}, chain.start.copy()
    for step in range(max(steps) + 1):
        if step in steps:
            laws[step] = {chain.configurations[k]: float(now[k]) for k in np.flatnonzero(now)}
        now = chain.step @ now
    return laws


# -- tests ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """A chi-square test: its p-value, its sample and its number of bins."""

    p: float
    trials: int
    bins: int


def grouped(weights: Sequence[float], least: float) -> list[list[int]]:
    """Neighbours are put together until each group weighs enough; a light last group joins the one before it."""
    groups: list[list[int]] = [[]]
    weight = 0.0
    for k, own in enumerate(weights):
        groups[-1].append(k)
        weight += own
        if weight >= least:
            groups.append([])
            weight = 0.0
    last = groups.pop()
    if groups:
        groups[-1] += last
    return groups or [last]


def tail(statistic: float, bins: int) -> float:
    """The p-value of a chi-square; with one bin there is nothing to be wrong about."""
    return float(chi2.sf(statistic, bins - 1)) if bins > 1 else 1.0


def against_law(seen: Mapping[Hashable, int], law: Mapping[Any, float], in_order: bool) -> Verdict:
    """How likely is so large a chi-square if the sample obeys the law? What the law excludes has p = 0."""
    trials = sum(seen.values())
    outcomes = list(law) if in_order else sorted(law, key=lambda outcome: -law[outcome])
    if set(seen) - {outcome for outcome in outcomes if law[outcome] > 0}:
        return Verdict(0.0, trials, len(outcomes))
    least = max(LEAST_EXPECTED, trials / MAX_BINS) if in_order else LEAST_EXPECTED
    groups = grouped([trials * law[outcome] for outcome in outcomes], least)
    statistic = 0.0
    for group in groups:
        expected = trials * sum(law[outcomes[k]] for k in group)
        statistic += (sum(seen.get(outcomes[k], 0) for k in group) - expected) ** 2 / expected
    return Verdict(tail(statistic, len(groups)), trials, len(groups))


def hits_against_law(seen: Mapping[int, int], law: Sequence[float]) -> Verdict:
    """Steps at which the goal was first met; len(law) - 1 stands for later."""
    hits: dict[Hashable, int] = dict(seen.items())
    return against_law(hits, dict(enumerate(law)), in_order=True)


def against_sample(seen: Mapping[int, int], other: Mapping[int, int]) -> Verdict:
    """Two samples of numbers of steps: the chi-square of a table with two rows."""
    sizes = sum(seen.values()), sum(other.values())
    share = sizes[0] / sum(sizes)
    steps = sorted(set(seen) | set(other))
    both = [seen.get(step, 0) + other.get(step, 0) for step in steps]
    least = max(LEAST_EXPECTED / min(share, 1 - share), sum(sizes) / MAX_BINS)
    statistic = 0.0
    groups = grouped(both, least)
    for group in groups:
        total = sum(both[k] for k in group)
        for own, part in ((seen, share), (other, 1 - share)):
            statistic += (sum(own.get(steps[k], 0) for k in group) - total * part) ** 2 / (total * part)
    return Verdict(tail(statistic, len(groups)), sizes[0], len(groups))
