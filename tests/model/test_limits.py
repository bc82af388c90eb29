"""What is too large, and what is not an integer, is told before it can do harm."""

from __future__ import annotations

import numpy as np
import pytest

import princeps
from princeps.errors import ParameterError, ProtocolError, TooLarge
from princeps.model import Agent, Bit, Params, PopulationProtocol, Range
from tests.conftest import Command
from tests.tables import in_one_test

BEYOND = 2**70


def test_ids_beyond_a_word_are_for_the_reference_engine() -> None:
    with pytest.raises(TooLarge, match='engine="reference"'):
        princeps.run("infection", n=2, ids=[1, BEYOND])
    result = princeps.run("infection", n=2, ids=[1, BEYOND], engine="reference", seed=1)
    assert result.leader == 1


def test_parameters_beyond_a_word_are_refused_by_the_compiled_engine() -> None:
    with pytest.raises(TooLarge, match="N = 1000000000000000000000000000000 "):
        princeps.run("p_pl", n=10, N=10**30)
    with pytest.raises(ParameterError, match="2147483648"):
        princeps.run("numbered", n=10, m=10**30)
    with pytest.raises(TooLarge, match="63"):
        princeps.run("p_ll", n=10, m=10**18)


def test_fields_beyond_a_word_are_drawn_by_the_engine_that_the_refusal_names(quick: Command) -> None:
    with pytest.raises(TooLarge, match='Use engine="reference"'):
        princeps.run("p_rl", n=10, N=10**30)
    found = princeps.run("p_rl", n=10, N=10**30, engine="reference", seed=1, max_steps=20, fault=["5:3"])
    assert found.total_steps == 20
    assert quick("show", "timer", "-p", "t_max=1e19").code == 0
    assert princeps.protocol("p_rl", N=10**30).state_count == 24 * (10**30 + 1)


@in_one_test(
    "text",
    ["-" * 5000 + "leader", "not " * 5000 + "leader", "leader" + " + leader" * 5000, "(" * 150 + "leader" + ")" * 150],
)
def test_a_predicate_of_thousands_of_signs_is_read_or_refused(quick: Command, text: str) -> None:
    outcome = quick("run", "fratricide", "-n", 5, "--engine", "reference", "--seed", 1, "--record", text)
    assert outcome.code == (0 if text.startswith("(") else 2)
    assert text.startswith("(") or ("is nested too deeply" in outcome.stderr and len(outcome.stderr) < 300)


def test_populations_that_do_not_fit_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.engines.memory.available_bytes", lambda: 4 * 2**30)
    for name, engine in (("infection", "agents"), ("p_ll", "agents"), ("p_rl", "reference")):
        with pytest.raises(TooLarge, match="free"):
            princeps.run(name, n=4 * 10**9, engine=engine)


def test_any_integer_will_do_as_a_parameter() -> None:
    assert princeps.protocol("p_rl", N=np.int64(5)).params == {"N": 5}
    assert princeps.protocol("p_rl", N=5.0).params == {"N": 5}
    for wrong in (5.5, "5", True, None):
        with pytest.raises(ParameterError, match="N"):
            princeps.protocol("p_rl", N=wrong)


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    a.x = 3


class Halving(PopulationProtocol):
    leader, x = Bit(), Range(4)
    starts = {"initial": initial}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        a.x = a.x / 2  # type: ignore[assignment]


def test_a_fraction_is_no_state() -> None:
    for engine in ("reference", "agents"):
        with pytest.raises(ProtocolError, match=r"test_limits\.py:\d+") as told:
            princeps.run(Halving, n=3, engine=engine, seed=1)
        assert told.value.line is not None


def test_a_class_without_a_rule_is_blamed_where_it_stands() -> None:
    with pytest.raises(ProtocolError, match=r"test_limits\.py") as told:

        class Idle(PopulationProtocol):
            leader = Bit()

    assert "no rule" in str(told.value)
