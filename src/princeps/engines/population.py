"""The contract of a population: what every engine offers to the conductor, to sessions and to measurements.

A population is n agents in some configuration, `steps` interactions after the start. Each engine keeps these rules,
which tests/engines/test_contract.py asks of all of them:

* `advance(budget, stop_at)` does at most `budget` interactions and says how it ended (`Stop`). It may return early, so
  that the caller can show progress or hear Ctrl-C; the caller then calls it again. `advance_exactly` does that loop.
* How a run is cut into calls does not change it, except where `is_cut_free` is False: `counts` draws interactions in
  batches, and a budget that ends within a batch shortens it. The law is the same, the trajectory is another one.
* `snapshot` and `restore` are exact: the future after `restore` is the one that followed the snapshot.
* `meet`, `overwrite`, `kill` and `cut` draw nothing from the scheduler's stream.
* What an engine cannot do raises a RunError whose sentence names --engine agents.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Any, NoReturn

from princeps.engines.stuck import any_may_change, meetings, soon_changes
from princeps.errors import RunError
from princeps.lowering.status import StopCondition
from princeps.lowering.vocabulary import counts_asked
from princeps.model.coins import Chance, GivenDraws
from princeps.model.fields import Counts
from princeps.model.protocol import Counted, Goal, Predicate
from princeps.model.run import Run
from princeps.model.script import SIDES_OF_A_PAIR
from princeps.model.states import State
from princeps.model.topology import Topology

if TYPE_CHECKING:
    from princeps.model.frames import IntegerArray

__all__ = ["INITIATOR", "RESPONDER", "NextStep", "Population", "Show", "Stop", "StopCondition"]

INITIATOR, RESPONDER = SIDES_OF_A_PAIR

NextStep = Callable[[int], int | None]  # the next step of interest after a step
Show = Callable[[int], None]  # called while the population is in the configuration of this step


class Stop(Enum):
    """How an advance ended."""

    BUDGET = "all steps of the budget were done"
    EARLY = "only some were done, so that somebody may look up: call again"
    FULFILLED = "right after the interaction that fulfilled the stop condition"
    LIST_ENDED = "the given list of pairs has come to its end"
    SILENT = "nothing can change any more; the clock stands anywhere between the last change and the budget's end"


class Population(ABC):
    """n agents in some configuration, `steps` interactions after the start."""

    engine: str
    is_cut_free = True  # how a run is cut into calls of `advance` does not change it
    numbers_agents = True  # an agent keeps its number

    def __init__(self, run: Run) -> None:
        self.run = run
        self.why = ""  # this engine was chosen
        self.silent = False  # the engine has seen that nothing can change any more
        self.exhausted = False  # a given list of pairs has come to its end

    # -- advancing ----------------------------------------------------------------------------------------------

    @abstractmethod
    def advance(self, budget: int, stop_at: StopCondition) -> Stop:
        """Up to `budget` interactions; how it ended."""

    def advance_exactly(self, steps: int, stop_at: StopCondition = StopCondition.NOTHING) -> Stop:
        """`steps` interactions, or fewer if the stop condition is fulfilled or the list of pairs ends before."""
        end = self.steps + steps
        while self.steps < end:
            stop = self.advance(end - self.steps, stop_at)
            if stop in (Stop.FULFILLED, Stop.LIST_ENDED):
                return stop
            if stop is Stop.SILENT:
                self.pass_time(end - self.steps)
                return stop
        return Stop.BUDGET

    def advance_showing(self, budget: int, stop_at: StopCondition, next_after: NextStep, show: Show) -> Stop:
        """The same as `advance`, for somebody who wants to see the configuration at some steps: `next_after` gives them.

        It ends at the first of them, or calls `show(step)` for those it passes; `is_cut_free` or not, the run is the same.
        """
        due = next_after(self.steps)
        return self.advance(budget if due is None else min(budget, due - self.steps), stop_at)

    @abstractmethod
    def pass_time(self, steps: int) -> None:
        """Let steps pass that change nothing: only after Stop.SILENT."""

    def portion(self) -> int:
        """How many steps to do before looking up again (progress, Ctrl-C); never affects the trajectory."""
        return 1 << 22

    @abstractmethod
    def set_goal(self, until: str) -> None:
        """From now on StopCondition.GOAL and `holds` mean this goal of the protocol."""

    # -- asking -------------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def steps(self) -> int:
        """Interactions since the start."""

    @property
    @abstractmethod
    def leaders(self) -> int: ...

    @property
    @abstractmethod
    def events(self) -> int | None:
        """Interactions that changed something, if the engine knows."""

    @property
    def work(self) -> int:
        """Roughly what it cost to come here, in interactions gone through; checkpoints are spaced by it."""
        return self.steps

    @property
    def last_change(self) -> int | None:
        """The step of the last interaction that changed something, 0 if none did; None if the engine does not keep it."""
        return None

    def any_may_change(self, graph: Topology, most: int) -> bool:
        """May an interaction along this graph change anything? If that takes more than `most` pairs of states, yes."""
        if self.numbers_agents and soon_changes(self, graph):
            return True
        return any_may_change(self.run.protocol, meetings(self, graph), most, self.oracle_value())

    @abstractmethod
    def leader(self) -> int | None:
        """The unique leader, if there is exactly one and agents have numbers."""

    @abstractmethod
    def holds(self) -> bool:
        """Is the goal met now?"""

    def meets(self, goal: Goal) -> bool:
        """Is this goal met now? Any goal of the protocol, not only the one that is watched."""
        if goal == self.run.goal:
            return self.holds()
        protocol = self.run.protocol
        if isinstance(goal, Counted):
            return bool(protocol.ask(goal.rule, self.counts_for([goal.rule], goal), protocol.constants))
        return self._meets_closed(goal)

    def _meets_closed(self, goal: Goal) -> bool:
        if self.dead:
            return False
        protocol, n = self.run.protocol, self.run.n
        configuration = [protocol.agent(self.state(i)) for i in range(n)]  # type: ignore[call-arg]
        return bool(protocol.ask(goal.rule, configuration, n, protocol.constants))

    def counts_for(self, rules: Sequence[Callable[..., Any]], goal: Goal | None = None) -> Counts:
        """Of the predicates that these conditions, among them that of the goal, ask for, and no others."""
        protocol = self.run.protocol
        known, names = type(protocol).predicates_for(goal), counts_asked(protocol, rules, goal)
        counted = dict(zip(names, self.census([known[name] for name in names]), strict=True))
        return Counts({**counted, "n": self.present})

    @abstractmethod
    def census(self, predicates: Sequence[Predicate]) -> list[int]:
        """How many agents satisfy each predicate; the dead are not counted."""

    @abstractmethod
    def tally(self) -> list[tuple[State, int]]:
        """The states that occur, each with the number of agents in it."""

    def fields(self) -> dict[str, IntegerArray]:
        """The configuration as one numpy array for each field, indexed by agent."""
        self.refuse("has no agents with numbers, so there is no array of a field")

    @abstractmethod
    def state(self, agent: int) -> State:
        """The state of one agent; `counts` numbers agents by their states, in the order of `tally`."""

    @property
    def last_pair(self) -> tuple[int, int] | None:
        """Initiator and responder of the last interaction.

        None at the start, and where an engine that skips null interactions never drew who it was.
        """
        self.refuse("does not know which pair met last")

    # -- acting from outside ------------------------------------------------------------------------------------

    @abstractmethod
    def overwrite(self, changes: Sequence[tuple[int, State]]) -> None:
        """Put agents into other states. The numbers are those before the first of these changes."""

    def meet(
        self, i: int, j: int, keep: Sequence[str] = (INITIATOR, RESPONDER), draws: Sequence[int] | None = None
    ) -> None:
        """An interaction of i with j, by order: one step, and no draw of the scheduler.

        If it is torn, only the sides in `keep` take what the rule makes of them. Where the rule tosses coins, `draws` are
        what they show.
        """
        given = GivenDraws(draws or ()) if self.run.protocol.tosses or draws else None
        changes = self._changes(i, j, keep, given)
        if given is not None:
            given.refuse_rest()
        if changes:
            self.overwrite(changes)
        self._count_meeting(i, j, changed=bool(changes))

    def _changes(self, i: int, j: int, keep: Sequence[str], coins: Chance | None) -> list[tuple[int, State]]:
        """What an interaction changes at these sides."""
        before = self.state(i), self.state(j)
        after = self.run.protocol.step(*before, coins, self.oracle_value())
        sides = zip((INITIATOR, RESPONDER), (i, j), before, after, strict=True)
        return [(agent, new) for side, agent, old, new in sides if side in keep and old != new]

    def tear(self, side: str) -> bool:
        """The next interaction of the scheduler, of which only this side takes its new state; False if there is none.

        Pair and coins are those of the whole interaction, which it replaces: one step.
        """
        self.refuse("does not do interactions one by one, so that none can be torn")

    def oracle_value(self) -> int:
        """What the protocol's oracle says of the present configuration; 0 if there is none."""
        protocol = self.run.protocol
        if protocol.oracle is None:
            return 0
        return int(self.meets(Counted(protocol.oracle.rule)))

    def _count_meeting(self, i: int, j: int, changed: bool) -> None:
        self.refuse("does not number its agents, so that no two of them can be made to meet")

    def kill(self, agent: int, dead: bool = True) -> None:
        """A dead agent keeps its state: a pair with it is drawn, counts as a step and changes nothing. It is no part of the
        population: it does not lead, goals on counts are asked of the others, and one on the whole configuration does not hold."""
        self.refuse("cannot have dead agents")

    def cut(self, i: int, j: int, is_cut: bool = True) -> None:
        """The same for the arc from i to j."""
        self.refuse("cannot cut arcs")

    @property
    def dead(self) -> frozenset[int]:
        return frozenset()

    @property
    def present(self) -> int:
        """How many agents are not dead."""
        return self.run.n - len(self.dead)

    @property
    def cuts(self) -> frozenset[tuple[int, int]]:
        return frozenset()

    # -- going back ---------------------------------------------------------------------------------------------

    @abstractmethod
    def snapshot(self) -> Any:
        """Everything that the future depends on."""

    @abstractmethod
    def restore(self, saved: Any) -> None:
        """Back to a snapshot, which may be used again."""

    @property
    @abstractmethod
    def snapshot_bytes(self) -> int:
        """About how large a snapshot is."""

    @property
    def checkpoint_spacing(self) -> int:
        """Work between two checkpoints of a session at first: a hundred times what a snapshot costs."""
        return max(1 << 20, 16 * self.run.n)

    def steps_for(self, work: int) -> int:
        """About how many steps take this much work."""
        return work

    # -- helpers ------------------------------------------------------------------------------------------------

    def refuse(self, what: str) -> NoReturn:
        raise RunError(f"--engine {self.engine} {what}: use --engine agents.")

    def _with_goal(self, until: str) -> Run:
        return replace(self.run, until=until)
