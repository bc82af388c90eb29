"""The plain ring engine beside independent transcriptions of A_k, B_k and U_k."""

from __future__ import annotations

import random
from collections import deque
from types import ModuleType
from typing import Any

import pytest

from princeps.model import registry
from princeps.model.rings.algorithm import Local, Sent
from princeps.model.rings.event import Event
from princeps.model.rings.ring import Label, Ring
from princeps.model.rings.run import RingRun
from princeps.model.rings.words import Word
from tests.protocols.transcription import a_k, b_k, u_k
from tests.protocols.transcription.links import FINISH, PHASE_SHIFT, TOKEN, Message, State, Stuck
from tests.ring_tools import (
    SMALLEST_K,
    planned,
    random_asymmetric,
    rings_of_class,
    traced,
)

TRANSCRIBED: dict[str, ModuleType] = {"a_k": a_k, "b_k": b_k, "u_k": u_k}


def plain(value: Any) -> Any:
    """A label as the number it is, a word as a tuple."""
    if isinstance(value, Word):
        return tuple(map(plain, value.letters))
    return value.text if isinstance(value, Label) else value


def as_tuple(content: Sent) -> Message:
    return content.message.name, *map(plain, content.values)


def state_of(run: RingRun, local: Local) -> State:
    state = {name: plain(value) for name, value in zip(run.algorithm.variables_, local.values, strict=True)}
    if "state" in state:
        state["state"] = run.algorithm.show(local)["state"]
    assert state.pop("INIT", 0) == 0  # everyone who acts has started
    return {**state, "halted": local.halted}


def follow(run: RingRun) -> list[Event]:
    """The transcription, on links of its own, does what the engine shows, event by event."""
    rules, n, params = TRANSCRIBED[run.spec], run.ring.n, run.algorithm.given
    states: list[State] = [{}] * n
    links: list[deque[Message]] = [deque() for _ in range(n)]
    events, result = traced(run)
    for event in events:
        i = event.process
        if not event.action:  # a deadlock: the transcription knows no action either, there and then
            assert event.received is not None
            assert links[i][0] == as_tuple(event.received)
            with pytest.raises(Stuck):
                rules.receive(states[i], links[i][0])
            continue
        if event.received is None:
            states[i], sent = rules.start(run.ring.labels[i], **params)
        else:
            assert links[i][0] == as_tuple(event.received)
            states[i], sent = rules.receive(states[i], links[i].popleft())
        links[(i + 1) % n].extend(sent)
        assert [as_tuple(content) for content in event.sent] == sent, event
        shown = {name: value for name, value in states[i].items() if name not in ("id", *params)}
        assert state_of(run, event.local) == shown, event
    for i in (port for port in range(n) if links[port]):  # what nobody can take
        with pytest.raises(Stuck):
            rules.receive(states[i], links[i][0])
    assert any(links) == ("links not empty" in [violation.rule for violation in result.violations])
    return events


def has_unique_labels(name: str, ring: Ring) -> bool:
    """As U_k needs one; the others do not."""
    return name != "u_k" or ring.in_u_star


@pytest.mark.slow
@pytest.mark.parametrize("name", TRANSCRIBED)
def test_every_small_ring_goes_through_the_states_of_the_transcription(name: str) -> None:
    fired = set()
    for ring, k in rings_of_class(4, 3, SMALLEST_K[name]):
        if not has_unique_labels(name, ring):
            continue
        for schedule in ("synchronous", "random", "adversarial", f"slow:{ring.n - 1}"):
            fired |= {event.action for event in follow(planned(name, ring, schedule=schedule, params={"k": k}))}
    assert fired == {action.name for action in registry.find_ring(name).actions}


@pytest.mark.medium
@pytest.mark.parametrize("name", TRANSCRIBED)
def test_larger_rings_go_through_the_states_of_the_transcription(name: str) -> None:
    draw = random.Random(5)
    for seed in range(12):
        while not has_unique_labels(name, ring := random_asymmetric(draw.randint(5, 9), draw.randint(2, 9), draw)):
            pass
        k = max(SMALLEST_K[name], ring.multiplicity) + draw.randint(0, 1)
        events = follow(planned(name, ring, schedule="random", seed=seed, params={"k": k}))
        assert all(event.action for event in events)
        assert {event.process for event in events if event.local.halted} == set(range(ring.n))


@pytest.mark.parametrize("name", TRANSCRIBED)
def test_rings_outside_the_class_go_wrong_as_the_transcription_does(name: str) -> None:
    draw, stuck = random.Random(6), 0
    for seed in range(40):
        labels = [draw.randrange(3) for _ in range(draw.randint(2, 8))]
        more = {"printed": seed % 2} if name == "a_k" else {}
        run = planned(name, labels, schedule="random", seed=seed, force=True, params={"k": SMALLEST_K[name], **more})
        stuck += sum(not event.action for event in follow(run))
    assert stuck > 0  # also the way into a deadlock was followed


def test_the_names_of_messages_are_those_of_the_transcriptions() -> None:
    assert [message.name for message in registry.find_ring("a_k").messages_] == [TOKEN, FINISH]
    assert [message.name for message in registry.find_ring("b_k").messages_] == [TOKEN, PHASE_SHIFT, FINISH]
    assert [message.name for message in registry.find_ring("u_k").messages_] == [TOKEN, FINISH]
