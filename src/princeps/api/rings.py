"""Labeled rings: what one is, every small one under every schedule, and the impossibility construction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from princeps.errors import RingError
from princeps.model import registry
from princeps.model.randomness import Stream
from princeps.model.rings.reading_rings import random_ring, read_ring, read_ring_file
from princeps.model.rings.ring import Ring

if TYPE_CHECKING:
    from princeps.engines.rings.impossibility import Impossibility
    from princeps.engines.rings.survey import Survey
    from princeps.model.rings.facts import RingFacts


def ring(
    labels: str | Sequence[Any] | Ring | None = None,
    *,
    random: str | None = None,
    ring: str | None = None,
    seed: int | str = 0,
) -> RingFacts:
    """What a labeled ring is: multiplicity, symmetry, classes, true leader, Lyndon word, the k that algorithms need."""
    from princeps.model.numbers import read_integer
    from princeps.model.rings.facts import ring_facts

    ways = [given for given in (labels, random, ring) if given is not None]
    if len(ways) != 1:
        raise RingError(
            "one ring is needed: give its labels like 1,2,2, or draw it with --random, or read it with --ring."
        )
    if random is not None:
        return ring_facts(random_ring(random, Stream.of(read_integer(seed, "seed"), 0, "ring")))
    return ring_facts(read_ring_file(ring) if ring is not None else read_ring(labels or ""))


def rings(
    name: str, n: Sequence[int], alphabet: int = 3, *, max_k: int = 4, interleavings: int = 4, seed: int = 0
) -> Iterator[Survey]:
    """Every asymmetric ring of these sizes under every schedule, one Survey for each n and k.

    Rings of at most `interleavings` processes are also explored exhaustively, over all orders of events.
    """
    from dataclasses import replace

    from princeps.engines.rings.survey import asymmetric_rings, survey

    for found in survey(name, n, alphabet, max_k, seed):
        if found.n > interleavings or registry.find_ring(name).tosses():  # coins: infinitely many executions
            yield found
            continue
        given = {} if found.k is None else {"k": found.k}
        configurations, breaches = 0, []
        for one in asymmetric_rings(found.n, alphabet):
            seen, breach = _explored(name, one, given)
            configurations += seen
            breaches += [breach] if breach else []
        yield replace(found, configurations=configurations, breaches=tuple(breaches))


def _explored(name: str, ring: Ring, given: Mapping[str, int]) -> tuple[int, str | None]:
    """The configurations of a ring, and what some interleaving breaks; none where the ring is not in the class."""
    from princeps.analysis.rings.interleavings import all_interleavings

    algorithm = registry.find_ring(name)(ring, **given)
    if algorithm.demands(ring, algorithm.constants) is not None:
        return 0, None
    found = all_interleavings(algorithm, ring)
    if found.confluent or (algorithm.bidirectional and found.agreed):
        return found.configurations, None
    order = ",".join(map(str, found.schedule or ()))
    params = "".join(f" -p {key}={value}" for key, value in algorithm.given.items())
    command = f"princeps run {name} --labels {ring.text}{params} --schedule order:{order} --trace"
    return found.configurations, f"{found.broken or 'the outcome depends on the schedule'}: {command}"


def impossible(name: str, n: int = 3, **params: int) -> Impossibility:
    """The ring of Lemma 1 for a ring algorithm: it trusts its k, and two processes elect themselves."""
    from princeps.engines.rings.impossibility import impossible as construct

    return construct(name, n, params)
