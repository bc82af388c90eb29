"""Scripts as codes: what they hold comes back, and whatever comes from somebody else is bounded and refused in a sentence."""

from __future__ import annotations

import base64
import random
import zlib

import pytest

import princeps
from princeps.errors import PrincepsError, RunError
from princeps.model.script import ForcedPair, Script
from princeps.model.script_codes import MAX_BYTES, PREFIX, code_of, is_code, read_code
from tests.conftest import Command
from tests.engines.test_session import seen, session


def coded(text: str) -> str:
    return PREFIX + base64.urlsafe_b64encode(zlib.compress(text.encode())).decode().rstrip("=")


def head(command: str) -> str:
    return f'{{"script": 1, "command": "{command}", "identity": null}}\n["steps", 3]\n'


def test_a_code_replays_to_the_same_state(princeps: Command) -> None:
    one = session("p_rl", 12, seed=4, engine="reference").step(200).corrupt(3).meet(3, 4).dead(5).step(100)
    code = code_of(one.script)
    assert is_code(code)
    assert read_code(code) == one.script
    import princeps as library

    again = library.replay(code)
    assert seen(again) == seen(one)
    done = princeps("run", "--script", code, "--json")
    assert f'"total_steps": {one.steps}' in done.stdout or f'"steps": {one.steps}' in done.stdout


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("princeps1.", "damaged"),
        ("princeps1.!!!!", "damaged"),
        ("princeps1.AAAA", "damaged"),
        (PREFIX + "A" * MAX_BYTES, "characters"),
        (coded("x" * (MAX_BYTES + 1)), "more than"),
        (coded("no json\n"), "the code:1"),
        (coded(head("princeps run ./evil.py:Evil -n 5")), "not in the library"),
        (coded(head("princeps run p_rl -n 5 --scheduler ./evil.py:Evil")), "would read a file"),
        (coded(head("princeps run p_rl -n 5 --scheduler weighted:/etc/passwd")), "would read a file"),
        (coded(head("princeps run p_rl -n 5 --start file:/etc/passwd")), "would read a file"),
        (coded(head("princeps run p_rl -n 5 --graph /etc/passwd")), "would read a file"),
        (coded(head("princeps run p_rl -n 5 --pairs /etc/passwd")), "would read a file"),
        (coded(head("princeps run a_k --ring /etc/passwd -p k=2")), "would read a file"),
        (coded(head("rm -rf /")), "not in the library|is no run"),
    ],
)
def test_what_is_wrong_with_a_code_is_said(code: str, sentence: str) -> None:
    with pytest.raises(PrincepsError, match=sentence):
        princeps.replay(code)


def test_damaged_codes_are_refused_and_nothing_else_happens() -> None:
    code = code_of(session("fratricide", 6, seed=4, engine="reference").step(20).corrupt(1).script)
    chance = random.Random(1)
    for _ in range(300):
        place = chance.randrange(len(PREFIX), len(code))
        damaged = code[:place] + chance.choice("Aa0-_=!é") + code[place + chance.randrange(3) :]
        if damaged != code:
            with pytest.raises(RunError):
                read_code(damaged)


def test_a_script_that_is_too_long_for_a_link_says_so() -> None:
    script = Script("princeps run fratricide -n 6", None, (ForcedPair(0, 1), ForcedPair(1, 2)) * 50_000)
    with pytest.raises(RunError, match="too many for a link"):
        code_of(script)
