"""The ring engines: for each its name, what it is for, which runs it takes, and the function that executes a run.

Adding a ring engine means a file of its own and an entry here. Nothing is imported before an engine is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from princeps.engines.registry import AUTO, REFERENCE
from princeps.engines.rings.execution import EngineObserver, Execution
from princeps.errors import RunError, UnknownName
from princeps.model.rings.run import RingRun


@dataclass(frozen=True)
class RingEngine:
    """One ring engine, as the rest of the project sees it."""

    name: str
    help: str
    executor: str  # "module:function" that executes a run, observed or not; it may raise CannotHold
    refusal: Callable[[RingRun], str | None]  # why it does not take a run, in a sentence; None if it does

    def execute(self, run: RingRun, observer: EngineObserver | None = None) -> Execution:
        problem = self.refusal(run)
        if problem is not None:
            raise RunError(problem)
        module, _, function = self.executor.partition(":")
        execution: Execution = getattr(import_module(module), function)(run, observer)
        return execution


def _takes_all(run: RingRun) -> str | None:
    return None


def _compiled_refusal(run: RingRun) -> str | None:
    if run.scheduler.delivery_order is None:
        return f"--scheduler {run.scheduler.short} is followed in plain Python: leave out --engine compiled."
    return None


RING_ENGINES: dict[str, RingEngine] = {
    engine.name: engine
    for engine in (
        RingEngine(
            name=REFERENCE,
            help="plain Python, the definition of an execution; traces, diagrams and sessions are made by it",
            executor="princeps.engines.rings.reference:execute",
            refusal=_takes_all,
        ),
        RingEngine(
            name="compiled",
            help="the same execution in compiled code, for many messages; it starts slowly",
            executor="princeps.engines.rings.compiled:execute",
            refusal=_compiled_refusal,
        ),
    )
}


def ring_engine_named(name: str) -> RingEngine:
    if name not in RING_ENGINES:
        raise UnknownName("engine", name, [AUTO, *RING_ENGINES])
    return RING_ENGINES[name]


def refuse_other_engines(run: RingRun, sentence: str) -> None:
    """For what only the reference engine does; the sentence has a gap for the name of the engine that was asked for."""
    if run.engine not in (AUTO, REFERENCE):
        raise RunError(sentence.format(run.engine))
