"""Labeled rings: what one is, every small one under every schedule, and the impossibility construction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

from princeps.api.arguments import a_path, a_protocol, a_text, counts, or_none, parameters, reads
from princeps.errors import RingError
from princeps.model import registry
from princeps.model.announcing import announces, each_announced
from princeps.model.limits import ACTIONS, SURVEYED_MESSAGES, read_limit
from princeps.model.naming import command_or_reason
from princeps.model.numbers import Integer, read_count, read_integer
from princeps.model.options import Count, explained
from princeps.model.parameters import complaint_of
from princeps.model.randomness import Stream
from princeps.model.registry import Named
from princeps.model.rings.reading_rings import random_ring, read_ring, read_ring_file
from princeps.model.rings.ring import Ring

if TYPE_CHECKING:
    from princeps.engines.rings.impossibility import Impossibility
    from princeps.engines.rings.survey import Survey
    from princeps.model.rings.facts import RingFacts


@explained
@announces("princeps.ring")
@reads(random=or_none(a_text), ring=or_none(a_path))
def ring(
    labels: str | Sequence[Any] | Ring | None = None,
    *,
    random: str | None = None,
    ring: str | None = None,
    seed: Integer = 0,
) -> RingFacts:
    """What a labeled ring is: multiplicity, symmetry, classes, true leader, Lyndon word, the k that algorithms need."""
    from princeps.model.rings.facts import ring_facts

    ways = [given for given in (labels, random, ring) if given is not None]
    if len(ways) != 1:
        raise RingError(
            "one ring is needed: give its labels like 1,2,2, or draw it with --random, or read it with --ring."
        )
    if random is not None:
        return ring_facts(random_ring(random, Stream.of(read_integer(seed, "seed"), 0, "ring")))
    if ring is not None:
        return ring_facts(read_ring_file(ring))
    assert labels is not None  # one of the ways
    return ring_facts(read_ring(labels))


@explained
@reads(name=a_protocol, n=counts, alphabet=read_count, max_k=read_count, interleavings=read_count, seed=read_integer)
def rings(
    name: Named,
    n: Sequence[int],
    alphabet: int = 3,
    *,
    max_k: int = 4,
    interleavings: int = 4,
    seed: int = 0,
    limit: Count | None = None,
) -> Iterator[Survey]:
    """Every asymmetric ring of these sizes under every schedule, one Survey for each n and k.

    Rings of at most `interleavings` processes are also explored exhaustively, over all orders of events. More than
    `limit` messages in all are refused.
    """
    return each_announced("princeps.rings", _surveys(name, n, alphabet, max_k, interleavings, seed, limit))


def _surveys(
    name: Named, n: Sequence[int], alphabet: int, max_k: int, interleavings: int, seed: int, limit: Count | None
) -> Iterator[Survey]:
    from dataclasses import replace

    from princeps.engines.rings.survey import asymmetric_rings, survey

    most = read_limit(limit, SURVEYED_MESSAGES)
    for found in survey(name, n, alphabet, max_k, seed, limit=most):
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


def _explored(name: Named, ring: Ring, given: Mapping[str, int]) -> tuple[int, str | None]:
    """The configurations of a ring, and what some interleaving breaks; none where the ring is not in the class."""
    from princeps.analysis.rings.interleavings import all_interleavings

    algorithm = registry.find_ring(name)(ring, **given)
    if complaint_of(algorithm, algorithm.demands, ring) is not None:
        return 0, None
    found = all_interleavings(algorithm, ring)
    if found.confluent or (algorithm.bidirectional and found.agreed):
        return found.configurations, None
    order = ",".join(map(str, found.schedule or ()))
    params = "".join(f" -p {key}={value}" for key, value in algorithm.given.items())
    called = registry.name_of(type(algorithm))
    named = name if isinstance(name, str) else called.spec
    words = f"princeps run {named} --labels {ring.text}{params} --schedule order:{order} --trace"
    command = command_or_reason(words, called.no_command)
    return found.configurations, f"{found.broken or 'the outcome depends on the schedule'}: {command}"


@explained
@announces("princeps.impossible")
@reads(name=a_protocol, n=read_count, params=or_none(parameters))
def impossible(
    name: Named,
    n: int = 3,
    *,
    limit: Count | None = None,
    params: Mapping[str, Any] | None = None,
    **more: SupportsIndex,
) -> Impossibility:
    """The ring of Lemma 1 for a ring algorithm: it trusts its k, and two processes elect themselves.

    More than `limit` actions on one of the two rings are refused. Parameters are keyword arguments, or a mapping
    `params`.
    """
    from princeps.engines.rings.impossibility import impossible as construct

    return construct(name, n, {**(params or {}), **more}, read_limit(limit, ACTIONS))
