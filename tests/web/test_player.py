"""The player's thread: what watching costs it, and how soon it answers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from princeps.api.watch import page_of_watch
from princeps.engines.session import Session
from princeps.model.description import describe
from princeps.web.actions import Actions
from princeps.web.frame_service import WantedFrame
from princeps.web.frames import decode
from princeps.web.player import Player
from princeps.web.watch import Watch
from tests.conftest import PATIENCE, wait_for

SECONDS = PATIENCE  # a test waits for an answer, on whatever machine


@contextmanager
def player_of(name: str, n: int, **given: Any) -> Iterator[Player]:
    watch = Watch()
    watch.open(describe(name, n, seed=1, **given))
    player = Player(watch, Actions(watch)).start()
    try:
        yield player
    finally:
        player.stop(SECONDS)
        assert not player._thread.is_alive()


def ask(player: Player, word: str, **given: Any) -> dict[str, Any]:
    return player.ask(word, given).result(SECONDS)


class Timed:
    """`advance` of a population, with the processor time that it takes. It is made in the player's thread."""

    def __init__(self, session: Session) -> None:
        self.advance, self.seconds = session.population.advance, 0.0
        self.now = (
            time.thread_time()
        )  # of the player's thread, as of the last call: any thread may look, and costs nothing
        session.population.advance = self  # type: ignore[method-assign, assignment]

    def __call__(self, *given: Any) -> Any:
        began = time.thread_time()
        try:
            return self.advance(*given)
        finally:
            self.now = time.thread_time()
            self.seconds += self.now - began


def timed_advance(player: Player) -> Timed:
    session = player.watch.session
    assert isinstance(session, Session)
    return player.submit(lambda: Timed(session)).result(SECONDS)  # type: ignore[no-any-return]


def play_on(player: Player, timed: Timed, seconds: float) -> None:
    """Until the player's thread has had so much more processor time, also past the goal."""
    end = timed.now + seconds
    while timed.now < end:
        if not player.watch.playing:
            ask(player, "play")
        time.sleep(0.01)


@pytest.mark.medium
@pytest.mark.parametrize(("name", "n"), [("p_rl", 60), ("p_ll", 20_001)])  # as agents, and as pixels
def test_a_page_takes_less_than_a_tenth_of_the_engines_time(name: str, n: int) -> None:
    """Of the thread's processor time, in each second of which a page asks for up to 30 frames, whatever else the machine
    does and however long a frame takes on it."""
    with player_of(name, n, engine="agents") as player:
        ask(player, "speed", value=None)
        ask(player, "step", count=5000)  # what must be compiled is
        play_on(player, timed_advance(player), 0.4)  # states are learnt, portions find their length
        v = frames = known = 0
        table = -1

        def ask_for_frame() -> None:
            nonlocal v, table, known
            ask(player, "play")
            header, _ = decode(player.frame(WantedFrame(v, None, known, table)).result(SECONDS))
            v, table, known = player.watch.version, header["table"], header["states_from"] + len(header["states"])

        ask_for_frame()  # the first takes long, once, and by itself more than a tenth where caches are cold
        timed = timed_advance(player)
        began = timed.now
        while frames < 4 or timed.now - began < 0.8:
            ask_for_frame()
            frames += 1
            play_on(player, timed, 1 / 30)
        spent, used = player.submit(lambda: (timed.seconds, timed.now - began)).result(SECONDS)
        assert spent > 0.9 * used, (spent, used, frames, player.frames.seconds)


def test_the_step_moves_at_once_after_play_whatever_the_frames_before_it_took() -> None:
    with player_of("p_rl", 60, engine="agents") as player:
        first = player.frame(WantedFrame(-1, None, 0, -1)).result(SECONDS)
        player.submit(lambda: setattr(player.frames._share, "_due", time.thread_time() + 10**6)).result(SECONDS)
        ask(player, "speed", value=None)
        watch, steps = player.watch, []
        tick = watch.tick

        def noted() -> float | None:
            wait = tick()
            if watch.playing:
                steps.append(watch.session.steps)
            return wait

        wanted, shown = WantedFrame(watch.version, None, 0, -1), []
        wanted.future.add_done_callback(lambda _: shown.append(len(steps)))  # in the player's thread
        player.submit(lambda: setattr(watch, "tick", noted)).result(SECONDS)
        player.frame(wanted)
        ask(player, "play")
        assert wanted.future.result(SECONDS) != first
        assert steps[0] > 0
        assert shown == [1]  # after the first portion


@pytest.mark.medium
def test_a_long_step_of_an_engine_that_draws_batches_is_paused_soon() -> None:
    with player_of("p_ll", 10**9, engine="counts") as player:
        going = player.ask("step", {"count": 10**11})
        ask(player, "speed", value=None)  # a word in between is answered
        wait_for(lambda: player.watch.session.steps > 0, SECONDS)  # what must be compiled is
        used = player.submit(time.thread_time).result(SECONDS)
        ask(player, "pause")
        assert player.submit(time.thread_time).result(SECONDS) - used < 0.5
        assert going.result(SECONDS)["found"] is False


@pytest.mark.medium
def test_pages_are_told_of_what_takes_a_while() -> None:
    with player_of("fratricide", 3000, engine="agents") as player:
        told: list[str | None] = []
        player.listeners.append(lambda what: told.append(what.get("status", {}).get("busy")))

        def busy(word: str, **given: Any) -> list[str]:
            told.clear()
            ask(player, word, **given)
            return [one for one in told if one is not None]

        assert busy("attack", kind="corrupt", count=3000) == ["the attack is prepared"]
        assert busy("attack", kind="start", name="initial") == ["the attack is prepared"]
        assert busy("attack", kind="corrupt", count=3) == []
        assert busy("compare", number=0) == ["the branches are compared"]
        told.clear()
        page_of_watch(player).result(SECONDS)
        assert "the page is made" in told
        ask(player, "pause")
        while told[-1] is not None:
            time.sleep(0.01)
