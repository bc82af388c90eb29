"""`make fuzz`: the whole attack, a table of what became of it, and a file with what it found."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # forked processes share no threads

sys.path.append(str(Path(__file__).parents[2]))  # the brute force of the tests is one of the judges

from fuzz.attack import Attack, Tally, processors
from fuzz.categories import CATEGORIES, planned
from fuzz.findings import Findings
from fuzz.progress import Progress
from fuzz.table import print_table
from fuzz.warming import fill_cache, use_own_cache, warm, warm_cold
from fuzz.workers import Report, Worker
from fuzz.workspace import TEMPLATE


def read_arguments(words: list[str] | None = None) -> argparse.Namespace:
    names = ", ".join(CATEGORIES)
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="stop after this time (600)")
    parser.add_argument("--seed", type=int, default=1, help="the inputs depend on it alone (1)")
    parser.add_argument("--inputs", type=int, default=100_000, help="how many inputs (100000)")
    parser.add_argument("--protocols", type=int, default=400, help="how many random protocols (400)")
    parser.add_argument("--categories", default="", help=f"only these, with commas between: {names}")
    parser.add_argument("--jobs", type=int, default=processors(), help="processes (all processors)")
    parser.add_argument("--findings", default="fuzz-findings.md", help="the file of what is found (fuzz-findings.md)")
    parser.add_argument("--progress", default="fuzz-progress.json", help="how far it came (fuzz-progress.json)")
    parser.add_argument("--resume", action="store_true", help="go on where the same attack was interrupted")
    parser.add_argument("--again", action="store_true", help="with --resume: try anew what found something before")
    parser.add_argument("--only", metavar="CATEGORY:NUMBER", help="one input alone")
    parser.add_argument("--workspace", metavar="DIR", help="make the files that the inputs name, and nothing else")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    given = read_arguments(words)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # workers are ended, too
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell starts in the background
    if given.workspace:
        warm_cold()
        make_template(Path(given.workspace))
        return 0
    unknown = [name for name in given.categories.split(",") if name and name not in CATEGORIES]
    if unknown:
        sys.exit(f"unknown category {unknown[0]}: {', '.join(CATEGORIES)}")
    with tempfile.TemporaryDirectory(prefix="princeps-fuzz-", ignore_cleanup_errors=True) as folder:
        if given.only:
            return alone(given.only, given.seed, Path(folder))
        return attack(given, Path(folder))


def make_template(path: Path) -> None:
    from fuzz.good_files import make_files

    make_files(path)


def attack(given: argparse.Namespace, folder: Path) -> int:
    began = time.monotonic()
    chosen = [name for name in given.categories.split(",") if name] or list(CATEGORIES)
    tallies = planned(chosen, given.inputs, given.protocols)
    plan = {"seed": given.seed, "inputs": given.inputs, "protocols": given.protocols, "categories": chosen}
    findings = Findings(Path(given.findings), given.seed, given.resume)
    progress = Progress(Path(given.progress), plan)
    if given.resume:
        progress.resume(tallies)
    for tally in tallies if given.again else ():
        tally.try_again()
    last = began

    def watch(tally: Tally, report: Report | None) -> None:
        nonlocal last
        if report is not None:
            if findings.add(tally.category, report):
                first = report.troubles[0]
                print(f"{first.kind} in {tally.category.name}:{report.number}: {report.text[:150]!r}", flush=True)
        elif time.monotonic() - last > 20:
            last = time.monotonic()
            progress.save(tallies, last - began)
            done, wanted = sum(one.tried for one in tallies), sum(one.wanted for one in tallies)
            print(f"{last - began:.0f} s: {done:,} of {wanted:,}", file=sys.stderr, flush=True)

    deadline = began + given.seconds
    use_own_cache(folder)
    cold = [tally for tally in tallies if tally.category.is_cold]
    others = [tally for tally in tallies if not tally.category.is_cold]
    warm_cold()
    make_template(folder / TEMPLATE) if not cold else Worker.in_child(make_template, folder / TEMPLATE)
    try:
        if cold:
            fill_cache(folder)
            Attack(cold, given.seed, folder, given.jobs, time.monotonic() + given.seconds / 8).run(watch)
        if others:
            warm(folder / TEMPLATE)
            Attack(others, given.seed, folder, given.jobs, deadline).run(watch)
    except KeyboardInterrupt:
        print("interrupted: the table is of what was tried.", file=sys.stderr)
    progress.save(tallies, time.monotonic() - began)
    print_table(tallies, given.seed, time.monotonic() - began)
    for part in progress.parts:
        print(f"an earlier part: {part['commit']}, {part['seconds']} s")
    if all(tally.is_clean for tally in tallies):
        return 0
    print(findings.summary())
    print(f"what reproduces them is in {findings.path}")
    return 1


def alone(what: str, seed: int, folder: Path) -> int:
    """One input, in a worker like all others."""
    name, _, number = what.partition(":")
    category, first = CATEGORIES[name], int(number)
    use_own_cache(folder)
    warm_cold()
    if category.is_cold:
        Worker.in_child(make_template, folder / TEMPLATE)
        fill_cache(folder)
    else:
        make_template(folder / TEMPLATE)
        warm(folder / TEMPLATE)
    place = folder / "worker0"
    place.mkdir()
    worker = Worker(category, seed, first, first + 1, place)
    worker.start()
    while worker.look():
        time.sleep(0.05)
    for file in ("current", "stdout", "stderr"):
        path = place / file
        print(f"--- {file}\n{path.read_text(errors='backslashreplace') if path.exists() else ''}")
    for report in worker.reports:
        for trouble in report.troubles:
            print(f"--- {trouble.kind}\n{trouble.text}")
    return int(bool(worker.reports))


if __name__ == "__main__":
    sys.exit(main())
