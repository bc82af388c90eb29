"""The server of `princeps watch`: the page's own files, one WebSocket for words and frames, and nothing else.

Every address begins with the token: /TOKEN/ is the page, /TOKEN/NAME one of its files, /TOKEN/socket the WebSocket,
/TOKEN/save the saved page. `/?token=TOKEN` leads there.
"""

from __future__ import annotations

import errno
import socket
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import Future
from importlib import resources
from time import monotonic, sleep
from typing import Any
from urllib.parse import parse_qs

from princeps.errors import RunError
from princeps.model.values import shown
from princeps.web.connection import MAX_CONNECTIONS, Connections
from princeps.web.messages import MAX_BYTES
from princeps.web.page_words import page_sentence
from princeps.web.player import Player
from princeps.web.safety import HEADERS, Guard, is_loopback

TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "ico": "image/x-icon",
    "json": "application/json",
    "woff2": "font/woff2",
}
PAGE = "index.html"
NO_PAGE = "<!doctype html><title>princeps</title><p>The page's files are missing in this installation.</p>"
MISSING = "princeps watch needs starlette, uvicorn and websockets: pip install 'princeps[web]'."
STARTING_SECONDS = 20.0
HEARING_SECONDS = 0.2  # the longest that a Ctrl-C waits
GRACE_SECONDS = 0.25  # for open connections, after Ctrl-C

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


def require_extra() -> None:
    """One sentence where the extra is not installed."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError:
        raise RunError(MISSING) from None


class App:
    """The ASGI application: refuses first, and answers then."""

    def __init__(
        self, guard: Guard, connections: Connections, saved: Callable[[], Future[bytes]] | None = None
    ) -> None:
        self.guard, self.connections, self.saved = guard, connections, saved

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return
        is_socket = scope["type"] == "websocket"
        path, query = scope["path"], parse_qs(scope.get("query_string", b"").decode("latin-1"))
        asked = f"/{query['token'][0]}/" if path == "/" and not is_socket and "token" in query else path
        problem = self.guard.refusal(asked, scope["headers"], is_socket)
        if problem is not None:
            await self._refuse(scope, receive, send, 403, problem)
        elif is_socket:
            await self._socket(scope, receive, send)
        elif scope["method"] not in ("GET", "HEAD"):
            await self._refuse(scope, receive, send, 405, "only GET is understood.")
        elif asked != path or path == f"/{self.guard.token}":
            await self._answer(scope, receive, send, b"", 303, {"location": f"/{self.guard.token}/"})
        else:
            await self._file(scope, receive, send, self.guard.rest_of(path))

    async def _socket(self, scope: dict[str, Any], receive: Any, send: Send) -> None:
        from starlette.websockets import WebSocket

        websocket = WebSocket(scope, receive, send)
        if self.guard.rest_of(scope["path"]) not in ("socket", "ws"):
            await websocket.close(1008)
        else:
            await self.connections.serve(websocket)

    async def _file(self, scope: dict[str, Any], receive: Any, send: Send, name: str) -> None:
        if name == "save":
            await self._save(scope, receive, send)
            return
        content = static_file(name.removeprefix("static/") or PAGE)
        if content is None:
            await self._refuse(scope, receive, send, 404, "there is no such file.")
            return
        kind = TYPES.get((name or PAGE).rpartition(".")[2] if name else "html", "application/octet-stream")
        await self._answer(scope, receive, send, content, 200, {"content-type": kind})

    async def _save(self, scope: dict[str, Any], receive: Any, send: Send) -> None:
        import asyncio

        from princeps.errors import PrincepsError

        if self.saved is None:
            await self._refuse(scope, receive, send, 404, "nothing can be saved here.")
            return
        try:
            content = await asyncio.wrap_future(self.saved())
        except PrincepsError as error:
            await self._refuse(scope, receive, send, 409, page_sentence(error))
            return
        named = {"content-type": TYPES["html"], "content-disposition": 'attachment; filename="princeps.html"'}
        await self._answer(scope, receive, send, content, 200, named)

    async def _refuse(self, scope: dict[str, Any], receive: Any, send: Send, code: int, sentence: str) -> None:
        if scope["type"] == "websocket":
            from starlette.websockets import WebSocket

            await WebSocket(scope, receive, send).close(1008)  # before it is accepted: a 403
            return
        text = {"content-type": "text/plain; charset=utf-8"}
        await self._answer(scope, receive, send, f"{sentence}\n".encode(), code, text)

    async def _answer(
        self, scope: dict[str, Any], receive: Any, send: Send, content: bytes, code: int, headers: dict[str, str]
    ) -> None:
        from starlette.responses import Response

        response = Response(content, status_code=code, headers={**HEADERS, **headers})
        await response(scope, receive, send)


def static_file(name: str) -> bytes | None:
    """A file of the page by its plain name: no folders, nothing hidden."""
    if not name.replace("_", "").replace("-", "").replace(".", "").isalnum() or name.startswith(".") or ".." in name:
        return None
    if name.endswith((".py", ".pyc")):
        return None
    found = resources.files("princeps.web").joinpath("static", name)
    if found.is_file():
        return found.read_bytes()
    return NO_PAGE.encode() if name == PAGE else None


class Serving:
    """One server with its player: `run` in the main thread until Ctrl-C, or `start` and `stop` around anything else."""

    def __init__(
        self,
        player: Player,
        host: str = "127.0.0.1",
        port: int = 0,
        saved: Callable[[], Future[bytes]] | None = None,
    ) -> None:
        require_extra()
        import uvicorn

        self.player, self.guard = player, Guard(host)
        self.connections = Connections(player)
        self.socket = bound(host, port)
        self.host, self.port = host, self.socket.getsockname()[1]
        config = uvicorn.Config(
            App(self.guard, self.connections, saved),
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            ws_max_size=MAX_BYTES,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=GRACE_SECONDS,  # type: ignore[arg-type]  # a float does
            limit_concurrency=4 * MAX_CONNECTIONS,
        )
        self.server = uvicorn.Server(config)
        self._thread: threading.Thread | None = None

    @property
    def address(self) -> str:
        """With the token."""
        named = f"[{self.host}]" if ":" in self.host else self.host
        named = "127.0.0.1" if self.host in ("0.0.0.0", "::") else named
        return f"http://{named}:{self.port}/{self.guard.token}/"

    def run(self) -> None:
        """Until Ctrl-C; nothing is left afterwards.

        uvicorn runs in a thread of its own here, too: in the main thread it would not hear a Ctrl-C of its first moments.
        """
        try:
            thread = self.start()._thread
            while thread is not None and thread.is_alive():
                # A Ctrl-C just before Python waits for a lock without a limit would be heard when the lock is free: never.
                thread.join(HEARING_SECONDS)
        finally:
            self.stop()

    def start(self) -> Serving:
        """In a thread of its own."""
        self.player.start()
        self._thread = threading.Thread(target=self._serve, name="princeps-server", daemon=True)
        self._thread.start()
        end = monotonic() + STARTING_SECONDS
        while not self.server.started and self._thread.is_alive() and monotonic() < end:
            sleep(0.01)
        return self

    def _serve(self) -> None:
        import asyncio

        try:
            with asyncio.Runner() as runner:  # its loop is there before anything waits to be run on it
                if not self.server.should_exit:
                    runner.run(self.server.serve(sockets=[self.socket]))
        except Exception:
            if not self.server.should_exit:  # whoever stops a server that has hardly begun takes its socket away
                raise

    def stop(self) -> None:
        self.server.should_exit = True
        if self._thread is not None and self._thread.is_alive():
            self._thread.join(5)
        self._end()

    def _end(self) -> None:
        self.player.stop()
        self.socket.close()

    def __enter__(self) -> Serving:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens; a port that is taken, or a host that is not ours, is refused in a sentence."""
    if not 0 <= port <= 65535:
        raise RunError(f"port {port} is no port: give 0 to 65535; 0 takes any that is free.")
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.socket(family, socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:  # the second of a name that no host can have
        raise RunError(
            f"host {shown(host)} is not understood ({error}): leave --host out, or give an address."
        ) from None
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(64)
    except OSError as error:
        made.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise RunError(
                f"host {shown(host)} is no address of this machine: leave --host out, or give one that it has."
            ) from None
        raise RunError(
            f"port {port} of {host} cannot be opened ({error.strerror or error}): give another --port, or none."
        ) from None
    made.set_inheritable(False)
    return made


def warning_of(host: str) -> str | None:
    """What it means to be bound to an address that others reach."""
    if is_loopback(host):
        return None
    return (
        f"bound to {host}: whoever in the network learns the address with its token can watch and attack this run, and "
        f"start others of the library; what is sent is not encrypted."
    )
