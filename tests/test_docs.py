"""The pages lead somewhere, name nothing that does not exist, and the architecture is what they say."""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path

import pytest

from princeps.cli import VERBS
from sitebuilder.links import anchors, is_elsewhere, targets
from sitebuilder.notebooks import notebook_files
from tests.conftest import Command
from tests.pages import INDEX, README, ROOT, written_pages
from tests.test_architecture import INSIDE, OUTSIDE, SOURCE

sys.path.append(str(ROOT / "verification"))

from architecture import PICTURE, read_rooms, read_table  # type: ignore[import-not-found]
from layered_drawing import draw  # type: ignore[import-not-found]

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
REFERENCE = re.compile(r"`((?:\w+/)*\w+\.py)(?::([\w.]+))?`")


def test_the_pages_do_have_links() -> None:
    assert sum(len(targets(page.read_text())) for page in PAGES) > 40


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_page_and_an_anchor_of_it(page: Path) -> None:
    assert broken_links(page) == []


def test_links_that_lead_nowhere_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# Title\n\n## Two `words`, here\n")
    page = tmp_path / "a.md"
    page.write_text(
        "[1](b.md#two-words-here) [2](b.md#two) [3](c.md) [4](#none) [5](https://x.org)\n```\n[6](d.md)\n```\n"
    )
    assert broken_links(page) == ["b.md#two", "c.md", "#none"]


@pytest.mark.parametrize("page", notebook_files(), ids=lambda page: page.name)
def test_the_links_of_a_notebook_lead_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def words_of(page: Path) -> str:
    if page.suffix != ".ipynb":
        return page.read_text()
    cells = json.loads(page.read_text())["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def broken_links(page: Path) -> list[str]:
    found = []
    for target in targets(words_of(page)):
        place, _, anchor = target.partition("#")
        there = page.parent / place if place else page
        if not is_elsewhere(target) and not (
            there.exists() and (not anchor or there.suffix != ".md" or anchor in anchors(there.read_text()))
        ):
            found.append(target)
    return found


def test_the_index_lists_every_page() -> None:
    listed = set(re.findall(r"^\| \[.*?\]\((\S+)\)", INDEX.read_text(), re.MULTILINE))
    notebooks = {f"../examples/{path.name}" for path in (ROOT / "examples").glob("*.ipynb")}
    pages = {page.name for page in INDEX.parent.iterdir() if page.suffix in (".md", ".ipynb")}
    assert listed == pages - {INDEX.name} | {"papers/README.md", "tables/README.md"} | notebooks


def test_every_option_on_a_page_exists(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    options = {verb: set(OPTION.findall(quick(verb, "--help").stdout)) | {"--version"} for verb in VERBS}
    own = set(OPTION.findall(quick("--help").stdout))
    assert "--until" in options["run"]
    unknown = []
    for page in written_pages():
        text = page.read_text()
        for verb, rest in re.findall(r"princeps ([a-z]+)([^`\n]*)", text):
            unknown += [
                (page.name, verb, option) for option in OPTION.findall(rest) if option not in options.get(verb, ())
            ]
        known = set().union(*options.values(), own)
        unknown += [(page.name, "", option) for option in OPTION.findall(text) if option not in known]
    assert unknown == []


def test_every_make_target_on_a_page_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        (page.name, target)
        for page in (*written_pages(), INDEX, ROOT / "CONTRIBUTING.md")
        for target in re.findall(r"(?:`|^)make ([a-z-]+)", page.read_text(), re.MULTILINE)
    }
    assert {entry for entry in named if entry[1] not in targets} == set()
    assert (README.name, "run") in named


@pytest.mark.parametrize("page", [*written_pages(), ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_every_source_file_and_function_on_a_page_exists(page: Path) -> None:
    """`api/run.py:run` names a function, `engines/population.py:Population.advance` a method."""
    missing = []
    for file, name in REFERENCE.findall(page.read_text()):
        path = next((place / file for place in (SOURCE, ROOT) if (place / file).exists()), None)
        if "/" in file and (path is None or (name and name not in defined(path))):
            missing.append(f"{file}:{name}")
    assert missing == []


def defined(path: Path) -> set[str]:
    """What a file defines at the top level, and the methods and attributes of its classes."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        names = _names(node)
        found |= names
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{name}" for inner in node.body for name in _names(inner)}
    return found


def _names(node: ast.stmt) -> set[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def test_the_import_table_of_the_page_is_the_one_that_is_tested() -> None:
    table = read_table()
    assert {room: set(rule.inside) for room, rule in table.items()} == INSIDE
    assert {room: set(rule.outside) for room, rule in table.items() if rule.outside} == OUTSIDE


@pytest.mark.medium
def test_the_picture_shows_the_imports_as_they_are() -> None:
    assert draw(read_rooms()) == PICTURE.read_text(), "the imports have changed: make architecture draws them again"
