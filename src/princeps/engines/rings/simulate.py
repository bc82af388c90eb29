"""Runs of ring algorithms: the choice of an engine, and the result."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from princeps.engines.rings.reference import Network
from princeps.model.rings.event import Event
from princeps.model.rings.result import RingResult
from princeps.model.rings.run import RingRun

if TYPE_CHECKING:
    from princeps.engines.rings.compiled import Compiled

SLICE = 1 << 24  # actions between two looks at the keyboard
REFERENCE_MESSAGES = 5_000  # plain Python is done with these before compiled code is loaded

EngineObserver = Callable[[Any], None]


def simulate_ring(run: RingRun, observer: EngineObserver | None = None) -> RingResult:
    """Run until nothing can happen any more; an observer is shown the engine from time to time."""
    engine, why = _choose(run)
    begun = time.perf_counter()
    if engine == "compiled":
        found = _compiled(run, observer, begun, why)
        if found is not None:
            return found
        why = "a string departs from the labels on the left of its process"
    return _finish(run, Network(run), "reference", why, begun, observer)


def trace_ring(run: RingRun, watch: Callable[[Event], None]) -> RingResult:
    """The same run in plain Python, every event shown to `watch`; one with the action "" is a deadlock."""
    return _finish(run, Network(run), "reference", "every event is shown", time.perf_counter(), None, watch)


def _choose(run: RingRun) -> tuple[str, str]:
    if run.engine != "auto":
        return run.engine, "asked for"
    if run.scheduler.kind == "order":
        return "reference", "a given order"
    promised = run.algorithm.promised(run.ring).get("messages", run.ring.n**2)
    if promised <= REFERENCE_MESSAGES:
        return "reference", "few messages"
    return "compiled", "many messages"


def _finish(
    run: RingRun,
    network: Network,
    engine: str,
    why: str,
    begun: float,
    observer: EngineObserver | None,
    watch: Callable[[Event], None] | None = None,
) -> RingResult:
    limited = interrupted = False
    events, reported = network.events(), 0
    try:
        while run.max_steps is None or network.steps < run.max_steps:
            event = next(events, None)
            if watch is not None:
                for deadlock in network.deadlocks[reported:]:  # what happened on the way to this event
                    watch(deadlock)
                reported = len(network.deadlocks)
            if event is None:
                break
            if watch is not None:
                watch(event)
            if observer is not None and event.step % 10_000 == 0:
                observer(network)
        else:
            limited = network.under_way > 0 or network.unstarted > 0
    except KeyboardInterrupt:
        interrupted = True
    return result_of(run, network, engine, why, begun, limited, interrupted)


def result_of(
    run: RingRun, end: Network | Compiled, engine: str, why: str, begun: float, limited: bool, interrupted: bool
) -> RingResult:
    ending = end.ending()
    broken = tuple(end.violations.values())
    if not (limited or interrupted):
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
        converged=not (broken or limited or interrupted),
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
        limited=limited,
        interrupted=interrupted,
        command=run.command(),
        elects_true_leader=run.algorithm.elects_true_leader,
    )


def _compiled(run: RingRun, observer: EngineObserver | None, begun: float, why: str) -> RingResult | None:
    """None: a string is not what the compiled engine can hold."""
    from princeps.engines.rings.compiled import Compiled
    from princeps.lowering.status import Status

    engine = Compiled(run)
    limited = interrupted = False
    try:
        while not engine.over:
            room = SLICE if run.max_steps is None else min(SLICE, run.max_steps - engine.steps)
            if room <= 0:
                limited = engine.under_way > 0 or engine.unstarted > 0
                break
            if engine.advance(room) is Status.OTHER_LETTER:
                return None
            if observer is not None:
                observer(engine)
    except KeyboardInterrupt:
        interrupted = True
    return result_of(run, engine, "compiled", why, begun, limited, interrupted)
