"""Coins and oracles in compiled rules: what is refused, what is known of their values, and that others do not pay."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import princeps
from princeps.errors import ProtocolError
from princeps.lowering import callables
from princeps.lowering.field_code import render
from princeps.lowering.guards import Guards
from princeps.lowering.kernels import Kernels, kernels_of
from princeps.lowering.outcomes import outcomes_of
from princeps.model.protocol import PopulationProtocol
from tests.engines import choice_protocols

EXAMPLES = Path(__file__).parents[2] / "examples"
FILE = """from princeps.model import *

def twice(x):
    return x + x

class Mine(PopulationProtocol):
    k = Param(default=3)
    leader, level = Bit(), Range(4)
    starts = {{"initial": Blocks(lambda n, p: [(n, {{"leader": 1}})])}}
    def interact(a, b, p):
        {}
"""


def protocol_with(tmp_path: Path, line: str) -> PopulationProtocol:
    file = tmp_path / f"mine{abs(hash(line))}.py"
    file.write_text(FILE.format(line), encoding="utf-8")
    return princeps.protocol(str(file), n=5)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("a.leader = twice(coin())", r"give what is drawn a name first, like c = coin\(\)"),
        ("a.level = draw(0)", r"draw\(0\) has nothing to draw from"),
        ("a.level = draw()", r"draw\(k\) takes one number"),
        ("a.level = coin(2)", r"coin\(\) takes nothing"),
        ("a.level = draw(9) + 9", "outside the domain"),
        ("coin()", "cannot be compiled"),
    ],
)
def test_what_cannot_be_compiled_says_what_to_write(tmp_path: Path, line: str, sentence: str) -> None:
    with pytest.raises(ProtocolError, match=sentence) as caught:
        Kernels(protocol_with(tmp_path, line))
    assert caught.value.line == 11


def test_what_a_draw_can_show_is_known(tmp_path: Path) -> None:
    """No check where the value cannot leave the domain or 64 bits; one where it can."""

    def rule(line: str) -> str:
        writer = Kernels(protocol_with(tmp_path, line)).writer
        return render(writer.guarded_rule(writer.guards())[0], 0)

    assert "bad" not in rule("a.leader = coin()")
    assert "bad" not in rule("a.level = draw(3) + coin()")
    assert "bad = 1" in rule("a.level = draw(5)")
    assert "bad = 1" in rule("a.level = draw(p.k)")
    guards = Guards({}, (-8, 8))
    node = ast.parse("draw_choice(choices, 10) * 3", mode="eval").body
    assert guards.value(node, {})[1] == (0, 27)


def test_other_rules_have_the_same_text_as_ever() -> None:
    for name in ("p_rl", "p_ll", "fratricide"):
        writer = Kernels(princeps.protocol(name, n=8)).writer
        for source in (writer.advance(None)[0], callables.rule_source(writer)):
            assert not re.search(r"choice|oracle|coin", source)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        *(str(EXAMPLES / f"{name}.py") for name in ("dice", "lottery", "phoenix")),
        *(f"{choice_protocols.__file__}:{name}" for name in ("Tangle", "Told", "Lamps")),
    ],
)
def test_compiled_laws_are_those_of_python(name: str) -> None:
    """Every pair of states, every answer of the oracle: the same results with the same probabilities."""
    protocol = princeps.protocol(name, n=5)
    kernels, space = kernels_of(protocol), protocol.space
    states = list(product(*(range(size) for size in space.sizes if size is not None)))
    pairs = list(product(states, states))
    left, right = (kernels.pack([pair[side] for pair in pairs]).reshape(len(pairs), -1) for side in (0, 1))
    width = kernels.layout.words
    for told in protocol.oracle_values:
        found = outcomes_of(kernels, left, right, told)
        assert not len(found.failed)
        got: list[dict[object, Fraction]] = [{} for _ in pairs]
        for pair, after, weight in zip(found.pairs, found.after, found.weights, strict=True):
            both = tuple(kernels.layout.unpack(space.names, part.tolist()) for part in (after[:width], after[width:]))
            got[pair][both] = Fraction(int(weight), found.denominator)
        for (a, b), law in zip(pairs, got, strict=True):
            assert law == {both: probability for probability, both, _ in protocol.branches(a, b, told)}


@pytest.mark.slow
def test_a_draw_that_fails_and_too_many_draws(tmp_path: Path) -> None:
    failing = kernels_of(protocol_with(tmp_path, "a.level = draw(a.level)"))
    words = np.array([[0], [2]], np.int64) << failing.layout.bit_fields["level"].shift
    found = outcomes_of(failing, words, words, 0)
    assert found.failed.tolist() == [0]
    assert set(found.pairs.tolist()) == {1}
    many = kernels_of(protocol_with(tmp_path, "a.level = draw(100000) % 4"))
    with pytest.raises(ProtocolError, match="more than 65,536 ways"):
        outcomes_of(many, words, words, 0)


def test_counts_with_a_rule_that_fails_for_every_pair_says_why(tmp_path: Path) -> None:
    """No pair has an outcome, so that there is no state to be numbered."""
    file = tmp_path / "fails.py"
    file.write_text(FILE.format("a.level = draw(a.level)"))
    with pytest.raises(ProtocolError, match=r"fails\.py:11: draw\(0\) has nothing to draw from"):
        princeps.run(str(file), 10, until="leaders==2", engine="counts", seed=1)
