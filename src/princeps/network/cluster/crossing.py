"""From any thread into the thread of an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress


def act_in(loop: asyncio.AbstractEventLoop, act: Callable[[], object]) -> None:
    """Done when this returns: at once in the loop's own thread, elsewhere when the loop has come to it. Nothing if it has ended."""
    here = None
    with suppress(RuntimeError):  # no loop runs in this thread
        here = asyncio.get_running_loop()
    if here is loop:
        act()
        return

    async def acting() -> None:
        act()

    coming = acting()
    try:
        asyncio.run_coroutine_threadsafe(coming, loop).result()
    except RuntimeError:  # it has ended
        coming.close()
