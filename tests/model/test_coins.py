"""Coins and oracles as a protocol's file sees them, in plain Python."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.campaign.identity import content_of, identity
from princeps.errors import ParameterError, ProtocolError, RunError
from princeps.model import NobodyLeads, Oracle, coin, draw
from princeps.model.coins import Paths, RecordedDraws, all_outcomes, tosses_coins, tossing
from princeps.model.randomness import Stream
from princeps.model.reading import make_run
from princeps.model.script import protocol_identity
from tests.engines import choice_protocols

EXAMPLES = Path(__file__).parents[2] / "examples"
HEAD = "from princeps.model import *\nimport princeps.model as model\n\nclass Mine(PopulationProtocol):\n    leader = Bit()\n"
START = '    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}\n'


def written(tmp_path: Path, body: str, name: str = "mine.py") -> str:
    file = tmp_path / name
    file.write_text(HEAD + START + body, encoding="utf-8")
    return str(file)


def test_outcomes_have_exact_probabilities() -> None:
    dice = princeps.protocol(str(EXAMPLES / "dice.py"), n=5, sides=2)
    leads, follows = {"leader": 1, "draws": 0}, {"leader": 0, "draws": 0}
    found = dice.outcomes(leads, leads)
    assert found == [
        (Fraction(1, 2), {"leader": 1, "draws": 1}, leads),
        (Fraction(1, 4), follows, leads),
        (Fraction(1, 4), leads, follows),
    ]
    assert dice.outcomes(leads, follows) == [(Fraction(1), leads, follows)]
    waited = {"leader": 1, "draws": 1}  # then the other throws a die of three
    assert sum(probability for probability, _, _ in dice.outcomes(waited, leads)) == 1
    assert dice.outcomes(waited, leads)[0][0] == Fraction(1, 3)


def test_delta_names_outcomes_where_coins_are_tossed() -> None:
    dice, state = princeps.protocol(str(EXAMPLES / "dice.py"), n=5), {"leader": 1, "draws": 0}
    with pytest.raises(RunError, match=r"tosses coins.*ask outcomes\(a, b\)"):
        dice.delta(state, state)
    plain = princeps.protocol("fratricide", n=5)
    assert plain.outcomes({"leader": 1}, {"leader": 1}) == [(Fraction(1), *plain.delta({"leader": 1}, {"leader": 1}))]


def test_an_oracle_is_told_to_delta() -> None:
    told = princeps.protocol(f"{choice_protocols.__file__}:Told", n=5)
    state = {"leader": 0, "age": 0}
    assert told.delta(state, state, oracle=1)[0]["leader"] == 1
    assert told.delta(state, state, oracle=0)[0]["leader"] == 0
    for value in (None, 2):
        with pytest.raises(RunError, match=r"p\.nobody_leads.*call delta\(a, b, oracle=0\)"):
            told.delta(state, state, oracle=value)
    with pytest.raises(RunError, match="fratricide has no oracle"):
        princeps.protocol("fratricide", n=5).delta({"leader": 1}, {"leader": 1}, oracle=1)


def test_all_ways_through_draws_that_depend_on_one_another() -> None:
    def rule() -> int:
        first = draw(3)
        return 10 * first + (coin() + coin() if first == 2 else 0)

    found = {result: (probability, draws) for probability, result, draws in all_outcomes(rule)}
    third = Fraction(1, 3)
    assert {result: probability for result, (probability, _) in found.items()} == {
        0: third,
        10: third,
        20: third / 4,
        21: third / 2,
        22: third / 4,
    }
    assert found[21][1] == (2, 0, 1)  # the draws that led to it first


@pytest.mark.medium
def test_too_many_ways_are_refused() -> None:
    with pytest.raises(ProtocolError, match=r"more than 65,536 ways"):
        all_outcomes(lambda: draw(1 << 17))
    paths = Paths()
    with tossing(paths):
        assert draw(1) == 0
    assert not paths.advance()


def test_draws_are_those_of_the_stream() -> None:
    source = RecordedDraws(Stream.of(1, 0, "coins"))
    with tossing(source):
        seen = [coin(), draw(5), draw(1)]
    again = Stream.of(1, 0, "coins")
    assert seen == source.values == [again.below(2), again.below(5), again.below(1)]


def test_coins_are_for_rules_alone(tmp_path: Path) -> None:
    path = written(
        tmp_path, "    def interact(a, b, p):\n        b.leader = 0\n    def is_leader(a, p):\n        return coin()\n"
    )
    with pytest.raises(ProtocolError, match="for the rule `interact` alone") as caught:
        princeps.run(path, n=3, engine="reference", seed=1)
    assert caught.value.line == 10
    with pytest.raises(ProtocolError, match="outside of the rule") as caught:
        princeps.run(path, n=3, engine="agents", seed=1)
    assert caught.value.line == 10


@pytest.mark.parametrize(
    ("body", "tosses"),
    [
        ("        b.leader = coin()\n", True),
        ("        b.leader = model.draw(2)\n", True),
        ("        helper(b)\n\ndef helper(b):\n    b.leader = draw(2)\n", True),
        ("        b.leader = 0\n", False),
        ("        coin = 1\n        b.leader = coin\n", False),
    ],
)
def test_whether_a_rule_tosses_is_seen_from_its_code(tmp_path: Path, body: str, tosses: bool) -> None:
    path = written(tmp_path, f"    def interact(a, b, p):\n{body}", f"mine{abs(hash(body))}.py")
    assert princeps.protocol(path, n=3).tosses is tosses


def test_a_function_that_calls_itself_is_looked_at_once() -> None:
    def rule(k: int) -> int:
        return rule(k - 1) if k else coin()

    assert tosses_coins(rule)


@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        ("oracle = NobodyLeads", r"write oracle = NobodyLeads\(\)"),
        ("oracle = 3", r"oracle is 3: write oracle = NobodyLeads\(\)"),
        ("oracle = Oracle('nobody leads', nobody)", "give one that a rule can read"),
        ("oracle = Oracle('told', lambda c: 1)", r"the oracle takes \(c\) where \(c, p\) are given"),
        ("oracle, nobody_leads = NobodyLeads(), Param(default=1)", "rename the parameter"),
    ],
)
def test_wrong_oracles_are_refused(tmp_path: Path, declared: str, sentence: str) -> None:
    body = (
        f"    nobody = lambda c, p: c.leaders == 0\n    {declared}\n    def interact(a, b, p):\n        b.leader = 0\n"
    )
    path = written(tmp_path, body, f"wrong{abs(hash(declared))}.py")
    with pytest.raises((ProtocolError, ParameterError), match=sentence):
        princeps.protocol(path, n=3)


def test_only_the_rule_reads_the_oracle(tmp_path: Path) -> None:
    body = "    oracle = NobodyLeads()\n    def interact(a, b, p):\n        b.leader = 0\n    def is_leader(a, p):\n        return p.nobody_leads\n"
    for engine in ("reference", "agents"):
        with pytest.raises(ProtocolError, match="unknown parameter 'nobody_leads'"):
            princeps.run(written(tmp_path, body), n=3, engine=engine, seed=1)


def test_coins_and_oracles_are_part_of_the_identity(tmp_path: Path) -> None:
    def identities(body: str, name: str) -> tuple[str, Any]:
        run = make_run(written(tmp_path, body, name), 5)
        return identity(run), protocol_identity(run.protocol)

    rule = "    def interact(a, b, p):\n        b.leader = {}\n"
    plain, tossed, drawn = (
        identities(rule.format(text), f"a{k}.py") for k, text in enumerate(("1", "coin()", "draw(2)"))
    )
    told = identities("    oracle = NobodyLeads()\n" + rule.format("1"), "b.py")
    assert len({plain[0], tossed[0], drawn[0], told[0]}) == 4
    assert len({plain[1], tossed[1], drawn[1], told[1]}) == 4
    assert "oracle" not in content_of(make_run("fratricide", 5))  # the others keep theirs


def test_what_a_file_imports_is_here() -> None:
    assert isinstance(NobodyLeads(), Oracle)
    assert (princeps.coin, princeps.draw, princeps.NobodyLeads) == (coin, draw, NobodyLeads)
