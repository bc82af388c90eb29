"""How fast are the engines beside other simulators of population protocols? (`make bench-rivals`)

Every program runs in its own process with its own environment (made under benchmarks/.rivals/ on the first call) and
is driven in the fastest way it offers (benchmarks/rivals_runner.py). A cell is the processor time of the run alone /
with set-up, the best of up to three; imports are not counted. Set-up is, for the rivals, the making of their
Simulation, where they tabulate the rule; for princeps, what the first call in a process costs beyond the run, with
the kernels on disk. The ratio is the fastest rival's time over that of princeps.

ppsim 0.1.6 is an old release, much faster than today's, that must be built from source. ppsim 1.0.2 is driven by its
Gillespie method where there are few states; that never tries a reaction that was impossible at the start, so that its
majority starts with one undecided agent. batss simulates reactions in continuous time and looks for the
end once in an interval, so that it does not count interactions.
"> s" is a run stopped by the time limit. `--write` keeps the tables in docs/rivals.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import processor

import princeps

HERE = Path(__file__).parent
ABOUT = str(__doc__).partition("\n")[2].partition(" `--write`")[0]
HOME = HERE / ".rivals"
OURS = "princeps"
OLD_TOOLS = ["cython<3", "numpy<2", "setuptools<70", "wheel"]
OLD_NEEDS = ["pandas<3", "scipy<1.15", "matplotlib", "seaborn", "natsort", "tqdm", "ipywidgets"]
ENVIRONMENTS = {  # the arguments of each `pip install`
    "new": [["ppsim==1.0.2", "batss==1.0.4"]],
    "old": [
        ["--only-binary", ":all:", *OLD_TOOLS, *OLD_NEEDS],
        ["--no-build-isolation", "--no-deps", "--no-binary", "ppsim", "ppsim==0.1.6"],
    ],
}
RIVALS = {"ppsim 0.1.6": ("old", "ppsim_old"), "ppsim 1.0.2": ("new", "ppsim"), "batss 1.0.4": ("new", "batss")}
GRACE = 60.0  # a program in compiled code does not hear the alarm: it is killed this much later
SHORT = 20.0  # what takes longer is measured once


@dataclass(frozen=True)
class Work:
    """One row: `target` is the least ratio, of the times with set-up if `whole`."""

    name: str
    n: int
    target: float | None = None
    whole: bool = False
    limit: float = 600.0  # seconds a process


ROWS = [
    Work("fratricide", 10**6, 20), Work("fratricide", 10**8, 100), Work("fratricide", 10**9, 200),
    Work("epidemic", 10**6, 1.5), Work("epidemic", 10**8, 2), Work("epidemic", 10**9, 2),
    Work("majority", 10**6, 1.3), Work("majority", 10**8, 1.5), Work("majority", 10**9, 1.5),
    Work("timer", 10**5, 30, whole=True, limit=900),
    Work("p_ll", 10**6, limit=120),
]  # fmt: skip
TITLES = {
    "fratricide": "fratricide, to one leader",
    "epidemic": "epidemic, one to all",
    "majority": "majority, 51:49, 10 units",
    "timer": "timer, T = 2000, 50 units",
    "p_ll": "p_ll, 100 units",
}


@dataclass
class Entry:
    """What a program did of one row; without `run` it did not finish, and `outcome` says why."""

    run: float | None = None
    setup: float = 0.0
    steps: int | None = None
    bound: float | None = None
    outcome: str = ""
    how: str = ""
    samples: list[float] = field(default_factory=list)

    def seconds(self, whole: bool) -> float | None:
        return None if self.run is None else self.run + self.setup * whole

    def cell(self) -> str:
        if self.run is None:
            return f"> {self.bound:g}" if self.bound is not None else "fails" if self.outcome else "-"
        return f"{short(self.run)} / {short(self.run + self.setup)}"


def short(seconds: float) -> str:
    return f"{seconds:.4f}" if seconds < 0.1 else f"{seconds:.3g}"


def environment(name: str) -> Path | None:
    """The environment's Python; None if the packages cannot be installed."""
    folder, log = HOME / name, HOME / f"{name}.log"
    python = folder / "bin" / "python"
    if (folder / ".ready").exists():
        return python
    HOME.mkdir(exist_ok=True)
    print(f"making the environment {name!r}, which takes minutes ...", file=sys.stderr, flush=True)
    commands = [[sys.executable, "-m", "venv", "--clear", str(folder)]]
    for words in ENVIRONMENTS[name]:
        commands.append([str(python), "-m", "pip", "install", "--disable-pip-version-check", *words])
    with log.open("w") as out:
        for command in commands:
            if subprocess.run(command, stdout=out, stderr=subprocess.STDOUT).returncode != 0:
                print(f"{' '.join(command[1:])} failed: going on without (see {log.name})", file=sys.stderr)
                return None
    (folder / ".ready").touch()
    return python


def once(python: Path, program: str, work: Work, seed: int, limit: float, memory: int) -> dict[str, Any]:
    """One process of the runner: its JSON, or what stopped it."""
    asked = {"program": program, "work": work.name, "n": work.n, "seed": seed, "limit": limit, "memory": memory}
    words = [str(python), str(HERE / "rivals_runner.py"), json.dumps(asked)]
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=limit + GRACE, env=env)
    except subprocess.TimeoutExpired:
        return {"run": None, "stopped": f"> {limit:g} s", "outcome": "in compiled code"}
    lines = done.stdout.strip().splitlines()
    if done.returncode == 0 and lines:
        found: dict[str, Any] = json.loads(lines[-1])
        return found
    if done.returncode < 0:
        return {"run": None, "stopped": f"killed by {signal.Signals(-done.returncode).name}", "outcome": ""}
    said = done.stderr.strip().splitlines() or ["nothing said"]
    return {"run": None, "stopped": said[-1][:200], "outcome": ""}


def measure(python: Path, program: str, work: Work, options: argparse.Namespace) -> Entry:
    """The best of several processes, or of one if that is long or does not finish."""
    entry, limit = Entry(), work.limit if options.limit is None else options.limit
    for seed in range(1, options.repeats + 1):
        began = time.perf_counter()
        found = once(python, program, work, seed, limit, options.memory)
        entry.how = found.get("how", entry.how)
        if found.get("run") is None:
            return unfinished(entry, found, limit)
        entry.samples.append(found["run"])
        entry.setup = found["setup"] if entry.run is None else min(entry.setup, found["setup"])
        if entry.run is None or found["run"] < entry.run:
            entry.run, entry.steps, entry.outcome = found["run"], found["steps"], found["outcome"]
        if time.perf_counter() - began > SHORT and not (program == OURS and seed == 1):  # the first may compile
            break
    return entry


def unfinished(entry: Entry, found: dict[str, Any], limit: float) -> Entry:
    """Keeps what was measured before; else says how far it came."""
    if entry.run is not None:
        return entry
    if "missing" in found:
        entry.outcome = found["missing"]
        return entry
    entry.bound = limit if found["stopped"].startswith("> ") else None
    parts = [found["stopped"], f"in the {found['phase']}" if "phase" in found else "", found["outcome"]]
    entry.outcome = ", ".join(part for part in parts if part)
    return entry


def compare(work: Work, entries: dict[str, Entry]) -> list[str]:
    """The row: every program's cell, our interactions a second, the ratio and the verdict."""
    ours = entries[OURS]
    rivals = [entry for name, entry in entries.items() if name != OURS]
    finished = [s for s in (entry.seconds(work.whole) for entry in rivals) if s is not None]
    bounds = [entry.bound for entry in rivals if entry.bound is not None]
    rate = f"{ours.steps / ours.run:.2e}" if ours.run and ours.steps else "-"
    mine = ours.seconds(work.whole)
    ratio, verdict = "-", "-"
    fastest = min(finished) if finished else min(bounds) if bounds else None
    if mine and fastest is not None:
        ratio = f"{'' if finished else '> '}{fastest / mine:.3g}"
        if work.target is not None:
            met = fastest / mine >= work.target
            verdict = "met" if met else "missed" if finished else "open"
    elif ours.bound is not None and finished and work.target is not None:
        verdict = "missed"
    target = f"{work.target:g}" + (" with set-up" if work.whole else "") if work.target is not None else "-"
    return [
        TITLES[work.name],
        f"{work.n:,}",
        *(entry.cell() for entry in entries.values()),
        rate,
        ratio,
        target,
        verdict,
    ]


def details(work: Work, entries: dict[str, Entry]) -> list[str]:
    """How each program was driven and what came out."""
    rows = []
    for name, entry in entries.items():
        spread = (
            f"{len(entry.samples)}, {short(min(entry.samples))} - {short(max(entry.samples))}" if entry.samples else "-"
        )
        steps = f"{entry.steps:,}" if entry.steps is not None else "-"
        rows.append(line([work.name, f"{work.n:,}", name, entry.how or "-", spread, steps, entry.outcome or "-"]))
    return rows


def line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def versions(pythons: dict[str, Path | None]) -> str:
    code = "import platform, numpy; print(f'Python {platform.python_version()}, numpy {numpy.__version__}')"
    programs = []
    for name, (where, _) in RIVALS.items():
        if pythons.get(where) is not None:
            out = subprocess.run([str(pythons[where]), "-c", code], capture_output=True, text=True).stdout.strip()
            programs.append(f"{name} ({out})")
    numba = __import__("numba").__version__
    return "; ".join(
        [f"princeps {princeps.__version__} (Python {platform.python_version()}, numba {numba})", *programs]
    )


def chosen_rows(options: argparse.Namespace) -> list[Work]:
    rows = [row for row in ROWS if not options.works or row.name in options.works]
    return [row for row in rows if not options.sizes or row.n in options.sizes]


def options_of(words: list[str] | None = None) -> argparse.Namespace:
    names = [*RIVALS, OURS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write docs/rivals.md")
    parser.add_argument("--works", nargs="+", choices=list(TITLES), help="only these")
    parser.add_argument("--sizes", nargs="+", type=lambda text: int(float(text)), help="only these n, such as 1e6")
    parser.add_argument("--programs", nargs="+", choices=names, default=names, help="only these")
    parser.add_argument("--limit", type=float, help="seconds a process (else 600, timer 900, p_ll 120)")
    parser.add_argument("--memory", type=int, default=12, help="GiB of address space a process")
    parser.add_argument("--repeats", type=int, default=3)
    return parser.parse_args(words)


def write(heads: list[str], facts: str) -> None:
    words = " ".join(sys.argv[1:])
    text = f"# Rivals\n\nWritten by `python benchmarks/rivals.py {words}` with {facts}; {processor()}.\n{ABOUT}\n\n"
    (HERE.parent / "docs" / "rivals.md").write_text(text + "\n".join(heads) + "\n")


def main() -> None:
    options = options_of()
    needed = {RIVALS[name][0] for name in options.programs if name in RIVALS}
    pythons = {name: environment(name) for name in ENVIRONMENTS if name in needed}
    programs = {}
    for name, (where, program) in RIVALS.items():
        python = pythons.get(where)
        if name in options.programs and python is not None:
            programs[name] = (python, program)
    if OURS in options.programs:
        programs[OURS] = (Path(sys.executable), OURS)
    heading = ["work", "n", *(f"{name} (s)" for name in [*programs, *({OURS} - set(programs))])]
    heading += ["interactions a second", "ratio", "at least", "verdict"]
    table = [line(heading), "|" + "---|" * len(heading)]
    details_table = [
        line(["work", "n", "program", "driven by", "runs (s)", "interactions", "what came out"]),
        "|" + "---|" * 7,
    ]
    print("\n".join(table), flush=True)
    for work in chosen_rows(options):
        entries = {name: measure(*where, work, options) for name, where in programs.items()}
        entries.setdefault(OURS, Entry())
        table.append(line(compare(work, entries)))
        details_table += details(work, {name: entry for name, entry in entries.items() if name in programs})
        print(table[-1], flush=True)
    print("\n".join(["", *details_table]))
    if options.write:
        write([*table, "", *details_table], versions(pythons))


if __name__ == "__main__":
    main()
