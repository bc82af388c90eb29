"""Claim by claim: how many alterations were tried, which of them change its verdict, and which claims none can change."""

from __future__ import annotations

from collections.abc import Sequence

from paper_mutants.alterations import Alteration
from paper_mutants.asking import is_about
from paper_mutants.progress import Progress
from paper_mutants.watching import NO_END
from princeps.papers.claims import Claim, Paper

SHOWN = 5
VACUOUS, UNDECIDED = "VACUOUS", "UNDECIDED, give it more --claim-seconds"


def print_report(papers: Sequence[Paper], pairs: Sequence[tuple[Alteration, str]], progress: Progress) -> int:
    """1 if a claim is vacuous: every alteration of the lines it is about was tried, and none changes its verdict."""
    vacuous = 0
    for paper in papers:
        for claim in paper:
            own = [alteration for alteration, id in pairs if id == claim.id]
            known = [(one, answer) for one in own if (answer := progress.answer(one, claim.id)) is not None]
            noticed = [one for one, answer in known if answer["changed"]]
            endless = sum(answer["verdict"] == NO_END for _, answer in known)
            text = f"{claim.id}: {len(noticed)} of {len(known)} alterations change it ({len(own)} in all)"
            text += f", with {endless} it comes to no end" if endless else ""
            judged = judgement(claim, own, progress)
            vacuous += judged == VACUOUS
            print(text if judged is None else f"{text}: {judged}")
            for one in noticed[:SHOWN]:
                print(f"    {one.says}")
    print(f"{vacuous} vacuous claims")
    print(time_text(pairs, progress))
    return 1 if vacuous else 0


def time_text(pairs: Sequence[tuple[Alteration, str]], progress: Progress) -> str:
    """How long the pairs took that are known, one after the other, and what is left at that rate."""
    answers = [progress.answer(*pair) for pair in pairs]
    spent = [answer["seconds"] for answer in answers if answer is not None and "seconds" in answer]
    left = sum(answer is None for answer in answers)
    text = f"{len(pairs) - left:,} of {len(pairs):,} pairs tried; one after the other they took {hours(sum(spent))}"
    if not left or not spent:
        return text
    return f"{text}, and the other {left:,} will take {hours(left * sum(spent) / len(spent))} if they are like these"


def hours(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min"


def judgement(claim: Claim, alterations: Sequence[Alteration], progress: Progress) -> str | None:
    """By the lines that it is about; None where some of them are not tried yet, or one changes it."""
    lines = [one for one in alterations if is_about(one, claim)]
    if not lines:
        if any((progress.answer(one, claim.id) or {}).get("changed") for one in alterations):
            return None  # its fault alters a declaration, but it notices rules, too
        fault = claim.planted.says if claim.planted is not None else "none"
        return f"about no line of a rule; its planted fault: {fault}"
    answers = [progress.answer(one, claim.id) for one in lines]
    if any(answer is None or answer["changed"] for answer in answers):
        return None
    return UNDECIDED if any(answer is not None and answer["verdict"] == NO_END for answer in answers) else VACUOUS
