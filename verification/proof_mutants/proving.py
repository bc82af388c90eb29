"""What `prove` says of an altered rule's lemmas; searches are bounded, so that hundreds of alterations end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from princeps.model.lemmas import Reaches, Within
from princeps.model.protocol import PopulationProtocol
from princeps.proofs.certificate import Certificate
from princeps.proofs.confirming import kept_of
from princeps.proofs.prove import Context, prove_one, statements_of
from princeps.proofs.refuting import counterexample
from princeps.proofs.rings.proving import Limits, Prover, is_about_rings
from princeps.proofs.verdicts import NOT_PROVED, REFUTED, Verdict

SEEDS = (0,)
SEARCH = 25_000_000  # units of work that Spacer may take for one question, about five seconds'


def judged(cls: type[PopulationProtocol], search: int = SEARCH) -> Iterator[Verdict]:
    """One verdict a lemma. What is kept for the library is a proposal only: each clause is that of the altered rule."""
    kept = kept_of(cls)
    proposed = {lemma: Certificate.of_json(one) for lemma, one in kept["certificates"].items()}
    context = Context(cls, proposed)
    prover: Prover | None = None
    for statement in statements_of(cls):
        if isinstance(statement.what, Reaches | Within):
            continue
        if is_about_rings(statement):
            prover = prover or Prover(cls, Limits(seeds=SEEDS, search=search))
            found = prover.prove(statement, kept["invariants"])
        else:
            found = prove_one(statement, context)
        if found.verdict == NOT_PROVED:
            example = counterexample(statement)
            if example is not None:
                found = replace(found, verdict=REFUTED, counterexample=example)
        yield found
