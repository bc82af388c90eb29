"""One agent of a cluster, for an application that asks whether it leads.

In an asyncio program `async with`, in any other `with`, which runs a loop in a thread of its own.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable
from contextlib import suppress
from math import inf
from types import TracebackType

from princeps.errors import RunError
from princeps.network.cluster.crossing import act_in
from princeps.network.cluster.file import Cluster
from princeps.network.cluster.hearing import hear
from princeps.network.cluster.seat import Seat, take_seat
from princeps.network.cluster.terms import LARGEST
from princeps.network.handshake import Outputs
from princeps.network.tcp import Connections

TALLY_EVERY = 5.0  # seconds
NAP = 0.005  # seconds between two looks at what is not finished, at the end

OnChange = Callable[[bool, int], object]


class Member:
    """`leads` and `term` are those of this moment; `leadership` waits; `on_change` has somebody called."""

    def __init__(self, cluster: Cluster, agent: int | None = None) -> None:
        self.cluster, self._wanted = cluster, agent
        self._seat: Seat | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end_hearing: Callable[[], None] = lambda: None
        self._timer: asyncio.TimerHandle | None = None
        self._thread: threading.Thread | None = None
        self._callbacks: list[OnChange] = []
        self._waiting: list[asyncio.Future[None]] = []
        self._said = (False, 0)
        self._tally_at = 0.0
        self._closing = False
        self._ended = asyncio.Event()
        self.failure = ""  # why this agent has stopped

    # -- what an application asks -------------------------------------------------------------------------------------

    @property
    def agent(self) -> int:
        return self._opened().agent

    @property
    def address(self) -> str:
        return self._opened().address

    @property
    def incarnation(self) -> int:
        return self._opened().node.incarnation

    @property
    def leads(self) -> bool:
        """Whether this agent leads now, by what it knows. Another may lead at the same time."""
        return self._seat is not None and not self._closing and not self.failure and self._seat.node.terms.leads

    @property
    def term(self) -> int:
        """The last term of this agent, to fence with; 0 if it has not led in this incarnation."""
        return 0 if self._seat is None else self._seat.node.terms.own

    @property
    def state(self) -> dict[str, int]:
        """That of the agent, by the names of its fields."""
        node = self._opened().node
        return dict(zip(node.protocol.space.names, node.state, strict=True))

    @property
    def peers(self) -> dict[int, int]:
        """The agents that have introduced themselves, and their incarnations."""
        return dict(self._opened().node.joined)

    @property
    def differs(self) -> dict[int, str]:
        """The agents that are not of this cluster by what they say of themselves, and why."""
        return dict(self._opened().node.differs)

    @property
    def not_let_in(self) -> dict[str, str]:
        """Over TLS: with whom there is no connection because of certificates, and why."""
        own = self._opened().socket
        return dict(own.notes) if isinstance(own, Connections) else {}

    @property
    def counters(self) -> dict[str, int]:
        """What this incarnation has counted: requests, refused, unanswered, bad frames and why, ..."""
        node = self._opened().node
        found = {name: getattr(node.tally, name) for name in node.tally.NAMES}
        return found | {why.value: count for why, count in node.tally.bad.items()} | {"not introduced": node.early}

    def on_change(self, callback: OnChange) -> None:
        """`callback(leads, term)` after each change of either, in the loop (of `with`: in its thread).

        An exception in it is reported by the loop, as of any callback, and the agent goes on.
        """
        if not callable(callback) or inspect.iscoroutinefunction(callback):
            raise RunError(
                f"on_change is given {callback!r}: give a plain function callback(leads, term), which may start a task."
            )
        self._callbacks.append(callback)

    async def leadership(self) -> int:
        """Returns when this agent leads: its term."""
        await self._until(lambda: self.leads)
        return self.term

    async def joined(self) -> None:
        """Returns when some other agent has introduced itself."""
        await self._until(lambda: bool(self.peers))

    def outbid(self, term: int) -> None:
        """A resource has refused the term of this agent, since it knows a larger one: if this agent leads, it takes one
        that is larger still, which `term` says when this returns."""
        if isinstance(term, bool) or not isinstance(term, int) or not 0 <= term < LARGEST:
            raise RunError(f"term {term!r} is none: give the one that the resource knows.")
        if self._loop is not None and not self._closing:
            act_in(self._loop, lambda: self._safely(lambda: self._outbid(term)))

    def wait(self, timeout: float | None = None) -> bool:
        """Of `with`: until this agent leads, or for so many seconds. Whether it leads."""
        if self._thread is None or self._loop is None:
            raise RunError("wait is for `with princeps.member(...)`: write `await me.leadership()`.")
        waiting = asyncio.run_coroutine_threadsafe(self.leadership(), self._loop)
        try:
            waiting.result(timeout)
        except TimeoutError:
            waiting.cancel()
        return self.leads

    # -- beginning and end --------------------------------------------------------------------------------------------

    async def __aenter__(self) -> Member:
        if self._seat is not None:
            raise RunError("this member has been entered already: make another one.")
        self._loop = asyncio.get_running_loop()
        self._seat = take_seat(self.cluster, self._wanted)
        try:
            self._end_hearing = await hear(self._seat, self._receive)
        except BaseException:
            self._seat.close()
            raise
        self._act(self._seat.node.start(self._loop.time()))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Leads no more, finishes the interaction that it is in (for as long as the lease), and says that it leaves."""
        if self._closing or self._seat is None or self._loop is None:
            return
        self._closing = True
        seat, loop = self._seat, self._loop
        self._tell()
        try:
            seat.node.stop()
            end = loop.time() + self.cluster.lease
            while seat.node.busy and not self.failure and loop.time() < end:
                await asyncio.sleep(NAP)
        finally:
            if self._timer is not None:
                self._timer.cancel()
            with suppress(OSError):  # a full disk
                seat.leave()
            self._end_hearing()
            seat.close()
            self._wake()
            self._ended.set()

    def __enter__(self) -> Member:
        began = threading.Event()
        wrong: list[BaseException] = []

        async def stay() -> None:
            try:
                await self.__aenter__()
            except BaseException as error:
                wrong.append(error)
                return
            finally:
                began.set()
            await self._ended.wait()

        self._thread = threading.Thread(target=lambda: asyncio.run(stay()), name="princeps-member", daemon=True)
        self._thread.start()
        began.wait()
        if wrong:
            self._thread.join()
            raise wrong[0]
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Of `with`."""
        if self._thread is not None and self._loop is not None and self._thread.is_alive():
            with suppress(RuntimeError):  # the loop has ended
                asyncio.run_coroutine_threadsafe(self.aclose(), self._loop).result()
            self._thread.join()

    # -- the loop -----------------------------------------------------------------------------------------------------

    def _receive(self, data: bytes) -> None:
        seat, loop = self._seat, self._loop
        if seat is not None and loop is not None and not self.failure and not seat.is_closed:
            self._safely(lambda: seat.node.receive(loop.time(), data))

    def _tick(self) -> None:
        seat, loop = self._seat, self._loop
        self._timer = None
        if seat is not None and loop is not None and not self.failure:
            self._safely(lambda: seat.node.timer(loop.time()))

    def _outbid(self, term: int) -> Outputs:
        if not self._closing and not self.failure:
            self._opened().node.terms.outbid(term)
        return []

    def _safely(self, step: Callable[[], Outputs]) -> None:
        """Whatever goes wrong ends this agent's part with a sentence; it never goes up into the loop."""
        try:
            self._act(step())
        except Exception as error:
            self._fail(str(error) if isinstance(error, RunError) else f"{type(error).__name__}: {error}")

    def _act(self, outputs: Outputs) -> None:
        seat, loop = self._seat, self._loop
        assert seat is not None
        assert loop is not None
        seat.do(outputs)
        now = loop.time()
        if now >= self._tally_at:
            self._tally_at = now + TALLY_EVERY
            seat.do([seat.tally()])
        if seat.node.failure:
            self._fail(seat.node.failure)
        else:
            due = seat.node.next_timer()
            if self._timer is None or due < self._timer.when():
                if self._timer is not None:
                    self._timer.cancel()
                self._timer = None if due == inf else loop.call_at(due, self._tick)
            self._tell()
        if self._waiting:
            self._wake()

    def _tell(self) -> None:
        now = self.leads, self.term
        if now != self._said and self._loop is not None:
            self._said = now
            for callback in self._callbacks:
                self._loop.call_soon(callback, *now)

    def _fail(self, sentence: str) -> None:
        self.failure = sentence
        if self._seat is not None:
            self._seat.node.stop()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._tell()
        self._wake()

    async def _until(self, condition: Callable[[], bool]) -> None:
        while True:
            if self.failure:
                raise RunError(self.failure)
            if condition():
                return
            if self._closing or self._loop is None:
                raise RunError("this member is closed: it will not lead.")
            waiting: asyncio.Future[None] = self._loop.create_future()
            self._waiting.append(waiting)
            await waiting

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.done():
                one.set_result(None)

    def _opened(self) -> Seat:
        if self._seat is None:
            raise RunError("this member has not been entered: use `async with princeps.member(...) as me`.")
        return self._seat
