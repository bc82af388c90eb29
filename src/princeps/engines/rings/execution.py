"""What every ring engine hands back: the configuration at the end, and why it is the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from princeps.errors import ProtocolError
from princeps.model.rings.specification import Ending, Violation

EngineObserver = Callable[[Any], None]


class Configuration(Protocol):
    """What a result is made of."""

    @property
    def now(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def messages(self) -> int: ...
    @property
    def kinds(self) -> dict[str, int]: ...
    @property
    def violations(self) -> dict[int, Violation]: ...
    def ending(self) -> Ending: ...
    def max_bits(self) -> int: ...


@dataclass(frozen=True)
class Execution:
    """`limited`: the limit of the steps was reached while something could still happen."""

    end: Configuration
    limited: bool = False
    interrupted: bool = False


class ActionFailed(Exception):
    """An action of the algorithm failed in a compiled engine, which does not know the line; `error` is what it can say."""

    def __init__(self, error: ProtocolError) -> None:
        super().__init__(str(error))
        self.error = error


class CannotHold(Exception):
    """In the middle of a run an engine meets what it cannot represent; the reference engine runs it from the beginning."""
