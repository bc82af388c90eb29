"""Every state of every protocol can be drawn, and who leads wears the crown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.model import registry
from princeps.model.look import SHAPES
from princeps.model.protocol import PopulationProtocol
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.web.about import about
from princeps.web.ring_frame import ring_frame
from princeps.web.state_table import MAX_CLASSES, StateTable

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = [str(path) for path in sorted(EXAMPLES.glob("*.py")) if path.name != "mine_claims.py"]
EVERYTHING = [*princeps.library(), *FILES]
MAX_STATES = 300  # of one protocol, evenly spread
LABELS = {"itai_rodeh": {"n": 5}, "a_k": {"labels": "1,2,2,3"}, "b_k": {"labels": "1,2,2,3"}}


def populations() -> list[PopulationProtocol]:
    found = [registry.find_any(name) for name in EVERYTHING]
    made = [cls(6) for cls in found if issubclass(cls, PopulationProtocol)]
    return [one.with_inputs([3, 1, 4, 5, 9, 6]) if one.input_field is not None else one for one in made]


def states_of(protocol: PopulationProtocol) -> list[tuple[int, ...]]:
    """Of the legal ones, evenly spread; inputs have some value, too."""
    count = protocol.space.random_count
    numbers = range(0, count, max(1, count // MAX_STATES))
    found = [protocol.space.numbered_state(number) for number in numbers]
    if protocol.input_field is None:
        return found
    place = protocol.space.names.index(protocol.input_field)
    return [(*state[:place], own, *state[place + 1 :]) for state in found for own in (3, 6, 9)]


def test_every_state_is_drawn() -> None:
    seen = 0
    for protocol in populations():
        table, said = StateTable(protocol), type(protocol)
        for state in states_of(protocol):
            table.number_of(state)
        marks = table.look.as_json["marks"]
        assert all(mark["shape"] in SHAPES and 0 <= mark["hue"] <= 9 for mark in marks), said
        for state, drawn in zip(table.states, table.entries(), strict=True):
            assert drawn["f"] == list(state)
            assert all(name in drawn["t"] for name in protocol.fields)
            assert drawn["crown"] == drawn["leader"] == int(protocol.leads(state)), (said, state)
            assert all(0 <= number < len(marks) for number in drawn["marks"])
            assert drawn["bar"] is None or 0 <= drawn["bar"] <= 1
            assert len(drawn["p"]) == len(said.all_predicates())
            seen += 1
        for choice in table.look.choices:
            labels = [one["label"] for one in table.class_labels(choice.name)]
            assert len(labels) <= MAX_CLASSES
            assert len(set(labels)) == len(labels)
            assert max(table.classes(choice.name)) < len(labels), (said, choice)
    assert seen > 1500


def test_library_declares_looks() -> None:
    for name in princeps.library():
        look = registry.find_any(name).look
        assert look is not None, name
    tables = [StateTable(protocol) for protocol in populations() if protocol.name in princeps.library()]
    for table in tables:  # no mark that is never seen, and none that everybody has
        for state in states_of(table.protocol):
            table.number_of(state)
        entries = table.entries()
        for number in range(len(table.look.marks)):
            having = sum(number in drawn["marks"] for drawn in entries)
            assert 0 < having < len(entries), (table.protocol.name, table.look.marks[number].label)


@pytest.mark.parametrize("name", princeps.library("ring"))
def test_every_step_of_a_ring_is_drawn(name: str) -> None:
    session: Any = princeps.session(name, **LABELS.get(name, {"labels": "3,1,4,2,5"}), seed=2)
    cls: type[RingAlgorithm] = type(session.run.algorithm)
    marks = about(session)["look"]["marks"]
    shown: set[int] = set()
    while not session.over:
        session.step(1)
        frame = ring_frame(session)
        assert sum(process["crown"] for process in frame["processes"]) == session.leaders
        assert all(process["bar"] is None or 0 <= process["bar"] <= 1 for process in frame["processes"])
        assert set(frame["processes"][0]["values"]) == set(cls.variables_)
        shown |= {number for process in frame["processes"] for number in process["marks"]}
    assert shown == set(range(len(marks)))


def test_derived_look() -> None:
    class Plain(PopulationProtocol):
        leader, mood, hot, age = princeps.Bit(), princeps.OneOf("CALM", "ANGRY"), princeps.Bit(), princeps.Range(20)

        @staticmethod
        def interact(a: Any, b: Any, p: Any) -> None:
            b.leader = 0

    look = StateTable(Plain(5)).look
    assert [mark.label for mark in look.marks] == ["mood = ANGRY", "hot"]
    assert (look.bar, look.color) == ("age", "mood")
    assert look.marks_of((1, 1, 0, 7)) == [0]
    assert look.text_of((1, 1, 0, 7)) == "leader=1 mood=ANGRY hot=0 age=7"
    assert look.bar_of((1, 1, 0, 19)) == 1.0
    assert look.crown((1, 0, 0, 0))
    assert not look.crown((0, 1, 1, 0))
