"""What the server refuses is said in words that somebody at the page can follow."""

from __future__ import annotations

import re
from typing import Any

import pytest

from princeps.errors import PrincepsError
from princeps.model.description import describe
from princeps.web.actions import Actions
from princeps.web.page_words import VERBS, page_sentence
from princeps.web.watch import Watch

PYTHON = re.compile(rf"\w+=True|\w+=[\"']|\b(?:{VERBS})\(|under_way")
RUNS: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "graph": ("p_rl", 12, {"engine": "agents"}),
    "counts": ("fratricide", 3000, {"engine": "counts"}),
    "ring": ("chang_roberts", 6, {}),
}
REFUSED: list[tuple[str, list[dict[str, Any]]]] = [
    ("graph", [{"kind": "meet", "i": 0, "j": 5}]),
    ("graph", [{"kind": "cut", "i": 0, "j": 5}]),
    ("graph", [{"kind": "dead", "agent": 1}, {"kind": "meet", "i": 0, "j": 1}]),
    ("graph", [{"kind": "cut", "i": 0, "j": 1}, {"kind": "meet", "i": 0, "j": 1}]),
    ("graph", [{"kind": "deliver", "process": 1, "side": "left"}]),
    ("graph", [{"kind": "reset", "process": 1}]),
    ("counts", [{"kind": "meet", "i": 0, "j": 1}]),
    ("counts", [{"kind": "dead", "agent": 1}]),
    ("ring", [{"kind": "dead", "agent": 1}]),
    ("ring", [{"kind": "meet", "i": 0, "j": 1}]),
    ("ring", [{"kind": "drop", "process": 1, "side": "left"}]),
    ("ring", [{"kind": "set", "agent": 1, "fields": {"leader": 1}}]),
]


def refusal(run: str, attacks: list[dict[str, Any]]) -> PrincepsError:
    name, n, options = RUNS[run]
    watch = Watch()
    watch.open(describe(name, n, seed=1, **options))
    actions = Actions(watch)
    for attack in attacks[:-1]:
        actions.perform("attack", attack)
    with pytest.raises(PrincepsError) as refused:
        actions.perform("attack", attacks[-1])
    return refused.value


@pytest.mark.parametrize(("run", "attacks"), REFUSED)
def test_no_sentence_of_the_page_is_pythons(run: str, attacks: list[dict[str, Any]]) -> None:
    said = page_sentence(refusal(run, attacks))
    assert not PYTHON.search(said), said
    assert said.endswith(".")


def test_the_page_says_what_to_do_there() -> None:
    def said(place: int) -> str:
        return page_sentence(refusal(*REFUSED[place]))

    assert said(0).endswith("choose a pair that may meet, or start the watch with --force.")
    assert said(2) == "agent 1 is dead and meets nobody: click it, and revive it."
    assert said(3).endswith("is cut: click 0, and join it again with 1.")
    assert said(6).startswith("--engine counts ")
    assert said(6).endswith(": start the watch with --engine agents.")
    assert page_sentence(ValueError("odd")).startswith("this failed inside princeps (ValueError: odd)")
