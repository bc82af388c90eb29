"""The committed numbers of the library's pages are those that are computed today."""

from __future__ import annotations

import json

import pytest

import princeps
from sitebuilder.numbers import numbers_of
from sitebuilder.places import DATA


@pytest.mark.slow
@pytest.mark.parametrize("name", princeps.library())
def test_the_committed_numbers_are_those_of_today(name: str) -> None:
    committed = json.loads((DATA / f"{name}.json").read_text())
    assert committed == json.loads(json.dumps(numbers_of(name))), f"make docs-numbers ARGS={name}"
