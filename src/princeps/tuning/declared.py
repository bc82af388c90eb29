"""What a protocol's file and a user say about constants, read for the tuner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from princeps.errors import RunError
from princeps.model.description import Description
from princeps.model.protocol_checks import tuning_mistake
from princeps.model.run import Run
from princeps.model.tuning import Tuning


def tuning_of(run: Run) -> Tuning:
    """What the protocol's file says, or why there is nothing to tune."""
    found = type(run.protocol).tuning
    if found is None or not found.raises:
        remedy = (
            f"write princeps tune {run.protocol.name} --failure 0.001"
            if found and found.synchronises
            else ("declare tuning = Tuning(raises={...}) in its file, as docs/tune.md shows")
        )
        raise RunError(f"{run.protocol.name} has no constants that hold a leader longer: {remedy}.")
    wrong = tuning_mistake(type(run.protocol))
    if wrong is not None:
        raise RunError(f"tuning of {run.protocol.name} {wrong}: its class inherits what it does not fit.")
    return found


def given_numbers(run: Run, description: Description) -> dict[str, int]:
    """What the user gave, as the run read it."""
    return {name: int(getattr(run.protocol.constants, name)) for name in description.params}


def in_words(constants: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in constants.items()) or "the parameters given"
