"""What every verb does with a file that is there already: its own it replaces, another only with --force, an input never."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import princeps as library
from princeps.errors import PrincepsError
from tests.cli.refusals import assert_refused
from tests.conftest import Command

MINE = """
from princeps.model import *

class Mine(PopulationProtocol):
    leader = Bit()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    @staticmethod
    def interact(a, b, p):
        if a.leader == 1 and b.leader == 1:
            b.leader = 0
"""
RUN = ("run", "./mine.py", "-n", "8", "--seed", "1", "--engine", "reference")
RING = ("run", "a_k", "--labels", "1,2,2", "-p", "k=2", "--seed", "1")
EXACT = ("exact", "./mine.py", "-n", "3", "--target", "leader", "--start", "initial")

# Each writes FILE, which ends as its key does.
WRITERS = {
    "trace.jsonl": (*RING, "--trace", "FILE"),
    "diagram.svg": (*RING, "--diagram", "FILE"),
    "diagram.png": (*RING, "--diagram", "FILE"),
    "diagram.pdf": (*RING, "--diagram", "FILE"),
    "chain.drn": (*EXACT, "--export", "FILE"),
    "chain.prism": (*EXACT, "--export", "FILE"),
    "table.csv": ("results", "store.db", "--csv", "FILE"),
    "points.csv": ("results", "store.db", "--rows", "points", "--csv", "FILE"),
    "table.parquet": ("results", "store.db", "--parquet", "FILE"),
    "figure.svg": ("plot", "store.db", "-o", "FILE", "--kind", "distribution"),
    "figure.png": ("plot", "store.db", "-o", "FILE", "--kind", "distribution"),
    "figure.pdf": ("plot", "store.db", "-o", "FILE", "--kind", "distribution"),
}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outputs")
    (folder / "mine.py").write_text(MINE)
    library.sweep(f"{folder}/mine.py", n=[4, 8], trials=3, store=str(folder / "store.db"), engine="reference", jobs=1)
    return folder


@pytest.fixture
def folder(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With a protocol and a store of its trials."""
    shutil.copytree(prepared, tmp_path / "folder")
    monkeypatch.chdir(tmp_path / "folder")
    return tmp_path / "folder"


@pytest.mark.medium
@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_is_there(quick: Command, folder: Path, name: str) -> None:
    words = [name if word == "FILE" else word for word in WRITERS[name]]
    path = folder / name
    path.write_bytes(b"precious\n")
    before = sorted(os.listdir(folder))
    assert_refused(quick(*words), f"output {name!r} is not ", "insist with --force.")
    assert path.read_bytes() == b"precious\n"
    for more in (["--force"], []):  # what was written by force is its own the next time
        done = quick(*words, *more)
        assert done.code == 0, done.stderr
        assert len(path.read_bytes()) > 100
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize("words", [("results", "store.db", "--csv", "link"), (*RUN, "-o", "link")])
def test_an_input_is_not_an_output(quick: Command, folder: Path, words: tuple[str, ...]) -> None:
    source = folder / words[1]
    before = source.read_bytes()
    for make in (Path.hardlink_to, Path.symlink_to):
        make(folder / "link", source)
        for more in ([], ["--force"]):
            assert_refused(quick(*words, *more), "output 'link' is ", "which is read here: choose another path.")
        (folder / "link").unlink()
    assert source.read_bytes() == before


def test_the_other_inputs_of_a_run(quick: Command, folder: Path) -> None:
    (folder / "ring.txt").write_text("1 2 2\n")
    (folder / "states.json").write_text('[{"leader": 1}, {"leader": 1}]')
    (folder / "graph.txt").write_text("0 1\n1 2\n")
    (folder / "pairs.txt").write_text("0 1\n")
    (folder / "weights.txt").write_text("0 1 2\n")
    two = ("run", "./mine.py", "-n", "2")
    for words, name in (
        ((*two, "--start", "file:states.json"), "states.json"),
        (("run", "./mine.py", "--graph", "graph.txt"), "graph.txt"),
        ((*two, "--pairs", "pairs.txt"), "pairs.txt"),
        ((*two, "--scheduler", "weighted:weights.txt"), "weights.txt"),
        (("run", "a_k", "--ring", "ring.txt", "-p", "k=2"), "ring.txt"),
    ):
        before = (folder / name).read_bytes()
        assert_refused(quick(*words, "--force", "-o", name), f"output {name!r} is {name!r}", "which is read here")
        assert (folder / name).read_bytes() == before
    for option in ("--trace", "--diagram"):
        (folder / "ring.svg").write_text("1 2 2\n")
        itself = ("run", "a_k", "--ring", "ring.svg", "-p", "k=2", "--force", option, "ring.svg")
        assert_refused(quick(*itself), "output 'ring.svg' is 'ring.svg'", "which is read here")
    (folder / "mine.drn").symlink_to("mine.py")
    assert_refused(quick(*EXACT, "--force", "--export", "mine.drn"), "output 'mine.drn' is ", "which is read here")
    assert (folder / "mine.py").read_text() == MINE


def test_pages_and_scripts_never_replace_the_protocol(quick: Command, folder: Path) -> None:
    (folder / "page.html").hardlink_to(folder / "mine.py")
    (folder / "graph.txt").write_text("0 1\n1 2\n")
    for name in ("mine.py", "page.html"):
        for words in (("watch", "./mine.py", "-n", "3"), ("net", "./mine.py", "-n", "3", "--transport", "memory")):
            for more in ([], ["--force"]):
                refused = quick(*words, "--seed", "1", "--save", name, *more)
                assert_refused(refused, f"output {name!r} is ", "which is read here: choose another path.")
    drawn = quick("watch", "./mine.py", "--graph", "graph.txt", "--force", "--seed", "1", "--save", "graph.txt")
    assert_refused(drawn, "output 'graph.txt' is ", "which is read here")
    session = library.session("./mine.py", 3, seed=1).step(2)
    with pytest.raises(PrincepsError, match=r"mine\.py.* is .*which is read here"):
        session.save("mine.py", force=True)
    session.save("script")
    of_script = ("watch", "./mine.py", "--script", "script", "--save")
    assert_refused(
        quick("watch", "--script", "script", "--save", "script"), "output 'script' is ", "which is read here"
    )
    assert_refused(quick(*of_script, "script"), "output 'script' is ", "which is read here")
    assert_refused(quick(*of_script, "mine.py"), "output 'mine.py' is ", "which is read here")
    (folder / "page.html").unlink()
    assert quick(*of_script, "page.html").code == 0
    assert (folder / "mine.py").read_text() == MINE


def test_results_are_appended_to_results_only(quick: Command, folder: Path) -> None:
    for count in (1, 2):
        assert quick(*RUN, "-o", "runs.jsonl").code == 0
        assert (folder / "runs.jsonl").read_text().count("\n") == count
    assert quick(*RING, "-o", "runs.jsonl").code == 0
    (folder / "notes.txt").write_text("mine\n")
    refused = quick(*RUN, "-o", "notes.txt")
    assert_refused(refused, "output 'notes.txt' is not results of princeps run", "or insist with --force.")
    assert (folder / "notes.txt").read_text() == "mine\n"
    assert quick(*RUN, "-o", "notes.txt", "--force").code == 0
    assert (folder / "notes.txt").read_text().startswith('{"protocol": "mine"')


def test_two_outputs_into_one_file(quick: Command, folder: Path) -> None:
    for words in (
        ("results", "store.db", "--csv", "x", "--parquet", "x"),
        (*RING, "--trace", "x.svg", "--diagram", "x.svg"),
        (*RING, "--trace", "x", "-o", "./x"),
    ):
        assert_refused(quick(*words), "are the same file, and both would be written", "choose two paths.")
    assert sorted(os.listdir(folder)) == ["mine.py", "store.db"]


def test_a_path_is_a_path_and_no_address(quick: Command, folder: Path) -> None:
    for name in ("a:b.parquet", "s3:x.parquet", "file:y.parquet"):
        assert quick("results", "store.db", "--parquet", name).code == 0
        assert (folder / name).read_bytes().startswith(b"PAR1")


def test_a_page(quick: Command, folder: Path) -> None:
    from tests.reports.test_pages import other

    other(folder, "claims")
    (folder / "page.html").write_text("mine\n")
    words = ("paper", "./claims.py", "--store", "papers.db", "--html", "page.html")
    assert_refused(quick(*words), "output 'page.html' is not a page of princeps paper", "insist with --force.")
    assert (folder / "page.html").read_text() == "mine\n"
    for more in (["--force"], []):
        assert quick(*words, *more).code == 0
        assert "princeps" in (folder / "page.html").read_text()


def test_scripts(folder: Path) -> None:
    session = library.session("./mine.py", 4, seed=1, engine="reference").step(3)
    (folder / "notes").write_text("mine\n")
    with pytest.raises(PrincepsError, match="'notes' is not a script of a session and would be lost"):
        session.save("notes")
    assert (folder / "notes").read_text() == "mine\n"
    session.save("notes", force=True)
    session.step(1).save("notes")
    assert library.replay("notes").steps == 4


@pytest.mark.medium
def test_the_same_in_python(folder: Path) -> None:
    (folder / "x.svg").write_text("mine\n")
    found = library.results("store.db")
    for write in (
        lambda **how: found.write_csv("x.svg", **how),
        lambda **how: found.write_parquet("x.svg", **how),
        lambda **how: library.plot("store.db", "x.svg", kind="distribution", **how),
        lambda **how: library.run("a_k", labels="1,2,2", k=2, seed=1, trace="x.svg", **how),
        lambda **how: library.run("a_k", labels="1,2,2", k=2, seed=1, diagram="x.svg", **how),
    ):
        (folder / "x.svg").write_text("mine\n")
        with pytest.raises(PrincepsError, match="insist with force=True"):
            write()
        assert (folder / "x.svg").read_text() == "mine\n"
        write(force=True)
        write()
