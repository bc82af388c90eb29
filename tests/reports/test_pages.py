"""The pages of `princeps paper --html`: everything is in them, nothing comes from elsewhere, and paths are refused early."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from princeps.campaign.store import open_store
from princeps.errors import RunError
from princeps.figures.chart import chart_svg
from princeps.figures.marks import STYLES, Curve
from princeps.figures.unicode_text import with_unicode_signs
from princeps.papers.catalogue import find_papers
from princeps.papers.claims import Paper
from princeps.papers.examining import Examination, Finding
from princeps.papers.exhibits import Exhibit
from princeps.papers.verdicts import BY_STRENGTH
from princeps.reports import pages
from princeps.reports.html import legend
from princeps.reports.pages import refuse_pages, write_pages
from princeps.reports.wording import VERDICTS, effort_text, value_text
from tests.conftest import Command
from tests.tables import in_one_test

SPECIMEN = str(Path(__file__).with_name("specimen.py"))
VOID = {"meta", "br", "hr", "img", "link"}
OTHER = """
from princeps.papers import PROVED, SUPPORTED, Paper, Part, together
paper = Paper(id="{id}", title="Other | things_of_mine")

@paper.claim("{id}.<1>", "so <it> is", recorded={recorded})
def so(lab):
    return together([Part(PROVED, "so it is", 0, 0, "1 look")])
"""


def other(folder: Path, id: str = "other", recorded: str = "PROVED") -> Path:
    """A paper with one claim and no chart."""
    path = folder / f"{id}.py"
    path.write_text(OTHER.format(id=id, recorded=recorded))
    return path


class Reader(HTMLParser):
    """Tags must be balanced; collects texts, ids and what is referred to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = {name: value or "" for name, value in attrs}
        assert not [name for name in found if name.startswith("on") or name == "src"]
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if "href" in found else []
        self.links += re.findall(r"url\((#[^)]+)\)", " ".join(found.values()))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.words)).replace("\N{MINUS SIGN}", "-")


def seen(text: str) -> str:
    """A sentence as it is read on the page."""
    return re.sub(r"\s+", " ", text.replace("`", ""))


@pytest.fixture(scope="module")
def examined(tmp_path_factory: pytest.TempPathFactory) -> tuple[Paper, list[Finding], list[Exhibit]]:
    (paper,) = find_papers([SPECIMEN])
    with open_store(str(tmp_path_factory.mktemp("store") / "p.db")) as store:
        examination = Examination(store)
        return paper, list(examination.findings(paper)), examination.exhibits(paper)


@pytest.fixture(scope="module")
def page(examined: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("pages") / "out.html"
    write_pages(str(path), [examined], what=[SPECIMEN], full=True, seed=7)
    return path.read_text(encoding="utf-8")


# -- what is on a page -------------------------------------------------------------------------------------------------


@pytest.mark.medium
def test_a_page_is_well_formed_and_needs_nothing_else(page: str) -> None:
    read = Reader(page)
    assert len(set(read.ids)) == len(read.ids)
    assert all(link.startswith("#") for link in read.links)
    assert {link[1:] for link in read.links} <= set(read.ids)
    assert not {"script", "link", "img", "iframe", "object"} & set(read.tags)
    assert not re.search(r"https?:|//|@import", page)


def test_everything_is_escaped(page: str) -> None:
    text = Reader(page).text
    assert """<script>alert("x")</script> & 'quotes'""" in text
    assert "<script" not in page
    assert "<b>more" not in page
    assert "<i>" not in page
    assert "&amp;lt;" not in page  # and not twice


def test_every_claim_with_all_its_parts(page: str, examined: Any) -> None:
    text = Reader(page).text
    _, findings, _ = examined
    assert {finding.verdict for finding in findings} == set(BY_STRENGTH)
    for finding in findings:
        assert finding.id in text
        assert finding.command in text
        sentences = [finding.says, finding.planted, finding.sample, *finding.ours]
        sentences += [part[key] for part in finding.parts for key in ("says", "sample", "power")]
        for sentence in sentences:
            plain = seen(sentence) if "`" in sentence else seen(with_unicode_signs(sentence))
            assert plain.strip() in text
        for command in finding.commands:
            assert command in text
    assert text.count("ours & <own>") == 6
    assert "1.23 × 10⁻⁷" in text  # noqa: RUF001
    assert "n<sup>2.5</sup>" in page


def test_the_head_of_a_page(page: str) -> None:
    from princeps import __version__

    text = Reader(page).text
    assert f"princeps {__version__}, princeps paper {SPECIMEN} --full --seed 7 --html specimen.html" in text
    assert "princeps show p_rl, princeps show fratricide, princeps show 'my file.py:Mine'" in text
    counts = (
        "1 proved, 1 supported, 1 demonstrated, 1 violated as printed, 2 violated, 1 inconclusive, "
        "1 not testable at this size"
    )
    assert f"8 claims: {counts}; 7 as recorded" in text
    assert text.count("the record says: supported") == 2  # in the table and at the claim


def test_verdicts_and_kinds_are_explained() -> None:
    assert set(VERDICTS) == set(BY_STRENGTH)
    text = Reader(legend()).text
    assert all(verdict in text and why in text for verdict, (_, why) in VERDICTS.items())
    assert "asserted on every step" in text


def test_exhibits(page: str, examined: Any) -> None:
    read = Reader(page)
    _, _, shown = examined
    assert read.tags.count("svg") == 5
    assert "no data" in read.text
    assert "series 3 <&>" in read.text
    for exhibit in shown:
        assert exhibit.title in read.text
    assert "<code>princeps sweep p_rl -n 8,16 --until s_rl</code>; the rest is ours." in page
    assert "<code>as typed: a &lt;= b</code>" in page
    marked = [text for text in re.findall(r"<figure.*?</h3>", page) if ">ours</span>" in text]
    assert len(marked) == 2
    assert '<td class="number">1,000</td>' in page
    assert "Line 3 means <code>l &lt; r</code>, not l ≤ r &amp; so on." in page


@pytest.mark.medium
def test_neither_day_nor_time_is_on_a_page(examined: Any, page: str, tmp_path: Path) -> None:
    write_pages(str(tmp_path / "folder"), [examined], what=[SPECIMEN], full=True, seed=7)
    assert (tmp_path / "folder" / "specimen.html").read_text(encoding="utf-8") == page
    assert not re.search(r"20\d\d-\d\d|seconds", page)


# -- charts ------------------------------------------------------------------------------------------------------------


@pytest.mark.medium
@pytest.mark.parametrize("log", [False, True])
@in_one_test("style", STYLES)
def test_awkward_numbers_are_drawn_or_counted(style: str, log: bool) -> None:
    nan, inf = float("nan"), float("inf")
    curve = Curve("a", [1, 2, 3, 4], [1, nan, 3, inf], [0, 0, 4, 0], [inf, 1, nan, 1], style)
    alone = Curve("b", [5], [-1 if not log else 1e-9], style=style)
    svg = chart_svg("t", "x", "y", [curve, alone], key="k", log_x=log, log_y=log)
    assert "2 points without a place on these axes" in svg
    Reader(svg)


@pytest.mark.medium
def test_charts_share_no_ids_but_have_the_same_bytes() -> None:
    def draw(key: str) -> str:
        return chart_svg("t", "x", "y", [Curve("a", [1, 2], [3, 4], [2, 3], [4, 5])], key=key)

    first, second = Reader(draw("1")), Reader(draw("2"))
    assert first.ids
    assert not set(first.ids) & set(second.ids)
    assert set(first.links) == {f"#{id}" for id in first.ids}
    assert draw("1") == draw("1")


def test_points_that_would_hide_each_other_stand_side_by_side() -> None:
    def places(*middles: float) -> tuple[str, ...]:
        curves = [Curve("", [1, 2], [y, y], [y - 1, y - 1], [y + 1, y + 1]) for y in middles]
        svg = chart_svg("t", "x", "y", curves, key="k")
        return tuple(sorted(set(re.findall(r'<use href="[^"]*" x="([^"]*)"[^>]*series', svg))))

    assert len(places(5, 15)) == 2
    assert len(places(5, 5.5)) == 4


@in_one_test(
    ("typed", "printed"),
    [
        ("4.9 +- 0.2 of n^2", "4.9 ± 0.2 of n²"),
        ("n <= N, 2^-10, log^3 n.", "n ≤ N, 2⁻¹⁰, log³ n."),
        ("1e-06 and 2.5e+07", "10⁻⁶ and 2.5 × 10⁷"),  # noqa: RUF001
        ("n^1.5, s_rl, 2^k, 0x1e5, p_1e2", "n^1.5, s_rl, 2^k, 0x1e5, p_1e2"),
    ],
)
def test_what_is_typed_and_what_is_printed(typed: str, printed: str) -> None:
    assert with_unicode_signs(typed) == printed


def test_numbers_are_readable() -> None:
    values = [None, float("nan"), float("inf"), 1234567, 0.12345, 3e-9, "O(n^2)", 0]
    assert [value_text(value) for value in values] == ["–", "–", "∞", "1,234,567", "0.1235", "3 × 10⁻⁹", "O(n²)", "0"]  # noqa: RUF001


# -- files -------------------------------------------------------------------------------------------------------------


def test_a_folder_has_an_index_and_a_readme(quick: Command, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    papers = (other(tmp_path), other(tmp_path, "third", "SUPPORTED"))
    words = ("paper", *papers, "--store", tmp_path / "p.db", "--html", folder)
    assert quick(*words).code == 1  # one claim is not as recorded
    assert sorted(os.listdir(folder)) == ["README.md", "index.html", "other.html", "third.html"]
    index = Reader((folder / "index.html").read_text(encoding="utf-8"))
    assert index.links == ["other.html", "third.html"]
    assert "2 claims: 2 proved; 1 as recorded" in index.text
    assert "third.<1>: proved, the record says: supported" in index.text
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert "| [other](other.html) | Other \\| things\\_of\\_mine | 1 | 1 proved | 1 |" in readme
    assert "| all |  | 2 | 2 proved | 1 |" in readme
    assert "| other.\\<1\\> | so \\<it\\> is | S | 0 | 0 | 1 look | **proved** |" in readme
    assert "| **proved** (the record says: supported) |" in readme
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert quick(*words).code == 1  # its own pages may be overwritten
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_paper_of_several_is_written_anew_and_the_index_keeps_the_others(quick: Command, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    papers = (other(tmp_path), other(tmp_path, "third", "SUPPORTED"))
    store = ("--store", tmp_path / "p.db", "--html", folder)
    assert quick("paper", *papers, *store).code == 1
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    (folder / "other.html").write_bytes(before["other.html"].replace(b"Other", b"Older"))
    done = quick("paper", papers[0], *store)
    assert done.code == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert "list third.html as well and stay as they are" in done.stderr
    (folder / "third.html").unlink()  # what is gone cannot be lost
    assert quick("paper", papers[0], *store).code == 0
    assert Reader((folder / "index.html").read_text(encoding="utf-8")).links == ["other.html"]


def test_one_paper_in_one_file(quick: Command, tmp_path: Path) -> None:
    done = quick("paper", other(tmp_path), "--store", tmp_path / "p.db", "--html", tmp_path / "out.html")
    assert done.code == 0
    assert sorted(os.listdir(tmp_path)) == ["other.py", "out.html"]
    assert "1 claim: 1 proved; 1 as recorded" in Reader((tmp_path / "out.html").read_text(encoding="utf-8")).text


BAD = {
    "out.html": "--html 'out.html' is one file, and there are 2 papers: give a folder, or name one paper.",
    "no/pages": "which is no folder: make it, or choose another path.",
    "other.py/pages": "which is no folder: make it, or choose another path.",
    "other.py": "--html 'other.py' is a file and no folder: choose another, or end it with .html for one page.",
    "": "--html '' names nothing: give a folder, or a file like out.html for one paper.",
    "mine": "output 'mine/README.md' is not a page of princeps paper and would be lost: choose another path, or insist "
    "with --force.",
    "taken": "output 'taken/other.html' cannot be written: Is a directory. Choose another path.",
}


@in_one_test("path", BAD)
def test_bad_paths_are_refused_before_any_work(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(tmp_path)
    other(tmp_path)
    (tmp_path / "mine").mkdir(exist_ok=True)
    (tmp_path / "mine" / "README.md").write_text("# Mine\n")
    (tmp_path / "taken" / "other.html").mkdir(parents=True, exist_ok=True)
    before = sorted(tmp_path.rglob("*"))
    done = quick("paper", SPECIMEN, "other.py", "--html", path)
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr.endswith(f"{BAD[path]}\n")
    assert done.stderr.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "mine" / "README.md").read_text() == "# Mine\n"


def test_a_folder_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "mkdir", refuse)
    with pytest.raises(RunError, match=r"pages' cannot be written: Permission denied\. Choose another path\."):
        refuse_pages(str(tmp_path / "pages"), [Paper("other", "title")])


def test_ids_that_make_no_file_name(tmp_path: Path) -> None:
    for ids in (["index"], ["a b", "a/b"], ["..."]):
        with pytest.raises(RunError, match="give it another id"):
            refuse_pages(str(tmp_path / "pages"), [Paper(id, "title") for id in ids])
    assert not os.listdir(tmp_path)


def test_charts_need_matplotlib(examined: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "find_spec", lambda name: None)
    with pytest.raises(RunError, match=re.escape("pip install 'princeps[plot]'")):
        refuse_pages(str(tmp_path / "pages"), [examined[0]])
    refuse_pages(str(tmp_path / "pages"), [Paper("other", "without charts")])


@pytest.mark.parametrize(
    ("full", "seconds", "wanted"),
    [
        (False, None, "small (--quick)"),
        (False, 119.4, "small (--quick); one after the other they took 119 seconds"),
        (True, 4260.0, "large (--full); one after the other they took 71 minutes"),
    ],
)
def test_how_long_the_samples_took(full: bool, seconds: float | None, wanted: str) -> None:
    assert effort_text(full, seconds) == wanted


def test_a_page_says_how_long_its_samples_took(examined: Any, tmp_path: Path) -> None:
    """The index has the sum of all pages."""
    write_pages(str(tmp_path / "folder"), [examined], what=[SPECIMEN], full=True, seconds=[600.0])
    for name in ("specimen.html", "index.html", "README.md"):
        assert "one after the other they took 10 minutes" in (tmp_path / "folder" / name).read_text(encoding="utf-8")
