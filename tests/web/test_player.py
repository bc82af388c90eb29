"""The player's thread: what watching costs it, and how soon it answers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import princeps
from princeps.engines.population import StopCondition
from princeps.engines.session import Session
from princeps.model.description import describe
from princeps.web.actions import Actions
from princeps.web.player import Player, WantedFrame
from princeps.web.watch import Watch

SECONDS = 120  # a test waits for an answer, on whatever machine


@contextmanager
def player_of(name: str, n: int, **given: Any) -> Iterator[Player]:
    watch = Watch()
    watch.open(describe(name, n, seed=1, **given))
    player = Player(watch, Actions(watch)).start()
    try:
        yield player
    finally:
        player.stop()
        assert not player._thread.is_alive()


def ask(player: Player, word: str, **given: Any) -> dict[str, Any]:
    return player.ask(word, given).result(SECONDS)


def cost_of_watched(player: Player, seconds: float) -> tuple[int, float]:
    """Steps, and seconds of the thread's processor time a step, while a page asks for 30 frames a second."""

    def where() -> tuple[int, float]:
        here: tuple[int, float] = player.submit(lambda: (player.watch.session.steps, time.thread_time())).result(
            SECONDS
        )
        return here

    ask(player, "play")
    before, v = where(), -1
    while (after := where())[1] < before[1] + seconds:
        wanted = WantedFrame(v, None, 0, -1)
        assert player.frame(wanted).result(SECONDS)
        v = player.watch.version
        time.sleep(1 / 30)
        ask(player, "play")  # also past the goal
    ask(player, "pause")
    steps = after[0] - before[0]
    return steps, (after[1] - before[1]) / steps


def cost_alone(session: Session, steps: int) -> float:
    population, end, began = session.population, session.steps + steps, time.thread_time()
    while population.steps < end:
        population.advance(population.portion(), StopCondition.NOTHING)
    return (time.thread_time() - began) / steps


@pytest.mark.medium
def test_a_page_takes_less_than_a_tenth_of_the_engines_time() -> None:
    """By processor time, and of each the cheapest of three: what others do on the machine makes steps dearer."""
    alone = princeps.session("p_rl", 60, seed=1, engine="agents")
    assert isinstance(alone, Session)
    with player_of("p_rl", 60, engine="agents") as player:
        ask(player, "speed", value=None)
        cost_of_watched(player, 0.1)  # states are learnt, portions find their length
        watched, plain = [], []
        for _ in range(3):
            steps, cost = cost_of_watched(player, 0.3)
            watched.append(cost)
            plain.append(cost_alone(alone, steps))
    assert min(watched) < 1.1 * min(plain)
