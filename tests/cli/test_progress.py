"""A line of progress says what the kind of run measures, and every protocol names its network."""

from __future__ import annotations

import pytest

from princeps.cli import progress
from princeps.engines.conduct import Progress
from princeps.engines.rings.reference import Network
from princeps.model import registry
from princeps.model.reading import make_run
from princeps.model.rings.reading import make_ring_run


def test_a_line_says_what_is_measured(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "PLAIN_SECONDS", 0)
    monkeypatch.setattr(progress, "FIRST_SECONDS", 0)
    network = Network(make_ring_run("peterson", labels="3,1,2"))
    for _ in range(5):
        network.next_event()
    with progress.watching(False, None) as observe:
        assert observe is not None
        observe(Progress(make_run("fratricide", 20), 5000, 3, "electing"))
        observe(network)
    population, ring = capsys.readouterr().err.splitlines()
    assert population.startswith("electing: 5,000 steps, parallel time 250, 3 leaders, ")
    assert population.endswith(" steps/s")
    assert ring.startswith(f"electing: {network.messages} messages, time {network.now}, ")
    assert ring.endswith(" actions/s")


def test_networks_are_named() -> None:
    found = {
        name: registry.find_any(name).network_in_words() for name in ("p_rl", "p_ll", "a_k", "franklin", "itai_rodeh")
    }
    assert found == {
        "p_rl": "ring",
        "p_ll": "complete",
        "a_k": "labeled ring",
        "franklin": "labeled ring, both ways",
        "itai_rodeh": "anonymous ring",
    }
