"""Runs of ring algorithms: the choice of an engine, and the result."""

from __future__ import annotations

import time
from collections.abc import Callable

from princeps.engines.registry import AUTO, REFERENCE
from princeps.engines.rings.execution import CannotHold, EngineObserver, Execution
from princeps.engines.rings.registry import ring_engine_named
from princeps.model.rings.event import Event
from princeps.model.rings.result import RingResult
from princeps.model.rings.run import RingRun

COMPILED = "compiled"  # what `auto` chooses for more than
REFERENCE_MESSAGES = 5_000  # messages: plain Python is done with these before compiled code is loaded


def simulate_ring(run: RingRun, observer: EngineObserver | None = None) -> RingResult:
    """Run until nothing can happen any more; an observer is shown the engine from time to time."""
    name, why = choose_ring_engine(run)
    begun = time.perf_counter()
    done: Execution | None = None
    try:
        done = ring_engine_named(name).execute(run, observer)
    except CannotHold as reason:
        name, why = REFERENCE, str(reason)
    if done is None:
        done = ring_engine_named(name).execute(run, observer)
    return result_of(run, done, name, why, begun)


def trace_ring(run: RingRun, watch: Callable[[Event], None]) -> RingResult:
    """The same run in plain Python, every event shown to `watch`; one with the action "" is a deadlock."""
    from princeps.engines.rings.reference import execute

    begun = time.perf_counter()
    return result_of(run, execute(run, watch=watch), REFERENCE, "every event is shown", begun)


def choose_ring_engine(run: RingRun) -> tuple[str, str]:
    """The engine's name and the reason in a few words."""
    if run.engine != AUTO:
        return run.engine, "asked for"
    if ring_engine_named(COMPILED).refusal(run) is not None:
        return REFERENCE, run.scheduler.plain_reason
    promised = run.algorithm.promised(run.ring).get("messages", run.ring.n**2)
    if promised <= REFERENCE_MESSAGES:
        return REFERENCE, "few messages"
    return COMPILED, "many messages"


def result_of(run: RingRun, done: Execution, engine: str, why: str, begun: float) -> RingResult:
    end = done.end
    ending = end.ending()
    broken = tuple(end.violations.values())
    if not (done.limited or done.interrupted):
        broken += tuple(ending.violations(end.now))
    return RingResult(
        protocol=run.algorithm.name,
        params=run.algorithm.params,
        ring=run.ring,
        schedule=run.scheduler.text,
        seed=run.seed,
        trial=run.trial,
        engine=engine,
        why=why,
        converged=not (broken or done.limited or done.interrupted),
        leader=ending.leaders[0] if len(ending.leaders) == 1 else None,
        leaders=len(ending.leaders),
        time=end.now,
        steps=end.steps,
        messages=end.messages,
        kinds=end.kinds,
        max_bits=end.max_bits(),
        bounds=run.algorithm.promised(run.ring),
        violations=broken,
        seconds=time.perf_counter() - begun,
        limited=done.limited,
        interrupted=done.interrupted,
        command=run.command(),
        elects_true_leader=run.algorithm.elects_true_leader,
    )
