"""A run that nobody watches any more is paused after a while, and only then."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from princeps.web import connection
from princeps.web.connection import ALONE, Connections
from tests.web.test_player import SECONDS, ask, player_of


class Page:
    """A page that is closed when it is told so."""

    def __init__(self) -> None:
        self.closed = asyncio.Event()

    async def accept(self) -> None: ...

    async def receive(self) -> dict[str, Any]:
        await self.closed.wait()
        return {"type": "websocket.disconnect"}


@pytest.mark.parametrize("stays", [False, True], ids=["all pages closed", "one is still open"])
def test_a_run_that_nobody_watches_is_paused(monkeypatch: pytest.MonkeyPatch, stays: bool) -> None:
    monkeypatch.setattr(connection, "ALONE_SECONDS", 0.0)
    with player_of("p_rl", 8, engine="reference") as player:

        async def visit() -> None:
            pages, first, second = Connections(player), Page(), Page()
            served = [asyncio.create_task(pages.serve(page)) for page in (first, second)]
            await asyncio.sleep(0)
            first.closed.set()
            await served[0]
            if not stays:
                second.closed.set()
                await served[1]
            await asyncio.sleep(0.01)  # what was to be called later is called
            assert player.submit(lambda: None).result(SECONDS) is None  # and what that handed over is done
            seen.append((player.watch.playing, player.watch.note))
            second.closed.set()
            await served[1]

        seen: list[tuple[bool, str]] = []
        ask(player, "speed", value=1)
        ask(player, "play")
        asyncio.run(visit())
        assert seen == [(True, "")] if stays else seen == [(False, ALONE)]
