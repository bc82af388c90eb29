"""Papers under examination: checks ask, what is missing is run, and in the end every claim has a verdict."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from princeps.campaign.store import Store
from princeps.papers.claims import Claim, Paper
from princeps.papers.exhibits import Exhibit
from princeps.papers.gathering import Watcher, gather
from princeps.papers.laboratory import QUICK, SKETCH, Failed, Lab, NotYet
from princeps.papers.verdicts import HOLDS, INCONCLUSIVE, NOT_TESTABLE, Outcome, Part, Value

MOST_ROUNDS = 100


@dataclass(frozen=True)
class Finding:
    """A claim with its verdict; its attributes are the keys of `paper --json`."""

    id: str
    says: str
    kind: str
    verdict: str
    recorded: str | None
    measured: Value
    bound: Value
    sample: str
    power: str
    command: str  # runs this claim alone
    commands: list[str]  # what was run for it, as far as other verbs can
    parts: list[dict[str, Any]]
    ours: list[str]
    planted: str  # the fault that this claim is known to notice, or the one that was planted

    @property
    def as_recorded(self) -> bool:
        """It came out as it stands in the record; without a record it should hold."""
        return self.verdict == self.recorded if self.recorded is not None else self.verdict in HOLDS

    @property
    def changed(self) -> bool:
        """With a planted fault: the verdict is plainly another one than that on record."""
        decided = self.verdict not in (INCONCLUSIVE, NOT_TESTABLE)
        both_hold = self.verdict in HOLDS and (self.recorded is None or self.recorded in HOLDS)
        return decided and self.verdict != self.recorded and not both_hold

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "as_recorded": self.as_recorded}


class Examination:
    """`ask` is called for each thing that is wanted of a lab until none of them misses anything."""

    def __init__(self, store: Store, *, effort: str = QUICK, seed: int = 0, jobs: int = 1, plant: bool = False) -> None:
        self.store, self.effort, self.seed, self.jobs, self.plant = store, effort, seed, jobs, plant

    def findings(self, paper: Paper, watch: Watcher = lambda done, total, what: None) -> Iterator[Finding]:
        """Every claim, in the paper's order. With `plant`, each of them with its fault planted."""
        if not self.plant:
            lab = Lab(self.store, effort=self.effort, seed=self.seed)
            outcomes = self._asked([_check(claim, lab) for claim in paper], lab, watch)
            for claim, outcome in zip(paper, outcomes, strict=True):
                yield self._finding(paper, claim, outcome)
            return
        with TemporaryDirectory(prefix="princeps-") as folder:
            for claim in paper:
                if claim.planted is not None:
                    yield self.planted_finding(paper, claim, Path(folder), watch)

    def planted_finding(
        self, paper: Paper, claim: Claim, folder: Path, watch: Watcher = lambda done, total, what: None
    ) -> Finding:
        """The claim with its fault: the verdict must be another one."""
        effort = SKETCH if self.effort == QUICK else self.effort
        lab = Lab(self.store, effort=effort, seed=self.seed, planted=claim.planted, folder=folder)
        (outcome,) = self._asked([_check(claim, lab)], lab, watch)
        return self._finding(paper, claim, outcome)

    def exhibits(self, paper: Paper, watch: Watcher = lambda done, total, what: None) -> list[Exhibit]:
        lab = Lab(self.store, effort=self.effort, seed=self.seed)

        def asking(make: Callable[[Lab], Exhibit]) -> Callable[[], Exhibit]:
            return lambda: make(lab)

        return self._asked([asking(make) for make in paper.exhibits], lab, watch)

    def _asked(self, questions: Sequence[Callable[[], Any]], lab: Lab, watch: Watcher) -> list[Any]:
        answers: dict[int, Any] = {}
        for _ in range(MOST_ROUNDS):
            for k, question in enumerate(questions):
                if k not in answers:
                    try:
                        answers[k] = question()
                    except NotYet:
                        continue
            if len(answers) == len(questions):
                return [answers[k] for k in range(len(questions))]
            gather(lab, self.jobs, watch)
        raise RuntimeError("a check asks for other evidence each time it is called")

    def _finding(self, paper: Paper, claim: Claim, outcome: Outcome) -> Finding:
        main = outcome.main
        where = paper.file or claim.id
        words = ["princeps", "paper", where, *(["--full"] if self.effort != QUICK else [])]
        words += [*(["--seed", str(self.seed)] if self.seed else []), *(["--planted"] if self.plant else [])]
        return Finding(
            id=claim.id,
            says=claim.says,
            kind=claim.kind,
            verdict=outcome.verdict,
            recorded=claim.expected(self.effort),
            measured=main.measured,
            bound=main.bound,
            sample=main.sample,
            power=main.power,
            command=shlex.join(words),
            commands=list(outcome.commands),
            parts=[dict(vars(part)) for part in outcome.parts],
            ours=list(outcome.ours),
            planted=claim.planted.says if claim.planted else "",
        )


def _check(claim: Claim, lab: Lab) -> Callable[[], Outcome]:
    settings = dict(lab.planted.settings) if lab.planted is not None else {}

    def check() -> Outcome:
        try:
            return claim.check(lab, **settings)
        except Failed as failure:
            return Outcome(INCONCLUSIVE, (Part(INCONCLUSIVE, f"could not be run: {failure}"),))

    return check
