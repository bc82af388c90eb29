"""Transient faults: after a given step some agents are put into random states."""

from __future__ import annotations

from dataclasses import dataclass

from princeps.errors import RunError
from princeps.model.formatting import counted
from princeps.model.numbers import read_count


@dataclass(frozen=True)
class Fault:
    """After `step` interactions, `agents` of them are overwritten; `every` repeats it."""

    step: int
    agents: int
    every: bool = False

    @property
    def text(self) -> str:
        return f"every:{self.step}:{self.agents}" if self.every else f"{self.step}:{self.agents}"


def read_fault(text: str, n: int) -> Fault:
    words = text.split(":")
    every = words[0] == "every"
    if len(words) != (3 if every else 2):
        raise RunError(f"fault {text!r} is not understood: write STEP:K or every:STEPS:K, like --fault 5000:10.")
    step = read_count(words[-2], "the fault's step")
    agents = read_count(words[-1], "the fault's number of agents")
    if agents < 1 or agents > n:
        raise RunError(f"fault {text!r} hits {counted(agents, 'agents', 'd')} of {n}: choose between 1 and {n}.")
    if every and step < 1:
        raise RunError(f"fault {text!r} repeats every {step} steps: choose at least 1.")
    if step < 0:
        raise RunError(f"fault {text!r} strikes before the start: choose a step >= 0.")
    return Fault(step, agents, every)
