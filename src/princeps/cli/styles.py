"""Bold and italic text on a terminal that has them, without rich, whose import takes as long as a short run."""

from __future__ import annotations

import os
import sys

BOLD, ITALIC = "\x1b[1m", "\x1b[3m"
_END = "\x1b[0m"
_CONTROLS = dict.fromkeys(map(ord, "\x07\x08\x0b\x0c\r"))  # in a name that somebody has chosen: they move the cursor


def styled(text: str, style: str = "") -> str:
    plain = text.translate(_CONTROLS)
    return f"{style}{plain}{_END}" if style and _has_styles() else plain


def _has_styles() -> bool:
    return (
        sys.stdout.isatty()
        and sys.platform != "win32"
        and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")
    )
