"""What is refused on rings, in one sentence each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.refusals import assert_refused
from tests.conftest import Command
from tests.ring_tools import (
    A_2,
)
from tests.tables import in_one_test

# what is typed, what the sentence must quote, what it must advise
CASES = {
    "symmetric ring": ("run a_k --labels 1,2,1,2 -p k=2", "symmetric (period 2", "--force"),
    "one label only": ("run a_k --labels 7,7,7", "symmetric (period 1", "--force"),
    "multiplicity beyond k": (
        "run a_k --labels 1,2,2,2,3 -p k=2",
        "multiplicity 3 exceeds k = 2: A_2 may elect two leaders here.",
        "-p k=3",
    ),
    "multiplicity beyond k for b_k": (
        "run b_k --labels 1,2,2,2,3 -p k=2",
        "multiplicity 3 exceeds k = 2: B_2 may elect two leaders here.",
        "-p k=3",
    ),
    "repeated label": ("run lelann --labels 1,2,2", "label 2 occurs 2 times", "--force"),
    "wrong size": ("run itai_rodeh -n 4 -p size=5", "size = 5", "--force"),
    "k below 1": ("run a_k --labels 1,2,2 -p k=0", "k = 0", ">= 1"),
    "k below 2": ("run b_k --labels 1,2,3 -p k=1", "k = 1", ">= 2"),
    "k not a number": ("run a_k --labels 1,2,2 -p k=two", "'two'", "like 1000 or 1e6"),
    "parameter unknown": ("run a_k --labels 1,2,2 -p N=3", "'N'", "its parameters are k"),
    "one process": ("run a_k --labels 5", "1 process (5)", "at least two"),
    "n below 2": ("run a_k -n 1", "n = 1", "at least two"),
    "n not a number": ("run a_k -n many", "'many'", "like 1000 or 1e6"),
    "n beyond all bounds": ("run a_k -n 1e9", "n = 1000000000", "at most"),
    "a label missing": ("run a_k --labels 1,,2", "label 1 of '1,,2' is empty", "--labels 1,2,2"),
    "commas only": ("run a_k --labels ,", "no labels", "--labels ABAAB"),
    "no ring": ("run a_k", "none of them is given", "--labels, --random, --ring or -n"),
    "two rings": ("run a_k --labels 1,2 -n 3", "-n and --labels are given", "one ring"),
    "three rings": ("run a_k --random n=3 -n 3 --ring x", "-n and --random and --ring are given", "one ring"),
    "random without n": ("run a_k --random labels=3,max=2", "'labels=3,max=2'", "n=1000,labels=50,max=20"),
    "random of strange things": ("run a_k --random n=3,k=2", "'k=2'", "n=1000,labels=50,max=20"),
    "random with too few labels": ("run a_k --random n=9,labels=2,max=4", "n = 9", "raise labels or max"),
    "random with max=k, but no k": ("run a_k --random n=9,max=k", "max=k", "-p k=3"),
    "ring file not found": ("run a_k --ring nowhere.txt", "'nowhere.txt'", "text file of labels"),
    "schedule unknown": ("run a_k --labels 1,2,2 --schedule synchron", "'synchron'", "did you mean synchronous"),
    "schedule unlike any": ("run a_k --labels 1,2,2 --schedule zzz", "'zzz'", "known: adversarial"),
    "schedule without a link": ("run a_k --labels 1,2,2 --schedule slow", "'slow'", "slow:EDGE"),
    "link beyond the ring": ("run a_k --labels 1,2,2 --schedule slow:9", "'slow:9'", "slow:0 to slow:2"),
    "link that is none": ("run a_k --labels 1,2,2 --schedule slow:x", "'slow:x'", "slow:0 to slow:2"),
    "order of nobody": ("run a_k --labels 1,2,2 --schedule order:0,3", "'order:0,3'", "0..2"),
    "order by the wrong engine": (
        "run a_k --labels 1,2,2 --schedule order:0 --engine compiled",
        "order:...",
        "leave out --engine compiled",
    ),
    "engine for agents": ("run a_k --labels 1,2,2 --engine agents", "'agents'", "compiled, reference"),
    "seed not a number": ("run a_k --labels 1,2,2 --seed lucky", "'lucky'", "like 7"),
    "trial negative": ("run a_k --labels 1,2,2 --trial -1", "trial = -1", "from 0"),
    "limit negative": ("run a_k --labels 1,2,2 --max-steps -1", "max-steps = -1", "0 or more"),
    "graph for a ring algorithm": ("run a_k --labels 1,2,2 --graph ring", "a_k is a ring algorithm", "--graph"),
    "start for a ring algorithm": ("run a_k --labels 1,2,2 --start random", "a_k is a ring algorithm", "--start"),
    "goal for a ring algorithm": ("run a_k --labels 1,2,2 --until safe", "a_k is a ring algorithm", "--until"),
    "fault for a ring algorithm": ("run a_k --labels 1,2,2 --fault 5:1", "a_k is a ring algorithm", "--fault"),
    "hold for a ring algorithm": ("run a_k --labels 1,2,2 --hold", "a_k is a ring algorithm", "--hold"),
    "check for a ring algorithm": ("run a_k --labels 1,2,2 --check", "a_k is a ring algorithm", "--check"),
    "pairs for a ring algorithm": ("run a_k --labels 1,2,2 --pairs x", "a_k is a ring algorithm", "--pairs"),
    "ids for a ring algorithm": ("run a_k --labels 1,2,2 --ids 1,2,3", "a_k is a ring algorithm", "--ids"),
    "record for a ring algorithm": ("run a_k --labels 1,2,2 --record x", "a_k is a ring algorithm", "--record"),
    "every for a ring algorithm": ("run a_k --labels 1,2,2 --every 2", "a_k is a ring algorithm", "--every"),
    "estimate for a ring algorithm": ("run a_k --labels 1,2,2 --dry-run", "a_k is a ring algorithm", "--dry-run"),
    "labels for agents": ("run p_rl -n 3 --labels 1,2,2", "p_rl is a population protocol", "--labels"),
    "random ring for agents": ("run p_rl --random n=3", "p_rl is a population protocol", "--random"),
    "ring file for agents": ("run p_rl -n 3 --ring x", "p_rl is a population protocol", "--ring"),
    "schedule for agents": ("run p_rl -n 3 --schedule random", "p_rl is a population protocol", "--schedule"),
    "snapshots on a ring": ("run a_k --labels 1,2,2 --snapshots 1", "a_k is a ring algorithm", "--snapshots"),
    "window without a picture": ("run a_k --labels 1,2,2 --window 1..2", "--window 1..2", "--trace and --diagram"),
    "window of nothing": ("run a_k --labels 1,2,2 --window 90..99 --diagram x.svg", "90..99", "earlier"),
    "trace unwritable": (
        "run a_k --labels 1,2,2 --trace /nowhere/at/all.jsonl",
        "'/nowhere/at/all.jsonl'",
        "another path",
    ),
    "trace of many": ("run a_k --labels 1,2,2 --trace --trials 2", "one execution", "--trial"),
    "trace by the wrong engine": ("run a_k --labels 1,2,2 --trace --engine compiled", "--trace", "leave out"),
    "diagram of many": ("run a_k --labels 1,2,2 --diagram x.svg --trials 2", "one execution", "--trial"),
    "diagram of no kind": ("run a_k --labels 1,2,2 --diagram x.txt", "'x.txt'", ".svg, .pdf, .png"),
    "diagram of no kind, with a trace": (
        "run a_k --labels 1,2,2 --trace --diagram x.txt",
        "'x.txt'",
        ".svg, .pdf, .png",
    ),
    "diagram unwritable": ("run a_k --labels 1,2,2 --diagram /nowhere/at/all.svg", "'/nowhere/at/all.svg'", "another"),
    "output unwritable": ("run a_k --labels 1,2,2 -o /nowhere/at/all.json", "'/nowhere/at/all.json'", "another path"),
    "facts of no ring": ("ring", "one ring is needed", "--random"),
    "facts of two rings": ("ring 1,2,2 --random n=3", "one ring is needed", "--random"),
    "facts of one process": ("ring 5", "1 process (5)", "at least two"),
    "facts of a gap": ("ring 1,,2", "label 1", "--labels 1,2,2"),
    "facts of no file": ("ring --ring nowhere.txt", "'nowhere.txt'", "text file of labels"),
    "facts by no seed": ("ring --random n=3 --seed lucky", "'lucky'", "like 7"),
    "facts for max=k": ("ring --random n=9,max=k", "max=k", "write a number"),
    "rings of one process": ("rings a_k -n 1..3", "n = 1", "at least 2"),
    "rings of no size": ("rings a_k -n 3..2", "'3..2'", "like 2..7"),
    "rings of all sizes": ("rings a_k -n 2..99", "n = 99", "at most 16"),
    "rings of a word": ("rings a_k -n few", "'few'", "like 1000"),
    "rings of half a range": ("rings a_k -n 2..", "''", "like 1000"),
    "rings over no label": ("rings a_k --alphabet 0", "alphabet = 0", "at least 1"),
    "rings for no k": ("rings b_k --max-k 1", "max-k = 1", "k >= 2"),
    "rings of agents": ("rings p_rl", "p_rl is a population protocol", "the ring algorithms are a_k"),
    "rings of nobody": ("rings a_l", "'a_l'", "did you mean"),
    "impossible for agents": ("impossible p_rl", "p_rl is a population protocol", "the ring algorithms are a_k"),
    "impossible alone": ("impossible a_k -p k=2 -n 1", "n = 1", "at least two"),
    "impossible for k = 0": ("impossible a_k -p k=0", "k = 0", ">= 1"),
    "impossible with a size as parameter": ("impossible a_k -p n=3 -n 4", "no parameter 'n'", "its parameters are k"),
    "a ring as parameter": (
        "show a_k -p ring=3",
        "no parameter 'ring'",
        "it is an option, --ring FILE. Its parameters are k",
    ),
    "impossible both ways": ("impossible franklin", "franklin", "unidirectional labeled rings"),
}


@pytest.mark.medium
@in_one_test(("typed", "value", "remedy"), CASES.values(), ids=CASES.keys())
def test_one_sentence_says_what_is_wrong(quick: Command, typed: str, value: str, remedy: str) -> None:
    assert_refused(quick(*typed.split()), value, remedy)


def test_no_labels_are_no_ring(quick: Command) -> None:
    for words in (("run", "a_k", "--labels", ""), ("run", "a_k", "--labels", "  "), ("ring", "")):
        assert_refused(quick(*words), "no labels", "--labels 1,2,2")


def test_a_refused_run_leaves_no_trace(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    assert_refused(quick("run", "a_k", "--labels", "1,2,1,2", "--trace", path), "symmetric", "--force")
    assert_refused(quick(*A_2, "--trace", path, "--diagram", "x.txt"), "'x.txt'", ".svg")
    assert not path.exists()
    assert_refused(quick(*A_2, "--trace", tmp_path), f"'{tmp_path}'", "another path")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told(quick: Command) -> None:
    outcome = quick(*A_2, "--trace", "/dev/full")
    assert outcome.code == 2
    assert outcome.stderr.splitlines()[-1] == (
        "princeps: output '/dev/full' cannot be written: No space left on device. Choose another path."
    )
