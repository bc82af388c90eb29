"""What `princeps exact` found, as runs that can be watched: a worst start, a counterexample, a broken interleaving.

The session begins in the configuration that was found. The interactions of a counterexample have been done in it, by
order, and it stands at the start again: playing it shows them, and after them the run goes on at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from princeps.engines.opening import session_described
from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.errors import RunError
from princeps.model.description import Description, read, read_command, with_seed
from princeps.model.options import is_given, options_of
from princeps.model.options.run import OF_WHOLE_RUNS, RunOptions
from princeps.model.run import Run

REPLAYED = 1_000_000  # steps of a broken interleaving at most


@dataclass(frozen=True)
class Example:
    """One thing worth watching: what it is, in words, and the session that shows it."""

    title: str
    open: Callable[[], Session | RingSession]
    where: str = "The run begins there and goes on at random."

    @property
    def shows(self) -> str:
        """For the page: what was found, and which part of the run that is."""
        return f"Found by exact: {self.title}. {self.where}"


def examples_of(found: Any, description: Description) -> list[Example]:
    """The most telling first. `found` is the answer of `exact`, `description` what was analysed."""
    if hasattr(found, "labels"):
        return list(_of_ring(found, description))
    if hasattr(found, "lasso"):
        return list(_of_fair_adversary(found, description))
    if not hasattr(found, "worst_starts"):
        raise RunError("this answer is a probability: there is no run to watch. Leave out --probability, or --watch.")
    return list(_of_population(found, description))


def example_of(found: Any, description: Description) -> Example:
    """The most telling one."""
    examples = examples_of(found, description)
    if not examples:
        raise RunError(
            f"nothing was found to watch: all is as it should be. See it run with princeps watch {description.spec}."
        )
    return examples[0]


def _of_population(found: Any, description: Description) -> Iterator[Example]:
    for lemma in found.lemmas or ():
        if lemma.schedule is not None:
            yield _scheduled(f"lemma {lemma.id} is refuted: {lemma.says}", lemma.schedule, description, found.target)
    if found.torn is not None and found.torn.killing is not None:
        title = f"torn interactions: after these steps the target {found.target} is never reached"
        yield _scheduled(title, found.torn.killing, description, found.target)
    if found.trap is not None:
        yield _scheduled(f"from here the target {found.target} is never reached", found.trap, description, found.target)
    for one in found.sets or ():
        if one.danger is not None:
            yield _scheduled(f"{one.name} is not safe: an output changes", one.danger, description, found.target)
        if one.leak is not None:
            yield _scheduled(f"{one.name} is not closed: it is left", one.leak, description, found.target)
    if found.worst_starts:
        states = found.worst_starts[0].states
        yield Example(
            f"a start from which {found.target} takes longest: {found.worst:.6g} steps expected",
            lambda: _begun(states, description, found.target),
        )


def _of_fair_adversary(found: Any, description: Description) -> Iterator[Example]:
    if found.lasso is not None:
        title = f"a fair adversary avoids the target {found.target} for ever: stem and cycle of its schedule"
        yield _scheduled(title, found.lasso, description, found.target)


def _scheduled(title: str, schedule: Any, description: Description, target: str) -> Example:
    """Of a counterexample."""

    def open_it() -> Session | RingSession:
        session = _begun(schedule.states, description, target)
        for number, (i, j) in enumerate(schedule.pairs):
            shown = schedule.draws[number] if number < len(schedule.draws) else ()
            side = schedule.sides[number] if schedule.sides else None
            draws = list(shown) if shown else None
            session.meet(i, j, draws) if side is None else session.torn(i, j, side, draws)
        return session.goto(0)

    count = len(schedule.pairs)
    if count == 0:
        return Example(title, open_it)
    first = "step is" if count == 1 else f"{count} steps are"
    return Example(title, open_it, f"The first {first} what was found; then the run goes on at random.")


def _begun(states: Sequence[Sequence[int]], description: Description, target: str) -> Session:
    """A session whose start is this configuration."""
    plain = _plain(description, target)
    run = read(plain)
    assert isinstance(run, Run)
    space, inputs = run.protocol.space, run.protocol.input_field
    said: dict[str, Any] = {"start": "states:" + ";".join(",".join(space.written(state)) for state in states)}
    if inputs is not None:
        said["ids"] = ",".join(str(int(state[space.names.index(inputs)])) for state in states)
    session = session_described(plain.with_options(**said))
    assert isinstance(session, Session)
    return session


def _plain(description: Description, target: str) -> Description:
    """Without what is said of a whole run or of the analysis: "all" is no start of a run, and a target may be no goal."""
    known, said = options_of(RunOptions), vars(description.options)
    cls: Any = description.cls
    goal = target if target in cls.all_goals() else None
    unfit = {name: known[name].default for name in OF_WHOLE_RUNS if is_given(said[name], known[name])}
    return with_seed(description.with_options(**unfit, start=None, until=goal))


def _of_ring(found: Any, description: Description) -> Iterator[Example]:
    if found.command is None or found.command.startswith("#"):
        return

    def open_it() -> Session | RingSession:
        replayed = read_command(found.command.removesuffix(" --trace"))
        session = session_described(with_seed(replace(replayed, protocol=description.protocol)))
        session.run_until(max_steps=REPLAYED)
        return session.goto(0)

    yield Example(str(found.broken), open_it, "The run follows the order that was found.")
