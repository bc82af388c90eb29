"""What a page asks about the steps before the one that is shown."""

from __future__ import annotations

import princeps
from princeps.engines.rings.session import RingSession
from princeps.web.looking_back import FRAMES, frames_before
from princeps.web.ring_frame import happened


def test_the_last_steps_of_a_ring_algorithm_are_those_that_were_run() -> None:
    session = princeps.session("franklin", 10, seed=2)
    assert isinstance(session, RingSession)
    stepped = []
    for _ in range(40):
        stepped.append(happened(session))
        session.step()
    assert frames_before(session, 12) == stepped[-12:]
    assert frames_before(session, 1000) == stepped
    assert session.steps == session.last_step == 40
    session.goto(5)
    assert frames_before(session, 3) == stepped[2:5]
    assert session.steps == 5
    assert len(stepped) < FRAMES


def test_a_population_has_no_such_steps() -> None:
    assert frames_before(princeps.session("fratricide", 5, seed=1), 3) == []
