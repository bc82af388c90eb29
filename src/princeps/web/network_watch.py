"""The watch of a network run: its tape grows while it is looked at.

Whoever follows the run stands at the end of the tape. Whoever pauses stands in a fork of it, which learns what comes
meanwhile, and goes back and forth in it; nothing but the network makes the tape longer. What is done to the past of a network run
makes a branch, which is a simulation; what is done to the run itself is done by its launcher.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, Queue
from time import perf_counter
from typing import Any

from princeps.errors import RunError
from princeps.web.about import about
from princeps.web.advancing import Advancing
from princeps.web.branches import Branches, Held
from princeps.web.network_recording import network_recording
from princeps.web.network_tape import Batch, Tape
from princeps.web.pace import PORTION_SECONDS
from princeps.web.recording import record
from princeps.web.series import GOAL
from princeps.web.shown_command import ShownCommand
from princeps.web.watch import Watch

WAITING = 256  # batches that may wait for the watch
ENDED, END_OF_TAPE = "ended", "this is the last interaction of the run"
NOT_YET = "nothing like that has happened yet"
REAL = (
    "the network goes on by itself: kill or stop one of its processes, or pause and go back, where anything else makes a "
    "branch that is simulated."
)
Order = Callable[[list[Any]], None]  # ["kill", agent] or ["pause", agent, seconds]


class NetworkCommand(ShownCommand):
    """Of the run itself the command that started the network; of a branch its script."""

    def __init__(self, command: str) -> None:
        super().__init__()
        self.command = command

    def of(self, branches: Branches, run: int, moves: bool) -> str:
        return self.command if branches.current.number == 0 else super().of(branches, run, moves)


class NetworkWatch(Watch):
    """`told` is what is known of the network: its command, transport, mode, and which orders are carried out."""

    def __init__(self, told: dict[str, Any], order: Order, clock: Callable[[], float] = perf_counter) -> None:
        super().__init__(clock)
        self.told, self.order = told, order
        self.arrived: Queue[Batch] = Queue(WAITING)
        self.following = False
        self.result: dict[str, Any] | None = None  # when the run has ended
        self.shown_command = NetworkCommand(told["command"])

    def open_tape(self, session: Held) -> None:
        self.begin(session)
        assert self.branches is not None
        self.tape = Tape(session, self.branches.all[0])
        self.follow()

    @property
    def is_running(self) -> bool:
        return self.result is None

    @property
    def is_on_tape(self) -> bool:
        """What is shown is the network run, not a branch of it."""
        return self.branches is not None and self.branches.current.number == 0

    @property
    def hurries(self) -> bool:
        return not self.following and super().hurries

    # -- the network --------------------------------------------------------------------------------------------

    def tick(self) -> float | None:
        if self._take_arrived():
            return 0.0
        return None if self.following else super().tick()

    def _take_arrived(self) -> bool:
        """What has come is appended; whether more waits."""
        end, taken = perf_counter() + PORTION_SECONDS, False
        while perf_counter() < end:
            try:
                batch = self.arrived.get_nowait()
            except Empty:
                break
            taken = True
            self._take(batch)
        if taken:
            self._show_arrived()
        return not self.arrived.empty()

    def _take(self, batch: Batch) -> None:
        if ENDED not in batch:
            self.tape.append(batch)
            return
        self.result = batch[ENDED]
        if self.following:
            self._stand()
        self.note = "the run has ended" if self.result["agrees"] else "the replay differs"

    def _show_arrived(self) -> None:
        assert self.branches is not None
        shown, tape = self.branches.all[0].session, self.tape.session
        if shown is not None and shown is not tape:
            shown.learn(tape)  # type: ignore[arg-type]  # of the same kind
        if self.following or not self.is_on_tape:
            self._look()
        else:
            self.judging.sample(self.branches.all[0], tape, True, False)
            self.version += 1

    def follow(self) -> None:
        """To the end of the tape, and on with it."""
        if not self.is_running:
            self.switch(0)
            self.goto(self.session.last_step)
            return
        self._show(self.tape.session)
        self.following = self.playing = True
        self.note = ""
        self.version += 1

    def _stand(self) -> None:
        """The network goes on, and what is shown stays."""
        self.following = self.playing = False
        self._show(self.tape.session if not self.is_running else self.tape.session.fork())

    def _show(self, session: Held) -> None:
        """As the run itself, which becomes what is shown."""
        assert self.branches is not None
        tape = self.branches.all[0]
        tape.session, tape.script = session, None
        self.following = False
        super().switch(0)

    def command(self, kind: str, agent: int, seconds: float) -> str:
        """Something is done to the real run; what, in words."""
        if not self.is_running:
            raise RunError("the run has ended: there is no process any more.")
        if kind not in self.told["orders"]:
            raise RunError(self.told["no_orders"])
        if not 0 <= agent < self.session.n:
            raise RunError(f"{agent} is no agent: there are 0..{self.session.n - 1}.")
        self.order([kind, agent, seconds])
        return f"{kind} {agent}"

    # -- time ---------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """From the past to the end, and on with the network."""
        if self.is_on_tape and not self.session.in_the_past:
            if self.is_running:
                self.follow()
            else:
                self.pause(END_OF_TAPE)
            return
        super().play()

    def pause(self, note: str = "") -> None:
        if self.following:
            self._stand()
            self.note = note
            return
        super().pause(note)

    def step(self, count: int) -> None:
        if not self.is_on_tape:
            super().step(count)
            return
        self.goto(min(self.session.steps + count, self.session.last_step))

    def goto(self, step: int) -> None:
        if self.following:
            self._stand()
        super().goto(step)

    def switch(self, number: int) -> None:
        assert self.branches is not None
        if number == 0 and self.branches.all[0].session is None:  # it was left long ago
            self._show(self.tape.session.fork())
            return
        if self.following:
            self._stand()
        super().switch(number)

    def _play(self, steps: int) -> int:
        if self.is_on_tape and not self.session.in_the_past:
            self.play() if self.is_running else self.pause(END_OF_TAPE)
            return 0
        return super()._play(steps)

    def seek(self, what: str) -> None:
        if self.following:
            self._stand()
        super().seek(what)

    def _seek_on(self) -> None:
        """Only along what has happened."""
        session = self.session
        if not self.is_on_tape:
            super()._seek_on()
            return
        if self.seeking == GOAL:
            found = self._seek_goal(0) if session.in_the_past else False
        else:
            seek = session.next_change if self.seeking == "change" else session.next_leader_change
            found = session.in_the_past and seek(max_steps=session.last_step - session.steps)
        self._end_seeking(found)
        self.note = "" if found else NOT_YET if self.is_running else "nothing like that happens any more"
        self._look()

    # -- acting -------------------------------------------------------------------------------------------------

    def act(self, what: str, action: Callable[[Held], Any]) -> None:
        branches = self.branches
        if branches is None or not self.is_on_tape:
            super().act(what, action)
            return
        if self.is_running and not self.session.in_the_past:
            raise RunError(REAL)
        was_playing, left = self.playing, branches.current
        self.pause()
        if self.session.in_the_past:
            super().act(what, action)
        else:  # at the end of the run, which stays as it is
            fork = branches.fork(what)
            self.advancing = Advancing(fork, again=True)
            try:
                super().act(what, action)
            except BaseException:
                branches.remove_last(left)
                self.advancing = Advancing(left, again=True)
                raise
        if was_playing:
            self.play()

    # -- looking ------------------------------------------------------------------------------------------------

    def about(self) -> dict[str, Any]:
        told = self.told
        engine = f"network over {told['transport']}"
        shown = {key: told[key] for key in ("transport", "mode", "orders")}
        return {
            **about(self.session),
            "story": None,
            "story_elsewhere": False,
            "engine": engine,
            "command": told["command"],
            "network": shown,
        }

    def beside_frame(self) -> dict[str, Any]:
        """What the processes are, in the frame of this step."""
        return self.tape.processes_at(self.session.steps).as_json() if self.is_on_tape else {}

    def status(self) -> dict[str, Any]:
        step = self.session.steps
        shown = self.tape.processes_at(step) if self.is_on_tape else None
        return {
            **super().status(),
            "stuck": False,
            "network": {
                "running": self.is_running,
                "following": self.following,
                "on_tape": self.is_on_tape,
                "seconds": round(self.tape.seconds_at(step), 3) if self.is_on_tape else None,
                "now": round(self.tape.seconds, 3),
                "dead": [] if shown is None else list(shown.dead),
                "paused": [] if shown is None else list(shown.paused),
                "cuts": 0 if shown is None else len(shown.cuts),
                "result": self.result,
            },
        }

    def recording(self) -> dict[str, Any]:
        """The run up to the present step, for a page without a server."""
        session = self.session
        if not self.is_on_tape:
            return record(session.fork())
        return network_recording(self.tape, session.fork(), self.about(), self.result)
