"""The whole way from the repository to the site."""

from __future__ import annotations

import shutil
from pathlib import Path

from sitebuilder.api_pages import write_api_pages
from sitebuilder.claims import errata_page
from sitebuilder.command_pages import write_command_pages
from sitebuilder.essays import write_why_exact
from sitebuilder.links import problems
from sitebuilder.navigation import Part, contents, first_page, parts
from sitebuilder.notebooks import notebook_files, write_notebook
from sitebuilder.places import STAGE, THEME
from sitebuilder.protocol_pages import link_library, write_protocol_pages
from sitebuilder.staging import EXTRA, Stage, copy_docs, write_examples


def stage_pages(folder: Path = STAGE) -> Stage:
    """Everything that Sphinx reads."""
    stage = Stage(folder)
    copy_docs(stage)
    link_library(stage)
    write_examples(stage)
    notebooks = [write_notebook(stage, path) for path in notebook_files()]
    write_why_exact(stage)
    stage.write("errata.md", errata_page())
    navigation = parts(notebooks, write_protocol_pages(stage), write_api_pages(stage), write_command_pages(stage))
    refuse_missing(stage, navigation)
    stage.write("index.md", first_page(navigation))
    for part in navigation:
        for page, pages in part.below.items():
            stage.append(f"{page}.md", contents(pages))
    stage.write_files()
    return stage


def refuse_missing(stage: Stage, navigation: list[Part]) -> None:
    """Every page is in the navigation, and everything in the navigation is a page."""
    named = [page for part in navigation for page in part.all_pages]
    staged = {path.relative_to(stage.folder).with_suffix("").as_posix() for path in stage.folder.rglob("*.md")}
    odd = set(named) ^ {page for page in staged if not page.startswith(("files/", EXTRA))}
    if odd or len(named) != len(set(named)):
        raise SystemExit(
            f"sitebuilder/navigation.py and the pages differ in {', '.join(sorted(odd)) or 'a page twice'}."
        )


def build(output: Path, pages: Path = STAGE) -> int:
    """0, or 1 after a warning of Sphinx, a link that leads nowhere or a part of a page that is on another host.

    `pages`: where the sources are gathered, a folder of its own for each build at the same time.
    """
    stage = stage_pages(pages)
    code = build_html(stage.folder, output)
    if code == 0:
        print(f"The site is in {output}: open {output / 'index.html'} in a browser.")
    return code


def build_html(pages: Path, output: Path) -> int:
    """Every problem is printed."""
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    shutil.rmtree(output, ignore_errors=True)
    with patch_docutils(THEME), docutils_namespace():  # what a build registers is gone before the next one
        app = Sphinx(
            srcdir=pages,
            confdir=THEME,
            outdir=output,
            doctreedir=pages.parent / f"{pages.name}-doctrees",
            buildername="html",
            confoverrides={"html_extra_path": [str(pages / EXTRA)] if (pages / EXTRA).exists() else []},
            freshenv=True,
            warningiserror=True,
        )
        app.build()
    found = problems(output)
    for problem in found:
        print(problem)
    return int(app.statuscode != 0 or bool(found))
