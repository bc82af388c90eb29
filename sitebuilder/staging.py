"""Puts together what Sphinx reads: the pages of docs/ with their links made for the site, and generated pages."""

from __future__ import annotations

import ast
import os
import re
import shutil
from pathlib import Path

from sitebuilder.links import LINK, is_elsewhere, outside_fences
from sitebuilder.navigation import TITLES
from sitebuilder.places import DOCS, EXAMPLES, ROOT, STAGE

EXTRA = "_extra"  # copied into the site as it is
MEASURED = ("papers", "tables")  # folders of docs/ that verbs have written
TITLE = re.compile(r"^# (.*)$", re.MULTILINE)
RENAMED = {
    "README.md": "index.md",
    "docs/README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}


class Stage:
    """A folder of pages. `files` are the source files that pages link to: each becomes a page, too."""

    def __init__(self, folder: Path = STAGE) -> None:
        self.folder = folder
        self.files: set[str] = set()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def write(self, name: str, text: str) -> None:
        """A page that is generated for its place: its links are right as they are."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def append(self, name: str, text: str) -> None:
        """To the end of a page that is there."""
        path = self.folder / name
        path.write_text(f"{path.read_text(encoding='utf-8').rstrip()}\n\n{text}\n", encoding="utf-8")

    def copy_page(self, path: Path) -> None:
        """A page of the repository."""
        name = place_of(path.relative_to(ROOT).as_posix())
        assert name is not None
        text = one_title(self.linked(path.read_text(encoding="utf-8"), path, name))
        self.write(name, TITLE.sub(lambda found: f"# {title_of(name, found[1])}", text, count=1))

    def linked(self, text: str, path: Path, name: str) -> str:
        """The text of `path`, in which links lead to the pages of the site; `name` is its own."""

        def change(found: re.Match[str]) -> str:
            target, hash_sign, anchor = found[3].partition("#")
            if is_elsewhere(found[3]) or not target:
                return found[0]
            there = Path(os.path.normpath(path.parent / target)).relative_to(ROOT).as_posix()
            page = place_of(there)
            if page is None:
                self.files.add(there)
                page = f"files/{there}.md"
            link = os.path.relpath(page, os.path.dirname(name) or ".") + hash_sign + anchor
            if page.endswith(".html"):  # a page that is not made by Sphinx
                return f'<a href="{link}">{found[2]}</a>'
            words = found[2]
            if words == target and page.endswith(".md") and (ROOT / there).is_file():  # a page has a better name
                title = TITLE.search((ROOT / there).read_text(encoding="utf-8"))
                words = title_of(page, title[1] if title else words) if there.endswith(".md") else words
            return f"{found[1]}[{words}]({link})"

        return outside_fences(text, lambda part: LINK.sub(change, part))

    def write_files(self) -> None:
        """The source files that are linked to."""
        for name in sorted(self.files):
            self.write(f"files/{name}.md", file_page(name))


def title_of(page: str, heading: str) -> str:
    return TITLES.get(page.removesuffix(".md"), heading)


def one_title(text: str) -> str:
    """A page has one heading of the first level, by which the navigation calls it; others become sections."""
    title, _, rest = text.partition("\n# ") if not text.startswith("# ") else ("", "", text[2:])
    return title + ("\n" if title else "") + "# " + outside_fences(rest, lambda part: re.sub(r"(?m)^# ", "## ", part))


def place_of(path: str) -> str | None:
    """The page or picture of the site that a file of the repository becomes; None for source files."""
    if path in RENAMED:
        return RENAMED[path]
    if path.endswith(".ipynb"):
        return path.removeprefix("docs/").removesuffix(".ipynb") + ".md"
    return path.removeprefix("docs/") if path.startswith("docs/") and not path.endswith(".py") else None


def copy_docs(stage: Stage) -> None:
    folders = [DOCS, *(DOCS / folder for folder in MEASURED)]
    for page in sorted(page for folder in folders for page in folder.glob("*.md")):
        if page != DOCS / "README.md":
            stage.copy_page(page)
    for name in ("CONTRIBUTING.md", "CHANGELOG.md"):
        stage.copy_page(ROOT / name)
    shutil.copytree(DOCS / "figures", stage.folder / "figures")
    copy_measured(stage)


def copy_measured(stage: Stage) -> None:
    """The pages of `princeps paper --html` and `princeps table --html` are complete as they are; they get a way back."""
    for page in sorted(page for folder in MEASURED for page in (DOCS / folder).glob("*.html")):
        text = page.read_text(encoding="utf-8")
        back = '<p class="eyebrow"><a href="README.html">princeps: documentation</a></p>'
        name = page.relative_to(DOCS).as_posix()
        stage.write(f"{EXTRA}/{name}", re.sub(r"(<body[^>]*>)", rf"\1\n{back}", text, count=1))


def write_examples(stage: Stage) -> None:
    """A page that lists the files of examples/."""
    rows = []
    for path in sorted(EXAMPLES.glob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        stage.files.add(name)
        rows.append(f"| [{path.name}](../files/{name}.md) | {first_paragraph(path)} |")
    stage.write(
        "examples/README.md",
        "# Files to start from\n\nComplete files of `examples/`. `princeps run examples/NAME.py -n 1000` runs one; "
        "`princeps new mine.py` writes a commented file of your own.\n\n| file | what it is |\n|---|---|\n"
        + "\n".join(rows)
        + "\n",
    )


def first_paragraph(path: Path) -> str:
    doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(doc.partition("\n\n")[0].split()).replace("|", "\\|")


def file_page(name: str) -> str:
    """A source file as a page. It is in no tree of contents: links lead to it."""
    text = (ROOT / name).read_text(encoding="utf-8").rstrip("\n")
    kind = "python" if name.endswith(".py") else "text"
    return f"---\norphan: true\n---\n\n# {name}\n\n````{{code-block}} {kind}\n:linenos:\n\n{text}\n````\n"
