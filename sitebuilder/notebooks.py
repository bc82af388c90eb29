"""A notebook as a page, with the outputs that it was committed with. Nothing is executed."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sitebuilder.links import HEADING
from sitebuilder.places import DOCS, EXAMPLES, ROOT
from sitebuilder.staging import Stage, place_of

IMAGES = {"image/svg+xml": "svg", "image/png": "png", "image/jpeg": "jpg"}
READING = ("first_protocol", "comparing_protocols", "faults_and_recovery", "exact_and_simulation", "homonym_rings")
FENCE = "``````"  # longer than any fence within


def notebook_files() -> list[Path]:
    """The tutorial first, then the examples in their order of reading; others at the end."""

    def place(path: Path) -> tuple[int, str]:
        return (READING.index(path.stem) if path.stem in READING else len(READING), path.stem)

    return [*sorted(DOCS.glob("*.ipynb")), *sorted(EXAMPLES.glob("*.ipynb"), key=place)]


def write_notebook(stage: Stage, path: Path) -> str:
    """Writes the page and its pictures; the page's name without a suffix is given back."""
    return write_cells(stage, path, json.loads(path.read_text(encoding="utf-8"))["cells"])


def write_cells(stage: Stage, path: Path, cells: Sequence[dict[str, Any]]) -> str:
    """`path` is where the notebook is, from which its links lead."""
    name = place_of(path.relative_to(ROOT).as_posix())
    assert name is not None
    parts: list[str] = []
    for number, cell in enumerate(cells):
        text = _text(cell["source"]).rstrip()
        if cell["cell_type"] == "markdown":
            parts.append(stage.linked(text, path, name))
        elif cell["cell_type"] == "code" and text:
            parts.append(f"```python\n{text}\n```")
            outputs = _joined(cell.get("outputs", []))
            parts += [_output(stage, name, f"{number}-{k}", output) for k, output in enumerate(outputs)]
    if not parts or HEADING.match(parts[0]) is None:
        parts.insert(0, f"# {path.stem.replace('_', ' ').replace('-', ' ').capitalize()}")
    where = path.relative_to(ROOT).as_posix()
    parts.append(f"*This page is the notebook `{where}`; open it with Jupyter to change and run it.*")
    stage.write(name, "\n\n".join(part for part in parts if part) + "\n")
    return name.removesuffix(".md")


def _joined(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What is printed piece by piece to one stream is one text; progress on stderr is left out."""
    found: list[dict[str, Any]] = []
    for output in outputs:
        if output["output_type"] == "stream":
            if output["name"] == "stderr":
                continue
            if found and found[-1]["output_type"] == "stream":
                found[-1] = {**found[-1], "text": _text(found[-1]["text"]) + _text(output["text"])}
                continue
        found.append(output)
    return found


def _output(stage: Stage, name: str, key: str, output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return _plain(_text(output["text"]))
    if output["output_type"] == "error":
        return _plain(f"{output['ename']}: {output['evalue']}")
    data = output["data"]
    for kind, suffix in IMAGES.items():
        if kind in data:
            content = _text(data[kind])
            picture = f"{name.removesuffix('.md')}-{key}.{suffix}"
            path = stage.folder / picture
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if suffix == "svg" else base64.b64decode(content))
            return f"![output]({path.name})"
    if "text/html" in data:
        return f'{FENCE}{{raw}} html\n<div class="notebook-output">{_text(data["text/html"])}</div>\n{FENCE}'
    return _plain(_text(data.get("text/plain", "")))


def _plain(text: str) -> str:
    return f"{FENCE}{{code-block}} text\n:class: notebook-output\n\n{text.rstrip()}\n{FENCE}" if text.strip() else ""


def _text(value: str | list[str]) -> str:
    """Notebooks keep a text as a list of its lines."""
    return value if isinstance(value, str) else "".join(value)
