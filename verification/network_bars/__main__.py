"""`make network-bars`: every bar of network runs, measured on this machine. Some twenty minutes on two quiet cores."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from network_bars import attacks, conducted, elections, leftovers, rings, storms, throughput
from network_bars.rows import Row, Sizes
from princeps import __version__

PAGE = Path(__file__).resolve().parents[2] / "docs" / "network-bars.md"
PARTS: dict[str, Callable[[Sizes], Iterator[Row]]] = {
    "throughput": throughput.rows,
    "conducted": conducted.rows,
    "elections": elections.rows,
    "storm": storms.rows,
    "rings": rings.rows,
    "attack": attacks.rows,
    "leftovers": leftovers.rows,
}
PREFACE = """# What network runs hold, measured

Processes and sockets on one machine; [network.md](network.md) says what they do. `make network-bars` measures all of it,
`make network-bars WRITE=1` writes this page, `make network-bars ARGS='--only storm --scale 0.1'` measures a part, smaller.

princeps {version}, Python {python}, {processors} processors, {minutes:.0f} minutes.

| test | measured | bar | holds |
|---|---|---|---|
"""


def read_arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="network_bars", description=__doc__)
    parser.add_argument("--only", default=",".join(PARTS), help=f"only these, with commas between: {', '.join(PARTS)}")
    parser.add_argument("--scale", type=float, default=1.0, help="of all sizes and durations (1)")
    parser.add_argument("--write", action="store_true", help="keep the table in docs/network-bars.md")
    given = parser.parse_args(words)
    unknown = [name for name in given.only.split(",") if name not in PARTS]
    if unknown:
        parser.error(f"unknown part {unknown[0]}: {', '.join(PARTS)}")
    if not 0 < given.scale <= 1:
        parser.error(f"--scale {given.scale:g} is not understood: give a number above 0 and up to 1")
    if given.write and (given.scale != 1 or set(given.only.split(",")) != set(PARTS)):
        parser.error("--write keeps the whole table: leave --only and --scale out")
    return given


def main(words: list[str] | None = None) -> int:
    given, began, found = read_arguments(words), time.monotonic(), list[Row]()
    for name in given.only.split(","):
        for row in PARTS[name](Sizes().scaled(given.scale)):
            print(row.markdown(), flush=True)
            found.append(row)
    missed = [row for row in found if not row.holds]
    if given.write:
        minutes = (time.monotonic() - began) / 60
        about = {"version": __version__, "python": platform.python_version(), "processors": os.cpu_count()}
        lines = "".join(f"{row.markdown()}\n" for row in found)
        PAGE.write_text(PREFACE.format(**about, minutes=minutes) + lines, encoding="utf-8")
    print(f"{len(found) - len(missed)} of {len(found)} bars hold, {time.monotonic() - began:.0f} s")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
