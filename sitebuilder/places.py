"""Where things are: what is read, what is written."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
EXAMPLES = ROOT / "examples"
SOURCE = ROOT / "src" / "princeps"
HERE = Path(__file__).parent
DATA = HERE / "data"
THEME = HERE / "theme"
STAGE = ROOT / "build" / "site-source"  # what Sphinx reads: the pages of docs/ and those that are generated
SITE = ROOT / "site"
