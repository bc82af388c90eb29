"""A run in the hand: stepped, rewound, attacked, asked, and written down as a script.

A session that nobody touches does what `run` does with the same engine. Attacks draw from the stream of faults, never
from the scheduler's, so that `step(5000); corrupt(10)` is what `--fault 5000:10` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from princeps.engines.forced_meetings import able_arc, arc_of, draws_of
from princeps.engines.given_states import Reading, read_changes, states_for_all, without_collecting, written
from princeps.engines.population import StopCondition
from princeps.engines.random_changes import least_draws, random_changes, skip, words_drawn
from princeps.engines.session_kinds import RingsOnly
from princeps.engines.session_seeking import SeekingSession
from princeps.engines.timeline import among, whole
from princeps.errors import RunError, StateError
from princeps.model.ad_hoc_goals import goal_named
from princeps.model.formatting import counted
from princeps.model.randomness import Stream
from princeps.model.result import Result
from princeps.model.script import (
    SIDES_OF_A_PAIR,
    Alive,
    Cut,
    Dead,
    ForcedPair,
    Heal,
    Script,
    ScriptEvent,
    SetStates,
    Steps,
    Torn,
    at_place,
)
from princeps.model.states import State

if TYPE_CHECKING:
    from princeps.model.frames import IntegerArray


class Session(RingsOnly, SeekingSession):
    """One run of a population protocol. Methods that do something return the session itself."""

    # -- asking -------------------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        return self.run.n

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
    def configuration(self) -> dict[str, IntegerArray]:
        """One numpy array for each field, indexed by agent."""
        return self.population.fields()

    @property
    def counts(self) -> dict[State, int]:
        """How many agents are in each occupied state; a state is a tuple in the order of the fields."""
        counts, space = dict(self.population.tally()), self.run.protocol.space
        return {space.shown(state): number for state, number in counts.items()} if space.has_names else counts

    @property
    def census(self) -> dict[str, int]:
        """How many agents satisfy each of the protocol's predicates."""
        predicates = type(self.run.protocol).all_predicates()
        return dict(zip(predicates, self.population.census(list(predicates.values())), strict=True))

    def state(self, agent: int) -> dict[str, int]:
        return self.run.protocol.space.name_values(self.population.state(self.agent_number(agent)))

    def holds(self, goal: str | None = None) -> bool:
        """Is the goal met now?"""
        return self.population.meets(goal_named(self.run.protocol, self._goal(goal)))

    @property
    def dead_agents(self) -> frozenset[int]:
        return self.population.dead

    @property
    def cut_arcs(self) -> frozenset[tuple[int, int]]:
        return self.population.cuts

    # -- acting -------------------------------------------------------------------------------------------------

    def set(self, agent: int | None = None, /, **fields: Any) -> Session:
        """Change fields of one agent, `set(3, leader=0)`, values by number or by name; its number may be given as `agent=3` unless a field is called so."""
        if agent is None and "agent" not in self.run.protocol.fields:
            agent = fields.pop("agent", None)
        number, space = self.agent_number(agent), self.run.protocol.space
        before = space.name_values(self.population.state(number))
        inputs = [name for name in fields if name == self.run.protocol.input_field]
        if inputs:
            raise StateError(f"{inputs[0]} is an input of the agent: nothing overwrites it.")
        after = space.read({**before, **fields}, f"agent {number}")
        return self._act(SetStates(((number, space.name_values(after)),)))

    def corrupt(self, agents: int | Sequence[int] = 1) -> Session:
        """Put this many random agents, or those of a list, into uniformly random legal states, as a fault does."""
        chosen = [self.agent_number(agent) for agent in agents] if isinstance(agents, list | tuple) else None
        if chosen is not None and not 0 < len(chosen) == len(set(chosen)):
            raise RunError(f"corrupt({agents!r}) must name at least one agent, and each once.")
        size = whole(agents, "corrupt", 1) if chosen is None else len(chosen)
        if size > self.n:
            raise RunError(f"corrupt({size}) hits more agents than there are: give at most {self.n}.")
        self.forget_future()
        before = Stream(self._attacks.words)
        with without_collecting():
            changes = random_changes(self.population, self._attacks, size, chosen)
            least = least_draws(self.n, size, chosen is not None)
            return self._put(changes, words_drawn(before, self._attacks, least))

    def put(self, states: Sequence[State]) -> Session:
        """Every agent into a state, given as a tuple in the order of the fields; inputs are kept."""
        with without_collecting():
            return self._put(states_for_all(self, states))

    def _put(self, changes: Sequence[tuple[int, State]], draws: int = 0) -> Session:
        return self._act(written(self.run.protocol.space, changes, draws), changes)

    def meet(self, i: int, j: int, draws: Sequence[int] | None = None) -> Session:
        """Initiator i and responder j interact now: one step, no draw of the scheduler.

        Where the rule tosses coins, `draws` are what they show, one after the other: `meet(0, 1, draws=[1])`. By default
        they are random, from a stream that belongs to this step.
        """
        pair = able_arc(self, i, j)
        return self._act(ForcedPair(*pair, draws_of(self, pair, draws)))

    def torn(self, i: int, j: int, side: str, draws: Sequence[int] | None = None) -> Session:
        """The same, but only one side takes what the rule makes of it: "initiator" or "responder"."""
        if not isinstance(side, str) or side not in SIDES_OF_A_PAIR:
            raise RunError(
                f'side {side!r} is not understood: it is "initiator" or "responder", who takes its new state.'
            )
        pair = able_arc(self, i, j)
        return self._act(Torn(*pair, side, draws_of(self, pair, draws)))

    def dead(self, agent: int) -> Session:
        """From now on pairs with this agent change nothing."""
        return self._act(Dead(self.agent_number(agent)))

    def alive(self, agent: int) -> Session:
        return self._act(Alive(self.agent_number(agent)))

    def cut(self, i: int, j: int) -> Session:
        """From now on the arc from i to j changes nothing."""
        return self._act(Cut(*arc_of(self, i, j)))

    def heal(self, i: int, j: int) -> Session:
        return self._act(Heal(*arc_of(self, i, j)))

    def _act(self, event: ScriptEvent, read: Sequence[tuple[int, State]] | None = None) -> Session:
        """`read`: the changes of states in the event, if they are known already. Where it is refused, the future is not
        forgotten."""
        self._refuse_change()
        began = self.steps
        if read is None:
            self._apply(event)
        else:
            self.population.overwrite(read)
        self.forget_future()
        self._record(event, began)
        self._keep_checkpoint()
        return self

    def _apply(self, event: ScriptEvent) -> None:
        population, space = self.population, self.run.protocol.space
        match event:
            case SetStates(changes):
                read = Reading(space)
                population.overwrite([(agent, read(agent, state)[0]) for agent, state in changes])
            case ForcedPair(i, j, draws):
                population.meet(i, j, draws=draws)
            case Torn(i, j, side, draws):
                population.meet(i, j, (side,), draws)
            case Dead(agent) | Alive(agent):
                population.kill(agent, isinstance(event, Dead))
            case Cut(i, j) | Heal(i, j):
                population.cut(i, j, isinstance(event, Cut))
            case _:
                raise RunError(f"{event.lines()[0][0]!r} is for ring algorithms, not for {self.run.protocol.name}.")

    def perform(self, script: Script) -> Session:
        """Do everything that a script says, from the present point on."""
        self.forget_future()
        for event, places in script.located():
            if isinstance(event, SetStates):
                checked = read_changes(self, event.changes, places)
                skip(self._attacks, event.draws)
                named = tuple((agent, names) for agent, (_, names) in checked)
                self._act(SetStates(named, event.draws), [(agent, state) for agent, (state, _) in checked])
            else:
                with at_place(places[0] if places else ""):
                    self._perform(event)
        return self

    def _perform(self, event: ScriptEvent) -> None:
        match event:
            case Steps(count=count) if not self.cut_free and event.is_one_call:
                before = self.steps
                stop_at = StopCondition.NOTHING if event.until is None else StopCondition.GOAL
                if event.until is not None:
                    self.population.set_goal(self._goal(event.until))
                self._advance_batches(event.limit, event.until, stop_at, wanted=count)
                if self.steps - before != count:
                    raise RunError(
                        f"the script says {counted(count, 'steps', 'd')}, but here they are {self.steps - before}."
                    )
            case Steps(count=count):
                self.step(count)
            case ForcedPair(i, j, draws):
                self.meet(i, j, draws)
            case Torn(i, j, side, draws):
                self.torn(i, j, side, draws)
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

    def agent_number(self, agent: Any) -> int:
        return among(agent, self.n, "agent")

    # -- what the timeline asks ---------------------------------------------------------------------------------

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
            stopped="the session stands here",
            steps=self.steps,
            converged=self.holds(),
            leaders=self.leaders,
            leader=self.leader,
            seconds=seconds,
            events=self.events,
            total_steps=self.steps,
            command=self.command,
        )

    def __repr__(self) -> str:
        leaders = counted(self.leaders, "leaders")
        return f"<session {self.run.protocol.name} n={self.n:,} {self.engine}: step {self.steps:,}, {leaders}>"
