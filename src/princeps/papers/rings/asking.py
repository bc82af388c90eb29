"""What several claims ask the laboratory for, asked for in one way: the evidence is gathered once."""

from __future__ import annotations

from princeps.papers.answers import Measurement
from princeps.papers.laboratory import Lab
from princeps.papers.rings.labelings import pieces
from princeps.papers.rings.surveys import SMALLEST_K, Case, beyond, costs, interleaved, larger
from princeps.papers.verdicts import VIOLATED, Part

MAX_K = 3
EXPLORED = ({2: 1, 3: 1, 4: 1, 5: 8}, {2: 1, 3: 1, 4: 1, 5: 8, 6: 64}, {2: 1, 3: 1, 4: 2})  # quick, full, sketch
PRINTED = ({2: 1, 3: 1, 4: 1}, {2: 1, 3: 1, 4: 1, 5: 8}, {2: 1, 3: 1})  # rings for Table 1 as it stands
RUN = ({2: 1, 3: 1, 4: 1, 5: 4}, {2: 1, 3: 1, 4: 1, 5: 4, 6: 16, 7: 32}, {2: 1, 3: 1})
QUICK_SCHEDULES_FROM = 7
OUTSIDE = ({3: 1, 4: 1, 5: 1, 6: 2}, {3: 1, 4: 1, 5: 1, 6: 2, 7: 8}, {3: 1, 4: 1})
RANDOM_SIZES = ((12, 24, 48, 96), (12, 24, 48, 96, 192), (5, 6, 8))
KINDS = ("distinct", "homonyms")


def interleavings_of(lab: Lab, name: str, *, all_received: bool = True, **params: int) -> Measurement:
    """Every execution on every small ring; with `printed`, of the printed table."""
    shares = lab.pick(*(PRINTED if params else EXPLORED))
    parts = pieces(shares)
    command = f"princeps rings {name} {_sizes(shares)} --max-k {MAX_K} --interleavings {max(shares)}"
    if params:
        command = "princeps run a_k --labels 1,2,3 -p k=1 -p printed=1"
    return lab.measure(
        interleaved,
        parts=len(parts),
        protocol=name,
        pieces=parts,
        most_k=MAX_K,
        params=params,
        all_received=all_received,
        command=command,
    )


def costs_of(lab: Lab, name: str) -> Measurement:
    """Time, messages and bits on every small ring, under every schedule."""
    parts = pieces(lab.pick(*RUN))
    return lab.measure(
        costs,
        parts=len(parts),
        protocol=name,
        pieces=parts,
        most_k=MAX_K,
        engine=engine_of(lab),
        few_from=QUICK_SCHEDULES_FROM,
        command=f"princeps rings {name} {_sizes(lab.pick(*RUN))} --max-k {MAX_K}",
    )


def outside_of(lab: Lab, name: str) -> Measurement:
    """The small rings on which some label occurs too often for k."""
    parts = pieces(lab.pick(*OUTSIDE))
    return lab.measure(
        beyond,
        parts=len(parts),
        protocol=name,
        pieces=parts,
        ks=list(range(SMALLEST_K[name], MAX_K + 1)),
        engine=engine_of(lab),
    )


def random_cases(lab: Lab, name: str) -> list[Case]:
    """Three values of k, distinct labels and homonyms, at every size."""
    ks = range(SMALLEST_K[name], SMALLEST_K[name] + 3)
    return [(kind, n, k) for kind in KINDS for k in ks for n in lab.pick(*RANDOM_SIZES)]


def random_rings(lab: Lab, name: str) -> Measurement:
    """Larger rings at random: the answers are in the order of random_cases."""
    cases = random_cases(lab, name)
    return lab.measure(
        larger, parts=len(cases), protocol=name, cases=cases, rings=lab.pick(10, 40, 2), engine=engine_of(lab)
    )


def refuted_at_random(lab: Lab, name: str) -> list[Part]:
    """A sample adds nothing to a proof, but it may refute the claim where no proof reaches."""
    answers = random_rings(lab, name).parts
    failed, rings = sum(answer["failed"] for answer in answers), sum(len(answer["time"]) for answer in answers)
    if not failed:
        return []
    breach = next(answer["failure"] for answer in answers if answer["failure"])
    says = f"{failed} of {rings} larger random rings go wrong, first {breach}"
    return [Part(VIOLATED, says, failed, 0, f"{rings} rings")]


def engine_of(lab: Lab) -> str:
    """Compiling an altered protocol takes longer than a sketch in plain Python."""
    return str(lab.pick("compiled", "compiled", "reference"))


def _sizes(shares: dict[int, int]) -> str:
    """An alphabet of n letters holds every ring with n processes."""
    return f"-n {min(shares)}..{max(shares)} --alphabet {max(shares)}"
