"""Outputs: never over an input, over somebody else's file only by force, whole or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from princeps.errors import RunError
from princeps.model.files import (
    CHAIN,
    FIGURE,
    LOOKED_AT,
    PAGE,
    RESULTS,
    SCRIPT,
    TABLE,
    TRACE,
    Kind,
    Output,
    refuse_same,
    same_file,
)

NOTES = Kind("a note", re.compile(rb"\A#note\n"))
OURS, THEIRS = b"#note\nold\n", b"something else\n"


def replace(path: Path, content: bytes = b"#note\nnew\n", inputs: Sequence[str] = (), **rules: Any) -> None:
    with Output(str(path), NOTES, inputs, **rules).replacing() as write:
        write(content[:3])
        write(content[3:])


def stopped(path: Path, kind: type[BaseException]) -> None:
    with Output(str(path), NOTES, ()).replacing() as write:
        write(b"half")
        raise kind


def test_a_new_file_an_empty_one_and_our_own_are_written(tmp_path: Path) -> None:
    for old in (None, b"", OURS):
        if old is not None:
            (tmp_path / "x").write_bytes(old)
        replace(tmp_path / "x")
        assert (tmp_path / "x").read_bytes() == b"#note\nnew\n"
    assert os.listdir(tmp_path) == ["x"]


def test_a_file_of_somebody_else_is_replaced_only_by_force(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(THEIRS)
    for attempt in (Output(str(path), NOTES, ()).check, lambda: replace(path)):
        with pytest.raises(RunError, match=r"is not a note and would be lost: .*force=True\.$"):
            attempt()
    assert path.read_bytes() == THEIRS
    replace(path, force=True)
    assert path.read_bytes() == b"#note\nnew\n"


def test_the_mark_may_stand_at_the_end_of_a_long_file(tmp_path: Path) -> None:
    kind = Kind("a note", re.compile(rb"written by us"))
    path = tmp_path / "x"
    for gap, is_found in ((0, True), (1, True), (3 * LOOKED_AT, True)):
        path.write_bytes(bytes(gap) + b"written by us" + bytes(5))
        assert Output(str(path), kind, ())._may_be_changed() is is_found
    path.write_bytes(bytes(2 * LOOKED_AT) + b"written by us" + bytes(2 * LOOKED_AT))
    assert not Output(str(path), kind, ())._may_be_changed()


@pytest.mark.parametrize("link", ["itself", "symbolic", "hard", "by another way"])
def test_an_input_is_never_written_not_even_by_force(tmp_path: Path, link: str) -> None:
    source = tmp_path / "source"
    source.write_bytes(OURS)
    path = source if link == "itself" else tmp_path / "link"
    if link == "symbolic":
        path.symlink_to(source)
    elif link == "hard":
        path.hardlink_to(source)
    elif link == "by another way":
        (tmp_path / "folder").mkdir()
        path = tmp_path / "folder" / ".." / "source"
    output = Output(str(path), NOTES, [str(source)], force=True)
    for attempt in (output.check, lambda: replace(path, inputs=[str(source)], force=True)):
        with pytest.raises(RunError, match="which is read here: choose another path"):
            attempt()
    with pytest.raises(RunError, match="which is read here"), output.appending():
        pass
    assert source.read_bytes() == OURS


def test_two_outputs_that_are_one_file(tmp_path: Path) -> None:
    (tmp_path / "there").symlink_to(tmp_path / "new")
    new, link = str(tmp_path / "new"), str(tmp_path / "there")
    for two in ((new, new), (new, link), (f"{tmp_path}/./new", new)):
        with pytest.raises(RunError, match="are the same file, and both would be written"):
            refuse_same(two)
    refuse_same([new, None, str(tmp_path / "other"), os.devnull, os.devnull])
    assert not same_file("/dev/null", "/dev/null")


def test_an_exception_leaves_everything_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(OURS)
    for path in (tmp_path / "x", tmp_path / "y"):
        for kind in (ValueError, KeyboardInterrupt):
            with pytest.raises(kind):
                stopped(path, kind)
    assert os.listdir(tmp_path) == ["x"]
    assert (tmp_path / "x").read_bytes() == OURS


def test_a_full_disk_leaves_everything_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "x").write_bytes(OURS)
    for call in ("fsync", "replace"):
        with monkeypatch.context() as broken:
            broken.setattr(os, call, full)
            with pytest.raises(RunError, match=r"'.*/x' cannot be written: No space left on device\. Choose another"):
                replace(tmp_path / "x")
    assert os.listdir(tmp_path) == ["x"]
    assert (tmp_path / "x").read_bytes() == OURS


def test_permissions_and_links_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(OURS)
    path.chmod(0o640)
    (tmp_path / "link").symlink_to(path)
    replace(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"#note\nnew\n", 0o640)
    before = os.umask(0o027)
    try:
        replace(tmp_path / "new")
    finally:
        os.umask(before)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640


def test_a_file_in_a_folder_in_which_nothing_can_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x").write_bytes(OURS)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    replace(tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == b"#note\nnew\n"
    with pytest.raises(KeyboardInterrupt):
        stopped(tmp_path / "x", KeyboardInterrupt)
    assert (tmp_path / "x").read_bytes() == b"#note\nnew\n"


def test_devices_and_pipes_are_written_directly(tmp_path: Path) -> None:
    replace(Path(os.devnull))
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    replace(tmp_path / "pipe")
    assert os.read(reader, 100) == b"#note\nnew\n"
    os.close(reader)
    with pytest.raises(RunError, match=r"'/dev/full' cannot be written: No space left"):
        replace(Path("/dev/full"))
    with pytest.raises(RunError, match="Is a directory"):
        replace(tmp_path)


def test_paths_that_are_none(tmp_path: Path) -> None:
    for path in ("", "a\0b", str(tmp_path / "no" / "x"), "x" * 300):
        for attempt in (Output(path, NOTES, ()).check, Output(path, NOTES, ()).appending().__enter__):
            with pytest.raises(RunError, match="output "):
                attempt()


# -- lines at the end of a file ----------------------------------------------------------------------------------------


def append(path: Path, *lines: bytes) -> None:
    with Output(str(path), NOTES, ()).appending() as write:
        for line in lines:
            write(line)


def test_lines_are_appended_to_our_own_files_only(tmp_path: Path) -> None:
    path = tmp_path / "x"
    append(path)
    assert path.read_bytes() == b""
    append(path, b"#note\n", b"a\n")
    append(path, b"b\n")
    assert path.read_bytes() == b"#note\na\nb\n"
    path.write_bytes(THEIRS)
    with pytest.raises(RunError, match="is not a note and would be lost: choose another path, or insist"):
        append(path, b"c\n")
    assert path.read_bytes() == THEIRS


def test_a_line_that_was_cut_off_does_not_spoil_the_next(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"#note\ncut o")
    append(path, b"whole\n")
    assert path.read_bytes() == b"#note\ncut o\nwhole\n"


def test_a_line_is_appended_whole_or_not_at_all(tmp_path: Path) -> None:
    import resource
    import signal

    path = tmp_path / "x"
    append(path, b"#note\n")
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
        with pytest.raises(RunError, match="File too large"):
            append(path, b"0123456789\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert path.read_bytes() == b"#note\n"


# -- the kinds ---------------------------------------------------------------------------------------------------------


def test_no_kind_takes_a_protocol_a_text_or_a_store_for_its_own() -> None:
    foreign = [
        b"from princeps.model import *\n\nclass Mine(PopulationProtocol):\n    pass\n",
        b'{"protocol": 3}',
        b'{"n": 3, "protocol": "p_ll"}\n',
        b"SQLite format 3\0" + bytes(80) + b"princeps",
        b"<?xml version='1.0'?><svg><!-- princeps --></svg>",
        b"# Notes about princeps\n",
        b"%PDF-1.4 /Creator (Matplotlib v3.9)",
        b"protocol,n,steps\np_ll,3,4\n",
    ]
    for kind in (RESULTS, TRACE, SCRIPT, TABLE, FIGURE, CHAIN, PAGE):
        assert not [content for content in foreign if kind.mark.search(content)], kind.name
