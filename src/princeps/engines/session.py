"""A run in the hand: stepped, rewound, attacked, asked, and written down as a script.

A session that nobody touches does what `run` does with the same engine. Attacks draw from the stream of faults, never
from the scheduler's, so that `step(5000); corrupt(10)` is what `--fault 5000:10` does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from princeps.engines.conduct import random_changes
from princeps.engines.population import Population, Stop, StopCondition
from princeps.engines.simulate import make_population
from princeps.engines.timeline import Timeline, among, whole
from princeps.errors import RunError, StateError, UnknownName
from princeps.model.protocol import Counted
from princeps.model.randomness import Stream
from princeps.model.result import Result
from princeps.model.run import Run
from princeps.model.scheduler import ListedPairs
from princeps.model.script import (
    SIDES_OF_A_PAIR,
    Alive,
    Cut,
    Dead,
    Heal,
    Pair,
    Script,
    ScriptEvent,
    SetStates,
    Steps,
    Torn,
    protocol_identity,
)
from princeps.model.states import State


class Session(Timeline):
    """One run of a population protocol. Methods that do something return the session itself."""

    def __init__(self, run: Run) -> None:
        self.population: Population = make_population(run)
        scheduler = run.scheduler
        if isinstance(scheduler, ListedPairs) and not scheduler.text:
            scheduler = replace(scheduler, text="list:" + ",".join(f"{i}-{j}" for i, j in scheduler.listed))
        self.run = replace(run, engine=self.population.engine, scheduler=scheduler)
        self.cut_free = self.population.is_cut_free
        self._attacks = run.stream("faults")
        super().__init__(self.population.checkpoint_spacing)

    # -- going forward ------------------------------------------------------------------------------------------

    def step(self, steps: int = 1) -> Session:
        """This many interactions, or up to the end of a given list of pairs; in the past along what was done."""
        rest = self._follow(whole(steps, "step"))
        if rest:
            self._advance(rest, None)
        return self

    def run_until(self, goal: str | None = None, max_steps: int | None = None) -> bool:
        """Forward to the first configuration that meets the goal (by default the run's own); False if there is none.

        It gives up after `max_steps`, at the run's own limit, when a given list of pairs ends, and where nothing can
        change any more. In the past it follows what was done; with an engine that draws batches it then looks only at
        the points where the session stood.
        """
        name = self.run.until if goal is None else goal
        goals = type(self.run.protocol).all_goals()
        if name not in goals:
            raise UnknownName("goal", name, goals)
        limit = None if max_steps is None else whole(max_steps, "max_steps")
        if self.run.max_steps is not None:
            room = max(0, self.run.max_steps - self.steps)
            limit = room if limit is None else min(limit, room)
        self.population.set_goal(name)
        if self.population.holds():
            return True
        end = None if limit is None else self.steps + limit
        if self.in_the_past and self._seek(name, end):
            return True
        if self.in_the_past or end == self.steps:
            return False
        return self._advance(None if end is None else end - self.steps, name) is Stop.FULFILLED

    def _seek(self, goal: str, end: int | None) -> bool:
        """Along the timeline, to its end or to this step, until the goal holds."""
        while self.in_the_past and (end is None or self.steps < end):
            event = self._events[self._index]
            if isinstance(event, Steps) and self.cut_free:
                rest = event.count - self._offset
                rest = rest if end is None else min(rest, end - self.steps)
                self.population.set_goal(goal)
                before = self.steps
                stop = self.population.advance_exactly(rest, StopCondition.GOAL)
                self._offset += self.steps - before
                self._normalise()
                self._set_stream(self._streams[self._index])
                if stop is Stop.FULFILLED:
                    return True
                continue
            if end is not None and self._end_of(self._index) > end:
                return False
            self._go((self._index + 1, 0))
            self.population.set_goal(goal)
            if self.population.holds():
                return True
        return False

    def _end_of(self, number: int) -> int:
        return self._begins[number + 1] if number + 1 < len(self._begins) else self._end

    def _advance(self, limit: int | None, goal: str | None) -> Stop:
        """New steps at the end of the timeline, at most `limit`; to the goal if one is named."""
        stop_at = StopCondition.NOTHING if goal is None else StopCondition.GOAL
        began = self.steps
        try:
            return (
                self._advance_call(began, limit, stop_at) if not self.cut_free else self._advance_freely(limit, stop_at)
            )
        finally:  # also when Ctrl-C is pressed
            if not self.cut_free:
                self._record(Steps(self.steps - began, goal, limit, is_one_call=True), began)
                self._keep_checkpoint()

    def _advance_freely(self, limit: int | None, stop_at: StopCondition) -> Stop:
        population, stop = self.population, Stop.BUDGET
        end = None if limit is None else self.steps + limit
        while end is None or self.steps < end:
            before = self.steps
            chunk = population.portion()
            if stop_at is StopCondition.NOTHING or isinstance(population.run.goal, Counted):
                chunk = max(1, population.steps_for(self._checkpoints.work_to_next(population.work)))
            try:
                stop = population.advance(chunk if end is None else min(chunk, end - before), stop_at)
                if stop is Stop.SILENT and end is not None:
                    population.pass_time(end - self.steps)
            finally:
                self._record(Steps(self.steps - before), before)
            self._keep_checkpoint()
            if stop not in (Stop.BUDGET, Stop.EARLY):
                break
        return stop

    def _advance_call(self, began: int, limit: int | None, stop_at: StopCondition, wanted: int | None = None) -> Stop:
        """As the conductor does it: whole portions, the last one up to the limit. `wanted` ends a repetition."""
        population = self.population
        while True:
            done = self.steps - began
            room = population.portion() if limit is None else min(population.portion(), limit - done)
            if room == 0 or (wanted is not None and done >= wanted):
                return Stop.BUDGET
            stop = population.advance(room, stop_at)
            if stop is Stop.SILENT and limit is not None:
                population.pass_time(limit - (self.steps - began))
            if stop not in (Stop.BUDGET, Stop.EARLY):
                return stop
            if wanted is None:
                self._keep_checkpoint(unfinished=self.steps - began)

    def _redo(self, event: ScriptEvent, done: int, wanted: int) -> None:
        if not isinstance(event, Steps):
            self._apply(event)
        elif not event.is_one_call:
            self.population.advance_exactly(wanted - done)
        else:
            if event.until is not None:
                self.population.set_goal(event.until)
            stop_at = StopCondition.NOTHING if event.until is None else StopCondition.GOAL
            self._advance_call(self.steps - done, event.limit, stop_at, wanted)

    # -- asking -------------------------------------------------------------------------------------------------

    @property
    def engine(self) -> str:
        return self.population.engine

    @property
    def n(self) -> int:
        return self.run.n

    @property
    def steps(self) -> int:
        return self.population.steps

    @property
    def parallel_time(self) -> float:
        return self.steps / self.run.n

    @property
    def events(self) -> int | None:
        """Interactions that changed something."""
        return self.population.events

    @property
    def leaders(self) -> int:
        return self.population.leaders

    @property
    def leader(self) -> int | None:
        return self.population.leader()

    @property
    def last_pair(self) -> tuple[int, int] | None:
        return self.population.last_pair

    @property
    def configuration(self) -> dict[str, Any]:
        """One numpy array for each field, indexed by agent."""
        return self.population.fields()

    @property
    def counts(self) -> dict[State, int]:
        """How many agents are in each occupied state; a state is a tuple in the order of the fields."""
        return dict(self.population.tally())

    @property
    def census(self) -> dict[str, int]:
        """How many agents satisfy each of the protocol's predicates."""
        predicates = type(self.run.protocol).all_predicates()
        return dict(zip(predicates, self.population.census(list(predicates.values())), strict=True))

    def state(self, agent: int) -> dict[str, int]:
        return self.run.protocol.space.name_values(self.population.state(self._agent(agent)))

    def holds(self, goal: str | None = None) -> bool:
        """Is the goal met now?"""
        name = self.run.until if goal is None else goal
        goals = type(self.run.protocol).all_goals()
        if name not in goals:
            raise UnknownName("goal", name, goals)
        return self.population.meets(goals[name])

    @property
    def dead_agents(self) -> frozenset[int]:
        return self.population.dead

    @property
    def cut_arcs(self) -> frozenset[tuple[int, int]]:
        return self.population.cuts

    # -- acting -------------------------------------------------------------------------------------------------

    def set(self, agent: int, **fields: int) -> Session:
        """Change fields of one agent."""
        number, space = self._agent(agent), self.run.protocol.space
        before = space.name_values(self.population.state(number))
        inputs = [name for name in fields if name == self.run.protocol.input_field]
        if inputs:
            raise StateError(f"{inputs[0]} is an input of the agent: nothing overwrites it.")
        after = space.read({**before, **fields}, f"agent {number}")
        return self._act(SetStates(((number, space.name_values(after)),)))

    def corrupt(self, agents: int = 1) -> Session:
        """Put this many random agents into uniformly random legal states, as a fault does."""
        size = whole(agents, "corrupt", 1)
        if size > self.n:
            raise RunError(f"corrupt({size}) hits more agents than there are: give at most {self.n}.")
        self.forget_future()
        space = self.run.protocol.space
        changes = random_changes(self.population, self._attacks, size)
        return self._act(SetStates(tuple((agent, space.name_values(state)) for agent, state in changes)))

    def meet(self, i: int, j: int) -> Session:
        """Initiator i and responder j interact now: one step, no draw of the scheduler."""
        return self._act(Pair(*self._able_arc(i, j)))

    def torn(self, i: int, j: int, side: str) -> Session:
        """The same, but only one side takes what the rule makes of it: "initiator" or "responder"."""
        if side not in SIDES_OF_A_PAIR:
            raise RunError(
                f'side {side!r} is not understood: it is "initiator" or "responder", who takes its new state.'
            )
        return self._act(Torn(*self._able_arc(i, j), side))

    def dead(self, agent: int) -> Session:
        """From now on pairs with this agent change nothing."""
        return self._act(Dead(self._agent(agent)))

    def alive(self, agent: int) -> Session:
        return self._act(Alive(self._agent(agent)))

    def cut(self, i: int, j: int) -> Session:
        """From now on the arc from i to j changes nothing."""
        return self._act(Cut(*self._arc(i, j)))

    def heal(self, i: int, j: int) -> Session:
        return self._act(Heal(*self._arc(i, j)))

    def _act(self, event: ScriptEvent) -> Session:
        began = self.steps
        self._apply(event)  # where it is refused, the future is not forgotten
        self.forget_future()
        self._record(event, began)
        self._keep_checkpoint()
        return self

    def _apply(self, event: ScriptEvent) -> None:
        population, space = self.population, self.run.protocol.space
        match event:
            case SetStates(changes):
                population.overwrite([(agent, space.read(state, f"agent {agent}")) for agent, state in changes])
            case Pair(i, j):
                population.meet(i, j)
            case Torn(i, j, side):
                population.meet(i, j, (side,))
            case Dead(agent) | Alive(agent):
                population.kill(agent, isinstance(event, Dead))
            case Cut(i, j) | Heal(i, j):
                population.cut(i, j, isinstance(event, Cut))
            case _:
                raise RunError(f"{event.lines()[0][0]!r} is for ring algorithms, not for {self.run.protocol.name}.")

    def perform(self, script: Script) -> Session:
        """Do everything that a script says, from the present point on."""
        self.forget_future()
        for event in script.events:
            match event:
                case Steps(count=count) if not self.cut_free and event.is_one_call:
                    before = self.steps
                    if event.until is not None:
                        self._check_goal(event.until)
                        self.population.set_goal(event.until)
                    self._advance(event.limit, event.until)
                    if self.steps - before != count:
                        raise RunError(f"the script says {count} steps, but here they are {self.steps - before}.")
                case Steps(count=count):
                    self.step(count)
                case SetStates(changes):
                    self._act(SetStates(tuple((self._agent(agent), state) for agent, state in changes)))
                case Pair(i, j):
                    self.meet(i, j)
                case Torn(i, j, side):
                    self.torn(i, j, side)
                case Dead(agent):
                    self.dead(agent)
                case Alive(agent):
                    self.alive(agent)
                case Cut(i, j):
                    self.cut(i, j)
                case Heal(i, j):
                    self.heal(i, j)
                case _:
                    self._apply(event)
        return self

    def _check_goal(self, name: str) -> None:
        goals = type(self.run.protocol).all_goals()
        if name not in goals:
            raise UnknownName("goal", name, goals)

    def _agent(self, agent: Any) -> int:
        return among(agent, self.n, "agent")

    def _arc(self, i: Any, j: Any) -> tuple[int, int]:
        if not self.population.numbers_agents:
            self.population.refuse("gives agents no numbers, so it knows no pairs of them")
        pair = self._agent(i), self._agent(j)
        if not self.run.topology.has_arc(*pair) and not (self.run.force and pair[0] != pair[1]):
            raise RunError(
                f"({i}, {j}) is no arc of {self.run.topology.text!r}: choose a pair that may meet, or give force=True."
            )
        return pair

    def _able_arc(self, i: Any, j: Any) -> tuple[int, int]:
        pair = self._arc(i, j)
        gone = next((agent for agent in pair if agent in self.population.dead), None)
        if gone is not None:
            raise RunError(f"agent {gone} is dead and meets nobody: revive it with alive({gone}).")
        if pair in self.population.cuts:
            raise RunError(f"the arc {pair} is cut: restore it with heal({i}, {j}).")
        return pair

    # -- what the timeline asks ---------------------------------------------------------------------------------

    def _save(self) -> Any:
        return self.population.snapshot()

    def _load(self, saved: Any) -> None:
        self.population.restore(saved)

    def _work(self) -> int:
        return self.population.work

    def _size(self) -> int:
        return self.population.snapshot_bytes

    def _stream(self) -> Any:
        return self._attacks.words

    def _set_stream(self, stood: Any) -> None:
        self._attacks = Stream(stood)

    @property
    def command(self) -> str:
        return self.run.command()

    def result(self, seconds: float = 0.0) -> Result:
        """The present configuration as the result of a run; `converged` says whether it meets the goal."""
        run, population = self.run, self.population
        return Result(
            protocol=run.protocol.name,
            params=run.protocol.params,
            n=run.n,
            graph=run.topology.text,
            start=run.start,
            until=run.until,
            seed=run.seed,
            trial=run.trial,
            engine=population.engine,
            why="a session",
            steps=self.steps,
            converged=self.holds(),
            leaders=self.leaders,
            leader=self.leader,
            seconds=seconds,
            events=self.events,
            total_steps=self.steps,
            command=self.command,
        )

    def _identity(self) -> str | None:
        return protocol_identity(self.run.protocol)

    def __repr__(self) -> str:
        leaders = "1 leader" if self.leaders == 1 else f"{self.leaders:,} leaders"
        return f"<session {self.run.protocol.name} n={self.n:,} {self.engine}: step {self.steps:,}, {leaders}>"
