"""What became of alterations so far, in a file of one line each; keyed by the altered text and all that the check reaches."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from paper_mutants.alterations import Alteration
from princeps.papers.catalogue import find_papers
from princeps.papers.reached import reached_from


class Progress:
    """An answer holds as long as neither the altered file nor anything that the claim's check reaches is another one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known: dict[str, dict[str, Any]] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                answer = json.loads(line)
                self.known[answer["key"]] = answer

    def answer(self, alteration: Alteration, claim: str) -> dict[str, Any] | None:
        return self.known.get(key_of(alteration, claim))

    def add(self, alteration: Alteration, answer: dict[str, Any]) -> None:
        kept = {"key": key_of(alteration, answer["claim"]), "altered": alteration.says, **answer}
        self.known[kept["key"]] = kept
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(kept) + "\n")


def key_of(alteration: Alteration, claim: str) -> str:
    return hashlib.sha256(f"{_asked(claim)}\n{alteration.mutant.source}".encode()).hexdigest()[:20]


@cache
def _asked(claim: str) -> str:
    """The claim's check with everything that it reaches by name, as its evidence is identified."""
    ((one,),) = find_papers([claim])
    return "\n".join([claim, *reached_from([one.check])])
