"""Sets that are no scans: proved at single sizes for every parameter, and the verdict says no more."""

from __future__ import annotations

import pytest

from princeps.model import Agent, Bit, Closed, Config, Param, Params, PopulationProtocol, Range, Stays
from princeps.proofs.rings.proving import Limits, prove
from princeps.proofs.rings.replaying import breaks
from princeps.proofs.verdicts import NOT_PROVED, REFUTED, Statement, proved_at

pytest.importorskip("z3")


def few_tokens(u: Config, n: int, p: Params) -> int:
    """all agents together hold at most `most` tokens"""
    total = 0
    for i in range(n):
        total += u[i].tokens
    return total <= p.most


class Tokens(PopulationProtocol):
    name = "few_tokens"
    topology = "ring"
    most = Param(min=1, default=2)
    leader, tokens = Bit(), Range(lambda p: p.most + 1)
    goals = {"few": Closed(few_tokens)}
    lemmas = {"few": Stays("tokens do not multiply", "few")}

    @staticmethod
    def interact(l: Agent, r: Agent, p: Params) -> None:
        if l.tokens > 0 and r.tokens < p.most:
            l.tokens, r.tokens = l.tokens - 1, r.tokens + 1


FEW = Statement(Tokens, "few", "", "lemma", Tokens.lemmas["few"])


class Copied(Tokens):
    name = "copied_tokens"

    @staticmethod
    def interact(l: Agent, r: Agent, p: Params) -> None:
        r.tokens = max(l.tokens, r.tokens)


@pytest.mark.medium
def test_a_set_that_is_no_scan_is_proved_at_single_sizes() -> None:
    """At every size up to 20, which takes 1.3 s of processor time."""
    verdict = prove(FEW)
    assert verdict.verdict == proved_at(20) == "proved at n = 20 for every N"
    assert "n = 2 to 20" in verdict.why
    assert verdict.certificate is None


def test_the_verdict_says_how_far_the_solver_came() -> None:
    """By work, not by a clock: the same on every machine."""
    verdict = prove(FEW, limits=Limits(work=2_000))
    size = int(verdict.verdict.split()[4])
    assert verdict.verdict == proved_at(size)
    assert 2 <= size < 20
    assert f"n = 2 to {size}" in verdict.why
    assert f"a ring of {size + 1} agents was not decided" in verdict.why


def test_nothing_is_said_where_no_size_is_decided() -> None:
    assert prove(FEW, limits=Limits(work=1)).verdict == NOT_PROVED


def test_and_refuted_by_the_smallest_ring() -> None:
    lemma = Copied.lemmas["few"]
    verdict = prove(Statement(Copied, "few", "", "lemma", lemma), limits=Limits(largest=6))
    assert verdict.verdict == REFUTED
    found = verdict.counterexample
    assert found is not None
    assert len(found.states) == 2
    (i, j), states = found.pairs[0], list(found.states)
    after = list(states)
    after[i], after[j] = found.protocol.step(states[i], states[j])
    assert breaks(lemma, found.protocol, states, after, (i, j))
