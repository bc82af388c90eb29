"""What the library says of torn interactions is what exact --torn proves."""

from __future__ import annotations

import json

import pytest

import princeps
from princeps.analysis.halves import pairs_changing_both
from princeps.model.torn_pairs import torn_pairs
from sitebuilder.measured import numbers
from sitebuilder.places import ROOT
from sitebuilder.torn import SIZES, torn_cell, torn_numbers, torn_sentence


def test_every_population_protocol_is_judged() -> None:
    assert set(SIZES) == set(princeps.library("population"))


@pytest.mark.parametrize("name", list(SIZES))
def test_the_column_of_the_library(name: str) -> None:
    rows = (ROOT / "docs" / "library.md").read_text().splitlines()
    (row,) = [line for line in rows if line.startswith(f"| `{name}` |")]
    assert row.endswith(f"| {torn_cell(name)} |"), "python -m sitebuilder torn prints the column"


@pytest.mark.medium
@pytest.mark.parametrize("name", ["fratricide", "majority", "timer", "numbered"])
def test_the_committed_verdicts_are_those_of_today(name: str) -> None:
    """Of all protocols in test_numbers.py, which is slow."""
    assert numbers(name)["torn"] == json.loads(json.dumps(torn_numbers(name))), f"python -m sitebuilder torn {name}"


def test_sentences() -> None:
    assert "no pair of states changes both agents" in torn_sentence("fratricide")
    assert "a schedule of 3 interactions does, and none is shorter" in torn_sentence("p_ll")
    assert "`princeps exact p_pl -n 2 -p N=3 -p virus_factor=1 -p emit_factor=1 --torn 1`" in torn_sentence("p_pl")
    assert "from each of the 884,736 configurations" in torn_sentence("p_rl")


def test_show_counts_the_same_pairs() -> None:
    for name in ("fratricide", "majority", "epidemic"):
        protocol = princeps.protocol(name, n=1000)
        assert torn_pairs(protocol) == pairs_changing_both(protocol, None)
    assert torn_pairs(princeps.protocol("p_ll", n=1000)) is None
    assert torn_pairs(princeps.protocol("infection", n=10)) is None
