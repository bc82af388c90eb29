"""The branches of a watched run: an attack in the past makes one, and the old future stays where it was.

A few branches have live sessions. Those that were left long ago are kept as scripts, and replayed when somebody goes
back to them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from princeps.engines.opening import at_start, seconds_of
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.errors import RunError
from princeps.model.script import Script
from princeps.web.series import Series

Held = Session | RingSession

MAX_BRANCHES = 64
MAX_LIVE = 6  # sessions
LIVE_BYTES = 1 << 28  # that they may take: of large populations fewer
REPLAY_SECONDS = 60  # that a branch may take to be replayed


@dataclass
class Branch:
    number: int
    parent: int | None
    at: int  # the step at which it left its parent
    what: str  # was done there
    session: Held | None
    series: Series = field(default_factory=Series)
    hit: int | None = None  # the first step since the last attack at which the run's goal held, if it is known
    is_met: bool = False  # the goal has held since the last attack
    is_hit_known: bool = True  # it has not, or `hit` says when
    tested: int = -1  # the last step at which a goal on the whole configuration was known not to hold
    end: int = 0  # the last step that was reached
    script: Script | None = None  # of a branch without a session
    stood: int = 0  # where that stood

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "parent": self.parent,
            "at": str(self.at),
            "end": str(self.session.last_step if self.session is not None else self.end),
            "what": self.what,
            **self.series.as_json(),
        }


class Branches:
    """The branches of one run, of which one is watched."""

    def __init__(self, session: Held) -> None:
        self.all = [Branch(0, None, session.steps, "", session)]
        self.current = self.all[0]
        self.goals_are_marked = True  # also those of a past that was opened
        self._used: list[int] = [0]  # the numbers of branches with sessions, the latest last

    def fork(self, what: str) -> Branch:
        """A branch at the present point of the current one, which becomes the current one."""
        if len(self.all) >= MAX_BRANCHES:
            raise RunError(f"there are {MAX_BRANCHES} branches already: go to the end of one of them, and act there.")
        old, session = self.current, self.session
        made = Branch(len(self.all), old.number, session.steps, what, session.fork())
        self.all.append(made)
        self._use(made)
        return made

    def next_mark(self, kind: str, step: int) -> int | None:
        """The first step after this one that bears such a mark, in what was done up to the end of the current branch."""
        found: list[int] = []
        branch, end = self.current, self.session.last_step
        while True:
            found += [at for at in branch.series.steps_marked(kind) if step < at <= end]
            if branch.parent is None:
                return min(found, default=None)
            branch, end = self.all[branch.parent], min(end, branch.at)

    def remove_last(self, back_to: Branch) -> None:
        """The newest branch, in which what made it was refused."""
        last = self.all.pop()
        self._used.remove(last.number)
        self._use(back_to)

    def switch(self, number: int) -> Branch:
        self._use(self.live(number))
        return self.current

    def live(self, number: int) -> Branch:
        """The branch with a session."""
        if not 0 <= number < len(self.all):
            raise RunError(f"there is no branch {number}: there are 0..{len(self.all) - 1}.")
        branch = self.all[number]
        if branch.session is None:
            assert branch.script is not None
            begun = at_start(self.session)
            _, seconds = seconds_of(begun, branch.script)
            if seconds is not None and seconds > REPLAY_SECONDS:
                raise RunError(
                    f"branch {number} was left long ago, and replaying it takes about {seconds:,} seconds: `princeps run "
                    f"--script` does it."
                )
            branch.session = begun.perform(branch.script).goto(branch.stood)
            branch.script = None
            self._used.insert(self._used.index(self.current.number), number)  # the current one is used last
            self._retire_oldest()
        return branch

    @property
    def session(self) -> Held:
        assert self.current.session is not None
        return self.current.session

    def _use(self, branch: Branch) -> None:
        self.current = branch
        self._used = [*(number for number in self._used if number != branch.number), branch.number]
        self._retire_oldest()

    def _retire_oldest(self) -> None:
        """The current branch, and one that it is compared with, always have sessions."""
        while len(self._used) > 2 and (len(self._used) > MAX_LIVE or self._live_bytes > LIVE_BYTES):
            self._retire(self.all[self._used.pop(0)])

    @property
    def _live_bytes(self) -> int:
        """About what all sessions take, with their checkpoints."""
        live = (self.all[number].session for number in self._used)
        return sum(session.held_bytes for session in live if session is not None)

    def _retire(self, branch: Branch) -> None:
        session = branch.session
        if session is None or not session.words:  # a run without a command has no script
            return
        branch.script, branch.stood, branch.end = session.whole_script, session.steps, session.last_step
        branch.session = None


def compare(one: Held, other: Held) -> dict[str, Any]:
    """How much two branches differ at the present step of the first, or at the last step that the second has reached."""
    there = other.standing_points(min(one.steps, other.last_step))[0]
    here = one.steps if there == one.steps else one.standing_points(there)[0]
    stood = one.steps, other.steps
    one.goto(here)
    other.goto(there)
    try:
        differing = _differing(one, other)
        leaders = [str(one.leaders), str(other.leaders)]
    finally:
        one.goto(stood[0])
        other.goto(stood[1])
    return {"same": differing == 0, "differing": str(differing), "leaders": leaders, "step": str(there)}


def _differing(one: Held, other: Held) -> int:
    """Agents in another state; where they have no numbers, at least so many."""
    if isinstance(one, RingSession) or isinstance(other, RingSession):
        return sum(a != b for a, b in zip(one.configuration, other.configuration, strict=True))
    if one.population.numbers_agents:
        import numpy as np

        columns = other.configuration
        unequal = np.zeros(one.n, bool)
        for name, values in one.configuration.items():
            unequal |= values != columns[name]
        return int(unequal.sum())
    first, second = one.counts, other.counts
    return sum(abs(first.get(state, 0) - second.get(state, 0)) for state in {*first, *second}) // 2
