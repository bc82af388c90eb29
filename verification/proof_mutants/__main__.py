"""`make proof-mutants`: every alteration of P_RL's and P_LL's rules, by `prove` and by enumeration."""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "verification")]

from proof_mutants import populations, rings  # noqa: E402
from proof_mutants.altering import EDITS, Alteration, alterations  # noqa: E402
from proof_mutants.comparing import CONTRADICTION, compared, size_of  # noqa: E402
from proof_mutants.page import report, write_page  # noqa: E402
from proof_mutants.proving import SEARCH, judged  # noqa: E402

PROGRESS = "proof-mutants.jsonl"
ENUMERATED = {"p_rl": rings.enumerated, "p_ll": populations.enumerated}
ORDER = 1  # the seed of the order: a part of all alterations is then a sample of them


def read_arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="proof_mutants", description=__doc__)
    parser.add_argument("protocols", nargs="*", default=list(EDITS), help="only alterations of these")
    parser.add_argument(
        "--seconds", type=float, default=14_400, help="stop after this time (14400); it goes on next time"
    )
    parser.add_argument("--search", type=int, default=SEARCH, help=f"units of work of one search on rings ({SEARCH})")
    parser.add_argument("--progress", default=PROGRESS, help=f"the file of what is known ({PROGRESS})")
    parser.add_argument("--write", action="store_true", help="write docs/prove-mutants.md of what is known")
    parser.add_argument("--report", action="store_true", help="try nothing, tell what is known")
    return parser.parse_args(words)


def known(path: Path) -> dict[str, dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {answer["key"]: answer for answer in map(json.loads, lines)}


def tried(alteration: Alteration, folder: Path, search: int = SEARCH) -> dict[str, Any]:
    """Both judgements of every lemma."""
    began = time.process_time()
    cls = alteration.load(folder)
    seen = ENUMERATED[alteration.protocol](cls)
    enumerating = time.process_time() - began
    lemmas = {}
    for verdict in judged(cls, search):
        name = verdict.statement.id
        example = None if verdict.counterexample is None else size_of(verdict)
        lemmas[name] = {
            "outcome": compared(verdict, seen[name]),
            "why": verdict.why,
            "counterexample": example,
            "enumerated": seen[name],
        }
    return {
        "key": alteration.key,
        "protocol": alteration.protocol,
        "altered": alteration.says,
        "lemmas": lemmas,
        "seconds": [round(enumerating, 2), round(time.process_time() - began - enumerating, 2)],
    }


def main(words: list[str] | None = None) -> int:
    given = read_arguments(words)
    path, began = Path(given.progress), time.monotonic()
    answers = known(path)
    every = [one for protocol in given.protocols for one in alterations(protocol)]
    random.Random(ORDER).shuffle(every)
    todo = [] if given.report else [one for one in every if one.key not in answers]
    status = 0
    print(
        f"{len(every)} alterations, {sum(one.key in answers for one in every)} are known; about 6 s of a processor for each of the others",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        try:
            for k, alteration in enumerate(todo):
                answer = tried(alteration, Path(folder), given.search)
                answers[answer["key"]] = answer
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(answer) + "\n")
                outcomes = ", ".join(f"{name} {one['outcome']}" for name, one in answer["lemmas"].items())
                print(f"{k + 1}/{len(todo)} {answer['seconds']} s  {alteration.says}: {outcomes}", flush=True)
                if time.monotonic() - began > given.seconds:
                    print("the time is over: the same command goes on.", flush=True)
                    status = 3
                    break
        except KeyboardInterrupt:
            print("interrupted: the same command goes on.", flush=True)
            status = 130
    found = [answers[one.key] for one in every if one.key in answers]
    print("\n".join(report(found, len(every))))
    if given.write:
        write_page(ROOT / "docs" / "prove-mutants.md", found, every)
    wrong = any(one["outcome"] == CONTRADICTION for answer in found for one in answer["lemmas"].values())
    return 1 if wrong else status


if __name__ == "__main__":
    sys.exit(main())
