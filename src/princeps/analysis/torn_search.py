"""The shortest schedules with torn interactions, one length after the other, each end of them judged exactly.

A schedule kills if the target cannot be reached from the configuration it leads to. Mostly the target is only a few
interactions away, which is tried first. Else everything that follows is explored up to the target, over states that are
merged where nothing distinguishes them: of agents that never lead again, all states are one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import factorial, prod

import numpy as np

from princeps.analysis.agent_states import make_agent_states
from princeps.analysis.chain import Bits
from princeps.analysis.components import find_components
from princeps.analysis.configurations import Configurations
from princeps.analysis.counterexamples import interactions, torn_interactions
from princeps.analysis.expansion import Expansion
from princeps.analysis.exploration import oracle_columns
from princeps.analysis.merging import merge, singleton_classes
from princeps.analysis.progress import ProgressCallback
from princeps.analysis.replaying import Move
from princeps.analysis.symmetry import Permutation
from princeps.analysis.targets import Target, members
from princeps.model.fields import Counts
from princeps.model.protocol import Counted
from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.model.states import State

MAX_FOLLOWED = 2_000  # configurations that schedules lead to, in plain Python: about a second
MAX_TRIED = 300  # configurations among which the target is looked for before all that follows is explored

Key = tuple[State, ...]  # a configuration up to symmetry


@dataclass(frozen=True)
class Node:
    """A configuration that a schedule leads to."""

    states: list[State]
    torn: int = 0  # interactions so far
    moves: tuple[Move, ...] = ()


@dataclass
class ScheduleSearch:
    """Schedules with up to `most` torn interactions. `group` is None if all permutations are symmetries."""

    run: Run
    target: Target
    group: Sequence[Permutation] | None
    most: int
    limit: int
    progress: ProgressCallback
    fewest: dict[Key, int] = field(default_factory=dict)  # torn interactions with which a configuration was reached
    reaching: set[Key] = field(default_factory=set)  # configurations from which the target can be reached

    def killing(self) -> list[Move] | None:
        """The shortest schedule after which the target is never reached; None if none was found."""
        level = [Node(starting_states(self.run))]
        self.fewest[self._key(level[0].states)] = 0
        while level and len(self.fewest) <= MAX_FOLLOWED:
            for node in level:
                if not (self._soon_reached(node.states) or self._can_reach(node.states)):
                    return list(node.moves)
            level = [new for node in level for new in self._following(node)]
        return None

    @property
    def configurations(self) -> int:
        """That schedules led to, of the original space."""
        return sum(map(self._images, self.fewest))

    def _following(self, node: Node) -> list[Node]:
        """One interaction later; a configuration that was reached with as few torn ones is left out."""
        found = []
        possible = list(interactions(self.run, node.states))
        possible += torn_interactions(self.run, node.states) if node.torn < self.most else []
        for move, after in possible:
            torn, key = node.torn + (move.side is not None), self._key(after)
            if self.fewest.get(key, torn + 1) > torn:
                self.fewest[key] = torn
                found.append(Node(after, torn, (*node.moves, move)))
        return found

    # -- judging ------------------------------------------------------------------------------------------------------

    def _soon_reached(self, states: list[State]) -> bool:
        """Is the target, or a configuration from which it can be reached, among the first that follow?"""
        first = self._key(states)
        came_from: dict[Key, Key | None] = {first: None}
        waiting = deque([(first, states)])
        while waiting and len(came_from) <= MAX_TRIED:
            key, here = waiting.popleft()
            if key in self.reaching or self._is_target(here):
                at: Key | None = key
                while at is not None:
                    self.reaching.add(at)
                    at = came_from[at]
                return True
            for _, after in interactions(self.run, here):
                there = self._key(after)
                if there not in came_from:
                    came_from[there] = key
                    waiting.append((there, after))
        return False

    def _is_target(self, states: list[State]) -> bool:
        protocol, goal = self.run.protocol, self.target.goal
        assert goal is not None
        agents = [protocol.agent(state) for state in states]  # type: ignore[call-arg]
        if not isinstance(goal, Counted):
            return bool(protocol.ask(goal.rule, agents, self.run.n, protocol.constants))
        predicates = self.target.given or type(protocol).predicates_for(goal)
        counts = {
            name: sum(bool(protocol.ask(predicate, agent, protocol.constants)) for agent in agents)
            for name, predicate in predicates.items()
        }
        return bool(protocol.ask(goal.rule, Counts({**counts, "n": self.run.n}), protocol.constants))

    def _can_reach(self, states: list[State]) -> bool:
        """Can the target be reached? All that follows is explored up to it."""
        configurations = self._merged(states)
        x = configurations.add(states)

        def is_target(begin: int, end: int) -> Bits:
            return members(self.target, configurations, begin, end)

        expansion = Expansion(configurations, is_target)
        expansion.go_on()
        inside = expansion.is_absorbing.view(np.bool_)
        return bool(find_components(expansion.chain(), inside).can_reach(inside)[x])

    def _merged(self, states: list[State]) -> Configurations:
        """An empty list of configurations of the states that can arise, merged if they are not too many."""
        protocol, agent_states = self.run.protocol, make_agent_states(self.run.protocol, states)
        if isinstance(self.target.goal, Counted) and agent_states.close(progress=self.progress):
            predicates = self.target.predicates(agent_states).values()
            columns = [agent_states.satisfying(predicate)[:, None] for predicate in predicates]
            classes = merge(agent_states, np.concatenate([oracle_columns(agent_states), *columns], axis=1))
        else:
            agent_states = make_agent_states(protocol, states)
            classes = singleton_classes(agent_states)
        configurations = Configurations(agent_states, classes, self.run.topology, self.group, self.progress)
        configurations.limit = self.limit
        return configurations

    # -- symmetry -----------------------------------------------------------------------------------------------------

    def _key(self, states: Sequence[State]) -> Key:
        if self.group is None:
            return tuple(sorted(states))
        return min(tuple(states[i] for i in permutation) for permutation in self.group)

    def _images(self, key: Key) -> int:
        if self.group is None:
            return factorial(len(key)) // prod(map(factorial, Counter(key).values()))
        return len({tuple(key[i] for i in permutation) for permutation in self.group})
