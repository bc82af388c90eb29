"""How fast is the agents engine beside hand-written C? (`make bench`)

Each row runs the same interactions of the same random pairs from the same start in C and in princeps, alternately, and
takes the best processor time of each; checksums over all agents must agree.

"C by hand" (benchmarks/loops.c) is the loop one writes: unpack two agents, apply the rule line by line, pack them; the
bars refer to it. "C with bit tricks" (benchmarks/tricks.c) is what an expert makes of one particular protocol with
masks, invariants of its reachable states and a look-up table: how much is left.

"agents" is the engine as `princeps run --engine agents` has it: interned states under a memo table of the rule, which
fills as it goes, or packed words where too many states are occupied. "agents, packed" is the compiled rule on packed
words alone, what is left where interning does not pay; the bar for it is a ratio of at most 1.5. For P_LL agents must
be at least as fast as C by hand at n = 10^3 and 10^5, and three times as fast at 10^6.

The engine `events` is measured beside C of its own kind (event_slices.py); `--events` does that part alone. `--write`
keeps the tables in docs/speed.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import event_slices
import numpy as np
from event_slices import checksum
from given_words import begin_with

import princeps
from princeps.engines.agents import BLOCK, PREFETCH_BYTES, Agents
from princeps.engines.population import StopCondition
from princeps.lowering import chance
from princeps.lowering.kernels import Kernels
from princeps.model.protocol import Counted, PopulationProtocol, one_leader
from princeps.model.randomness import seed_words
from princeps.model.reading import make_run
from princeps.model.run import Run

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "speed.md"
EVENTS_TITLE = "## Only the interactions that change something"
ABOUT = str(__doc__).partition("\n")[2].partition("\nThe engine `events`")[0]
SEED = seed_words(1, 0, "bench")
ROWS = [
    ("p_ll", 10**3), ("p_ll", 10**5), ("p_ll", 10**6), ("p_ll", 10**7),
    ("p_rl", 10**3), ("p_rl", 10**6),
    ("p_pl", 10**3), ("p_pl", 10**5), ("p_pl", 10**6),
]  # fmt: skip
BAR = 1.5  # packed words over C by hand
FASTER = {("p_ll", 10**3): 1.0, ("p_ll", 10**5): 1.0, ("p_ll", 10**6): 3.0}  # C by hand over agents
PACKED = "agents, packed"
PARAMETERS = {"p_ll": ["m"], "p_rl": ["N"], "p_pl": ["N", "c", "virus_factor", "emit_factor"]}


def compile_c(name: str) -> str:
    binary = str(HERE / name)
    subprocess.run(["cc", "-O3", "-march=native", "-o", binary, f"{binary}.c", "-lm"], check=True)
    return binary


def c_loop(binary: str, protocol: PopulationProtocol, n: int, steps: int) -> tuple[float, int, int]:
    params = [str(protocol.params[name]) for name in PARAMETERS[protocol.name]]
    seeds = [f"{word:x}" for word in SEED]
    words = [binary, protocol.name, str(n), str(steps), *seeds, *params]
    out = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    return float(out[0]), int(out[1]), int(out[2])


def start(protocol: PopulationProtocol, n: int) -> Any:
    """Packed words by the formulas that the C programs use."""
    i, c = np.arange(n, dtype=np.int64), protocol.constants
    if protocol.name == "p_ll":
        return np.full(n, 1 | 1 << 3 | 1 << 5, dtype=np.int64)
    if protocol.name == "p_rl":
        flags = (i % 7 == 0) | ((i % 3) << 1) | ((i // 2 % 2) << 3) | ((i // 3 % 2) << 4)
        return (flags | ((5 * i % (c.N + 1)) << 5)).astype(np.uint32)
    flags = (i % 2) | ((i // 2 % 2) << 1) | ((i % (c.t_virus + 1)) << 2)
    return flags | ((7 * i % (c.t_max + 1)) << 22) | ((11 * i % (c.t_emit + 1)) << 42)


class Started(Agents):
    """The agents engine from the C programs' start, with their pairs."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        begin_with(self, start(run.protocol, run.n))

    def _set_scheduler(self) -> None:
        super()._set_scheduler()
        self.rng[:] = SEED


def agents_engine(spec: str, n: int, steps: int) -> tuple[float, int, int]:
    """The engine as users get it, with the form that it chooses and changes by itself."""
    run = make_run(spec, n, engine="agents")
    warm = Started(run)  # compiles both forms
    warm.advance(1, StopCondition.NOTHING)
    warm.pack()
    warm.advance(1, StopCondition.NOTHING)
    population = Started(run)
    began = time.process_time()
    population.advance(steps, StopCondition.NOTHING)
    took = time.process_time() - began
    assert population.steps == steps
    return took / steps * 1e9, population.leaders, checksum(population.form.words())


def packed_kernel(protocol: PopulationProtocol, n: int, steps: int) -> tuple[float, int, int]:
    """The compiled rule on packed words, in one call."""
    kernels = Kernels(protocol)
    advance, _ = kernels.advance(Counted(one_leader))
    agents = start(protocol, n)
    assert agents.dtype == kernels.layout.dtype
    kind = chance.DIRECTED_RING if protocol.topology == "ring" else chance.COMPLETE
    ahead = agents.nbytes > PREFETCH_BYTES
    left, right, none = np.zeros(BLOCK, np.uint32), np.zeros(BLOCK, np.uint32), np.zeros(0, np.uint32)
    cursor, rng = np.zeros(4, np.int64), np.array(SEED, dtype=np.uint64)
    counts = np.array([int((agents & 1).sum())], dtype=np.int64)
    head = (agents, kernels.constants, kernels.tops, kind, n, none, none, rng, left, right, cursor, counts)
    advance(*head, 0, 0, ahead)  # compiles
    began = time.process_time()
    done, _ = advance(*head, 0, steps, ahead)
    took = time.process_time() - began
    assert done == steps
    return took / steps * 1e9, int(counts[0]), checksum(agents)


def user_copy(folder: str) -> str:
    """P_LL in a user's own file outside the package."""
    target = Path(folder) / "mine.py"
    shutil.copy(Path(princeps.__file__).parent / "protocols" / "p_ll.py", target)
    return f"{target}:PLL"


def compare(label: str, spec: str, n: int, rivals: dict[str, str], repeats: int) -> list[str]:
    protocol = princeps.protocol(spec, n=n)
    steps = max(10**7, 3 * n)
    best = {name: float("inf") for name in (*rivals, PACKED, "agents")}
    for _ in range(repeats):
        results = {name: c_loop(binary, protocol, n, steps) for name, binary in rivals.items()}
        results[PACKED] = packed_kernel(protocol, n, steps)
        results["agents"] = agents_engine(spec, n, steps)
        if len({result[1:] for result in results.values()}) != 1:
            raise SystemExit(f"{label}, n = {n}: the programs disagree: {results}")
        best = {name: min(best[name], results[name][0]) for name in best}
    by_hand, by_tricks = (best[name] for name in rivals)
    return [
        label,
        f"{n:,}",
        *(f"{nanoseconds:.1f}" for nanoseconds in best.values()),
        f"{best[PACKED] / by_hand:.2f}",
        f"{best['agents'] / by_hand:.2f}",
        f"{best['agents'] / by_tricks:.2f}",
        verdict(best[PACKED] / by_hand, by_hand / best["agents"], FASTER.get((protocol.name, n))),
    ]


def verdict(packed: float, faster: float, wanted: float | None) -> str:
    """Both bars: the packed form's ratio, and how many times as fast as C by hand the engine must be."""
    missed = [f"packed over {BAR}"] if packed > BAR else []
    missed += [f"agents not {wanted:g} x as fast"] if wanted is not None and faster < wanted else []
    return ", ".join(missed) or "ok"


def startup() -> list[tuple[str, str, str]]:
    """Wall time of short commands, cold (nothing cached) and warm."""

    def seconds(words: list[str], cache: str) -> float:
        began = time.perf_counter()
        env = {**os.environ, "PRINCEPS_CACHE_DIR": cache}
        subprocess.run([sys.executable, "-m", "princeps", *words], check=True, capture_output=True, env=env)
        return time.perf_counter() - began

    with tempfile.TemporaryDirectory() as cache:
        run = ["run", "p_rl", "-n", "100", "--seed", "7"]
        cold, warm = seconds(run, cache), min(seconds(run, cache) for _ in range(3))
        listed = min(seconds(["list"], cache) for _ in range(3))
    return [
        ("princeps run p_rl -n 100, nothing cached", f"{cold:.2f} s", "6 s"),
        ("princeps run p_rl -n 100, warm", f"{warm:.2f} s", "1.5 s"),
        ("princeps list", f"{listed:.2f} s", "0.4 s"),
    ]


def memory() -> list[tuple[str, str, str]]:
    rows = [
        (f"bytes an agent, {name}", str(Kernels(princeps.protocol(name, n=10**6)).layout.bytes_per_agent), "8")
        for name in PARAMETERS
    ]
    code = (
        "import resource, subprocess, sys;"
        "subprocess.run([sys.executable, '-m', 'princeps', 'run', 'p_ll', '-n', '1e8', '--engine', 'agents', '--max-steps', '1e7', '--json'],"
        " stdout=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    peak = int(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
    return [
        *rows,
        ("princeps run p_ll -n 1e8 --engine agents --max-steps 1e7, peak", f"{peak / 2**20:.2f} GiB", "2 GiB"),
    ]


def events_section(repeats: int) -> str:
    """The last section of the page."""
    table = [event_slices.HEADING, ["---"] * len(event_slices.HEADING)]
    table += event_slices.rows(compile_c("event_loop"), SEED, repeats)
    rows = "\n".join("| " + " | ".join(row) + " |" for row in table)
    return f"{EVENTS_TITLE}\n{str(event_slices.__doc__).partition(chr(10))[2]}\n{rows}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/speed.md")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--events", action="store_true", help="the engine events alone")
    chosen = parser.parse_args()
    if chosen.events:
        section = events_section(chosen.repeats)
        print(section)
        if chosen.write:
            PAGE.write_text(f"{PAGE.read_text().partition(EVENTS_TITLE)[0].rstrip()}\n\n{section}")
        return
    rivals = {"C by hand": compile_c("loops"), "C with bit tricks": compile_c("tricks")}
    heading = ["protocol", "n", *(f"{name} (ns)" for name in (*rivals, PACKED, "agents"))]
    heading += ["packed / C by hand", "agents / C by hand", "agents / C with bit tricks", "bars"]
    lines = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    print("\n".join(lines), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        mine = user_copy(folder)
        work = [(name, name, n) for name, n in ROWS] + [
            ("p_ll in a user's file", mine, n) for n in (10**3, 10**6, 10**7)
        ]
        for label, spec, n in work:
            lines.append("| " + " | ".join(compare(label, spec, n, rivals, chosen.repeats)) + " |")
            print(lines[-1], flush=True)
    lines += ["", "| what | measured | at most |", "|---|---|---|"]
    for row in startup() + memory():
        lines.append("| " + " | ".join(row) + " |")
    print("\n".join(lines[-9:]), flush=True)
    section = events_section(chosen.repeats)
    print(f"\n{section}")
    if chosen.write:
        version = f"princeps {princeps.__version__}, Python {platform.python_version()}, numba {__import__('numba').__version__}"
        text = f"# Speed\n\nWritten by `python benchmarks/bench.py --write` with {version}, {processor()}.\n{ABOUT}\n"
        PAGE.write_text(f"{text}{chr(10).join(lines)}\n\n{section}")


def processor() -> str:
    try:
        names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
        return f"{names[0].partition(':')[2].strip()}, one core"
    except (OSError, IndexError):
        return platform.machine()


if __name__ == "__main__":
    main()
