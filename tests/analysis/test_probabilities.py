"""Temporal questions against a second computation, with plain tuples of states and fractions, and against simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binomtest

import princeps
from princeps.analysis import probabilities
from princeps.analysis.questions import read_question
from princeps.errors import PrincepsError, RunError, TooLarge, UnknownName
from princeps.model.reading import make_run
from princeps.model.run import Run
from princeps.model.starts import starting_states
from tests.analysis.brute_force import brute_member, brute_space, brute_steps
from tests.analysis.test_choices import Configuration, counts_of, moves

EXAMPLES = Path(__file__).parents[2] / "examples"
PHOENIX, DICE = str(EXAMPLES / "phoenix.py"), str(EXAMPLES / "dice.py")
Condition = Callable[[Any], bool]  # of the counts


# -- a second computation -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """The question as its text, and what is reached, and left out, as functions of the counts."""

    text: str
    reach: Condition
    avoid: Condition = lambda c: False
    steps: int | None = None


def answers(run: Run, asked: Asked, configs: list[Configuration]) -> dict[Configuration, Fraction]:
    """From each of these configurations, among which the chain stays."""
    told = {c: counts_of(run.protocol, c) for c in configs}
    value = {c: Fraction(int(asked.reach(told[c]))) for c in configs}
    going_on = [c for c in configs if not asked.reach(told[c]) and not asked.avoid(told[c])]
    ways = {c: moves(run, c) for c in going_on}
    if asked.steps is not None:
        for _ in range(asked.steps):
            value |= {c: sum((p * value[d] for d, p in ways[c].items()), Fraction(0)) for c in going_on}
        return value
    possible = {c for c in configs if value[c]}
    while more := {c for c in going_on if c not in possible and possible & set(ways[c])}:
        possible |= more
    index = {c: k for k, c in enumerate(c for c in going_on if c in possible)}
    rows = []
    for c, k in index.items():
        row = [Fraction(0)] * (len(index) + 1)
        row[k] += 1
        for d, p in ways[c].items():
            row[index.get(d, -1)] += p * value[d] if d not in index else -p
        rows.append(row)
    for k, row in enumerate(rows):  # elimination
        rows[k] = row = [entry / row[k] for entry in row]
        for i, other in enumerate(rows):
            if i != k and other[k]:
                rows[i] = [x - other[k] * y for x, y in zip(other, row, strict=True)]
    return {**value, **{c: rows[k][-1] for c, k in index.items()}}


def everything(run: Run) -> list[Configuration]:
    sizes = [range(size) for size in run.protocol.space.sizes if size is not None]
    return list(product(product(*sizes), repeat=run.n))


def reachable(run: Run) -> list[Configuration]:
    start = tuple(starting_states(run))
    found, waiting = {start: None}, [start]
    while waiting:
        new = [after for after in moves(run, waiting.pop()) if after not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return list(found)


FRATRICIDE = [
    Asked("F<=0 leader", lambda c: c.leaders == 1, steps=0),
    Asked("F<=7 leader", lambda c: c.leaders == 1, steps=7),
    Asked("F(count(leader == 0) == 2)", lambda c: c.leaders == 2),
    Asked("leader before 'leaders == 2'", lambda c: c.leaders == 1, lambda c: c.leaders == 2),
    Asked("!leader U<=3 leaders == 2", lambda c: c.leaders == 2, lambda c: c.leaders == 1, 3),
]
PHOENIXES = [
    Asked("F<=4 (leaders == 1)", lambda c: c.leaders == 1, steps=4),
    Asked("leaders == 1 before leaders == 0", lambda c: c.leaders == 1, lambda c: c.leaders == 0),
    Asked("leaders > 0 U<=6 leaders == 2", lambda c: c.leaders == 2, lambda c: c.leaders == 0, 6),
    Asked("F leaders == 0", lambda c: c.leaders == 0),
    Asked("!(leaders < 2) U<=5 !(leaders == 2)", lambda c: c.leaders != 2, lambda c: c.leaders < 2, 5),
]


@pytest.mark.parametrize("asked", FRATRICIDE, ids=lambda asked: asked.text)
def test_from_a_start(asked: Asked) -> None:
    run = make_run("fratricide", 4)
    wanted = answers(run, asked, reachable(run))[tuple(starting_states(run))]
    for reduce in (True, False):
        found = princeps.exact("fratricide", 4, probability=asked.text, rational=True, reduce=reduce)
        assert found.probability_exact == wanted
        assert found.interval[0] <= wanted <= found.interval[1] <= found.interval[0] + 1e-9
        assert (found.smallest, found.largest, found.steps) == (None, None, asked.steps)


@pytest.mark.parametrize("graph", [None, "ring", "path"])
@pytest.mark.parametrize("asked", PHOENIXES, ids=lambda asked: asked.text)
def test_from_all_configurations_with_coins_and_an_oracle(asked: Asked, graph: str | None) -> None:
    run = make_run(PHOENIX, 3, graph=graph)
    wanted = answers(run, asked, everything(run))
    found = princeps.exact(PHOENIX, 3, graph=graph, probability=asked.text, rational=True)
    plain = princeps.exact(PHOENIX, 3, graph=graph, probability=asked.text)
    mean = sum(wanted.values()) / len(wanted)
    assert (found.start, found.configurations) == ("all", len(wanted))
    assert found.probability_exact == mean
    assert plain.interval[0] <= mean <= plain.interval[1] <= plain.interval[0] + 1e-9
    for choose, name in ((min, "smallest"), (max, "largest")):
        extreme, certified = getattr(found, name), getattr(plain, name)
        assert extreme.probability_exact == choose(wanted.values()) == wanted[extreme.states]
        assert certified.interval[0] <= extreme.probability_exact <= certified.interval[1]


def test_from_a_start_with_coins() -> None:
    run = make_run(DICE, 3, params={"sides": 2})
    for asked in (
        Asked("F<=4 leader", lambda c: c.leaders == 1, steps=4),
        Asked("leader before leaders == 2", lambda c: c.leaders == 1, lambda c: c.leaders == 2),
    ):
        wanted = answers(run, asked, reachable(run))[tuple(starting_states(run))]
        assert princeps.exact(DICE, 3, sides=2, probability=asked.text, rational=True).probability_exact == wanted


def test_fields_of_one_agent_are_never_merged_across_the_question() -> None:
    """A follower's draws matter to nothing but the question."""
    run = make_run(DICE, 2, params={"sides": 1})
    text = "F<=3 count(leader == 0 and draws > 0) == 1"

    def drew(states: Configuration) -> bool:
        return sum(leader == 0 and draws > 0 for leader, draws in states) == 1

    value = {c: Fraction(int(drew(c))) for c in everything(run)}
    for _ in range(3):
        value |= {c: sum((p * value[d] for d, p in moves(run, c).items()), Fraction(0)) for c in value if not drew(c)}
    found = princeps.exact(DICE, 2, sides=1, start="all", probability=text, rational=True)
    assert found.probability_exact == sum(value.values()) / len(value)


@pytest.mark.medium
def test_goals_on_whole_configurations_from_everywhere() -> None:
    """p_rl with two agents, 5,184 configurations: s_rl before somebody shoots, and within five steps."""
    run = make_run("p_rl", 2)
    configs, safe = brute_space(run.protocol, run.topology), brute_member(run, "s_rl")
    after = {c: [there for _, there, _ in brute_steps(run, c)] for c in configs}
    shooting = {c for c in configs if any(state[1] for state in c)}  # the field bullet
    value = {c: Fraction(int(safe(c))) for c in configs}
    going_on = [c for c in configs if not value[c] and c not in shooting]
    for _ in range(5):
        value |= {c: sum(value[d] for d in after[c]) / len(after[c]) for c in going_on}
    found = princeps.exact("p_rl", 2, probability="count(bullet > 0) == 0 U<=5 s_rl", rational=True)
    assert found.probability_exact == sum(value.values()) / len(configs)
    assert found.largest.probability_exact == 1 == value[found.largest.states]
    assert found.smallest.probability_exact == 0 == value[found.smallest.states]
    assert 0 < found.probability < 1


# -- against simulation ---------------------------------------------------------------------------------------------------


@pytest.mark.medium
def test_runs_are_as_frequent_within_the_bound() -> None:
    found = princeps.exact("fratricide", 6, probability="F<=25 leader")
    runs = princeps.trials("fratricide", 6, trials=1000, seed=11, max_steps=25, engine="reference")
    hits = sum(result.converged for result in runs)
    assert 0.2 < found.probability < 0.8
    assert binomtest(hits, 1000, found.probability).pvalue > 1e-6
    assert binomtest(hits, 1000, princeps.exact("fratricide", 6, probability="F<=32 leader").probability).pvalue < 1e-6


@pytest.mark.medium
def test_runs_come_to_one_set_before_the_other_as_often() -> None:
    found = princeps.exact(PHOENIX, 4, start="all_leaders", probability="leaders == 1 before leaders == 0")
    runs = princeps.trials(
        PHOENIX, 4, start="all_leaders", trials=1000, seed=5, until="leaders < 2", engine="reference"
    )
    hits = sum(result.leaders == 1 for result in runs)
    assert 0.1 < found.probability < 0.9
    assert binomtest(hits, 1000, found.probability).pvalue > 1e-6


# -- sizes and limits -----------------------------------------------------------------------------------------------------


def test_a_million_steps_are_certified() -> None:
    """P(more than k steps) of a geometric wait: (1 - 2 / 2450)^k from two leaders among fifty agents."""
    start = "states:" + ";".join(["1", "1", *["0"] * 48])
    for steps in (1000, 10_000, 1_000_000):
        found = princeps.exact("fratricide", 50, start=start, probability=f"F<={steps} leader")
        wanted = 1 - Fraction(2448, 2450) ** min(steps, 60_000)
        assert found.interval[0] <= wanted <= found.interval[1]
        assert found.interval[1] - found.interval[0] < 1e-8


def test_what_takes_too_long_is_refused_with_the_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge, match=r"take about .* (days|years)"):
        princeps.exact("fratricide", 8, probability="F<=1e18 leader")
    with pytest.raises(TooLarge, match=r"take about 10\^\d+ years"):  # too many for a float
        princeps.exact("fratricide", 8, probability=f"F<={'9' * 400} leader")
    with pytest.raises(TooLarge, match="leave rational=True out"):
        princeps.exact("fratricide", 8, probability="F<=1e6 leader", rational=True)
    monkeypatch.setattr(probabilities, "WIDEST", 1e-16)
    with pytest.raises(TooLarge, match="roundings"):
        princeps.exact("fratricide", 8, probability="F<=1000 leader")


def test_long_answers_say_how_far_they_are_and_can_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probabilities, "PORTION", 1)
    seen: list[tuple[str, int, int]] = []

    def observer(phase: str, done: int, total: int) -> None:
        seen.append((phase, done, total))
        if done >= 5 and phase == "following the distribution":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        princeps.exact("fratricide", 8, probability="F<=1000 leader", observer=observer)
    assert seen[-1] == ("following the distribution", 5, 1000)


def test_certain_and_impossible_are_told_by_the_graph_alone() -> None:
    for text, value in (("F leader", 1.0), ("F leaders == 0", 0.0), ("F !leader", 1.0), ("leader U leader", 0.0)):
        found = princeps.exact("fratricide", 5, probability=text)
        assert (found.probability, found.interval) == (value, (value, value))


def test_the_largest_safe_set_is_a_goal_too() -> None:
    found = princeps.exact(PHOENIX, 3, probability="F<=3 safe", rational=True)
    same = princeps.exact(PHOENIX, 3, probability="F<=3 leaders == 1", rational=True)
    assert found.probability_exact == same.probability_exact != 1


# -- the language ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        ("F leader", "F leader"),
        (" F <= 1e3   leader ", "F<=1000 leader"),
        ("F(leaders==2)", "F (leaders == 2)"),
        ("F !leader", "F !leader"),
        ("F not leader", "F !leader"),
        ("F not leaders == 1", "F (not leaders == 1)"),
        ('F<=2 "leaders == 2"', "F<=2 (leaders == 2)"),
        ("leader before leaders==0", "!(leaders == 0) U leader"),
        ("leaders == 1 before !leader", "leader U (leaders == 1)"),
        ("!(leaders == 0) U<=50 leader", "!(leaders == 0) U<=50 leader"),
        ("(leaders > 0) U (count(leader == 0) == 1 and n > 2)", "(leaders > 0) U (count(leader == 0) == 1 and n > 2)"),
    ],
)
def test_how_questions_are_read(text: str, spelt: str) -> None:
    protocol = make_run("fratricide", 4).protocol
    assert read_question(protocol, text).text == spelt
    assert read_question(protocol, spelt).text == spelt


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("leader", "is no question about time"),
        ("F", "is no question about time"),
        ("F<=3", "is no question about time"),
        ("G leader", "is no question about time"),
        ("F<=-3 leader", "is no question about time"),
        ("F<=2.5 leader", "not an integer"),
        ("F<=many leader", "not an integer"),
        ("F ()", "no goal"),
        (" U leader", "is no question about time"),
        ("leader U leader U leader", "more than one"),
        ("leader before<=3 leader", "has no bound"),
        ("F (leaders == 1", "a parenthesis without"),
        ("F 'leaders == 1", "a quotation mark without"),
        ("F leaders", "did you mean leader"),
        ("F leadrs == 1", "did you mean leaders"),
        ("F " + "(" * 4000, "characters"),
    ],
)
def test_what_is_refused(text: str, words: str) -> None:
    with pytest.raises((RunError, UnknownName, PrincepsError), match=words):
        princeps.exact("fratricide", 4, probability=text)


def test_other_questions_are_not_mixed_with_it() -> None:
    for other in ({"target": "leader"}, {"variance": True}, {"sets": True}, {"against_simulation": 10}):
        with pytest.raises(RunError, match="a question of its own"):
            princeps.exact("fratricide", 4, probability="F leader", **other)
    with pytest.raises(RunError, match="target='leader' and until='leaders == 2'"):
        princeps.exact("fratricide", 4, target="leader", until="leaders == 2")
