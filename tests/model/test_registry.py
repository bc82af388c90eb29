"""Classes that were defined at a prompt: they run, but no other process and no command finds them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import ProtocolError, RunError

PROMPT = """
from princeps.model import Bit, PopulationProtocol


def initial(a, i, n, p):
    a.leader = 1


class Mine(PopulationProtocol):
    leader = Bit()
    starts = {"initial": initial}

    @staticmethod
    def interact(a, b, p):
        if a.leader and b.leader:
            b.leader = 0
"""


@pytest.fixture
def at_the_prompt() -> Any:
    namespace: dict[str, Any] = {"__name__": "at_the_prompt"}
    exec(compile(PROMPT, "<stdin>", "exec"), namespace)
    return namespace["Mine"]


def test_a_class_of_the_prompt_is_refused_where_it_would_have_to_be_found_again(
    at_the_prompt: Any, tmp_path: Path
) -> None:
    session = princeps.session(at_the_prompt, n=5, seed=1, engine="reference").step(4)
    lost = r"^<stdin>: the source of Mine cannot be read. Python keeps no text .*engine=.reference.; .*put the class into a file, or work in"
    with pytest.raises(ProtocolError, match=lost):
        princeps.trials(at_the_prompt, n=5, trials=2, jobs=2, engine="reference")
    with pytest.raises(ProtocolError, match=lost):
        princeps.sweep(at_the_prompt, n=5, trials=2, store=str(tmp_path / "s.db"), engine="reference")
    unreadable = r"^<stdin>: the source of \w+ cannot be read. Python keeps no text .*engine=.reference.; .*put the class into a file"
    with pytest.raises(ProtocolError, match=unreadable):
        princeps.run(at_the_prompt, n=5, engine="agents")
    with pytest.raises(ProtocolError, match=unreadable):
        princeps.exact(at_the_prompt, 3)
    session.save(str(tmp_path / "s"))
    with pytest.raises(RunError, match=r"the script keeps no text of Mine .*: give the class, .* protocol=Mine\)\.$"):
        princeps.replay(str(tmp_path / "s"))
    again = princeps.replay(str(tmp_path / "s"), protocol=at_the_prompt)
    assert again.leaders == session.leaders
