"""Starts given by numbers of agents: who gets which state, and what is said of wrong numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps import errors
from princeps.model import Agent, Bit, Blocks, Input, Params, PopulationProtocol, Range
from princeps.model.reading import make_run
from princeps.model.starts import starting_blocks, starting_states
from tests.conftest import Command
from tests.tables import in_one_test

REFERENCE = ("--engine", "reference")


def made(rule: Callable[[int, Params], Any]) -> type[PopulationProtocol]:
    """A protocol that starts as the rule says."""

    class Crowd(PopulationProtocol):
        leader, x = Bit(), Range(5)
        starts = {"initial": Blocks(rule)}

        @staticmethod
        def interact(a: Agent, b: Agent, p: Params) -> None:
            if a.leader == 1 and b.leader == 1:
                b.leader = 0

    return Crowd


# -- what it means ------------------------------------------------------------------------------------------------


def test_agents_get_their_states_block_by_block() -> None:
    crowd = made(lambda n, p: [(2, {"x": 4}), (0, {"x": 1}), (1, {}), (n - 4, {"leader": 1, "x": 3}), (1, {"x": 4})])
    states = starting_states(make_run(crowd, 7))
    assert states == [(0, 4), (0, 4), (0, 0), (1, 3), (1, 3), (1, 3), (0, 4)]


@pytest.mark.parametrize("engine", ["reference", "agents"])
def test_a_run_begins_so(engine: str) -> None:
    crowd = made(lambda n, p: [(3, {"x": 2}), (n - 3, {"leader": 1, "x": 1})])
    result = library.run(crowd, n=9, seed=1, engine=engine, until="leader", record=["leaders", "x == 2"])
    assert result.record is not None
    assert (result.record["leaders"][0], result.record["x == 2"][0]) == (6, 3)
    assert result.leader in range(3, 9)


def test_the_rule_knows_n_and_the_parameters() -> None:
    seen = []

    def initial(n: int, p: Params) -> list[tuple[int, dict[str, int]]]:
        seen.append((n, p.most))
        return [(p.most, {"leader": 1}), (n - p.most, {})]

    class Chosen(PopulationProtocol):
        most = library.model.Param(min=1, default=3)
        leader = Bit()
        starts = {"initial": Blocks(initial)}

        @staticmethod
        def interact(a: Agent, b: Agent, p: Params) -> None:
            if a.leader == 1 and b.leader == 1:
                b.leader = 0

    states = starting_states(make_run(Chosen, 8, params={"most": 5}))
    assert states == [(1,)] * 5 + [(0,)] * 3
    assert seen == [(8, 5)]  # once a run, not once an agent


def test_a_population_of_10_to_the_15_is_as_quick_as_any() -> None:
    n = 10**15
    epidemic, majority = make_run("epidemic", n), make_run("majority", n)
    assert starting_blocks(epidemic, type(epidemic.protocol).starts["initial"]) == [(1, (1,)), (n - 1, (0,))]
    found = starting_blocks(majority, type(majority.protocol).starts["initial"])
    assert found == [(51 * n // 100, (1,)), (49 * n // 100, (2,))]


@in_one_test(("n", "x"), [(2, 2), (3, 2), (50, 26), (99, 51), (100, 51), (101, 52), (1000, 510)])
def test_a_majority_is_rounded_up(n: int, x: int) -> None:
    assert starting_states(make_run("majority", n)) == [(1,)] * x + [(2,)] * (n - x)


# -- what is wrong ------------------------------------------------------------------------------------------------

WRONG: dict[str, tuple[Any, type[errors.PrincepsError], str]] = {
    "nothing at all": (None, errors.ProtocolError, "start 'initial' must give a list of (agents, {field: value})."),
    "a flat list": ([1, 2], errors.ProtocolError, "start 'initial' must give a list of (agents, {field: value})."),
    "a number for a state": (
        [(4, 7)],
        errors.ProtocolError,
        "start 'initial' must give a list of (agents, {field: value}).",
    ),
    "too few": (
        [(3, {})],
        errors.ProtocolError,
        "start 'initial' has 3 agents in its blocks for n = 6: let them add up to n.",
    ),
    "too many": (
        [(3, {}), (4, {})],
        errors.ProtocolError,
        "start 'initial' has 7 agents in its blocks for n = 6: let them add up to n.",
    ),
    "nobody": ([], errors.ProtocolError, "start 'initial' has 0 agents in its blocks for n = 6: let them add up to n."),
    "fewer than none": (
        [(7, {}), (-1, {})],
        errors.ProtocolError,
        "start 'initial' has a block of -1 agents: give a whole number, 0 or more.",
    ),
    "half an agent": (
        [(5.5, {}), (0.5, {})],
        errors.ProtocolError,
        "start 'initial' has a block of 5.5 agents: divide with //, like n // 2.",
    ),
    "an unknown field": (
        [(6, {"hat": 1})],
        errors.ProtocolError,
        "start 'initial' has an unknown field 'hat': the fields are leader, x.",
    ),
    "a value too large": ([(6, {"x": 5})], errors.ProtocolError, "start 'initial' has x = 5, outside its domain 0..4."),
    "a value below 0": ([(6, {"x": -1})], errors.ProtocolError, "start 'initial' has x = -1, outside its domain 0..4."),
    "a fraction": ([(6, {"x": 0.5})], errors.ProtocolError, "start 'initial' has x = 0.5: it must be an integer."),
}


@pytest.mark.parametrize("engine", ["reference", "agents"])
@in_one_test(("blocks", "kind", "sentence"), WRONG.values(), ids=WRONG.keys())
def test_wrong_blocks_are_told_in_a_sentence(
    blocks: Any, kind: type[errors.PrincepsError], sentence: str, engine: str
) -> None:
    with pytest.raises(kind) as caught:
        library.run(made(lambda n, p: blocks), n=6, seed=1, engine=engine)
    assert type(caught.value) is kind
    where = rf"{re.escape(__file__)}:\d+: " if kind is errors.ProtocolError else ""
    assert re.fullmatch(where + re.escape(sentence), str(caught.value))


def test_a_mistake_in_the_rule_is_told_with_file_and_line() -> None:
    with pytest.raises(errors.ProtocolError, match=r"test_blocks\.py:\d+: unknown parameter 'most'") as caught:
        starting_states(make_run(made(lambda n, p: [(p.most, {})]), 6))
    assert caught.value.line is not None


def test_agents_with_identifiers_are_no_blocks() -> None:
    class Numbered(PopulationProtocol):
        own, leader = Input(), Bit()
        starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

        @staticmethod
        def interact(a: Agent, b: Agent, p: Params) -> None:
            if a.leader == 1 and b.leader == 1:
                b.leader = 0

    with pytest.raises(errors.ProtocolError, match="given by numbers, but the agents have ids"):
        starting_states(make_run(Numbered, 6))


def test_the_command_line_tells_it_in_one_line(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "crowd.py"
    path.write_text(
        "from princeps.model import Agent, Bit, Blocks, Params, PopulationProtocol\n\n\n"
        "class Crowd(PopulationProtocol):\n"
        "    leader = Bit()\n"
        "    starts = {'initial': Blocks(lambda n, p: [(5, {'leader': 1})])}\n\n"
        "    @staticmethod\n"
        "    def interact(a: Agent, b: Agent, p: Params) -> None:\n"
        "        b.leader = 0\n"
    )
    outcome = quick("run", path, "-n", 6, *REFERENCE)
    assert (outcome.code, outcome.stdout) == (2, "")
    assert (
        outcome.stderr
        == f"princeps: {path}:6: start 'initial' has 5 agents in its blocks for n = 6: let them add up to n.\n"
    )
    assert quick("run", path, "-n", 5, "--seed", 1, *REFERENCE).code == 0


# -- the protocols that start so ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [("epidemic", "one infected agent"), ("majority", "51 per cent are for x (rounded up), the others for y")],
)
def test_show_tells_what_the_start_is(quick: Command, name: str, text: str) -> None:
    assert quick("show", name, "--json").object["starts"] == {"initial": text}
    shown = " ".join(quick("show", name).stdout.split())
    assert f"start initial (default): {text}" in shown


@pytest.mark.parametrize(
    "graph", ["complete", "ring", "undirected-ring", "path", "star", "grid:3x4", "torus:3x4", "regular:3", "er:0.5"]
)
def test_an_epidemic_runs_on_any_graph(quick: Command, graph: str) -> None:
    words = ("run", "epidemic", "-n", 12, "--graph", graph, "--seed", 5, "--json")
    outcome = quick(*words, *REFERENCE)
    assert outcome.code == 0
    result = outcome.object
    assert (result["graph"], result["leaders"], result["leader"]) == (graph, 12, None)
    assert (result["converged"], result["events"]) == (True, 11)
    assert quick(*words, "--engine", "agents").object["steps"] == result["steps"]


def test_a_majority_is_for_the_complete_graph(quick: Command) -> None:
    outcome = quick("run", "majority", "-n", 12, "--graph", "ring", *REFERENCE)
    assert outcome.code == 2
    assert "majority is made for complete graphs" in outcome.stderr
