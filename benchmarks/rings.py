"""How fast is the ring engine beside hand-written C? (`make bench-rings`)

Each row runs the same ring in C (benchmarks/ring_loops.c: one schedule, no queues of links, no specification, no bits)
and in princeps, alternately, and takes the best processor time of each; messages, time and leader must agree. The
last rows are the bars: A_k with 10^4 distinct labels and B_k with 5000, k = 3, each in under 60 s, A_k in under 1 GiB.
`--write` keeps the tables in docs/ring-speed.md.
"""

from __future__ import annotations

import argparse
import platform
import resource
import subprocess
import sys
import time
from pathlib import Path

import princeps
from princeps.engines.rings.simulate import simulate_ring
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.result import RingResult

HERE = Path(__file__).parent
ABOUT = str(__doc__).partition("\n")[2].partition("\n`--write`")[0] + "\n"
ROWS = [("a_k", 1000, 3), ("a_k", 3000, 3), ("b_k", 300, 3), ("b_k", 1000, 3)]
BARS = [("a_k", 10_000, 3), ("b_k", 5000, 3)]
SCHEDULES = ("synchronous", "random", "slow:0", "adversarial")


def compile_c() -> str:
    binary = str(HERE / "ring_loops")
    subprocess.run(["cc", "-O3", "-march=native", "-o", binary, f"{binary}.c"], check=True)
    return binary


def in_c(binary: str, name: str, result: RingResult) -> tuple[float, tuple[int, int, int]]:
    words = [binary, name, str(result.n), str(result.params["k"])]
    labels = " ".join(map(str, result.labels))
    out = subprocess.run(words, check=True, capture_output=True, text=True, input=labels).stdout.split()
    return float(out[0]), (int(out[1]), int(out[2]), int(out[3]))


def in_princeps(name: str, n: int, k: int, schedule: str) -> tuple[float, RingResult]:
    run = make_ring_run(name, n, schedule=schedule, seed=1, engine="compiled", params={"k": k})
    began = time.process_time()
    result = simulate_ring(run)
    assert result.converged
    return (time.process_time() - began) / result.messages * 1e9, result


def compare(binary: str, name: str, n: int, k: int, repeats: int) -> list[str]:
    best, best_c = float("inf"), float("inf")
    for _ in range(repeats):
        took, result = in_princeps(name, n, k, "synchronous")
        took_c, found = in_c(binary, name, result)
        if found != (result.messages, result.time, result.leader):
            raise SystemExit(f"{name}, n = {n}: C says {found}, princeps {result}")
        best, best_c = min(best, took), min(best_c, took_c)
    others = [in_princeps(name, n, k, schedule)[0] for schedule in SCHEDULES[1:]]
    rate = 1e3 / best
    numbers = [
        f"{best_c:.1f}",
        f"{best:.1f}",
        f"{best / best_c:.2f}",
        f"{rate:.0f}",
        *(f"{took:.1f}" for took in others),
    ]
    return [name, f"{n:,}", str(k), f"{result.messages:,}", *numbers]


def bar(name: str, n: int, k: int) -> list[str]:
    began = time.perf_counter()
    took, result = in_princeps(name, n, k, "synchronous")
    wall = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    fine = wall < 60 and peak < 1
    command = f"princeps run {name} -n {n} -p k={k} --seed 1"
    return [
        command,
        f"{result.messages:,}",
        f"{wall:.1f} s",
        f"{1e3 / took:.0f}",
        f"{peak:.2f} GiB",
        "ok" if fine else "MISSED",
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/ring-speed.md")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    binary = compile_c()
    for name in ("a_k", "b_k"):
        in_princeps(name, 20, 2, "synchronous")  # compiles, or loads what was compiled
    heads = ["algorithm", "n", "k", "messages", "C by hand (ns)", "princeps (ns)", "princeps / C", "million messages/s"]
    heads += [f"{schedule} (ns)" for schedule in SCHEDULES[1:]]
    text = table(heads, [compare(binary, *row, options.repeats) for row in ROWS])
    text += [
        "",
        *table(["command", "messages", "seconds", "million messages/s", "peak", "bar"], [bar(*row) for row in BARS]),
    ]
    print("\n".join(text))
    if options.write:
        system = f"Python {platform.python_version()}, {platform.machine()}, one core"
        head = [
            "# Speed of the ring engine",
            "",
            f"Written by `make bench-rings WRITE=1`, princeps {princeps.__version__}, {system}.",
        ]
        (HERE.parent / "docs" / "ring-speed.md").write_text("\n".join([*head, ABOUT, *text]) + "\n")
    return int(any("MISSED" in line for line in text))


def table(heads: list[str], rows: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows)]


if __name__ == "__main__":
    sys.exit(main())
