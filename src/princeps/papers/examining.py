"""Examines papers: calls the checks of their claims and collects missing evidence until every claim has a verdict."""

from __future__ import annotations

import shlex
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypedDict, cast

from princeps.campaign.store import Store
from princeps.errors import PrincepsError, ProtocolError, RunError
from princeps.model.naming import command_or_reason
from princeps.papers.claims import Claim, Paper, Planted
from princeps.papers.collecting import EvidenceObserver, LastingWorkerPool, Pool, collect
from princeps.papers.every_n import asked, with_proofs
from princeps.papers.exhibits import Exhibit, Table
from princeps.papers.laboratory import QUICK, SKETCH, Lab
from princeps.papers.pending import EvidenceFailed, MissingEvidence, NotReady
from princeps.papers.used import UsedEvidence
from princeps.papers.verdicts import HOLDS, INCONCLUSIVE, NOT_TESTABLE, Outcome, Part, Value

if TYPE_CHECKING:  # tables are examined in the same way
    from princeps.papers.tables.declarations import Comparison
    from princeps.papers.tables.measuring import MeasuredRow

MAX_ROUNDS = 100


def no_observer(done: int, total: int, what: str) -> None:
    """Does nothing."""


class ExaminedPart(TypedDict):
    """A part of a verdict, in the words of `princeps.papers.verdicts.Part`."""

    verdict: str
    says: str
    measured: Value
    bound: Value
    sample: str
    power: str
    commands: tuple[str, ...]


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
    parts: list[ExaminedPart]
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
    """Calls checks until none of them lacks evidence."""

    def __init__(
        self,
        store: Store,
        *,
        effort: str = QUICK,
        seed: int = 0,
        jobs: int = 1,
        plant: bool = False,
        make_pool: Callable[[int], Pool] = LastingWorkerPool,
    ) -> None:
        self.store, self.effort, self.seed, self.jobs, self.plant = store, effort, seed, jobs, plant
        self.make_pool = make_pool
        self.missing, self.used = MissingEvidence(), UsedEvidence()

    def findings(self, paper: Paper, watch: EvidenceObserver = no_observer) -> Iterator[Finding]:
        """Every claim, in the paper's order. With `plant`, each of them with its fault planted."""
        with TemporaryDirectory(prefix="princeps-") as folder:
            claims = [claim for claim in paper if not self.plant or claim.planted is not None]
            checks = [self._check(claim, Path(folder)) for claim in claims]
            try:
                outcomes = self._answers(checks, watch)
            except KeyboardInterrupt:  # verdicts of the claims that have their evidence
                for claim, check in zip(claims, checks, strict=True):
                    with suppress(NotReady):
                        yield self._finding(paper, claim, check())
                raise
            for claim, outcome in zip(claims, outcomes, strict=True):
                yield self._finding(paper, claim, outcome)

    def exhibits(self, paper: Paper, watch: EvidenceObserver = no_observer) -> list[Exhibit]:
        lab = self._lab()
        return self._answers([partial(_shown, make, lab) for make in paper.exhibits], watch)

    def rows(self, table: Comparison, watch: EvidenceObserver = no_observer) -> Iterator[MeasuredRow]:
        """Of a comparison table, each as soon as it is measured."""
        from princeps.papers.tables.measuring import measured_row

        lab = self._lab()
        for row in table.rows:
            try:
                (found,) = self._answers([partial(measured_row, lab, table, row)], watch)
            except EvidenceFailed as failure:
                raise RunError(f"the row {row.row!r} of table {table.id} could not be measured: {failure}") from failure
            yield found

    def _lab(self, planted: Planted | None = None, folder: Path | None = None) -> Lab:
        effort = SKETCH if planted is not None and self.effort == QUICK else self.effort
        missing, used, seed = self.missing, self.used, self.seed
        return Lab(self.store, effort=effort, seed=seed, planted=planted, folder=folder, missing=missing, used=used)

    def seconds_taken(self) -> float:
        """By what was asked for since the last time, one trial after the other, in whatever session it was run."""
        return self.used.taken(self.store)

    def _check(self, claim: Claim, folder: Path) -> Callable[[], Outcome]:
        planted = claim.planted if self.plant else None
        lab = self._lab(planted, folder)
        settings = planted.settings if planted is not None else {}

        def check() -> Outcome:
            try:
                proofs = asked(lab, claim.proved_by)  # before the check: what both lack is collected together
                return with_proofs(_called(claim, lab, settings), claim.proved_by, proofs)
            except EvidenceFailed as failure:
                return Outcome(INCONCLUSIVE, (Part(INCONCLUSIVE, f"could not be run: {failure}"),))

        return check

    def _answers(self, questions: Sequence[Callable[[], Any]], watch: EvidenceObserver) -> list[Any]:
        """Each is called until it has its evidence; what they lack is collected together."""
        answers: dict[int, Any] = {}
        for _ in range(MAX_ROUNDS):
            for k, question in enumerate(questions):
                if k not in answers:
                    with suppress(NotReady):
                        answers[k] = question()
            if len(answers) == len(questions):
                return [answers[k] for k in range(len(questions))]
            collect(self.missing, self.store, self.seed, self.jobs, watch, self.make_pool)
        raise RunError("a check asks for other evidence each time it is called: let it ask for the same.")

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
            command=command_or_reason(shlex.join(words), paper.no_command),
            commands=list(outcome.commands),
            parts=[cast("ExaminedPart", dict(vars(part))) for part in outcome.parts],
            ours=list(outcome.ours),
            planted=claim.planted.says if claim.planted else "",
        )


def _called(claim: Claim, lab: Lab, settings: Mapping[str, Any]) -> Outcome:
    """The outcome of a check. Any other error is reported with its line, which may be in a user's own file."""
    file, line = claim.check.__code__.co_filename, claim.check.__code__.co_firstlineno
    try:
        outcome: Any = claim.check(lab, **settings)
    except (NotReady, EvidenceFailed, PrincepsError):
        raise
    except Exception as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        line = frames[-1].lineno or line if frames else line
        raise ProtocolError(f"the check of {claim.id} fails: {type(error).__name__}: {error}.", file, line) from error
    if not isinstance(outcome, Outcome):
        what = f"the check of {claim.id} returns {outcome!r}: let it end with `return together([...])`."
        raise ProtocolError(what, file, line)
    return outcome


def _shown(make: Callable[[Lab], Exhibit], lab: Lab) -> Exhibit:
    try:
        return make(lab)
    except EvidenceFailed as failure:
        return Table(make.__name__.replace("_", " "), f"could not be made: {failure}", (), ())
