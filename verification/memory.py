"""Are the estimates of memory right? `make memory` runs every protocol in every engine and reads the peak from the system.

An estimate is what `--dry-run` shows and what a run is refused by. It is compared with the largest resident memory of a
process that does nothing but the run. `--write` keeps the table in docs/memory.md.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from princeps.engines.registry import ENGINES, engine_named, refusal
from princeps.model import description, registry
from princeps.model.numbers import bytes_in_words
from princeps.model.options import POPULATION
from princeps.model.run import Run

PAGE = Path(__file__).resolve().parent.parent / "docs" / "memory.md"
BOUND = 1.5
STEPS = 1 << 22  # enough for ids to be given up for packed words where that pays, and to be tried again
SIZES = {"reference": 1_000_000, "agents": 20_000_000, "events": 5_000_000, "counts": 10**7}
TORUS, TORUS_AGENTS = "torus:400x500", 200_000  # arcs in lists, which plain Python makes
GRAPHS = {"any": ("ring", TORUS)}  # beside the complete graph, for protocols that run on any
PREFACE = f"""# Memory

How far the estimate of memory (`princeps run ... --dry-run`, and what a run is refused by) is from the largest resident
memory of the process, after {STEPS:,} steps with one process and compiled kernels in the cache. `make memory WRITE=1`
makes this page; it fails if an estimate is off by more than a factor {BOUND}.

| protocol | graph | start | engine | agents | estimate | peak | estimate / peak |
|---|---|---|---|---:|---:|---:|---:|
"""


@dataclass(frozen=True)
class Case:
    protocol: str
    graph: str | None
    start: str
    engine: str
    n: int

    @property
    def words(self) -> list[str]:
        steps = {"reference": 2_000, "events": 8 * STEPS}.get(self.engine, STEPS)
        graph = [] if self.graph is None else ["--graph", self.graph]
        if self.engine == "reference":  # a closed goal would be asked of a million agents after every change
            graph += ["--until", "leader"] if "leader" in registry.find(self.protocol).all_goals() else []
        size = ["-n", str(self.n), "--start", self.start, "--engine", self.engine, "--max-steps", str(steps)]
        return ["run", self.protocol, *size, *graph, "--seed", "1"]

    def run(self) -> Run:
        found = description.read(description.read_command("princeps " + " ".join(self.words)), 0)
        assert isinstance(found, Run)
        return found


def cases(sizes: dict[str, int]) -> Iterator[Case]:
    """Every population protocol in every engine that takes it, from its default start and from a random one."""
    for name in registry.names(POPULATION):
        found = registry.find(name)
        for engine in ENGINES:
            for graph in (None, *GRAPHS.get(found.topology, ())):
                for start in sorted({found.default_start, "random"} & {*found.starts}):
                    case = Case(name, graph, start, engine, sizes[engine] if graph != TORUS else TORUS_AGENTS)
                    if refusal(engine, case.run()) is None:
                        yield case


def peak_of(case: Case) -> int | None:
    """The largest resident memory of a process that runs it, in bytes; None if the engine finds that it cannot.

    Read while it runs: what the system tells afterwards includes the memory of the process that started it.
    """
    line = [sys.executable, "-m", "princeps", *case.words]
    child = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0
    while child.poll() is None:
        with suppress(OSError):  # it has just ended
            status = Path(f"/proc/{child.pid}/status").read_text()
            peak = max([peak, *(int(text.split()[1]) * 1024 for text in status.splitlines() if "VmHWM" in text)])
        time.sleep(0.01)
    if child.returncode not in (0, 1, 2):
        sys.exit(f"princeps {' '.join(case.words)} failed")
    return None if child.returncode == 2 else peak


def measure(wanted: list[Case]) -> tuple[list[str], list[str]]:
    """Rows of the table, and the cases that are off by more than the bound."""
    rows, wrong = [], []
    for case in wanted:
        guess, peak = engine_named(case.engine).need(case.run()).total, peak_of(case)
        if peak is None:  # too many states for the engine counts
            continue
        ratio = guess / peak
        graph = case.graph or "its own"
        cells = (case.protocol, graph, case.start, case.engine, f"{case.n:,}", bytes_in_words(guess))
        rows.append(f"| {' | '.join(cells)} | {bytes_in_words(peak)} | {ratio:.2f} |")
        print(rows[-1], flush=True)
        if not 1 / BOUND <= ratio <= BOUND:
            wrong.append(f"princeps {' '.join(case.words)}: estimate {guess:,}, peak {peak:,}")
    return rows, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep the table in docs/memory.md")
    parser.add_argument("--protocols", help="only these, separated by commas")
    parser.add_argument("--engines", help="only these, separated by commas")
    given = parser.parse_args()
    wanted = [
        case
        for case in cases(SIZES)
        if (given.protocols is None or case.protocol in given.protocols.split(","))
        and (given.engines is None or case.engine in given.engines.split(","))
    ]
    rows, wrong = measure(wanted)
    if given.write:
        PAGE.write_text(PREFACE + "\n".join(rows) + "\n")
    print(f"{len(wrong)} of {len(rows)} estimates are off by more than a factor {BOUND}", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
