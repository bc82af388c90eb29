"""What became of alterations so far, in a file of one line each; keyed by the altered text and by the claim's sources."""

from __future__ import annotations

import hashlib
import inspect
import json
from pathlib import Path
from typing import Any

from paper_mutants.alterations import Alteration
from princeps.papers.catalogue import find_papers


class Progress:
    """An answer holds as long as neither the altered file nor the file of the claim's check is another one."""

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
    ((one,),) = find_papers([claim])
    check = inspect.getsource(inspect.getmodule(one.check))  # type: ignore[arg-type]
    return hashlib.sha256(f"{claim}\n{check}\n{alteration.mutant.source}".encode()).hexdigest()[:20]
