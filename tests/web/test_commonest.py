"""The bars of a picture: the commonest states, of which alone Python's states are made."""

from __future__ import annotations

from typing import Any

import pytest

import princeps
from princeps.engines.forms import Interned, Packed
from princeps.engines.session import Session
from princeps.web.commonest import commonest
from princeps.web.frames import Frames


def opened(name: str, n: int, engine: str, form: type | None) -> Session:
    made = princeps.session(name, n, seed=2, engine=engine)
    assert isinstance(made, Session)
    made.step(5 * n)
    assert form is None or isinstance(made.population.form, form)  # type: ignore[attr-defined]
    return made


RUNS: list[tuple[str, int, str, type | None]] = [
    ("p_ll", 300, "agents", Interned),
    ("timer", 300, "agents", Packed),  # one word a state
    ("p_pl", 300, "agents", Packed),  # two
    ("p_pl", 300, "reference", None),
    ("p_ll", 300, "counts", None),
]


@pytest.mark.medium
@pytest.mark.parametrize(("name", "n", "engine", "form"), RUNS)
@pytest.mark.parametrize("most", [1, 7, 10_000])
def test_largest_first_and_the_rest_counted(name: str, n: int, engine: str, form: type | None, most: int) -> None:
    session = opened(name, n, engine, form)
    tally = {tuple(state): size for state, size in session.population.tally()}
    found, others = commonest(session.population, most)
    assert [size for _, size in found] == sorted(tally.values(), reverse=True)[:most]
    assert {state: tally[state] for state, _ in found} == dict(found)
    assert others + sum(size for _, size in found) == n


@pytest.mark.medium
def test_a_frame_does_not_list_all_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame of 10^6 agents of p_pl took 3.6 s, of which all but 0.2 s for states that no bar shows."""
    session = opened("p_pl", 10_001, "agents", Packed)

    def listed(*_: Any) -> Any:
        raise AssertionError("all states are listed")

    monkeypatch.setattr(type(session.population), "tally", listed)
    Frames(session, 0).make(session, 0, 0, choice=None, known=0, table=0, steadily=False)
