"""`make papers-mutants`: which alterations of a rule change which verdict; a claim that none can change is vacuous."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "verification")]

from paper_mutants.alterations import Alteration, alterations  # noqa: E402
from paper_mutants.asking import in_order, is_about, protocols_of  # noqa: E402
from paper_mutants.progress import Progress  # noqa: E402
from paper_mutants.report import print_report  # noqa: E402
from paper_mutants.watching import tried  # noqa: E402
from princeps.model.machine import processors  # noqa: E402
from princeps.papers.catalogue import CATALOGUE, find_papers  # noqa: E402

PROGRESS = "paper-mutants.jsonl"


def read_arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="paper_mutants", description=__doc__)
    parser.add_argument("--claims", default="", help="only these claims or papers, with commas between")
    parser.add_argument("--protocols", default="", help="only alterations of these, with commas between")
    parser.add_argument("--own-lines", action="store_true", help="only lines that a claim's planted fault alters")
    parser.add_argument("--until-noticed", action="store_true", help="of each claim, stop at the first that changes it")
    parser.add_argument("--seconds", type=float, default=3600, help="stop after this time (3600); it goes on next time")
    parser.add_argument("--claim-seconds", type=float, default=60, help="that a claim may take with an alteration (60)")
    parser.add_argument("--jobs", type=int, default=processors(), help="processes (all processors)")
    parser.add_argument("--progress", default=PROGRESS, help=f"the file of what is known ({PROGRESS})")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    given = read_arguments(words)
    papers = find_papers([word for word in given.claims.split(",") if word] or list(CATALOGUE))
    chosen = [name for name in given.protocols.split(",") if name]
    progress, began = Progress(Path(given.progress)), time.monotonic()
    claims = {claim.id: claim for paper in papers for claim in paper}
    pairs: list[tuple[Alteration, str]] = [
        (alteration, id)
        for id in claims
        for protocol in protocols_of(id)
        if not chosen or protocol in chosen
        for alteration in alterations(protocol)
        if not given.own_lines or is_about(alteration, claims[id])
    ]
    pairs = in_order(pairs, claims)
    print(f"{len(pairs):,} pairs of an alteration and a claim, {_known(pairs, progress):,} of them known", flush=True)
    try:
        while todo := _left(pairs, progress, given.until_noticed):
            for alteration, answer in tried(todo, given.jobs, given.claim_seconds):
                progress.add(alteration, answer)
                print(f"{alteration.says}: {answer['claim']} {answer['verdict']}", flush=True)
                if time.monotonic() - began > given.seconds:
                    print("the time is over: the same command goes on.", flush=True)
                    return print_report(papers, pairs, progress) and 3
                if given.until_noticed and answer["changed"]:
                    break  # what else is asked of this claim need not be tried
    except KeyboardInterrupt:
        print("interrupted: the same command goes on.", flush=True)
        print_report(papers, pairs, progress)
        return 130
    return print_report(papers, pairs, progress)


def _known(pairs: list[tuple[Alteration, str]], progress: Progress) -> int:
    return sum(progress.answer(*pair) is not None for pair in pairs)


def _left(
    pairs: list[tuple[Alteration, str]], progress: Progress, until_noticed: bool
) -> list[tuple[Alteration, list[str]]]:
    """Alterations with the claims that have not been tried, or that nothing has changed yet."""
    noticed = {claim for alteration, claim in pairs if (progress.answer(alteration, claim) or {}).get("changed")}
    found: dict[Alteration, list[str]] = {}
    for alteration, claim in pairs:
        if progress.answer(alteration, claim) is None and not (until_noticed and claim in noticed):
            found.setdefault(alteration, []).append(claim)
    return list(found.items())


if __name__ == "__main__":
    sys.exit(main())
