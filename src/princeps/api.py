"""The public functions: the same words as the command line's verbs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

from princeps.errors import RingError, RunError
from princeps.exactly import exact as exact
from princeps.model import registry
from princeps.model.numbers import read_count
from princeps.model.protocol import PopulationProtocol
from princeps.model.randomness import Stream
from princeps.model.ring import Ring, random_ring, read_ring, read_ring_file
from princeps.model.ring_algorithm import RingAlgorithm
from princeps.model.run import check_size, make_run

if TYPE_CHECKING:
    from princeps.engines.estimate import Estimate
    from princeps.engines.impossibility import Impossibility
    from princeps.engines.ring_survey import Survey
    from princeps.model.ring_facts import RingFacts


def library(kind: str | None = None) -> list[str]:
    """The names in the library; only those of population protocols (`"population"`) or ring algorithms (`"ring"`)."""
    return registry.names(kind)


def protocol(name: str, n: int | str | float | None = None, **params: int) -> PopulationProtocol:
    """A population protocol with its parameters fixed: fields, state_count, delta, output."""
    size = None if n is None else read_count(n, "n")
    if size is not None:
        check_size(size)
    return registry.find(name)(size, **params)


def run(
    name: str | type[PopulationProtocol] | type[RingAlgorithm],
    n: int | str | float | None = None,
    *,
    labels: str | Sequence[Any] | Ring | None = None,
    random: str | None = None,
    ring: str | None = None,
    schedule: str | None = None,
    trace: str | Callable[[Any], None] | None = None,
    diagram: str | None = None,
    start: str | None = None,
    until: str | None = None,
    seed: int | None = None,
    engine: str = "auto",
    trial: int = 0,
    graph: str | None = None,
    max_steps: int | str | float | None = None,
    faults: Sequence[str] = (),
    hold: bool = False,
    check: bool = False,
    pairs: str | Sequence[tuple[int, int]] | None = None,
    ids: str | Sequence[int] | None = None,
    record: Sequence[str] | Mapping[str, str] = (),
    every: float = 0.1,
    force: bool = False,
    observer: Callable[[Any], None] | None = None,
    **params: int,
) -> Any:
    """Simulate one run; without a seed one is chosen, and the result names it.

    A Result; of a ring algorithm, whose ring is given by labels, random, ring (a file) or n, a RingResult. On a ring
    every event may be shown to `trace` (a function, or a file for JSON lines), and drawn into `diagram` (a file).
    """
    from princeps.engines.simulate import simulate

    cls = registry.find_any(name) if isinstance(name, str) else name
    if issubclass(cls, RingAlgorithm):
        others = (start, until, graph, faults, hold, check, pairs, ids, record)
        if any(value not in (None, False, (), []) for value in others):
            raise RunError(f"{cls.name} is a ring algorithm: it takes labels, random, ring or n, schedule and force.")
        from princeps.engines.rings import simulate_ring
        from princeps.model.ring_run import make_ring_run

        plan = make_ring_run(
            name if isinstance(name, str) else cls,
            n,
            labels=labels,
            random=random,
            ring=ring,
            schedule="synchronous" if schedule is None else schedule,
            seed=fresh_seed() if seed is None else seed,
            trial=trial,
            engine=engine,
            max_steps=max_steps,
            force=force,
            params=params,
        )
        if trace is None and diagram is None:
            return simulate_ring(plan, observer)
        from princeps.watched import watched

        return watched(plan, trace, diagram)
    if any(value is not None for value in (labels, random, ring, schedule, trace, diagram)):
        raise RunError(
            f"{cls.name} is a population protocol: labels, random, ring and schedule are for ring algorithms."
        )
    assert not isinstance(name, type) or issubclass(name, PopulationProtocol)
    prepared = make_run(
        name,
        n,
        start=start,
        until=until,
        seed=fresh_seed() if seed is None else seed,
        engine=engine,
        trial=trial,
        graph=graph,
        max_steps=max_steps,
        faults=faults,
        hold=hold,
        check=check,
        pairs=pairs,
        ids=ids,
        record=record,
        every=every,
        force=force,
        params=params,
    )
    return simulate(prepared, observer)


def trials(
    name: str,
    n: int | str | float | None = None,
    *,
    count: int,
    jobs: int = 1,
    seed: int | None = None,
    **arguments: Any,
) -> list[Any]:
    """Trials 0..count-1 of one seed, over `jobs` processes; the other arguments are those of `run`."""
    from princeps.engines.trials import run_trials

    options = {key: arguments.pop(key) for key in list(arguments) if key in _RUN_OPTIONS}
    if issubclass(registry.find_any(name), RingAlgorithm):
        options.setdefault("schedule", "synchronous")  # by which a worker knows a ring algorithm
    chosen = fresh_seed() if seed is None else seed
    description = {"name": name, "n": n, "seed": chosen, "params": arguments, **options}
    return sorted(run_trials(description, range(count), jobs), key=lambda result: result.trial)


def estimate(
    name: str | type[PopulationProtocol],
    n: int | str | float | None = None,
    *,
    trials: int = 1,
    jobs: int = 1,
    seed: int = 0,
    **arguments: Any,
) -> Estimate:
    """Memory and time before a long run; the other arguments are those of `run`. Nothing but a short slice is run."""
    from princeps.engines.estimate import estimate as estimate_run

    cls = registry.find_any(name) if isinstance(name, str) else name
    if issubclass(cls, RingAlgorithm):
        raise RunError(
            f"{cls.name} is a ring algorithm: its paper's bounds are the estimate, see princeps show {cls.name}."
        )
    options = {key: arguments.pop(key) for key in list(arguments) if key in _RUN_OPTIONS}
    return estimate_run(make_run(name, n, seed=seed, params=arguments, **options), trials, jobs)


def ring(
    labels: str | Sequence[Any] | Ring | None = None,
    *,
    random: str | None = None,
    ring: str | None = None,
    seed: int | str = 0,
) -> RingFacts:
    """What a labeled ring is: multiplicity, symmetry, classes, true leader, Lyndon word, the k that algorithms need."""
    from princeps.model.numbers import read_integer
    from princeps.model.ring_facts import ring_facts

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

    from princeps.engines.ring_survey import asymmetric_rings, survey

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
    from princeps.exact.interleavings import all_interleavings

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
    from princeps.engines.impossibility import impossible as construct

    return construct(name, n, params)


_RUN_OPTIONS = {
    name
    for name, parameter in signature(run).parameters.items()
    if parameter.kind is parameter.KEYWORD_ONLY and name not in ("seed", "trial", "observer", "trace", "diagram")
}


def fresh_seed() -> int:
    import secrets

    return secrets.randbits(32)
