"""What may come of a claim, and how the parts of one are joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from princeps.errors import RunError, UnknownName

PROVED = "proved"  # exhaustively at the sizes given, or for every n: its parts say which
DEMONSTRATED = "demonstrated"  # a statement about all algorithms, shown on those that we have
SUPPORTED = "supported"  # by a sample that would have noticed the planted fault
AS_PRINTED = "violated as printed"  # and the repaired reading holds
VIOLATED = "violated"
INCONCLUSIVE = "inconclusive"  # the sample does not decide
NOT_TESTABLE = "not testable at this size"  # no feasible sample could decide; it says what is excluded

BY_STRENGTH = (PROVED, SUPPORTED, DEMONSTRATED, NOT_TESTABLE, INCONCLUSIVE, AS_PRINTED, VIOLATED)
HOLDS = (PROVED, SUPPORTED, DEMONSTRATED)

Value = float | int | str | None


@dataclass(frozen=True)
class Part:
    """One question that a check answers: what was measured, and the verdict on it."""

    verdict: str
    says: str  # what came out, in a sentence without its full stop
    measured: Value = None
    bound: Value = None
    sample: str = ""  # how much was looked at, and the confidence
    power: str = ""  # which fault this sample would have noticed
    commands: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_verdict(self.verdict)


@dataclass(frozen=True)
class Outcome:
    """What a claim's check returns."""

    verdict: str
    parts: tuple[Part, ...]
    ours: tuple[str, ...] = ()  # what the paper does not say and the data show

    def __post_init__(self) -> None:
        check_verdict(self.verdict)

    @property
    def main(self) -> Part:
        """The part that decides: the first of those with the verdict, else the last."""
        return next((part for part in self.parts if part.verdict == self.verdict), self.parts[-1])

    @property
    def commands(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(command for part in self.parts for command in part.commands))


def check_verdict(verdict: str) -> None:
    if verdict not in BY_STRENGTH:
        raise UnknownName("verdict", verdict, BY_STRENGTH)


def together(parts: Sequence[Part], ours: Sequence[str] = ()) -> Outcome:
    """A claim holds no better than the weakest of its parts."""
    if not parts:
        raise RunError("a claim has no part that was judged: give together() at least one.")
    return Outcome(max((part.verdict for part in parts), key=BY_STRENGTH.index), tuple(parts), tuple(ours))


def readings(printed: Sequence[Part], repaired: Sequence[Part], ours: Sequence[str] = ()) -> Outcome:
    """A claim of a text that was repaired: violated as printed if only the repaired reading holds."""
    as_printed, as_repaired = together(printed), together(repaired)
    verdict = as_repaired.verdict
    if as_printed.verdict == VIOLATED and as_repaired.verdict in HOLDS:
        verdict = AS_PRINTED
    parts = [_named("repaired", part) for part in repaired] + [_named("as printed", part) for part in printed]
    return Outcome(verdict, tuple(parts), tuple(ours))


def _named(reading: str, part: Part) -> Part:
    words: dict[str, Any] = {**vars(part), "says": f"{reading}: {part.says}"}
    return Part(**words)
