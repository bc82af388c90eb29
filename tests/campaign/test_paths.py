"""A path is a path: not an address, and in whatever bytes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.errors import RunError, StoreError
from tests.campaign.plan_tools import write
from tests.campaign.stored_rows import a_row, stored
from tests.campaign.sweep_tools import rows_of, swept
from tests.conftest import Command

NO_UTF8 = os.fsdecode(b"st\xffore.db")
NAMES = ("file:store.db", "store.db?mode=ro", "file:///store.db?mode=memory#x", "s3:store.db", "50%41.db", "a b'c.db")
in_bytes = pytest.mark.skipif(sys.platform != "linux", reason="paths are texts here")


@pytest.mark.medium
@pytest.mark.parametrize("name", [*NAMES, pytest.param(NO_UTF8, marks=in_bytes)])
def test_a_store_is_where_its_path_says(quick: Command, here: Path, on_the_spot: None, name: str) -> None:
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    swept("fratricide", [5, 6, 7], name, trials=4)
    assert os.path.isfile(name)
    assert len(rows_of(name)) == 12
    swept("fratricide", [5, 6, 7], name, trials=5)
    assert quick("results", name, "--json").objects[0]["trials"] == 5
    assert library.merge(name, output=f"{name}.merged").trials == 15
    assert library.fit(name)[0].protocol == "fratricide"
    library.plot(name, "x.svg")
    files = {file for _, _, files in os.walk(here) for file in files}
    assert files == {os.path.basename(name), os.path.basename(f"{name}.merged"), "x.svg"}


@pytest.mark.parametrize("name", ["a:b", "s3://a", "file:a", pytest.param(os.fsdecode(b"a\xff"), marks=in_bytes)])
def test_tables_are_written_where_their_paths_say(here: Path, name: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    found = library.results(stored("x.db", [a_row(trial, 5) for trial in range(3)]))
    assert found.write_csv(f"{name}.csv") == found.write_parquet(f"{name}.parquet") == 3
    with open(f"{name}.parquet", "rb") as file:
        assert parquet.read_table(file).num_rows == 3
    with open(f"{name}.csv") as text:
        assert len(text.readlines()) == 4


@in_bytes
def test_plans_graphs_and_protocols_may_have_any_path(here: Path, on_the_spot: None) -> None:
    folder = os.fsdecode(b"f\xfflder")
    write(Path(folder), "0 1\n1 2\n2 0\n", "graph.txt")
    text = Path(library.protocol("fratricide", n=4).file() or "").read_text()
    write(Path(folder), text.replace("Fratricide", "Mine").replace('"fratricide"', '"mine"'), "mine.py")
    plan = write(
        Path(folder),
        "trials = 3\nstore = 's.db'\n"
        "[[sweep]]\nprotocol = 'infection'\ngraph = 'graph.txt'\nengine = 'reference'\n"
        "[[sweep]]\nprotocol = './mine.py'\nn = 4\nengine = 'reference'\n",
    )
    found = library.sweep(plan)
    assert [summary.trials for summary in found] == [3, 3]
    assert next(iter(found)).graph == "f\\udcfflder/graph.txt"
    assert len(rows_of(os.path.join(folder, "s.db"))) == 6


@pytest.mark.parametrize("path", ["a\0b", "", 5, None, ["a.db"]], ids=repr)
def test_what_is_no_path_is_refused(here: Path, path: Any) -> None:
    with pytest.raises((StoreError, RunError), match=r"path|there is no store"):
        library.results(path)
    with pytest.raises((StoreError, RunError), match=r"path|there is no store"):
        library.merge(path, output="c.db")
    assert os.listdir(here) == []


def test_paths_of_python_are_taken(here: Path) -> None:
    stored("x.db", [a_row(0, 5)])
    assert len(library.results(here / "x.db")) == 1
