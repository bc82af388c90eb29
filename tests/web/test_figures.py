"""The pictures of docs/watch.md, which `make page-pictures` makes."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def test_five_pictures_of_the_page_are_in_the_docs_and_small() -> None:
    shown = re.findall(r"!\[[^\]]+\]\((figures/watch-[\w-]+\.png)\)", (DOCS / "watch.md").read_text(encoding="utf-8"))
    assert len(set(shown)) == 5
    for name in shown:
        content = (DOCS / name).read_bytes()
        assert content.startswith(b"\x89PNG")
        assert len(content) < 150_000, name
