"""`look = Look(...)` of a class: mistakes are told in one sentence, and it is no part of the identity."""

from __future__ import annotations

from typing import Any

import pytest

from princeps import Bit, Look, Mark, OneOf, PopulationProtocol, Range
from princeps.errors import ProtocolError
from princeps.model.class_content import class_identity


def declared(look: Any) -> type[PopulationProtocol]:
    given = look

    class Mine(PopulationProtocol):
        leader, bullet, mood = Bit(), Range(3), OneOf("CALM", "ANGRY")
        look = given

        @staticmethod
        def interact(a: Any, b: Any, p: Any) -> None:
            b.leader = 0

    return Mine


WRONG = [
    ("crown", "look is 'crown': write look = Look(...)."),
    (Look(marks="bullet"), "marks of the look is 'bullet': give a list of Mark(...)."),
    (Look(marks=["bullet"]), "marks of the look has 'bullet': write Mark(shape, label, when=...)."),  # type: ignore[list-item]
    (Look(marks=[Mark("bulet", "x", "leader")]), "the look has a mark of shape 'bulet': did you mean bullet?"),
    (Look(marks=[Mark("dot", " ", "leader")]), "a mark of the look has the label ' ': give a text that says what"),
    (
        Look(marks=[Mark("dot", "x", "leader", hue=12)]),
        "the mark 'x' of the look has hue 12: give 0..9, or leave it out.",
    ),
    (
        Look(marks=[Mark("dot", "x", "leder == 1")]),
        "the condition 'leder == 1': 'leder' is unknown, did you mean leader",
    ),
    (Look(marks=[Mark("dot", "x", "leader ==")]), "has the condition 'leader ==', which is not an expression"),
    (Look(marks=[Mark("dot", "x", 3)]), "the mark 'x' of the look has a condition that is 3, where a function"),
    (Look(marks=[Mark("dot", "x", lambda a, b, c: 1)]), "has a condition that takes (a, b, c) where (a, p) are given."),
    (
        Look(marks=[Mark("dot", "x", lambda a: a.bulet == 1)]),
        "the mark 'x' of the look reads the field 'bulet': did you",
    ),
    (Look(crown=lambda a: a.leads), "the crown of the look reads the field 'leads': did you mean leader?"),
    (Look(bar="distL"), "the look has bar = 'distL', which is no field: known: leader, bullet, mood."),
    (Look(color="moood"), "the look has color = 'moood', neither a field nor a predicate: did you mean mood?"),
    (Look(names={"bulet": ("a",)}), "names of the look has 'bulet', which is no field: did you mean bullet?"),
    (Look(names={"bullet": "abc"}), "names of the look gives 'bullet' 'abc': list a text for each of its values"),
    (Look(marks=[Mark("dot", "x", "leader")] * 13), "the look has 13 marks: give at most 12, which can be told apart."),
]


def test_mistakes() -> None:
    for look, sentence in WRONG:
        with pytest.raises(ProtocolError) as refused:
            declared(look)
        assert sentence in str(refused.value), look


def test_names_of_states_in_conditions() -> None:
    cls = declared(
        Look(marks=[Mark("spark", "angry", when="mood == ANGRY"), Mark("dot", "b", when=lambda a, p: a.bullet)])
    )
    assert cls.look is not None


def test_no_part_of_the_identity() -> None:
    looks = [None, Look(bar="bullet"), Look(color="mood", marks=[Mark("dot", "x", lambda a: a.bullet == 2)])]
    assert len({class_identity(declared(look)) for look in looks}) == 1
