"""A script as one word, for links and command lines: `princeps1.` and the compressed text of the script.

A code may come from anybody. Its size is bounded before and after it is inflated, and the run that it describes may name
a protocol of the library and nothing that would be read from a file (`refuse_files`).
"""

from __future__ import annotations

import base64
import binascii
import shlex
import zlib
from collections.abc import Callable

from princeps.errors import RunError
from princeps.model import registry
from princeps.model.description import Description, read_command
from princeps.model.reading_scripts import read_script
from princeps.model.script import Script
from princeps.model.topology import text_names_a_graph

PREFIX = "princeps1."
MAX_BYTES = 1_000_000  # of a code, and of the text in it


def is_code(text: str) -> bool:
    return text.startswith(PREFIX)


def refuse_text(script: Script) -> None:
    """A code carries no protocol: its text would be executed by whoever opens the link."""
    if script.gathered is not None or script.no_text:
        raise RunError("a link cannot carry a protocol, only name one: put the class into a file, or save the script.")


def code_of(script: Script) -> str:
    refuse_text(script)
    text = script.text().encode()
    packed = base64.urlsafe_b64encode(zlib.compress(text, 9)).decode().rstrip("=")
    if max(len(text), len(packed)) > MAX_BYTES:
        raise RunError(f"this script has {len(text):,} bytes, too many for a link: save it as a file instead.")
    return PREFIX + packed


def command_of_code(script: Script, code: str) -> str:
    """The command line that repeats what the code holds, to the same state; a protocol's file is named beside it."""
    described = read_command(script.command)
    own = None if described.protocol in registry.names() else Description(described.protocol)
    refuse_files(described, own)
    return shlex.join(["princeps", "run", *([] if own is None else [str(described.protocol)]), "--script", code])


def read_code(code: str) -> Script:
    """The script in a code; its lines are named like those of a file."""
    if not is_code(code):
        raise RunError(f"{code[:40]!r} is no code of a script: it begins with {PREFIX!r}.")
    if len(code) > MAX_BYTES:
        raise RunError(f"the code has {len(code):,} characters: at most {MAX_BYTES:,} are read.")
    body = code.removeprefix(PREFIX)
    inflating = zlib.decompressobj()
    try:
        packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        text = inflating.decompress(packed, MAX_BYTES + 1)
        if len(text) > MAX_BYTES:
            raise RunError(f"the script in the code has more than {MAX_BYTES:,} bytes: save it as a file instead.")
        if not inflating.eof or inflating.unused_data:
            raise ValueError
        return read_script(text.decode().splitlines(), "the code")
    except (ValueError, binascii.Error, zlib.error):
        raise RunError("the code is damaged: copy it once more, as a whole.") from None


def refuse_files(description: Description, given: Description | None = None) -> None:
    """A run that somebody else describes names nothing but the library, and what `given` names, from the command line."""
    protocol = description.protocol
    if not (given is not None and protocol == given.protocol) and protocol not in registry.names():
        raise RunError(
            f"{str(protocol)[:60]!r} is not in the library: a link names library protocols, and files of this command line."
        )
    for name, reads_a_file in _READS_A_FILE.items():
        value = getattr(description.options, name)
        if given is not None and _is_same(value, getattr(given.options, name)):
            continue
        if value is not None and (not isinstance(value, str) or reads_a_file(value)):
            raise RunError(f"--{name} {str(value)[:60]!r} would read a file, which a link cannot name: leave it out.")


def _is_same(one: object, other: object) -> bool:
    """The same text or the same object: arrays are not compared."""
    return one is other or (isinstance(one, str) and isinstance(other, str) and one == other)


def _is_scheduler_file(text: str) -> bool:
    if text.startswith("weighted:"):
        return not text.startswith("weighted:list:")
    return any(mark in text for mark in "./\\~")


_READS_A_FILE: dict[str, Callable[[str], bool]] = {
    "start": lambda text: text.startswith("file:"),
    "scheduler": _is_scheduler_file,
    "schedule": _is_scheduler_file,
    "pairs": lambda text: not text.startswith("list:"),
    "graph": lambda text: not text_names_a_graph(text) and not text.startswith("list:"),
    "ring": lambda text: True,
}
