"""Does skipping null interactions pay, and does `auto` choose well? (`make bench-engines`)

Every row is a process of its own with a time limit. A time is processor time of one core from the description of the
run to its end: building the population, advancing it, looking for the goal. Compiling is not counted, since every
engine has done some steps of the same protocol before, and the time to read a graph is given separately. `--write` keeps the tables
in docs/engines.md.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from math import log
from pathlib import Path
from statistics import median
from typing import Any

from bench import processor
from engine_jobs import (
    EARLY_SECONDS,
    ENGINES,
    LONG_SECONDS,
    REFERENCE_LIMIT,
    REFERENCE_N,
    SEED,
    SLICE,
    STOP_FACTOR,
    STOP_SECONDS,
)

import princeps

HERE = Path(__file__).parent
ABOUT = str(__doc__).partition("\n")[2].partition(" `--write`")[0] + "\n"
RING_BAR = 60.0  # seconds
SKIPPING_BAR = 100.0  # agents' time over that of events
AUTO_BAR = 1.3  # auto's time over that of the best engine
NOTHING = 0.005  # seconds that nobody notices
LARGEST_GRAPH = 10**5  # agents on a sparse graph for auto
ANYWHERE = ("epidemic", "infection")
PARTS = ["events", "auto", "graphs"]

EVENTS_ABOUT = f"""## Skipping null interactions

P_RL on a ring with N = n, to `s_rl`. The bar for `random` and `all_leaders` at n = 10^6 is {RING_BAR:g} s. From `no_leader`
the ring must count to N first, which at 10^6 takes some ten times as many effective interactions: it is in the table at a
tenth of the size (`--no-leader` runs it in full). The rate of effective interactions includes the steps at the
beginning that are not skipped.
"""
SKIPPING_ABOUT = f"""The same ring beside `agents`, whose time is extrapolated: nanoseconds a step, from {SLICE:,} steps at the start and from
as many after the goal, the smaller of the two, times the steps of the run. The bar is a ratio of {SKIPPING_BAR:g}.
"""
GRAPHS_ABOUT = f"""Graphs read from a file with an edge a line: a torus, and a ring with a random perfect matching (each agent has three
neighbours). Both engines run to the goal, each with its own pairs, so that the steps differ by chance. `auto` chooses
events here, which may take {AUTO_BAR:g} times as long as agents at most.
"""
AUTO_ABOUT = f"""## What `auto` chooses

All protocols of the library with their default parameters, graphs, starts and goals; and, up to n = {LARGEST_GRAPH:,},
{" and ".join(ANYWHERE)} on sparse graphs. Engines draw different runs for
the same seed, and the length of a run is mostly luck; so each does the same number of steps: the mean of what `auto`
takes to the goal. The goal is watched until it is met, and the run goes on to that number. A time is the median over
that many runs (trials 0, 1, ...; the engines take turns). A run of `auto` that takes more than {LONG_SECONDS:g} s is measured once,
and the engine that it chose is not measured again ("auto"). Where `auto` does not reach the goal in LIMIT s, or
would clearly not, all do the steps that it did in the first {EARLY_SECONDS:g} s: a slice. An engine is stopped ("> s") after {STOP_FACTOR:g} times what `auto` took and
{STOP_SECONDS:g} s more; the reference engine, in plain Python, is tried at n <= {REFERENCE_N:,} for {REFERENCE_LIMIT:g} s. The bar for auto / best is {AUTO_BAR:g};
differences of less than {1000 * NOTHING:g} ms do not count.
"""


def job(kind: str, timeout: float, **asked: Any) -> list[dict[str, Any]]:
    """What a measuring process printed before it ended or was killed."""
    words = [sys.executable, str(HERE / "engine_jobs.py"), json.dumps({"kind": kind, **asked})]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=timeout)
        printed, problem = done.stdout, done.stderr.strip().splitlines()[-1:] if done.returncode else []
    except subprocess.TimeoutExpired as late:
        so_far: Any = late.stdout or ""  # bytes in spite of text=True
        printed = so_far.decode() if isinstance(so_far, bytes) else so_far
        problem = [f"killed after {timeout:g} s"]
    if problem:
        print(f"{asked}: {problem[0]}", file=sys.stderr, flush=True)
    return [json.loads(row) for row in printed.splitlines()]


def table(heading: list[str], rows: Iterator[list[str]]) -> list[str]:
    """Markdown, printed as it goes."""
    lines = [line(heading), "|" + "---|" * len(heading)]
    print("\n".join(["", *lines]), flush=True)
    for row in rows:
        lines.append(line(row))
        print(lines[-1], flush=True)
    return lines


def line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def short(seconds: float) -> str:
    return f"{seconds:.4f}" if seconds < 0.1 else f"{seconds:.3g}" if seconds < 100 else f"{seconds:,.0f}"


def rings(options: argparse.Namespace) -> Iterator[list[str]]:
    """P_RL with events, to the goal."""
    big = options.ring
    starts = [("random", big), ("all_leaders", big), ("no_leader", big // 10)]
    for start, n in [*starts, *([("no_leader", big)] if options.no_leader else [])]:
        timeout = 1800 if (start, n) == ("no_leader", big) else 5 * RING_BAR
        printed = job("run", timeout, name="p_rl", n=n, engine="events", start=start, until="s_rl")
        if not printed:
            yield [start, f"{n:,}", f"> {timeout:g}", "-", "-", "-", "over"]
            continue
        found = printed[0]
        barred = n == big and start != "no_leader"
        yield [
            start,
            f"{n:,}",
            short(found["seconds"]),
            f"{found['steps']:.3e}",
            f"{found['events']:.3e}",
            f"{found['seconds'] / found['events'] * 1e9:.0f}",
            "-" if not barred else "ok" if found["seconds"] < RING_BAR else f"over {RING_BAR:g} s",
        ]


def skipping(options: argparse.Namespace) -> Iterator[list[str]]:
    """The same beside agents, extrapolated."""
    n = options.ring // 10
    for start in ("random", "all_leaders"):
        printed = job("skipping", 5 * RING_BAR, n=n, start=start)
        if not printed:
            continue
        found = printed[0]
        other = min(found["slices"]) * 1e-9 * found["steps"]
        ratio = other / found["seconds"]
        yield [
            start,
            f"{n:,}",
            short(found["seconds"]),
            f"{found['steps']:.3e}",
            " / ".join(f"{nanoseconds:.1f}" for nanoseconds in found["slices"]),
            short(other),
            f"{ratio:,.0f}",
            "ok" if ratio >= SKIPPING_BAR else f"under {SKIPPING_BAR:g}",
        ]


def torus(edges: int) -> Iterator[tuple[int, int]]:
    """Twice as wide as high."""
    rows = round((edges / 4) ** 0.5)
    columns = 2 * rows
    for r in range(rows):
        for c in range(columns):
            here = r * columns + c
            yield here, r * columns + (c + 1) % columns
            yield here, (r + 1) % rows * columns + c


def ring_and_matching(edges: int) -> Iterator[tuple[int, int]]:
    """A ring, and everybody with one more partner."""
    n = edges // 3 * 2
    others, rng = list(range(n)), random.Random(SEED)
    rng.shuffle(others)
    for k in range(0, n, 2):
        while (others[k] - others[k + 1]) % n in (1, n - 1):  # neighbours already: change places with somebody
            j = rng.randrange(n)
            if j > k + 1 or (others[j ^ 1] - others[k + 1]) % n not in (1, n - 1):
                others[k + 1], others[j] = others[j], others[k + 1]
    yield from ((i, (i + 1) % n) for i in range(n))
    yield from ((others[k], others[k + 1]) for k in range(0, n, 2))


def graphs(options: argparse.Namespace) -> Iterator[list[str]]:
    """Events against agents on edge lists."""
    with tempfile.TemporaryDirectory() as folder:
        for label, make in (("torus", torus), ("ring and matching", ring_and_matching)):
            path = Path(folder) / label.replace(" ", "-")
            path.write_text("".join(f"{u} {v}\n" for u, v in make(options.edges)))
            for name in ("epidemic", "infection"):
                asked = {"name": name, "n": None, "graph": str(path)}
                found = [job("run", 5 * RING_BAR, engine=engine, **asked) for engine in ("events", "agents")]
                if not all(found):
                    yield [name, label, *["-"] * 9, "not measured"]
                    continue
                events, agents = found[0][0], found[1][0]
                yield [
                    name,
                    label,
                    f"{events['n']:,}",
                    f"{events['arcs'] // 2:,}",
                    short(events["made"]),
                    f"{events['events'] / events['steps']:.3f}",
                    *(f"{facts['steps']:.3e}" for facts in (events, agents)),
                    *(short(facts["seconds"]) for facts in (events, agents)),
                    f"{agents['seconds'] / events['seconds']:.2f}",
                    "ok" if events["seconds"] <= AUTO_BAR * agents["seconds"] + NOTHING else f"over {AUTO_BAR:g}",
                ]


def autos(options: argparse.Namespace) -> Iterator[list[str]]:
    """Auto beside every engine that applies: all protocols on their own graphs, then sparse graphs."""
    names = options.protocols or princeps.library("population")
    rows: list[tuple[str, int, str | None]] = []
    if "auto" in options.parts:
        rows += [(name, n, None) for name in names for n in options.sizes]
    if "graphs" in options.parts:
        sizes = [n for n in options.sizes if n <= LARGEST_GRAPH]
        rows += [(name, n, graph) for name in ANYWHERE if name in names for n in sizes for graph in sparse_graphs(n)]
    for name, n, graph in rows:
        printed = job("auto", 8 * options.limit + 120, name=name, n=n, limit=options.limit, graph=graph)
        label = [name, graph or princeps.protocol(name, n=n).topology.replace("any", "complete"), f"{n:,}"]
        yield [*label, *(auto_row(printed) if printed else [*["-"] * 8, "not measured"])]


def sparse_graphs(n: int) -> list[str]:
    rows = next(r for r in range(int(n**0.5), 0, -1) if n % r == 0)
    return ["undirected-ring", "star", f"torus:{rows}x{n // rows}", "regular:3", f"er:{3 * log(n) / n:.2g}"]


def auto_row(printed: list[dict[str, Any]]) -> list[str]:
    """From what the measuring process printed to the rest of the row."""
    head, found = printed[0], printed[1:]
    cells, finished = [], {}
    for engine in ("auto", *ENGINES):
        mine = [facts for facts in found if facts["engine"] == engine]
        if any(facts.get("refused") for facts in mine):
            cells.append("refuses")
        elif any(not facts["done"] for facts in mine):
            cells.append(f"> {short(mine[-1]['seconds'])}")
        elif mine:
            finished[engine] = median(facts["seconds"] for facts in mine)
            cells.append(short(finished[engine]))
        else:
            cells.append("auto" if engine == head["chosen"] else "-")
    auto = finished.pop("auto", float("nan"))
    best = min([*finished.values(), *([auto] if head["chosen"] not in finished else [])])
    good = auto <= AUTO_BAR * best or auto - best < NOTHING
    runs = f", {head['runs']} runs" if head["runs"] > 1 else ""
    what = f"{'to the goal' if head['mode'] == 'goal' else 'slice'}, {head['steps']:.3g} steps{runs}"
    verdict = "ok" if good else f"over {AUTO_BAR:g}"
    return [what, head["chosen"], *cells, f"{auto / best:.2f}", verdict]


def measured(options: argparse.Namespace) -> list[str]:
    """All tables that are asked for, each under its text."""
    lines: list[str] = []
    if "events" in options.parts:
        heading = ["start", "n", "seconds", "steps", "effective", "ns an effective one", f"at most {RING_BAR:g} s"]
        lines += [EVENTS_ABOUT, *table(heading, rings(options)), ""]
        heading = ["start", "n", "events (s)", "steps", "agents, first / last slice (ns a step)"]
        heading += ["agents, extrapolated (s)", "ratio", f"at least {SKIPPING_BAR:g}"]
        lines += [SKIPPING_ABOUT, *table(heading, skipping(options)), ""]
        heading = ["protocol", "graph", "n", "edges", "reading (s)", "effective share"]
        heading += ["steps, events", "steps, agents", "events (s)", "agents (s)", "agents / events"]
        heading += [f"at most {AUTO_BAR:g} of agents"]
        lines += [GRAPHS_ABOUT, *table(heading, graphs(options)), ""]
    if {"auto", "graphs"} & set(options.parts):
        heading = ["protocol", "graph", "n", "what", "auto chose", "auto (s)", *(f"{engine} (s)" for engine in ENGINES)]
        heading += ["auto / best", f"at most {AUTO_BAR:g}"]
        lines += [AUTO_ABOUT.replace("LIMIT", f"{options.limit:g}"), *table(heading, autos(options)), ""]
    return lines


def size(text: str) -> int:
    return int(float(text))


def options_of() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write docs/engines.md")
    parser.add_argument("--parts", type=lambda text: text.split(","), default=PARTS, help=",".join(PARTS))
    parser.add_argument("--ring", type=size, default=10**6, help="n of the large rings")
    parser.add_argument("--no-leader", action="store_true", help="the large ring from no_leader, too")
    parser.add_argument("--edges", type=size, default=10**6, help="of the graphs in files")
    parser.add_argument("--sizes", nargs="+", type=size, default=[10**3, 10**5, 10**7], help="n for auto")
    parser.add_argument("--protocols", nargs="+", choices=princeps.library("population"), help="only these for auto")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for a run of auto to the goal")
    return parser.parse_args()


def main() -> None:
    options = options_of()
    began = time.perf_counter()
    lines = measured(options)
    print(f"\n{time.perf_counter() - began:.0f} s", file=sys.stderr)
    if options.write:
        numba = __import__("numba").__version__
        version = f"princeps {princeps.__version__}, Python {platform.python_version()}, numba {numba}"
        words = " ".join(["python benchmarks/engines.py", *sys.argv[1:]])
        text = f"# Engines\n\nWritten by `{words}` with {version}, {processor()}.\n{ABOUT}\n"
        (HERE.parent / "docs" / "engines.md").write_text(text + "\n".join(lines).rstrip() + "\n")


if __name__ == "__main__":
    main()
