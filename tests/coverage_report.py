"""Which lines of src/princeps the tests run: `make coverage`. What is below BOUND is printed; coverage-report.txt holds all.

Without arguments everything is run: quick and slow tests, then every claim of the papers with its page
(`make papers-quick` with --html), which is what executes most of `papers/`. That takes an hour or two. A part of it:

    make coverage ARGS='tests/papers -m ""'        arguments of pytest; -m "" selects the slow tests as well
    make coverage ARGS='--claims 003,001'          the claims of these papers
    make coverage ARGS='--add tests/model'         added to what the commands before this one measured
    make coverage ARGS='--report'                  what has been measured so far, also while it is being measured

Processes that are started on the way are measured as well, and workers save what they have done before they are ended
(tests/measured_workers.py). What cannot be measured is left out: compiled functions, which run as machine code, and the
*_kernel.py, which the cache loads under other names; and what asks Storm where the extra `storm` is not installed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
DATA = ROOT / ".coverage-data"
COMBINED = DATA / "combined"
TABLE = ROOT / "coverage-report.txt"
SOURCE = ROOT / "src" / "princeps"
BOUND = 80  # per cent; files below it are listed
# These limit the size of files that a process may write, which the measurement's own files would meet first.
UNMEASURED = [
    "--deselect=tests/campaign/test_store_full.py::test_a_full_disk_is_told_and_nothing_is_lost",
    "--deselect=tests/lowering/test_cache.py::test_no_room_on_the_disk",
]
MANY_PROCESSES = """parallel = true
patch = subprocess, _exit
"""
SETTINGS = f"""
[run]
source = princeps
{MANY_PROCESSES}data_file = {DATA}/data
omit =
    */*_kernel.py
    {"" if find_spec("stormpy") else "*/analysis/storm.py"}
disable_warnings = couldnt-parse
[report]
ignore_errors = true
exclude_also =
    if TYPE_CHECKING:
    raise NotImplementedError
    raise AssertionError
    @(abc\\.)?abstractmethod
    @(njit|inlined|compiled|intrinsic|cfunc)\\b
"""
COVERAGE = [sys.executable, "-m", "coverage"]
OPTIONS = [f"--rcfile={DATA}/coverage.ini"]
RUN = [*COVERAGE, "run", *OPTIONS, "-m"]


def main() -> int:
    parser = argparse.ArgumentParser(description="All other arguments are those of pytest.")
    parser.add_argument("--add", action="store_true", help="to what was measured before")
    parser.add_argument("--claims", help="of these papers instead of tests: 000,003 or all")
    parser.add_argument("--report", action="store_true", help="measure nothing, print what there is")
    chosen, tests = parser.parse_known_args()
    if chosen.report:
        if not any(DATA.glob("data.*")):
            parser.error("nothing has been measured yet: make coverage")
        combine()
        report()
        return 0
    whole = not tests and chosen.claims is None
    if not chosen.add:
        shutil.rmtree(DATA, ignore_errors=True)
    DATA.mkdir(exist_ok=True)
    (DATA / "coverage.ini").write_text(SETTINGS)
    codes = []
    if whole or tests:
        codes.append(run_tests(tests or ["-m", ""]))
    if whole or chosen.claims is not None:
        codes.append(run_claims("all" if whole else chosen.claims))
    combine()
    report()
    return max(codes)


def run_tests(words: list[str]) -> int:
    line = [*RUN, "pytest", "-p", "tests.measured_workers", "--numprocesses=2", *UNMEASURED, *words]
    return subprocess.run(line, cwd=ROOT).returncode


def run_claims(papers: str) -> int:
    which = ["--all"] if papers == "all" else papers.split(",")
    with tempfile.TemporaryDirectory() as folder:
        where = ["--store", f"{folder}/papers.db", "--html", f"{folder}/pages"]
        line = [*RUN, "tests.measured_workers", "paper", *which, "--quick", *where]
        return subprocess.run(line, cwd=ROOT).returncode


def combine() -> None:
    """All that the processes wrote, as one file.

    Some were killed while they wrote theirs, as tests do with workers, and `coverage combine` would stop there.
    """
    from coverage import CoverageData
    from coverage.numbits import numbits_to_nums

    lines: dict[str, set[int]] = {}
    unreadable = 0
    for part in DATA.glob("data.*"):
        try:
            with closing(sqlite3.connect(part.absolute().as_uri() + "?mode=ro", uri=True)) as database:
                query = "select path, numbits from line_bits join file on file.id = file_id"
                for path, bits in database.execute(query).fetchall():
                    if path is not None and Path(path).is_relative_to(SOURCE):
                        lines.setdefault(path, set()).update(numbits_to_nums(bits))
        except sqlite3.DatabaseError:
            unreadable += 1
    if unreadable:
        print(f"{unreadable} processes were ended while they wrote down what they had run: left out")
    COMBINED.unlink(missing_ok=True)
    combined = CoverageData(basename=str(COMBINED))
    combined.add_lines(lines)
    combined.write()


def report() -> None:
    """The lowest files on the screen; all of them, with the lines that were not run, in a file."""
    found, settings = DATA / "found.json", DATA / "report.ini"
    settings.write_text(SETTINGS.replace(MANY_PROCESSES, "").replace(f"{DATA}/data", str(COMBINED)))
    line = [*COVERAGE, "json", "-q", f"--rcfile={settings}", "-o", str(found)]
    subprocess.run(line, cwd=ROOT, check=True)
    files: dict[str, Any] = json.loads(found.read_text())["files"]
    ordered = sorted(files, key=lambda name: (files[name]["summary"]["percent_covered"], name))
    rows = [_row(name, files[name]) for name in ordered]
    low = [row for row, name in zip(rows, ordered, strict=True) if files[name]["summary"]["percent_covered"] < BOUND]
    statements, missed = (
        sum(one["summary"][key] for one in files.values()) for key in ("num_statements", "missing_lines")
    )
    share = 100 * (statements - missed) / statements
    total = f"{len(low)} of {len(rows)} files are below {BOUND} %; in all {share:.1f} % of {statements:,} lines"
    lines = [f"{row}: {_ranges(files[name]['missing_lines'])}" for row, name in zip(rows, ordered, strict=True)]
    TABLE.write_text("\n".join([total, *lines, ""]))
    print(*low, f"{total}: {TABLE.relative_to(ROOT)}", sep="\n")


def _row(name: str, measured: dict[str, Any]) -> str:
    summary = measured["summary"]
    return f"{summary['percent_covered']:5.1f} %  {name}  ({summary['missing_lines']} of {summary['num_statements']} lines)"


def _ranges(numbers: list[int]) -> str:
    """1, 2, 3, 7 as 1-3, 7."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return ", ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in found)


if __name__ == "__main__":
    raise SystemExit(main())
