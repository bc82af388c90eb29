"""Any name that Python allows is a field, a parameter, a predicate or a local variable, in every engine, or is refused by name."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.engines.agents import Agents
from princeps.engines.forms import Packed
from princeps.engines.population import StopCondition
from princeps.errors import ParameterError, ProtocolError
from princeps.lowering.codegen import Writer
from princeps.lowering.field_code import render
from princeps.lowering.layout import make_layout
from princeps.model.fields import constants_of
from princeps.model.parameters import RESERVED
from princeps.model.reading import make_run
from tests.conftest import Command
from tests.model.names_tools import WORST, awkward_names, protocol_file, usable_parameters
from tests.tables import in_one_test

GIVEN: dict[str, Any] = {"n": 6, "seed": 3, "max_steps": 2000}


def files(folder: Path, names: list[str]) -> tuple[str, str]:
    """A file with these names, and one that does the same with names that mean nothing to anybody."""
    parameters, predicates = usable_parameters(names), [name not in ("n", "leaders") for name in names]
    for file, words in (("awkward.py", names), ("plain.py", [f"word_{k}_" for k in range(len(names))])):
        (folder / file).write_text(protocol_file(words, parameters, predicates), encoding="utf-8")
    return f"{folder / 'awkward.py'}:Mine", f"{folder / 'plain.py'}:Mine"


def without_leader() -> list[str]:
    return [name for name in awkward_names() if name != "leader"]


@pytest.mark.slow
def test_every_name_of_ours_is_a_name_of_the_user_s_too(tmp_path: Path) -> None:
    names = without_leader()
    assert len(names) > 300
    awkward, plain = files(tmp_path, names)
    found = [princeps.run(path, engine="reference", **GIVEN) for path in (awkward, plain)]
    assert found[0].steps == found[1].steps > 0
    protocol = princeps.protocol(awkward, n=4)
    assert list(protocol.fields) == ["leader", *names]
    assert list(protocol.params) == [name for name in names if name not in RESERVED]
    sessions = [princeps.session(path, engine="reference", **GIVEN).step(50) for path in (awkward, plain)]
    assert sessions[0].counts == sessions[1].counts
    assert list(sessions[0].census.values()) == list(sessions[1].census.values())


@pytest.mark.medium
def test_the_code_that_is_made_of_them_does_what_the_rule_does(tmp_path: Path) -> None:
    """Run as Python: what numba compiles, without compiling it."""
    awkward, _ = files(tmp_path, without_leader())
    protocol = princeps.protocol(awkward, n=4)
    writer = Writer(protocol, make_layout(protocol))
    code = render(writer.guarded_rule(writer.guards())[0], 0)
    names, draw = protocol.space.names, random.Random(1)
    for _ in range(20):
        before = [tuple(draw.randrange(2) for _ in names) for _ in "lr"]
        scope: dict[str, Any] = {"remainder": int.__mod__, "int64": int, "uint64": int}
        scope |= {f"p_{name}": value for name, value in constants_of(protocol.constants).items()}
        for side, state in zip("lr", before, strict=True):
            scope |= {f"{side}_{name}": value for name, value in zip(names, state, strict=True)}
        exec(code, scope)
        after = tuple(tuple(scope[f"{side}_{name}"] for name in names) for side in "lr")
        assert after == protocol.step(*before)


@pytest.mark.slow
@pytest.mark.parametrize("names", [WORST, "all"], ids=["worst", "all"])
def test_compiled_they_mean_the_same(tmp_path: Path, names: Any) -> None:
    awkward, _ = files(tmp_path, without_leader() if names == "all" else list(names))
    for until in ("counted", "closed"):
        plain, fast = (
            princeps.session(awkward, engine=engine, until=until, **GIVEN) for engine in ("reference", "agents")
        )
        for session in (plain, fast):
            session.run_until()
        assert (plain.steps, plain.counts, plain.leader) == (fast.steps, fast.counts, fast.leader)
    population = Agents(make_run(awkward, **GIVEN))
    population.form = Packed(population.kernels, population.form.words())
    population.advance_exactly(plain.steps)
    assert {population.state(i) for i in range(GIVEN["n"])} == set(plain.counts)
    assert population.advance_exactly(0, StopCondition.GOAL)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["counts", "events"])
def test_engines_with_a_law_of_their_own_run_them(tmp_path: Path, engine: str) -> None:
    awkward, plain = files(tmp_path, list(WORST))
    given = {**GIVEN, "engine": engine, "graph": "ring" if engine == "events" else "complete", "force": True}
    found = [princeps.run(path, **given) for path in (awkward, plain)]
    assert (found[0].steps, found[0].leaders) == (found[1].steps, found[1].leaders)


def test_sessions_records_scripts_and_states_know_them(tmp_path: Path, quick: Command) -> None:
    awkward, _ = files(tmp_path, list(WORST))
    session = princeps.session(awkward, engine="reference", **GIVEN)
    session.set(2, **dict.fromkeys([*WORST, "leader"], 1)).step(30)
    session.save(str(tmp_path / "attack.script"))
    assert princeps.replay(str(tmp_path / "attack.script")).counts == session.counts
    state = {name: k % 2 for k, name in enumerate(["leader", *WORST])}
    words = ("run", awkward, "-n", 2, "--start", f"json:{json.dumps([state, {**state, 'leader': 1}])}")
    options = [word for name in WORST if name != "n" for word in ("--record", name)]
    outcome = quick(*words, "--engine", "reference", "--json", *options, "-p", "self=3", "-p", "as_dict=5")
    assert outcome.code == 0, outcome.stderr
    assert outcome.object["params"]["self"] == 3
    assert set(WORST) - {"n"} <= set(outcome.object["record"])


@pytest.mark.slow
def test_exact_counts_them_right(tmp_path: Path) -> None:
    awkward, plain = files(tmp_path, ["values", "step", "self", "min"])
    found = [princeps.exact(path, 2, start="initial", target="counted") for path in (awkward, plain)]
    assert (found[0].worst, found[0].configurations) == (found[1].worst, found[1].configurations)


def test_an_agent_s_number_may_be_given_by_name_unless_a_field_is_called_so(tmp_path: Path) -> None:
    session = princeps.session("fratricide", n=3, engine="reference", seed=1)
    assert session.set(agent=1, leader=0).leaders == 2
    awkward, _ = files(tmp_path, list(WORST))
    session = princeps.session(awkward, engine="reference", **GIVEN).set(1, agent=1)
    assert session.state(1)["agent"] == 1


# -- refused by name --------------------------------------------------------------------------------------------------

FILE = """\
from princeps.model import *
def initial(a, i, n, p):
    a.leader = 1
class Mine(PopulationProtocol):
    leader = Bit()
    starts = {"initial": initial}
    # here
    @staticmethod
    def interact(a, b, p):
        if a.leader == 1 and b.leader == 1:
            b.leader = 0
"""
HERE = FILE.splitlines().index("    # here") + 1
REFUSED = {
    "a predicate that is counted anyhow": ("predicates = {'leaders': lambda a, p: 1}", "called 'leaders'", 0),
    "a predicate called n": ("predicates = {'n': lambda a, p: 1}", "no predicate may be called 'n'", 0),
    "a parameter that is an option": ("graph = Param()", "no parameter may be called 'graph'", 0),
    "a start that is a list of states": ("starts = {'json:x': initial}", "no start may be called 'json:x'", 0),
    "two underscores": ("__x = Bit()", "'__x' begins with two underscores", 0),
    "a method of ours": ("def step(self): pass", "'step' of Mine takes the place", 0),
    "a constructor": ("def __init__(self): pass", "'__init__' of Mine takes the place", 0),
    "the rule as a field": ("interact = Bit()", "Mine has no rule", 0),
    "a field twice": ("x = Bit()\n    y = Bit()\n    x = Range(3)", "'x' is declared twice", 2),
}


@in_one_test(("line", "says", "after"), REFUSED.values(), ids=REFUSED.keys())
def test_a_name_that_cannot_be_taken_is_refused_with_its_line(
    tmp_path: Path, quick: Command, line: str, says: str, after: int
) -> None:
    path = tmp_path / "mine.py"
    text = FILE.replace("# here", line)
    path.write_text(text.replace("def interact", "def other") if "interact" in line else text)
    outcome = quick("run", path, "-n", 5)
    assert (outcome.code, outcome.stdout) == (2, "")
    (said,) = outcome.stderr.splitlines()
    assert says in said
    assert said.startswith(f"princeps: {path}:{HERE + after}: "), said


@in_one_test("words", [["n=5"], ["self=5"], ["N=5"], ["=5"]])
def test_a_parameter_that_nobody_has_is_refused(quick: Command, words: list[str]) -> None:
    for verb in (["run", "fratricide", "-n", 4], ["exact", "fratricide", "-n", 4], ["show", "fratricide"]):
        outcome = quick(*verb, "-p", *words)
        assert outcome.code == 2
        assert len(outcome.stderr.splitlines()) == 1
    ring = quick("run", "a_k", "--labels", "1,2,2", "-p", "k=2", "-p", *words)
    assert ring.code == 2
    assert len(ring.stderr.splitlines()) == 1


def test_the_size_may_be_given_by_name_to_a_class() -> None:
    cls = type(princeps.protocol("p_rl", n=8))
    assert cls(n=8).params == cls(8).params
    with pytest.raises(ParameterError, match="has no parameter 'n'"):
        cls(8, n=8)


def test_a_class_may_not_replace_a_field_that_it_inherits_by_a_number(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(FILE + "class Other(Mine):\n    leader = 3\n")
    with pytest.raises(ProtocolError, match=r"mine.py:13: leader = 3 takes the place of a field"):
        princeps.protocol(f"{path}:Other", n=4)
