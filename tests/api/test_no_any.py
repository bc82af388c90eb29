"""No public attribute and no return type is Any: an editor knows what it shows."""

from __future__ import annotations

import ast

import princeps
from princeps.model.record import Record
from tests.api.public_types import Typed, names, reached

# What is Any for a reason; a line that is not needed any more fails the test, too.
JSON = ("as_json", "lines", "head")  # objects of JSON: their keys are documented, and a recursive type helps nobody
ALLOWED = {
    "princeps.model.fields.OfInputs.of": "a user's function of a user's object",
    "princeps.model.look.Condition": "a user's function, of which only the truth is asked",
    "princeps.model.parameters.Parametrised.ask": "what a user's function returns",
    "princeps.model.protocol.PopulationProtocol.table": "states in every form in which a table may name them",
    "princeps.model.rings.declarations.Guarded": "an action's guard, of which only the truth is asked",
    "princeps.model.rings.declarations.Local.values": "numbers, labels or words, as the variables are declared",
    "princeps.model.rings.declarations.Sent.values": "the same of a message",
    "princeps.model.rings.process.Process.__getattr__": "a variable of the rule that is being written",
    "princeps.model.rings.words.Word.first_of_LW_srp": "a letter: a label, or in the papers' checks a number",
    "princeps.model.frames.IntegerArray": "numpy's own parameter: how many bits",
    "princeps.engines.population.Population.snapshot": "an engine's own form, only for its restore",
    "princeps.analysis.torn.TornReport.schedule": "events of a script, in JSON",
}


def is_loose(one: Typed) -> bool:
    return one.type is None or "Any" in names(one.type)


def test_no_public_type_is_any() -> None:
    everything = reached()
    assert {"princeps.model.result.Result.record", "princeps.campaign.fit.Rival.misfit"} <= {
        one.name for one in everything.values()
    }, "the types are not followed"
    loose = {one.name for one in everything.values() if is_loose(one) and one.name.rpartition(".")[2] not in JSON}
    assert loose == set(ALLOWED)


def test_an_any_is_seen_wherever_it_stands() -> None:
    for text in ("Any", "dict[str, list[Any]]", "tuple[int, Any] | None", "'Any'"):
        assert is_loose(Typed("x", ast.parse(text, mode="eval").body)), text
    assert is_loose(Typed("x", None))
    assert not is_loose(Typed("x", ast.parse("dict[str, list[int]]", mode="eval").body))


def test_a_record_is_a_dictionary_that_knows_its_counts() -> None:
    found = princeps.run("fratricide", 8, seed=1, record=["leaders", "leader == 0"], engine="reference").record
    assert isinstance(found, Record)
    assert found.predicates == ["leaders", "leader == 0"]
    assert [a + b for a, b in zip(found["leaders"], found.counts("leader == 0"), strict=True)] == [8] * len(
        found["steps"]
    )
    assert [step / 8 for step in found["steps"]] == found["parallel_time"]
    assert {type(value) for value in found["steps"] + found["leaders"]} == {int}
    assert {type(value) for value in found["parallel_time"]} == {float}
    assert (
        dict(found)
        == found
        == princeps.run("fratricide", 8, seed=1, record=["leaders", "leader == 0"]).as_json()["record"]
    )
