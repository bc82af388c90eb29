"""The file that a picture goes into: refused before any work, the same bytes each time."""

from __future__ import annotations

import os
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any

from princeps.errors import RunError
from princeps.model.files import Output

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Neither the day nor the version of the drawing library: the same data give the same bytes.
UNSIGNED: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


def check(output: Output) -> None:
    """Raises what would be refused after the work; what is there stays as it is."""
    if _form(output.path) not in UNSIGNED:
        raise RunError(f"output {output.path!r} is no picture file: end it with .svg, .pdf or .png.")
    require_matplotlib()
    output.check()


def require_matplotlib() -> None:
    if find_spec("matplotlib") is None:
        raise RunError("a figure needs matplotlib: install it with pip install 'princeps[plot]'.")


def rendered(figure: Figure, path: str, **how: Any) -> bytes:
    """The bytes of the file. Must happen within the style that the figure was drawn in."""
    form = _form(path)
    metadata: dict[str, Any] = {**UNSIGNED[form], "Creator": "princeps"}  # by which FIGURE recognises it
    buffer = BytesIO()
    figure.savefig(buffer, format=form, metadata=metadata, **how)
    return buffer.getvalue()


def _form(output: str) -> str:
    return os.path.splitext(output)[1].lower().removeprefix(".")
