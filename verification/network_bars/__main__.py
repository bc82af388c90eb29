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
    "storm": storms.rows,
    "rings": rings.rows,
    "attack": attacks.rows,
    "leftovers": leftovers.rows,
    "conducted": conducted.rows,
    "elections": elections.rows,
    "throughput": throughput.rows,
}
PREFACE = """# What network runs hold, measured

Processes and sockets on one machine; [network.md](network.md) says what they do. `make network-bars` measures all of it,
`make network-bars WRITE=1` writes this page, `make network-bars ARGS='--only storm --scale 0.1'` measures a part, smaller.

**Storms.** The last fault is the death of the leader, or of everybody at once; whoever died comes back in a random state, while
loss, duplicates and garbage go on. From there on 16 n^2 interactions are looked at, a number that was fixed before anything was
measured. A run settles after s if exactly one agent leads from the s-th of them to the last. The bar is the protocol's own law: the
model is simulated a thousand times over as many interactions from the very configuration that the last fault left, and the
network must settle, and not later than all of those. (One run in a thousand that has the law is refused.) Of a self-stabilizing
protocol (`p_rl`, `optimal_silent`) one leader is then for ever. A loosely-stabilizing one (`timer`, `p_pl`) promises one leader
soon and for a long time: when a leader dies several timers may run out, two or three lead for a while, and much later a leader may
be lost again, on the network as in the model. So the bar for them is that they settle as the model does and have one leader at
the end of the window, not that they keep it for ever. A killed leader may also come back as a leader: then nothing is to be
recovered, which is why there is a row in which everybody dies. Tests plant a protocol whose leaders do not yield and a partition
that does not end: both fail.

princeps {version}, Python {python}, {processors} processors.

| part | test | measured | bar | holds |
|---|---|---|---|---|
"""


def read_arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="network_bars", description=__doc__)
    parser.add_argument("--only", default=",".join(PARTS), help=f"only these, with commas between: {', '.join(PARTS)}")
    parser.add_argument("--scale", type=float, default=1.0, help="of all sizes and durations (1)")
    parser.add_argument("--write", action="store_true", help="keep the rows in docs/network-bars.md")
    given = parser.parse_args(words)
    unknown = [name for name in given.only.split(",") if name not in PARTS]
    if unknown:
        parser.error(f"unknown part {unknown[0]}: {', '.join(PARTS)}")
    if not 0 < given.scale <= 1:
        parser.error(f"--scale {given.scale:g} is not understood: give a number above 0 and up to 1")
    if given.write and given.scale != 1:
        parser.error("--write keeps what was measured at full size: leave --scale out")
    return given


def main(words: list[str] | None = None) -> int:
    given, began, found = read_arguments(words), time.monotonic(), list[Row]()
    for name in given.only.split(","):
        lines = list[str]()
        for row in PARTS[name](Sizes().scaled(given.scale)):
            lines.append(row.markdown(name))
            print(lines[-1], flush=True)
            found.append(row)
        if given.write:
            write(name, lines)
    missed = [row for row in found if not row.holds]
    print(f"{len(found) - len(missed)} of {len(found)} bars hold, {time.monotonic() - began:.0f} s")
    return 1 if missed else 0


def write(part: str, lines: list[str], page: Path = PAGE) -> None:
    """The rows of this part; those of others stay."""
    before = page.read_text(encoding="utf-8").splitlines() if page.exists() else []
    rows = {name: [line for line in before if line.startswith(f"| {name} |")] for name in PARTS} | {part: lines}
    about = {"version": __version__, "python": platform.python_version(), "processors": os.cpu_count()}
    text = PREFACE.format(**about) + "".join(f"{line}\n" for own in rows.values() for line in own)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
