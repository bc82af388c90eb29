"""`princeps.prove`: the lemmas of a protocol's file for every n."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from princeps.api.arguments import a_protocol, a_text, reads
from princeps.api.progress import displayed
from princeps.errors import Interrupted, RunError
from princeps.model import registry
from princeps.model.announcing import announces
from princeps.model.description import Named, describe
from princeps.model.interruptions import require_interruption
from princeps.model.modules import refuse_while_loading
from princeps.model.options import RING, explained

if TYPE_CHECKING:
    from princeps.proofs.verdicts import Counterexample, Verdict

MISSING = "proofs need z3 and cvc5: install them with pip install 'princeps[prove]'."


@dataclass(frozen=True)
class Proof:
    """A lemma of a protocol and what was found: "proved for every n", "refuted" or "not proved".

    `counterexample` is a command that replays one; `why` says how it was proved, or what could not be shown.
    """

    protocol: str
    id: str
    statement: str
    verdict: str
    why: str
    assumptions: tuple[str, ...]
    counterexample: str | None
    certificate: dict[str, object] | None
    seconds: float

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "assumptions": list(self.assumptions)}


@explained
@announces("princeps.prove")
@reads(name=a_protocol, lemmas=a_text)
def prove(name: Named, *lemmas: str, search: bool = False, progress: bool = True) -> list[Proof]:
    """Prove the lemmas, invariants and facts that a population protocol's file states, for every n: a list of Proof.

    What is not proved is looked for among a few agents; only what the plain rule does there refutes a lemma.
    """
    refuse_while_loading("princeps.prove")
    found: list[Proof] = []
    try:
        with displayed("princeps.prove", progress) as display:

            def at(text: str) -> None:
                if display is not None:
                    display.show(lambda: text)

            found.extend(proofs(name, lemmas, search=search, at=at))
    except KeyboardInterrupt as error:
        require_interruption(error)
        raise Interrupted("interrupted: .partial has the lemmas that were finished.", found) from None
    return found


def proofs(
    name: Named, lemmas: tuple[str, ...] = (), *, search: bool = False, at: Callable[[str], Any] = lambda text: None
) -> Iterator[Proof]:
    """One after the other, as they are found."""
    require_extra()
    description = describe(name)
    if description.kind == RING:
        raise RunError(f"{description.cls.name} is a ring algorithm: only population protocols are proved about.")
    from princeps.proofs.kept import kept_for
    from princeps.proofs.prove import Context, prove_one, statements_of
    from princeps.proofs.refuting import counterexample
    from princeps.proofs.trying import CONTRADICTED, contradiction
    from princeps.proofs.verdicts import NOT_PROVED, REFUTED

    cls = registry.require_population(description.cls)
    statements = statements_of(cls, lemmas)
    context = Context(cls, {} if search else kept_for(cls, statements), search)
    for statement in statements:
        at(statement.id)
        found, command = prove_one(statement, context), None
        if found.verdict == NOT_PROVED:
            example = found.counterexample or counterexample(statement)
            if example is not None:
                found = replace(found, verdict=REFUTED, why="a few agents break it", counterexample=example)
        elif found.verdict != REFUTED:
            example = contradiction(statement)
            if example is not None:
                found = replace(found, verdict=REFUTED, why=CONTRADICTED, certificate=None, counterexample=example)
        if found.counterexample is not None:
            command = command_of(description.protocol, found.counterexample)
        yield _proof(cls.name, found, command)


def _proof(protocol: str, found: Verdict, command: str | None) -> Proof:
    certificate = None if found.certificate is None else found.certificate.as_json()
    statement = found.statement
    return Proof(
        protocol,
        statement.id,
        statement.says,
        found.verdict,
        found.why,
        found.assumptions,
        command,
        certificate,
        round(found.seconds, 3),
    )


def command_of(name: Named, found: Counterexample) -> str:
    """The command line that replays a counterexample."""
    from princeps.analysis.replaying import Move, replay_command
    from princeps.model.reading import make_run

    space = found.protocol.space
    start = "states:" + ";".join(
        ",".join(space.written(state)) for state in found.states
    )  # a file need not declare one
    run = make_run(name, len(found.states), params=found.protocol.given, start=start)
    draws = found.draws or ((),) * len(found.pairs)
    return replay_command(
        run, found.states, [Move(pair, drawn) for pair, drawn in zip(found.pairs, draws, strict=True)]
    )


def require_extra() -> None:
    """One sentence where the extra is not installed."""
    try:
        import cvc5  # noqa: F401
        import z3  # noqa: F401
    except ImportError:
        raise RunError(MISSING) from None
