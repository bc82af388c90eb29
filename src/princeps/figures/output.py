"""The file that a picture goes into: refused before any work, written whole or not at all."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Any

from princeps.errors import RunError
from princeps.model.files import probe, writable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Neither the day nor the version of the drawing library: the same data give the same bytes.
UNSIGNED: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


def check(output: str, source: str) -> None:
    """Raises what would be refused after the work; what is there stays as it is."""
    if _form(output) not in UNSIGNED:
        raise RunError(f"output {output!r} is no picture file: end it with .svg, .pdf or .png.")
    if find_spec("matplotlib") is None:
        raise RunError("a figure needs matplotlib: install it with pip install 'princeps[plot]'.")
    if os.path.exists(output) and os.path.exists(source) and os.path.samefile(output, source):
        raise RunError(f"output {output!r} is the file that is drawn: choose another path.")
    probe(output)


def rendered(figure: Figure, output: str) -> bytes:
    """The bytes of the file. Must happen within the style that the figure was drawn in."""
    form = _form(output)
    metadata: dict[str, Any] = dict(UNSIGNED[form])
    buffer = BytesIO()
    figure.savefig(buffer, format=form, metadata=metadata)
    return buffer.getvalue()


def write(content: bytes, output: str) -> None:
    """Beside the file first, then in its place: a full disk or a kill never leaves half a picture."""
    target = os.path.realpath(output)  # a link goes on being one
    beside = f"{target}.{os.getpid()}.part"
    with writable(output):
        if not os.access(os.path.dirname(target), os.W_OK) or (os.path.exists(target) and not os.path.isfile(target)):
            with open(target, "wb") as file:  # nothing may be made beside it, or it is a device
                file.write(content)
            return
        try:
            with open(beside, "xb") as file:
                file.write(content)
            if os.path.exists(target):
                shutil.copymode(target, beside)
            os.replace(beside, target)
        except BaseException:
            if os.path.exists(beside):
                os.remove(beside)
            raise


def _form(output: str) -> str:
    return os.path.splitext(output)[1].lower().removeprefix(".")
