"""A point is the same in every process, folder and file; its trials' seeds come from it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import princeps as library
from princeps.campaign.identity import point_seed
from tests.campaign.identity_tools import (
    CLOSURE,
    GOLDEN,
    GOLDEN_SEED,
    LAW,
    Identify,
    form,
    fresh_numbers,
    point,
)
from tests.tables import in_one_test

# -- files beside the protocol's --------------------------------------------------------------------------------------


def test_a_graph_file_is_known_by_its_edges(tmp_path: Path) -> None:
    def of(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return point("infection", n=None, graph=str(tmp_path / name)).id

    square = of("square.txt", "0 1\n1 2\n2 3\n3 0\n")
    assert of("other.txt", "3 0  # the last\n\n2,3\n1 2\n0 1\n") == square
    assert of("turned.txt", "1 0\n2 1\n3 2\n0 3\n") == square
    assert of("arcs.txt", "0 > 1\n1 > 0\n1 2\n2 3\n3 0\n") == square
    different = {
        of("chord.txt", "0 1\n1 2\n2 3\n3 0\n0 2\n"),
        of("relabelled.txt", "0 2\n2 1\n1 3\n3 0\n"),
        of("directed.txt", "0 > 1\n1 2\n2 3\n3 0\n"),
        of("ring.txt", "0 > 1\n1 > 2\n2 > 3\n3 > 0\n"),
        square,
    }
    assert len(different) == 5
    assert point("infection", n=4, graph="ring").id == point("infection", n=None, graph=str(tmp_path / "ring.txt")).id


def test_a_graph_that_every_trial_draws_is_known_by_its_law(identify: Identify) -> None:
    made = point("infection", n=8, graph="regular:3")
    assert made.id == point("infection", n=8, graph="regular:3", ids=None).id
    assert "arcs" not in str(made.content["graph"])


def test_a_listed_start_is_known_by_its_states(identify: Identify, tmp_path: Path) -> None:
    def of(text: str) -> str:
        path = tmp_path / f"states{next(fresh_numbers)}.json"
        path.write_text(text)
        return identify(LAW, n=2, start=f"file:{path}")

    first = of('[{"leader": 1, "x": 0}, {"leader": 0, "x": 2}]')
    assert of('[\n {"x":0, "leader":1},\n {"x":2, "leader":0}\n]\n') == first
    assert identify(LAW, n=2, start="states:1,0;0,2") == first
    assert identify(LAW, n=2, start='json:[{"leader": 1, "x": 0}, {"leader": 0, "x": 2}]') == first
    assert of('[{"leader": 0, "x": 2}, {"leader": 1, "x": 0}]') != first
    assert of('[{"leader": 1, "x": 1}, {"leader": 0, "x": 2}]') != first


# -- everywhere the same ----------------------------------------------------------------------------------------------


def elsewhere(specs: list[str], folder: Path, hash_seed: str) -> list[str]:
    """The ids of these protocols, in a process of its own that was started in this folder."""
    code = (
        "import sys\nfrom princeps.campaign.point import make_point\nfrom princeps.errors import ProtocolError\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n"
        "        print(make_point(name, 6, {}, {'hold': False}, {}).id)\n"
        "    except ProtocolError:\n"
        "        print('refused')"
    )
    line = [sys.executable, "-c", code, *specs]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(line, capture_output=True, text=True, check=True, cwd=folder, env=environment).stdout.split()


def test_the_ids_of_the_library_are_all_different() -> None:
    names = library.library("population")
    assert len({point(name).id for name in names}) == len(names) >= 11


def test_the_ids_are_those_that_are_written_down() -> None:
    assert {name: point(name).id for name in GOLDEN} == GOLDEN


@pytest.mark.medium
def test_neither_the_process_nor_its_folder_matters(identify: Identify, tmp_path: Path) -> None:
    expected = [identify(LAW, file="mine.py"), identify(form(TOP=CLOSURE, START="some(2)"), file="form.py")]
    expected += [point("p_rl").id, point("p_pl").id]
    library_names = ["p_rl", "p_pl"]
    (tmp_path / "deeper").mkdir()
    assert elsewhere(["mine.py:Mine", "form.py", *library_names], tmp_path, "1") == expected
    assert elsewhere(["../mine.py", f"{tmp_path}/form.py", *library_names], tmp_path / "deeper", "2") == expected


FOREIGN = {
    "an attribute of a class": ("class K:\n    LIMIT = WHAT", "b.x = K.LIMIT"),
    "a member of an enumeration": ("from enum import IntEnum\nclass K(IntEnum):\n    LIMIT = WHAT", "b.x = K.LIMIT"),
    "a function of a class": ("class K:\n    @staticmethod\n    def f():\n        return WHAT", "b.x = K.f()"),
    "a helper that is cached": ("@cache\ndef f():\n    return WHAT", "b.x = f()"),
    "a list of functions": ("def f():\n    return WHAT\nTABLE = [f]", "b.x = TABLE[0]()"),
    "a set of words": ("WORDS = {'one', 'two', 'three', 'four', 'five'} | {'WHAT'}", "b.x = len(WORDS)"),
}


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """For each of them three ids: with 1, with 1 in another folder and process, with 2 in the first folder."""
    found = []
    base = tmp_path_factory.mktemp("foreign")
    for what, folder, hash_seed in (("1", "here", "1"), ("1", "there", "2"), ("2", "here", "1")):
        (base / folder).mkdir(exist_ok=True)
        for k, (top, rule) in enumerate(FOREIGN.values()):
            (base / folder / f"mine{k}.py").write_text(form(TOP=top, RULE=rule).replace("WHAT", what))
        found.append(elsewhere([f"mine{k}.py" for k in range(len(FOREIGN))], base / folder, hash_seed))
    return {label: list(ids) for label, *ids in zip(FOREIGN, *found, strict=True)}


@pytest.mark.medium
@in_one_test(
    "label",
    [*FOREIGN],
)
def test_whatever_a_rule_uses_has_one_meaning_in_all_processes(label: str, foreign: dict[str, list[str]]) -> None:
    """It may be refused; but if it is accepted, then by its content, else a sweep never finds its own trials again."""
    one, again, other = foreign[label]
    assert one == again
    assert one == "refused" or one != other


# -- seeds ------------------------------------------------------------------------------------------------------------


def test_a_trial_s_seed_comes_from_campaign_and_point() -> None:
    one, other = point("fratricide"), point("fratricide", n=7)
    assert one.seed(3) == point_seed(3, one.id) == point("fratricide", engine="reference").seed(3)
    assert len({one.seed(0), one.seed(1), one.seed(-1), other.seed(0), other.seed(1)}) == 5
    assert all(0 <= one.seed(seed) < 2**48 for seed in range(100))
    assert point_seed(0, "0" * 20) == GOLDEN_SEED


def test_all_sizes_of_a_protocol_have_one_rule() -> None:
    """By which the points of a series are found, and told from those of another protocol or goal."""
    rules = {point("p_pl", n=n, params={"c": c}).rule for n in (6, 60) for c in (1, 2)}
    assert len(rules) == 1
    assert rules.isdisjoint({point("p_pl", until="leader").rule, point("timer").rule})
