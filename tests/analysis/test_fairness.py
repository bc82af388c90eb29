"""Weakly fair adversaries, against a fixed point that knows no components, and lassos replayed by the plain rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import princeps
from princeps.analysis.chain import Bits
from princeps.model import Agent, Bit, Blocks, Params, PopulationProtocol, draw
from princeps.model.reading import make_run
from tests.analysis.example_protocols import Anything, Fuse
from tests.analysis.plain_population import PlainPopulation, replayed
from tests.conftest import Command


def fairly_avoiding(plain: PlainPopulation, target: Bits) -> Bits:
    """From where some infinite schedule with every arc again and again stays outside: the greatest fixed point of Emerson
    and Lei. Whoever cannot get to a move over arc e, whose result may go on like this, is removed, for each e in turn."""
    inside = ~target
    while True:
        before = inside.copy()
        for after in plain.after:
            reaching = inside & inside[after]
            while True:
                wider = reaching | (inside & np.any([reaching[step] for step in plain.after], axis=0))
                if (wider == reaching).all():
                    break
                reaching = wider
            inside = reaching
        if (inside == before).all():
            return inside


def check(plain: PlainPopulation, target: Bits, found: Any) -> None:
    winning = fairly_avoiding(plain, target)
    assert found.adversary_wins == bool(winning.any())
    assert (found.winning, found.outside) == (winning.sum(), (~target).sum())
    if not found.adversary_wins:
        assert found.lasso is None
        assert found.winning_start is None
        return
    lasso = found.lasso
    assert set(lasso.cycle) == set(plain.arcs)
    history = replayed(plain.run, lasso.states, [*lasso.stem, *lasso.cycle])
    assert history[len(lasso.stem)] == history[-1]
    assert not any(target[plain.number(states)] for states in history)
    assert lasso.command.endswith(",".join(f"{i}-{j}" for i, j in (*lasso.stem, *lasso.cycle)))


@pytest.mark.parametrize(("n", "N", "homes", "listed"), [(2, 2, 1, (32, 413)), (2, 3, 1, None)])
def test_p_rl_needs_the_random_scheduler(n: int, N: int, homes: int, listed: tuple[int, int] | None) -> None:
    plain = PlainPopulation(make_run("p_rl", n, params={"N": N}))
    found = princeps.exact("p_rl", n, N=N, scheduler="weakly-fair")
    check(plain, plain.safe(), found)
    assert found.adversary_wins
    assert found.homes == homes
    assert listed is None or (found.listed_winning, found.listed_outside) == listed


def test_p_rl_of_three() -> None:
    """A prototype that merged nothing by symmetry found the same numbers."""
    found = princeps.exact("p_rl", 3, N=3, scheduler="weakly-fair")
    assert (found.homes, found.home_leaders) == (5, (2, 3))
    assert (found.listed_winning, found.listed_outside) == (18_677, 21_779)
    run = make_run("p_rl", 3, params={"N": 3})
    history = replayed(run, found.lasso.states, [*found.lasso.stem, *found.lasso.cycle])
    assert history[len(found.lasso.stem)] == history[-1]
    assert set(found.lasso.cycle) == {(0, 1), (1, 2), (2, 0)}


@pytest.mark.slow
def test_p_rl_of_four() -> None:
    found = princeps.exact("p_rl", 4, N=4, scheduler="weakly-fair")
    assert (found.homes, found.home_leaders) == (13, (2, 3, 4))
    assert (found.listed_winning, found.listed_outside) == (1_378_653, 1_428_337)


@pytest.mark.parametrize(("graph", "n"), [("ring", 3), ("complete", 3)])
def test_arbitrary_protocols(graph: str, n: int) -> None:
    """Merged and unmerged states give the same; both verdicts occur, and some adversaries win from some starts only."""
    seen = set()
    for u in range(60):
        params = {"u": u, "busy": (15, 40, 80)[u % 3]}
        plain = PlainPopulation(make_run(Anything, n, graph=graph, params=params))
        for target, members in (("leader", plain.leaders == 1), ("safe", plain.safe())):
            if not members.any():
                continue
            reduce = u % 2 == 0
            found = princeps.exact(
                Anything, n, graph=graph, target=target, scheduler="weakly-fair", reduce=reduce, **params
            )
            check(plain, members, found)
            seen.add((found.adversary_wins, found.winning == found.outside))
    assert seen >= {(False, False), (True, False), (True, True)}


class Tossing(PopulationProtocol):
    """Two leaders toss: with chance 1/2 one of them gives up. Some result stays, but not every one does."""

    leader = Bit()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1 and draw(2) == 0:
            b.leader = 0


class Gambling(PopulationProtocol):
    """Two leaders toss: one gives up, or both are stuck for ever."""

    leader, stuck = Bit(), Bit()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1 and a.stuck == 0 and b.stuck == 0:
            if draw(2) == 0:
                b.leader = 0
            else:
                a.stuck = b.stuck = 1


def test_an_adversary_does_not_choose_the_coins() -> None:
    """Every arc must be taken again and again, and each time the coin may end it: with probability 1 it does."""
    found = princeps.exact(Tossing, 3, scheduler="weakly-fair")
    assert (found.adversary_wins, found.homes) == (False, 0)
    gambling = princeps.exact(Gambling, 3, scheduler="weakly-fair")
    assert (gambling.adversary_wins, gambling.certain, gambling.lasso) == (True, False, None)
    assert "with positive probability" in repr(gambling)


def test_a_stem_leads_from_the_start() -> None:
    """From one start; the run that the command makes ends where the cycle began, its goal not met."""
    found = princeps.exact("p_rl", 3, N=3, start="all_leaders", scheduler="weakly-fair")
    assert (found.adversary_wins, found.winning, bool(found.lasso.stem)) == (True, 1, True)
    run = make_run("p_rl", 3, params={"N": 3}, start="all_leaders")
    history = replayed(run, found.lasso.states, [*found.lasso.stem, *found.lasso.cycle])
    assert history[len(found.lasso.stem)] == history[-1]
    pairs = [*found.lasso.stem, *found.lasso.cycle]
    again = princeps.run("p_rl", n=3, N=3, start=[list(state) for state in found.lasso.states], pairs=pairs)
    assert (again.converged, again.steps) == (False, len(pairs))


def test_protocols_that_no_fair_adversary_stops() -> None:
    assert not princeps.exact("fratricide", 4, scheduler="weakly-fair").adversary_wins
    assert not princeps.exact("timer", 3, t_max=2, scheduler="weakly-fair").adversary_wins
    fuse = PlainPopulation(make_run(Fuse, 2))
    check(fuse, fuse.leaders == 1, princeps.exact(Fuse, 2, target="leader", scheduler="weakly-fair"))


def test_what_a_user_sees(quick: Command) -> None:
    lost = quick("exact", "p_rl", "-n", "2", "--scheduler", "weakly-fair")
    assert lost.code == 1
    assert "avoids the target for ever from 648 configurations of 3,744 outside the target" in lost.stdout
    found = quick("exact", "p_rl", "-n", "2", "--scheduler", "weakly-fair", "--json").object
    assert (found["adversary_wins"], found["winning"], found["scheduler"]) == (True, 648, "weakly-fair")
    assert found["lasso"]["cycle"] == [[1, 0], [0, 1]]
    assert quick("exact", "fratricide", "-n", "3", "--scheduler", "weakly-fair").code == 0
    uniform = quick("exact", "p_rl", "-n", "2", "--scheduler", "uniform", "--json").object
    assert uniform["worst"] == pytest.approx(6)
