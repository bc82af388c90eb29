"""The public functions: the same words as the command line's verbs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

from princeps.model import registry
from princeps.model.numbers import read_count
from princeps.model.protocol import PopulationProtocol
from princeps.model.result import Result
from princeps.model.run import check_size, make_run

if TYPE_CHECKING:
    from princeps.engines.estimate import Estimate


def library() -> list[str]:
    """The names in the library."""
    return registry.names()


def protocol(name: str, n: int | str | float | None = None, **params: int) -> PopulationProtocol:
    """A protocol with its parameters fixed: fields, state_count, delta, output."""
    size = None if n is None else read_count(n, "n")
    if size is not None:
        check_size(size)
    return registry.find(name)(size, **params)


def run(
    name: str | type[PopulationProtocol],
    n: int | str | float | None = None,
    *,
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
) -> Result:
    """Simulate one run; without a seed one is chosen, and the result names it."""
    from princeps.engines.simulate import simulate

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
) -> list[Result]:
    """Trials 0..count-1 of one seed, over `jobs` processes; the other arguments are those of `run`."""
    from princeps.engines.trials import run_trials

    options = {key: arguments.pop(key) for key in list(arguments) if key in _RUN_OPTIONS}
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

    options = {key: arguments.pop(key) for key in list(arguments) if key in _RUN_OPTIONS}
    return estimate_run(make_run(name, n, seed=seed, params=arguments, **options), trials, jobs)


_RUN_OPTIONS = {
    name
    for name, parameter in signature(run).parameters.items()
    if parameter.kind is parameter.KEYWORD_ONLY and name not in ("seed", "trial", "observer")
}


def fresh_seed() -> int:
    import secrets

    return secrets.randbits(32)
