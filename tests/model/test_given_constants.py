"""A derived constant that a user may give instead of its formula."""

from __future__ import annotations

import pytest

import princeps
from princeps.campaign.identity import identity
from princeps.errors import ParameterError, ProtocolError
from princeps.model import Agent, Bit, Derived, Param, Params, PopulationProtocol
from princeps.model.description import describe, read
from princeps.model.run import Run


class Doubled(PopulationProtocol):
    k = Param(min=1, default=3)
    twice = Derived(lambda p: 2 * p.k, Param(min=2, max=100, doc="twice k"))
    more = Derived(lambda p: p.twice + 1)
    leader = Bit()

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1 and p.more > 0:
            b.leader = 0


def made(n: int = 5, **params: int) -> Run:
    run = read(describe("p_pl", n, params=params))
    assert isinstance(run, Run)
    return run


def test_what_is_given_replaces_the_formula_and_others_follow() -> None:
    assert Doubled(5).constants.more == 7
    given = Doubled(5, twice=10)
    assert (given.constants.twice, given.constants.more) == (10, 11)
    assert given.params == {"k": 3, "twice": 10}
    assert Doubled(5).params == {"k": 3}


@pytest.mark.parametrize(("value", "says"), [(1, "2..100"), (101, "2..100"), ("x", "not an integer")])
def test_its_range_is_checked(value: object, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        Doubled(5, twice=value)
    with pytest.raises(ParameterError, match="no parameter 'more'"):
        Doubled(5, more=4)


def test_the_range_is_a_parameter() -> None:
    with pytest.raises(ProtocolError, match="or_given = 4: give Param"):
        type("Wrong", (Doubled,), {"most": Derived(lambda p: 3, 4)})


def test_a_run_that_leaves_it_alone_is_the_run_it_was() -> None:
    formula = made().protocol.constants
    assert identity(made()) == "f29e47c94ec09b314124"  # of 0.1.0
    assert identity(made(t_max=formula.t_max, t_virus=formula.t_virus)) == identity(made())
    assert identity(made(t_max=formula.t_max + 1)) != identity(made())


def test_the_command_repeats_it() -> None:
    result = princeps.run("p_pl", n=6, t_virus=3, t_max=9, t_emit=12, seed=4)
    assert result.converged
    assert "-p t_virus=3 -p t_max=9 -p t_emit=12" in result.command
    again = princeps.run("p_pl", n=6, t_virus=3, t_max=9, t_emit=12, seed=4, engine="reference")
    assert again.steps == result.steps
