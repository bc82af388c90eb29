"""list, show, tour: what can be read without running, or only to be shown."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

import princeps as library
from princeps.cli import VERBS
from princeps.model.registry import find_ring
from tests.conftest import PATIENCE, Command, without_times
from tests.tables import in_one_test


def test_list_names_the_whole_library(quick: Command) -> None:
    """In groups, each of them in alphabetical order."""
    outcome = quick("list")
    assert outcome.code == 0
    heading, *blocks = outcome.stdout.split("\n\n")
    assert heading.split()[:3] == ["protocol", "graph", "guarantee"]
    groups = {}
    for block in blocks:
        title, *rows = block.splitlines()
        groups[title] = [row.split()[0] for row in rows]
    assert all(title.endswith(":") and names and names == sorted(names) for title, names in groups.items())
    anywhere, own_start, blocks_, rings = groups.values()
    assert sorted(anywhere + own_start + blocks_) == library.library("population")
    assert rings == library.library("ring")
    assert {"p_rl", "p_pl", "timer"} <= set(anywhere)
    assert {"p_ll", "fratricide", "numbered"} <= set(own_start)
    assert blocks_ == ["epidemic", "majority"]


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
    "u_k": {"random": "n=5,labels=3,max=2", "k": 2},
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
    assert all(
        one["labels"] != two["labels"]
        for one, two in zip(first, other, strict=True)
        if "labels" in one and "k" in one["params"]
    )


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


@pytest.mark.medium
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
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stderr == "[]\n"
    assert done.stdout
