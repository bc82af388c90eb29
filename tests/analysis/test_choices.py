"""The exact analysis of rules that toss coins or read an oracle, against fractions worked out independently."""

from __future__ import annotations

import shlex
from fractions import Fraction
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.analysis.agent_states import legal_agent_states
from princeps.analysis.choosing_states import ChoosingStates
from princeps.analysis.merging import merge
from princeps.engines.simulate import make_population
from princeps.model.fields import Counts
from princeps.model.protocol import PopulationProtocol
from princeps.model.reading import make_run
from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.model.states import State
from tests.engines import choice_protocols

EXAMPLES = Path(__file__).parents[2] / "examples"
Configuration = tuple[State, ...]


def own(name: str) -> str:
    return f"{choice_protocols.__file__}:{name}"


# -- a second computation: tuples of states, no symmetry, fractions, Gauss ---------------------------------------------


def counts_of(protocol: PopulationProtocol, states: Configuration) -> Counts:
    agents: list[Any] = [protocol.agent(state) for state in states]  # type: ignore[call-arg]
    known = type(protocol).all_predicates().items()
    return Counts({name: sum(bool(f(a, protocol.constants)) for a in agents) for name, f in known} | {"n": len(states)})


def moves(run: Run, states: Configuration) -> dict[Configuration, Fraction]:
    protocol = run.protocol
    told = 0 if protocol.oracle is None else int(protocol.oracle.rule(counts_of(protocol, states), protocol.constants))
    arcs = [run.topology.arc(k) for k in range(run.topology.arc_count)]
    out: dict[Configuration, Fraction] = {}
    for i, j in arcs:
        left, right = (protocol.space.name_values(states[agent]) for agent in (i, j))
        given = {} if protocol.oracle is None else {"oracle": told}
        for probability, a, b in protocol.outcomes(left, right, **given):
            after = list(states)
            after[i], after[j] = tuple(a.values()), tuple(b.values())
            out[tuple(after)] = out.get(tuple(after), Fraction(0)) + probability / len(arcs)
    return out


def expected(run: Run, target: str) -> dict[Configuration, Fraction]:
    """Steps to the target from every configuration, which must all reach it."""
    protocol = run.protocol
    space = [range(size) for size in protocol.space.sizes if size is not None]
    everything = list(product(product(*space), repeat=run.n))
    goal: Any = type(protocol).all_goals()[target].rule
    open_ones = [c for c in everything if not goal(counts_of(protocol, c), protocol.constants)]
    index = {c: k for k, c in enumerate(open_ones)}
    rows: list[dict[int, Fraction]] = []
    for c in open_ones:
        row = {index[c]: Fraction(1), len(index): Fraction(1)}
        for after, probability in moves(run, c).items():
            if after in index:
                row[index[after]] = row.get(index[after], Fraction(0)) - probability
        rows.append(row)
    for k, row in enumerate(rows):  # elimination
        pivot = row[k]
        for column in row:
            row[column] /= pivot
        for other in rows:
            if other is not row and other.get(k):
                factor = other.pop(k)
                for column, value in row.items():
                    if column != k:
                        other[column] = other.get(column, Fraction(0)) - factor * value
    return {c: rows[index[c]].get(len(index), Fraction(0)) if c in index else Fraction(0) for c in everything}


@pytest.mark.parametrize(
    ("name", "n", "graph", "target", "params"),
    [
        (str(EXAMPLES / "phoenix.py"), 3, None, "leader", {}),
        (str(EXAMPLES / "phoenix.py"), 3, "ring", "leader", {}),
        pytest.param(own("Lamps"), 3, None, "all_lit", {}, marks=pytest.mark.slow),
        pytest.param(own("Lamps"), 3, "ring", "all_lit", {}, marks=pytest.mark.slow),
        pytest.param(own("Told"), 3, None, "old", {}, marks=pytest.mark.slow),
    ],
)
def test_expected_times_from_all_configurations(
    name: str, n: int, graph: str | None, target: str, params: dict[str, int]
) -> None:
    run = make_run(name, n, graph=graph, force=True, params=params)
    times = expected(run, target)
    for reduce in (True, False):
        found = princeps.exact(
            name, n, graph=graph, force=True, start="all", target=target, rational=True, reduce=reduce, **params
        )
        assert found.configurations == len(times)
        assert Fraction(found.worst_exact) == max(times.values())
        assert Fraction(found.mean_exact) == sum(times.values()) / len(times)


def reached(run: Run) -> Fraction:
    """Expected steps from the start to the goal: the linear system of what can be reached."""
    goal: Any = run.goal.rule
    protocol = run.protocol
    start = tuple(starting_states(run))
    found, waiting = {start: 0}, [start]
    rows: dict[Configuration, dict[Configuration, Fraction]] = {}
    while waiting:
        c = waiting.pop()
        if goal(counts_of(protocol, c), protocol.constants):
            continue
        rows[c] = moves(run, c)
        for after in rows[c]:
            if after not in found:
                found[after] = len(found)
                waiting.append(after)
    index = {c: k for k, c in enumerate(rows)}
    matrix = [[Fraction(int(a == b)) - rows[a].get(b, Fraction(0)) for b in index] + [Fraction(1)] for a in index]
    for k in range(len(matrix)):
        swap = next(i for i in range(k, len(matrix)) if matrix[i][k])
        matrix[k], matrix[swap] = matrix[swap], matrix[k]
        matrix[k] = [value / matrix[k][k] for value in matrix[k]]
        for i in range(len(matrix)):
            if i != k and matrix[i][k]:
                factor = matrix[i][k]
                matrix[i] = [x - factor * y for x, y in zip(matrix[i], matrix[k], strict=True)]
    return matrix[index[start]][-1]


@pytest.mark.parametrize(
    ("name", "n", "params"),
    [
        (str(EXAMPLES / "dice.py"), 2, {"sides": 3}),
        pytest.param(str(EXAMPLES / "dice.py"), 3, {"sides": 2}, marks=pytest.mark.slow),
        pytest.param(str(EXAMPLES / "lottery.py"), 3, {"top": 1}, marks=pytest.mark.slow),
        pytest.param(own("Quiet"), 4, {}, marks=pytest.mark.slow),
    ],
)
def test_expected_times_from_a_start(name: str, n: int, params: dict[str, int]) -> None:
    """Denominators of 2, 3, 4 and 5 meet: the common one grows while configurations are found."""
    run = make_run(name, n, params=params)
    wanted = reached(run)
    for reduce in (True, False):
        found = princeps.exact(name, n, start=run.start, target="leader", rational=True, reduce=reduce, **params)
        assert Fraction(found.mean_exact) == wanted
        low, high = found.mean_interval
        assert low <= wanted <= high


def test_states_are_merged_only_if_all_their_laws_agree() -> None:
    """Lamps: leaders and followers differ in a coin when unlit; nothing is merged across what the oracle counts."""
    states = legal_agent_states(make_run(own("Lamps"), 3).protocol)
    assert isinstance(states, ChoosingStates)
    columns = states.oracle_columns()
    assert columns.shape == (4, 2)  # leaders, which are always counted, and those that are up
    assert merge(states, columns).count == 4
    again = legal_agent_states(make_run(str(EXAMPLES / "dice.py"), 3).protocol)
    assert merge(again, again.leader_mask()[:, None]).count == 4  # followers do not care how often they drew


def test_a_set_is_closed_only_if_every_outcome_stays_inside() -> None:
    """One outcome in four leaves: it is found, and its command replays it with the same coins."""
    found = princeps.exact(own("Lamps"), 3, start="all", target="all_lit", sets=True)
    lit = next(one for one in found.sets or [] if one.name == "all_lit")
    assert not lit.closed
    assert lit.leak is not None
    assert lit.leak.draws == ((0,),)  # draw(4) == 0, in a crowd
    words = shlex.split(lit.leak.command)
    start, pairs = (words[words.index(option) + 1] for option in ("--start", "--pairs"))
    population = make_population(make_run(own("Lamps"), 3, start=start, pairs=pairs))
    assert population.engine == "reference"
    assert population.holds()
    population.advance_exactly(1)
    assert not population.holds()
    assert found.worst < inf


@pytest.mark.slow
def test_lemmas_speak_of_every_outcome_and_answer(tmp_path: Path) -> None:
    file = tmp_path / "lemmas.py"
    file.write_text(
        "from princeps.model import *\n"
        "def falls(a, b, p):\n    return a.leader == 1 and b.leader == 0\n"
        "def rises(a, b, p):\n    return a.leader == 0 and b.leader == 1\n"
        "def some(c, p):\n    return c.leaders >= 1\n"
        "def none(c, p):\n    return c.leaders == 0\n"
        "class Mine(PopulationProtocol):\n"
        "    guarantee = 'self-stabilizing'\n"
        "    leader, oracle = Bit(), NobodyLeads()\n"
        "    starts = {'random': Uniform()}\n"
        "    goals = {'some': Counted(some), 'none': Counted(none)}\n"
        "    lemmas = {\n"
        "        'stays': Stays(says='a leader is left', of='some'),\n"
        "        'one': Stays(says='the leader is left', of='leader'),\n"
        "        'rises': Never(says='nobody rises while somebody leads', event=rises, begin='some'),\n"
        "        'falls': Never(says='nobody falls', event=falls, begin='some'),\n"
        "        'reaches': Reaches(says='it elects', target='leader'),\n"
        "    }\n"
        "    def interact(a, b, p):\n"
        "        if p.nobody_leads == 1:\n"
        "            a.leader = 1\n"
        "        elif a.leader == 1 and b.leader == 1:\n"
        "            a.leader = coin()\n"
        "            b.leader = coin()\n",
        encoding="utf-8",
    )
    found = princeps.exact(str(file), 3, start="all", lemmas=True)
    verdicts = {lemma.id: lemma.verdict for lemma in found.lemmas or []}
    assert verdicts == {"stays": "refuted", "one": "proved", "rises": "proved", "falls": "refuted", "reaches": "proved"}
    leak = next(lemma.schedule for lemma in found.lemmas or [] if lemma.id == "stays")
    assert leak is not None
    assert leak.draws == ((0, 0),)  # both show tails
