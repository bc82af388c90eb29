"""`princeps warm` leaves machine code, so that the runs after it compile nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import RunError, UnknownProtocol


def test_an_unknown_protocol_is_refused() -> None:
    with pytest.raises(UnknownProtocol, match="fratricid"):
        princeps.warm(["fratricid"])


@pytest.mark.parametrize("one", ["fratricid", Path("fratricid"), ("fratricid",), {"fratricid": 1}])
def test_one_name_is_a_list_of_one(one: Any) -> None:
    """Not of its letters."""
    with pytest.raises(UnknownProtocol, match="fratricide"):
        princeps.warm(one)


@pytest.mark.parametrize("bad", [5, type, [None], [["fratricide"]], b"fratricide", [""]])
def test_what_is_no_list_of_names_is_refused(bad: Any) -> None:
    with pytest.raises(RunError, match=r"what .* is not understood"):
        princeps.warm(bad)
    with pytest.raises(RunError, match="observer is 5"):
        princeps.warm(["fratricide"], observer=5)


@pytest.mark.slow
def test_what_is_warm_is_not_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRINCEPS_CACHE_DIR", str(tmp_path))
    seen: list[object] = []
    done = princeps.warm(["tokens"], observer=seen.append)
    assert done == seen
    assert {one.what for one in done if one.refused is None} >= {"agents", "exact"}
    files = set(tmp_path.rglob("*"))
    assert files
    princeps.run("tokens", n=200, seed=3, engine="agents", max_steps=20_000)
    assert set(tmp_path.rglob("*")) == files
