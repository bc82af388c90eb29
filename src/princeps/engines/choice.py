"""Which engine a run gets when none is asked for, and why: from the run alone, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator

from princeps.engines.registry import AUTO, REFERENCE, refusal
from princeps.errors import PrincepsError, RunError
from princeps.lowering.memory import remembered
from princeps.model.protocol import PopulationProtocol, Uniform
from princeps.model.run import Run
from princeps.model.states import State
from princeps.model.topology import COMPLETE

MAX_STATES_FOR_COUNTS = 24  # that can ever be occupied
MAX_STATES_WITH_CHOICES = 128  # the same, where the rule tosses coins or reads an oracle: all that `counts` takes
MIN_AGENTS_TO_CHOOSE = 500  # below it nothing takes long, and agents keep their numbers
MIN_AGENTS_FOR_COUNTS = 20_000_000  # beyond it listing agents, far out of the cache, is slower than drawing from counts


def choose(run: Run) -> tuple[str, str]:
    """The engine's name and the reason in a few words."""
    if run.engine != AUTO:
        problem = refusal(run.engine, run)
        if problem is not None:
            raise RunError(problem)
    if run.check:
        return REFERENCE, "--check looks at every step in plain Python"
    if run.engine != AUTO:
        return run.engine, "asked for"
    if run.scheduler.sees_configuration:
        return REFERENCE, "the scheduler sees the configuration"
    if run.scheduler.draws:
        return REFERENCE, "the draws of the pairs are given"
    if not run.scheduler.draws_uniform_arcs:
        return "agents", "the schedule is given" if run.scheduler.listed is not None else "the scheduler is not uniform"
    if run.n < MIN_AGENTS_TO_CHOOSE:
        return "agents", f"fewer than {MIN_AGENTS_TO_CHOOSE} agents"
    if run.topology.kind != COMPLETE:
        if refusal("events", run) is None:
            return "events", "a sparse graph: null interactions are skipped while few are effective"
        return "agents", "too many arcs to keep a list of the effective ones"
    if run.tears:
        return "agents", "interactions are torn one by one"
    if refusal("counts", run) is not None or run.protocol.verdicts:
        return "agents", "the agents are not interchangeable, or the goal is not a condition on counts"
    many = run.n > MIN_AGENTS_FOR_COUNTS and starts_in_few_states(run)
    if many and (not run.protocol.has_choices or has_few_states(run, MAX_STATES_WITH_CHOICES)):
        return "counts", f"more than {MIN_AGENTS_FOR_COUNTS:,} agents on the complete graph"
    if has_few_states(run):
        return "counts", f"at most {MAX_STATES_FOR_COUNTS} states on the complete graph"
    return "agents", "many states on the complete graph"


def starts_in_few_states(run: Run) -> bool:
    """The start is given by numbers of agents, not agent by agent."""
    from princeps.engines.starting import blocks_of
    from princeps.lowering.interning import MAX_STATES
    from princeps.lowering.kernels import kernels_of

    if run.lists_states:
        return False
    if isinstance(type(run.protocol).start_rule(run.start), Uniform):
        return run.protocol.space.random_count <= MAX_STATES // 2
    return blocks_of(run, kernels_of(run.protocol)) is not None


def has_few_states(run: Run, most: int = MAX_STATES_FOR_COUNTS) -> bool:
    """No more than `most` states can ever be reached from the start; asked once for all trials of a run."""
    total = run.protocol.state_count
    if total is not None and total <= most:
        return True
    question = (tuple(sorted(run.protocol.params.items())), run.n, run.start, most)
    answers = remembered(type(run.protocol), "few states")
    if question not in answers:
        try:
            answers.keep(question, _search(run, most))
        except PrincepsError:  # a mistake in the rule is reported when such a pair meets
            answers.keep(question, False)
    return bool(answers[question])


def _search(run: Run, most: int) -> bool:
    from princeps.engines.starting import blocks_of
    from princeps.lowering.kernels import kernels_of

    blocks = None if run.lists_states else blocks_of(run, kernels_of(run.protocol))
    if blocks is None:
        return False
    found: list[State] = list(dict.fromkeys(state for _, state in blocks))
    known = set(found)
    k = 0
    while k < len(found) <= most:  # each state with all before it, in both roles
        for other in found[: k + 1]:
            for pair in ((found[k], other), (other, found[k])):
                for state in _results(run.protocol, *pair):
                    if state not in known:
                        known.add(state)
                        found.append(state)
        k += 1
    return len(found) <= most


def _results(protocol: PopulationProtocol, a: State, b: State) -> Iterator[State]:
    """All states that an interaction can lead to."""
    if not protocol.has_choices:
        yield from protocol.step(a, b)
        return
    for oracle_value in protocol.oracle_values:
        for _, states, _ in protocol.branches(a, b, oracle_value):
            yield from states
