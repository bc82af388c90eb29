"""What a result says in JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import princeps as library
from princeps.model.record import Record


def test_steps_beyond_2_53_are_text_also_in_a_record() -> None:
    result = library.run("fratricide", n=5, seed=1, engine="reference", record=["leaders"])
    assert result.record is not None
    large = [2**53 - 1, 2**53, 2**53 + 1, 10**24]
    told = replace(result, steps=10**24, record={**result.record, "steps": large, "leaders": [5, 4, 2, 1]}).as_json()
    assert told["steps"] == "1" + "0" * 24
    assert told["record"]["steps"] == [2**53 - 1, 2**53, str(2**53 + 1), "1" + "0" * 24]
    assert told["record"]["leaders"] == [5, 4, 2, 1]
    assert json.loads(json.dumps(result.as_json()))["record"] == result.record


def test_a_misspelt_attribute_says_what_there_is() -> None:
    result = library.run("fratricide", n=5, seed=1, engine="reference")
    with pytest.raises(AttributeError, match=r"^Result has no attribute 'step': did you mean steps\?$"):
        result.step  # noqa: B018
    with pytest.raises(AttributeError, match=r"^Result has no attribute 'qqqqqq'\.$"):
        result.qqqqqq  # noqa: B018
    assert (result.record, result.states, result.snapshots) == (None, None, None)


def test_trials_as_a_frame() -> None:
    found = library.trials("p_rl", 5, N=6, trials=3, seed=1, engine="reference")
    columns = found.columns()
    assert (columns["steps"], columns["N"], columns["trial"]) == ([one.steps for one in found], [6] * 3, [0, 1, 2])
    assert found.mean == sum(one.steps for one in found) / 3
    assert library.trials("p_rl", 5, N=6, trials=3, seed=1, engine="reference", max_steps=1).mean is None
    pandas = pytest.importorskip("pandas")
    assert list(found.to_pandas()["steps"]) == columns["steps"]
    assert isinstance(found.to_pandas(), pandas.DataFrame)
    pytest.importorskip("polars")
    assert found.to_polars()["steps"].to_list() == columns["steps"]
    rings = library.trials("a_k", labels="1,2,2", k=2, trials=2, seed=1, engine="reference")
    assert rings.mean == sum(rings.columns()["time"]) / 2


def test_a_part_of_the_trials_shows_its_statistics_too() -> None:
    found = library.trials("fratricide", 5, trials=4, seed=1, engine="reference")
    part = found[1:3]
    assert part == list(found)[1:3]
    assert "2 of 4 trials of seed 1" in repr(part)
    assert part.mean == (found[1].steps + found[2].steps) / 2
    assert found[-1].trial == 3
    assert repr(found[:0]) == "none of 4 trials"


def test_a_long_record_shows_how_it_begins() -> None:
    moments = 20_000
    long = Record(steps=list(range(moments)), leaders=[7] * moments)
    assert len(repr(long)) < 2000
    assert repr(long).startswith("<20,000 moments: {'steps': [0, 1")
    short = Record(steps=[0, 5], leaders=[2, 1])
    assert repr(short) == "{'steps': [0, 5], 'leaders': [2, 1]}"
