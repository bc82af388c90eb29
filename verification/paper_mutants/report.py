"""Claim by claim: how many alterations were tried, which of them change its verdict, and which claims none can change."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence

from paper_mutants.alterations import Alteration
from paper_mutants.progress import Progress
from princeps.papers.claims import Claim, Paper

SHOWN = 5


def runs_the_protocol(claim: Claim, protocol: str) -> bool:
    """The file of its check names the protocol: a claim about numbers alone cannot notice an altered rule.

    Of a lemma that is looked up elsewhere it is the file of `lemma`.
    """
    asked = [claim.check]
    if "lemma(" in inspect.getsource(claim.check):
        asked.append(claim.check.__globals__["lemma"])
    modules = [module for module in map(inspect.getmodule, asked) if module is not None]
    return any(re.search(rf'"{protocol}"', inspect.getsource(module)) is not None for module in modules)


def print_report(papers: Sequence[Paper], pairs: Sequence[tuple[Alteration, str]], progress: Progress) -> int:
    """1 if a claim is vacuous: every alteration of the rules it runs was tried, and none changes its verdict."""
    vacuous = 0
    for paper in papers:
        for claim in paper:
            own = [alteration for alteration, id in pairs if id == claim.id]
            if not own:
                print(f"{claim.id}: runs no rule; its planted fault alters the statement")
                continue
            known = [(one, answer) for one in own if (answer := progress.answer(one, claim.id)) is not None]
            noticed = [one for one, answer in known if answer["changed"]]
            text = f"{claim.id}: {len(noticed)} of {len(known)} alterations change it ({len(own)} in all)"
            if known and not noticed and len(known) == len(own):
                vacuous += 1
                text += ": VACUOUS"
            print(text)
            for one in noticed[:SHOWN]:
                print(f"    {one.says}")
    print(f"{vacuous} vacuous claims")
    return 1 if vacuous else 0
