"""What the claims on P_RL notice: the protocol altered line by line, and the verdict that comes of it."""

from __future__ import annotations

from math import log
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from princeps.papers.p_rl import sets
from princeps.papers.p_rl.sets import worst_within
from princeps.papers.p_rl.times import COUNTING, two_laws
from princeps.papers.verdicts import PROVED, SUPPORTED, VIOLATED
from tests.papers.altering import verdict_of

FIRE_LIVE = "l.bullet, l.shield, l.signal = LIVE, 1, 0  # 7"
FIRE_DUMMY = "r.bullet, r.shield, r.signal = DUMMY, 0, 0  # 9"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edits", "verdict"),
    [
        ((), SUPPORTED),
        (
            ((FIRE_LIVE, "l.shield, l.signal = 1, 0"), (FIRE_DUMMY, "r.shield, r.signal = 0, 0")),
            VIOLATED,
        ),  # nobody fires
        (((FIRE_LIVE, "l.bullet, l.shield, l.signal = DUMMY, 1, 0"),), VIOLATED),
        (((FIRE_DUMMY, "r.shield, r.signal = 0, 0"),), VIOLATED),
    ],
)
def test_bullets_are_watched_being_fired(edits: tuple[tuple[str, str], ...], verdict: str, tmp_path: Path) -> None:
    assert verdict_of("000.coin", tmp_path, *(("p_rl", old, new) for old, new in edits)) == verdict


def told(measured: float, bound: float, verdict: str = "measured") -> dict[str, Any]:
    lemma = {
        "id": "000.T1b",
        "measured": measured,
        "bound": bound,
        "verdict": verdict,
        "detail": "it may never be reached",
    }
    return {"configurations": 100, "lemmas": [lemma]}


def test_an_exact_worst_start_is_held_to_a_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only to being finite."""
    lab: Any = None
    cases = {PROVED: told(18, 9), VIOLATED: told(99, 9)}
    for verdict, report in cases.items():
        monkeypatch.setattr(sets, "analysed", lambda *_, report=report: [(2, 2, told(4, 4)), (3, 3, report)])
        part, text = worst_within(lab, "000.T1b", 10, "10 nN")
        assert part.verdict == verdict
        assert part.measured == (2 if verdict == PROVED else 11)
        assert text == ("1 at (2,2), 2 at (3,3)" if verdict == PROVED else "")
    monkeypatch.setattr(sets, "analysed", lambda *_: [(3, 3, told(0, 9, "refuted"))])
    part, _ = worst_within(lab, "000.T1b", 10, "10 nN")
    assert part.verdict == VIOLATED
    assert "it may never be reached" in part.says


def test_two_laws_are_fitted_with_what_they_miss_by() -> None:
    def sampled(factor: Any) -> Any:
        return [SimpleNamespace(n=n, steps=n**2 * factor(n) * np.tile([0.9, 1.1], 50)) for n in (64, 256, 1024, 4096)]

    levels, better = two_laws(sampled(lambda n: 6 - 12 / n**0.5))
    grows, worse = two_laws(sampled(lambda n: 3 + log(n) / 3))
    assert better > 0 > worse
    assert levels.startswith("6 +- ")
    assert "-12 / sqrt(n) (chi-square 0.0)" in levels
    assert "+0.3333 ln n (chi-square 0.0)" in grows


@pytest.mark.slow
@pytest.mark.parametrize("id", ["000.T1b", "000.L11"])
def test_counting_to_the_square_of_the_bound_is_noticed(id: str, tmp_path: Path) -> None:
    assert verdict_of(id, tmp_path, *COUNTING.edits) == VIOLATED
