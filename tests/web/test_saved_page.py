"""A saved page is one file that asks nobody for anything, and whose only script is the page's own."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import RunError
from princeps.web.recording import record
from princeps.web.saved_page import SHEET_COMMENT, SavedPage, as_data, joined_modules
from princeps.web.story_page import story_page
from sitebuilder.stories import MAX_BYTES


def small() -> dict[str, Any]:
    return record(princeps.session("p_rl", n=6, seed=1, engine="reference").step(20))


def test_one_file() -> None:
    page = SavedPage(small())
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", page.text, re.DOTALL)
    assert [attributes for attributes, _ in scripts] == [' type="application/json" id="recording"', ' type="module"']
    recording, code = scripts[0][1], scripts[1][1]
    assert json.loads(recording)["steps"] == 20
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page.text)
    assert policy is not None
    own = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    assert f"script-src 'sha256-{own}'" in policy.group(1)
    assert "default-src 'none'" in policy.group(1)
    assert "unsafe" not in policy.group(1)
    assert not re.search(r"^\s*(import|export)\b", code, re.MULTILINE)
    assert "class RecordedSource" in code
    names = re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", code, re.MULTILINE)
    assert len(names) == len(set(names)) > 50  # joined modules share one scope
    addresses = set(re.findall(r"https?://[\w./-]+", page.text))
    assert addresses <= {"http://www.w3.org/2000/svg"}  # the name of a language, no address


def test_text_that_looks_like_markup() -> None:
    nasty = {"about": {"title": "</script><script>alert(1)</script><!--"}, "x": "\u2028"}
    written = as_data(nasty)
    assert "<" not in written
    assert json.loads(written) == nasty


def test_halves_of_characters_are_written_as_data(tmp_path: Path) -> None:
    recording = small()
    recording["about"]["title"] = recording["about"]["protocol"] = "a\ud83d"
    SavedPage(recording).save(str(tmp_path / "page.html"))
    assert json.loads(as_data(recording)) == recording


def test_modules_in_the_order_of_their_imports() -> None:
    texts = {
        "main.js": 'import { a } from "./a.js";\nimport { b } from "./b.js";\na(b);\n',
        "a.js": 'import { b } from "./b.js";\nexport function a(x) { return b + x; }\n',
        "b.js": "export const b = 1;\n",
    }
    joined = joined_modules(texts.__getitem__)
    assert joined.index("const b") < joined.index("function a") < joined.index("a(b)")
    texts["b.js"] = "export default 1;\n"
    with pytest.raises(RunError, match=r"b\.js of the page has 'export' in a form that cannot be joined"):
        joined_modules(texts.__getitem__)


def test_remarks_at_the_end_of_lines_are_left_out_and_texts_are_not() -> None:
    texts = 'const a = 1; // one\nconst b = "x; // y";\nconst c = `{ // ${a}`;\nf(a, // first\n  b);\n'
    assert joined_modules(lambda name: texts) == (
        '// main.js\nconst a = 1;\nconst b = "x; // y";\nconst c = `{ // ${a}`;\nf(a,\n b);\n'
    )


def test_texts_of_modules_end_in_their_lines() -> None:
    """A saved page keeps one space of an indentation."""
    assert "f(\n a,\n);" in joined_modules(lambda name: "f(\n    a,\n);\n")
    modules = [file for file in files("princeps.web").joinpath("static").iterdir() if file.name.endswith(".js")]
    odd = [line for file in modules for line in file.read_text("utf-8").splitlines() if line.count("`") % 2]
    assert len(modules) > 30
    assert odd == []


def test_files_of_others_are_kept(tmp_path: Path) -> None:
    page, path = SavedPage(small()), tmp_path / "page.html"
    path.write_text("my notes")
    with pytest.raises(RunError, match="is not a saved page of princeps watch and would be lost"):
        page.save(str(path))
    assert path.read_text() == "my notes"
    page.save(str(path), force=True)
    page.save(str(path))  # its own is replaced
    assert path.read_text() == page.text


def test_in_a_notebook() -> None:
    html = SavedPage(small())._repr_html_()
    assert html.startswith('<iframe sandbox="allow-scripts allow-downloads"')
    assert html.count("<") == 2  # the frame and its end: everything within is quoted


def test_texts_of_style_sheets_hold_no_mark_beside_which_blanks_are_left_out() -> None:
    sheets = [one for one in files("princeps.web").joinpath("static").iterdir() if one.name.endswith(".css")]
    assert len(sheets) > 2
    for sheet in sheets:
        plain = SHEET_COMMENT.sub("", sheet.read_text(encoding="utf-8"))
        assert not any(set("{};") & set(text) for text in re.findall(r'"[^"\n]*"', plain)), sheet.name


@pytest.mark.medium
def test_stories_are_small() -> None:
    sizes = {name: len(story_page(name).text.encode()) for name in ("p_rl", "p_ll_symmetric", "b_k")}
    assert max(sizes.values()) < MAX_BYTES, sizes
    page = story_page("p_rl")
    assert page.recording["about"]["command"].startswith("princeps watch --script princeps1.")
    assert len(page.recording["about"]["story"]) == 8
    assert story_page("fratricide").recording["about"]["command"] == (
        "princeps run fratricide -n 25 --start initial --until leader --seed 3"
    )
