"""Faults: after a given step some agents are put into random states, or an interaction is torn.

    STEP:K           after STEP interactions K random agents get random legal states
    every:STEPS:K    the same again and again
    torn:STEP        interaction number STEP, counted from 1, is applied at one side only
    torn:every:STEPS the same, of each interaction whose number is a multiple of STEPS
    torn:RATE%       the same, of each interaction with this probability

Behind `torn:...` may stand `:initiator` or `:responder`, the side that takes its new state; without it the side is drawn.
The pair is the one that the scheduler draws there anyway.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from princeps.errors import RunError
from princeps.model.formatting import counted
from princeps.model.numbers import read_count
from princeps.model.randomness import Stream
from princeps.model.script import SIDES_OF_A_PAIR

TORN = "torn"
MAX_RATE_DIGITS = 12  # behind the point, of a percentage
BITS = 128  # of a random number that is compared with powers of a rate


@dataclass(frozen=True)
class Fault:
    """After `step` interactions, `agents` of them are overwritten; `every` repeats it."""

    step: int
    agents: int
    every: bool = False

    @property
    def text(self) -> str:
        return f"every:{self.step}:{self.agents}" if self.every else f"{self.step}:{self.agents}"

    def strikes_within(self, limit: int) -> bool:
        return self.step < limit


@dataclass(frozen=True)
class TornFault:
    """Interaction number `step` is applied at one `side` only, None: a random one; `every` repeats it.

    With a `rate` it happens to each interaction with this probability.
    """

    step: int
    every: bool = False
    rate: Fraction | None = None
    side: str | None = None
    agents = 1  # that missed its new state

    @property
    def text(self) -> str:
        when = f"every:{self.step}" if self.every else f"{self.step}"
        if self.rate is not None:
            when = f"{_percentage(self.rate)}%"
        return ":".join([TORN, when, *([self.side] if self.side else [])])

    def strikes_within(self, limit: int) -> bool:
        return self.step <= limit

    def next_after(self, step: int, stream: Stream) -> int:
        """The number of the first interaction after `step` to which it happens, where it happens again and again."""
        if self.rate is not None:
            return step + 1 + failures_before_success(self.rate, stream)
        return (step // self.step + 1) * self.step


AnyFault = Fault | TornFault


def is_steady(text: str) -> bool:
    """Does a fault, as it is written, go on to the end of the run?"""
    words = text.split(":")
    return "every" in words or any(word.endswith("%") for word in words)


def read_fault(text: str, n: int) -> AnyFault:
    words = text.split(":")
    if words[0] == TORN:
        return _read_torn(text, words[1:])
    every = words[0] == "every"
    if len(words) != (3 if every else 2):
        raise RunError(
            f"fault {text!r} is not understood: write STEP:K or every:STEPS:K, like --fault 5000:10, or torn:STEP, "
            f"torn:every:STEPS or torn:RATE%."
        )
    step = read_count(words[-2], "the fault's step")
    agents = read_count(words[-1], "the fault's number of agents")
    if agents < 1 or agents > n:
        raise RunError(f"fault {text!r} hits {counted(agents, 'agents', 'd')} of {n}: choose between 1 and {n}.")
    if every and step < 1:
        raise RunError(f"fault {text!r} repeats every {step} steps: choose at least 1.")
    if step < 0:
        raise RunError(f"fault {text!r} strikes before the start: choose a step >= 0.")
    return Fault(step, agents, every)


def _read_torn(text: str, words: list[str]) -> TornFault:
    side = words.pop() if words and words[-1] in SIDES_OF_A_PAIR else None
    every = words[:1] == ["every"]
    if len(words) != 1 + every:
        raise RunError(
            f"fault {text!r} is not understood: write torn:STEP, torn:every:STEPS or torn:RATE%, and behind it "
            f":initiator or :responder if only that side is to change."
        )
    if words[-1].endswith("%") and not every:
        return TornFault(1, every=True, rate=_read_rate(text, words[0].removesuffix("%")), side=side)
    step = read_count(words[-1], "the number of the torn interaction")
    if step < 1:
        raise RunError(f"fault {text!r} names interaction {step}: they are counted from 1.")
    return TornFault(step, every, side=side)


def _read_rate(text: str, percentage: str) -> Fraction:
    try:
        number = Decimal(percentage)
    except InvalidOperation:
        number = Decimal(0)
    if not number.is_finite() or not 0 < number <= 100 or number != round(number, MAX_RATE_DIGITS):
        raise RunError(
            f"fault {text!r} has no percentage above 0 and up to 100, of at most {MAX_RATE_DIGITS} digits behind the point: "
            f"write it like torn:10% or torn:0.5%."
        )
    return Fraction(number) / 100


def _percentage(rate: Fraction) -> str:
    """In its shortest spelling: 10, 0.5."""
    number = rate * 100
    text = f"{Decimal(number.numerator) / Decimal(number.denominator):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def failures_before_success(rate: Fraction, stream: Stream) -> int:
    """How often something of this probability fails before it happens, from two words of the stream.

    The largest k with u < (1 - rate)^k, for a uniform u; in whole numbers, so that it is the same on every machine. A
    power is rounded down once for each doubling of k, which changes no probability by more than k / 2^127.
    """
    if rate == 1:
        return 0
    one = 1 << BITS
    uniform = stream.next64() << 64 | stream.next64()
    powers = [(one * (rate.denominator - rate.numerator)) // rate.denominator]  # (1 - rate)^(2^j)
    while powers[-1] > uniform and powers[-1] > 0:
        powers.append(powers[-1] * powers[-1] >> BITS)
    count, reached = 0, one
    for j in range(len(powers) - 1, -1, -1):
        further = reached * powers[j] >> BITS
        if further > uniform:
            reached, count = further, count + (1 << j)
    return count
