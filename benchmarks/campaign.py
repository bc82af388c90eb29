"""What a campaign costs beside its trials: ratios within one run, and the sizes of what it holds.

`--write` keeps the table in docs/campaign-speed.md. `--parts` chooses among loop, short, rows, memory.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np

import princeps
from princeps import __version__
from princeps.campaign.plan import distinct, grid
from princeps.campaign.rows import Row
from princeps.campaign.store import open_store, read_store

DOCS = Path(__file__).resolve().parent.parent / "docs"
JOBS = 2
Line = tuple[str, str, str]  # what, measured, bar


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--parts", default="loop,short,rows,memory")
    parser.add_argument("--trials", type=int, default=10_000)
    arguments = parser.parse_args()
    parts: dict[str, Callable[[str], list[Line]]] = {
        "loop": lambda folder: loop(folder, arguments.trials),
        "short": short,
        "rows": rows,
        "memory": memory,
    }
    lines: list[Line] = []
    with tempfile.TemporaryDirectory() as folder:
        for part in arguments.parts.split(","):
            for line in parts[part](folder):
                print(" | ".join(line), flush=True)
                lines.append(line)
    if arguments.write:
        head = (
            "# What a campaign costs\n\nRepeat it with `make bench-campaign`. "
            f"princeps {__version__}, {os.cpu_count()} cores, {JOBS} workers, kernels compiled before.\n\n"
            "| what | measured | bar |\n| --- | --- | --- |\n"
        )
        text = head + "".join(f"| {' | '.join(line)} |\n" for line in lines)
        (DOCS / "campaign-speed.md").write_text(text, encoding="utf-8")
    return 0


def sweep(folder: str, name: str, words: list[str]) -> float:
    """Seconds of a whole command, from the shell's view: starting Python and the workers included."""
    line = [sys.executable, "-m", "princeps", "sweep", *words, "--store", f"{folder}/{name}.db", "--jobs", str(JOBS)]
    began = time.perf_counter()
    subprocess.run(line, check=True, capture_output=True)
    return time.perf_counter() - began


def loop(folder: str, trials: int) -> list[Line]:
    """The bare loop gets the same seeds; half before and half after the sweep, because the machine is noisy."""
    (point,) = distinct(grid(["p_rl"], {}, n=256))
    seed = point.seed(0)

    def bare(numbers: range) -> float:
        began = time.perf_counter()
        for trial in numbers:
            princeps.run("p_rl", n=256, seed=seed, trial=trial)
        return time.perf_counter() - began

    bare(range(200))  # compiled and warm
    before = bare(range(trials // 2))
    whole = sweep(folder, "loop", ["p_rl", "-n", "256", "--trials", str(trials)])
    alone = before + bare(range(trials // 2, trials))
    return [
        (
            f"{trials:,} trials of p_rl, n = 256 ({1000 * alone / trials:.1f} ms each in a bare loop of princeps.run)",
            f"{whole:.1f} s against {alone:.1f} s: {whole / (alone / JOBS):.2f} of half the loop",
            "1.25",
        )
    ]


def short(folder: str) -> list[Line]:
    """Trials of some 50 microseconds; two lengths of sweep tell starting from running."""
    few, many = 5_000, 55_000
    words = ["fratricide", "-n", "20", "--trials"]
    first = sweep(folder, "few", [*words, str(few)])
    second = sweep(folder, "many", [*words, str(many)])
    summary = next(iter(princeps.results(f"{folder}/many.db")))
    return [
        (
            f"{many:,} trials of fratricide, n = 20 ({1e6 * summary.seconds / many:.0f} microseconds each)",
            f"{many / second:,.0f} a second, {(many - few) / (second - first):,.0f} once the workers have started",
            "10,000",
        )
    ]


def rows(folder: str) -> list[Line]:
    """A million rows at ten points, written as a sweep writes them, summarised by the command."""
    path, each = f"{folder}/rows.db", 100_000
    points = distinct(grid(["fratricide"], {}, n=[10 * 2**k for k in range(10)]))
    rng = np.random.default_rng(1)
    with open_store(path) as store:
        for number, point in zip(store.number(points), points, strict=True):
            steps = [str(int(value) + 1) for value in rng.gamma(3, point.n**2 / 3, each)]
            for first in range(0, each, 5000):
                store.add([made(number, trial, steps[trial]) for trial in range(first, first + 5000)])
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "princeps", "results", path], check=True, capture_output=True)
    seconds = time.perf_counter() - began
    size = os.path.getsize(path) / 2**20
    checked = opened(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DELETE FROM file_checksum")  # as a sweep that was killed leaves it
    return [
        (f"princeps results of {10 * each:,} rows ({size:.0f} MiB)", f"{seconds:.1f} s", "1.5 s"),
        (
            "of this, comparing the checksum of the file",
            f"{checked:.2f} s: {seconds / (seconds - checked):.2f} of the command without it",
            "1.3",
        ),
        ("instead, for a store that is being written to: every row and page", f"{opened(path):.1f} s", ""),
    ]


def opened(path: str) -> float:
    """Seconds of opening a store to read."""
    began = time.perf_counter()
    read_store(path).close()
    return time.perf_counter() - began


def made(number: int, trial: int, steps: str) -> Row:
    return Row(
        *(number, 1, trial, steps, 1, 0, 0, 1, 0, "9", None, None, None, steps, None, None, "agents", __version__, 1e-3)
    )


def memory(folder: str) -> list[Line]:
    """The supervisor's largest resident size, for a sweep and for one twenty times as long."""

    def largest(trials: int) -> float:
        code = (
            "import princeps, resource\n"
            f"princeps.sweep('fratricide', n=20, trials={trials}, store={f'{folder}/m{trials}.db'!r}, jobs={JOBS})\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        return int(done.stdout) / (2**20 if sys.platform == "darwin" else 2**10)

    few, many = largest(2_500), largest(50_000)
    return [("the supervisor's memory: 2,500 trials, 50,000 trials", f"{few:.0f} MiB, {many:.0f} MiB", "constant")]


if __name__ == "__main__":
    raise SystemExit(main())
