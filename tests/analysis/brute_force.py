"""Small populations by brute force in plain Python: the definition with which the exact analysis is compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import inf
from typing import Any

import numpy as np

from princeps.model.protocol import Counted, PopulationProtocol
from princeps.model.reading import make_run
from princeps.model.run import Run
from princeps.model.topology import Topology

State = tuple[int, ...]
Config = tuple[State, ...]
Arc = tuple[int, int]
Permutation = tuple[int, ...]
Key = tuple[int, ...]  # what is left of a configuration: classes in the order of its smallest image

RANKING, OPTIMAL = "silent_ranking", "optimal_silent"
TINY = {"r_max": 1, "d_max": 1, "e_max": 1}  # for OPTIMAL


def planned(
    name: str | type[PopulationProtocol],
    n: int | None = None,
    graph: str | None = None,
    start: str | None = None,
    ids: Sequence[int] | None = None,
    **params: int,
) -> Run:
    return make_run(name, n, graph=graph, start=start, ids=ids, force=True, params=params)


# -- configurations and steps -----------------------------------------------------------------------------------------


def legal_states(protocol: PopulationProtocol) -> list[State]:
    everything = product(*(range(size) for size in protocol.space.sizes if size is not None))
    return [state for state in everything if protocol.space.is_legal(state)]


def brute_space(protocol: PopulationProtocol, topology: Topology) -> list[Config]:
    """All configurations, as tuples of states."""
    return list(product(legal_states(protocol), repeat=topology.n))


def brute_arcs(topology: Topology) -> list[Arc]:
    return [arc for arc in permutations(range(topology.n), 2) if topology.has_arc(*arc)]


@cache
def meeting(protocol: PopulationProtocol, a: State, b: State) -> list[tuple[Fraction | int, State, State, bool]]:
    """All that can become of both, each with its probability, and whether an output changes; one, without coins."""
    if protocol.tosses:
        results: list[tuple[Fraction | int, State, State]] = [(w, u, v) for w, (u, v), _ in protocol.branches(a, b)]
    else:
        results = [(1, *protocol.step(a, b))]
    leads = protocol.leads
    return [(weight, u, v, leads(a) != leads(u) or leads(b) != leads(v)) for weight, u, v in results]


def brute_steps(run: Run, config: Config) -> list[tuple[Arc, Config, bool]]:
    """Arc, configuration afterwards, and whether some agent's output changes; for every arc, and every way of its coins."""
    return [(arc, after, changes) for arc, _, after, changes in _weighted_steps(run, config)]


def _weighted_steps(run: Run, config: Config) -> Iterator[tuple[Arc, Fraction | int, Config, bool]]:
    for i, j in brute_arcs(run.topology):
        for weight, u, v, changes_output in meeting(run.protocol, config[i], config[j]):
            after = list(config)
            after[i], after[j] = u, v
            yield (i, j), weight, tuple(after), changes_output


def never(config: Config) -> bool:
    return False


def brute_reachable(run: Run, first: Config, stop: Callable[[Config], bool] = never) -> set[Config]:
    """What executions lead to; configurations in which to stop are not left."""
    found, waiting = {first}, [first]
    while waiting:
        here = waiting.pop()
        if not stop(here):
            new = {after for _, after, _ in brute_steps(run, here)} - found
            found |= new
            waiting += new
    return found


# -- sets -------------------------------------------------------------------------------------------------------------


def brute_leaders(run: Run, config: Config) -> int:
    return sum(run.protocol.leads(state) for state in config)


def brute_safe(run: Run, configs: Iterable[Config]) -> set[Config]:
    """The largest set with one leader that no step leaves and in which no step changes an output: a fixed point."""
    safe = {config for config in configs if brute_leaders(run, config) == 1}
    while True:
        kept = {
            c
            for c in safe
            if all(after in safe and not changes_output for _, after, changes_output in brute_steps(run, c))
        }
        if kept == safe:
            return safe
        safe = kept


class Asked:
    """Counts, each of which is made when it is asked for: no other predicate is evaluated."""

    def __init__(self, n: int, agents: list[Any], predicates: Mapping[str, Any], p: Any) -> None:
        self.n, self._given = n, (agents, predicates, p)

    def __getattr__(self, name: str) -> int:
        agents, predicates, p = self._given
        return sum(bool(predicates[name](agent, p)) for agent in agents)


def brute_member(run: Run, name: str) -> Callable[[Config], bool]:
    """A goal of the protocol, evaluated in plain Python."""
    protocol = run.protocol
    goal, p = type(protocol).all_goals()[name], protocol.constants
    predicates = type(protocol).all_predicates()

    def is_member(config: Config) -> bool:
        agents: list[Any] = [protocol.agent(state) for state in config]  # type: ignore[call-arg]
        if isinstance(goal, Counted):
            return bool(goal.rule(Asked(run.n, agents, predicates, p), p))
        return bool(goal.rule(agents, run.n, p))

    return is_member


# -- expected steps ---------------------------------------------------------------------------------------------------


def brute_times(
    run: Run, configs: Collection[Config], target: Collection[Config], exact: bool = False
) -> dict[Config, Any]:
    """Expected steps to the target from each configuration, inf where it may be missed: a dense system of equations."""
    into: dict[Config, Counter[Config]] = {x: Counter() for x in configs if x not in target}
    for x, successors in into.items():
        for _, weight, after, _ in _weighted_steps(run, x):
            successors[after] += weight  # type: ignore[assignment]
    reaching = _closure(target, into)
    lost = _closure([x for x in configs if x not in reaching], into)
    unknown = [x for x in into if x not in lost]
    place = {x: k for k, x in enumerate(unknown)}
    arcs = len(brute_arcs(run.topology))
    rows = [Counter({place[y]: weight for y, weight in into[x].items() if y in place}) for x in unknown]
    values = (_fractions if exact else _floats)(rows, arcs)
    solved = dict(zip(unknown, values, strict=True))
    return {x: 0 if x in target else solved.get(x, inf) for x in configs}


def _closure(found: Iterable[Config], into: Mapping[Config, Iterable[Config]]) -> set[Config]:
    """These, and what can step into them."""
    back: dict[Config, list[Config]] = {}
    for x, successors in into.items():
        for y in successors:
            back.setdefault(y, []).append(x)
    seen = set(found)
    waiting = list(seen)
    while waiting:
        new = [x for x in back.get(waiting.pop(), ()) if x not in seen]
        seen.update(new)
        waiting += new
    return seen


def _floats(rows: Sequence[Counter[int]], arcs: int) -> list[float]:
    matrix = np.eye(len(rows)) * arcs
    for k, row in enumerate(rows):
        for y, weight in row.items():
            matrix[k, y] -= weight
    return [float(value) for value in np.linalg.solve(matrix, np.full(len(rows), float(arcs)))]


def _fractions(rows: Sequence[Counter[int]], arcs: int) -> list[Fraction]:
    size = len(rows)
    matrix = [
        [Fraction(arcs * (k == y) - row[y]) for y in range(size)] + [Fraction(arcs)] for k, row in enumerate(rows)
    ]
    for k in range(size):
        swap = next(i for i in range(k, size) if matrix[i][k])
        matrix[k], matrix[swap] = matrix[swap], matrix[k]
        matrix[k] = [value / matrix[k][k] for value in matrix[k]]
        for i in range(size):
            if i != k and matrix[i][k]:
                factor = matrix[i][k]
                matrix[i] = [a - factor * b for a, b in zip(matrix[i], matrix[k], strict=True)]
    return [row[size] for row in matrix]


# -- symmetries and classes ----------------------------------------------------------------------------------------------------


def automorphisms(topology: Topology) -> list[Permutation]:
    """All of them, by trying every permutation."""
    arcs = brute_arcs(topology)
    return [p for p in permutations(range(topology.n)) if all(topology.has_arc(p[i], p[j]) for i, j in arcs)]


def moore(states: Sequence[Any], meet: Callable[[Any, Any], Any], colour: Mapping[Any, Any]) -> dict[Any, int]:
    """The coarsest partition finer than the colours that meetings respect; `meet` gives a pair, or None if it fails."""
    meetings = {(a, b): meet(a, b) for a in states for b in states}
    block = dict(colour)
    while True:

        def seen(a: Any, b: Any, block: Mapping[Any, Any] = block) -> Any:
            after = meetings[a, b]
            return after if after is None else (block[after[0]], block[after[1]])

        signature = {a: (block[a], tuple((seen(a, b), seen(b, a)) for b in states)) for a in states}
        numbers = {one: k for k, one in enumerate(dict.fromkeys(signature.values()))}
        if len(numbers) == len(set(block.values())):
            return {a: numbers[signature[a]] for a in states}
        block = {a: numbers[signature[a]] for a in states}


def brute_classes(run: Run, colour: Callable[[State], Any] | None = None) -> dict[State, int]:
    """Classes of states that no execution distinguishes; `colour` distinguishes states besides the output."""
    states, protocol = legal_states(run.protocol), run.protocol
    colours = {s: (protocol.leads(s), None if colour is None else colour(s)) for s in states}
    return moore(states, protocol.step, colours)


def brute_contexts(run: Run, member: Callable[[Config], bool]) -> Callable[[State], Any]:
    """For each state all contexts in which it makes a member: what a set of configurations distinguishes."""
    contexts: dict[State, set[Any]] = {state: set() for state in legal_states(run.protocol)}
    for config in brute_space(run.protocol, run.topology):
        if member(config):
            for i, state in enumerate(config):
                contexts[state].add((i, config[:i], config[i + 1 :]))
    return lambda state: frozenset(contexts[state])


def key_of(config: Config, classes: Mapping[State, int], group: Sequence[Permutation] | None) -> Key:
    """The smallest image of the classes; None: any two agents may be exchanged."""
    row = [classes[state] for state in config]
    if group is None:
        return tuple(sorted(row))
    return min(tuple([row[i] for i in permutation]) for permutation in group)


# -- the comparison -----------------------------------------------------------------------------------------------------


def check(
    run: Run,
    space: Any,
    classes: Mapping[State, int],
    group: Sequence[Permutation] | None,
    configs: Collection[Config],
    stop: Callable[[Config], bool] = never,
) -> dict[Key, int]:
    """The space has each orbit of these configurations once, and steps as each of them has; numbers by orbit."""
    configurations, chain = space.configurations, space.chain

    @cache
    def key(config: Config) -> Key:
        return key_of(config, classes, group)

    names = [key(tuple(configurations.states_of(x))) for x in range(configurations.size)]
    number = {name: x for x, name in enumerate(names)}
    assert len(number) == len(names)
    assert set(number) == {key(config) for config in configs}
    assert chain.size == configurations.size
    assert chain.total == len(brute_arcs(run.topology))
    listed = []
    for x in range(configurations.size):
        steps: Counter[tuple[int, bool]] = Counter()
        for k in range(chain.offsets[x], chain.offsets[x + 1]):
            step = int(chain.successors[k]), bool(chain.changes_output[k])
            assert step != (x, False)
            steps[step] += int(chain.weights[k]) if len(chain.weights) else 1
        listed.append(steps)
    leaders = configurations.leaders()
    for config in configs:
        x = number[key(config)]
        assert configurations.index_of(config) == x
        assert leaders[x] == brute_leaders(run, config)
        after = [] if stop(config) else brute_steps(run, config)
        expected = Counter((number[key(there)], changes_output) for _, there, changes_output in after)
        del expected[x, False]
        assert listed[x] == expected
    return number
