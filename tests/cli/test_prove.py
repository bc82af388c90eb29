"""princeps prove on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Command

pytest.importorskip("z3")
pytest.importorskip("cvc5")
KEYS = {"id", "statement", "verdict", "assumptions", "counterexample", "seconds"}
FIGHT = """from princeps import *

class Fight(PopulationProtocol):
    leader = Bit()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}
    invariants = {"two": lambda c, p: c.leaders >= 2}
    facts = {"safe": StaysElected("one leader leads for ever", "leader")}
    def interact(a, b, p):
        if a.leader == 1 and b.leader == 1:
            b.leader = 0
"""


@pytest.mark.medium
def test_one_object_a_lemma(quick: Command) -> None:
    outcome = quick("prove", "fratricide", "--json")
    assert (outcome.code, outcome.stderr) == (0, "")
    found = [json.loads(line) for line in outcome.stdout.splitlines()]
    assert [(one["id"], one["verdict"]) for one in found] == [
        (name, "proved for every n") for name in ("groups", "kept", "safe")
    ]
    assert all(set(one) >= KEYS for one in found)


@pytest.mark.medium
def test_a_refuted_lemma_is_code_1_and_shows_its_command(quick: Command, tmp_path: Path) -> None:
    path = tmp_path / "fight.py"
    path.write_text(FIGHT)
    outcome = quick("prove", f"{path}:Fight")
    assert outcome.code == 1
    assert "proved for every n  safe: one leader leads for ever" in outcome.stdout
    assert "refuted  two" in outcome.stdout
    assert "--start 'states:1;1' --pairs list:0-1" in outcome.stdout


def test_what_is_not_had_this_way_is_not_proved(quick: Command) -> None:
    outcome = quick("prove", "silent_ranking", "reached")
    assert outcome.code == 1
    assert "not proved  reached" in outcome.stdout


def test_bad_input_is_one_sentence(quick: Command) -> None:
    for words, said in ((("p_ll", "L99"), "unknown lemma 'L99'"), (("a_k",), "is a ring algorithm")):
        outcome = quick("prove", *words)
        assert outcome.code == 2
        assert said in outcome.stderr
        assert outcome.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["--help"], ["list"], ["prove", "--help"], ["paper", "--help"]], ids=" ".join)
def test_no_solver_is_loaded_before_it_is_needed(words: list[str]) -> None:
    probe = (
        "import sys\n"
        f"sys.argv = ['princeps', *{words!r}]\n"
        "from princeps.cli import main\n"
        "try:\n    main()\nexcept SystemExit as left:\n    assert not left.code\n"
        "print(sorted({'z3', 'cvc5', 'scipy', 'numba'} & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=120)
    assert done.stderr == "[]\n"
