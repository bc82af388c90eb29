"""How long the exact analysis takes: wall-clock time and memory of whole commands, and beside plain Python.

`--write` keeps the tables in docs/exact-speed.md. `--parts bars` or `--parts plain` runs one of them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
from scipy.sparse import coo_matrix, identity
from scipy.sparse.linalg import spsolve

import princeps
from princeps import __version__

DOCS = Path(__file__).resolve().parent.parent / "docs"

BARS = [
    ("p_rl -n 3 -p N=3", "5 s"),
    ("p_rl -n 3 -p N=3 --target s_rl", "5 s"),
    ("p_rl -n 4 -p N=4", "60 s, 2 GiB"),
    ("p_rl -n 4 -p N=4 --target s_rl", "60 s, 2 GiB"),
    ("p_rl -n 5 -p N=5", "15 min, 4 GiB"),
    ("p_rl -n 3 -p N=3 --rational", ""),
    ("fratricide -n 10000 --rational", ""),
    ("epidemic -n 10000 --rational", ""),
    ("p_pl -n 3 -p virus_factor=1 -p emit_factor=1 --hold", ""),
    ("numbered -n 6 -p m=1", ""),
    ("p_ll -n 3", ""),
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--parts", default="bars,plain")
    arguments = parser.parse_args()
    parts = arguments.parts.split(",")
    pages = [
        f"# How long exact takes\n\nRepeat it with `make bench-exact`. princeps {__version__}, {os.cpu_count()} cores.\n"
    ]
    if "bars" in parts:
        pages.append(bars())
    if "plain" in parts:
        pages.append(plain())
    if arguments.write:
        (DOCS / "exact-speed.md").write_text("\n".join(pages), encoding="utf-8")
    return 0


def table(columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def measured(command: str) -> tuple[float, float, dict[str, object]]:
    """Seconds and GiB of a whole command, imports and all, and what it printed."""
    read, write = os.pipe()
    began = time.perf_counter()
    process = os.fork()
    if process == 0:
        os.dup2(write, 1)
        os.execv(sys.executable, [sys.executable, "-m", "princeps", "exact", *command.split(), "--json"])
    os.close(write)
    with os.fdopen(read) as file:
        text = file.read()
    _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - began
    if status != 0:
        raise SystemExit(f"princeps exact {command} failed")
    return seconds, usage.ru_maxrss / 2**20, json.loads(text)


def bars() -> str:
    print(f"{'command':55} {'configurations':>16} {'listed':>12} {'seconds':>8} {'GiB':>6}  allowed")
    rows = []
    for command, allowed in BARS:
        measured(command) if "-n 5" not in command else None  # kernels are compiled once on a machine
        seconds, gib, found = measured(command)
        size = str(found["configurations"])
        size = f"{int(size):,}" if len(size) < 16 else f"about 10^{len(size) - 1}"
        row = (f"`{command}`", size, f"{found['reduced']:,}", f"{seconds:.1f}", f"{gib:.2f}", allowed)
        rows.append(row)
        print(f"{command:55} {row[1]:>16} {row[2]:>12} {row[3]:>8} {row[4]:>6}  {allowed}", flush=True)
    head = "## Whole commands\n\n`princeps exact ...`, imports included, with kernels in the cache.\n\n"
    return head + table(("command", "configurations", "listed", "seconds", "GiB", "allowed"), rows)


def plain() -> str:
    """The whole unreduced space with Python's own means and a general sparse solver, and with princeps, in one run."""
    print(f"\n{'p_rl n, N':10} {'plain Python':>14} {'unreduced':>12} {'reduced':>10} {'ratio':>10}")
    rows = []
    for n, N in ((2, 5), (2, 9), (3, 3)):
        princeps.exact("p_rl", n, N=N)  # kernels are compiled once on a machine
        princeps.exact("p_rl", n, N=N, reduce=False)
        began = time.perf_counter()
        mean = by_hand(n, N)
        hand = time.perf_counter() - began
        began = time.perf_counter()
        whole = princeps.exact("p_rl", n, N=N, reduce=False)
        unreduced = time.perf_counter() - began
        began = time.perf_counter()
        ours = princeps.exact("p_rl", n, N=N)
        reduced = time.perf_counter() - began
        assert abs(mean - ours.mean) < 1e-8 * mean
        assert abs(mean - whole.mean) < 1e-8 * mean
        row = (f"{n}, {N}", f"{hand:.2f}", f"{unreduced:.3f}", f"{reduced:.3f}", f"{hand / reduced:,.0f}")
        rows.append(row)
        print(f"{row[0]:10} {row[1]:>14} {row[2]:>12} {row[3]:>10} {row[4]:>10}", flush=True)
    head = (
        "## Beside plain Python\n\nSeconds for all configurations of P_RL to the largest safe set: dictionaries, a memo of "
        "delta and scipy's sparse solver; princeps with `--no-reduce`; princeps. The three means agree.\n\n"
    )
    return head + table(("n, N", "plain Python", "unreduced", "reduced", "plain / reduced"), rows)


def by_hand(n: int, N: int) -> float:
    """What a researcher would write in an afternoon."""
    protocol = princeps.protocol("p_rl", n, N=N)
    states = list(product(*(range(size or 0) for size in protocol.space.sizes)))
    delta = {(a, b): protocol.step(a, b) for a in states for b in states}
    leads = {state: protocol.leads(state) for state in states}
    number = {config: k for k, config in enumerate(product(states, repeat=n))}
    after = np.empty((len(number), n), np.int64)
    good = np.zeros(len(number), np.bool_)
    for config, k in number.items():
        good[k] = sum(leads[state] for state in config) == 1
        for i in range(n):
            j = (i + 1) % n
            pair = delta[config[i], config[j]]
            if leads[pair[0]] != leads[config[i]] or leads[pair[1]] != leads[config[j]]:
                good[k] = False
            changed = list(config)
            changed[i], changed[j] = pair
            after[k, i] = number[tuple(changed)]
    while True:
        kept = good & good[after].all(axis=1)
        if (kept == good).all():
            break
        good = kept
    rest = np.flatnonzero(~good)
    place = np.full(len(number), -1)
    place[rest] = np.arange(len(rest))
    columns = place[after[rest]]
    rows = np.repeat(np.arange(len(rest)), n)[columns.ravel() >= 0]
    inside = columns.ravel()[columns.ravel() >= 0]
    P = coo_matrix((np.full(len(rows), 1 / n), (rows, inside)), shape=(len(rest), len(rest))).tocsr()
    times = spsolve((identity(len(rest)) - P).tocsc(), np.ones(len(rest)))
    return float(times.sum() / len(number))


if __name__ == "__main__":
    sys.exit(main())
