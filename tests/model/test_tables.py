"""Transition tables: the rule that is made of one does what the table says, and bad tables are refused with their line."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import princeps
from princeps.campaign.identity import identity
from princeps.errors import ProtocolError, RunError
from princeps.model.carried import carry
from princeps.model.class_content import class_identity
from princeps.model.protocol import Blocks, PopulationProtocol
from princeps.model.reading import make_run
from princeps.model.registry import find_any
from tests.notebook_tools import Notebook

Table = dict[Any, Any]


def protocol_of(table: Table, symmetric: bool = False, **more: Any) -> Any:
    more = {"table": table, "leaders": (), **({"symmetric": True} if symmetric else {}), **more}
    return type("Mine", (PopulationProtocol,), more)


def outcomes(cls: Any, a: str, b: str) -> dict[tuple[str, str], Fraction]:
    found = princeps.protocol(cls).outcomes(a, b)
    return {(str(one["state"]), str(other["state"])): weight for weight, one, other in found}


def random_table(rng: Random, states: list[str]) -> Table:
    table: Table = {}
    for pair in [(x, y) for x in states for y in states]:
        results = [(rng.choice(states), rng.choice(states)) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
        if len(set(results)) == 1:
            table[pair] = results[0]
        elif results:
            shares = {result: rng.randrange(1, 5) for result in results}
            table[pair] = {result: f"{share}/{sum(shares.values())}" for result, share in shares.items()}
    return table


@pytest.mark.parametrize("seed", range(6))
def test_the_rule_does_what_the_table_says(seed: int) -> None:
    rng = Random(seed)
    states = [f"s{k}" for k in range(rng.choice((2, 3, 12)))]
    table = {**random_table(rng, states), (states[0], states[0]): (states[0], states[-1])}
    cls = protocol_of(table)
    known = cls.fields_["state"].names
    for x in known:
        for y in known:
            said = table.get((x, y), (x, y))
            law = (
                {pair: Fraction(weight) for pair, weight in said.items()}
                if isinstance(said, dict)
                else {said: Fraction(1)}
            )
            assert outcomes(cls, x, y) == law


def test_symmetric_tables_mean_every_entry_in_both_orders() -> None:
    third = Fraction(1, 3)
    cls = protocol_of({("A", "B"): {("A", "A"): third, ("B", "A"): 2 * third}, ("A", "A"): ("A", "B")}, symmetric=True)
    assert outcomes(cls, "B", "A") == {("A", "A"): third, ("A", "B"): 2 * third}
    assert outcomes(cls, "A", "A") == {("A", "B"): 1}  # of two agents alike, no other entry is meant
    assert outcomes(cls, "B", "B") == {("B", "B"): 1}
    agreeing = {("A", "B"): ("A", "A"), ("B", "A"): ("A", "A")}
    assert class_identity(protocol_of(agreeing)) == class_identity(
        protocol_of({("A", "B"): ("A", "A")}, symmetric=True)
    )


def test_identity_is_that_of_the_meaning() -> None:
    entries: list[tuple[Any, Any]] = [
        (("L", "L"), {("L", "F"): "1/2", ("F", "L"): Fraction(1, 2)}),
        (("F", "L"), ("F", "F")),
        (("F", "F"), ("F", "F")),  # changes nothing
    ]
    starts = {"initial": "L"}
    points = [
        identity(make_run(protocol_of(dict(order), leaders="L", starts=starts), 5))
        for order in (entries, entries[::-1], entries[:2])
    ]
    assert len(set(points)) == 1
    other = protocol_of({**dict(entries), ("F", "L"): ("L", "F")}, leaders="L", starts=starts)
    assert identity(make_run(other, 5)) != points[0]


def test_a_declared_field_orders_the_states() -> None:
    role = princeps.OneOf("L", "F", "never seen")
    cls = protocol_of({("L", role.L): ("L", "F")}, role=role, leaders="L", starts={"initial": "L"})
    p = princeps.protocol(cls)
    assert p.fields == {"role": 3}
    assert p.delta("L", "L") == ({"role": 0}, {"role": 1})
    assert [p.output(state) for state in ("L", "F")] == ["L", "F"]


def test_starts_and_predicates_by_names() -> None:
    starts = {"all": "A", "mixed": Blocks(lambda n, p: {"A": 1, "B": n - 1}), "listed": Blocks(lambda n, p: [(n, "B")])}
    more = {"starts": starts, "predicates": {"b": "B", "any": ("A", "B")}, "leaders": "A"}
    cls = protocol_of({("A", "B"): ("A", "A")}, **more)
    counted = {
        name: princeps.session(cls, n=5, start=name, until="leader", engine="reference").census for name in starts
    }
    assert counted["all"] == {"leaders": 5, "b": 0, "any": 5}
    assert counted["mixed"] == {"leaders": 1, "b": 4, "any": 5}
    assert counted["listed"] == {"leaders": 0, "b": 5, "any": 5}
    wrong = protocol_of({("A", "B"): ("A", "A")}, starts={"x": Blocks(lambda n, p: {"C": n})})
    with pytest.raises(ProtocolError, match="start 'x': 'C' is no state: the states are A, B"):
        princeps.session(wrong, n=5, start="x", engine="reference")


def test_states_may_be_integers() -> None:
    starts = {"initial": 0, "mixed": Blocks(lambda n, p: {0: 1, 1: n - 1}), "listed": Blocks(lambda n, p: [(n, 1)])}
    more: dict[str, Any] = {"starts": starts, "predicates": {"one": 1, "any": (0, 1)}, "leaders": 0}
    for declared in ({}, {"state": princeps.Range(2)}):
        cls = protocol_of({(0, 0): (0, 1)}, **more, **declared)
        assert princeps.protocol(cls).fields == {"state": 2}
        assert princeps.protocol(cls).delta({"state": 0}, {"state": 0}) == ({"state": 0}, {"state": 1})
        counted = [princeps.session(cls, n=5, start=name, engine="reference").census for name in starts]
        assert [found["leaders"] for found in counted] == [5, 1, 0]
        assert [(found["one"], found["any"]) for found in counted] == [(0, 5), (4, 5), (5, 5)]
    named = protocol_of({("L", "L"): ("L", "F")}, leaders="L", starts={"initial": "L"})
    numbered = protocol_of({(1, 1): (1, 0)}, leaders=1, starts={"initial": 1})
    steps = [princeps.run(cls, 5, seed=1, engine="reference").steps for cls in (named, numbered)]
    assert steps[0] == steps[1]


@pytest.mark.parametrize(
    ("table", "more", "says"),
    [
        ({(1, 1): (1, 2)}, {}, "the table has the states 1, 2: number them 0, 1, 2, ... without gaps"),
        ({(0.5, 0): (0.5, 0.5)}, {}, r"the entry of \(0.5, 0\) has the state 0.5: the states are 0\."),
        ({(None, None): (None, None)}, {}, "table is {.*}: write {"),
        ({(0, 0): (0, 3)}, {"state": princeps.Range(3)}, "has the state 3: the states are 0, 1, 2"),
        ({(0, 0): (0, 1)}, {"leaders": 2}, "leaders names the state 2: no field has named values"),
    ],
)
def test_integers_that_are_no_states(table: Table, more: dict[str, Any], says: str) -> None:
    with pytest.raises(ProtocolError, match=says):
        protocol_of(table, **more)


def test_a_notebook_and_its_gathered_class(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = Notebook(monkeypatch)
    notebook.cell("from fractions import Fraction\nHALF = Fraction(1, 2)")
    notebook.cell(
        'class Mine(PopulationProtocol):\n    table = {("L", "L"): {("L", "F"): HALF, ("F", "L"): HALF}}\n'
        '    leaders = "L"\n    starts = {"initial": "L"}\n    predicates = {"f": "F"}\n'
        '    goals = {"most": lambda c, p: c.f >= 3}\n'
    )
    twin = carry(notebook["Mine"]).load()
    assert class_identity(twin) == class_identity(notebook["Mine"])
    runs = [princeps.run(cls, 5, seed=1, until="most", engine="reference") for cls in (twin, notebook["Mine"])]
    assert runs[0].steps == runs[1].steps


def test_a_table_cannot_be_changed_later() -> None:
    cls = protocol_of({("A", "B"): ("A", "A")})
    with pytest.raises(TypeError, match="does not support item assignment"):
        cls.table["A", "A"] = ("B", "B")


# -- refusals -------------------------------------------------------------------------------------------------------

FILE = """from fractions import Fraction
from princeps.model import *

class Mine(PopulationProtocol):
    table = {
        ("L", "L"): ("L", "F"),
        ENTRY,
    }
    MORE
"""
LEADS = 'leaders = "L"'
REFUSED = {
    "no pair": ('("L",): ("L", "F")', LEADS, 7, r"the entry of \('L',\) has \('L',\) where two states belong"),
    "a text": ('"LF": ("L", "F")', LEADS, 7, "the entry of 'LF' has 'LF' where two states belong"),
    "one state": ('("L", "F"): "L"', LEADS, 7, r"the entry of \('L', 'F'\) has 'L' where two states belong"),
    "an unknown state": ('("L", "X"): ("L", "F")', f'{LEADS}\n    s = OneOf("L", "F")', 7, "has the state 'X': the states are L, F"),
    "a number": ('("L", 3): ("L", "F")', LEADS, 7, "has the state 3: the states are F, L"),
    "weights": ('("L", "F"): {("L", "L"): "1/2", ("F", "L"): Fraction(1, 3)}', LEADS, 7, "weights that add to 5/6: they must add to 1"),
    "a float": ('("L", "F"): {("L", "L"): 0.5, ("F", "L"): 0.5}', LEADS, 7, 'has the weight 0.5: write Fraction.1, 2., or "1/2".'),
    "a rounded third": ('("L", "F"): {("L", "L"): 0.3333, ("F", "L"): 0.6667}', LEADS, 7, 'has the weight 0.3333: write Fraction.1, 3., or "1/3".'),
    "a negative weight": ('("L", "F"): {("L", "L"): -1, ("F", "L"): 2}', LEADS, 7, "has the weight -1: weights are positive, leave the result out."),
    "a negative text": ('("L", "F"): {("L", "L"): "-1", ("F", "L"): 2}', LEADS, 7, "has the weight '-1': weights are positive"),
    "a tiny weight": ('("L", "F"): {("L", "L"): Fraction(1, 2**40), ("F", "L"): 1 - Fraction(1, 2**40)}', LEADS, 7, "has the weight Fraction"),
    "nothing to divide by": ('("L", "F"): {("L", "L"): "1/0", ("F", "L"): 1}', LEADS, 7, "has the weight '1/0'"),
    "a huge number": ('("L", "F"): {("L", "L"): "1e999999999"}', LEADS, 7, "has the weight '1e999999999'"),
    "no number": ('("L", "F"): {("L", "L"): "half", ("F", "L"): "1/2"}', LEADS, 7, "has the weight 'half'"),
    "a contradiction": (
        '("L", "F"): ("L", "L"),\n        ("F", "L"): ("F", "F")', f"{LEADS}\n    symmetric = True", 7,
        r"the entry of \('L', 'F'\) and the entry of \('F', 'L'\) contradict each other"),
    "the same pair by number": ('(1, 1): ("L", "F")', f'{LEADS}\n    s = OneOf("F", "L")', 7, "names a pair that .* names as well"),
    "two fields": ('("F", "L"): ("L", "F")', f"{LEADS}\n    x = Bit()\n    y = Bit()", 5, "the table says what becomes of one field"),
    "a rule, too": ('("F", "L"): ("L", "F")', f"{LEADS}\n    def interact(a, b, p): pass", 5, "Mine has a table and a rule"),
    "nobody leads": ('("F", "L"): ("L", "F")', "", 4, "define is_leader.*, or name the states that lead, one of F, L: leaders = "),
    "a word": ('("F", "L"): ("L", "F")', f"{LEADS}\n    symmetric = 'yes'", 10, "symmetric is 'yes': it must be True or False"),
}  # fmt: skip


@pytest.mark.parametrize(("entry", "more", "line", "says"), REFUSED.values(), ids=REFUSED)
def test_bad_tables(entry: str, more: str, line: int, says: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FILE.replace("ENTRY", entry).replace("MORE", more))
    with pytest.raises(ProtocolError, match=f"mine.py:{line}: .*{says}"):
        find_any(f"{file}:Mine")


@pytest.mark.parametrize("given", ["{}", "5", "[1]"])
def test_what_is_no_table(given: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        f"from princeps.model import *\nclass Mine(PopulationProtocol):\n    table = {given}\n    leaders = 'L'\n"
    )
    with pytest.raises(ProtocolError, match=r"mine.py:3: table is .*: write \{\(\"L\", \"L\"\): "):
        find_any(f"{file}:Mine")


class TestNumbersOfStates:
    """What takes the name of a state takes its number; a condition has neither."""

    DUEL = {"table": {(1, 1): (1, 0)}, "leaders": 1, "starts": {"initial": 1}}

    def test_an_interaction_of_two_numbers(self) -> None:
        duel = princeps.protocol(protocol_of(**self.DUEL))
        assert duel.delta(1, 1) == duel.delta({"state": 1}, {"state": 1}) == ({"state": 1}, {"state": 0})
        assert duel.outcomes(1, 0) == [(1, {"state": 1}, {"state": 0})]
        assert duel.output(1) == "L"

    @pytest.mark.parametrize("asked", [{"until": "count(1) == 2"}, {"record": ["1"]}])
    def test_a_number_is_no_condition(self, asked: dict[str, Any]) -> None:
        """It would hold for everybody, or for nobody."""
        with pytest.raises(RunError, match=r"`1` is a number, not a condition on an agent: write state == 1\.$"):
            princeps.run(protocol_of(**self.DUEL), n=5, seed=1, engine="reference", **asked)
