"""A run that can be held in the hand, and the replay of its script."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from princeps.errors import RunError
from princeps.model import registry
from princeps.model.protocol import PopulationProtocol
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.rings.ring import Ring

if TYPE_CHECKING:
    from princeps.engines.rings.session import RingSession
    from princeps.engines.session import Session


def session(
    name: str | type[PopulationProtocol] | type[RingAlgorithm],
    n: int | str | float | None = None,
    *,
    labels: str | Sequence[Any] | Ring | None = None,
    random: str | None = None,
    ring: str | None = None,
    schedule: str | None = None,
    start: str | None = None,
    until: str | None = None,
    seed: int | None = None,
    engine: str = "auto",
    trial: int = 0,
    graph: str | None = None,
    max_steps: int | str | float | None = None,
    check: bool = False,
    pairs: str | Sequence[tuple[int, int]] | None = None,
    ids: str | Sequence[int] | None = None,
    force: bool = False,
    **params: Any,
) -> Session | RingSession:
    """A run at its start, to be stepped, rewound and attacked; the options are those of `run`.

    Without a seed one is chosen, and the session's command names it. Of a ring algorithm it is a RingSession.
    """
    from princeps.api.run import fresh_seed

    cls = registry.find_any(name) if isinstance(name, str) else name
    chosen = fresh_seed() if seed is None else seed
    if issubclass(cls, RingAlgorithm):
        if any(value not in (None, False) for value in (start, until, graph, check, pairs, ids)):
            raise RunError(f"{cls.name} is a ring algorithm: it takes labels, random, ring or n, schedule and force.")
        from princeps.engines.rings.session import RingSession
        from princeps.model.rings.run import make_ring_run

        if engine not in ("auto", "reference"):
            raise RunError(f"a session of a ring algorithm is kept in plain Python: leave out engine={engine!r}.")
        plan = make_ring_run(
            name if isinstance(name, str) else cls,
            n,
            labels=labels,
            random=random,
            ring=ring,
            schedule="synchronous" if schedule is None else schedule,
            seed=chosen,
            trial=trial,
            engine=engine,
            max_steps=max_steps,
            force=force,
            params=params,
        )
        return RingSession(plan)
    if any(value is not None for value in (labels, random, ring, schedule)):
        raise RunError(
            f"{cls.name} is a population protocol: labels, random, ring and schedule are for ring algorithms."
        )
    from princeps.engines.session import Session
    from princeps.model.run import make_run

    assert not isinstance(name, type) or issubclass(name, PopulationProtocol)
    run = make_run(
        name,
        n,
        start=start,
        until=until,
        seed=chosen,
        engine=engine,
        trial=trial,
        graph=graph,
        max_steps=max_steps,
        check=check,
        pairs=pairs,
        ids=ids,
        force=force,
        params=params,
    )
    return Session(run)


def replay(
    path: str,
    *,
    protocol: type[PopulationProtocol] | type[RingAlgorithm] | None = None,
    engine: str | None = None,
    strict: bool = True,
) -> Session | RingSession:
    """The session that a script file describes, at its last state.

    A protocol whose content has changed since is refused; with `strict=False` it is replayed all the same, with a
    warning. `protocol` is the class, where the script's command names one that cannot be found; `engine` another engine.
    """
    from princeps.model.script import protocol_identity
    from princeps.model.script_reading import load_script, read_command

    script = load_script(path)
    arguments = read_command(script.command)
    parameters = arguments.pop("params")
    if protocol is not None:
        arguments["name"] = protocol
    if engine is not None:
        arguments["engine"] = engine
    if "trial" in arguments:
        arguments["trial"] = int(arguments["trial"])
    begun = session(**arguments, **parameters)
    run: Any = begun.run
    now = protocol_identity(run.protocol if hasattr(run, "protocol") else run.algorithm)
    if script.identity is not None and now != script.identity:
        sentence = f"the protocol has changed since {path!r} was written (identity {script.identity}, now {now})"
        if strict:
            raise RunError(f"{sentence}: give strict=False to replay it all the same.")
        warnings.warn(f"{sentence}: the replay may differ.", stacklevel=2)
    return begun.perform(script)
