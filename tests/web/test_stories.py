"""A story cannot lie: at the step of each caption its conditions hold, and the lines that it names were executed."""

from __future__ import annotations

from typing import Any

import pytest

import princeps
from princeps.engines.registry import REFERENCE
from princeps.model import registry
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.web.rule_lines import lines_of_meeting
from princeps.web.story import captions_for, holds, story_of


def lines_executed(session: Any, step: int) -> set[str]:
    """The paper's lines of the meeting that led to this step."""
    session.goto(step)
    i, j = session.last_pair
    after = session.population.state(i), session.population.state(j)
    session.goto(step - 1)
    before = session.population.state(i), session.population.state(j)
    session.goto(step)
    return set(lines_of_meeting(session.run.protocol, before, after).paper)


def is_ring(name: str) -> bool:
    return issubclass(registry.find_any(name), RingAlgorithm)


@pytest.mark.medium
@pytest.mark.parametrize("name", princeps.library())
def test_story(name: str) -> None:
    story = story_of(name)
    assert story is not None
    session: Any = story.session(None if is_ring(name) else REFERENCE)
    captions = story.captions
    assert 5 <= len(captions) <= 8
    steps = [caption["step"] for caption in captions]
    assert steps == sorted(set(steps))
    assert steps[-1] <= session.last_step
    wrong: list[str] = []
    for caption in captions:
        session.goto(caption["step"])
        assert caption["holds"], caption
        wrong += [f"{caption['step']}: {one}" for one in caption["holds"] if not holds(session, one)]
        assert all(0 <= agent < session.n for agent in caption.get("agents", []))
        lines = caption.get("lines", [])
        if lines:
            executed = lines_executed(session, caption["step"])
            wrong += [f"{caption['step']}: line {line}" for line in lines if line not in executed]
        assert 40 <= len(caption["text"]) <= 420, caption["step"]
    assert not wrong


def test_conditions_can_fail() -> None:
    story = story_of("p_rl")
    assert story is not None
    session = story.session(REFERENCE)
    session.goto(26)
    assert not holds(session, "leaders == 2")
    assert not holds(session, "agent 2: bullet == 1")
    ring = story_of("b_k")
    assert ring is not None
    elected = ring.session()
    assert holds(elected, "process 0: state == HALT, leader == 1")
    assert not holds(elected, "process 0: state == HALT, leader == 2")
    assert not holds(elected, "action == B4")


def test_captions_belong_to_one_run() -> None:
    own = princeps.session("p_rl", n=6, seed=1, start="no_leader", engine=REFERENCE)
    assert captions_for(own)[2]["lines"] == ["3", "4", "5"]
    assert len(captions_for(own)) == 6  # the others speak of a fault, which has not happened here
    story = story_of("p_rl")
    assert story is not None
    assert len(captions_for(story.session(REFERENCE))) == 8
    own.step(30).set(3, leader=1)
    assert [caption["step"] for caption in captions_for(own)] == ["0", "25", "26"]  # another fault
    other = princeps.session("p_rl", n=6, seed=2, start="no_leader", engine=REFERENCE)
    assert captions_for(other) is None
    assert story_of("../p_rl") is None
    assert story_of("nobody") is None
