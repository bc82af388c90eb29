"""`make proof-fuzz`: random protocols and lemmas by `prove` and by enumeration; ends with 1 where they contradict each other."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "verification")]

from proof_fuzz.judging import TEXTS, WRONG, judged  # noqa: E402


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="proof_fuzz", description=__doc__)
    parser.add_argument("kinds", nargs="*", default=list(TEXTS), help=f"of {', '.join(TEXTS)}")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--protocols", type=int, default=100, help="how many of each kind (100)")
    parser.add_argument("--seconds", type=float, default=3600, help="stop after this time (3600)")
    parser.add_argument("--folder", help="keep the files there")
    given = parser.parse_args(words)
    found: Counter[tuple[str, str]] = Counter()
    wrong, began, tried = 0, time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(given.folder or folder)
        kept.mkdir(exist_ok=True)
        for seed in range(given.first, given.first + given.protocols):
            for kind in given.kinds:
                if time.monotonic() - began > given.seconds:
                    break
                tried += 1
                for one in judged(kind, seed, kept):
                    found[kind, one.outcome] += 1
                    if one.outcome in WRONG:
                        wrong += 1
                        print(f"{one.outcome}: {one.kind} {one.seed} {one.lemma}: {one.why}", flush=True)
    for (kind, outcome), number in sorted(found.items()):
        print(f"{kind}: {outcome}: {number}")
    print(f"{tried} files, {time.process_time():.0f} s of processor time, {wrong} contradictions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
