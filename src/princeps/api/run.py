"""One run, many trials of it, and what it will cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

from princeps.errors import RunError
from princeps.model import registry
from princeps.model.protocol import PopulationProtocol
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.rings.ring import Ring
from princeps.model.run import make_run

if TYPE_CHECKING:
    from princeps.engines.estimate import Estimate


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
        from princeps.engines.rings.simulate import simulate_ring
        from princeps.model.rings.run import make_ring_run

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
        from princeps.api.trace import watched

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
    from princeps.campaign.trials import run_trials

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


_RUN_OPTIONS = {
    name
    for name, parameter in signature(run).parameters.items()
    if parameter.kind is parameter.KEYWORD_ONLY and name not in ("seed", "trial", "observer", "trace", "diagram")
}


def fresh_seed() -> int:
    import secrets

    return secrets.randbits(32)
