"""Classes of agents by arrays and compiled loops, against the class of each agent's state asked one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import princeps
from princeps.engines.forms import Interned, Packed, columns
from princeps.engines.session import Session
from princeps.web.pixels import Pixels, from_nibbles
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
