"""The claim about U_k, the authors' algorithm of [10] for rings on which some label is unique: our reconstruction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from princeps.engines.rings.survey import schedules
from princeps.model import registry
from princeps.model.rings.ring import Ring
from princeps.papers.claims import Planted
from princeps.papers.judging import exhaustive, number
from princeps.papers.laboratory import Lab
from princeps.papers.rings.asking import MAX_K, engine_of
from princeps.papers.rings.bounds import BoundFormula, shares
from princeps.papers.rings.labelings import Labels, pieces, rings_of
from princeps.papers.rings.paper import paper
from princeps.papers.rings.surveys import added, elected, explored, extremes
from princeps.papers.verdicts import PROVED, Outcome, Part, together

RUN = ({2: 1, 3: 1, 4: 1, 5: 4}, {2: 1, 3: 1, 4: 1, 5: 4, 6: 16}, {2: 1, 3: 1})
EXPLORED = (4, 5, 3)  # rings up to this size are taken through every interleaving
UNIT = "pairs of a ring and k"
WIDE = [(n, k) for n in (4, 16) for k in (1, 4, 16, 64)]  # distinct labels: k grows beside n
FACTOR = 2  # of n^2 + kn: the paper gives the order, the constant is ours
BOUNDS: dict[str, BoundFormula] = {
    "time": lambda n, k, b: (k + 2) * n,
    "messages": lambda n, k, b: FACTOR * (n**2 + k * n),
}


def of_the_class(rings: Sequence[Labels], most_k: int) -> Iterator[tuple[Ring, int]]:
    """Every ring with a unique label, with every k for which it is in the class."""
    for labels in rings:
        ring = Ring(labels)
        if ring.in_u_star:
            for k in range(ring.multiplicity, most_k + 1):
                yield ring, k


def smallest_unique(labels: Sequence[Any]) -> int:
    """The process with the smallest label that occurs once."""
    times = Counter(labels)
    return labels.index(min(label for label in labels if times[label] == 1))


def surveyed(
    part: int,
    seed: int,
    *,
    protocol: str,
    pieces: Sequence[Sequence[int]],
    most_k: int,
    most_explored: int,
    engine: str,
) -> dict[str, Any]:
    """A piece of the rings under every schedule, and the smaller ones in every interleaving.

    `worst`: for every n, k and bits of a label the largest time and messages, each with a ring that takes them.
    """
    cls = registry.find_ring(protocol)
    found: dict[str, Any] = {"cases": 0, "runs": 0, "configurations": 0, "failed": 0, "failure": ""}
    found |= {"other_time": 0, "other_leader": 0, "varied": 0}
    worst: dict[tuple[int, int, int], dict[str, tuple[int, str]]] = {}
    for ring, k in of_the_class(rings_of(pieces[part]), most_k):
        results = [elected(cls, ring, k, engine, schedule, seed) for schedule in schedules(ring.n)]
        failures = [f"{one.leaders} lead, {one.schedule}" for one in results if not one.converged]
        if ring.n <= most_explored:
            everywhere = explored(cls(ring, k=k), ring)
            failures += [everywhere["failure"]] if everywhere["failure"] else []
            found["configurations"] += everywhere["configurations"]
        found["cases"] += 1
        found["runs"] += len(results)
        found["failed"] += bool(failures)
        if failures:
            found["failure"] = found["failure"] or f"the ring {ring.text} with k = {k}: {failures[0]}"
        found["other_time"] += results[0].time != (k + 2) * ring.n
        found["other_leader"] += any(one.leader != smallest_unique(ring.labels) for one in results)
        found["varied"] += len({one.messages for one in results}) > 1
        for what in BOUNDS:
            entry = worst.setdefault((ring.n, k, ring.label_bits), {})
            most = max(int(getattr(one, what)) for one in results)
            entry[what] = max(entry.get(what, (0, "")), (most, ring.text))
    return {**found, "worst": [[*key, entry] for key, entry in worst.items()]}


def on_distinct_labels(part: int, seed: int, *, protocol: str, cases: Sequence[Any], engine: str) -> list[list[int]]:
    """n, k, time and messages on the labels 1..n, ascending clockwise."""
    cls, rows = registry.find_ring(protocol), []
    for n, k in cases:
        result = elected(cls, Ring(tuple(range(1, n + 1))), k, engine, "synchronous", seed)
        rows.append([n, k, result.time, result.messages])
    return rows


def within(answers: Sequence[Any], what: str, text: str, **more: Any) -> Part:
    """No run on any small ring takes more."""
    rows = shares(extremes(answers), what, BOUNDS[what])
    over = [row for row in rows if row[0] > 1]
    share, _, k, cost, limit, ring = rows[0]
    breach = f"{cost:,} > {number(limit)} on the ring {ring} with k = {k}" if over else ""
    says = f"{what} at most {text}, in {added(answers)['runs']:,} runs"
    part = exhaustive(len(over), len(rows), says, "triples n, k, b", breach=breach, **more)
    told = {"measured": cost, "bound": limit, "says": f"{part.says}; largest share {number(share)}"}
    return Part(**{**vars(part), **told})


@paper.claim(
    "001.U_k",
    "where a label is unique and none occurs more than k times, the algorithm of [10] (a reconstruction) elects in time at "
    "most (k+2)n with O(n^2 + kn) messages",
    kind="X",
    recorded=PROVED,
    planted=Planted(
        "a process waits for its label once more before it leads (U3, U4)",
        ("u_k", "p.active and p.count < c.k", "p.active and p.count < c.k + 1"),
        ("u_k", "p.active and p.count == c.k", "p.active and p.count == c.k + 1"),
        ("u_k", "count = Number(0, lambda c: c.k + 1)", "count = Number(0, lambda c: c.k + 2)"),
    ),
)
def unique_label(lab: Lab) -> Outcome:
    parts, most, most_explored = pieces(lab.pick(*RUN)), max(lab.pick(*RUN)), lab.pick(*EXPLORED)
    options: dict[str, Any] = {"protocol": "u_k", "engine": engine_of(lab)}
    small = lab.measure(surveyed, parts=len(parts), pieces=parts, most_k=MAX_K, most_explored=most_explored, **options)
    wide = lab.measure(on_distinct_labels, cases=lab.pick(WIDE, WIDE, WIDE[:3]), **options)
    answers, rows = small.parts, wide.only
    sums = added(answers)
    says = f"one leader, known to all, on every ring with n <= {most} and k <= {MAX_K}, in {sums['runs']:,} runs"
    says += f", for n <= {most_explored} in all interleavings, {sums['configurations']:,} configurations"
    over = [
        row for row in rows if any(row[at] > BOUNDS[w](row[0], row[1], 0) for at, w in ((2, "time"), (3, "messages")))
    ]
    breach = "time {2}, messages {3} at n = {0}, k = {1}".format(*over[0]) if over else ""
    spread = (
        f"both bounds on distinct labels, n up to {max(row[0] for row in rows)}, k up to {max(row[1] for row in rows)}"
    )
    command = ("princeps run u_k --labels 1,2,2 -p k=2",)
    judged = [
        exhaustive(sums["failed"], sums["cases"], says, UNIT, breach=sums["failure"], commands=command),
        within(answers, "time", "(k+2)n"),
        within(answers, "messages", f"{FACTOR}(n^2 + kn), a constant of ours"),
        exhaustive(len(over), len(rows), spread, "pairs n, k", breach=breach),
    ]
    return together(judged, ours(sums, answers, rows))


def ours(sums: dict[str, Any], answers: Sequence[Any], rows: Sequence[Sequence[int]]) -> list[str]:
    """What the paper does not say, as far as the data bear it out."""
    found = []
    if not sums["other_time"]:
        found.append(f"the synchronous execution takes exactly (k+2)n on each of {sums['cases']:,} {UNIT}")
    if not sums["other_leader"]:
        found.append("the process with the smallest unique label is elected, whatever the schedule")
    highest = shares(extremes(answers), "messages", lambda n, k, b: 2 * n**2 + k * n)[0][0]
    if highest <= 1 and all(messages == 2 * n**2 + k * n for n, k, _, messages in rows):
        found.append("never more than 2n^2 + kn messages, and exactly that many on distinct labels")
    return found
