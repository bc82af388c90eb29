"""Writes what this version gives for every case: `python tests/golden/record.py`, from the project's folder.

The table that is committed was written by version 0.1.0 and is never written again: another version must agree with it.
So the files are named by the version, and only 0.1.0 writes over the committed ones. `--only TEXT` tries the cases whose
id contains a text, prints them, and writes nothing.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))  # called as a script, not as a module

import princeps
from tests.golden.calls import HERE, perform, write_table
from tests.golden.cases import cases
from tests.golden.plan_rows import plan_rows
from tests.golden.store import write_store


def recorded(case: dict[str, Any]) -> dict[str, Any]:
    """The case with its result; how long it took goes to stderr."""
    began = time.process_time()
    found = {**case, "result": perform(case["call"])}
    print(f"{time.process_time() - began:7.3f} s  {case['id']}", file=sys.stderr)
    return found


def main() -> None:
    if sys.argv[1:2] == ["--only"]:
        for case in cases():
            if sys.argv[2] in case["id"]:
                print(json.dumps(recorded(case)))
        return
    lines = [recorded(case) for case in cases()] + plan_rows()
    write_table(HERE / f"recorded-{princeps.__version__}.jsonl", lines)
    write_store(princeps.__version__)


if __name__ == "__main__":
    main()
