"""A mistake in a notebook shows the reader's own line and the sentence, and none of our lines."""

from __future__ import annotations

import subprocess
import sys

import pytest

import princeps
from princeps.errors import InternalError, PrincepsError

MISTAKE = """import princeps
def mine():
    return princeps.run("fratricid", 5)
mine()
"""


def test_only_lines_of_the_reader_are_shown() -> None:
    with pytest.raises(PrincepsError) as caught:
        princeps.run("fratricid", 5)
    *_, place, line, sentence = caught.value._render_traceback_()
    assert place.startswith(f"{__file__}:")
    assert line == '    princeps.run("fratricid", 5)'
    assert sentence == "UnknownProtocol: unknown protocol 'fratricid': did you mean fratricide?"


def test_a_fault_of_ours_is_shown_whole() -> None:
    with pytest.raises(InternalError) as caught:
        raise InternalError("oh.")
    assert caught.value._render_traceback_()[0].startswith("Traceback")


@pytest.mark.medium
def test_in_ipython() -> None:
    pytest.importorskip("IPython")
    line = [sys.executable, "-m", "IPython", "--quick", "--colors=NoColor", "-c", MISTAKE]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120)
    shown = [one for one in (done.stdout + done.stderr).splitlines() if one.strip()]
    assert shown == [
        "cell In[1], line 4",
        "    mine()",
        "cell In[1], line 3",
        '    return princeps.run("fratricid", 5)',
        "UnknownProtocol: unknown protocol 'fratricid': did you mean fratricide?",
    ]
