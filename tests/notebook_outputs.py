"""The committed notebooks: what they are, how they are executed, and in which form they are kept.

`python tests/notebook_outputs.py` (`make notebooks`) executes all of them, or those that are named, and writes them back. What differs
from one execution to the next (durations, versions, times of execution) is taken out, so that a second execution changes
nothing and the slow suite can compare the texts.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted([*(ROOT / "examples").glob("*.ipynb"), *(ROOT / "docs").glob("*.ipynb")])
MAX_SECONDS = 300  # for one cell, with nothing in the cache of kernels

# Durations, as text and as rows of tables: the only numbers in an output that the seed does not fix.
SECONDS = re.compile(r"(?m)^(seconds {2,}).*$")
SECONDS_ROW = re.compile(r"(>seconds</th><td[^>]*>)[^<]*")
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def executed(path: Path) -> Any:
    """A copy with the outputs of now, executed in an empty folder: a notebook brings everything that it needs."""
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    calm = {"PRINCEPS_SILENT_SECONDS": "1e6", "PRINCEPS_PROGRESS_SECONDS": "1e6"}
    environment = {**os.environ, **calm}  # a slow machine gives the same outputs
    environment.pop("PRINCEPS_SEED", None)
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])  # !princeps
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(notebook, timeout=MAX_SECONDS, resources={"metadata": {"path": folder}})
        client.execute(env=environment)
    return normalised(notebook)


def normalised(notebook: Any) -> Any:
    """The same without what differs between two executions."""
    notebook.metadata = nbformat.from_dict(METADATA)  # type: ignore[no-untyped-call]
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number:02}"
        cell.metadata.clear()
        if "outputs" in cell:
            cell.outputs = merged(cell.outputs)
        for output in cell.get("outputs", ()):
            if output.output_type == "stream":
                output.text = without_durations(output.text)
            for kind, text in output.get("data", {}).items():
                if kind.startswith("text/"):
                    output.data[kind] = without_durations(text)
    return notebook


def merged(outputs: list[Any]) -> list[Any]:
    """Where a text was cut into several pieces depends on how fast it was printed."""
    found: list[Any] = []
    for output in outputs:
        last = found[-1] if found else output
        if found and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            found.append(output)
    return found


def without_durations(text: str) -> str:
    return SECONDS_ROW.sub(r"\1...", SECONDS.sub(r"\1...", text))


def texts(notebook: Any) -> list[list[tuple[str, str]]]:
    """What each cell shows, as (kind, text); of a picture only that it is there, for it depends on matplotlib's version."""
    return [[pair for output in cell.get("outputs", ()) for pair in _shown(output)] for cell in notebook.cells]


def _shown(output: Any) -> list[tuple[str, str]]:
    if output.output_type == "stream":
        return [(output.name, output.text)]
    if output.output_type == "error":
        return [("error", output.evalue)]
    pictures = [(kind, "") for kind in sorted(output.data) if kind.startswith("image/")]
    if pictures:
        return pictures
    return sorted(output.data.items())


def write(path: Path) -> None:
    nbformat.write(executed(path), path)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    for chosen in [Path(name) for name in sys.argv[1:]] or NOTEBOOKS:
        write(chosen)
        print(f"{chosen}: {chosen.stat().st_size / 1000:.0f} kB")
