"""What is proved of other protocols of the library, once it is stated, or once a key is given (docs/prove.md)."""

from __future__ import annotations

from typing import Any

import pytest

from princeps.model import Agent, EveryAgent, EveryMeeting, Params, Stays, Top
from princeps.proofs.prove import Context, prove_one, statements_of
from princeps.proofs.verdicts import NOT_PROVED, PROVED
from princeps.protocols.infection import Infection
from princeps.protocols.leader_minion import LeaderMinion
from princeps.protocols.michail import Michail

pytest.importorskip("z3")


def capped(a: Agent, p: Params) -> int:
    return min(a.value, p.m)


def value(a: Agent, p: Params) -> int:
    return a.value


def contends(a: Agent, p: Params) -> int:
    return a.contender == 1


def begins(a: Agent, p: Params) -> int:
    return a.contender == 1 and a.value == 1


class WithKey(LeaderMinion):
    name = "leader_minion_with_key"
    hints = {"never_none": Top(key=(capped,), witness=contends, waiting=begins)}


class WithWrongKey(LeaderMinion):
    """A contender at the top value m + 1 falls back to m, where others still are at m + 1."""

    name = "leader_minion_with_wrong_key"
    hints = {"never_none": Top(key=(value,), witness=contends, waiting=begins)}


def round_of(a: Agent, p: Params) -> int:
    return a.e


def number_of(a: Agent, p: Params) -> int:
    return a.r


def leads(a: Agent, p: Params) -> int:
    return a.leader == 1


def has_not_met(a: Agent, p: Params) -> int:
    return a.leader == 1 and a.e == 0 and a.r == 0


class OfRounds(Michail):
    name = "michail_with_key"
    hints = {"never_none": Top(key=(round_of, number_of), witness=leads, waiting=has_not_met)}


def follows_itself(a: Agent, p: Params) -> int:
    return a.isLeader == 0 or a.leader == a.aid


def follows_no_smaller(a: Agent, b: Agent, x: Agent, y: Agent, p: Params) -> int:
    return x.leader >= a.leader and y.leader >= b.leader


def ids_differ(a: Agent, b: Agent, x: Agent, y: Agent, p: Params) -> int:
    return a.aid != b.aid


class Agreeing(Infection):
    name = "infection_with_facts"
    facts = {
        "agreed": Stays("where everyone follows the largest identifier, everyone does for ever", "complete"),
        "itself": EveryAgent("who leads follows itself", follows_itself),
        "larger": EveryMeeting("nobody follows a smaller one than before", follows_no_smaller),
        "differ": EveryMeeting("identifiers differ, which no proof knows", ids_differ),
    }


@pytest.mark.medium
@pytest.mark.parametrize(
    ("cls", "lemma", "verdict"),
    [
        (WithKey, "never_none", PROVED),
        (WithWrongKey, "never_none", NOT_PROVED),
        (LeaderMinion, "minions", PROVED),
        (OfRounds, "never_none", PROVED),
        (Agreeing, "agreed", PROVED),
        (Agreeing, "itself", PROVED),
        (Agreeing, "larger", PROVED),
        (Agreeing, "differ", NOT_PROVED),
    ],
)
def test_other_protocols(cls: Any, lemma: str, verdict: str) -> None:
    (statement,) = statements_of(cls, [lemma])
    assert prove_one(statement, Context(cls)).verdict == verdict
