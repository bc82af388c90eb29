"""One page at the WebSocket: its words are read, handed to the player and answered; all pages hear the same statuses.

Only so many pages are served, and only so many words of each are under way: then no more is read from it. Of statuses a
slow page gets the newest. A run that nobody watches any more is paused after a while.
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Future
from typing import Any

from princeps.errors import PrincepsError
from princeps.web.frame_service import WantedFrame
from princeps.web.messages import Message, MessageError, read_message
from princeps.web.page_words import page_sentence
from princeps.web.player import Player

MAX_CONNECTIONS = 16
MAX_UNDER_WAY = 32
REPLACED = "a later question for a frame has replaced this one."
TOO_MANY = 1013  # "try again later"
ALONE_SECONDS = 60.0  # without a page: somebody who loads it again is back before
ALONE = "paused: no page was open for a minute."


class Connections:
    """All pages of one player."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.open: set[Connection] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        player.listeners.append(self._hear)

    def _hear(self, what: dict[str, Any]) -> None:
        """In the player's thread."""
        loop = self._loop
        if loop is not None and self.open and not loop.is_closed():
            try:
                loop.call_soon_threadsafe(self._tell, what)
            except RuntimeError:  # the loop was closed in this moment
                return

    def _tell(self, what: dict[str, Any]) -> None:
        for connection in self.open:
            connection.tell(what)

    async def serve(self, websocket: Any) -> None:
        self._loop = asyncio.get_running_loop()
        if len(self.open) >= MAX_CONNECTIONS:
            await websocket.accept()
            await websocket.close(TOO_MANY, "too many pages watch this run")
            return
        connection = Connection(websocket, self.player)
        self.open.add(connection)
        try:
            await connection.serve()
        finally:
            self.open.discard(connection)
            if not self.open:
                self._loop.call_later(ALONE_SECONDS, self._left_alone)

    def _left_alone(self) -> None:
        if not self.open:
            self.player.submit(self._pause)

    def _pause(self) -> None:
        """In the player's thread."""
        watch = self.player.watch
        if watch.is_open and watch.moves:
            watch.pause(ALONE)


class Connection:
    def __init__(self, websocket: Any, player: Player) -> None:
        self.websocket, self.player = websocket, player
        self.under_way: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(MAX_UNDER_WAY)
        self._news: dict[str, Any] = {}  # the newest of each kind
        self._has_news = asyncio.Event()
        self._sending = asyncio.Lock()
        self._frame: WantedFrame | None = None
        self._has_greeted = False

    async def serve(self) -> None:
        from starlette.websockets import WebSocketDisconnect

        await self.websocket.accept()
        telling = asyncio.create_task(self._tell_on())
        try:
            while True:
                received = await self.websocket.receive()
                if received["type"] == "websocket.disconnect":
                    break
                await self._room.acquire()
                self._begin(received.get("text") if received.get("text") is not None else received.get("bytes", b""))
        except (WebSocketDisconnect, RuntimeError):
            pass  # it has gone
        finally:
            for task in [telling, *self.under_way]:
                task.cancel()
            if self._frame is not None:
                self._frame.future.cancel()

    # -- words --------------------------------------------------------------------------------------------------

    def _begin(self, text: str | bytes) -> None:
        """In the order in which they come; answered when they are done."""
        try:
            message = read_message(text)
            future = self._handed(message)
            answer = self._answer_frame(message, future) if message.word == "frame" else self._answer(message, future)
        except MessageError as error:
            answer = self._send({"reply": error.id, "error": str(error)})
        task = asyncio.create_task(answer)
        self.under_way.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self.under_way.discard(task)
        self._room.release()
        if not task.cancelled():
            task.exception()  # a page that has gone is no news

    def _handed(self, message: Message) -> Future[Any]:
        if message.word == "hello":
            return self.player.submit(lambda: {"library": not self.player.watch.is_open})
        if message.word == "frame":
            if self._frame is not None and not self._frame.future.done():
                self._frame.future.cancel()
            self._frame = WantedFrame(**{key: message.arguments[key] for key in ("v", "choice", "known", "table")})
            return self.player.frame(self._frame)
        return self.player.ask(message.word, message.arguments)

    async def _answer(self, message: Message, future: Future[Any]) -> None:
        try:
            answer = await asyncio.wrap_future(future)
        except PrincepsError as error:
            await self._send({"reply": message.id, "error": page_sentence(error)})
            return
        await self._send({"reply": message.id, "ok": True, **(answer or {})})
        if message.word == "hello":
            self._greet()

    async def _answer_frame(self, message: Message, future: Future[bytes]) -> None:
        try:
            frame = await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if not future.cancelled():
                raise
            await self._send({"reply": message.id, "error": REPLACED})
            return
        except PrincepsError as error:
            await self._send({"reply": message.id, "error": page_sentence(error)})
            return
        async with self._sending:
            await self.websocket.send_bytes(frame)

    # -- news ---------------------------------------------------------------------------------------------------

    def _greet(self) -> None:
        """What a new page must know first."""
        self._has_greeted = True
        if self.player.about is not None:
            self.tell({"about": self.player.about})
        if self.player.told is not None:
            self.tell({"status": self.player.told})

    def tell(self, what: dict[str, Any]) -> None:
        if self._has_greeted:
            self._news.update(what)
            self._has_news.set()

    async def _tell_on(self) -> None:
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            news, self._news = self._news, {}
            for kind in ("about", "status"):
                if kind in news:
                    await self._send({kind: news[kind]})

    async def _send(self, what: dict[str, Any]) -> None:
        text = json.dumps(what, separators=(",", ":"))
        async with self._sending:
            await self.websocket.send_text(text)
