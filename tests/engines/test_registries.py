"""An engine is added by an entry in its registry, and by nothing else: a toy engine is run, swept, listed and refused."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import princeps
from princeps.campaign.point import make_point
from princeps.engines.reference import Reference
from princeps.engines.registry import ENGINES, REFERENCE, Engine
from princeps.engines.rings.execution import CannotHold, Execution
from princeps.engines.rings.reference import execute
from princeps.engines.rings.registry import RING_ENGINES, RingEngine
from princeps.errors import RunError, UnknownName
from princeps.model.rings.run import RingRun
from princeps.model.run import Run

SOURCE = Path(princeps.__file__).parent
HERE = "tests.engines.test_registries"


class Toy(Reference):
    engine = "toy"


def toy_refusal(run: Run) -> str | None:
    return "--engine toy is for at most 100 agents: lower -n." if run.n > 100 else None


def toy_execute(run: RingRun, observer: object = None) -> Execution:
    if run.ring.n == 5:
        raise CannotHold("five are too many")
    return execute(run)


def toy_ring_refusal(run: RingRun) -> str | None:
    return "--engine toy-ring is for at most 5 processes." if run.ring.n > 5 else None


def add_toys() -> None:
    ENGINES["toy"] = Engine(
        name="toy",
        help="the reference by another name",
        maker=f"{HERE}:Toy",
        refusal=toy_refusal,
        need=ENGINES[REFERENCE].need,
        skips_null_interactions=True,
        slice_steps=lambda run: 100,
    )
    RING_ENGINES["toy-ring"] = RingEngine("toy-ring", "the same for rings", f"{HERE}:toy_execute", toy_ring_refusal)


@pytest.fixture
def toys() -> Iterator[None]:
    add_toys()
    yield
    del ENGINES["toy"], RING_ENGINES["toy-ring"]


def with_toys(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A process in which the toys stand in the registries before anything else happens."""
    command = [sys.executable, "-c", f"from {HERE} import add_toys\nadd_toys()\n{code}", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=Path(__file__).parents[2])


def command_line(*words: str) -> subprocess.CompletedProcess[str]:
    return with_toys("from princeps.cli import entry\nentry()", *words)


@pytest.mark.usefixtures("toys")
def test_a_new_engine_is_known_to_python() -> None:
    given = {"name": "p_ll", "n": 12, "seed": 3}
    toy, reference = (princeps.run(engine=engine, **given) for engine in ("toy", REFERENCE))
    assert (toy.engine, toy.steps, toy.leader) == ("toy", reference.steps, reference.leader)
    assert toy.command == reference.command.replace("--engine reference", "--engine toy")
    assert [one.engine for one in princeps.trials(trials=2, engine="toy", **given)] == ["toy", "toy"]
    assert princeps.session(engine="toy", **given).step(5).result().engine == "toy"
    guess = princeps.estimate(engine="toy", **given)
    assert (guess.engine, guess.skips_null_interactions, guess.seconds) == ("toy", True, None)
    with pytest.raises(RunError, match="at most 100 agents"):
        princeps.run("p_ll", 101, engine="toy")
    with pytest.raises(RunError, match="in plain Python: leave out engine toy"):
        princeps.run(engine="toy", check=True, **given)
    with pytest.raises(UnknownName, match="known: agents, auto, counts, events, reference, toy"):
        princeps.run(engine="zzz", **given)


@pytest.mark.usefixtures("toys")
def test_a_new_engine_sweeps() -> None:
    """Without worker processes, which do not know the toy."""
    point = make_point("fratricide", 6, {}, {"engine": "toy"}, {})
    assert point.id == make_point("fratricide", 6, {}, {}, {}).id
    assert point.trials(1).repeater()(0).engine == "toy"
    with pytest.raises(UnknownName, match="did you mean toy"):
        make_point("fratricide", 6, {}, {"engine": "toi"}, {})


@pytest.mark.usefixtures("toys")
def test_a_new_ring_engine_is_known_to_python() -> None:
    given = {"name": "a_k", "labels": "1,2,2", "k": 2, "seed": 3}
    toy, reference = (princeps.run(engine=engine, **given) for engine in ("toy-ring", REFERENCE))
    assert (toy.engine, toy.why, toy.messages) == ("toy-ring", "asked for", reference.messages)
    assert "--engine toy-ring" in toy.command
    unable = princeps.run("a_k", labels="1,2,2,1,2", k=3, engine="toy-ring")
    assert (unable.engine, unable.why) == (REFERENCE, "five are too many")
    for refused, sentence in (
        (lambda: princeps.run("a_k", n=6, engine="toy-ring"), "at most 5 processes"),
        (lambda: princeps.run(trace=print, engine="toy-ring", **given), "leave out engine toy-ring"),
        (lambda: princeps.session(engine="toy-ring", **given), "leave out engine='toy-ring'"),
    ):
        with pytest.raises(RunError, match=sentence):
            refused()
    with pytest.raises(UnknownName, match="known: auto, compiled, reference, toy-ring"):
        princeps.run(engine="zzz", **given)


@pytest.mark.slow
def test_the_command_line_lists_and_runs_a_new_engine() -> None:
    for verb, wanted in (
        ("run", "reference, agents, events, counts or toy; for ring algorithms auto, reference, compiled, toy-ring."),
        ("sweep", "counts or toy; for ring algorithms auto, reference, compiled, toy-ring."),
    ):
        text = command_line(verb, "--help").stdout
        assert wanted in re.sub(r"[\s│]+", " ", text)
    done = command_line("run", "fratricide", "-n", "6", "--seed", "1", "--engine", "toy", "--json")
    assert (done.returncode, json.loads(done.stdout)["engine"]) == (0, "toy")
    done = command_line("run", "fratricide", "-n", "6", "--engine", "toy", "--dry-run")
    assert "null interactions are skipped" in done.stdout
    done = command_line("run", "a_k", "--labels", "1,2,2", "--engine", "toy-ring", "--json")
    assert json.loads(done.stdout)["engine"] == "toy-ring"
    done = command_line("run", "a_k", "--labels", "1,2,2", "--engine", "counts")
    assert (done.returncode, "known: auto, compiled, reference, toy-ring." in done.stderr) == (2, True)


@pytest.mark.medium
def test_the_help_of_python_comes_from_the_registries() -> None:
    line = "engine: auto, reference, agents, events, counts or toy; for ring algorithms auto, reference, compiled, toy-ring."
    functions = "princeps.run, princeps.trials, princeps.estimate, princeps.session, princeps.sweep"
    done = with_toys(f"import princeps\nprint([{line!r} in f.__doc__ for f in ({functions})])")
    assert done.stdout == f"{[True] * 5}\n", done.stderr


def test_the_model_and_the_command_line_name_no_engine() -> None:
    names = {*ENGINES, *RING_ENGINES} - {REFERENCE}
    for room in ("model/reading.py", "model/rings", "model/options", "cli", "api"):
        for path in sorted((SOURCE / room).rglob("*.py")) or [SOURCE / room]:
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    assert node.value not in names, f"{path}:{node.lineno} names {node.value!r}"
