"""What the tests of plans share: points from options as a user gives them."""

from __future__ import annotations

from pathlib import Path


def write(folder: Path, text: str, name: str = "plan.toml") -> str:
    path = folder / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text)
    return str(path)
