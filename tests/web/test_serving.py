"""Beginning and ending a server: hosts, Ctrl-C at any moment, and what Python may hand over instead of texts."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import princeps
from princeps.api.watch import serve
from princeps.errors import PrincepsError, RunError
from princeps.model.description import describe
from princeps.web.server import bound


@pytest.mark.parametrize("host", ["[" * 500, "no.such.host.invalid", "é" * 70], ids=["brackets", "unknown", "long"])
def test_hosts_that_are_none(host: str) -> None:
    with pytest.raises(RunError, match="is not understood") as refused:
        bound(host, 0)
    assert len(str(refused.value)) < 300


def test_an_address_of_another_machine() -> None:
    with pytest.raises(RunError, match=r"host '192\.0\.2\.1' is no address of this machine"):
        bound("192.0.2.1", 0)  # reserved for documentation


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("before", [True, False])
def test_ctrl_c_while_the_server_starts(monkeypatch: pytest.MonkeyPatch, before: bool) -> None:
    """Whenever it comes after the address was made: it ends as always, and nothing is left."""
    started = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        is_server = thread.name == "princeps-server"
        if not is_server or not before:
            started(thread)
        if is_server:
            raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", start)
    serve(describe("p_rl", 5, seed=1), browser=False, say=lambda _: None)
    assert not [thread.name for thread in threading.enumerate() if thread.name == "princeps-watch"]


def test_ctrl_c_while_the_address_is_printed() -> None:
    before = set(threading.enumerate())
    serve(describe("p_rl", 5, seed=1), browser=False, say=interrupted)
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("given", [{"n": np.array([1, 2])}, {"n": 5, "engine": np.zeros(0)}, {"seed": [float("nan")]}])
def test_arrays_have_no_one_truth(given: dict[str, Any], tmp_path: Any) -> None:
    with pytest.raises(PrincepsError):
        princeps.watch("p_ll", save=tmp_path / "page.html", **given)
