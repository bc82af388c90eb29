"""What an exact analysis found is a session that begins there and does the interactions that were found."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import princeps
from princeps.analysis.counterexamples import Counterexample
from princeps.api import watch as watching
from princeps.errors import RunError
from princeps.model.description import describe
from princeps.web.from_exact import example_of, examples_of
from tests.conftest import Command
from tests.web.pages import Page


def found_with(**given: Any) -> Any:
    nothing: dict[str, Any] = {
        "lemmas": None,
        "torn": None,
        "sets": None,
        "trap": None,
        "worst_starts": [],
        "target": "s_rl",
        "worst": 1.0,
    }
    return SimpleNamespace(**{**nothing, **given})


@pytest.mark.slow
def test_worst_start() -> None:
    found: Any = princeps.exact("fratricide", n=4)
    example = example_of(found, describe("fratricide", 4, engine="reference"))
    session: Any = example.open()
    assert [dict(session.state(agent)) for agent in range(4)] == found.worst_start
    assert "9 steps expected" in example.title  # (n - 1)^2
    assert session.steps == 0


def test_schedule_of_a_counterexample() -> None:
    states = ((1, 0, 0, 0, 0), (0, 0, 0, 0, 1), (0, 2, 0, 0, 2))
    broken = SimpleNamespace(
        id="L9", says="a leader is never lost", schedule=Counterexample(states, ((2, 0), (0, 1)), "x")
    )
    trap = Counterexample(states, (), "x")
    found = found_with(lemmas=[broken], trap=trap)
    description = describe("p_rl", 3, start="all", engine="reference")
    first, second = examples_of(found, description)
    assert first.title == "lemma L9 is refuted: a leader is never lost"
    assert second.title == "from here the target s_rl is never reached"
    assert first.shows.endswith("is never lost. The first 2 steps are what was found; then the run goes on at random.")
    assert second.shows.endswith("is never reached. The run begins there and goes on at random.")
    session: Any = first.open()
    assert (session.steps, session.last_step, session.leaders) == (0, 2, 1)
    assert [session.population.state(agent) for agent in range(3)] == list(states)
    session.step(1)
    assert (session.last_pair, session.leaders) == ((2, 0), 0)  # a live bullet, and no shield
    session.step(1)
    assert session.last_pair == (0, 1)
    session.step(10)  # and on at random
    assert session.run.until == "s_rl"


def test_schedule_of_a_fair_adversary() -> None:
    """Its lasso is replayed: after stem and cycle the population is where the cycle began."""
    found = princeps.exact("p_rl", 2, N=2, scheduler="weakly-fair")
    example = example_of(found, describe("p_rl", 2, N=2, engine="reference"))
    assert "avoids the target safe for ever" in example.title
    assert found.lasso is not None
    session: Any = example.open()
    session.goto(len(found.lasso.stem))
    before = [dict(session.state(agent)) for agent in range(2)]
    session.goto(len(found.lasso.pairs))
    assert [dict(session.state(agent)) for agent in range(2)] == before
    nothing = princeps.exact("fratricide", 3, scheduler="weakly-fair")
    with pytest.raises(RunError, match="nothing was found"):
        example_of(nothing, describe("fratricide", 3))


def test_draws_of_a_counterexample() -> None:
    example = Counterexample(((1,), (1,), (0,)), ((0, 1),), "x", ((1, 0),))
    found = found_with(trap=example, target="leader")
    session: Any = example_of(found, describe("examples/phoenix.py", 3, engine="reference")).open()
    session.step(1)
    by_order = princeps.session("examples/phoenix.py", n=3, start="states:1;1;0", engine="reference").meet(0, 1, [1, 0])
    assert [session.state(agent) for agent in range(3)] == [by_order.state(agent) for agent in range(3)]


def test_broken_interleaving() -> None:
    found: Any = princeps.exact("a_k", labels="1,2,2", printed=1)
    assert found.broken
    session: Any = example_of(found, describe("a_k", labels="1,2,2", printed=1)).open()
    assert session.steps == 0
    session.goto(session.last_step)
    assert session.violations


@pytest.mark.medium
def test_on_the_page(monkeypatch: pytest.MonkeyPatch, quick: Command) -> None:
    """`princeps exact --watch` says what it found and serves the session."""
    served: list[Any] = []
    monkeypatch.setattr(watching, "serve", lambda *given, begun, **named: served.append(begun()))
    done = quick("exact", "fratricide", "-n", 4, "--watch", "--no-browser")
    assert done.code == 0, done.stderr
    assert "a start from which leader takes longest: 9 steps expected" in done.stdout
    assert [session.leaders for session in served] == [4]


@pytest.mark.medium
def test_on_the_page_as_json(monkeypatch: pytest.MonkeyPatch, quick: Command) -> None:
    """With --json, standard output holds objects only: what was found, and the address."""
    monkeypatch.setattr(watching, "serve", lambda *_, say, **__: say("http://127.0.0.1:1/x/"))
    done = quick("exact", "fratricide", "-n", 4, "--watch", "--no-browser", "--json")
    found, address = map(json.loads, done.stdout.splitlines())
    assert found["worst"] == 9
    assert address == {"address": "http://127.0.0.1:1/x/"}
    assert "takes longest" in done.stderr


def test_the_page_says_what_it_shows_until_another_run_is_opened() -> None:
    trap = Counterexample(((1, 0, 0, 0, 0), (0, 0, 0, 0, 1), (0, 2, 0, 0, 2)), ((2, 0),), "x")
    description = describe("p_rl", 3, start="all", engine="reference")
    example = example_of(found_with(trap=trap), description)
    with watching.serving_of(description, begun=example.open, shows=example.shows) as serving:
        with Page(serving) as page:
            page.frame()
            assert page.about is not None
            assert page.about["shows"] == (
                "Found by exact: from here the target s_rl is never reached. "
                "The first step is what was found; then the run goes on at random."
            )
        saved = watching.page_of_watch(serving.player).result().decode()
        assert example.shows in saved
        with Page(serving) as page:
            page.do("choose", protocol="p_rl", n="5")
            page.frame()
            assert page.about is not None
            assert page.about["shows"] == ""


@pytest.mark.medium
def test_a_saved_page_of_what_was_found_says_so(tmp_path: Path) -> None:
    found = princeps.exact("a_k", labels="1,2,2", printed=1)
    page = princeps.watch(found, save=str(tmp_path / "page.html"))
    assert page is not None
    assert "Found by exact: process 1: no action is enabled" in page.text
    other = princeps.watch("fratricide", 5, seed=1, save=str(tmp_path / "other.html"))
    assert other is not None
    assert "Found by exact" not in other.text


def test_nothing_to_watch() -> None:
    with pytest.raises(RunError, match="nothing was found to watch"):
        example_of(found_with(), describe("p_rl", 3))
    with pytest.raises(RunError, match="this answer is a probability"):
        examples_of(SimpleNamespace(), describe("p_rl", 3))


@pytest.mark.medium
def test_from_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`princeps.watch` takes what `princeps.exact` has found: served, saved, and inline in a notebook."""
    served: list[Any] = []
    monkeypatch.setattr(watching, "serve", lambda *given, begun, **named: served.append(begun()))
    found: Any = princeps.exact("fratricide", n=4)
    assert princeps.watch(found, browser=False) is None
    assert [session.leaders for session in served] == [4]
    ring: Any = princeps.exact("a_k", labels="1,2,2", printed=1)
    page: Any = princeps.watch(ring, save=str(tmp_path / "broken.html"))
    assert (tmp_path / "broken.html").read_text() == page.text
    assert page.recording["kind"] == "messages"
    assert json.loads(json.dumps(ring.as_json()))["broken"] == ring.broken  # nothing else got into it
    monkeypatch.setattr(watching, "in_notebook", lambda: True)
    inline: Any = princeps.watch(found)
    assert inline.recording["kind"] == "meetings"
    with pytest.raises(RunError, match="says which run is watched"):
        princeps.watch(found, n=5)
