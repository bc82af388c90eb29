"""Network runs in a store: beside simulated ones, never taken for them, and only if the replay agrees."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.api import net as api_net
from princeps.api.net_store import point_of
from princeps.campaign.merge import Merged
from princeps.campaign.point import make_point
from princeps.campaign.store import open_store
from princeps.errors import DamagedStore, Interrupted, PrincepsError
from princeps.model.description import describe
from princeps.model.options import NetOptions
from tests.campaign.stored_rows import a_row
from tests.conftest import Command

SIZES = (3, 4, 5)
MEAN = 16  # interactions of fratricide at n = 5


def elect(store: Path | str, trials: int = 4, n: int = 5, **how: Any) -> Any:
    return princeps.net("fratricide", n=n, transport="memory", trials=trials, store=store, **how)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Three sizes, of which the largest often, over the network and simulated."""
    path = tmp_path_factory.mktemp("stored") / "both.db"
    for n in SIZES:
        elect(path, 150 if n == 5 else 30, n)
        princeps.sweep("fratricide", n=n, trials=150 if n == 5 else 30, store=path, engine="reference", jobs=1)
    return str(path)


@pytest.mark.medium
def test_a_network_and_the_simulator_agree(both: str) -> None:
    found = {one.where: one for one in princeps.results(both) if one.n == 5}
    network, simulation = found["network"], found["simulation"]
    assert network.trials == simulation.trials == 150
    for one in (network, simulation):
        assert one.mean is not None
        assert one.sd is not None
        error = one.sd / sqrt(one.trials)
        assert abs(one.mean - MEAN) < 5 * error
        assert error < 1.5  # n = 4 and n = 6, with means of 9 and 25, would be told apart
    parallel = {one.where: one for one in princeps.results(both, measure="parallel_time") if one.n == 5}
    assert parallel["network"].mean == pytest.approx(network.mean / 5)


@pytest.mark.medium
def test_they_are_shown_fitted_and_drawn_apart(both: str, quick: Command, tmp_path: Path) -> None:
    table = repr(princeps.results(both)).splitlines()
    assert table[1].split()[:4] == ["n", "where", "trials", "mean"]
    assert [line.split()[:2] for line in table[2:8]] == [
        [str(n), way] for n in SIZES for way in ("network", "simulation")
    ]
    laws = princeps.fit(both)
    assert [law.series for law in laws] == ["network", "simulation"]
    assert [law.sizes for law in laws] == [list(map(float, SIZES))] * 2
    assert laws[0].values != laws[1].values
    picture = princeps.plot(both, kind="compare").picture
    assert sorted(picture.series) == ["network", "simulation"]
    assert picture.points == 6


def test_a_store_of_simulations_says_nothing_of_networks(tmp_path: Path) -> None:
    found = princeps.sweep("fratricide", n=3, trials=3, store=tmp_path / "x.db", engine="reference", jobs=1)
    assert "where" not in repr(found)
    assert "replay" not in found.columns("trials")
    assert (found[0].where, found[0].network, found[0].disagreeing) == ("simulation", {}, 0)


def test_every_row_says_what_happened(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    chaos = "loss 10%; 500ms: kill leader"
    (result,) = princeps.net("p_rl", n=4, transport="memory", duration="1s", chaos=chaos, trials=1, store=path)
    found = princeps.results(str(path))
    assert [one.measure for one in found] == ["steps", "recovery_steps"]
    assert [one.mean for one in found] == [result.steps, result.recoveries[-1]["interactions"]]
    assert found[0].network == {
        "mode": "free",
        "transport": "memory",
        "duration": "1s",
        "chaos": "500ms: kill leader; loss 10%",
    }
    assert found[0].command == (
        "princeps net p_rl -n 4 -p N=4 --start random --until s_rl --transport memory --for 1s "
        "--chaos '500ms: kill leader; loss 10%' --seed 0 --trial i"
    )
    row = {name: values[0] for name, values in found.columns("trials").items()}
    expected = {"where": "network", "transport": "memory", "mode": "free", "replay": "agrees", "seed": 0, "trial": 0}
    counters = {
        name: result.counters[name] for name in ("whole", "undone", "completed", "torn", "refused", "bad_frames")
    }
    told = {"steps": result.steps, "total_steps": result.all_interactions, "converged": 1, "seconds": result.seconds}
    assert row.items() >= {**expected, **counters, **told}.items()


def test_the_same_command_goes_on(tmp_path: Path, quick: Command) -> None:
    path = tmp_path / "x.db"
    words = ("net", "fratricide", "-n", 5, "--transport", "memory", "--store", path, "--trials")
    first = quick(*words, 3, "--json").objects
    assert [(one["seed"], one["trial"]) for one in first] == [(0, 0), (0, 1), (0, 2)]
    more = quick(*words, 5)
    assert more.code == 0
    assert "2 of 5 trials of seed 0" in more.stdout
    assert "3 trials were in" in more.stdout
    steps = [one.steps for one in princeps.net("fratricide", n=5, transport="memory", trials=5, seed=0)]
    assert princeps.results(str(path)).columns("trials")["steps"] == steps
    again = quick(*words, 5)
    assert (again.code, again.stdout.count("\n")) == (0, 1)
    assert "5 trials were in" in again.stdout


def altered(number: int, change: Callable[[Any], Any]) -> Callable[..., Any]:
    """The same as it is, but for one trial."""
    usual = api_net.net_described

    def described(description: Any, *more: Any, **named: Any) -> Any:
        result = usual(description, *more, **named)
        return change(result) if result.trial == number else result

    return described


def test_a_run_whose_replay_disagrees_is_kept_and_no_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: Command
) -> None:
    path = tmp_path / "x.db"
    difference = "after 3 interactions agent 0 has another state"
    monkeypatch.setattr(api_net, "net_described", altered(1, lambda result: replace(result, replay=difference)))
    found = elect(path)
    assert "1 trial left out: the replay disagrees." in repr(found)
    assert found.mean is None
    (one,) = princeps.results(str(path))
    others = [result.steps for result in found if result.trial != 1]
    assert (one.trials, one.disagreeing, one.without, one.censored, one.never) == (3, 1, 0, 0, 0)
    assert one.mean == pytest.approx(sum(others) / 3)
    assert "1 network run left out: the replay disagrees." in quick("results", path).stdout
    for measure in ("seconds", "events", "held_steps"):
        assert princeps.results(str(path), measure=measure)[0].trials <= 3
    rows = princeps.results(str(path)).columns("trials")
    assert (rows["replay"][1], rows["converged"][1]) == (difference, 0)


def test_a_run_that_did_not_reach_the_goal_is_cut_off(tmp_path: Path, quick: Command) -> None:
    path = tmp_path / "x.db"
    outcome = quick(
        "net", "fratricide", "-n", 6, "--transport", "memory", "--trials", 3, "--store", path, "--max-steps", 4
    )
    assert outcome.code == 1
    (one,) = princeps.results(str(path))
    assert (one.trials, one.censored, one.mean) == (3, 3, None)
    assert "--max-steps 4" in one.command


def test_what_was_finished_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.db"

    def interrupt(result: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return result

    with monkeypatch.context() as patch:
        patch.setattr(api_net, "net_described", altered(2, interrupt))
        with pytest.raises(Interrupted, match="after 2 of 4 trials") as left:
            elect(path)
    assert [one.trial for one in left.value.partial] == [0, 1]
    assert princeps.results(str(path))[0].trials == 2
    assert [one.trial for one in elect(path)] == [2, 3]


def test_nothing_is_left_of_a_store_that_was_not_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.db"
    monkeypatch.setattr(api_net, "net_described", altered(0, lambda result: replace(result, interrupted=True)))
    with pytest.raises(Interrupted, match="after 0 of 4 trials"):
        elect(path)
    assert not path.exists()


def test_one_run_is_stored_once(tmp_path: Path) -> None:
    how: dict[str, Any] = {"n": 3, "transport": "memory", "store": tmp_path / "x.db"}
    assert princeps.net("fratricide", **how).converged
    assert princeps.net("fratricide", **how, seed=4, trial=7).trial == 7
    assert princeps.results(str(how["store"]))[0].trials == 2
    with pytest.raises(PrincepsError, match="holds trial 7 of seed 4 already"):
        princeps.net("fratricide", **how, seed=4, trial=7)


def test_a_ring_is_stored_with_its_messages(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    found = princeps.net("a_k", labels="3,1,1,2", k=2, transport="memory", trials=3, store=path)
    assert len({one.seconds for one in found}) == 3, "every trial has delays of its own"
    assert [one.messages for one in found] == [42] * 3
    assert found.mean == 42
    stored = {one.measure: one for one in princeps.results(str(path))}
    assert {name: one.mean for name, one in stored.items()} == {
        "time": sum(one.time for one in found) / 3,
        "messages": 42,
        "bits": found[0].max_bits,
    }
    assert stored["messages"].command.startswith("princeps net a_k --labels 3,1,1,2 -p k=2")
    assert "--schedule" not in stored["messages"].command


def test_a_dead_ring_is_no_election(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    princeps.net("a_k", labels="3,1,1,2", k=2, transport="memory", trials=1, store=path, chaos="10ms: kill 0")
    one = princeps.results(str(path), measure="messages")[0]
    assert (one.trials, one.never, one.mean) == (1, 1, None)


def test_how_the_network_is_written_does_not_matter() -> None:
    """But what it is does, and simulated points are what they were."""
    described = describe("fratricide", 5)
    usual = point_of(described, NetOptions())
    simulated = make_point("fratricide", 5, {}, {"hold": False}, {})
    assert usual.id != simulated.id
    assert usual.rule == simulated.rule
    assert usual.id == point_of(described, NetOptions(transport="udp", rate="50", restart="random", mode="free")).id
    one, other = ("loss 5%; 1s:  kill leader", "1s: kill leader;loss 5%")
    assert point_of(described, NetOptions(chaos=one)).id == point_of(described, NetOptions(chaos=other)).id
    assert point_of(described, NetOptions(duration="1s")).id == point_of(described, NetOptions(duration=1)).id
    ids = {point_of(described, how).id for how in (NetOptions(rate=10), NetOptions(transport="memory"), NetOptions())}
    assert len(ids) == 3


def test_stores_are_merged_and_the_first_run_of_a_trial_is_kept(tmp_path: Path) -> None:
    point = point_of(describe("fratricide", 6), NetOptions())
    more = '{"network": {"replay": "agrees"}}'
    rows = {name: [a_row(0, steps, engine="network", more=more)] for name, steps in (("a", 9), ("b", 12))}
    rows["a"].append(a_row(1, 4, engine="network", more=more, converged=0, censored=1, max_steps="4"))
    rows["b"].append(a_row(1, 8, engine="network", more=more))  # another run, which went further
    for name, own in rows.items():
        with open_store(tmp_path / f"{name}.db") as store:
            (number,) = store.number([point])
            store.add([row._replace(point=number) for row in own])
    made = princeps.merge(tmp_path / "a.db", tmp_path / "b.db", output=tmp_path / "c.db")
    assert made == Merged(points=1, trials=2, shared=2, differing=1)
    (one,) = princeps.results(str(tmp_path / "c.db"))
    assert (one.minimum, one.trials, one.censored) == (9, 2, 1)


def test_a_damaged_description_of_a_network_is_refused(tmp_path: Path) -> None:
    from princeps.campaign.stored_values import damage_in_words, read_description

    for text in (
        '{"name": "x", "where": "moon"}',
        '{"name": "x", "network": 3}',
        '{"name": "x", "network": {"rate": 3}}',
    ):
        with pytest.raises(DamagedStore, match="network was expected"), damage_in_words("x.db", "points", (1,)):
            read_description(text)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"trials": 0, "store": "x.db"}, "trials = 0 is too small"),
        ({"trials": 2, "trial": 1}, "trial 1 and 2 trials are given together"),
        ({"trials": 2, "save_script": "x.script"}, "x.script writes one run"),
        ({"store": "x.db", "pairs": "list:0-1,1-2", "mode": "conducted"}, "is one schedule: leave out"),
        ({"store": "x.db", "scheduler": object()}, "scheduler"),
        ({"store": "no/such/x.db"}, "its folder does not exist"),
        ({"store": 3}, "give the path of a file"),
    ],
)
def test_refusals(how: dict[str, Any], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PrincepsError, match=words):
        princeps.net("fratricide", n=3, transport="memory", **how)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_elections_over_sockets_are_stored(tmp_path: Path, quick: Command) -> None:
    path = tmp_path / "x.db"
    outcome = quick("net", "fratricide", "-n", 4, "--trials", 3, "--store", path, "--seed", 1)
    assert outcome.code == 0
    rows = princeps.results(str(path)).columns("trials")
    assert (rows["transport"], rows["torn"], rows["replay"]) == (["udp"] * 3, [0] * 3, ["agrees"] * 3)
