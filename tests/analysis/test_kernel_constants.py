"""Constants that a kernel file repeats, because its source is compiled and cached alone, equal those of the room."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import princeps.analysis

ROOM = Path(princeps.analysis.__file__).parent


def constants(path: Path) -> Iterator[tuple[str, object]]:
    """Integers that are assigned to upper-case names at the top of a file."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            values = value.elts if isinstance(value, ast.Tuple) else [value]
            for name, one in zip(names, values, strict=False):
                if isinstance(name, ast.Name) and name.id.isupper() and len(names) == len(values):
                    try:
                        yield name.id, ast.literal_eval(one)
                    except ValueError:  # an expression
                        continue


def test_constants_of_kernels_equal_those_of_the_room() -> None:
    files = sorted(ROOM.glob("*.py"))
    plain = [path for path in files if not path.stem.endswith("_kernel")]
    room: dict[str, set[object]] = {}
    for path in plain:
        for name, value in constants(path):
            room.setdefault(name, set()).add(value)
    repeated = [
        (path.name, name, value)
        for path in files
        if path.stem.endswith("_kernel")
        for name, value in constants(path)
        if name in room
    ]
    assert {name for _, name, _ in repeated} >= {"BY_AGENT", "UNKNOWN", "RESPONDER_MASK", "SOLVED", "NOT_VISITED"}
    assert [found for found in repeated if room[found[1]] != {found[2]}] == []
