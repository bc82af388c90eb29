"""Attacks of the page: as messages, and as what they do to a session."""

from __future__ import annotations

import json
from typing import Any

import pytest

import princeps
from princeps.engines.session import Session
from princeps.errors import PrincepsError
from princeps.model.description import describe
from princeps.web import attacks
from princeps.web.actions import Actions
from princeps.web.messages import MessageError, read_message
from princeps.web.state_table import StateTable
from princeps.web.watch import Watch

LARGE = (1 << 53) + 1  # a number that JavaScript would round


def watched(name: str, n: int, **given: Any) -> tuple[Watch, Any]:
    watch = Watch()
    watch.open(describe(name, n, seed=1, **given))

    def say(word: str, **arguments: Any) -> dict[str, Any]:
        message = read_message(json.dumps({"id": 1, "do": word, **arguments}))
        return json.loads(json.dumps(Actions(watch).perform(message.word, message.arguments)))  # type: ignore[no-any-return]

    return watch, say


def test_chosen_agents_are_corrupted() -> None:
    watch, say = watched("p_rl", 12, engine="agents")
    assert say("attack", kind="corrupt", agents=[3])["what"] == "corrupt agent 3"
    assert say("attack", kind="corrupt", agents=[7, "9"])["what"] == "corrupt 2 chosen agents"
    plain = princeps.session("p_rl", 12, seed=1, engine="agents").corrupt([3]).corrupt([7, 9])
    assert isinstance(watch.session, Session)
    assert watch.session.counts == plain.counts
    assert [event for _, event in watch.session.attacks] == [event for _, event in plain.attacks]
    for refused in ([], [1, 1], [12], "3", [-1]):
        with pytest.raises((MessageError, PrincepsError)):
            say("attack", kind="corrupt", agents=refused)
    assert len(watch.session.attacks) == 2


def test_numbers_that_javascript_would_round_are_texts() -> None:
    watch, say = watched("numbered", 4, engine="reference")
    session: Any = watch.session
    protocol = session.run.protocol
    field = next(name for name, size in protocol.fields.items() if size is None and name != protocol.input_field)
    say("attack", kind="set", agent=1, fields={field: str(LARGE)})
    assert session.state(1)[field] == LARGE
    assert say("card", agent=1)["fields"][field] == str(LARGE)
    table = StateTable(protocol)
    number = table.ids(session)[1]
    place = list(protocol.fields).index(field)
    assert table.entries()[number]["f"][place] == str(LARGE)
    say("attack", kind="set", agent=1, fields={field: 3})
    assert say("card", agent=1)["fields"][field] == 3
    with pytest.raises(MessageError):
        say("attack", kind="set", agent=1, fields={field: LARGE + 2})  # rounded before it was sent


@pytest.mark.medium
def test_everybody_may_be_hit_and_what_is_too_much_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    watch, say = watched("fratricide", 30_000, engine="agents")
    say("attack", kind="start", name="initial")
    assert watch.session.leaders == 30_000
    say("attack", kind="corrupt", count=30_000)
    plain = princeps.session("fratricide", 30_000, seed=1, engine="agents").corrupt(30_000)
    assert watch.session.leaders == plain.leaders < 30_000
    with pytest.raises(PrincepsError, match="more than there are"):
        say("attack", kind="corrupt", count=30_001)
    monkeypatch.setattr(attacks, "MAX_CHANGED", 100)
    with pytest.raises(PrincepsError, match="each is a line of the script"):
        say("attack", kind="start", name="initial")
