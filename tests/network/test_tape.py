"""A network run as a script: a session that performs it ends where the agents did."""

from __future__ import annotations

from pathlib import Path

import pytest

import princeps
from princeps.engines.session import Session
from princeps.errors import PrincepsError
from princeps.model.description import describe, read
from princeps.model.run import Run
from princeps.model.script import ForcedPair, SetStates, Torn
from princeps.network.virtual import VirtualRun
from tests.conftest import Command
from tests.network.runs import read_run
from tests.network.test_conducted import OTHERS
from tests.network.test_crashes import storm


def replayed(network: VirtualRun, path: Path) -> Session:
    """From the file, by the reference engine; agents that live are where their processes were."""
    network.observer.tape.script().save(path)
    session = princeps.replay(path, engine="reference")
    assert isinstance(session, Session)
    named = network.run.protocol.space.name_values
    for agent in network.running:
        assert session.state(agent) == named(network.nodes[agent].state)
    return session


@pytest.mark.parametrize("name", ["timer", "p_rl", "numbered"])
def test_kills_and_restarts_are_repeated(name: str, tmp_path: Path) -> None:
    network = storm(name, 6, 20)
    network.finish()
    session = replayed(network, tmp_path / "run.script")
    assert session.steps == network.replay.interactions
    events = network.observer.tape.script().events
    assert sum(isinstance(event, SetStates) for event in events) == 20


def test_torn_interactions_are_repeated(tmp_path: Path) -> None:
    network = storm("timer", 8, 60, lease=0.01)
    network.finish()
    replayed(network, tmp_path / "run.script")
    assert network.linearizer.counters.torn > 0
    assert any(isinstance(event, Torn) for event in network.observer.tape.script().events)


def test_what_the_coins_showed_is_repeated(tmp_path: Path) -> None:
    network = VirtualRun(read_run(OTHERS[0], 6, seed=2), rate=2.0)
    network.run_until(interactions=200)
    network.finish()
    session = replayed(network, tmp_path / "run.script")
    assert session.steps == network.replay.interactions
    assert any(isinstance(event, ForcedPair) and event.draws for event in network.observer.tape.script().events)


def test_a_run_is_saved_and_replayed(tmp_path: Path, quick: Command) -> None:
    path = tmp_path / "run.script"
    words = ["net", "p_rl", "-n", "5", "--seed", "3", "--transport", "memory", "--for", "2s", "--chaos"]
    found = quick(*words, "500ms: kill leader; loss 10%", "--save-script", path, "--json").object
    assert (found["replay"], found["counters"]["starts"]) == ("agrees", 6)
    again = quick("run", "--script", path, "--engine", "reference", "--json").object
    assert (again["steps"], again["leaders"], again["leader"], again["converged"]) == (
        *(found["all_interactions"], found["leaders"], found["leader"], found["converged"]),
    )
    assert princeps.net("p_rl", n=5, seed=3, transport="memory").script.command.startswith("princeps run p_rl -n 5")


def test_a_class_of_no_file_is_in_its_script(tmp_path: Path) -> None:
    from princeps.model.registry import find_any

    class Own(find_any("fratricide")):
        """Of this function."""

    path = tmp_path / "own.script"
    result = princeps.net(Own, n=4, seed=1, transport="memory", save_script=path)
    assert princeps.replay(path, protocol=Own, engine="reference").leaders == result.leaders


def test_a_ring_is_saved_and_replayed(tmp_path: Path) -> None:
    path = tmp_path / "ring.script"
    given = {"labels": "3,1,1,2", "k": 2, "transport": "memory"}
    result = princeps.net("a_k", **given, seed=5, chaos="reset 50/s", save_script=path)
    again = princeps.replay(path).result()
    assert (again.messages, again.leader, again.time) == (result.messages, result.leader, result.time)


def test_another_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    with pytest.raises(PrincepsError, match="is not a script of a session and would be lost"):
        princeps.net("fratricide", n=3, transport="memory", save_script=path)
    assert path.read_text() == "mine"
    princeps.net("fratricide", n=3, transport="memory", save_script=path, force=True)
    assert path.read_text().startswith('{"script": 1')


def test_a_scheduler_that_is_an_object_has_no_script() -> None:
    from princeps.network.tape import Tape

    class Pairs:
        def next_pair(self, configuration: object, step: int, draw: object) -> tuple[int, int]:
            return 0, 1

    run = read(describe("fratricide", 3, scheduler=Pairs()))
    assert isinstance(run, Run)
    with pytest.raises(PrincepsError, match="no command line can name it"):
        Tape(run).script()
