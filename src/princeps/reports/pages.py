"""Which files `princeps paper --html` writes: one page, or a folder with a page a paper and an index of them all."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from princeps.errors import RunError

INDEX, README = "index.html", "README.md"
SUFFIX = ".html"


def refuse_pages(path: str, papers: Sequence[Any], inputs: Sequence[str] = (), force: bool = False) -> None:
    """A wrong path is refused before hours of work; nothing is left behind."""
    from princeps.model.files import PAGE, Output, writable

    if any(paper.exhibits for paper in papers) and find_spec("matplotlib") is None:
        raise RunError("the charts of a page need matplotlib: install it with pip install 'princeps[plot]'.")
    above = os.path.dirname(os.path.abspath(path))
    if not path.strip():
        raise RunError(f"--html {path!r} names nothing: give a folder, or a file like out.html for one paper.")
    if not os.path.isdir(above):
        raise RunError(
            f"--html {path!r} would stand in {above!r}, which is no folder: make it, or choose another path."
        )
    if is_file(path):
        if len(papers) != 1:
            raise RunError(
                f"--html {path!r} is one file, and there are {len(papers)} papers: give a folder, or name one paper."
            )
        Output(path, PAGE, inputs, force).check()
    elif not os.path.lexists(path):
        with writable(path):
            os.mkdir(path)
            os.rmdir(path)
    elif not os.path.isdir(path):
        raise RunError(f"--html {path!r} is a file and no folder: choose another, or end it with .html for one page.")
    else:
        for name in (*_names(papers), INDEX, README):
            Output(os.path.join(path, name), PAGE, inputs, force).check()
    _names(papers)


def write_pages(
    path: str,
    pages: Sequence[tuple[Any, Any, Any]],
    *,
    what: Sequence[str] = (),
    full: bool = False,
    seed: int = 0,
    seconds: Sequence[float] = (),
    inputs: Sequence[str] = (),
    force: bool = False,
) -> None:
    """One self-contained page a paper; in a folder also an index of them all. `what` is what the user typed, `seconds` what the
    evidence of each took.

    The index of a folder that lists other pages as well stays as it is.
    """
    from princeps.model.files import PAGE, Output, writable
    from princeps.model.machine import say
    from princeps.reports.html import page
    from princeps.reports.index import index
    from princeps.reports.markdown import readme
    from princeps.reports.wording import PaperReport, command_of, effort_text

    names = _names([paper for paper, _, _ in pages])
    single = is_file(path)
    own: list[float | None] = [*seconds] if seconds else [None] * len(pages)
    efforts = [effort_text(full, one) for one in own]
    effort = effort_text(full, sum(seconds) if seconds else None)
    reports = [
        PaperReport(paper, findings, exhibits, command_of(_own(paper, what), name, full=full, seed=seed), effort)
        for (paper, findings, exhibits), name, effort in zip(pages, names, efforts, strict=True)
    ]
    files = {name: page(report) for report, name in zip(reports, names, strict=True)}
    if single:
        (text,) = files.values()
        with Output(path, PAGE, inputs, force).replacing() as write:
            write(text.encode("utf-8", "backslashreplace"))
        return
    command = command_of(what, os.path.basename(os.path.abspath(path)), full=full, seed=seed)
    others = _pages_of_others(path, names)
    if others:  # an index without them would lose them
        say(
            f"{INDEX} and {README} of {path!r} list {', '.join(others)} as well and stay as they are: "
            "name all papers together to write them anew."
        )
    else:
        files[INDEX] = index(reports, names, command, effort)
        files[README] = readme(reports, names, command, effort)
    with writable(path):
        os.makedirs(path, exist_ok=True)
    for name, text in files.items():
        with Output(os.path.join(path, name), PAGE, inputs, force).replacing() as write:
            write(text.encode("utf-8", "backslashreplace"))


def _pages_of_others(path: str, names: Sequence[str]) -> list[str]:
    """Pages that the index of a folder lists, that are there, and that are not written now."""
    try:
        with open(os.path.join(path, INDEX), encoding="utf-8", errors="replace") as file:
            listed = re.findall(r'href="([^"#/]+\.html)"', file.read())
    except OSError:
        return []
    return [name for name in listed if name not in names and os.path.isfile(os.path.join(path, name))]


def is_file(path: str) -> bool:
    return path.lower().endswith((SUFFIX, ".htm")) and not os.path.isdir(path)


def _names(papers: Sequence[Any]) -> list[str]:
    """Of the pages; an id that makes no file name of its own is refused."""
    names: list[str] = []
    for paper in papers:
        name = re.sub(r"[^\w.-]+", "-", paper.id).strip(".") + SUFFIX
        if name.lower() in (INDEX, SUFFIX, *(other.lower() for other in names)):
            raise RunError(f"paper {paper.id!r} would be {name!r} among the pages, as another: give it another id.")
        names.append(name)
    return names


def _own(paper: Any, what: Sequence[str]) -> list[str]:
    """Of what the user typed, the words that mean this paper."""
    return [word for word in what if word in (paper.file, paper.id) or word.startswith(f"{paper.id}.")] or [paper.id]
