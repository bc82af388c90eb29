"""What was done to a run so far, and going to any point of it: checkpoint and replay.

A timeline is a list of events (model/script.py). The present is a position in it; before the end it is the past, and
stepping forward follows what was done. Acting in the past forgets what came after: there is one future.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any, TypeVar

from princeps.engines.checkpoints import Checkpoint, Checkpoints, TimelinePosition
from princeps.errors import ParameterError, RunError
from princeps.model.announcing import announces
from princeps.model.files import FilePath
from princeps.model.script import Script, ScriptEvent, Steps
from princeps.model.values import whole_number

Self = TypeVar("Self", bound="Timeline")


class Timeline(ABC):
    """Going back and forth; subclasses know what a step is and what an event does."""

    cut_free = True  # how steps are divided into calls does not matter, so that calls in a row are one event

    def __init__(self, spacing: int) -> None:
        self._events: list[ScriptEvent] = []
        self._begins: list[int] = []  # the step at which each event begins
        self._streams: list[Any] = [self._stream()]  # the stream of attacks before each event, and at the end
        self._index = self._offset = 0
        self._end = 0  # the last step of the timeline
        self._checkpoints = Checkpoints(Checkpoint((0, 0), 0, self._save()), spacing)

    # -- what subclasses know -----------------------------------------------------------------------------------

    @property
    @abstractmethod
    def steps(self) -> int:
        """Where the run stands."""

    @abstractmethod
    def _redo(self, event: ScriptEvent, done: int, wanted: int) -> None:
        """An event again; of Steps the part from `done` to `wanted`."""

    @abstractmethod
    def _save(self) -> Any: ...

    @abstractmethod
    def _load(self, saved: Any) -> None: ...

    @abstractmethod
    def _work(self) -> int: ...

    @abstractmethod
    def _size(self) -> int:
        """Bytes of a checkpoint."""

    @abstractmethod
    def _stream(self) -> Any:
        """Where the stream of attacks stands; None if there is none."""

    @abstractmethod
    def _set_stream(self, stood: Any) -> None: ...

    @abstractmethod
    def _separate(self) -> None:
        """After a shallow copy: a run of its own at the same point."""

    @property
    @abstractmethod
    def command(self) -> str: ...

    @property
    @abstractmethod
    def words(self) -> str:
        """The command of a script, whether or not it finds the protocol."""

    @property
    @abstractmethod
    def identity(self) -> str | None:
        """The content of the protocol; None where its source cannot be read."""

    @property
    @abstractmethod
    def files(self) -> tuple[str, ...]:
        """That of the protocol, if it is in one."""

    @abstractmethod
    def _complete(self, script: Script) -> Script:
        """With the text of the protocol, where no command can name it."""

    # -- the present --------------------------------------------------------------------------------------------

    @property
    def last_step(self) -> int:
        """The last step that has been reached; `goto` goes up to it."""
        return self._end

    @property
    def in_the_past(self) -> bool:
        return self._index < len(self._events)

    @property
    def held_bytes(self) -> int:
        """About what the present point and all checkpoints take."""
        return self._size() * (1 + len(self._checkpoints.kept))

    def forget_future(self: Self) -> Self:
        """Drop what was done after the present point; stepping on then follows the seed alone."""
        if self.in_the_past:
            event, began = self._events[self._index], self._begins[self._index]
            self._events, self._begins = self._events[: self._index], self._begins[: self._index]
            self._streams = self._streams[: self._index + 1]
            if self._offset:
                assert isinstance(event, Steps)
                self._events.append(self._part(event, self._offset))
                self._begins.append(began)
                self._streams.append(self._streams[-1])
            self._checkpoints.drop_after((self._index, self._offset))
            self._index, self._offset, self._end = len(self._events), 0, began + self._offset
        return self

    def fork(self: Self) -> Self:
        """A second session at the present point: each goes on for itself, and this one keeps its future.

        Both know the same past. Its checkpoints are shared, since nothing changes them.
        """
        twin = copy(self)
        twin._events, twin._begins, twin._streams = list(self._events), list(self._begins), list(self._streams)
        twin._checkpoints = self._checkpoints.copy()
        twin._separate()
        return twin.forget_future()

    def learn(self: Self, other: Self) -> Self:
        """What `other`, of which this is a fork, has done by order since lies in the future now; this one stays where it is."""
        known = len(self._events)
        self._events += other._events[known:]
        self._begins += other._begins[known:]
        self._streams += other._streams[known + 1 :]
        self._checkpoints, self._end = other._checkpoints.copy(), other._end
        return self

    def events_since(self, number: int) -> list[ScriptEvent]:
        """What was done after so many events."""
        return self._events[number:]

    def _part(self, event: Steps, count: int) -> Steps:
        """The beginning of an event; how steps were asked for matters only where they cannot be divided."""
        return Steps(count) if self.cut_free else replace(event, count=count)

    def _record(self, event: ScriptEvent, began: int) -> None:
        """An event that has just been done, at the end of the timeline; steps in a row are one event."""
        last = self._events[-1] if self._events else None
        if self.cut_free and isinstance(event, Steps) and isinstance(last, Steps):
            ended = event.is_one_call or (last.is_one_call and event.count == 0)
            self._events[-1] = Steps(last.count + event.count, is_one_call=ended)
        elif not (isinstance(event, Steps) and event.count == 0 and not (self.cut_free and event.is_one_call)):
            self._events.append(event)
            self._begins.append(began)
            self._streams.append(self._stream())
        self._streams[-1] = self._stream()
        self._index, self._end = len(self._events), self.steps

    def _keep_whole_steps(self, done: Steps, began: int) -> None:
        """After Ctrl-C or a rule that fails, the run may stand in the middle of an interaction: do the whole ones again."""
        self._record(done, began)
        self._end = began + done.count
        self._go((len(self._events), 0), reload=True)

    def _keep_checkpoint(self, unfinished: int | None = None) -> None:
        """If one is due; `unfinished` is how far an event has come that is not recorded yet."""
        work = self._work()
        if self._checkpoints.work_to_next(work) > 0:
            return
        position: TimelinePosition = (len(self._events), unfinished or 0)
        if unfinished is None and self._events and isinstance(last := self._events[-1], Steps):
            position = (len(self._events) - 1, last.count)  # the event may grow, and this stays where it is
        self._checkpoints.add(Checkpoint(position, work, self._save()), self._size())

    # -- going --------------------------------------------------------------------------------------------------

    @announces("session.back")
    def back(self: Self, steps: int = 1) -> Self:
        """`steps` earlier."""
        count = whole(steps, "back")
        if count > self.steps:
            raise RunError(f"back({count}) goes before the start: this is step {self.steps}.")
        return self.goto(self.steps - count)

    @announces("session.goto")
    def goto(self: Self, step: int) -> Self:
        """To a step that has been reached, with everything that was done up to it, at it included."""
        wanted = whole(step, "goto")
        if wanted > self._end:
            raise RunError(f"goto({wanted}) is beyond the end: step {self._end} is the last that was reached.")
        self._go(self._position_of(wanted))
        return self

    def _position_of(self, step: int) -> TimelinePosition:
        if step == self._end:
            return len(self._events), 0
        number = bisect_right(self._begins, step) - 1
        offset = step - self._begins[number]
        if offset and not self.cut_free:
            before, after = self.standing_points(step)
            raise RunError(
                f"this engine draws interactions in batches, and step {step} lies within them: go to {before} or "
                f"{after}, where the session stood, or use --engine agents."
            )
        return number, offset

    def standing_points(self, step: int) -> tuple[int, int]:
        """The nearest steps before and after this one to which `goto` goes; the step itself where it does."""
        if self.cut_free or not 0 <= step < self._end:
            nearest = min(max(step, 0), self._end)
            return nearest, nearest
        place = bisect_right(self._begins, step) - 1
        before = self._begins[place]
        after = next((begin for begin in self._begins[place + 1 :] if begin > before), self._end)
        return before, before if before == step else after

    def _go(self, target: TimelinePosition, reload: bool = False) -> None:
        """`reload`: what is there now cannot be used, because an event failed half-way."""
        best = self._checkpoints.before(target)
        if reload or not best.position <= (self._index, self._offset) <= target:
            self._load(best.snapshot)
            self._index, self._offset = best.position
            self._normalise()
        try:
            self._redo_to(target)
        except BaseException:  # Ctrl-C: not in the middle of an event
            self._load(best.snapshot)
            self._index, self._offset = best.position
            self._normalise()
            self._set_stream(self._streams[self._index])
            raise
        self._set_stream(self._streams[self._index])

    def _redo_to(self, target: TimelinePosition) -> None:
        while (self._index, self._offset) < target:
            event = self._events[self._index]
            length = event.count if isinstance(event, Steps) else 0
            wanted = target[1] if target[0] == self._index else length
            self._redo(event, self._offset, wanted)
            self._offset = wanted
            if wanted == length:
                self._index, self._offset = self._index + 1, 0

    def _normalise(self) -> None:
        """The end of an event is the beginning of the next."""
        if self._offset and self._index < len(self._events):
            event = self._events[self._index]
            if isinstance(event, Steps) and self._offset == event.count and not (self.cut_free and event.is_one_call):
                self._index, self._offset = self._index + 1, 0

    def _follow(self, steps: int) -> int:
        """In the past: forward along the timeline, at most this many steps; how many are left over."""
        here = self.steps
        there = min(here + steps, self._end)
        if self.in_the_past:
            self._go(self._position_of(there))
        return steps - (there - here)

    # -- the script ---------------------------------------------------------------------------------------------

    @property
    def script(self) -> Script:
        """Everything that was done up to the present point, as data."""
        events = list(self._events[: self._index])
        if self._offset:
            event = self._events[self._index]
            assert isinstance(event, Steps)
            events.append(self._part(event, self._offset))
        return self._script_of(events)

    @property
    def whole_script(self) -> Script:
        """The same up to the last step that has been reached."""
        return self._script_of(self._events)

    def _script_of(self, events: Sequence[ScriptEvent]) -> Script:
        if not self.words:
            raise RunError(
                "this session has no script, because its scheduler was given as an object, which no command can name: "
                "put it into a file, and give scheduler='./mine.py:Name'."
            )
        return self._complete(Script(self.words, self.identity, tuple(events)))

    @property
    def attacks(self) -> list[tuple[int, ScriptEvent]]:
        """Everything but plain steps, also what lies in the future, with the steps at which it begins."""
        both = zip(self._begins, self._events, strict=True)
        return [(step, event) for step, event in both if not isinstance(event, Steps)]

    def save(self, path: FilePath, *, force: bool = False) -> None:
        """Write the script into a file, which `princeps run --script FILE` and `princeps.replay` repeat.

        A file that is no script is replaced only with `force`.
        """
        self.script.save(path, force=force, inputs=self.files)


def whole(value: Any, what: str, least: int = 0) -> int:
    number = whole_number(value)
    if number is None:
        raise ParameterError(f"{what}: {value!r} is not an integer: give {least} or more, like 10.")
    if number < least:
        raise ParameterError(f"{what}: {number} is too small: give {least} or more.")
    return number


def among(value: Any, n: int, what: str) -> int:
    """The number of an agent or a process."""
    number = whole_number(value)
    if number is None or not 0 <= number < n:
        raise RunError(f"{value!r} is no {what}: there are 0..{n - 1}.")
    return number
