"""What every engine offers to the conductor: a population that can be advanced, watched, asked and hit by faults."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import IntEnum

from princeps.model.protocol import Predicate
from princeps.model.run import Run
from princeps.model.states import State


class Watch(IntEnum):
    """What stops an advance before its budget is used up."""

    NOTHING = 0
    GOAL = 1  # the goal is met
    OUTPUT = 2  # some agent's output changed


class Population(ABC):
    """n agents in some configuration, `steps` interactions after the start."""

    engine: str

    def __init__(self, run: Run) -> None:
        self.run = run
        self.why = ""  # this engine was chosen
        self.silent = False  # the engine has seen that nothing can change any more
        self.exhausted = False  # a given schedule has come to its end

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

    @abstractmethod
    def advance(self, budget: int, watch: Watch) -> bool:
        """Up to `budget` interactions; True if stopped right after the one that fulfilled `watch`."""

    @abstractmethod
    def holds(self) -> bool:
        """Is the goal met now?"""

    @abstractmethod
    def census(self, predicates: Sequence[Predicate]) -> list[int]: ...

    @abstractmethod
    def state(self, agent: int) -> State: ...

    @abstractmethod
    def overwrite(self, changes: Sequence[tuple[int, State]]) -> None: ...

    @abstractmethod
    def leader(self) -> int | None:
        """The unique leader, if there is exactly one."""

    def portion(self) -> int:
        """How many steps to do before looking up again (progress, Ctrl-C); never affects the trajectory."""
        return 1 << 22
