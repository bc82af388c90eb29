"""A lemma by `prove` and by enumeration: what is proved must not be broken, what is refuted must be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from princeps.errors import PrincepsError
from princeps.model import registry
from princeps.proofs.prove import Context, prove_one, statements_of
from princeps.proofs.refuting import counterexample
from princeps.proofs.rings.plain_marks import CannotJudge
from princeps.proofs.rings.proving import Limits, Prover, is_about_rings
from princeps.proofs.verdicts import NOT_PROVED, REFUTED, Counterexample
from proof_fuzz import populations, rings
from proof_fuzz.enumerating import Population, TooMany

TEXTS = {"populations": populations.text_of, "rings": rings.text_of}
BROKEN_BUT_PROVED = "PROVED, BUT BROKEN"
HOLDS_BUT_REFUTED = "REFUTED, BUT NOT BROKEN"
PROVED_AND_HOLDS, REFUTED_AND_BROKEN, OPEN_AND_BROKEN, OPEN = "proved", "refuted", "not proved, broken", "not proved"
REFUSED = "refused with a sentence"
WRONG = (BROKEN_BUT_PROVED, HOLDS_BUT_REFUTED)
LIMITS = Limits(seeds=(0,), search=1_500_000, largest=3, work=1_000_000)
RING_SIZES, SIZES = (2, 3, 4), (2, 3)


class Judged(NamedTuple):
    kind: str
    seed: int
    lemma: str
    outcome: str
    why: str  # of prove, or where enumeration breaks it


def given_values(cls: Any, n: int) -> Iterator[dict[str, int]]:
    """The parameters with which a size is enumerated: the smallest values, and a constant that may be given."""
    name, declared = next(iter(cls.params_.items()))
    least = n if name == "N" else declared.min
    for value in range(least, least + 3):
        if not declared.has(value):
            continue
        yield {name: value}
        for constant, derived in cls.derived_.items():
            if derived.or_given is not None:
                yield {name: value, constant: derived.or_given.min}
                yield {name: value, constant: derived.or_given.min + 2}


def broken_at(statement: Any, n: int, given: Mapping[str, int]) -> Any:
    try:
        return Population(statement.cls, n, given).breaks(statement)
    except (TooMany, PrincepsError, CannotJudge):  # no such population, or nothing that can be judged in plain Python
        return None


def first_broken(statement: Any) -> Any:
    for n in RING_SIZES if statement.cls.topology == "ring" else SIZES:
        for given in given_values(statement.cls, n):
            found = broken_at(statement, n, given)
            if found is not None:
                return n, given, found
    return None


def proved(statement: Any, context: Context) -> Any:
    """As `princeps prove` does, but for the trial of what is proved, which would hide a fault."""
    if is_about_rings(statement):
        prover: Prover = context.shared("fuzzed rings", lambda: Prover(statement.cls, LIMITS))
        return prover.prove(statement, {})
    return prove_one(statement, context)


def judged(kind: str, seed: int, folder: Path) -> Iterator[Judged]:
    """Every lemma of one random protocol; a file that is refused has none."""
    path = folder / f"{kind}_{seed}.py"
    path.write_text(TEXTS[kind](seed), encoding="utf-8")
    try:
        cls: Any = registry.find(f"{path}:Wild")
        cls(3)
    except PrincepsError:
        return
    context = Context(cls)
    for statement in statements_of(cls):
        try:
            verdict = proved(statement, context)
            example: Counterexample | None = verdict.counterexample
            if verdict.verdict == NOT_PROVED:
                example = example or counterexample(statement)
        except PrincepsError as error:  # a start outside of the groups, say: one sentence, and no verdict
            yield Judged(kind, seed, statement.id, REFUSED, str(error))
            continue
        broken = first_broken(statement)
        if verdict.verdict not in (NOT_PROVED, REFUTED):
            outcome = PROVED_AND_HOLDS if broken is None else BROKEN_BUT_PROVED
        elif example is None:
            outcome = OPEN if broken is None else OPEN_AND_BROKEN
        else:
            outcome = REFUTED_AND_BROKEN if broken is not None or _is_real(statement, example) else HOLDS_BUT_REFUTED
        yield Judged(kind, seed, statement.id, outcome, verdict.why if broken is None else f"{verdict.why} {broken}")


def _is_real(statement: Any, example: Counterexample) -> bool:
    """At the size and with the parameters of the counterexample, which were not enumerated."""
    given = dict(example.protocol.given)
    n = len(example.states)
    try:
        return Population(statement.cls, n, given).breaks(statement) is not None
    except TooMany:
        return True  # the plain rule has executed it, which is all that is known
