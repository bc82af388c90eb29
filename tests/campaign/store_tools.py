"""What the tests of stores share: the sweep that they disturb, and how it refuses."""

from __future__ import annotations

from pathlib import Path

from tests.campaign.campaign_tools import (
    MAIN,
    REFERENCE,
    running,
)
from tests.conftest import Outcome

WORDS = ("sweep", "p_rl", "-n", "4,5", "--trials", 200, "--jobs", 2, *REFERENCE)


def swept(store: Path, *words: object, code: str = MAIN, nap: float = 0) -> Outcome:
    """The sweep of these tests, or another, in a process of its own; perhaps with something done before."""
    with running(*(words or WORDS), "--store", store, code=code, nap=nap) as process:
        out, err = process.communicate(timeout=120)
    return Outcome(process.returncode, out, err)


def refused(outcome: Outcome) -> str:
    """The one sentence, below the lines of progress."""
    assert outcome.code == 2, outcome.stderr
    assert "Traceback" not in outcome.stderr
    (sentence,) = (line for line in outcome.stderr.splitlines() if line.startswith("princeps: "))
    assert outcome.stderr.rstrip().endswith(sentence)
    return sentence
