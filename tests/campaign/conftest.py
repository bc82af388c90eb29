"""Fixtures of the tests of campaigns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.store_tools import swept
from tests.campaign.sweep_tools import OnTheSpot


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "results.db")


@pytest.fixture
def on_the_spot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.campaign.worker_pool.WorkerPool", OnTheSpot)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of an undisturbed sweep."""
    path = tmp_path_factory.mktemp("calm") / "calm.db"
    assert swept(path).code == 0
    return path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which the test works."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
