"""Files that a user gives to read: graphs, schedules, starts, labels, scripts, recordings, plans.

They are read whole. One that is too large for that, or has no end (a device), is refused before it fills the memory.
"""

from __future__ import annotations

import errno
from io import BytesIO, StringIO

MAX_BYTES = 1 << 28


def opened_text(path: str) -> StringIO:
    """The text of a file in UTF-8, with the line ends of this system; an OSError or UnicodeDecodeError says why not."""
    return StringIO(_content(path).decode("utf-8"), newline=None)


def opened_bytes(path: str) -> BytesIO:
    return BytesIO(_content(path))


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
    except ValueError:  # a character that no path has
        raise OSError(errno.EINVAL, "no path is written like this") from None
    if len(content) > MAX_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {MAX_BYTES >> 20} MiB, or no end")
    return content
