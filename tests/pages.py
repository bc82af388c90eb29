"""The pages of the documentation, taken apart into the blocks that tests execute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
INDEX = ROOT / "docs" / "README.md"
README = ROOT / "README.md"
FENCE = re.compile(r"(?:<!-- file: (?P<file>\S+) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)```", re.DOTALL)
EXIT_CODE = re.compile(r"# exit code (\d+)$")


@dataclass(frozen=True)
class Block:
    """A fenced block. `file` is the name under which the commands of the page find it."""

    page: Path
    kind: str
    text: str
    file: str | None = None


@dataclass(frozen=True)
class Shown:
    """A command of a console block with what the page shows below it."""

    command: str
    code: int
    lines: tuple[str, ...]


def written_pages() -> list[Path]:
    """The pages written by hand: the README, and the guides and reference pages of the index."""
    upper = INDEX.read_text().partition("**Results**")[0]
    return [README, *(INDEX.parent / link for link in re.findall(r"^\| \[.*?\]\((\S+)\)", upper, re.MULTILINE))]


def blocks(page: Path) -> Iterator[Block]:
    for found in FENCE.finditer(page.read_text()):
        yield Block(page, found["kind"], found["text"], found["file"])


def commands(block: Block) -> list[Shown]:
    """Each `$ command` of a console block."""
    found: list[Shown] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            code = EXIT_CODE.search(line)
            found.append(Shown(line.removeprefix("$ "), int(code[1]) if code else 0, ()))
        elif line.strip():
            last = found.pop()
            found.append(Shown(last.command, last.code, (*last.lines, line.rstrip())))
    return found
