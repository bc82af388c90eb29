"""What a user sees of princeps exact: the contract's keys, tables, codes, and Ctrl-C."""

from __future__ import annotations

import json
import shlex
import signal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PATIENCE, Command, Start

CONTRACT = {"configurations", "target", "target_size", "reachable", "worst", "mean", "worst_start", "seconds"}


def strict(stdout: str) -> dict[str, Any]:
    """One object on one line, without NaN and Infinity, which are no JSON."""

    def refuse(token: str) -> None:
        raise AssertionError(f"{token} is no JSON")

    (line,) = stdout.splitlines()
    found: dict[str, Any] = json.loads(line, parse_constant=refuse)
    return found


def answer(quick: Command, line: str, code: int = 0) -> dict[str, Any]:
    outcome = quick("exact", *shlex.split(line), "--json")
    assert (outcome.code, outcome.stderr) == (code, "")
    return strict(outcome.stdout)


def rows(stdout: str) -> dict[str, str]:
    """The table's rows, below its title."""
    found: dict[str, str] = {}
    for line in stdout.splitlines()[1:]:
        name, _, value = line.partition("  ")
        found.setdefault(name.strip(), value.strip())
    return found


def test_an_answer_has_the_keys_of_the_contract(quick: Command) -> None:
    found = answer(quick, "p_rl -n 2")
    assert set(found) >= CONTRACT
    assert not {"worst_exact", "mean_exact", "trap", "variance", "holding", "sets", "lemmas"} & set(found)
    assert (found["protocol"], found["params"], found["n"]) == ("p_rl", {"N": 2}, 2)
    assert (found["graph"], found["start"], found["target"]) == ("ring", "all", "safe")
    assert (found["configurations"], found["target_size"], found["reachable"]) == (72**2, 1440, True)
    low, high = found["worst_interval"]
    assert low <= 6 <= high
    assert high - low < 1e-9
    assert [set(agent) for agent in found["worst_start"]] == [{"leader", "bullet", "shield", "signal", "distL"}] * 2


def test_fractions_are_written_as_such(quick: Command) -> None:
    found = answer(quick, "p_rl -n 3 --rational")
    assert found["worst_exact"] == "119869/7420"
    assert found["worst"] == pytest.approx(float(Fraction(found["worst_exact"])), rel=1e-15)
    assert found["mean"] == pytest.approx(float(Fraction(found["mean_exact"])), rel=1e-15)
    whole = answer(quick, "fratricide -n 1e1 --rational")
    assert (whole["n"], Fraction(whole["worst_exact"]), Fraction(whole["mean_exact"])) == (10, 81, 81)


FROM_ALL = (
    *("p_rl -n 2", "p_rl -n 2 --target leader --variance --leaders", "p_rl -n 2 --target some:leader --hold --sets"),
    *("timer -n 3 -p t_max=2 --variance --distribution --hold --sets", "fratricide -n 4 --start all"),
)
FROM_ONE = (
    *("p_rl -n 3 --start all_leaders --variance", "infection -n 4 --rational", "majority -n 4 --distribution"),
    *("infection --graph grid:2x2 --ids 4,2,3,1 --automorphisms '0 2 1 3'", "fratricide -n 5 --rational"),
)


def numbers(found: dict[str, Any]) -> dict[str, Any]:
    """What must not depend on how it was found."""
    told = ("params", "reachable", "worst", "mean", "worst_exact", "mean_exact", "variance", "quantiles")
    out = {key: found.get(key) for key in told}
    out |= {f"{name} leaders": chance for name, chance in found.get("leaders_at_target", {}).items()}
    if found["start"] == "all":
        of_sets = ("configurations", "target_size", "target_closed", "target_safe", "largest_safe", "worst_count")
        out |= {key: found[key] for key in of_sets}
        out |= {f"held {key}": found.get("holding", {}).get(key) for key in ("starts", "shortest", "mean")}
        for one in found.get("sets", ()):
            out |= {f"{one['set']} {key}": one[key] for key in ("size", "closed", "safe", "is_largest_safe")}
    return out


@pytest.mark.parametrize("line", FROM_ALL + FROM_ONE)
def test_merging_changes_no_number(quick: Command, line: str) -> None:
    words = shlex.split(line)
    bare = words[: words.index("--automorphisms")] if "--automorphisms" in words else words
    one, other = quick("exact", *words, "--json"), quick("exact", *bare, "--no-reduce", "--json")
    assert (one.code, one.stderr, other.stderr) == (other.code, "", "")
    merged, unmerged = strict(one.stdout), strict(other.stdout)
    assert merged["reduced"] <= unmerged["reduced"]
    expected = numbers(unmerged)
    assert numbers(merged).keys() == expected.keys()
    for key, value in numbers(merged).items():
        assert value == (pytest.approx(expected[key], rel=1e-9) if isinstance(value, float) else expected[key]), key


def test_everything_that_can_be_asked_for(quick: Command) -> None:
    line = "timer -n 3 -p t_max=3 --variance --distribution --leaders --hold --sets"
    found = answer(quick, line)
    assert found["quantiles"]["worst"] == {"0.5": 5, "0.9": 5, "0.99": 6}
    assert found["leaders_at_target"] == {"1": pytest.approx(1)}
    assert found["holding"]["shortest"] == pytest.approx(14)
    assert {one["set"]: one["size"] for one in found["sets"]} == {"safe": 0, "leader": 192}
    table = rows(quick("exact", *line.split()).stdout)
    assert table["target"] == "leader: 192 configurations, not closed, not safe"
    assert table["worst starts"].startswith("1 configuration of (leader, timer), such as")
    assert table["variance"].startswith("5.66199991685, certified in [")
    assert table["reached, worst start"] == "50 % by step 5, 90 % by step 5, 99 % by step 6"
    assert table["leaders then"] == "1: 1"
    assert table["held at least"].startswith("14 steps, certified in [")
    assert "safe: 0 configurations, closed, safe, the largest safe set" in quick("exact", *line.split()).stdout


def test_targets_and_starts(quick: Command) -> None:
    assert answer(quick, "p_rl -n 2 --target some:leader")["target_size"] == 72**2 - 36**2
    assert answer(quick, "p_rl -n 2 --target 'none:leader == 1'", 1)["target_size"] == 36**2
    assert answer(quick, "p_rl -n 2 --start random")["start"] == "all"
    begun = answer(quick, "p_rl -n 3 --start all_leaders")
    assert (begun["start"], begun["mean"]) == ("all_leaders", pytest.approx(14.2443396226))
    listed = "p_rl -n 3 --start 'states:1,0,0,0,0;1,0,0,0,0;1,0,0,0,0'"
    assert answer(quick, listed)["mean"] == pytest.approx(begun["mean"], rel=1e-12)
    assert "\nfrom the start" in quick("exact", *shlex.split(listed)).stdout
    past = answer(quick, "p_rl -n 3 --start all_leaders --past-target --hold --sets --target leader")
    assert (past["target_closed"], past["holding"]["shortest"]) == (True, None)


def test_graphs_ids_and_automorphisms(quick: Command) -> None:
    plain = answer(quick, "infection --graph grid:2x2 --ids 4,3,2,1 --rational")
    merged = answer(quick, "infection --graph grid:2x2 --ids 4,3,2,1 --rational --automorphisms '0 2 1 3; 3 1 2 0'")
    assert (merged["graph"], merged["mean_exact"]) == ("grid:2x2", plain["mean_exact"])
    assert merged["configurations"] > merged["reduced"]
    forced = answer(quick, "p_rl -n 3 --graph undirected-ring --force", 1)
    assert (forced["graph"], forced["target_size"], forced["mean"]) == ("undirected-ring", 0, None)


def test_a_target_that_may_be_missed_is_code_1(quick: Command) -> None:
    found = answer(quick, "fratricide -n 3 --start all --variance --distribution --leaders --hold", 1)
    assert (found["reachable"], found["worst"], found["mean"]) == (False, None, None)
    assert (found["worst_interval"], found["mean_interval"]) == ([None, None], [None, None])
    assert found["worst_start"] == found["trap"]["start"] == [{"leader": 0}] * 3
    outcome = quick("exact", "fratricide", "-n", 3, "--start", "all")
    assert outcome.code == 1
    assert outcome.stderr == "8 configurations, 4 after reduction\n"
    table = rows(outcome.stdout)
    assert (table["worst"], table["mean"]) == ("infinite", "infinite")
    assert table["reachable"] == f"not from everywhere; trapped: {found['trap']['command']}"
    trap = quick(*shlex.split(found["trap"]["command"])[1:], "--json")
    assert (trap.code, trap.object["leaders"]) == (1, 0)


def test_lemmas_are_proved(quick: Command) -> None:
    found = answer(quick, "p_rl -n 2 --lemmas")
    verdicts = {one["id"]: one["verdict"] for one in found["lemmas"]}
    assert set(verdicts.values()) == {"proved", "measured"}
    assert verdicts["000.L10"] == "proved"
    text = quick("exact", "p_rl", "-n", 2, "--lemmas").stdout
    assert all(f"\n{name:8} {verdict:8} " in text for name, verdict in verdicts.items())


LEMMAS = """
from princeps.model import Bit, PopulationProtocol, Reaches, Stays, Uniform, Within


class Fight(PopulationProtocol):
    guarantee = "loosely-stabilizing"
    leader = Bit()
    starts = {"random": Uniform()}
    default_start = "random"
    lemmas = {
        "stays": Stays("whoever leads alone leads for ever", "leader"),
        "reaches": Reaches("somebody leads in the end", "leader"),
    }

    @staticmethod
    def interact(a, b, p):
        if a.leader == 1 and b.leader == 1:
            b.leader = 0


class Soon(Fight):
    lemmas = {
        "soon": Within("somebody leads soon", "leader", lambda n, p: n * n, order="n^2"),
        "nothing": Within("of nothing everything is true", "leader", lambda n, p: n, "none:leader < 2"),
    }
"""


@pytest.fixture
def lemmas(tmp_path: Path) -> str:
    path = tmp_path / "lemmas.py"
    path.write_text(LEMMAS)
    return str(path)


def test_a_refuted_lemma_is_code_1(quick: Command, lemmas: str) -> None:
    found = answer(quick, f"{lemmas}:Fight -n 3 --target some:leader --lemmas", 1)["lemmas"]
    assert [one["verdict"] for one in found] == ["proved", "refuted"]
    assert found[1]["schedule"]["start"] == [{"leader": 0}] * 3
    outcome = quick("exact", f"{lemmas}:Fight", "-n", 3, "--lemmas")
    assert outcome.code == 1
    assert "\nreaches  refuted  somebody leads in the end: from 1 configuration" in outcome.stdout
    assert f"\n  {found[1]['schedule']['command']}\n" in outcome.stdout


def test_an_infinite_lemma_is_json_too(quick: Command, lemmas: str) -> None:
    soon, nothing = answer(quick, f"{lemmas}:Soon -n 3 --lemmas", 1)["lemmas"]
    assert (soon["verdict"], soon["measured"], soon["bound"]) == ("refuted", None, 9)
    assert (nothing["verdict"], nothing["measured"]) == ("proved", None)
    assert " inf " not in quick("exact", f"{lemmas}:Soon", "-n", 3, "--lemmas").stdout


def test_all_worst_starts_are_counted(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.analysis.additional_results.MAX_WORST_STARTS", 2)
    found = answer(quick, "timer -n 3 -p t_max=3 --target safe", 1)
    assert (found["target_size"], found["worst_count"]) == (0, 512)


def test_a_random_graph_can_be_drawn_again(quick: Command) -> None:
    found = answer(quick, "fratricide -n 5 --graph er:0.5 --force", 1)
    assert "--graph er:0.5 --seed 0" in found["trap"]["command"]
    assert quick(*shlex.split(found["trap"]["command"])[1:], "--json").code == 1


@pytest.mark.medium
def test_numbers_that_nobody_reads_are_abridged(quick: Command) -> None:
    found = answer(quick, "fratricide -n 20000 --start all --sets", 1)
    assert found["configurations"] == "about 2^20001"


def test_a_chain_is_written(quick: Command, tmp_path: Path) -> None:
    for suffix, word in ((".drn", "@type: DTMC"), (".prism", "dtmc")):
        path = tmp_path / f"chain{suffix}"
        assert answer(quick, f"p_rl -n 2 --export {path}")["exported"] == str(path)
        assert word in path.read_text().splitlines()
    assert rows(quick("exact", "p_rl", "-n", 2, "--export", path).stdout)["written"] == str(path)


# -- rings --------------------------------------------------------------------------------------------------------


def test_all_interleavings_of_a_ring(quick: Command, tmp_path: Path) -> None:
    found = answer(quick, "a_k --labels 1,2,2 -p k=2")
    assert (found["configurations"], found["steps"], found["messages"]) == (94, 165, [27])
    assert (found["leaders"], found["agreed"], found["confluent"], found["broken"]) == ([0], True, True, None)
    table = rows(quick("exact", "a_k", "--labels", "1,2,2", "-p", "k=2").stdout)
    assert table["configurations"] == "94, 165 actions between them"
    assert table["verdict"] == "every execution ends in the same configuration, with the same messages"
    (tmp_path / "ring.txt").write_text("1 2 2\n")
    assert answer(quick, f"a_k --ring {tmp_path / 'ring.txt'}")["labels"] == [1, 2, 2]
    both = answer(quick, "franklin -n 4 --seed 3")
    assert (both["agreed"], both["confluent"], sorted(both["labels"])) == (True, False, [1, 2, 3, 4])
    drawn = [answer(quick, f"a_k --random n=5,labels=3,max=2 --seed {seed}")["labels"] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_what_breaks_on_a_ring_can_be_replayed(quick: Command) -> None:
    found = answer(quick, "a_k --labels 'a b,c,a b,c' -p k=2 --force", 1)
    assert (found["agreed"], found["broken"]) == (False, "process 0 by A3: a second process elects itself")
    replayed = quick(*shlex.split(found["command"])[1:])
    assert replayed.code == 1
    assert "a second process elects itself" in replayed.stdout


# -- the process --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_ctrl_c_is_one_line_and_130(start: Start) -> None:
    process = start("exact", "p_rl", "-n", 5, "-p", "N=5")
    assert process.stderr is not None
    assert process.stderr.readline() == "61,917,364,224 configurations, 23,171,273 after reduction\n"
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=PATIENCE)
    assert (process.returncode, stdout) == (130, "")
    assert stderr.splitlines()[-1] == "princeps: interrupted."
    assert "Traceback" not in stderr


def test_help_names_every_option(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    outcome = quick("exact", "--help")
    assert (outcome.code, outcome.stderr) == (0, "")
    for option in ("-n", "-p", "--target", "--rational", "--against-simulation", "--labels", "--json"):
        assert f" {option} " in outcome.stdout
    assert "princeps[storm]" in outcome.stdout  # brackets are not markup


def test_a_probability_has_keys_of_its_own(quick: Command) -> None:
    found = answer(quick, "fratricide -n 3 --probability 'F<=2 leader' --rational")
    assert (found["question"], found["steps"], found["start"]) == ("F<=2 leader", 2, "initial")
    assert (found["probability"], found["probability_exact"]) == (pytest.approx(1 / 3), "1/3")
    assert found["interval"][0] <= found["probability"] <= found["interval"][1]
    assert not {"smallest", "largest", "worst", "mean", "target"} & set(found)
    assert (found["configurations"], found["protocol"], found["n"], found["graph"]) == (7, "fratricide", 3, "complete")
    every = answer(quick, "fratricide -n 3 --start all --probability 'leaders == 2 before leaders == 1'")
    assert every["steps"] is None
    assert every["probability"] == pytest.approx(4 / 8)
    assert (every["smallest"]["probability"], every["largest"]["probability"]) == (0, 1)
    assert sum(agent["leader"] for agent in every["largest"]["start"]) >= 2
    assert "probability_exact" not in every
    table = rows(quick("exact", "fratricide", "-n", "3", "--probability", "F<=2 leader", "--rational").stdout)
    assert table["question"] == "F<=2 leader"
    assert table["exactly"] == "1/3"


def test_a_condition_is_a_target(quick: Command) -> None:
    one = answer(quick, "fratricide -n 4 --target 'leaders==2' --rational")
    other = answer(quick, "fratricide -n 4 --until 'leaders == 2' --rational")
    assert {**one, "seconds": 0} == {**other, "seconds": 0}
    assert (one["target"], one["mean_exact"]) == ("leaders == 2", "3")
