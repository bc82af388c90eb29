"""One HTML file that replays a run without a server: the page's own style sheets and modules, and a recording.

The modules are joined into one script. Its hash stands in the page's content security policy, which allows nothing
else: no other script, no request to anywhere. The recording is data (JSON) and cannot become code.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from princeps.errors import RunError
from princeps.model.files import SAVED_PAGE, Output

FIRST = "main.js"
IMPORT = re.compile(r"""^import\s[^;]*?from\s+["']\./([\w.]+\.js)["'];?\s*$""", re.MULTILINE)
EXPORT = re.compile(r"^export\s+(?=(?:async|function|class|const|let)\b)", re.MULTILINE)
COMMENT = re.compile(
    r"^[ \t]*(?://[^\n]*|/\*\*.*?\*/[ \t]*)\n", re.MULTILINE | re.DOTALL
)  # lines of nothing else, a tenth of all
REMARK = re.compile(
    r"(?<=[;{},)\]])[ \t]+// [^\n\"'`]*$", re.MULTILINE
)  # at a line's end; no quote after it, so in no text
INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)  # no text of the page's modules goes over several lines
EMPTY = re.compile(r"^\s*\n", re.MULTILINE)
BESIDE_MARKS = re.compile(r"\s*([{};])\s*")  # of a style sheet: blanks there mean nothing; its texts hold no such mark
SHEET_COMMENT = re.compile(r"/\*.*?\*/\n?", re.DOTALL)
SHEET = re.compile(r'<link rel="stylesheet" href="([\w.]+\.css)">')
UNWANTED = re.compile(r"^\s*(?:import|export)\b|\bimport\s*\(", re.MULTILINE)
SURROGATE = re.compile("[\ud800-\udfff]")  # a half of a character, which no file can hold
HEIGHT = 640  # of the page within a notebook


class SavedPage:
    """A recording as a page: `text`, `save(path)`, and shown inline by a notebook."""

    def __init__(self, recording: Mapping[str, Any], static: Path | None = None, inputs: Sequence[str] = ()) -> None:
        self.recording = recording
        self.inputs = inputs  # files that were read for it
        self._static = static

    @cached_property
    def text(self) -> str:
        index = self._read("index.html")
        sheets = "\n".join(self._read(name) for name in SHEET.findall(index))
        style = BESIDE_MARKS.sub(r"\1", SHEET_COMMENT.sub("", sheets)).strip().replace("</style", "<\\/style")
        script = joined_modules(self._read)
        about = self.recording["about"]
        version, title = (
            about.get("version", ""),
            f"{about.get('protocol', 'a run')}, n = {about.get('n', '')}: princeps",
        )
        return TEMPLATE.format(
            version=escape(str(version)),
            policy=policy(script, style),
            title=escape(SURROGATE.sub("?", title)),
            style=style,
            recording=as_data(self.recording),
            script=script,
        )

    def save(self, path: str, force: bool = False) -> None:
        """Into a file; one that is no saved page is replaced only with `force`."""
        with Output(str(path), SAVED_PAGE, self.inputs, force).replacing() as write:
            write(self.text.encode())

    def _repr_html_(self) -> str:
        """A frame of its own, in which nothing of the notebook can be reached."""
        return (
            f'<iframe sandbox="allow-scripts allow-downloads" style="width: 100%; height: {HEIGHT}px; border: 0" '
            f'title="princeps" srcdoc="{escape(self.text, quote=True)}"></iframe>'
        )

    def __repr__(self) -> str:
        about = self.recording["about"]
        return f"<saved page of {about.get('protocol')}, n = {about.get('n')}: {self.recording.get('steps')} steps>"

    def _read(self, name: str) -> str:
        place = files("princeps.web").joinpath("static") if self._static is None else self._static
        try:
            return place.joinpath(name).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise RunError(f"the page's file {name!r} is missing: install princeps again.") from None


TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="generator" content="princeps {version} saved page">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<noscript><p>This page draws with JavaScript, which is switched off in this browser.</p></noscript>
<script type="application/json" id="recording">{recording}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def joined_modules(read: Any) -> str:
    """All modules that the first one needs, each after those it imports, as one script."""
    done: dict[str, str] = {}

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in done or name in above:
            return
        source = read(name)
        for needed in IMPORT.findall(source):
            visit(needed, (*above, name))
        plain = REMARK.sub("", COMMENT.sub("", EXPORT.sub("", IMPORT.sub("", source))))
        left = UNWANTED.search(plain)
        if left is not None:
            raise RunError(
                f"{name} of the page has {left.group().strip()!r} in a form that cannot be joined: one named import a line."
            )
        done[name] = f"// {name}\n{INDENTATION.sub(' ', EMPTY.sub('', plain)).strip()}\n"

    visit(FIRST, ())
    return _for_html("\n".join(done.values()))


def _for_html(script: str) -> str:
    """A script may not contain what ends its element."""
    return re.sub(r"</(script)", r"<\\/\1", script, flags=re.IGNORECASE).replace("<!--", "<\\!--")


def as_data(recording: Mapping[str, Any]) -> str:
    """JSON that neither ends its element nor begins another."""
    text = json.dumps(recording, separators=(",", ":"), ensure_ascii=False)
    text = SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def policy(script: str, style: str) -> str:
    """What the page may do: run this script, use this style sheet, make pictures of its own."""
    allowed = {
        "default-src": "'none'",
        "script-src": f"'sha256-{_hash(script)}'",
        "style-src": f"'sha256-{_hash(style)}'",
        "img-src": "data: blob:",
        "media-src": "blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{what} {where}" for what, where in allowed.items())


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
