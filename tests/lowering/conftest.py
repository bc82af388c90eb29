"""Fixtures of the room."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.lowering.cache_tools import PACKAGE


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package, to be altered."""
    made = tmp_path / "copy" / "princeps"
    shutil.copytree(PACKAGE, made, ignore=shutil.ignore_patterns("__pycache__"))
    return made
