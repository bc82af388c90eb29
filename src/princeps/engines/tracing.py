"""A run of a population in plain Python, every interaction shown: what --trace and --diagram are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from princeps.engines.checks import make_reference
from princeps.engines.choice import choose
from princeps.engines.population import Population
from princeps.engines.reference import Listener, Reference
from princeps.engines.registry import AUTO, ENGINES, REFERENCE, refusal
from princeps.engines.simulate import simulate
from princeps.errors import RunError, TooLarge
from princeps.model.meeting import Happening, Meeting, Strike
from princeps.model.numbers import duration_in_words, in_words
from princeps.model.protocol import usual_steps
from princeps.model.result import Result
from princeps.model.run import Run
from princeps.model.window import Window

MAX_TRACED_STEPS = 10_000_000  # in plain Python, two minutes
STEPS_PER_SECOND = 100_000
SAME_PAIRS = "agents"  # the fast engine that draws the pairs of `reference`

WatchMeeting = Callable[[Happening], None]


class Tracer(Listener):
    """Tells of every interaction. Those that changed nothing are held back until one does: after the last change of a
    run that is stuck there may be thousands."""

    def __init__(self, population: Reference, watch: WatchMeeting) -> None:
        self.population, self.watch = population, watch
        self.seen = list(population.states)
        self.held_back: list[Meeting] = []

    def __call__(self, population: Reference, i: int, j: int) -> None:
        if population.steps > MAX_TRACED_STEPS:
            raise TooLarge(too_long(population.steps, "at least "))
        after = population.states[i], population.states[j]
        meeting = Meeting(population.steps, i, j, (self.seen[i], self.seen[j]), after)
        if not meeting.changed:
            self.held_back.append(meeting)
            return
        self.seen[i], self.seen[j] = after
        self.tell(population.steps)
        self.watch(meeting)

    def attacked(self) -> None:
        self.tell(self.population.steps)
        for agent, (before, after) in enumerate(zip(self.seen, self.population.states, strict=True)):
            if before != after:
                self.watch(Strike(self.population.steps, agent, before, after))
        self.seen = list(self.population.states)

    def tell(self, end: int) -> None:
        """What was held back up to this step."""
        for meeting in self.held_back:
            if meeting.step <= end:
                self.watch(meeting)
        self.held_back.clear()


def too_long(steps: int, about: str = "") -> str:
    return (
        f"--trace and --diagram go through every step in plain Python: {about}{in_words(steps)} steps take about "
        f"{duration_in_words(steps / STEPS_PER_SECOND)}, more than the limit of {in_words(MAX_TRACED_STEPS)} steps. "
        f"Stop early with --max-steps, or show a part with --window 0..1000."
    )


def refuse_long_trace(run: Run, window: Window | None) -> None:
    """Before it is begun, if it is known how long it will take."""
    usual = usual_steps(run.protocol, run.n)
    known = [run.max_steps, window and window.last]
    least = min((steps for steps in known if steps is not None), default=int(usual or 0))
    if least > MAX_TRACED_STEPS:
        raise TooLarge(too_long(least))


def traced_run(run: Run) -> Run:
    """The same on an engine that draws the pairs of `reference`, which its command then names."""
    if ENGINES[choose(run)[0]].draws_as_reference:
        return run
    if run.engine != AUTO:
        raise RunError(
            f"--trace and --diagram watch every interaction in plain Python, which --engine {run.engine} does not draw: leave it out."
        )
    return replace(
        run, engine=SAME_PAIRS if refusal(SAME_PAIRS, replace(run, engine=SAME_PAIRS)) is None else REFERENCE
    )


def trace_population(run: Run, watch: WatchMeeting, window: Window | None = None) -> Result:
    """Every interaction up to the end of the window is shown to `watch`; what follows is left to the fast engine."""
    refuse_long_trace(run, window)
    run = traced_run(run)
    tracers: list[Tracer] = []

    def make(one: Run) -> Population:
        population = make_reference(one)
        population.why = "every interaction is shown"
        if not tracers:
            tracers.append(Tracer(population, watch))
            population.listeners.append(tracers[0])
        return population

    if window is None or window.last is None:
        result = simulate(run, make=make)
        tracers[0].tell(result.total_steps)
        return result
    limit = window.last if run.max_steps is None else min(window.last, run.max_steps)
    shown = simulate(replace(run, max_steps=limit), make=make)
    tracers[0].tell(shown.total_steps)
    ended = shown.total_steps < limit or limit == run.max_steps  # by itself: that was the whole run
    return replace(shown, command=run.command()) if ended else simulate(run)
