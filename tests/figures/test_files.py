"""Figures are fit for a paper: readable, the same bytes each time, and never half a file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from princeps.api.plot import plot_into as plot
from princeps.errors import PrincepsError
from princeps.figures import output as files
from princeps.figures.scales import log_ticks
from princeps.figures.style import line_style, paper_style
from princeps.figures.text import TIMES, number_markup, plain, raised
from tests.conftest import Command
from tests.figures.conftest import around, drawn, fill, quadratic, record
from tests.tables import in_one_test

# -- fit for a paper ---------------------------------------------------------------------------------------------------


def figures_of(tmp_path: Path, two: str, holding: str) -> list[Figure]:
    """One of each kind, and the awkward ones: narrow, crowded, with long names, with dollars."""
    for k in range(9):
        few = quadratic(k + 1.0, (100, 400))
        crowd = fill(tmp_path / "crowd.db", "timer", few, hold=True, params={"t_max": 4 + k})
    long = record(
        tmp_path / "long.jsonl", *[{"leaders": [8, 1], f"a very long $predicate$ {'with words ' * 9}": [0, 8]}] * 6
    )
    alone = fill(tmp_path / "alone.db", "fratricide", {100: around(1e4)})
    wanted: list[tuple[str, str, dict[str, Any]]] = [
        *((two, kind, {}) for kind in ("growth", "distribution", "compare")),
        *((crowd, kind, {}) for kind in ("growth", "distribution", "survival", "compare")),
        *((crowd, kind, {"width": 2.5}) for kind in ("growth", "survival")),
        (two, "growth", {"measure": "seconds", "width": 2.0}),
        *((holding, kind, {}) for kind in ("growth", "survival")),
        (long, "leaders", {}),
        (alone, "compare", {}),
    ]
    return [drawn(source, kind, **options) for source, kind, options in wanted]


@pytest.mark.slow
def test_legends_cover_no_data_and_nothing_is_cut_off(tmp_path: Path, two: str, holding: str) -> None:
    for figure in figures_of(tmp_path, two, holding):
        with paper_style():
            figure.draw_without_rendering()
            renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
            axes = figure.axes[0]
            inside = figure.bbox
            whole = axes.get_tightbbox(renderer)
            assert whole is not None
            for box in (whole, *(one.get_window_extent(renderer) for one in figure.legends)):
                assert box.x0 >= inside.x0 - 1
                assert box.x1 <= inside.x1 + 1
                assert box.y0 >= inside.y0 - 1
                assert box.y1 <= inside.y1 + 1
            for one in figure.legends:
                assert one.get_window_extent(renderer).y1 <= whole.y0 + 1
            assert axes.get_window_extent(renderer).height > 0.15 * 300  # what is said leaves room for what is shown
            texts = [text for text in figure.findobj(Text) if text.get_text()]
            assert min(text.get_fontsize() for text in texts) >= 7
            shown = [text.get_window_extent(renderer) for text in axes.get_xticklabels() if text.get_text()]
            limits = axes.get_window_extent(renderer)
            within = sorted(
                (box for box in shown if limits.x0 - 9 <= (box.x0 + box.x1) / 2 <= limits.x1 + 9),
                key=lambda box: box.x0,
            )
            assert len(within) >= 1
            assert all(left.x1 < right.x0 for left, right in pairwise(within))


def test_the_width_is_exact_and_one_column_unless_crowded(two: str) -> None:
    width, height = drawn(two, "compare").get_size_inches()
    assert width == 3.5
    assert height < 2.8
    assert drawn(two, "compare", width=6.25).get_size_inches()[0] == 6.25
    for k in range(5):
        fill(Path(two), "timer", {10: [k + 1]}, params={"t_max": 4 + k})
    assert drawn(two, "compare").get_size_inches()[0] == 5


def test_looks_are_different() -> None:
    assert len({line_style(k)[:2] for k in range(56)}) == 56


@in_one_test(
    ("value", "text"),
    [
        *((0, "0"), (1, "1"), (2.5, "2.5"), (0.05, "0.05"), (10_000, "10,000"), (1234.5678, "1,235")),
        *(
            (1e5, "10$^{5}$"),
            (999_999.9, "10$^{6}$"),
            (-3e6, f"-3{TIMES}10$^{{6}}$"),
            (2.5e-7, f"2.5{TIMES}10$^{{-7}}$"),
        ),
    ],
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert number_markup(value) == text


def test_exponents_are_raised_and_dollars_are_dollars() -> None:
    assert (
        raised("1.5e-05 +- 2e+06 of n^2 log^3 n")
        == f"1.5{TIMES}10$^{{-5}}$ ± 2{TIMES}10$^{{6}}$ of n$^{{2}}$ log$^{{3}}$ n"
    )
    assert raised("n^1.23") == "n$^{1.23}$"
    assert plain("a$b$") == r"a\$b\$"
    assert plain("a\0b\x9fc$d\n") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c\\$d\n"
    assert raised("$x$ of n^2") == r"\$x\$ of n$^{2}$"


@in_one_test(
    ("low", "high", "ticks"),
    [
        (80, 12_000, [100, 1000, 10_000]),
        (7, 180, [10, 20, 50, 100]),
        (3, 9.5, [3, 4, 5, 6, 8]),
        (9000, 21_000, [10_000, 12_000, 14_000, 16_000, 18_000, 20_000]),
        (1, 1e20, [10.0**k for k in range(0, 21, 3)]),
    ],
)
def test_ticks_can_be_read(low: float, high: float, ticks: list[float]) -> None:
    assert log_ticks(low, high) == pytest.approx(ticks)


# -- files -------------------------------------------------------------------------------------------------------------

DRAW = """
import sys
from princeps.api.plot import plot_into as plot
store, holding, recording, folder = sys.argv[1:]
plot(store, f"{folder}/growth.svg")
plot(holding, f"{folder}/survival.pdf", kind="survival")
plot(recording, f"{folder}/leaders.png")
plot(recording, f"{folder}/leaders.svg")
"""


@pytest.mark.slow
def test_the_same_data_give_the_same_bytes_in_every_process(
    tmp_path: Path, two: str, holding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where hashes differ, and where a user has settings of another taste."""
    recording = record(tmp_path / "run.jsonl", {"leaders": [8, 4, 2, 1], "epoch == 2": [0, 0, 3, 8]})
    taste = tmp_path / "matplotlibrc"
    taste.write_text("font.size: 20\naxes.grid: True\nfont.family: monospace\npdf.fonttype: 3\nsvg.hashsalt: salt\n")
    for folder in ("0", "1"):
        (tmp_path / folder).mkdir()
    words = [two, holding, recording]
    other = {**os.environ, "PYTHONHASHSEED": "1", "MATPLOTLIBRC": str(taste)}
    process = subprocess.Popen([sys.executable, "-c", DRAW, *words, str(tmp_path / "1")], env=other)
    monkeypatch.setattr(sys, "argv", ["", *words, str(tmp_path / "0")])
    exec(DRAW, {})
    assert process.wait(timeout=120) == 0
    written = sorted((tmp_path / "0").iterdir())
    assert len(written) == 4
    for path in written:
        content = path.read_bytes()
        assert content == (tmp_path / "1" / path.name).read_bytes(), path.name
        start = {".svg": b"<?xml", ".pdf": b"%PDF", ".png": b"\x89PNG"}[path.suffix]
        assert content.startswith(start)
        for word in (b"CreationDate", b"dc:date", b"Matplotlib v", b"Producer", b"Software"):
            assert word not in content
        if path.suffix == ".pdf":
            assert b"/CIDFontType2" in content or b"/Subtype /TrueType" in content
            assert b"/Type3" not in content


@pytest.mark.medium
def test_a_picture_is_written_whole_or_not_at_all(tmp_path: Path, two: str, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out" / "a.svg"
    target.parent.mkdir()
    target.write_text("precious")
    target.chmod(0o640)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    def stop(*_: object) -> bytes:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(os, "replace", full)
        with pytest.raises(PrincepsError, match=r"No space left on device\. Choose another"):
            plot(two, str(target), kind="compare", force=True)
    assert target.read_text() == "precious"
    with monkeypatch.context() as broken:
        broken.setattr(files, "rendered", stop)
        with pytest.raises(KeyboardInterrupt):
            plot(two, str(target.with_name("b.svg")), kind="compare")
    assert [path.name for path in target.parent.iterdir()] == ["a.svg"]
    plot(two, str(target), kind="compare", force=True)
    assert target.read_bytes().startswith(b"<?xml")
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_link_goes_on_being_one(tmp_path: Path, two: str) -> None:
    (tmp_path / "link.svg").symlink_to(tmp_path / "there.svg")
    plot(two, str(tmp_path / "link.svg"), kind="compare")
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "there.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.medium
def test_the_verb(tmp_path: Path, two: str, quick: Command) -> None:
    target = tmp_path / "a.PDF"
    words = ("plot", two, "-o", target, "--kind", "compare", "--from", "2e2", "--width", "4")
    assert quick(*words, "--json").object == {
        "output": str(target),
        "kind": "compare",
        "series": ["fratricide", "p_ll"],
        "points": 6,
    }
    assert target.read_bytes().startswith(b"%PDF")
    told = quick("plot", two, "-o", tmp_path / "a.svg", "--protocol", "p_ll")
    assert (told.code, told.stderr) == (0, "")
    assert told.stdout == f"the figure is in {tmp_path / 'a.svg'}: growth, p_ll\n"


RUN = '{"protocol": "p_ll", "n": 8, "record": {"steps": [0, 8], "parallel_time": [0, 1], "leaders": [8, 1]}}'
NOT_WHOLE = [
    RUN.replace("[8, 1]", "[8]"),
    RUN.replace("[8, 1]", '["x", 1]'),
    RUN.replace("[8, 1]", "[NaN, 1]"),
    RUN.replace("[8, 1]", "[-1, 1]"),
    RUN.replace("[0, 1]", "[1, 0]"),
    RUN.replace(', "leaders": [8, 1]', ""),
    RUN.replace("parallel_time", "time"),
    '{"protocol": "p_ll", "n": 8, "record": []}',
]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("two.db", "-o", "out/a.gif"), "output 'out/a.gif' is no picture file: end it with .svg, .pdf or .png."),
        (("two.db", "-o", "out/a"), "output 'out/a' is no picture file: end it with .svg, .pdf or .png."),
        (("two.db", "-o", "no/a.svg"), "output 'no/a.svg' cannot be written: No such file or directory."),
        (("none.db", "-o", "no/a.svg"), "output 'no/a.svg' cannot be written: No such file or directory."),
        (("two.db", "-o", "out/folder.svg"), "output 'out/folder.svg' cannot be written: Is a directory."),
        (
            ("store.svg", "-o", "store.svg"),
            "output 'store.svg' is 'store.svg', which is read here: choose another path.",
        ),
        (("none.db", "-o", "out/a.svg"), "there is no store 'none.db': make one with princeps sweep"),
        (
            ("none", "-o", "out/a.svg", "--kind", "leaders"),
            "recording 'none' cannot be read (No such file or directory)",
        ),
        (("two.db", "-o", "out/a.svg", "--kind", "groth"), "unknown kind of figure 'groth': did you mean growth?"),
        (("two.db", "-o", "out/a.svg", "--measure", "step"), "unknown measure 'step': did you mean steps"),
        (
            ("two.db", "-o", "out/a.svg", "--protocol", "x"),
            "store 'two.db' has no trials of 'x': it has fratricide, p_ll.",
        ),
        (("two.db", "-o", "out/a.svg", "--kind", "survival"), "store 'two.db' has no holding times: sweep with --hold"),
        (
            ("two.db", "-o", "out/a.svg", "--kind", "leaders"),
            "'two.db' is a store, which keeps no counts over time: record",
        ),
        (
            ("two.db", "-o", "out/a.svg", "--measure", "held_steps"),
            "store 'two.db' has no held_steps to draw: sweep with",
        ),
        (
            ("two.db", "-o", "out/a.svg", "--measure", "events"),
            "store 'two.db' has no events to draw: the engine did not",
        ),
        (("two.db", "-o", "out/a.svg", "--by", "q"), "'q' is not understood"),
        (("two.db", "-o", "out/a.svg", "--by", "n - 100"), "n - 100 = 0 at n = 100 has no place on a logarithmic axis"),
        (
            ("two.db", "-o", "out/a.svg", "--by", "n^2", "--kind", "distribution"),
            "--by 'n^2' is the x axis of growth and",
        ),
        (
            ("two.db", "-o", "out/a.svg", "--from", "1e6"),
            "store 'two.db' has no population of 1,000,000 or more: its larg",
        ),
        (("two.db", "-o", "out/a.svg", "--from", "x"), "from = 'x' is not an integer"),
        (
            ("two.db", "-o", "out/a.svg", "--width", "0.1"),
            "width = 0.1 is no width of a figure in inches: give 2 to 20.",
        ),
        (
            ("two.db", "-o", "out/a.svg", "--width", "nan"),
            "width = nan is not a number: give one like 3.5.",
        ),
        (("two.db",), "Missing option"),
        (("empty.db", "-o", "out/a.svg"), "store 'empty.db' holds no trials yet: run a sweep into it."),
        (
            ("run.jsonl", "-o", "out/a.svg", "--kind", "growth"),
            "'run.jsonl' holds single runs, which show no growth: leave",
        ),
        (("run.jsonl", "-o", "out/a.svg", "--measure", "steps"), "--measure chooses from a store: leave it out"),
        (("run.jsonl", "-o", "out/a.svg", "--from", "10"), "--from chooses from a store: leave it out"),
        (("run.jsonl", "-o", "out/a.svg", "--protocol", "x"), "recording 'run.jsonl' has no run of 'x': it has p_ll."),
        (("nothing", "-o", "out/a.svg"), "recording 'nothing' is empty: record a run with princeps run"),
        (("prose", "-o", "out/a.svg"), "line 1 of 'prose' is no run in JSON: record a run with princeps run"),
        (("prose", "-o", "out/a.svg", "--kind", "growth"), "'prose' is not a store of princeps"),
        (("noise", "-o", "out/a.svg"), "'noise' is neither a store nor a recording: record a run"),
        (("silent", "-o", "out/a.svg"), "line 2 of 'silent' is a run that recorded nothing: repeat it with --record"),
        *(((f"bad{k}", "-o", "out/a.svg"), f"line 1 of 'bad{k}' has a record that is not whole") for k in range(8)),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing(
    words: Sequence[str],
    sentence: str,
    tmp_path: Path,
    two: str,
    kept: Path,
    quick: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out" / "folder.svg").mkdir(parents=True)
    (tmp_path / "store.svg").write_bytes(Path(two).read_bytes())
    shutil.copy(kept / "empty.db", "empty.db")
    texts = {
        "run.jsonl": RUN,
        "nothing": "\n",
        "prose": "Once upon a time\n",
        "silent": RUN + '\n{"protocol": "x", "n": 1}',
    }
    for name, text in (texts | {f"bad{k}": text for k, text in enumerate(NOT_WHOLE)}).items():
        (tmp_path / name).write_text(text)
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00noise")
    before = contents(tmp_path)
    told = quick("plot", *words)
    assert told.code == 2
    assert told.stdout == ""
    assert told.stderr.startswith(f"princeps: {sentence}")
    assert told.stderr.count("\n") == 1
    assert contents(tmp_path) == before


def contents(folder: Path) -> dict[str, bytes]:
    """All files, without what readers of a store leave beside it."""
    found = [path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(("-shm", "-wal"))]
    return {str(path): path.read_bytes() for path in found}


def test_without_matplotlib_it_is_said_what_to_install(
    tmp_path: Path, two: str, quick: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "find_spec", lambda name: None)
    told = quick("plot", two, "-o", tmp_path / "a.svg")
    assert (told.code, "pip install 'princeps[plot]'" in told.stderr) == (2, True)
    assert not (tmp_path / "a.svg").exists()
