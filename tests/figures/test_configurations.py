"""Pictures of recorded configurations, and the slider over them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import princeps
from princeps.errors import RunError
from princeps.figures import slider as slider_module
from princeps.figures.configurations import Recording
from princeps.figures.recording import read_recording, recorded_runs

WIDTH = re.compile(r'<rect [^>]*width="([\d.]+)"')


def ring() -> Any:
    return princeps.run("p_rl", 12, N=12, seed=5, engine="reference", snapshots=[0, 40, 80], record="states", every=5)


def test_bars_have_the_counts() -> None:
    result = princeps.run("majority", 100, seed=5, engine="reference", record="states", every=1)
    recording = Recording(result)
    picture = recording.picture(2)
    ElementTree.fromstring(picture)
    assert "step 200, parallel time 2" in picture
    counts = [result.states.at(200).get(f"opinion={k}", 0) for k in (2, 1, 0)]
    assert [round(float(width) / 2.6) for width in WIDTH.findall(picture)] == counts
    assert "<circle" not in picture


def test_agents_are_on_their_graph_and_leaders_are_marked() -> None:
    result = ring()
    recording = Recording(result)
    steps = [moment.step for moment in recording.moments]
    assert steps == sorted({0, 40, 80, *result.states.steps})
    for step in (0, 40, 80):
        picture = recording.picture(steps.index(step))
        ElementTree.fromstring(picture)
        assert picture.count("<circle") == 12
        assert picture.count("<line") == 12
        assert picture.count(", leads</title>") == sum(result.snapshots[step]["leader"])
    assert "<circle" not in recording.picture(steps.index(60))


def test_a_grid_is_drawn_as_one_and_many_states_are_a_few_bars() -> None:
    result = princeps.run("infection", graph="grid:3x4", seed=1, engine="reference", snapshots=[0, 5])
    assert Recording(result).picture(1).count("<line") == 2 * (3 * 3 + 2 * 4)
    many = princeps.run("p_rl", 100, N=128, seed=1, engine="reference", max_steps=10, snapshots=[5])
    picture = Recording(many).picture(0)
    assert len(picture) < 40_000
    assert "all other states" in picture


def test_the_slider_moves_through_the_moments() -> None:
    ipywidgets = pytest.importorskip("ipywidgets")
    result = ring()
    widget = princeps.slider(result)
    assert isinstance(widget, ipywidgets.VBox)
    (player, chosen), shown = widget.children[0].children, widget.children[1]
    recording = Recording(result)
    assert player.max == chosen.max == len(recording.moments) - 1
    assert shown.value == recording.picture(0)
    chosen.value = 3
    assert shown.value == recording.picture(3)


def test_what_is_missing_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RunError, match="kept no configurations: repeat it with record='states'"):
        princeps.slider(princeps.run("fratricide", 5, seed=1, engine="reference"))
    with pytest.raises(RunError, match=r"slider takes one result of princeps\.run of a population, not str"):
        princeps.slider("results.db")
    monkeypatch.setattr(slider_module, "find_spec", lambda name: None)
    with pytest.raises(
        RunError, match=r"a slider needs ipywidgets: install it with pip install 'princeps\[notebook\]'"
    ):
        princeps.slider(ring())


def of_states(*moments: dict[str, int], seed: int = 1) -> str:
    """A line of a file that `--record states -o FILE` wrote."""
    states = [{"steps": 9 * k, "parallel_time": float(k), "counts": counts} for k, counts in enumerate(moments)]
    return json.dumps({"protocol": "p_ll", "n": 9, "seed": seed, "trial": 0, "states": states}) + "\n"


def test_states_that_are_not_drawn_singly_are_summed_and_said(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(of_states({f"s={k}": 1 for k in range(8)}, {"s=0": 9}))
    assert len(read_recording(str(path))[0].counts) == 8
    path.write_text(of_states({f"s={k}": 1 for k in range(9)}, {"s=8": 9}))
    (run,) = read_recording(str(path))
    assert list(run.counts) == ["s=8", *(f"s={k}" for k in range(6)), "2 other states"]
    assert run.counts["2 other states"].tolist() == [2, 0]
    assert sum(values[0] for values in run.counts.values()) == 9
    assert "2 other states" in [text.get_text() for text in princeps.plot(str(path)).legends[0].get_texts()]


def test_runs_of_one_kind_show_the_same_states(tmp_path: Path) -> None:
    """Each of two runs has eight states, of which seven are its own."""
    path = tmp_path / "run.jsonl"
    path.write_text(
        of_states({"s=0": 2, **{f"s={k}": 1 for k in range(1, 8)}})
        + of_states({"s=0": 2, **{f"s={k}": 1 for k in range(8, 15)}}, seed=2)
    )
    one, other = read_recording(str(path))
    assert list(one.counts) == list(other.counts)
    assert list(one.counts)[-1] == "8 other states"
    assert [run.counts["8 other states"].tolist() for run in (one, other)] == [[1], [7]]
    assert other.counts["s=1"].tolist() == [0]


def test_a_record_of_states_is_drawn_as_counts_over_time(tmp_path: Path) -> None:
    """From the result and from the file that the command line wrote, and as small curves in a notebook."""
    result = princeps.run("majority", 100, seed=5, engine="reference", record="states", every=1)
    (run,) = recorded_runs([result])
    assert set(run.counts) == {"opinion=0", "opinion=1", "opinion=2"}
    assert run.counts["opinion=1"].tolist() == result.states["opinion=1"]
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps(result.as_json()) + "\n")
    (read,) = read_recording(str(path))
    assert read.counts["opinion=1"].tolist() == result.states["opinion=1"]
    path.write_text(json.dumps({**result.as_json(), "states": [{"counts": 5}]}) + "\n")
    with pytest.raises(RunError, match="recorded nothing"):
        read_recording(str(path))
    assert result._repr_html_().count("<svg") == 3


def test_pictures_and_tables_fit_into_a_narrow_notebook() -> None:
    result = princeps.run("p_rl", n=8, N=8, seed=1, snapshots=range(0, 400, 10), max_steps=400, engine="reference")
    picture = Recording(result).picture(0)
    width, height = (picture.split(f'{name}="')[1].split('"')[0] for name in ("width", "height"))
    assert f'viewBox="0 0 {width} {height}" style="max-width:100%;height:auto"' in picture
    page = result._repr_html_()
    assert '<table style="max-width:100%"><caption style="text-align:left">p_rl, n = 8' in page
    command = page.split("<td ")[-1]
    assert command.startswith('style="text-align:left;overflow-wrap:anywhere">princeps run')
