"""The commands and examples on the pages do what the pages show.

Everything runs in this process, where kernels that one page has loaded serve the next one.
"""

from __future__ import annotations

import doctest
import shlex
import sys
from pathlib import Path

import pytest

from tests.conftest import Command, with_slow
from tests.pages import README, ROOT, Block, Shown, blocks, commands, written_pages

BLOCKS = [block for page in written_pages() for block in blocks(page)]
CONSOLE = [block for block in BLOCKS if block.kind == "console"]
PYTHON = [block for block in BLOCKS if block.kind == "python" and block.text.startswith(("import ", "from ", ">>>"))]


def first_line(block: Block) -> str:
    return f"{block.page.name}: {block.text.splitlines()[0]}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, as wide as the pages."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


def takes_long(block: Block) -> bool:
    """Workers are started, and each is a process that imports what it needs."""
    return any(word in block.text for word in ("princeps sweep", "--jobs", "princeps paper"))


def write_files(page: Path, folder: Path) -> list[str]:
    """The files that a page shows; their names."""
    found = [block for block in BLOCKS if block.page == page and block.file is not None]
    for block in found:
        (folder / str(block.file)).write_text(block.text)
    return [str(block.file) for block in found]


@pytest.mark.medium
@pytest.mark.parametrize("block", with_slow(CONSOLE, takes_long), ids=first_line)
def test_a_command_prints_what_the_page_shows(block: Block, folder: Path, quick: Command) -> None:
    write_files(block.page, folder)
    assert commands(block)
    for shown in commands(block):
        check(shown, quick)


def check(shown: Shown, quick: Command) -> None:
    words = shlex.split(shown.command, comments=True)
    assert words[0] == "princeps"
    done = quick(*words[1:])
    assert done.code == shown.code, done.stderr
    printed = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
    assert printed
    for line in shown.lines:  # `...` at the end of a line stands for what may differ
        start, dots, _ = line.partition("...")
        assert any(p.startswith(start.rstrip()) if dots else p == line for p in printed), (line, printed)


@pytest.mark.medium
@pytest.mark.parametrize("page", sorted({block.page for block in PYTHON}), ids=lambda page: page.name)
def test_the_python_examples_of_a_page_run(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(folder)  # where the page's files are
    for name in write_files(page, folder):
        monkeypatch.delitem(sys.modules, name.removesuffix(".py"), raising=False)
    space: dict[str, object] = {"__name__": "example"}
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    for block in (block for block in PYTHON if block.page == page):
        if block.text.startswith(">>>"):
            example = parser.get_doctest(block.text, space, page.name, str(page), 0)
            runner.run(example, clear_globs=False)
            space = example.globs
        else:
            exec(block.text, space)
    assert runner.summarize(verbose=False).failed == 0


def test_the_readme_fits_its_purpose() -> None:
    text = README.read_text()
    assert len(text.splitlines()) <= 150
    assert "make run " in text
    assert "make test " in text
