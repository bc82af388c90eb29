"""A notebook becomes a page with its outputs."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from sitebuilder.notebooks import write_cells
from sitebuilder.places import DOCS
from sitebuilder.staging import Stage


def code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def test_cells_and_outputs_are_on_the_page(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "stage")
    page = write(
        stage,
        {"cell_type": "markdown", "source": ["# Title\n", "\n", "See [running](running.md)."]},
        code(
            "print(1)",
            {"output_type": "stream", "name": "stdout", "text": ["1\n", "2"]},
            {"output_type": "stream", "name": "stderr", "text": "a progress bar"},
        ),
        code("result", {"output_type": "execute_result", "data": {"text/html": "<table>3</table>", "text/plain": "4"}}),
        code("figure", {"output_type": "display_data", "data": {"image/png": base64.b64encode(b"png").decode()}}),
        code("plain", {"output_type": "execute_result", "data": {"text/plain": "five"}}),
        code("1 / 0", {"output_type": "error", "ename": "ZeroDivisionError", "evalue": "division", "traceback": []}),
    )
    assert page.startswith("# Title\n")
    assert "[running](running.md)" in page
    assert "```python\nprint(1)\n```" in page
    assert "1\n2\n" in page
    assert "<table>3</table>" in page
    assert "![output](x-3-0.png)" in page
    assert (stage.folder / "x-3-0.png").read_bytes() == b"png"
    assert "five" in page
    assert "ZeroDivisionError: division" in page
    assert "progress" not in page
    assert "4" not in page.replace("``````", "")


def test_a_notebook_without_a_title_is_called_by_its_file(tmp_path: Path) -> None:
    assert write(Stage(tmp_path / "stage"), code("1")).startswith("# X\n")


def write(stage: Stage, *cells: dict[str, Any]) -> str:
    """The page that a notebook docs/x.ipynb with these cells becomes."""

    assert write_cells(stage, DOCS / "x.ipynb", cells) == "x"
    return (stage.folder / "x.md").read_text()
