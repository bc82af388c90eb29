"""Which engine a run gets when none is asked for, and why: from the run alone, the same on every machine."""

from __future__ import annotations

from collections.abc import Hashable

from princeps.engines.refusals import counts_refusal, events_refusal
from princeps.errors import PrincepsError
from princeps.model.protocol import Uniform
from princeps.model.run import Run
from princeps.model.states import State
from princeps.model.topology import COMPLETE

FEW = 24  # states, as many as can ever be occupied
SMALL = 500  # agents; below it nothing takes long, and agents keep their numbers
LARGE = 20_000_000  # agents that outgrow the cache so far that listing them is slower than drawing from counts


_answers: dict[Hashable, bool] = {}


def choose(run: Run) -> tuple[str, str]:
    """The engine's name and the reason in a few words."""
    if run.check:
        return "reference", "--check looks at every step in plain Python"
    if run.engine != "auto":
        return run.engine, "asked for"
    if run.pairs is not None:
        return "agents", "the schedule is given"
    if run.n < SMALL:
        return "agents", f"fewer than {SMALL} agents"
    if run.topology.kind != COMPLETE:
        if events_refusal(run) is None:
            return "events", "a sparse graph: null interactions are skipped while few are effective"
        return "agents", "too many arcs to keep a list of the effective ones"
    if counts_refusal(run) is not None or run.protocol.verdicts:
        return "agents", "the agents or the goal cannot be told by counts"
    if run.n > LARGE and starts_in_few_states(run):
        return "counts", f"more than {LARGE:,} agents on the complete graph"
    if has_few_states(run):
        return "counts", f"at most {FEW} states on the complete graph"
    return "agents", "many states on the complete graph"


def starts_in_few_states(run: Run) -> bool:
    """The start is told by numbers of agents, not agent by agent."""
    from princeps.engines.starting import blocks_of
    from princeps.lowering.interning import MOST
    from princeps.lowering.kernels import kernels_of

    if run.lists_states:
        return False
    if isinstance(type(run.protocol).starts[run.start], Uniform):
        return run.protocol.space.random_count <= MOST // 2
    return blocks_of(run, kernels_of(run.protocol)) is not None


def has_few_states(run: Run) -> bool:
    """No more than FEW states can ever be reached from the start; asked once for all trials of a run."""
    total = run.protocol.state_count
    if total is not None and total <= FEW:
        return True
    question = (type(run.protocol), tuple(sorted(run.protocol.params.items())), run.n, run.start)
    if question not in _answers:
        try:
            _answers[question] = _search(run)
        except PrincepsError:  # a mistake in the rule is told when such a pair meets
            _answers[question] = False
    return _answers[question]


def _search(run: Run) -> bool:
    from princeps.engines.starting import blocks_of
    from princeps.lowering.kernels import kernels_of

    blocks = None if run.lists_states else blocks_of(run, kernels_of(run.protocol))
    if blocks is None:
        return False
    found: list[State] = list(dict.fromkeys(state for _, state in blocks))
    known = set(found)
    k = 0
    while k < len(found) <= FEW:  # each state with all before it, in both roles
        for other in found[: k + 1]:
            for pair in ((found[k], other), (other, found[k])):
                for state in run.protocol.step(*pair):
                    if state not in known:
                        known.add(state)
                        found.append(state)
        k += 1
    return len(found) <= FEW
