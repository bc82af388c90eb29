"""Where a worker looks for modules: where its supervisor does, but for Python's own and installed ones first.

Workers are started without the working directory on their path (`python -P`), so that a file `token.py` or `enum.py`
there does not take the place of Python's own. What the supervisor's path has besides is searched last: a protocol's file
may import its neighbours.
"""

from __future__ import annotations

import os
import sys

VARIABLE = "PRINCEPS_PATH"  # in the environment of a worker


def search_path() -> str:
    """The path of this process, for its workers; what is relative is meant from here."""
    return os.pathsep.join(os.path.abspath(entry) for entry in sys.path if isinstance(entry, str))


def extend_path() -> None:
    """In a worker, before anything of a user's is loaded."""
    given = os.environ.get(VARIABLE, "")
    sys.path += [entry for entry in given.split(os.pathsep) if entry and entry not in sys.path]
