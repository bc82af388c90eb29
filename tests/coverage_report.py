"""Which lines of src/princeps the tests run: `make coverage`. Arguments are passed on to pytest.

Processes that tests start are measured as well. Compiled kernels run as machine code, which cannot be traced: files of
kernels are left out, and so is generated code.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
BOUND = 80  # per cent; files below it are listed
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
        tests = subprocess.run(
            [
                *coverage,
                "run",
                *options,
                "-m",
                "pytest",
                "-q",
                "--numprocesses",
                "auto",
                "--maxprocesses",
                "2",
                *sys.argv[1:],
            ],
            cwd=ROOT,
        )
        subprocess.run([*coverage, "combine", "-q", *options], cwd=ROOT, check=True)
        found = subprocess.run([*coverage, "report", *options], cwd=ROOT, capture_output=True, text=True, check=True)
    rows = [line.split() for line in found.stdout.splitlines() if line.endswith("%")]
    low = [row for row in rows if row[0] != "TOTAL" and int(row[-1].rstrip("%")) < BOUND]
    for name, statements, missed, share in sorted(low, key=lambda row: int(row[-1].rstrip("%"))):
        print(f"{share:>5}  {name}  ({missed} of {statements} lines)")
    print(f"{len(low)} of {len(rows) - 1} files are below {BOUND} %; in all {rows[-1][-1]}")
    return tests.returncode


if __name__ == "__main__":
    raise SystemExit(main())
