"""A run of a ring algorithm in the hand: the next event, or the message that somebody chooses; back and forth.

It is the plain ring engine. What is delivered, dropped or reset by order draws nothing from the schedule's stream; the
schedule goes on with what is left on the links. Resetting a process leaves a link on which it is stuck as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

from princeps.engines.registry import REFERENCE
from princeps.engines.rings.execution import Execution
from princeps.engines.rings.reference import Network
from princeps.engines.rings.registry import refuse_other_engines
from princeps.engines.rings.simulate import result_of
from princeps.engines.session_kinds import PopulationsOnly
from princeps.engines.timeline import Timeline, among, whole
from princeps.errors import PrincepsError, ProtocolError, RunError
from princeps.model.announcing import announces
from princeps.model.formatting import counted
from princeps.model.interruptions import stands_where_interrupted
from princeps.model.rings.algorithm import LEFT, RIGHT
from princeps.model.rings.event import Event, VariableValue, plain_value
from princeps.model.rings.result import RingResult
from princeps.model.rings.run import RingRun
from princeps.model.script import (
    SIDES_OF_A_PROCESS,
    Deliver,
    Drop,
    Reset,
    Script,
    ScriptEvent,
    Steps,
    at_place,
    protocol_identity,
)
from princeps.model.script_text import with_text
from princeps.model.values import shown

SPACING = 1 << 9  # events between two checkpoints at first
BYTES = 200  # of a process or a message in a checkpoint


class RingSession(PopulationsOnly, Timeline):
    """One run of a ring algorithm; a step is one event of one process. Methods that do something return the session."""

    def __init__(self, run: RingRun) -> None:
        refuse_other_engines(run, "a session of a ring algorithm is kept in plain Python: leave out engine={!r}.")
        self.run = run
        self.network = Network(run)
        self.last_event: Event | None = None
        self._is_leader = list(run.algorithm.variables_).index("isLeader")
        super().__init__(max(SPACING, run.ring.n))

    # -- going forward ------------------------------------------------------------------------------------------

    @announces("session.step")
    @stands_where_interrupted
    def step(self, steps: int = 1) -> RingSession:
        """This many events of the schedule, or fewer if nothing can happen any more; in the past along what was done."""
        rest = self._follow(whole(steps, "step"))
        while rest:
            chunk = min(rest, SPACING)
            before = self.steps
            try:
                self._happen(chunk)
            except PrincepsError as error:  # a mistake in an action, perhaps because of what was dropped or reset
                self._keep_whole_steps(Steps(self.steps - before), before)
                raise self._explained(error, self._events) from error
            except BaseException:
                self._keep_whole_steps(Steps(self.steps - before), before)
                raise
            ended = self.steps - before < chunk and bool(self.network.deadlocks)  # perhaps after the last event
            self._record(Steps(self.steps - before, is_one_call=ended), before)
            self._keep_checkpoint()
            if self.steps - before < chunk:
                break
            rest -= chunk
        return self

    @announces("session.run_until")
    @stands_where_interrupted
    def run_until(self, goal: str | None = None, max_steps: int | None = None) -> bool:
        """To the end of the execution, where nothing can happen any more; True if a leader is elected as specified."""
        if goal is not None and not (isinstance(goal, str) and goal == "leader"):
            raise RunError(
                f"goal {shown(goal)} is not known for ring algorithms: they run until nothing can happen any more."
            )
        limit = None if max_steps is None else whole(max_steps, "max_steps")
        if self.run.max_steps is not None:
            room = max(0, self.run.max_steps - self.steps)
            limit = room if limit is None else min(limit, room)
        while not self.over and (limit is None or limit > 0):
            before = self.steps
            self.step(SPACING if limit is None else min(SPACING, limit))
            if self.steps == before and not self.in_the_past:
                break
            limit = None if limit is None else limit - (self.steps - before)
        network = self.network
        return self.over and not network.violations and not network.ending().violations(network.now)

    @announces("session.next_change")
    def next_change(self, max_steps: int | None = None) -> bool:
        """One event, since each changes something; False if nothing can happen any more."""
        before = self.steps
        return self.step(1 if max_steps is None else min(1, whole(max_steps, "max_steps"))).steps > before

    @announces("session.next_leader_change")
    def next_leader_change(self, max_steps: int | None = None) -> bool:
        """Forward to the next event after which a process leads that did not, within `max_steps`; False if there is none."""
        limit = None if max_steps is None else whole(max_steps, "max_steps")
        before, led = self.steps, self._leading()
        while limit is None or self.steps < before + limit:
            in_the_past = self.in_the_past  # where one step may bring resets with it; otherwise one process acts
            if not self.next_change():
                return False
            event = self.last_event
            if in_the_past or event is None:
                changed = self._leading() != led
            else:
                changed = self._leads(event.process) != (event.process in led)
            if changed:
                return True
        return False

    def _happen(self, events: int) -> None:
        for _ in range(events):
            event = self.network.next_event()
            if event is None:
                return
            self.last_event = event

    # -- asking -------------------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        return self.run.ring.n

    @property
    def engine(self) -> str:
        return REFERENCE

    @property
    def steps(self) -> int:
        return self.network.steps

    @property
    def time(self) -> int:
        return self.network.now

    @property
    def messages(self) -> int:
        """Messages sent so far."""
        return self.network.messages

    @property
    def over(self) -> bool:
        """Nothing can happen any more."""
        return self.network.under_way == 0 and self.network.unstarted == 0

    @property
    def leaders(self) -> int:
        return len(self._leading())

    @property
    def leader(self) -> int | None:
        found = self._leading()
        return next(iter(found)) if len(found) == 1 else None

    def _leading(self) -> frozenset[int]:
        """The processes that lead now."""
        return frozenset(process for process in range(self.n) if self._leads(process))

    def _leads(self, process: int) -> bool:
        return bool(self.network.locals[process].values[self._is_leader])

    @property
    def configuration(self) -> list[dict[str, VariableValue]]:
        """The variables of each process, and whether it has started and halted."""
        names = list(self.run.algorithm.variables_)
        return [
            {
                **{name: plain_value(value) for name, value in zip(names, local.values, strict=True)},
                "started": local.started,
                "halted": local.halted,
            }
            for local in self.network.locals
        ]

    @property
    def under_way(self) -> list[tuple[int, str, str]]:
        """Messages on the links, the next to be delivered first: who receives them, at which side, and their text."""
        return [
            (port % self.n, self._side(port), str(travelling.content))
            for port, link in enumerate(self.network.links)
            for travelling in link
        ]

    @property
    def violations(self) -> list[str]:
        """What the specification forbids and happened."""
        return [str(violation) for violation in self.network.violations.values()]

    def result(self, seconds: float = 0.0) -> RingResult:
        """The present configuration as the result of a run."""
        begun = perf_counter() - seconds
        made = result_of(self.run, Execution(self.network, not self.over), REFERENCE, "a session", begun)
        return replace(made, stopped="the session stands here")

    def _side(self, port: int) -> str:
        return LEFT if port < self.n else RIGHT

    # -- acting -------------------------------------------------------------------------------------------------

    def deliver(self, process: int, side: str = LEFT) -> RingSession:
        """The next message that waits at this side of the process is delivered now; before that, the process starts."""
        return self._act(Deliver(among(process, self.n, "process"), self._checked_side(side)))

    def drop(self, process: int, side: str = LEFT) -> RingSession:
        """The next message that waits there is lost."""
        return self._act(Drop(among(process, self.n, "process"), self._checked_side(side)))

    def reset(self, process: int) -> RingSession:
        """The process forgets everything and starts again at once."""
        return self._act(Reset(among(process, self.n, "process")))

    def _checked_side(self, side: str) -> str:
        if not isinstance(side, str) or side not in SIDES_OF_A_PROCESS:
            raise RunError(f'side {side!r} is not understood: it is "left" or "right".')
        if side == RIGHT and not self.run.algorithm.bidirectional:
            raise RunError(f'{self.run.algorithm.name} sends messages one way: they arrive at the "left" side only.')
        return side

    def _act(self, event: ScriptEvent) -> RingSession:
        began = self.steps
        try:
            self._apply(event)
        except PrincepsError as error:  # it may have failed half-way
            self._go((self._index, self._offset), reload=True)
            raise self._explained(error, [*self._events[: self._index], event]) from error
        self.forget_future()
        self._record(event, began)
        self._keep_checkpoint()
        return self

    def _explained(self, error: PrincepsError, done: Sequence[ScriptEvent]) -> PrincepsError:
        """An algorithm is not made for losses and resets: after them a failing action is no mistake in its file."""
        attack = next((event for event in done if isinstance(event, Drop | Reset)), None)
        if attack is None or not isinstance(error, ProtocolError):
            return error
        (kind, *arguments), name = attack.lines()[0], self.run.algorithm.name
        return RunError(
            f"{name} cannot go on after {kind}({', '.join(map(repr, arguments))}), since it is not made for lost messages "
            f"and resets: go back with goto, and do something else. What failed is {error}"
        )

    def _apply(self, event: ScriptEvent) -> None:
        network = self.network
        match event:
            case Deliver(process, side):
                port = process if side == LEFT else self.n + process
                if network.locals[process].started:
                    self._refuse_empty(process, side, port)
                happened = network.force(port)
                self.last_event = happened or self.last_event
            case Drop(process, side):
                port = process if side == LEFT else self.n + process
                self._refuse_empty(process, side, port)
                network.drop(port)
            case Reset(process):
                if not network.locals[process].started:
                    raise RunError(f"process {process} has not started: there is nothing to reset.")
                self.last_event = network.reset(process)
            case _:
                raise RunError(f"{event.lines()[0][0]!r} is for populations, not for {self.run.algorithm.name}.")

    def _refuse_empty(self, process: int, side: str, port: int) -> None:
        if not self.network.links[port]:
            raise RunError(f"no message waits at the {side} side of process {process}: see under_way.")
        if self.network.dead[port]:
            raise RunError(
                f"process {process} is stuck with the message at its {side} side: nothing is delivered there."
            )

    def perform(self, script: Script) -> RingSession:
        """Do everything that a script says, from the present point on."""
        self.forget_future()
        for event, places in script.located():
            with at_place(places[0] if places else ""):
                self._perform(event)
        return self

    def _perform(self, event: ScriptEvent) -> None:
        match event:
            case Steps(count=count, is_one_call=ended):
                end = self.steps + count
                self.step(count + 1 if ended else count)
                if ended and self.steps != end:
                    raise RunError(
                        f"the script says that nothing can happen after {counted(count, 'steps', 'd')}, but something does."
                    )
            case Deliver(process, side):
                self.deliver(process, side)
            case Drop(process, side):
                self.drop(process, side)
            case Reset(process):
                self.reset(process)
            case _:
                self._apply(event)

    # -- what the timeline asks ---------------------------------------------------------------------------------

    def _redo(self, event: ScriptEvent, done: int, wanted: int) -> None:
        if isinstance(event, Steps):
            ends = event.is_one_call and wanted == event.count
            self._happen(wanted - done + ends)  # what deadlocks after the last event belongs to it
        else:
            self._apply(event)

    def _separate(self) -> None:
        network = Network(self.run)
        network.restore(self.network.snapshot())
        self.network = network

    def _save(self) -> Any:
        return self.network.snapshot(), self.last_event

    def _load(self, saved: Any) -> None:
        snapshot, self.last_event = saved
        self.network.restore(snapshot)

    def _stream(self) -> Any:
        return None  # no attack draws anything

    def _set_stream(self, stood: Any) -> None:
        assert stood is None

    def _work(self) -> int:
        return self.steps

    def _size(self) -> int:
        return BYTES * (len(self.network.links) + sum(map(len, self.network.links)) + self.n)

    @property
    def command(self) -> str:
        return self.run.command()

    @property
    def words(self) -> str:
        return self.run.words()

    @property
    def identity(self) -> str | None:
        return protocol_identity(self.run.algorithm)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(filter(None, [self.run.algorithm.file()]))

    def _complete(self, script: Script) -> Script:
        return with_text(script, self.run, type(self.run.algorithm))

    def __repr__(self) -> str:
        waiting = len(self.under_way)
        return (
            f"<session {self.run.algorithm.name} n={self.n}: step {self.steps:,}, time {self.time:,}, "
            f"{counted(waiting, 'messages')} under way>"
        )
