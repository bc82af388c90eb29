"""Measurements on rings: all small ones under every interleaving, what they cost, and larger ones at random.

All of them return sums and extremes, which join over the parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any

from princeps.analysis.rings.costs import costs_of_a_k, costs_of_b_k
from princeps.analysis.rings.interleavings import all_interleavings
from princeps.engines.rings.simulate import simulate_ring
from princeps.engines.rings.survey import schedules
from princeps.errors import PrincepsError
from princeps.model import registry
from princeps.model.randomness import Stream
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.reading_rings import numbered_ring, random_ring
from princeps.model.rings.result import RingResult
from princeps.model.rings.ring import Ring
from princeps.papers.rings.labelings import Labels, rings_of

RING_COSTS = ("time", "messages", "max_bits")
SMALLEST_K = {"a_k": 1, "b_k": 2}
FORMULAS = {"a_k": costs_of_a_k, "b_k": costs_of_b_k}
MAX_CONFIGURATIONS = 200_000  # the largest graph of a ring that is explored here has 20,000
QUICK_SCHEDULES = 3  # the first ones: synchronous, random, adversarial


def legal(cls: type[RingAlgorithm], rings: Sequence[Labels], most_k: int) -> Iterator[tuple[Ring, int]]:
    """Every ring with every k for which it is in the class."""
    for labels in rings:
        ring = Ring(labels)
        for k in range(max(SMALLEST_K[cls.name], ring.multiplicity), most_k + 1):
            yield ring, k


# -- every interleaving ------------------------------------------------------------------------------------------------


def interleaved(
    part: int,
    seed: int,
    *,
    protocol: str,
    pieces: Sequence[Sequence[int]],
    most_k: int,
    params: Mapping[str, int] | None = None,
    all_received: bool = True,
) -> dict[str, Any]:
    """All executions on a piece of the rings.

    `failed`: rings (with their k) on which some execution breaks the specification or elects another than the true
    leader; `varied`: those with more than one ending or number of messages; `left_over`: those on which some execution
    leaves messages to processes that have halted, which without `all_received` is no failure.
    """
    cls = registry.find_ring(protocol)
    found: dict[str, Any] = {"cases": 0, "configurations": 0, "failed": 0, "failure": "", "varied": 0, "variation": ""}
    found |= {"left_over": 0}
    for ring, k in legal(cls, rings_of(pieces[part]), most_k):
        one = explored(cls(ring, k=k, **(params or {})), ring, all_received)
        where = f"the ring {ring.text} with k = {k}"
        found["cases"] += 1
        found["configurations"] += one["configurations"]
        found["left_over"] += one["left_over"]
        if one["failure"]:
            found["failed"] += 1
            found["failure"] = found["failure"] or f"{where}: {one['failure']}"
        if one["variation"]:
            found["varied"] += 1
            found["variation"] = found["variation"] or f"{where}: {one['variation']}"
    return found


def explored(algorithm: RingAlgorithm, ring: Ring, all_received: bool = True) -> dict[str, Any]:
    """One ring: how many configurations, what is wrong, what depends on the schedule, and whether messages are left."""
    try:
        found = all_interleavings(algorithm, ring, MAX_CONFIGURATIONS, all_received=all_received)
    except PrincepsError as error:  # no end, or a value outside its domain
        return {"configurations": 0, "failure": str(error), "variation": str(error), "left_over": False}
    failure = found.broken or ("" if found.agreed else f"the processes {found.leaders} are elected")
    variation = "" if found.confluent else failure or f"messages {found.messages}, {found.endings} endings"
    if found.schedule is not None:
        failure = variation = f"{failure}, if the processes act in the order {','.join(map(str, found.schedule))}"
    answer = {"configurations": found.configurations, "failure": failure, "variation": variation}
    return {**answer, "left_over": found.left_over > 0}


def added(answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Numbers added up; of sentences, the first."""
    return {
        key: next((answer[key] for answer in answers if answer[key]), "")
        if isinstance(answers[0][key], str)
        else sum(answer[key] for answer in answers)
        for key in answers[0]
        if not isinstance(answers[0][key], (list, dict))
    }


# -- what they cost ----------------------------------------------------------------------------------------------------


def costs(
    part: int,
    seed: int,
    *,
    protocol: str,
    pieces: Sequence[Sequence[int]],
    most_k: int,
    engine: str,
    few_from: int,
) -> dict[str, Any]:
    """Runs on a piece of the rings, under every schedule (three of them for n >= few_from).

    `worst`: for every n, k and bits of a label the largest time, messages and bits, each with a ring that takes them.
    """
    cls = registry.find_ring(protocol)
    found: dict[str, Any] = {"cases": 0, "runs": 0, "failed": 0, "failure": "", "slower": 0, "varied": 0}
    found |= {f"other_{what}": 0 for what in RING_COSTS}  # cases whose cost is not that of the formula
    worst: dict[tuple[int, int, int], dict[str, tuple[int, str]]] = {}
    for ring, k in legal(cls, rings_of(pieces[part]), most_k):
        words = schedules(ring.n)[: QUICK_SCHEDULES if ring.n >= few_from else None]
        results = [elected(cls, ring, k, engine, schedule, seed) for schedule in words]
        wrong = [result for result in results if not result.converged]
        formula = FORMULAS[cls.name](ring, k)
        found["cases"] += 1
        found["runs"] += len(results)
        found["failed"] += bool(wrong)
        if wrong:
            found["failure"] = found["failure"] or _complaint(wrong[0], k)
        found["slower"] += any(result.time > results[0].time for result in results)
        found["varied"] += len({(result.messages, result.max_bits, result.leader) for result in results}) > 1
        for what in RING_COSTS:
            found[f"other_{what}"] += getattr(results[0], what) != getattr(formula, what)
            most = max(int(getattr(result, what)) for result in results)
            entry = worst.setdefault((ring.n, k, ring.label_bits), {})
            entry[what] = max(entry.get(what, (0, "")), (most, ring.text))
    return {**found, "worst": [[*key, entry] for key, entry in worst.items()]}


def elected(
    cls: type[RingAlgorithm], ring: Ring, k: int, engine: str, schedule: str, seed: int, **more: int
) -> RingResult:
    params = {"k": k, **more}
    limit = int(20 * cls(ring, k=k).promised(ring)["messages"]) + 1000  # a faulty algorithm may never end
    run = make_ring_run(
        cls, labels=ring, schedule=schedule, seed=seed, engine=engine, max_steps=limit, params=params, force=True
    )
    return simulate_ring(run)


def _complaint(result: RingResult, k: int) -> str:
    what = result.violations[0].sentence if result.violations else "no end"
    return f"the ring {result.ring.text} with k = {k}, {result.schedule}: {what}"


def extremes(answers: Sequence[Mapping[str, Any]]) -> dict[tuple[int, int, int], dict[str, tuple[int, str]]]:
    """The worst of all parts, by n, k and the bits of a label."""
    found: dict[tuple[int, int, int], dict[str, tuple[int, str]]] = {}
    for answer in answers:
        for n, k, b, entry in answer["worst"]:
            mine = found.setdefault((n, k, b), {})
            for what, (value, ring) in entry.items():
                mine[what] = max(mine.get(what, (0, "")), (value, ring))
    return found


# -- outside the class -------------------------------------------------------------------------------------------------


def beyond(
    part: int, seed: int, *, protocol: str, pieces: Sequence[Sequence[int]], ks: Sequence[int], engine: str
) -> list[Any]:
    """Rings on which some label occurs more than k times: k, by how many, how many rings, how many go well."""
    cls = registry.find_ring(protocol)
    found: dict[tuple[int, int], list[int]] = {}
    for labels in rings_of(pieces[part]):
        ring = Ring(labels)
        for k in ks:
            if ring.multiplicity > k:
                entry = found.setdefault((k, ring.multiplicity - k), [0, 0])
                entry[0] += 1
                entry[1] += elected(cls, ring, k, engine, "synchronous", seed).converged
    return [[*key, *entry] for key, entry in found.items()]


def tallied(answers: Sequence[Sequence[Sequence[int]]]) -> dict[tuple[int, int], tuple[int, int]]:
    """By k and the excess of the multiplicity: rings, and those on which the true leader was elected."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for answer in answers:
        for k, excess, rings, right in answer:
            before = found.get((k, excess), (0, 0))
            found[k, excess] = (before[0] + rings, before[1] + right)
    return found


# -- larger rings ------------------------------------------------------------------------------------------------------

Case = tuple[str, int, int]  # distinct, ascending or homonyms; n, k


def larger(part: int, seed: int, *, protocol: str, cases: Sequence[Case], rings: int, engine: str) -> dict[str, Any]:
    """Random rings of one kind, in the synchronous execution, which is the slowest."""
    kind, n, k = cases[part]
    cls = registry.find_ring(protocol)
    results = [
        elected(cls, drawn(kind, n, k, Stream.of(seed, number, "ring")), k, engine, "synchronous", seed)
        for number in range(rings)
    ]
    wrong = [result for result in results if not result.converged]
    failure = _complaint(wrong[0], k) if wrong else ""
    values = {what: [int(getattr(result, what)) for result in results] for what in RING_COSTS}
    return {**values, "failed": len(wrong), "failure": failure}


def drawn(kind: str, n: int, k: int, stream: Stream) -> Ring:
    """Distinct labels in random order or ascending clockwise, or homonyms: every label k times, as far as n allows."""
    if kind == "ascending":
        return Ring(tuple(range(1, n + 1)))
    if kind == "distinct" or k == 1:
        return numbered_ring(n, stream)
    return random_ring(f"n={n},labels={ceil(n / k)},max={k}", stream)
