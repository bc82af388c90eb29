"""From a description to a run of a ring algorithm: everything is read here, and what is wrong is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from princeps.errors import RingError, RunError
from princeps.model import registry
from princeps.model.description import Description, Named, describe
from princeps.model.numbers import read_count
from princeps.model.options import Count
from princeps.model.parameters import complaint_of
from princeps.model.randomness import Stream
from princeps.model.reading import read_limit, read_seed_and_trial
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.rings.reading_rings import check_ring_size, numbered_ring, random_ring, read_ring, read_ring_file
from princeps.model.rings.ring import Ring
from princeps.model.rings.run import RingRun
from princeps.model.rings.scheduler import read_ring_scheduler

DEFAULT_SCHEDULER = "synchronous"
FORCED_LIMIT_FACTOR = 100  # a forced run may never end: it is stopped at this multiple of the promised messages


def make_ring_run(name: Named, n: Count | None = None, **given: Any) -> RingRun:
    """A run by the arguments of `princeps.run`; the parameters may also be given as `params`."""
    description = describe(name, n, **given)
    registry.require_ring(description.cls)
    return read_ring_run(description)


def read_ring_run(description: Description) -> RingRun:
    """Read and check a run as a user describes it; the ring is given in exactly one of four ways.

    The name of its engine is checked by engines/dispatch.py.
    """
    options, cls = description.options, registry.require_ring(description.cls)
    seed, trial = read_seed_and_trial(options.seed, options.trial)
    params = {key: read_count(value, key) for key, value in description.params.items()}
    stream = Stream.of(seed, trial, "ring")
    ring, words = _ring(cls, description.n, options.labels, options.random, options.ring, params.get("k"), stream)
    scheduler = read_ring_scheduler(_scheduler_text(options.scheduler, options.schedule), ring.n)
    algorithm = cls(ring, **params)
    complaint = complaint_of(algorithm, algorithm.demands, ring)
    if complaint and not options.force:
        raise RingError(f"{complaint} To see what goes wrong, insist with --force.")
    limit = read_limit(options.max_steps)
    if limit is None and complaint:
        promised = algorithm.promised(ring).get("messages", ring.n**2)
        limit = 10_000 + FORCED_LIMIT_FACTOR * int(promised)
    forced = options.force and bool(complaint)
    return RingRun(
        *(algorithm, description.spec, ring, words, scheduler, seed, trial, options.engine, limit, forced),
        no_command=description.no_command,
    )


def _scheduler_text(scheduler: Any, schedule: str | None) -> Any:
    """The two names of one option."""
    if scheduler is not None and schedule is not None and scheduler != schedule:
        raise RunError(f"--scheduler {scheduler} and --schedule {schedule} are the same option: give it once.")
    return next((text for text in (scheduler, schedule) if text is not None), DEFAULT_SCHEDULER)


def _ring(
    cls: type[RingAlgorithm],
    n: Count | None,
    labels: str | Sequence[Any] | Ring | None,
    random: str | None,
    file: str | None,
    k: int | None,
    stream: Stream,
) -> tuple[Ring, tuple[str, ...]]:
    ways = [
        way
        for way, given in (("-n", n), ("--labels", labels), ("--random", random), ("--ring", file))
        if given is not None
    ]
    if len(ways) != 1:
        found = " and ".join(ways) + " are given" if ways else "none of them is given"
        raise RingError(f"{cls.name} needs one ring, by --labels, --random, --ring or -n; {found}.")
    if labels is not None:
        found_ring = read_ring(labels)
        return found_ring, ("--labels", found_ring.text)
    if random is not None:
        return random_ring(random, stream, k), ("--random", random)
    if file is not None:
        return read_ring_file(file), ("--ring", file)
    assert n is not None
    size = read_count(n, "n")
    if cls.anonymous:
        check_ring_size(size)
        return Ring((0,) * size), ("-n", str(size))
    return numbered_ring(size, stream), ("-n", str(size))
