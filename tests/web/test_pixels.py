"""Classes of agents by arrays and compiled loops, against the class of each agent's state asked one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import princeps
from princeps.engines.forms import Interned, Packed, columns
from princeps.engines.session import Session
from princeps.web.frames import Frames, decode
from princeps.web.pixels import Pixels, from_nibbles
from princeps.web.sole_field import sole_field
from princeps.web.state_table import StateTable


def opened(packed: bool, n: int = 501) -> Session:
    """Some way into a run of p_ll, whose agents are in many states; an odd number of them."""
    made = princeps.session("p_ll", n, seed=2, engine="agents")
    assert isinstance(made, Session)
    made.step(20_000)
    form: Any = made.population.form  # type: ignore[attr-defined]
    assert isinstance(form, Interned)
    if packed:
        made.population.form = made.population.switch.pack(form, made.steps)  # type: ignore[attr-defined]
    return made


@pytest.mark.medium
@pytest.mark.parametrize("packed", [False, True])
def test_classes_are_those_of_single_states(packed: bool) -> None:
    session = opened(packed)
    table = StateTable(session.run.protocol)
    pixels, plain = Pixels(table), StateTable(session.run.protocol)
    choices = table.look.choices
    assert {choice.by for choice in choices} == {"field", "predicate"}
    for choice in choices:
        wanted = [plain._class_of(choice, session.population.state(agent)) for agent in range(session.n)]
        assert pixels.classes(session, choice.name).tolist() == wanted
        assert from_nibbles(pixels.packed(session, choice.name), session.n).tolist() == wanted


def test_packed_agents_keep_the_numbers_of_their_states_also_where_no_state_is_new() -> None:
    session = opened(packed=True)
    form: Any = session.population.form  # type: ignore[attr-defined]
    assert isinstance(form, Packed)
    table = StateTable(session.run.protocol)
    first = table.ids(session)
    again = table.ids(session)  # no state is new
    assert first.tolist() == again.tolist()
    assert [table.states[number] for number in first] == [session.population.state(k) for k in range(session.n)]
    none = columns(form.kernels, form.agents.reshape(session.n, -1)[:0])
    assert {name: len(values) for name, values in none.items()} == dict.fromkeys(none, 0)
    assert np.array_equal(Pixels(table).classes(session, None), table.classes(None)[first])


@pytest.mark.parametrize(
    ("predicate", "found"),
    [
        (lambda a, p: a.leader == 1, ("leader", [False, True])),
        (lambda a, p: a.status == 2 or a.status == 0, ("status", [True, False, True])),
        (lambda a, p: a.status == 2 and a.leader == 1, None),
        (lambda a, p: a.leader == 1 or a.epoch == 2, None),
        (lambda a, p: 1, None),
        (lambda a, p: 1 // a.leader, None),
        (lambda a, p: a.nothing == 1, None),
    ],
    ids=["one field", "twice", "two", "two, of one value", "none", "fails", "unknown"],
)
def test_the_one_field_that_a_predicate_reads(predicate: Any, found: Any) -> None:
    session = princeps.session("p_ll", 10, engine="reference")
    assert isinstance(session, Session)
    assert sole_field(session.run.protocol, predicate) == found


@pytest.mark.parametrize(("n", "kind"), [(500, "agents"), (501, "pixels")])
def test_agents_that_are_not_drawn_one_by_one_are_sent_as_pixels(n: int, kind: str) -> None:
    """Their states would have to be told one by one: at full speed thousands of new ones a second."""
    session = princeps.session("p_ll", n, seed=2, engine="agents")
    assert isinstance(session, Session)
    session.step(2000)
    frame = Frames(session, 0).make(session, 0, 0, choice="status", known=0, table=0, steadily=False)
    header, payload = decode(frame)
    assert header["kind"] == kind
    if kind == "pixels":
        place = session.run.protocol.space.names.index("status")
        status = [session.population.state(agent)[place] for agent in range(n)]
        assert from_nibbles(payload, n).tolist() == status


def test_other_graphs_of_many_agents_are_drawn_one_by_one() -> None:
    session = princeps.session("fratricide", 900, graph="torus:30x30", engine="agents", force=True)
    assert isinstance(session, Session)
    header, _ = decode(Frames(session, 0).make(session, 0, 0, choice=None, known=0, table=0, steadily=False))
    assert header["kind"] == "agents"
