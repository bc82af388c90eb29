"""Draw docs/figures/architecture.svg from the imports of src/princeps: `make architecture`.

The layers come from the table in docs/architecture.md, which says what each room may import; the arrows and the lists in
the boxes come from the syntax trees. An import that the table does not permit is drawn in red. Imports by a string
(`import_module("princeps.protocols")`, a table of dotted names, `python -m princeps.campaign.worker`) count as imports.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from layered_drawing import Box, draw

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "princeps"
PAGE = ROOT / "docs" / "architecture.md"
PICTURE = ROOT / "docs" / "figures" / "architecture.svg"
DOTTED = re.compile(r"princeps(\.\w+)+\.?")


@dataclass(frozen=True)
class Import:
    """One imported module, with its full dotted name."""

    name: str
    by_string: bool = False


@dataclass(frozen=True)
class Rule:
    """A row of the table: what the files of a room may import, in the project and from outside."""

    inside: frozenset[str]
    outside: frozenset[str]


def read_table(page: Path = PAGE) -> dict[str, Rule]:
    """The import table of the page. Only names in backquotes count; the last column is prose."""
    rules = {}
    for line in page.read_text().splitlines():
        cells = line.strip().strip("|").split("|")
        if len(cells) == 4 and cells[0].strip().startswith("`"):
            room, inside, outside = (re.findall(r"`([^`]+)`", cell) for cell in cells[:3])
            rules[room[0]] = Rule(frozenset(inside), frozenset(outside))
    return rules


def imports_of(path: Path) -> Iterator[Import]:
    """Everything that a file imports, at any depth, also by a string."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (Import(f"{node.module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and names_a_module(node.value):
            yield Import(node.value.rstrip("."), by_string=True)


def names_a_module(text: str) -> bool:
    """`princeps.papers.p_rl` or the beginning of one, `princeps.protocols.`; not `princeps.run`, a function."""
    room = text.split(".")[1] if DOTTED.fullmatch(text) else ""
    return room != "" and ((SOURCE / room).is_dir() or (SOURCE / f"{room}.py").exists())


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def purpose_of(room: str) -> str:
    """The first sentence of the room's docstring, without the full stop."""
    path = SOURCE / f"{room}.py" if (SOURCE / f"{room}.py").exists() else SOURCE / room / "__init__.py"
    opening = (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n\n")[0]
    return " ".join(opening.replace("`", "").split()).partition(". ")[0].rstrip(".")


def read_rooms() -> list[Box]:
    """Every room with what its files import now, in the order of the table."""
    rules = read_table()
    inside: dict[str, set[str]] = {room: set() for room in rules}
    by_string: dict[str, set[str]] = {room: set() for room in rules}
    outside: dict[str, set[str]] = {room: set() for room in rules}
    for path in sorted(SOURCE.rglob("*.py")):
        room = room_of(path)
        for found in imports_of(path):
            top, _, rest = found.name.partition(".")
            entered = rest.partition(".")[0]
            if top != "princeps":
                outside[room] |= {top} - sys.stdlib_module_names
            elif entered not in (room, "__version__"):
                (by_string if found.by_string else inside)[room].add(entered)
    return [
        Box(
            name=room,
            text=purpose_of(room),
            below=rule.inside,
            arrows=frozenset(inside[room] | (by_string[room] & rule.inside)),
            by_name=frozenset(by_string[room] - inside[room] - rule.inside),
            libraries=frozenset(outside[room]),
        )
        for room, rule in rules.items()
    ]


if __name__ == "__main__":
    PICTURE.write_text(draw(read_rooms()))
    print(f"written: {PICTURE.relative_to(ROOT)}")
