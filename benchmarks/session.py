"""How long a session takes to go anywhere in a long run, and what its checkpoints cost. Prints a table, asserts nothing.

python benchmarks/session.py [--steps 1e7] [--gotos 40]
"""

from __future__ import annotations

import argparse
import time

import princeps
from princeps.engines.session import Session
from princeps.model.randomness import Stream

CASES = [
    ("p_rl", 1000, "agents"),
    ("p_rl", 1000, "events"),
    ("p_ll", 1000, "agents"),
    ("p_ll", 10**6, "agents"),
    ("fratricide", 1000, "reference"),
]
REFERENCE_SHARE = 20  # plain Python goes so much less far


def measure(name: str, n: int, engine: str, steps: int, gotos: int) -> None:
    made = princeps.session(name, n, seed=1, engine=engine)
    assert isinstance(made, Session)
    made.step(1000).goto(0).forget_future()  # compiles
    began = time.perf_counter()
    made.step(steps)
    forward = time.perf_counter() - began
    plain = princeps.session(name, n, seed=1, engine=engine)
    assert isinstance(plain, Session)
    began = time.perf_counter()
    plain.population.advance_exactly(steps)
    without = time.perf_counter() - began
    stream, times = Stream.of(1, 0, "gotos"), []
    for _ in range(gotos):
        step = stream.below(steps + 1)
        began = time.perf_counter()
        made.goto(step)
        times.append(time.perf_counter() - began)
    kept = made._checkpoints.kept
    size = len(kept) * made.population.snapshot_bytes / 2**20
    print(
        f"{name:10} n={n:<8} {engine:9} {steps:>10,} steps: {forward:6.2f} s ({without:6.2f} s without checkpoints), "
        f"goto {1000 * sorted(times)[len(times) // 2]:6.1f} ms median, {1000 * max(times):6.1f} ms worst, "
        f"{len(kept)} checkpoints, {size:.1f} MiB",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=float, default=1e7)
    parser.add_argument("--gotos", type=int, default=40)
    arguments = parser.parse_args()
    for name, n, engine in CASES:
        steps = int(arguments.steps) // (REFERENCE_SHARE if engine == "reference" else 1)
        measure(name, n, engine, steps, arguments.gotos)


if __name__ == "__main__":
    main()
