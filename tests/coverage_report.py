"""Which lines of src/princeps the tests run: `make coverage`. Arguments are passed on to pytest.

Without arguments everything is run: quick and slow tests, then every claim of the papers (`make papers-quick`), which is
what executes most of `papers/`. Processes that are started on the way are measured as well. Compiled kernels run as machine code, which cannot be traced: files of
kernels are left out, and so is generated code.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
BOUND = 80  # per cent; files below it are listed
# These limit the size of files that a process may write, which the measurement's own files would meet first.
UNMEASURED = [
    "--deselect=tests/campaign/test_store_full.py::test_a_full_disk_is_told_and_nothing_is_lost",
    "--deselect=tests/lowering/test_cache.py::test_no_room_on_the_disk",
]
SETTINGS = """
[run]
source = princeps
parallel = true
patch = subprocess
data_file = {folder}/data
omit =
    */*_kernel.py
    */lowering/variates.py
    */lowering/hypergeometric.py
    */lowering/multiset*.py
    */lowering/wide.py
    */lowering/pointers.py
    */lowering/chance.py
[report]
ignore_errors = true
exclude_also =
    if TYPE_CHECKING:
    raise NotImplementedError
    raise AssertionError
    @(abc\\.)?abstractmethod
"""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "coverage.ini"
        settings.write_text(SETTINGS.format(folder=folder))
        coverage = [sys.executable, "-m", "coverage"]
        options = [f"--rcfile={settings}"]
        run = [*coverage, "run", *options, "-m"]
        chosen = sys.argv[1:] or ["-m", ""]  # an empty expression selects the slow tests as well
        codes = [subprocess.run([*run, "pytest", "--numprocesses=2", *UNMEASURED, *chosen], cwd=ROOT).returncode]
        if not sys.argv[1:]:
            store = Path(folder) / "papers.db"
            claims = ["princeps", "paper", "--all", "--quick", "--store", str(store)]
            codes.append(subprocess.run([*run, *claims], cwd=ROOT).returncode)
        subprocess.run([*coverage, "combine", "-q", *options], cwd=ROOT, check=True)
        found = subprocess.run([*coverage, "report", *options], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    rows = [line.split() for line in found.stdout.splitlines() if line.endswith("%")]
    low = [row for row in rows if row[0] != "TOTAL" and int(row[-1].rstrip("%")) < BOUND]
    for name, statements, missed, share in sorted(low, key=lambda row: int(row[-1].rstrip("%"))):
        print(f"{share:>5}  {name}  ({missed} of {statements} lines)")
    print(f"{len(low)} of {len(rows) - 1} files are below {BOUND} %; in all {rows[-1][-1]}")
    return max(codes)


if __name__ == "__main__":
    raise SystemExit(main())
