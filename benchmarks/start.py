"""How long short commands take as whole processes, beside other simulators in the same run. (`make bench-start`)

Everything is warm: machine code and bytecode are on the disk. Rounds take one process of each in turn, and a cell is the
median of all rounds, in seconds by the clock and of the processor. A rival's process imports it and runs one epidemic.
`--write` keeps the table and the imports of a warm run in docs/start-speed.md.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

from bench import processor
from rivals import HERE, RIVALS, environment

import princeps

PRINCEPS = [str(Path(sys.executable).with_name("princeps"))]
N = 1_000_000
COMMANDS: dict[str, tuple[list[str], float]] = {  # the words, and the bar
    "princeps list": ([*PRINCEPS, "list"], 0.15),
    "princeps run p_rl -n 100": ([*PRINCEPS, "run", "p_rl", "-n", "100"], 0.45),
    "princeps run epidemic -n 1e6": ([*PRINCEPS, "run", "epidemic", "-n", "1e6"], 0.45),
    "princeps run a_k --labels 1,2,2 -p k=2": ([*PRINCEPS, "run", "a_k", "--labels", "1,2,2", "-p", "k=2"], 0.45),
    "princeps exact p_rl -n 3": ([*PRINCEPS, "exact", "p_rl", "-n", "3"], 0.45),
    "python: princeps.run('epidemic', n=10**6)": (
        [sys.executable, "-c", "import princeps; princeps.run('epidemic', n=10**6)"],
        0.4,
    ),
}
SHOWN_FROM = 4000  # microseconds: shorter imports are left out of the tree


def measured(words: list[str]) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(words, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)} failed: {done.stderr}")
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rivals() -> dict[str, list[str]]:
    """Those that can be installed."""
    found = {}
    for name, (where, program) in RIVALS.items():
        python = environment(where)
        if python is not None:
            asked = {"program": program, "work": "epidemic", "n": N, "seed": 1, "limit": 60, "memory": 4096}
            found[f"{name}, epidemic, n = 10^6"] = [str(python), str(HERE / "rivals_runner.py"), json.dumps(asked)]
    return found


def tree_of_imports(words: list[str]) -> list[str]:
    """What a warm command imports, as Python measures it: modules with those that they import, the longest ones."""
    done = subprocess.run([sys.executable, "-X", "importtime", *words], capture_output=True, text=True)
    found = []
    for line in done.stderr.splitlines():
        match = re.fullmatch(r"import time: +\d+ \| +(\d+) \| ( *)(\S+)", line)
        if match and int(match[1]) >= SHOWN_FROM:
            found.append(f"{int(match[1]) / 1000:7.1f} ms  {match[2]}{match[3]}")
    return found[::-1]  # a module comes after what it imports


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--no-rivals", action="store_true")
    options = parser.parse_args()
    commands = {name: words for name, (words, _) in COMMANDS.items()} | ({} if options.no_rivals else rivals())
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for words in commands.values():
        measured(words)  # compiles what is not compiled
    for _ in range(options.rounds):
        for name, words in commands.items():
            taken[name].append(measured(words))
    table = ["| process | by the clock (s) | of the processor (s) | at most (s) |", "|---|---|---|---|"]
    for name, both in taken.items():
        clock, busy = (statistics.median(column) for column in zip(*both, strict=True))
        bar = f"{COMMANDS[name][1]:g}" if name in COMMANDS else ""
        table.append(f"| {name} | {clock:.3f} | {busy:.3f} | {bar} |")
    print("\n".join(table))
    tree = tree_of_imports(COMMANDS["princeps run p_rl -n 100"][0])
    print("\n" + "\n".join(tree))
    if options.write:
        about = str(__doc__).partition("\n")[2].partition("`--write`")[0].strip()
        load = f"{os.cpu_count()} cores, a load of {os.getloadavg()[0]:.1f}"
        text = (
            f"# The start of a process\n\nWritten by `make bench-start WRITE=1`, medians of {options.rounds}, with princeps "
            f"{princeps.__version__}, Python {sys.version.split()[0]}, {processor()}; {load}.\n\n{about}\n\n"
            + "\n".join(table)
            + "\n\n## What a warm run imports\n\n`princeps run p_rl -n 100`, as `python -X importtime` tells it: each module "
            "with all that it imports.\nNeither numba nor scipy, typer or rich is among them; "
            "[architecture.md](architecture.md) says how kernels are called without numba.\n\n```text\n"
            + "\n".join(tree)
            + "\n```\n"
        )
        (HERE.parent / "docs" / "start-speed.md").write_text(text)


if __name__ == "__main__":
    main()
