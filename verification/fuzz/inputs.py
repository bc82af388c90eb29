"""What an attack consists of: categories make inputs, an input is carried out, and what went wrong are troubles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

TRACEBACK, CRASH, HANG, MEMORY, WRONG = KINDS = ("traceback", "crash", "hang", "memory", "wrong")

CPU_SECONDS = 10.0  # that an input may compute without a word
BYTES = 2 << 30  # that it may allocate


@dataclass(frozen=True)
class Trouble:
    """One way in which an input ended badly."""

    kind: str
    text: str


@dataclass(frozen=True)
class Input:
    """`text` is a command line or a Python script that does the same; `run` does it and gives what went wrong.

    An exception that leaves `run` is a traceback.
    """

    text: str
    run: Callable[[], list[Trouble]]


@dataclass(frozen=True)
class Category:
    """A kind of inputs, of which the k-th depends on the attack's seed alone."""

    name: str
    help: str
    make: Callable[[Random], Input]
    share: float = 0.0  # of all inputs; 0: their number is given
    batch: int = 250  # inputs that one process carries out: what one leaves behind is not met by many others
    cpu_seconds: float = CPU_SECONDS
    is_cold: bool = False  # its processes begin without kernels in memory
    minimise: Callable[[int, int], str | None] | None = None  # seed and number -> a smaller script

    def input(self, seed: int, number: int) -> Input:
        return self.make(Random(f"{seed}:{self.name}:{number}"))


def wrong(text: str) -> list[Trouble]:
    return [Trouble(WRONG, text)]
