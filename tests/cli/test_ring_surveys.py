"""The verbs about rings themselves: ring, rings and impossible."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from princeps.engines.rings.reference import Network
from princeps.model.rings.event import Event
from tests.cli.refusals import assert_refused
from tests.conftest import PATIENCE, Command, Outcome, Start, without_times
from tests.ring_tools import (
    rows_of,
)

# -- ring ----------------------------------------------------------------------------------------------------------


def test_the_facts_of_a_ring(quick: Command) -> None:
    assert quick("ring", "1,3,2,2", "--json").object == {
        "labels": [1, 3, 2, 2],
        "n": 4,
        "distinct": 3,
        "label_bits": 2,
        "multiplicity": 2,
        "symmetric": False,
        "rotation": 4,
        "in_u_star": True,
        "unique_labels": 2,
        "leader": 0,
        "leader_label": 1,
        "lyndon_word": [1, 2, 2, 3],
        "smallest_k": {"a_k": 2, "b_k": 2, "u_k": 2},
    }
    outcome = quick("ring", "1,3,2,2")
    assert outcome.code == 0
    assert outcome.stdout.splitlines()[0] == "the ring 1,3,2,2"
    rows = rows_of(outcome)
    assert rows["processes"] == "4; different labels: 3, told apart by 2 bits"
    assert rows["multiplicity"] == "2: the ring is in K_k for k >= 2"
    assert rows["symmetric"].startswith("no rotation")
    assert rows["in U*"] == "yes, 2 labels are unique"
    assert rows["true leader"] == "process 0, whose label is 1"
    assert rows["Lyndon word"] == "1 2 2 3"
    assert rows["a_k"] == rows["b_k"] == "needs k >= 2"


def test_the_facts_of_a_symmetric_ring(quick: Command) -> None:
    facts = quick("ring", "ABAB", "--json").object
    assert (facts["symmetric"], facts["rotation"], facts["in_u_star"]) == (True, 2, False)
    assert (facts["leader"], facts["leader_label"], facts["lyndon_word"]) == (None, None, None)
    assert facts["smallest_k"] == {"a_k": None, "b_k": None, "u_k": None}
    outcome = quick("ring", "ABAB")
    assert outcome.code == 0
    *table, last = outcome.stdout.splitlines()
    rows = rows_of(Outcome(0, "\n".join(table), ""))
    assert rows["symmetric"] == "yes, a rotation by 2 changes nothing"
    assert rows["in U*"] == "no, no label is unique"
    assert rows["a_k"] == "cannot elect one leader, whatever k"
    assert not {"true leader", "Lyndon word"} & set(rows)
    assert last == "no deterministic algorithm elects one leader on a symmetric ring."


def test_the_facts_of_a_drawn_ring_are_those_of_the_run(quick: Command) -> None:
    words = ("--random", "n=6,labels=4,max=2", "--seed", 9, "--json")
    facts, result = quick("ring", *words).object, quick("run", "a_k", *words).object
    assert facts["labels"] == result["labels"]
    assert (facts["leader"], facts["leader_label"]) == (result["leader"], result["leader_label"])
    assert facts["label_bits"] == result["label_bits"]


def test_the_facts_of_a_ring_in_a_file(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "ring.txt"
    path.write_text("B A # two\nB\n")
    assert quick("ring", "--ring", path, "--json").object == quick("ring", "BAB", "--json").object


def test_a_long_ring_is_shortened(quick: Command) -> None:
    outcome = quick("ring", "--random", "n=60")
    assert outcome.stdout.splitlines()[0].endswith(",... (60 labels)")
    assert rows_of(outcome)["Lyndon word"].endswith(" ...")
    assert rows_of(outcome)["processes"] == "60; different labels: 60, told apart by 6 bits"


# -- rings ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("in_plain_python")
def test_every_small_ring_is_run(quick: Command) -> None:
    outcome = quick("rings", "a_k", "-n", "2..3", "--max-k", 2, "--json")
    assert (outcome.code, outcome.stderr) == (0, "")
    found = outcome.objects
    assert [(item["n"], item["k"], item["rings"]) for item in found] == [(2, 1, 3), (2, 2, 3), (3, 1, 2), (3, 2, 8)]
    for item in found:
        n, k = item["n"], item["k"]
        bits = 1 if n == 2 else 2
        assert (item["protocol"], item["alphabet"]) == ("a_k", 3)
        assert item["runs"] == item["elected"] == item["rings"] * (3 + n)  # every link is slow once
        assert item["schedule_free"] is True
        assert item["failures"] == []
        assert item["configurations"] > 0
        # the worst case are distinct labels, whose costs are known exactly
        assert item["time"]["worst"] == (2 * k + 1) * n
        assert 2 * item["messages"]["worst"] == n * n * (4 * k + 1) + n
        assert item["max_bits"]["worst"] == ((2 * k + 1) * n - 1) * bits + 2 * bits + 3
        for what, bound in (("time", (2 * k + 2) * n), ("messages", n * n * (2 * k + 1))):
            cost = item[what]
            assert cost["mean"] <= cost["worst"] <= cost["bound"] == bound
            assert cost["tightest"] == pytest.approx(cost["worst"] / bound)
            assert len(set(cost["ring"].split(","))) == n


@pytest.mark.usefixtures("in_plain_python")
def test_every_small_ring_ends_with_tables(quick: Command) -> None:
    outcome = quick("rings", "a_k", "-n", "2,3", "--max-k", 2)
    assert outcome.code == 0
    first, *tables = outcome.stdout.split("\n\n")
    assert first == "a_k: every asymmetric ring over 3 labels, up to rotation"
    lines = [table.splitlines() for table in tables]
    titles = [table[0].strip() for table in lines]
    overview = "every schedule; configurations of all interleavings"
    assert titles == [overview, "time, in message delays", "messages", "bits of a process, at their peak"]
    assert [row.split()[:5] for row in lines[0][2:]] == [
        ["2", "1", "3", "15", "all"],
        ["2", "2", "3", "15", "all"],
        ["3", "1", "2", "12", "all"],
        ["3", "2", "8", "48", "all"],
    ]
    assert [row.split()[5:] for row in lines[0][2:]] == [["yes", "60"], ["yes", "96"], ["yes", "168"], ["yes", "822"]]
    assert lines[1][2].split() == ["2", "1", "6", "6.0", "8", "75%", "1,2"]
    assert lines[2][5].split() == ["3", "2", "42", "29.6", "45", "93%", "1,2,3"]


@pytest.mark.usefixtures("in_plain_python")
def test_a_survey_may_be_small(quick: Command) -> None:
    (item,) = quick("rings", "b_k", "-n", 3, "--alphabet", 2, "--max-k", 2, "--interleavings", 0, "--json").objects
    assert (item["k"], item["rings"], item["configurations"]) == (2, 2, None)
    assert "-" in quick("rings", "b_k", "-n", 3, "--alphabet", 2, "--max-k", 2, "--interleavings", 0).stdout
    (item,) = quick("rings", "lelann", "-n", 3, "--json").objects  # distinct labels only, and no k
    assert (item["k"], item["rings"], item["elected"]) == (None, 2, 12)


@pytest.mark.usefixtures("in_plain_python")
def test_no_ring_at_all_is_refused(quick: Command) -> None:
    outcome = quick("rings", "a_k", "-n", 3, "--alphabet", 1)
    assert_refused(outcome, "a_k is for none of these rings", "raise --alphabet or --max-k")


@pytest.mark.usefixtures("in_plain_python")
def test_coins_are_not_explored(quick: Command) -> None:
    (item,) = quick("rings", "itai_rodeh", "-n", 3, "--alphabet", 2, "--json").objects
    assert item["configurations"] is None


def test_labels_may_be_negative(quick: Command) -> None:
    assert quick("ring", "-1,2", "--json").object["labels"] == [-1, 2]
    assert quick("run", "a_k", "--labels", "-1,2", "--json").object["leader_label"] == -1


@pytest.mark.slow
@pytest.mark.parametrize("words", [("rings", "a_k", "-n", "2..3"), ("run", "a_k", "--labels", "1,2", "--trace")])
def test_a_reader_that_leaves_is_no_failure(start: Start, words: tuple[str, ...]) -> None:
    process = start(*words)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(timeout=PATIENCE) == 0


@pytest.mark.usefixtures("in_plain_python")
def test_an_interrupted_survey_shows_what_was_finished(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Network.events

    def events(self: Network) -> Iterator[Event]:
        for event in real(self):
            yield event
            if self.algorithm.params["k"] == 2:
                raise KeyboardInterrupt

    monkeypatch.setattr(Network, "events", events)
    outcome = quick("rings", "a_k", "-n", 2, "--json")
    assert outcome.code == 130
    assert (outcome.object["k"], outcome.object["elected"]) == (1, 15)
    assert outcome.stderr == "princeps: interrupted after 1 tables.\n"


@pytest.mark.usefixtures("in_plain_python")
def test_a_wrong_algorithm_is_caught_with_the_command_that_shows_it(quick: Command, rash: str) -> None:
    outcome = quick("rings", rash, "-n", 2, "--alphabet", 2, "--json")
    assert outcome.code == 1
    assert (outcome.object["runs"], outcome.object["elected"]) == (5, 0)
    for failure in outcome.object["failures"]:
        said, _, command = failure.partition(": princeps ")
        assert "a second process elects itself" in said
        assert quick(*shlex.split(command)).code == 1
    text = quick("rings", rash, "-n", 2, "--alphabet", 2)
    assert text.code == 1
    assert all(failure in text.stdout for failure in outcome.object["failures"])


def test_an_algorithm_of_ones_own_is_run_and_traced(quick: Command, rash: str) -> None:
    outcome = quick("run", rash, "--labels", "1,2", "--trace")
    assert outcome.code == 1
    assert [line.split()[:4] for line in outcome.stdout.splitlines()[1:3]] == [
        ["0", "0", "(1)", "S"],
        ["0", "1", "(2)", "S"],
    ]
    assert "a second process elects itself beside process 0" in outcome.stdout
    result = quick("run", rash, "--labels", "1,2", "--json").object
    assert (result["leaders"], result["messages"], result["bounds"]) == (2, 0, {})
    again = quick(*shlex.split(result["command"])[1:], "--json").object
    assert without_times(again) == without_times(result)


# -- impossible ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "k", "n"), [("a_k", 2, 3), ("a_k", 1, 2), ("a_k", 3, 4), ("b_k", 2, 2)])
def test_two_leaders_by_construction(quick: Command, name: str, k: int, n: int) -> None:
    found = quick("impossible", name, "-p", f"k={k}", "-n", n, "--json").object
    small = list(range(1, n + 1))
    assert (found["protocol"], found["params"]["k"], found["n"], found["labels"]) == (name, k, n, small)
    assert found["large_labels"] == small * found["copies"] + [n + 1]
    assert found["large_n"] == len(found["large_labels"]) == n * found["copies"] + 1
    assert found["steps"] <= (found["copies"] - 2) * n  # T <= (K-2)n
    assert found["first"] == (found["copies"] - 2) * n + found["leader"]
    assert found["second"] == found["first"] + n
    assert found["lower_bound"] == (1 + (k - 2) * n if k >= 2 else None)
    assert found["lower_bound"] is None or found["lower_bound"] <= found["steps"]
    assert max(found["elected_at"]) <= found["steps"]
    assert found["same_states"] > 0
    usual = quick("run", name, "--labels", ",".join(map(str, small)), "-p", f"k={k}", "--json").object
    assert (found["leader"], found["steps"]) == (usual["leader"], usual["time"] + 1)
    shown = quick(*shlex.split(found["command"])[1:], "--json")
    assert shown.code == 1
    assert shown.object["labels"] == found["large_labels"]
    assert shown.object["leaders"] >= 2
    assert "a second process elects itself" in [broken["rule"] for broken in shown.object["violations"]]


def test_the_construction_is_shown(quick: Command) -> None:
    outcome = quick("impossible", "a_k", "-p", "k=3")
    found = quick("impossible", "a_k", "-p", "k=3", "--json").object
    assert outcome.code == 0
    facts, execution = outcome.stdout.split("\n\n")
    assert facts.splitlines()[0] == "a_k, k = 3: two leaders on a ring with a unique label"
    rows = rows_of(Outcome(0, facts, ""))
    assert rows["small ring"] == "1,2,3: process 0 is elected"
    assert rows["takes"] == (
        "22 synchronous steps, the start included; an algorithm that is right for k = 3 needs at least 1 + (k-2)n = 4"
    )
    assert rows["large ring"].startswith(f"1,2,3 {found['copies']} times, then 4: {found['large_n']} processes")
    assert f"({found['same_states']:,} states compared)" in rows["the same"]
    both = f"processes {found['first']} and {found['second']} elect themselves, both in step {found['elected_at'][0]}"
    assert rows["two leaders"] == both
    for process in (found["first"], found["second"]):
        assert rows[f"process {process}"].startswith(f"time {found['elected_at'][0] - 1}, A3 on <1>: isLeader = 1")
    assert rows["watch it"] == f"{found['command']} --trace"
    doing = [row["small"] for row in found["execution"]]
    assert doing == ["A1", *["A2 <3>", "A2 <2>", "A2 <1>"] * 5, "A2 <3>", "A2 <2>", "A3 <1>"]
    assert all(row["small"] == row["first"] == row["second"] for row in found["execution"])
    assert [row["step"] for row in found["execution"]] == list(range(1, found["elected_at"][0] + 1))
    assert [line.split() for line in execution.splitlines()[-2:]] == [
        ["18", *["A2", "<2>", "A2", "<2>", "A2", "<2>"]],
        ["19", *["A3", "<1>", "A3", "<1>", "A3", "<1>"]],
    ]


def test_of_a_long_construction_the_end_is_shown(quick: Command) -> None:
    execution = quick("impossible", "b_k", "-p", "k=2").stdout.split("\n\n")[1].splitlines()
    assert (len(execution), execution[2].strip(), execution[-1].split()[0]) == (43, "...", "55")


def test_algorithms_without_k_are_fooled_too(quick: Command, rash: str) -> None:
    found = quick("impossible", "chang_roberts", "--json").object
    assert (found["params"], found["lower_bound"], found["leader"]) == ({}, None, 2)
    assert quick("impossible", "chang_roberts").stdout.startswith("chang_roberts: two leaders")
    assert quick("impossible", rash, "--json").object["steps"] == 1
