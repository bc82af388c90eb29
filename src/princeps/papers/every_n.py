"""What certificates prove of a claim for every n: the lemmas that it declares, re-checked on the rule that is run.

A solver confirms the certificates that are kept with the package, clause by clause; it searches for nothing, so that a
verdict depends on no clock. A planted fault alters the rule, and the clauses are then those of the altered rule. Without a
solver a claim is what it is at the sizes given, and says what to install.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from princeps.model import registry
from princeps.papers.answers import Measurement
from princeps.papers.claims import ProvedBy
from princeps.papers.laboratory import Lab
from princeps.papers.verdicts import BY_STRENGTH, HOLDS, INCONCLUSIVE, PROVED, VIOLATED, Outcome, Part
from princeps.proofs import verdicts as proofs
from princeps.proofs.confirming import confirmed, installed_solver, kept_of
from princeps.proofs.prove import statements_of
from princeps.proofs.verdicts import Counterexample

MISSING = "for every n: not looked at, since no solver is installed; install one with pip install 'princeps[prove]'"
SHOWN = 10  # meetings of a counterexample
VERDICTS = {proofs.PROVED: PROVED, proofs.REFUTED: VIOLATED, proofs.NOT_PROVED: INCONCLUSIVE}


def confirm(
    part: int, seed: int, *, protocol: str, lemmas: Sequence[str], kept: Mapping[str, Any], solver: str
) -> dict[str, Any]:
    """One lemma of this protocol by what is kept for it, which is given: so it is part of what identifies the evidence."""
    cls = registry.find(protocol)
    (statement,) = statements_of(cls, [lemmas[part]])
    found = confirmed(statement, kept, solver)
    return {
        "verdict": found.verdict,
        "says": statement.says,
        "why": in_words(found.counterexample) if found.counterexample is not None else found.why,
        "assumptions": list(found.assumptions),
        "params": list(cls.params_),
    }


def in_words(example: Counterexample) -> str:
    """Agents, and the meetings that break the lemma: all of them where they are few."""
    given = "".join(f", {name} = {value}" for name, value in example.protocol.given.items())
    states = "; ".join(",".join(map(str, state)) for state in example.states)
    pairs = [f"{i}-{j}" for i, j in example.pairs]
    meetings = ", ".join(pairs) if len(pairs) <= SHOWN else f"{len(pairs)} meetings, the last of them {pairs[-1]}"
    return f"broken at n = {len(example.states)}{given} from {states} by {meetings}"


def asked(lab: Lab, proved_by: ProvedBy | None) -> Measurement | None:
    """The lemmas of a claim, noted as missing evidence if need be; None without lemmas, or without a solver."""
    solver = installed_solver() if proved_by is not None else ""
    if proved_by is None or not solver:
        return None
    kept = kept_of(registry.find(proved_by.protocol))
    kept["certificates"] = {lemma: one for lemma, one in kept["certificates"].items() if lemma in proved_by.lemmas}
    return lab.measure(
        confirm,
        parts=len(proved_by.lemmas),
        protocol=proved_by.protocol,
        lemmas=list(proved_by.lemmas),
        kept=kept,
        solver=solver,
    )


def with_proofs(outcome: Outcome, proved_by: ProvedBy | None, found: Measurement | None) -> Outcome:
    """The outcome of a claim's check together with what is proved for every n.

    It is no better than its weakest part. But where the lemmas are the whole claim, what is sampled besides is a second
    look at the same statement, and if nothing speaks against it the claim is proved.
    """
    if proved_by is None:
        return outcome
    if found is None:
        return _without_solver(outcome)
    solver = found.task.arguments["solver"]
    own = [
        judged(answer, f"princeps prove {proved_by.protocol} {_word(lemma)}", solver)
        for lemma, answer in zip(proved_by.lemmas, found.parts, strict=True)
    ]
    weakest = max((outcome.verdict, *(part.verdict for part in own)), key=BY_STRENGTH.index)
    if proved_by.without is None:
        return replace(outcome, verdict=weakest, parts=(*outcome.parts, *own))
    whole = all(part.verdict == PROVED for part in own) and outcome.verdict in HOLDS
    return replace(outcome, verdict=PROVED if whole else weakest, parts=(*own, *outcome.parts))


def judged(answer: Mapping[str, Any], command: str, solver: str) -> Part:
    """A lemma for every n, as a part of a claim."""
    every = "every n" + (f" and every {', '.join(answer['params'])}" if answer["params"] else "")
    verdict, says, why = VERDICTS[answer["verdict"]], answer["says"], answer["why"]
    if verdict == PROVED:
        sample = f"for {'; '.join(answer['assumptions'])}; the certificate is re-checked by {solver}"
        return Part(PROVED, f"proved for {every}: {says} ({why})", f"proved for {every}", None, sample, "", (command,))
    if verdict == VIOLATED:
        return Part(VIOLATED, f"refuted: {says}: {why}", "refuted", None, "a few agents", "", (command,))
    text = f"not proved for {every}: {says}: {why}"
    return Part(INCONCLUSIVE, text, "not proved", None, f"by {solver}", "", (command,))


def _without_solver(outcome: Outcome) -> Outcome:
    main = outcome.main
    told = replace(main, says=f"{main.says}; {MISSING}")
    return replace(outcome, parts=tuple(told if part is main else part for part in outcome.parts))


def _word(lemma: str) -> str:
    return f"'{lemma}'" if " " in lemma else lemma
