"""Mistakes in options and plans are told in a sentence before anything is run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.errors import ParameterError, PrincepsError, RunError, StoreError, UnknownName
from tests.campaign.plan_tools import write
from tests.cli.refusals import assert_refused
from tests.conftest import Command
from tests.tables import in_one_test

QUICK = ("--engine", "reference", "--jobs", 1)


@pytest.fixture
def untouched(here: Path) -> Iterator[Path]:
    """After the test this folder is as empty as before."""
    yield here
    assert os.listdir(here) == []


# what is typed after `sweep`, what the sentence must quote, what it must advise
TYPED = {
    "no size": ("fratricide", "-n", "like -n 1000"),
    "a size too small": ("fratricide -n 4,1", "n = 1", "n >= 2"),
    "a size that is no number": ("fratricide -n 4,many", "'many'", "like 1000 or 1e6"),
    "an empty place": ("fratricide -n 4,,5", "'4,,5'", "like 1e3,1e4"),
    "nothing where a list should be": ("fratricide -n ,", "','", "like 1e3,1e4"),
    "an unknown protocol": ("fratricid -n 4", "'fratricid'", "did you mean fratricide"),
    "the second protocol unknown": ("fratricide timr -n 4", "'timr'", "did you mean timer"),
    "an unknown start": ("p_rl -n 4 --start random,rndom", "'rndom'", "did you mean random"),
    "an unknown goal": ("p_rl -n 4 --until s_rl,saef", "'saef'", "did you mean safe"),
    "an unknown graph": ("infection -n 4 --graph ring,rinf", "'rinf'", "did you mean ring"),
    "an unknown engine": ("p_rl -n 4 --engine agent", "'agent'", "did you mean agents"),
    "an unknown parameter": ("p_rl -n 4 -p M=1", "'M'", "its parameters are N"),
    "a parameter of the other only": ("p_rl fratricide -n 4 -p N=4", "'N'", "nor any other: leave N out"),
    "a parameter without a value": ("p_rl -n 4 -p N", "'N'", "-p N=8"),
    "a parameter with an empty value": ("p_rl -n 4 -p N=", "''", "a list like"),
    "a parameter out of range": ("p_rl -n 4,9 -p N=8", "N = 8", "-p N=9"),
    "a parameter that is no number": ("p_rl -n 4 -p N=x", "'x'", "like 1000 or 1e6"),
    "a formula with another name": ("p_rl -n 4 -p N=m+n", "'m+n'", "a formula in n"),
    "a formula that is no integer": ("p_rl -n 5 -p N=3n/2", "7.5 at n = 5", "ceil(3n/2)"),
    "a formula too large": ("p_rl -n 4 -p N=n^200", "'n^200'", "a formula in n"),
    "trials none": ("p_rl -n 4 --trials 0", "trials = 0", "give 1 to"),
    "trials without end": ("p_rl -n 4 --trials 1e15", "trials = 1000000000000000", "give 1 to 1,000,000,000"),
    "trials no number": ("p_rl -n 4 --trials many", "'many'", "like 1000"),
    "jobs none": ("p_rl -n 4 --jobs 0", "jobs = 0", "give at least 1"),
    "seed no number": ("p_rl -n 4 --seed lucky", "'lucky'", "like 7"),
    "precision none": ("p_rl -n 4 --precision 0", "'0'", "like 1% or 0.01"),
    "precision too much": ("p_rl -n 4 --precision 100%", "'100%'", "like 1% or 0.01"),
    "precision negative": ("p_rl -n 4 --precision=-1%", "'-1%'", "like 1% or 0.01"),
    "precision no number": ("p_rl -n 4 --precision nan", "'nan'", "like 1% or 0.01"),
    "a limit that is no number": ("p_rl -n 4 --max-steps x", "'x'", "like 1000"),
    "a negative limit": ("p_rl -n 4 --max-steps=-1", "max-steps = -1", "0 or more"),
    "a fault not understood": ("p_rl -n 4 --fault 5", "'5'", "STEP:K"),
    "faults for ever": ("p_rl -n 4 --fault every:5:1", "'every:5:1'", "--max-steps"),
    "hold what never falls": ("p_rl -n 4 --hold", "p_rl", "loosely-stabilizing"),
    "hold without an end": ("p_ll -n 4 --hold", "p_ll", "--max-steps"),
    "a graph of another paper": ("p_ll -n 4 --graph ring", "'ring'", "--force"),
    "identifiers too few": ("infection -n 4 --ids 1,2", "2 ids", "one for each"),
    "identifiers for the anonymous": ("p_rl -n 3 --ids 1,2,3", "'1,2,3'", "leave --ids out"),
    "an option of rings": ("p_rl -n 4 --labels 1,2,2", "--labels", "for ring algorithms"),
    "an option of populations": ("a_k -n 4 --until leader", "--until", "for population protocols"),
    "a plan that is not there": ("nowhere.toml", "'nowhere.toml'", "check the path"),
    "a protocol's file that is not there": ("./nowhere.py:Mine -n 4", "'./nowhere.py'", "./mine.py:Mine"),
    "a start's file that is not there": ("p_rl -n 4 --start file:nowhere", "'nowhere'", "check the path"),
    "a store in no folder": ("fratricide -n 4 --store no/where.db", "'no/where.db'", "another path"),
    "a store that is a folder": ("fratricide -n 4 --store .", "'.'", "check the path"),
    "an option of a single run": ("fratricide -n 4 --check", "--check", "princeps sweep --help"),
    "an option misspelt": ("fratricide -n 4 --trails 3", "--trails", "--trials"),
    "no protocol": ("-n 4", "NAME", "princeps sweep --help"),
}


@pytest.mark.medium
@in_one_test(("typed", "value", "remedy"), TYPED.values(), ids=TYPED.keys())
def test_a_mistake_is_told_before_anything_is_run(
    quick: Command, untouched: Path, typed: str, value: str, remedy: str
) -> None:
    assert_refused(quick("sweep", *typed.split()), value, remedy)


def test_a_store_needs_a_name(quick: Command, untouched: Path) -> None:
    outcome = quick("sweep", "fratricide", "-n", 4, *QUICK, "--trials", 1, "--store", "")
    assert outcome.code == 2
    assert "1 of 1 trials" not in outcome.stderr


FRATRICIDE = '[[sweep]]\nprotocol = "fratricide"\nn = 4\n'
P_RL = FRATRICIDE.replace("fratricide", "p_rl")


# the plan, what the sentence must quote, what it must advise
WRITTEN = {
    "empty": ("", "plan.toml", "add one with protocol"),
    "no TOML": ("protocol: fratricide", "plan.toml", "TOML"),
    "a single table": ('[sweep]\nprotocol = "fratricide"\n', "plan.toml", "[[sweep]]"),
    "a number for the tables": ("sweep = 3", "plan.toml", "[[sweep]]"),
    "numbers among the tables": ("sweep = [3]", "plan.toml", "[[sweep]]"),
    "no table": ("trials = 3", "plan.toml", "[[sweep]]"),
    "an unknown key": (f"trails = 3\n{FRATRICIDE}", "'trails'", "did you mean trials"),
    "an unknown key of a table": (f"{FRATRICIDE}strat = 1", "'strat'", "did you mean start"),
    "a key at the wrong place": (f"{FRATRICIDE}trials = 3", "'trials'", "unknown option"),
    "a key of a single run": (f"{FRATRICIDE}record = ['leaders']", "'record'", "known: engine"),
    "no size": ('[[sweep]]\nprotocol = "fratricide"', "-n", "like -n 1000"),
    "no sizes": (f"{FRATRICIDE}".replace("4", "[]"), "[[sweep]] 1", "at least one value"),
    "no starts": (f"{FRATRICIDE}start = []", "empty list", "at least one value"),
    "no values": (f"{P_RL}params = {{N = []}}", "empty list", "at least one value"),
    "no protocols": ("[[sweep]]\nprotocol = []\nn = 4", "empty list", "at least one value"),
    "a truth for a size": (FRATRICIDE.replace("4", "true"), "= True is", "like 1000"),
    "a date for a size": (FRATRICIDE.replace("4", "2026-01-01"), "'2026-01-01'", "like 1000"),
    "a list in a list": (FRATRICIDE.replace("4", "[4, [5]]"), "'[5]'", "like 1000"),
    "half an agent": (FRATRICIDE.replace("4", "4.5"), "= 4.5 is", "like 1000"),
    "a number for a protocol": (FRATRICIDE.replace('"fratricide"', "3"), "'3'", "known: a_k"),
    "a number for parameters": (f"{P_RL}params = 8", "params = 8", "{N = 8}"),
    "a truth for a parameter": (f"{P_RL}params = {{N = true}}", "'True'", "like 1000"),
    "half a parameter": (f"{P_RL}params = {{N = 8.5}}", "'8.5'", "like 1000"),
    "a table for a parameter": (f"{P_RL}params = {{N = {{m = 1}}}}", "N is a table", "a list of values"),
    "a number for a start": (f"{FRATRICIDE}start = 3", "'3'", "known: all_leaders"),
    "a number for a graph": (f"{FRATRICIDE}graph = 3", "'3'", "known: complete"),
    "a number for faults": (f"{FRATRICIDE}faults = 3", "'3'", "STEP:K"),
    "a number for identifiers": (FRATRICIDE.replace("fratricide", "infection") + "ids = 7", "1 id", "one for each"),
    "a truth for a limit": (f"{FRATRICIDE}max_steps = true", "= True is", "like 1000"),
    "a word for trials": (f'trials = "many"\n{FRATRICIDE}', "'many'", "like 1000"),
    "half a trial": (f"trials = 2.5\n{FRATRICIDE}", "= 2.5 is", "like 1000"),
    "half a seed": (f"seed = 2.5\n{FRATRICIDE}", "= 2.5 is", "like 7"),
    "a truth for jobs": (f"jobs = true\n{FRATRICIDE}", "= True is", "like 1000"),
    "a list for a precision": (f"precision = [1]\n{FRATRICIDE}", "'[1]'", "like 1% or 0.01"),
    "the second table": (f"{FRATRICIDE}{FRATRICIDE.replace('4', '1')}", "[[sweep]] 2: n = 1", "n >= 2"),
    "a file that is not beside it": (FRATRICIDE.replace("fratricide", "mine.py:Mine"), "mine.py", "./mine.py:Mine"),
}
WRITTEN |= {
    "no protocol": ("[[sweep]]\nn = 4", "no protocol", 'protocol = "p_ll"'),
    "a number for a goal": (f"{FRATRICIDE}until = 3", "3", "known: leader"),
    "a number for an engine": (f"{FRATRICIDE}engine = 3", "3", "known: agents"),
    "a word for a truth": (
        f'trials = 1\n{FRATRICIDE}engine = "reference"\nforce = "no"',
        "'no'",
        "true or false",
    ),
    "a word for holding": (
        f'trials = 1\n{FRATRICIDE}engine = "reference"\nmax_steps = 9\nhold = "no"',
        "'no'",
        "true or false",
    ),
    "a number for a store": (
        f'trials = 1\nstore = 3\n{FRATRICIDE}engine = "reference"',
        "3",
        "in quotes",
    ),
}


@pytest.mark.parametrize(
    ("text", "value", "remedy"),
    [
        *(pytest.param(*case, id=label) for label, case in WRITTEN.items()),
    ],
)  # fmt: skip
def test_a_mistake_in_a_plan_is_told_before_anything_is_run(
    quick: Command, here: Path, text: str, value: str, remedy: str
) -> None:
    write(here, text)
    assert_refused(quick("sweep", "plan.toml"), value, remedy)
    assert os.listdir(here) == ["plan.toml"]


@in_one_test(
    ("words", "value"),
    [
        (("plan.toml", "-n", 4), "'n'"),
        (("plan.toml", "-p", "N=4"), "'N'"),
        (("plan.toml", "--start", "random"), "'start'"),
        (("plan.toml", "--hold"), "'hold'"),
        (("plan.toml", "--fault", "5:1"), "'faults'"),
        (("plan.toml", "p_rl"), "'plan.toml'"),
        (("plan.toml", "plan.toml"), "'plan.toml'"),
    ],
    ids=str,
)
def test_what_a_plan_is_about_is_written_into_it(
    quick: Command, here: Path, words: tuple[object, ...], value: str
) -> None:
    write(here, FRATRICIDE)
    outcome = quick("sweep", *words)
    assert outcome.code == 2
    assert_refused(outcome, value, "plan")
    assert os.listdir(here) == ["plan.toml"]


def test_a_store_that_is_another_file_is_left_as_it_is(quick: Command, here: Path) -> None:
    (here / "notes.txt").write_text("do not lose this")
    assert_refused(quick("sweep", "fratricide", "-n", 4, "--store", "notes.txt"), "'notes.txt'", "another file")
    assert (here / "notes.txt").read_text() == "do not lose this"
    assert os.listdir(here) == ["notes.txt"]


@in_one_test(
    ("call", "error", "sentence"),
    [
        (partial(library.sweep, "fratricid", 4), UnknownName, "did you mean fratricide"),
        (partial(library.sweep, ["fratricide", "timr"], 4), UnknownName, "did you mean timer"),
        (partial(library.sweep, "fratricide", [4, 1]), ParameterError, "n = 1 is too small"),
        (partial(library.sweep, "fratricide", []), ParameterError, "at least one value"),
        (partial(library.sweep, "fratricide"), RunError, "Give n, like n=1000"),
        (partial(library.sweep, "fratricide", 4, N=4), ParameterError, "no parameter 'N'"),
        (partial(library.sweep, "p_rl", [4, 9], N=8), ParameterError, "N = 8"),
        (partial(library.sweep, "fratricide", 4, trials=0), ParameterError, "give 1 to"),
        (partial(library.sweep, "fratricide", 4, precision=2), ParameterError, "like 1% or 0.01"),
        (partial(library.sweep, "fratricide", 4, check=True), RunError, "sweep takes no check: it is an option of princeps.run. Leave check out."),
        (partial(library.sweep, "nowhere.toml"), RunError, "check the path"),
        pytest.param(partial(library.sweep, "fratricide", 0), ParameterError, "n = 0"),
    ],
    ids=lambda value: str(value.args + tuple(value.keywords)) if isinstance(value, partial) else "",
)  # fmt: skip
def test_from_python_mistakes_are_errors_before_anything_is_run(
    untouched: Path, call: Any, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        call()


def test_no_step_is_a_limit_too(here: Path) -> None:
    (found,) = library.sweep("fratricide", 4, max_steps=0, trials=2, jobs=1, engine="reference")
    assert found.censored == 2


def test_sizes_may_come_from_numpy(here: Path) -> None:
    import numpy as np

    assert [one.n for one in library.sweep("fratricide", np.array([3, 4]), trials=1, jobs=1, engine="reference")] == [
        3,
        4,
    ]


# -- values of the wrong type -----------------------------------------------------------------------------------------

WRONG = (
    *("1979-05-27", "1979-05-27T07:32:00Z", "07:32:00", "[1979-05-27]", "[[]]", "[[1, 2]]", "{a = 1}", "[{a = 1}]"),
    *('"a\\u0000b"', '["\\u0000"]', '[["5:1"]]', "nan", "[true]"),
)
KEYS = ("seed", "trials", "precision", "jobs")
OPTIONS = (
    *("n", "start", "until", "graph", "engine", "max_steps", "faults", "hold", "scheduler", "ids", "force", "params"),
    *("params.N", "protocol"),
)


@pytest.mark.parametrize("value", WRONG)
def test_values_of_the_wrong_type_are_refused(
    untouched: Path, tmp_path_factory: pytest.TempPathFactory, value: str
) -> None:
    folder = tmp_path_factory.mktemp("plans")
    rest = {"protocol": '"p_rl"', "n": "6", "max_steps": "10"}
    plans = [f"{key} = {value}\n[[sweep]]\nprotocol = 'p_rl'\nn = 6\n" for key in KEYS]
    for key in OPTIONS:
        lines = "".join(f"{name} = {text}\n" for name, text in {**rest, key: value}.items())
        plans.append(f"[[sweep]]\n{lines}")
    for text in plans:
        if "faults = 07:32:00" in text or "ids = 07:32:00" in text:
            continue
        with pytest.raises(PrincepsError) as told:
            library.sweep(write(folder, text))
        assert "\n" not in str(told.value), text
        assert "plan.toml" in str(told.value) or "unknown" in str(told.value) or text.split(" ")[0] in str(told.value)


@pytest.mark.parametrize("text", ["[" * 3000, "seed = " + "9" * 5000, "a = '\\u0000"], ids=["nested", "long", "open"])
def test_what_is_no_plan_at_all_is_refused(here: Path, text: str) -> None:
    with pytest.raises(RunError, match="is not TOML"):
        library.sweep(write(here, text))


def test_a_sweep_that_no_disk_holds_is_refused_before_it_begins(untouched: Path) -> None:
    with pytest.raises(StoreError, match=r"100,000,000,000 trials take at least 6.37 TiB.*lower trials") as told:
        library.sweep("fratricide", range(5, 105), trials=10**9)
    assert "give precision" in str(told.value)
