"""What a user sees of list, show, run and tour, and the codes they end with."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.cli import VERBS
from princeps.model.registry import find_ring
from tests.conftest import Command, Outcome, Start, wait_for, without_times
from tests.tables import in_one_test

REFERENCE = ("--engine", "reference")
SMALL_P_PL = ("p_pl", "-n", 4, "-p", "virus_factor=1", "-p", "emit_factor=1", *REFERENCE)

CONTRACT = {"protocol", "params", "n", "start", "until", "seed", "trial", "engine"} | {
    *("steps", "parallel_time", "converged", "leaders", "leader", "seconds")
}


# -- list, show, tour ---------------------------------------------------------------------------------------------


def test_list_names_the_whole_library(quick: Command) -> None:
    outcome = quick("list")
    assert outcome.code == 0
    assert [line.split()[0] for line in outcome.stdout.splitlines() if not line.startswith(" ")] == [
        "protocol",
        *library.library(),
    ]


def test_list_gives_objects(quick: Command) -> None:
    found = {item["protocol"]: item for item in quick("list", "--json").objects}
    assert list(found) == library.library()
    assert found["p_rl"]["topology"] == "ring"
    assert found["p_pl"]["guarantee"] == "loosely-stabilizing"
    assert found["numbered"]["goals"] == ["leader", "declared", "complete", "settled"]
    assert found["a_k"]["topology"] == "labeled ring"
    assert found["franklin"]["topology"] == "labeled ring, both ways"
    assert found["itai_rodeh"]["topology"] == "anonymous ring"
    assert found["b_k"]["params"] == ["k"]
    assert found["b_k"]["actions"] == [f"B{i}" for i in range(1, 12)]
    for name, item in found.items():
        assert ("goals" in item) == (name in library.library("population"))
        assert ("actions" in item) == (name in library.library("ring"))


@in_one_test("name", library.library("population"))
def test_show_tells_everything_about_a_protocol(quick: Command, name: str) -> None:
    facts = quick("show", name, "-n", 50, "--json").object
    protocol = library.protocol(name, n=50)
    assert facts["fields"] == protocol.fields
    assert facts["state_count"] == protocol.state_count
    assert {key: param["value"] for key, param in facts["params"].items()} == protocol.params
    assert facts["default_goal"] in facts["goals"]
    assert facts["default_start"] in facts["starts"]
    assert facts["paper"]
    text = quick("show", name, "-n", 50).stdout
    for word in (name, *facts["params"], *facts["starts"], *facts["goals"], *facts["predicates"]):
        assert word in text


@in_one_test("name", library.library("ring"))
def test_show_tells_everything_about_a_ring_algorithm(quick: Command, name: str) -> None:
    facts = quick("show", name, "--json").object
    cls = find_ring(name)
    assert (facts["protocol"], facts["title"], facts["paper"]) == (name, cls.title, cls.paper)
    assert (facts["file"], facts["guarantee"]) == (cls.file(), "terminating")
    assert list(facts["params"]) == list(cls.params_)
    assert list(facts["variables"]) == list(cls.variables_)
    assert {"isLeader", "leader", "done"} < set(facts["variables"])
    assert facts["messages"] == [message.notation for message in cls.messages_]
    assert list(facts["actions"]) == [action.name for action in cls.actions]
    assert list(facts["actions"].values()).count("the start") == 1
    assert facts["bounds"] == list(cls.bounds)
    outcome = quick("show", name)
    assert outcome.code == 0
    assert outcome.stdout.startswith(f"{name}: {cls.title}\n")
    for word in (cls.paper, facts["topology"], facts["file"], *facts["params"], *facts["messages"], "slow:EDGE"):
        assert word in outcome.stdout
    for kind in ("variable", "action"):
        for item, text in facts[f"{kind}s"].items():
            assert f"\n{kind:9}  {item}: {text}\n" in outcome.stdout


def test_show_reads_the_actions_of_a_k(quick: Command) -> None:
    facts = quick("show", "a_k", "--json").object
    assert facts["topology"] == "labeled ring"
    assert facts["params"]["k"] == {
        "range": "an integer >= 1",
        "default": "multiplicity",
        "doc": "no label occurs more than k times",
    }
    readings = ("the start", "on <x>", "on <x>", "on <FINISH>", "on <x>", "on <FINISH>")
    assert facts["actions"] == {f"A{i}": text for i, text in enumerate(readings, 1)}
    assert facts["variables"]["string"] == "a word"
    assert facts["variables"]["leader"] == "a label"
    assert facts["bounds"] == ["time", "messages", "max_bits"]
    both_ways = quick("show", "franklin", "--json").object
    assert any(text.endswith(" from the right") for text in both_ways["actions"].values())
    assert quick("show", "b_k", "--json").object["variables"]["state"] == "INIT, COMPUTE, SHIFT, PASSIVE, WIN, HALT"


def test_show_takes_parameters(quick: Command) -> None:
    assert quick("show", "p_rl", "-p", "N=8", "-n", 8, "--json").object["state_count"] == 2 * 3 * 2 * 2 * 9


SMALL_RINGS = {
    "a_k": {"random": "n=5,labels=3,max=2", "k": 2},
    "b_k": {"random": "n=4,labels=3,max=2", "k": 2},
}


def tour_of_small_things(monkeypatch: pytest.MonkeyPatch) -> None:
    real = library.run
    sizes = {name: {"n": 8} for name in library.library("population")}
    sizes |= {"p_pl": {"n": 4, "virus_factor": 1, "emit_factor": 1}}
    monkeypatch.setattr("princeps.cli.tour_verb.SIZES", sizes)
    monkeypatch.setattr("princeps.cli.tour_verb.RINGS", SMALL_RINGS)
    monkeypatch.setattr("princeps.cli.tour_verb.DEFAULT_RING", {"n": 6})
    monkeypatch.setattr("princeps.api.run.run", lambda name, **kw: real(name, engine="reference", **kw))


def tables(stdout: str) -> tuple[dict[str, str], dict[str, str]]:
    """The rows of the two tables of a tour, below their titles and headings."""
    first, second = (block.splitlines() for block in stdout.split("\n\n"))
    assert (first[0].strip(), second[0].strip()) == ("one run each", "by messages, on labeled rings")
    assert (first[1].split()[0], second[1].split()[:2]) == ("protocol", ["ring", "algorithm"])
    populations, rings = ({line.split()[0]: line for line in table[2:]} for table in (first, second))
    return populations, rings


def test_tour_brings_every_protocol_to_its_goal(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    tour_of_small_things(monkeypatch)
    objects = quick("tour", "--json").objects
    elections, messages = (
        [item for item in objects if item["protocol"] in library.library(kind)] for kind in ("population", "ring")
    )
    assert objects == elections + messages
    assert [item["protocol"] for item in elections] == library.library("population")
    assert [item["protocol"] for item in messages] == library.library("ring")
    assert all(item["converged"] and item["seed"] == 1 for item in objects)
    counted = {"epidemic": "8 infected", "majority": "8 for x"}  # these elect nobody
    outcome = quick("tour")
    assert outcome.code == int(any(item["leaders"] != 1 for item in objects if item["protocol"] not in counted))
    populations, rings = tables(outcome.stdout)
    assert list(populations) == library.library("population")
    assert list(rings) == library.library("ring")
    for item in elections:
        leads = f"agent {item['leader']} leads" if item["leaders"] == 1 else f"{item['leaders']} leaders"
        assert f"  {counted.get(item['protocol'], leads)}  " in populations[item["protocol"]]
        assert f"  {item['until']}  " in populations[item["protocol"]]
    for item in messages:
        words = rings[item["protocol"]].split()
        assert words[1:6] == [str(item["n"]), "synchronous", *(str(item[x]) for x in ("time", "messages", "max_bits"))]
        assert words[6:9] == ["process", str(item["leader"]), "leads"]


def test_a_tour_has_one_seed(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    tour_of_small_things(monkeypatch)
    first, again, other = (quick("tour", "--json", "--seed", seed).objects for seed in (5, 5, 6))
    assert [without_times(item) for item in first] == [without_times(item) for item in again]
    assert {item["seed"] for item in other} == {6}
    assert all(one["labels"] != two["labels"] for one, two in zip(first, other, strict=True) if "k" in one["params"])


def test_the_sizes_of_the_tour_are_those_of_the_library() -> None:
    from princeps.cli.tour_verb import RINGS, SIZES

    assert set(SIZES) <= set(library.library("population"))
    assert set(RINGS) <= set(library.library("ring"))


@pytest.mark.parametrize(("name", "leaders"), [("fratricide", 2), ("epidemic", 0), ("p_rl", 1), ("b_k", 2)])
def test_a_tour_that_misses_a_goal_says_so(
    quick: Command, monkeypatch: pytest.MonkeyPatch, name: str, leaders: int
) -> None:
    """Of the protocols that elect, everyone must end with one leader; of all, everyone must reach its goal."""
    real = library.run("fratricide", n=4, seed=1, engine="reference")
    real_ring = library.run("a_k", labels="1,2,2", k=2, seed=1, engine="reference")

    def run(wanted: str, **options: Any) -> Any:
        template = real_ring if wanted in library.library("ring") else real
        if wanted == name:
            return replace(template, protocol=name, leaders=leaders, converged=name == "fratricide")
        return replace(template, protocol=wanted)

    monkeypatch.setattr("princeps.api.run.run", run)
    outcome = quick("tour")
    assert outcome.code == 1
    rows = {name: row for table in tables(outcome.stdout) for name, row in table.items()}
    assert sorted(rows) == library.library()
    assert {"fratricide": "2 leaders", "b_k": "not elected"}.get(name, "not reached") in rows[name]
    assert not any("not " in row for other, row in rows.items() if other != name)


@pytest.mark.parametrize("place", [3, len(library.library("population")) + 3])
def test_an_interrupted_tour_shows_what_was_finished(
    quick: Command, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    """The third protocol of either table is interrupted."""
    real, seen = library.run, []

    def run(name: str, **options: Any) -> Any:
        seen.append(name)
        limit = None if name in library.library("ring") else 1
        result = real(name, n=4, seed=1, engine="reference", max_steps=limit)
        return replace(result, interrupted=len(seen) == place)

    monkeypatch.setattr("princeps.api.run.run", run)
    outcome = quick("tour")
    assert (outcome.code, len(seen)) == (130, place)
    assert outcome.stderr == f"princeps: interrupted during {seen[-1]}.\n"
    first = [line.split()[0] for line in outcome.stdout.splitlines() if line.strip()]
    assert [word for word in first if word in library.library()] == seen[:-1]
    assert ("labeled rings" in outcome.stdout) == (place > 3)


def test_version_and_help(quick: Command) -> None:
    assert quick("--version").stdout == f"princeps {library.__version__}\n"
    for words in ((), ("--help",), ("-h",)):
        outcome = quick(*words)
        assert outcome.code == 0
        assert all(f" {verb} " in outcome.stdout for verb in VERBS)


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["list"],
        ["show", "p_rl"],
        ["show", "b_k"],
        ["run", "--help"],
        ["ring", "1,2,2"],
        ["impossible", "a_k", "-p", "k=2"],
    ],
)
def test_reading_needs_no_numpy_scipy_or_numba(words: list[str]) -> None:
    probe = (
        f"import sys; sys.argv = ['princeps', *{words!r}]\n"
        "from princeps.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'scipy', 'numba'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60)
    assert done.stderr == "[]\n"
    assert done.stdout


# -- one run ------------------------------------------------------------------------------------------------------


def test_a_run_has_the_keys_of_the_contract(quick: Command) -> None:
    outcome = quick("run", "p_rl", "-n", 10, "-p", "N=12", "--seed", 7, "--json")
    assert (outcome.code, outcome.stderr) == (0, "")
    result = outcome.object
    assert set(result) >= CONTRACT
    assert result["protocol"] == "p_rl"
    assert result["params"] == {"N": 12}
    assert (result["n"], result["start"], result["until"]) == (10, "random", "s_rl")
    assert (result["seed"], result["trial"], result["engine"]) == (7, 0, "agents")
    assert (result["converged"], result["leaders"]) == (True, 1)
    assert result["parallel_time"] == result["steps"] / 10
    assert 0 <= result["leader"] < 10
    assert not {"held", "held_steps", "faults", "record", "interrupted"} & set(result)


def test_a_run_ends_with_a_table(quick: Command) -> None:
    words = ("run", "infection", "-n", 6, "--ids", "30,10,60,20,50,40", "--seed", 7, *REFERENCE)
    outcome, result = quick(*words), quick(*words, "--json").object
    rows = dict(line.split("  ", 1) for line in outcome.stdout.splitlines()[1:])
    rows = {name.strip(): value.strip() for name, value in rows.items()}
    assert rows["steps"] == str(result["steps"])
    assert rows["parallel time"] == f"{result['parallel_time']:.2f}"
    assert rows["leaders"] == "1"
    assert rows["leader"] == "agent 2, whose id is 60"
    assert rows["seed"] == "7"
    assert rows["engine"] == "reference"
    assert float(rows["seconds"]) >= 0
    assert rows["repeat"] == result["command"]


def test_the_engines_agree_and_the_defaults_are_the_papers(quick: Command) -> None:
    for name, start_, goal in (
        ("p_rl", "random", "s_rl"),
        ("infection", "initial", "complete"),
        ("fratricide", "initial", "leader"),
        ("timer", "random", "leader"),
        ("epidemic", "initial", "complete"),
        ("majority", "initial", "consensus"),
        ("numbered", "initial", "declared"),
    ):
        result = quick("run", name, "-n", 6, "--seed", 1, "--json", *REFERENCE).object
        assert (result["start"], result["until"]) == (start_, goal)
    first = quick("run", "fratricide", "-n", 30, "--seed", 1, "--json").object
    second = quick("run", "fratricide", "-n", 30, "--seed", 1, "--json", *REFERENCE).object
    assert (first["steps"], first["leader"], first["events"]) == (second["steps"], second["leader"], second["events"])


def test_a_declaration_is_judged(quick: Command) -> None:
    result = quick("run", "numbered", "-n", 20, "-p", "m=20", "--seed", 1, "--json", *REFERENCE).object
    assert result["correct"] is True
    early = quick("run", "numbered", "-n", 20, "--max-steps", 1, "--json", *REFERENCE)
    assert early.object["correct"] is None


def test_a_limit_that_comes_first_is_code_1(quick: Command) -> None:
    outcome = quick("run", "fratricide", "-n", 30, "--seed", 1, "--max-steps", 5, "--json", *REFERENCE)
    assert outcome.code == 1
    assert (outcome.object["steps"], outcome.object["converged"], outcome.object["leader"]) == (5, False, None)
    assert "(limit)" in quick("run", "fratricide", "-n", 30, "--seed", 1, "--max-steps", 5, *REFERENCE).stdout


def test_without_a_seed_one_is_chosen_and_shown(quick: Command) -> None:
    words = ("run", "fratricide", "-n", 12, "--json", *REFERENCE)
    first, second = quick(*words).object, quick(*words).object
    assert first["seed"] != second["seed"]
    assert f"--seed {first['seed']}" in first["command"]


def test_numbers_may_be_written_as_people_write_them(quick: Command) -> None:
    for text in ("100", "1e2", "10^2", "1_00"):
        assert quick("run", "fratricide", "-n", text, "--max-steps", "1e0", "--json", *REFERENCE).object["n"] == 100


REPEATED: dict[str, tuple[object, ...]] = {
    "plain": ("p_rl", "-n", 8),
    "parameters": ("p_rl", "-n", 5, "-p", "N=9", "--until", "safe", "--start", "two_leaders"),
    "trial": ("fratricide", "-n", 9, "--trial", 4),
    "faults": ("p_rl", "-n", 5, "--fault", "300:2", "--fault", "500:5"),
    "steady faults": ("p_rl", "-n", 5, "--fault", "every:200:2", "--max-steps", 900),
    "hold": (*SMALL_P_PL[:7], "--hold"),
    "random graph": ("infection", "-n", 12, "--graph", "er:0.5"),
    "regular graph": ("infection", "-n", 12, "--graph", "regular:3"),
    "forced graph": ("fratricide", "-n", 4, "--graph", "star", "--force", "--max-steps", 40),
    "ids": ("infection", "-n", 5, "--ids", "9,7,5,3,1"),
    "random ids": ("infection", "-n", 5, "--ids", "random:1e9"),
    "record": ("p_rl", "-n", 5, "--record", "distL >= 2", "--record", "leaders", "--every", "0.3"),
    "negative seed": ("p_rl", "-n", 5, "--seed", -3),
    "check": ("p_ll", "-n", 5, "--check"),
}


@in_one_test("words", REPEATED.values(), ids=REPEATED.keys())
def test_the_printed_command_repeats_the_run(quick: Command, words: tuple[object, ...]) -> None:
    engine = () if "--check" in words else REFERENCE
    first = quick("run", *words, *engine, "--json").object
    again = quick(*shlex.split(first["command"])[1:], "--json").object
    assert without_times(again) == without_times(first)
    assert first["steps"] > 0


def test_the_command_of_a_python_run_repeats_it_too(quick: Command, tmp_path: Path) -> None:
    result = library.run("p_rl", n=5, seed=3, engine="reference", record={"far": "distL >= 2"}, every=0.4)
    again = quick(*shlex.split(result.command)[1:], "--json").object
    assert result.record is not None
    assert again["steps"] == result.steps
    assert again["record"]["distL >= 2"] == result.record["far"]


# -- what goes wrong on the way ------------------------------------------------------------------------------------


def test_output_is_appended_to_a_file(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    words = ("run", "fratricide", "-n", 5, "--seed", 1, "-o", path, *REFERENCE)
    shown = quick(*words, "--json").object
    quick(*words, "--trials", 2)
    kept = [json.loads(line) for line in path.read_text().splitlines()]
    assert [item["trial"] for item in kept] == [0, 0, 1]
    assert kept[0] == shown
    assert without_times(kept[1]) == without_times(shown)


def test_a_reader_that_leaves_early_is_no_error(start: Start) -> None:
    process = start("run", "fratricide", "-n", 5, "--trials", 5000, "--json", *REFERENCE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    assert process.stderr.read() == ""


def interrupted(process: subprocess.Popen[str]) -> tuple[list[dict[str, Any]], str]:
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    return Outcome(130, out, err).objects, err


def test_an_interrupted_run_shows_how_far_it_came(start: Start, duel: Callable[[str], str], tmp_path: Path) -> None:
    name = duel("next(meetings) == 1000 and once('running'); return")
    process = start("run", name, "-n", 8, "--seed", 1, "--json", *REFERENCE)
    wait_for((tmp_path / "running").exists)
    (result,), err = interrupted(process)
    assert (result["interrupted"], result["converged"], result["leaders"]) == (True, False, 8)
    assert result["steps"] >= 1000
    assert err == ""


@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted_trials_show_what_was_finished(
    start: Start, duel: Callable[[str], str], tmp_path: Path, jobs: int
) -> None:
    name = duel("len((HERE / 'begun').read_text().split()) < 9 or stay()")
    process = start("run", name, "-n", 3, "--seed", 1, "--trials", 50, "--jobs", jobs, "--json", *REFERENCE)
    begun = tmp_path / "begun"
    wait_for(lambda: begun.exists() and len(begun.read_text().split()) >= 9)
    results, err = interrupted(process)
    trials = [result["trial"] for result in results]
    assert trials == list(range(8)) if jobs == 1 else 1 <= len(trials) <= 9
    assert trials == sorted(set(trials))
    assert err == f"princeps: interrupted after {len(trials)} of 50 trials.\n"


@pytest.mark.parametrize("engine", ["agents", "counts"])
def test_compiled_engines_hear_the_interrupt_and_report_progress(start: Start, engine: str) -> None:
    n = "1e7" if engine == "agents" else "1e15"
    process = start("run", "fratricide", "-n", n, "--seed", 1, "--engine", engine)
    assert process.stderr is not None
    line = process.stderr.readline()
    assert line.startswith("electing: ")
    assert all(word in line for word in ("steps", "parallel time", "leaders", "steps/s"))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "(interrupted)" in out
    assert "Traceback" not in err
