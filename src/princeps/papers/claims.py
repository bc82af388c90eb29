"""A paper as a list of claims that can be run. A user's own file makes one in the same way: see examples/."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from princeps.errors import ProtocolError, UnknownName
from princeps.papers.exhibits import Exhibit
from princeps.papers.verdicts import BY_STRENGTH, Outcome

if TYPE_CHECKING:
    from princeps.papers.laboratory import Lab

KINDS = {
    "X": "exact or exhaustive at small n",
    "S": "by simulation",
    "P": "asserted on every step of runs",
    "C": "by counting",
}


class Planted:
    """A fault that the claim must notice: an edited protocol, or another reading of the claim's own settings.

    `edits` are (protocol, text, replacement): the text stands exactly once in the protocol's file.
    """

    def __init__(self, says: str, *edits: tuple[str, str, str], **settings: Any) -> None:
        self.says, self.edits, self.settings = says, edits, settings


class ProvedBy:
    """Lemmas of a protocol's file, with certificates that are kept, which prove a claim or a part of it for every n.

    `without` is the verdict on record where no solver is installed. It is given where the lemmas are all that the claim
    says: their proof then proves the claim, whatever else is only sampled.
    """

    def __init__(self, protocol: str, *lemmas: str, without: str | None = None) -> None:
        self.protocol, self.lemmas, self.without = protocol, lemmas, without


@dataclass(frozen=True)
class Claim:
    """`check(lab, **settings)` asks the laboratory for evidence and judges it."""

    id: str
    says: str
    kind: str  # some of X, S, P, C
    check: Callable[..., Outcome]
    planted: Planted | None = None
    recorded: str | None = None  # the verdict that stands in our record
    recorded_quick: str | None = None  # where the small sample says less
    proved_by: ProvedBy | None = None

    def expected(self, effort: str) -> str | None:
        """The verdict on record, for this effort and with the solvers that are installed."""
        if self.proved_by is not None and self.proved_by.without is not None:
            from princeps.proofs.confirming import installed_solver

            if not installed_solver():
                return self.proved_by.without
        return self.recorded_quick if effort == "quick" and self.recorded_quick else self.recorded


@dataclass
class Paper:
    """`contents` lists the ids of its claims, none of which may be left out; without it they stand as declared.

    `errata` are the readings that matter for what is run, each in a sentence of ours.
    """

    id: str
    title: str
    source: str = ""
    protocols: Sequence[str] = ()
    contents: Sequence[str] = ()
    errata: Sequence[str] = ()
    claims: list[Claim] = field(default_factory=list)
    exhibits: list[Callable[[Lab], Exhibit]] = field(default_factory=list)
    file: str = ""  # as a user typed it
    no_command: str = ""  # why no command finds the paper

    def claim(
        self,
        id: str,
        says: str,
        *,
        kind: str = "S",
        planted: Planted | None = None,
        recorded: str | None = None,
        recorded_quick: str | None = None,
        proved_by: ProvedBy | None = None,
    ) -> Callable[[Callable[..., Outcome]], Callable[..., Outcome]]:
        """Declares the function below it as the check of this claim."""
        if any(claim.id == id for claim in self.claims):
            raise ProtocolError(f"claim {id!r} of paper {self.id!r} stands there twice: give one of them another id.")
        letters = [letter.strip() for letter in kind.split(",")]
        for letter in letters:
            if letter not in KINDS:
                raise UnknownName("kind of claim", letter, KINDS)
        for verdict in (recorded, recorded_quick, proved_by.without if proved_by is not None else None):
            if verdict is not None and verdict not in BY_STRENGTH:
                raise UnknownName("verdict", verdict, BY_STRENGTH)

        def enter(check: Callable[..., Outcome]) -> Callable[..., Outcome]:
            self.claims.append(Claim(id, says, kind, check, planted, recorded, recorded_quick, proved_by))
            return check

        return enter

    def exhibit(self, make: Callable[[Lab], Exhibit]) -> Callable[[Lab], Exhibit]:
        """Declares the function below it as the maker of a chart or a table on the paper's page."""
        self.exhibits.append(make)
        return make

    def __iter__(self) -> Iterator[Claim]:
        """In the order of the contents."""
        known = {claim.id: claim for claim in self.claims}
        if self.contents and set(known) != set(self.contents):
            odd = sorted(set(known) ^ set(self.contents))
            raise ProtocolError(f"paper {self.id!r}: contents and claims differ in {', '.join(odd)}.")
        return iter([known[id] for id in self.contents] if self.contents else self.claims)
