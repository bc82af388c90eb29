"""Protocols written for tests of identity, and how a test asks for their ids."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from princeps.campaign.point import Point, make_point

# An accidental change of the identity would make every store that exists forget what it holds.
GOLDEN = {"fratricide": "ac7cde2edad88e121000", "p_rl": "024fb020b1541cc84c94"}
GOLDEN_SEED = 67608912502125  # of the point 00...0

LAW = """\
from princeps.model import *

STEP = 1
FEW = 2


def initial(a, i, n, p):
    a.leader = 1
    a.x = i % FEW


def quiet(a, i, n, p):
    a.leader = i == 0


def advance(a, p):
    a.x = following(a.x, p)


def following(x, p):
    return min(x + STEP, p.top)


def tired(a, p):
    return a.x == p.top


def lively(a, p):
    return a.x == 0


def rested(c, p):
    return c.leaders == 1 and c.tired == c.n


def lonely(c, p):
    return c.leaders == 1


class Mine(PopulationProtocol):
    guarantee = "loosely-stabilizing"
    k = Param(min=1, default=3)
    top = Derived(lambda p: p.k + 1)
    leader = Bit()
    x = Range(lambda p: p.top + 1)
    starts = {"initial": initial, "quiet": quiet, "random": Uniform()}
    predicates = {"tired": tired, "lively": lively}
    goals = {"rested": Counted(rested), "lonely": Counted(lonely)}
    default_goal = "rested"

    @staticmethod
    def interact(a, b, p):
        advance(b, p)
        if a.leader == 1 and b.leader == 1:
            spare = b.leader - 1
            b.leader = spare
"""

Change = tuple[str, str]
Identify = Callable[..., str]
fresh_numbers = itertools.count()


def edited(*changes: Change, text: str = LAW) -> str:
    """The text with each passage replaced, which must be there."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def point(name: str, n: int | None = 6, params: dict[str, int] | None = None, **options: Any) -> Point:
    return make_point(name, n, params or {}, {"hold": False, **options}, {})


FORM = """\
from functools import cache, partial
from princeps.model import *

TOP


class Form(PopulationProtocol):
    leader, x = Bit(), Range(9)
    starts = {"initial": Blocks(START)}
    predicates = {"many": MANY}
    goals = {"goal": GOAL}
    default_goal = "goal"
    FIELDS

    @staticmethod
    def interact(a, b, p):
        RULE
"""


DEFAULTS = {
    "TOP": "",
    "START": "lambda n, p: [(n, {'leader': 1})]",
    "MANY": "lambda a, p: a.x > 1",
    "GOAL": "Counted(lambda c, p: c.leaders == 1 and c.many == 0)",
    "FIELDS": "",
    "RULE": "b.leader = 0",
}


def form(**parts: str) -> str:
    """A protocol with these parts; a function `start` or `goal` that TOP defines is used."""
    top = parts.get("TOP", "")
    own = {"START": "start"} if "start" in top else {}
    own |= {"GOAL": "Counted(goal)"} if "def goal(c" in top else {"GOAL": "Closed(goal)"} if "def goal(u" in top else {}
    text = FORM
    for key, value in {**DEFAULTS, **own, **parts}.items():
        text = text.replace(key, value)
    return text


CLOSURE = """\
def some(k):
    def start(n, p):
        return [(k, {'leader': 1}), (n - k, {})]
    return start
"""


@pytest.fixture
def identify(tmp_path: Path) -> Identify:
    """The id of a protocol written into a file of its own; the last class in it is meant."""

    def call(text: str, file: str = "", **options: Any) -> str:
        path = tmp_path / (file or f"law{next(fresh_numbers)}.py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return point(f"{path}:{text.rpartition('class ')[2].partition('(')[0]}", **options).id

    return call
