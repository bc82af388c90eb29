"""What a result says in JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import princeps as library


def test_steps_beyond_2_53_are_text_also_in_a_record() -> None:
    result = library.run("fratricide", n=5, seed=1, engine="reference", record=["leaders"])
    assert result.record is not None
    large = [2**53 - 1, 2**53, 2**53 + 1, 10**24]
    told = replace(result, steps=10**24, record={**result.record, "steps": large, "leaders": [5, 4, 2, 1]}).as_json()
    assert told["steps"] == "1" + "0" * 24
    assert told["record"]["steps"] == [2**53 - 1, 2**53, str(2**53 + 1), "1" + "0" * 24]
    assert told["record"]["leaders"] == [5, 4, 2, 1]
    assert json.loads(json.dumps(result.as_json()))["record"] == result.record
