"""What can be reached from one start: counted with all placements, and only up to the target."""

from __future__ import annotations

from math import inf

import pytest

import princeps
from princeps.errors import RunError, TooLarge
from princeps.model import Agent, Bit, Counted, Counts, Natural, Params, PopulationProtocol, Range, Reaches, Uniform


def first_leads(a: Agent, i: int, n: int, p: Params) -> None:
    """agent 0 leads"""
    a.leader = 1 if i == 0 else 0


def everyone(a: Agent, i: int, n: int, p: Params) -> None:
    """everybody leads"""
    a.leader = 1


def huge(a: Agent, i: int, n: int, p: Params) -> None:
    """everybody holds 2^32"""
    a.x = 4294967296


def at_most_two(c: Counts, p: Params) -> int:
    return c.leaders <= 2


class Downfall(PopulationProtocol):
    """The leader falls at its first meeting, and nobody ever leads again."""

    topology = "complete"
    leader = Bit()
    starts = {"initial": first_leads}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        a.leader = b.leader = 0


class Claims(PopulationProtocol):
    """Fratricide whose file calls `safe` what is not."""

    topology = "complete"
    leader = Bit()
    starts = {"initial": everyone}
    goals = {"safe": Counted(at_most_two)}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1:
            b.leader = 0


class Squares(PopulationProtocol):
    """A number that does not fit into 64 bits decides."""

    topology = "complete"
    leader = Bit()
    x = Natural(random_below=5)
    starts = {"initial": huge}

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.x * a.x > 1000000000000000000:
            a.leader = 1


class Forks(PopulationProtocol):
    """From 0, 0 either a 3 appears or the pair is lost at 2, 2: reachable, but not for certain."""

    topology = "complete"
    guarantee = "loosely-stabilizing"
    leader, s = Bit(), Range(4)
    starts = {"random": Uniform()}
    lemmas = {
        "L": Reaches("from all fresh a 3 appears", "some:s == 3", "all:s == 0"),
        "M": Reaches("where there is a 3 there is one", "some:s == 3", "some:s == 3"),
    }

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.s == 0 and b.s == 0:
            a.s = 1
        elif a.s == 0 and b.s == 1:
            a.s = 3
        elif a.s == 1 and b.s == 0:
            a.s = b.s = 2


@pytest.mark.parametrize(
    ("name", "n", "graph"),
    [("majority", 4, None), ("epidemic", 4, None), ("epidemic", 4, "ring"), ("infection", 3, None)],
)
def test_placements_of_the_start_are_counted_alike_with_and_without_reduction(
    name: str, n: int, graph: str | None
) -> None:
    found = [princeps.exact(name, n, graph=graph, force=True, reduce=reduce) for reduce in (True, False)]
    assert found[0].reduced < found[1].reduced
    for key in ("configurations", "target_size", "worst_count"):
        assert getattr(found[0], key) == getattr(found[1], key), key
    assert found[0].mean == pytest.approx(found[1].mean, rel=1e-12)
    assert found[0].worst == pytest.approx(found[1].worst, rel=1e-12)


def test_one_infected_agent_may_be_any() -> None:
    assert princeps.exact("epidemic", 5).configurations == 2**5 - 1


@pytest.mark.parametrize("reduce", [True, False])
def test_what_lies_behind_the_target_does_not_count(reduce: bool) -> None:
    """One leader is there at once; that it falls afterwards is no trap on the way."""
    found = princeps.exact(Downfall, 3, target="leader", past_target=True, reduce=reduce, rational=True)
    assert (found.reachable, found.worst_exact, found.mean_exact, found.trap) == (True, 0, 0, None)
    assert found.target_closed is False
    assert found.configurations == 4  # 1 placement of 3 with a leader each, and nobody


def test_a_trap_before_the_target_is_told_with_the_way_from_the_very_start() -> None:
    found = princeps.exact(Downfall, 3, target="all:leader", past_target=True)
    assert (found.reachable, found.worst) == (False, inf)
    assert found.trap is not None
    assert found.trap.states == ((1,), (0,), (0,))
    assert found.trap.pairs == ()


def test_what_can_be_reached_but_may_be_missed_is_refuted_with_the_way_to_the_trap() -> None:
    found = princeps.exact(Forks, 2, lemmas=True, target="some:s == 3").lemmas
    assert [one.verdict for one in found] == ["refuted", "proved"]
    states = [list(state) for state in found[0].schedule.states]
    protocol = princeps.exact(Forks, 2, target="some:s == 3") and Forks(2)
    for i, j in found[0].schedule.pairs:
        states[i], states[j] = map(list, protocol.step(tuple(states[i]), tuple(states[j])))
    assert [state[1] for state in states] == [2, 2]


@pytest.mark.slow
def test_simulation_is_refused_where_the_files_safe_is_not_the_largest_safe_set() -> None:
    with pytest.raises(RunError, match="is not the largest safe set, so that simulation would stop elsewhere"):
        princeps.exact(Claims, 5, target="safe", against_simulation=100, seed=1)
    assert abs(princeps.exact("p_rl", 2, N=3, target="safe", against_simulation=2000, seed=1).simulation.z) < 5


def test_numbers_without_bound_do_not_wrap() -> None:
    assert princeps.exact(Squares, 2, rational=True).mean_exact == 1


def test_too_many_placements_are_refused_before_they_are_listed() -> None:
    with pytest.raises(TooLarge, match=r"9 agents can stand in 362,880 orders at the start.*leave reduce=False out"):
        princeps.exact("infection", 9, reduce=False)


@pytest.mark.parametrize("start", ["all", None])
def test_a_start_that_is_called_all_is_not_taken_for_every_configuration(start: str | None) -> None:
    class Everybody(PopulationProtocol):
        table = {("L", "L"): ("L", "F")}
        leaders = "L"
        starts = {"all": "L", "other": "L"}

    with pytest.raises(RunError, match="a start of everybody is called 'all', which means every configuration here"):
        princeps.exact(Everybody, n=3, start=start)
    assert princeps.exact(Everybody, n=3, start="other", rational=True).mean == 4
