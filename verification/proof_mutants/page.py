"""What came of it, as lines of text and as a page of the documentation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import princeps
from proof_mutants import populations, rings
from proof_mutants.altering import Alteration
from proof_mutants.comparing import CLASSES, ONLY_ENUMERATION, ONLY_PROOF, OPEN

Answers = Sequence[dict[str, Any]]


def table(answers: Answers) -> list[str]:
    """Lemmas in rows, how often each outcome occurs in columns."""
    lemmas = dict.fromkeys((answer["protocol"], name) for answer in answers for name in answer["lemmas"])
    rows = [f"| lemma | {' | '.join(CLASSES)} |", "|---|" + "---:|" * len(CLASSES)]
    total: Counter[str] = Counter()
    for protocol, name in sorted(lemmas):
        found = Counter(
            answer["lemmas"][name]["outcome"]
            for answer in answers
            if answer["protocol"] == protocol and name in answer["lemmas"]
        )
        total += found
        rows.append(f"| {protocol} {name} | {' | '.join(str(found[one]) for one in CLASSES)} |")
    rows.append(f"| all | {' | '.join(str(total[one]) for one in CLASSES)} |")
    return rows


def listed(answers: Answers, outcome: str) -> list[str]:
    """The alterations of which a lemma came out like this."""
    found: dict[str, list[str]] = {}
    for answer in answers:
        for name, one in answer["lemmas"].items():
            if one["outcome"] == outcome:
                size = one["counterexample"] or one["enumerated"]["broken"]
                found.setdefault(answer["altered"], []).append(
                    f"{name} ({_size(answer['protocol'], size)})" if size else name
                )
    return [
        f"| `{altered.replace('|', chr(92) + '|')}` | {', '.join(lemmas)} |"
        for altered, lemmas in sorted(found.items())
    ]


def _size(protocol: str, size: Sequence[int]) -> str:
    names = ("n", "N") if protocol == "p_rl" else ("n", "m", "c_max")
    return ", ".join(f"{name} = {value}" for name, value in zip(names, size, strict=True))


def report(answers: Answers, every: int) -> list[str]:
    seconds = [sum(answer["seconds"][k] for answer in answers) for k in (0, 1)]
    return [
        *table(answers),
        f"{len(answers)} of {every} alterations; enumeration {seconds[0]:.0f} s, proofs {seconds[1]:.0f} s of processor time",
    ]


def write_page(path: Path, answers: Answers, every: Sequence[Alteration]) -> None:
    seconds = [sum(answer["seconds"][k] for answer in answers) for k in (0, 1)]
    tried = Counter(answer["protocol"] for answer in answers)
    there = Counter(one.protocol for one in every)
    shares = ", ".join(f"{tried[name]} of the {number} of {name}" for name, number in there.items())
    more = "" if len(answers) == len(every) else " (a part; the command goes on where it ended)"
    sizes = "; ".join(f"{n}, {N}" for n, N in rings.SIZES)
    small = "; ".join(f"{n}, {', '.join(map(str, given.values()))}" for n, given in populations.SIZES)
    text = [
        "# Proofs of altered rules",
        "",
        f"Written by `make proof-mutants WRITE=1`, princeps {princeps.__version__}. The alterations are those of [mutants](mutants.md):",
        "every statement of a rule deleted, every comparison, operator and constant changed, one at a time. `prove` judges each lemma",
        "for every n: certificates of the library as proposals, each clause that of the altered rule, then a bounded search, then",
        "counterexamples of a few agents. Enumeration judges the same lemma with the plain rule and nothing of the proofs: for P_RL",
        f"on all configurations at (n, N) = {sizes} (facts with marks or ghosts at 2, 2; 2, 3), for P_LL on all that is reached at",
        f"(n, m, c_max) = {small}, at most {populations.MOST:,} configurations each. P_LL's clock c_max may be anything from 2 on here, for both.",
        "",
        f"Tried, in an order drawn with a fixed seed: {shares}{more}. Processor time: enumeration {seconds[0]:.0f} s, proofs {seconds[1]:.0f} s.",
        "",
        *table(answers),
        "",
        "A contradiction would be a lemma that is proved and that enumeration breaks, or a counterexample at a size at which",
        "enumeration saw everything and found none. `not proved` is no verdict on the lemma.",
        "",
        "## What only a proof can see",
        "",
        "Refuted, with a counterexample that the plain rule has executed, and not broken at any size that was enumerated.",
        "",
        *_part(answers, ONLY_PROOF, "alteration | lemma, and the size of its counterexample"),
        "",
        "## Not proved, though enumeration refutes",
        "",
        *_part(answers, ONLY_ENUMERATION, "alteration | lemma, and the size at which it is broken"),
        "",
        "## Open",
        "",
        "Neither proved nor refuted within these limits.",
        "",
        *_part(answers, OPEN, "alteration | lemmas"),
    ]
    path.write_text("\n".join(text) + "\n", encoding="utf-8")


def _part(answers: Answers, outcome: str, head: str) -> list[str]:
    rows = listed(answers, outcome)
    return [f"| {head} |", "|---|---|", *rows] if rows else ["None."]
