"""One alteration, tried on claims one after the other; a line of JSON for each of them on standard output.

python -m paper_mutants.trying p_rl 17 000.coin 000.L1
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "verification")]

from paper_mutants.alterations import alterations  # noqa: E402
from paper_mutants.here import InThisProcess  # noqa: E402
from princeps.campaign.store import open_store  # noqa: E402
from princeps.errors import PrincepsError  # noqa: E402
from princeps.papers.catalogue import find_papers  # noqa: E402
from princeps.papers.examining import Examination  # noqa: E402


def main(words: list[str]) -> None:
    protocol, number, *claims = words
    planted = alterations(protocol)[int(number)].planted()
    with TemporaryDirectory(prefix="princeps-") as folder, open_store(str(Path(folder) / "evidence.db")) as store:
        examination = Examination(store, plant=True, make_pool=lambda jobs: InThisProcess())
        for id in claims:
            began = time.monotonic()
            (paper,) = find_papers([id])
            paper = replace(paper, claims=[replace(claim, planted=planted) for claim in paper])
            try:
                (finding,) = examination.findings(paper)
                answer: dict[str, Any] = {"claim": id, "verdict": finding.verdict, "changed": finding.changed}
            except PrincepsError as error:  # the altered rule leaves its states, say: no verdict comes of it
                answer = {"claim": id, "verdict": f"refused: {error}", "changed": False}
            print(json.dumps({**answer, "seconds": round(time.monotonic() - began, 2)}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
