"""An option is named as the reader writes it: on the command line as there, in Python as an argument."""

from __future__ import annotations

import pickle

import pytest

import princeps as library
from princeps import errors, wording
from princeps.model.options import ExactOptions, RunOptions, SweepOptions, TraceOptions, TrialOptions, options_of
from tests.conftest import Command

SENTENCES = {
    "how many agents? Give -n, like -n 1000.": "how many agents? Give n, like n=1000.",
    "Raise it: -p N=300.": "Raise it: N=300.",
    "use --engine counts, which skips": 'use engine="counts", which skips',
    "Leave --graph out, or insist with --force.": "Leave graph out, or insist with force=True.",
    "use --no-reduce, or lower -n.": "use reduce=False, or lower n.",
    "more than --max-steps allows: raise it.": "more than max_steps allows: raise it.",
    "show a part with --window 0..1000.": 'show a part with window="0..1000".',
    "like --ids 3,1,2 or --ids random:MAX.": 'like ids="3,1,2" or ids="random:MAX".',
    "like --fault 5000:10.": 'like fault=["5000:10"].',
    "leave it out with --from.": "leave it out with from_.",
    "--target 'leader' and --until 'leaders == 2' differ": "target='leader' and until='leaders == 2' differ",
    "make one with princeps sweep ... --store a.db.": 'make one with princeps.sweep(..., store="a.db").',
    "run princeps run ... --record leaders -o run.jsonl and plot that.": (
        'run princeps.run(..., record=["leaders"]) and plot that.'
    ),
    "make it with princeps paper ..., or not.": "make it with princeps.paper(...), or not.",
    "Copy it with `princeps merge --sound a.db`, then give --store NEW.db.": (
        'Copy it with `princeps merge --sound a.db`, then give store="NEW.db".'
    ),
    "unknown start '--force': the protocol's starts are many": "unknown start '--force': the protocol's starts are many",
    "n = 3 - 1 is self-stabilizing --": "n = 3 - 1 is self-stabilizing --",
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_in_python(sentence: str) -> None:
    assert wording.in_python(sentence) == SENTENCES[sentence]
    assert wording.in_python(SENTENCES[sentence]) == SENTENCES[sentence]


def test_every_flag_that_is_declared_is_known_as_one() -> None:
    for cls in (RunOptions, TraceOptions, TrialOptions, SweepOptions, ExactOptions):
        for one in options_of(cls).values():
            if (cls, one.name) != (ExactOptions, "check"):  # which takes a tool: --check storm
                assert (one.flag in wording.FLAGS) == one.is_flag, one.flag
            assert (one.flag in wording.LISTS) == one.repeated, one.flag
            if one.is_flag:
                assert wording.in_python(f"use {one.flag}.") == f"use {one.word}={not one.default}."


def test_the_same_mistake_from_both_sides(quick: Command) -> None:
    assert "Leave --graph out, or insist with --force." in quick("run", "p_ll", "-n", 4, "--graph", "ring").stderr
    with pytest.raises(errors.RunError, match=r"Leave graph out, or insist with force=True\.$"):
        library.run("p_ll", n=4, graph="ring")
    with pytest.raises(errors.RunError, match="how many agents"):
        library.run("p_ll")


def test_what_a_worker_says_is_worded_by_whoever_shows_it() -> None:
    with wording.on_the_command_line():
        sent = pickle.dumps(errors.PrincepsError("lower -n, or --jobs."))
        assert str(pickle.loads(sent)) == "lower -n, or --jobs."
    assert str(pickle.loads(sent)) == "lower n, or jobs."


def test_a_result_says_where_its_record_is(quick: Command) -> None:
    words = ("run", "fratricide", "-n", 6, "--seed", 1, "--engine", "reference", "--record", "leader == 1")
    assert "(see --json)" in quick(*words).stdout
    shown = repr(library.run("fratricide", n=6, seed=1, engine="reference", record=["leader == 1"], check=True))
    assert "(see .record)" in shown
    assert "--" not in shown.split("repeat")[0]
