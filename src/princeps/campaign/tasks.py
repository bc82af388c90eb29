"""What a worker is asked to repeat: trials of a described run, or calls of any function by its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from princeps.errors import PrincepsError, RunError
from princeps.model.carried import Carried
from princeps.model.description import Description, reader_of_trials
from princeps.model.modules import module_of
from princeps.model.run import Run


@dataclass(frozen=True)
class DescribedTrials:
    """Trials of a run. `point` is the identity of its law, if it must still be that when a worker runs it."""

    description: Description
    point: str | None = None

    @property
    def name(self) -> str:
        return self.description.spec

    @property
    def size(self) -> Any:
        return self.description.n

    def in_words(self, error: PrincepsError) -> str:
        """A mistake in a protocol that was carried here is told with its own file and line."""
        protocol = self.description.protocol
        return protocol.original(str(error)) if isinstance(protocol, Carried) else str(error)

    def repeater(self) -> Callable[[int], Any]:
        from princeps.engines.dispatch import simulate

        make, expected = reader_of_trials(self.description), self.point

        def run(trial: int) -> Any:
            nonlocal expected
            made = make(trial)
            if expected is not None:
                _check_identity(made, self.description, expected, self.name)
                expected = None
            return _finished(simulate(made))

        return run


@dataclass(frozen=True)
class FunctionTrials:
    """`place` is module:function or path/of/file.py:function; a trial is what it returns for that number."""

    name: str
    place: str
    arguments: Mapping[str, Any]

    @property
    def size(self) -> Any:
        return None

    def in_words(self, error: PrincepsError) -> str:
        return str(error)

    def repeater(self) -> Callable[[int], Any]:
        place, _, function = self.place.rpartition(":")
        module = module_of(Path(place)) if place.endswith(".py") else import_module(place)
        return partial(getattr(module, function), **self.arguments)


Trials = DescribedTrials | FunctionTrials


def _identity(run: Any, description: Description) -> str:
    from princeps.campaign.identity import identity, point_id

    if isinstance(run, Run):
        return identity(run)
    from princeps.campaign.ring_point import content_of_ring

    return point_id(content_of_ring(run, description.params))


def _check_identity(run: Any, description: Description, expected: str, name: str) -> None:
    if _identity(run, description) != expected:
        raise RunError(
            f"{name}, or a file that it reads, is not what it was when the sweep began: run the same command again; "
            f"what was stored is of the old one, and kept as such."
        )


def _finished(result: Any) -> Any:
    if result.interrupted:
        raise KeyboardInterrupt
    return result
