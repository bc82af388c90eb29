"""Runs of ring algorithms: the choice of an engine, and the result."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from princeps.engines.registry import AUTO, REFERENCE
from princeps.engines.rings.execution import ActionFailed, CannotHold, EngineObserver, Execution
from princeps.engines.rings.registry import ring_engine_named
from princeps.model import limits
from princeps.model.announcing import compiles
from princeps.model.limits import refuse_beyond
from princeps.model.numbers import duration_in_words
from princeps.model.rings.event import Event
from princeps.model.rings.result import RingResult
from princeps.model.rings.run import RingRun

COMPILED = "compiled"  # what `auto` chooses for more than
MESSAGES_PER_SECOND = 50_000_000  # of compiled code
COMPILING = 6  # seconds of a processor, the first time
MAX_REPEATED = 100_000  # actions, a second or two in plain Python
REFERENCE_MESSAGES = 5_000  # messages: plain Python is done with these before compiled code is loaded


def simulate_ring(run: RingRun, observer: EngineObserver | None = None) -> RingResult:
    """Run until nothing can happen any more; an observer is shown the engine from time to time."""
    refuse_endless(run)
    name, why = choose_ring_engine(run)
    compiles(f"{run.algorithm.name} for engine {name}", COMPILING)
    begun = time.perf_counter()
    done: Execution | None = None
    try:
        done = ring_engine_named(name).execute(run, observer)
    except CannotHold as reason:
        name, why = REFERENCE, str(reason)
    except ActionFailed as failure:
        done = repeated(run, failure)
        name, why = REFERENCE, "a number exceeds 2^63 - 1"
    if done is None:
        done = ring_engine_named(name).execute(run, observer)
    return result_of(run, done, name, why, begun)


def repeated(run: RingRun, failure: ActionFailed) -> Execution:
    """The beginning of a run once more in plain Python, which names the line that fails; the whole run if nothing fails."""
    limit = MAX_REPEATED if run.max_steps is None else min(run.max_steps, MAX_REPEATED)
    done = ring_engine_named(REFERENCE).execute(replace(run, max_steps=limit))
    if done.limited and limit != run.max_steps:
        raise failure.error from None
    return done


def trace_ring(run: RingRun, watch: Callable[[Event], None]) -> RingResult:
    """The same run in plain Python, every event shown to `watch`; one with the action "" is a deadlock."""
    from princeps.engines.rings.reference import execute

    refuse_endless(run)
    begun = time.perf_counter()
    return result_of(run, execute(run, watch=watch), REFERENCE, "every event is shown", begun)


def refuse_endless(run: RingRun) -> None:
    """A run that nobody can wait for, unless it is said when to give up."""
    if run.max_steps is not None:
        return
    algorithm, ring = run.algorithm, run.ring
    needed = algorithm.ask(algorithm.least_messages, ring, algorithm.constants)
    k = type(algorithm).smallest_k(ring)
    smaller = "" if k is None else f"lower k (k = {k} suffices for this ring), or "
    refuse_beyond(
        limits.MESSAGES,
        needed,
        f"{algorithm.name} sends at least {{}} messages on this ring ({duration_in_words(needed // MESSAGES_PER_SECOND)})",
        f"{smaller}say with --max-steps when to give up.",
    )


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
        own_constants=tuple(run.algorithm.own_constants),
    )
