"""The schedule that a network run was, kept while it is replayed, and as a script that repeats it.

Of most interactions only the pair is kept, eight bytes each.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import replace

from princeps.errors import RunError
from princeps.model.run import Run
from princeps.model.script import ForcedPair, Script, ScriptEvent, protocol_identity
from princeps.model.script_text import with_text
from princeps.network.linearize import BEGIN, PAIR, Event


class Tape:
    """Events in their order; the first states of the agents are those of the run's start, and need not be kept."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._pairs = array("I")  # initiator and responder, one after the other
        self._draws: dict[int, tuple[int, ...]] = {}  # by the number of the event
        self._others: dict[int, ScriptEvent] = {}  # what is no whole interaction

    def note(self, event: Event) -> None:
        kind, i, j, draws = event[:4]
        if kind == BEGIN:
            return
        if kind != PAIR:
            self._others[len(self)] = event.as_script(self.run.protocol.space)
        elif draws:
            self._draws[len(self)] = tuple(draws)
        self._pairs.extend((i, max(j, 0)))

    def __len__(self) -> int:
        return len(self._pairs) // 2

    def events(self) -> Iterator[ScriptEvent]:
        for number in range(len(self)):
            i, j = self._pairs[2 * number : 2 * number + 2]
            yield self._others.get(number) or ForcedPair(i, j, self._draws.get(number, ()))

    def script(self) -> Script:
        """The run with the same seed, and these events instead of what the seed draws."""
        run = replace(self.run, max_steps=None)
        if not run.words():
            raise RunError(f"this run has no script: {run.why_not_repeatable}.")
        script = Script(run.words(), protocol_identity(run.protocol), tuple(self.events()))
        return with_text(script, run, type(run.protocol))
