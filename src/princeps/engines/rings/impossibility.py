"""Lemma 1 as an execution: a ring on which an algorithm that trusts a too small k elects two leaders.

On a ring R of n distinct labels the algorithm elects process l within T synchronous steps. Repeat the labels K times
and add one label that occurs nowhere else. No news of that label has reached process j before step j, so until then it
is in the same state as process j mod n of R. If T <= (K-2)n, both processes (K-2)n + l and (K-1)n + l elect themselves,
and the ring is one with a unique label and multiplicity K: no algorithm can do without a bound on the multiplicity,
and one that is right for multiplicity k takes at least 1 + (k-2)n steps on n distinct labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypedDict

from princeps.engines.rings.reference import Network
from princeps.errors import RunError, TooLarge
from princeps.model import limits, registry
from princeps.model.limits import refuse_beyond_memory
from princeps.model.numbers import in_words
from princeps.model.report import Report
from princeps.model.rings.algorithm import Local
from princeps.model.rings.event import Event
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.reading_rings import check_ring_size
from princeps.model.rings.ring import Ring
from princeps.model.rings.run import RingRun

SMALLER = "choose a smaller -n or k, or raise the limit with --limit."


class ElectionStep(TypedDict):
    """The actions of one step; empty where a process does nothing."""

    step: int
    small: str
    first: str
    second: str


@dataclass(frozen=True, repr=False)
class Impossibility:
    """What the construction gave. Steps are synchronous: every enabled process acts once; the start is the first."""

    protocol: str
    params: dict[str, int]
    n: int
    labels: list[int]  # of R
    leader: int
    steps: int  # T
    lower_bound: int | None  # 1 + (k-2)n, for the algorithm's own k >= 2
    copies: int  # K
    large_n: int
    large_ring: Ring
    first: int
    second: int
    elected_at: tuple[int, int]  # the steps in which the two elect themselves on the large ring
    same_states: (
        int  # pairs (process, step) in which the two rings were found in the same state, all that Lemma 1 claims
    )
    first_election: Event
    second_election: Event
    shown: dict[int, dict[str, str]]  # the states of the two in that step
    execution: list[ElectionStep]  # step by step until then: what the small ring's leader and the two do
    command: str

    @property
    def large_labels(self) -> list[int] | list[str]:
        return list(self.large_ring.labels)  # type: ignore[return-value]

    def show(self, event: Event) -> dict[str, str]:
        return self.shown[event.process]

    def report(self) -> Report:
        """What the command line prints, without the execution step by step."""
        from princeps.engines.rings.impossibility_report import impossibility_report

        return impossibility_report(self)

    def __repr__(self) -> str:
        return self.report().text()

    def _repr_html_(self) -> str:
        return self.report().html()

    def as_json(self) -> dict[str, Any]:
        names = ("protocol", "params", "n", "labels", "leader", "steps", "lower_bound", "copies", "large_n", "first")
        out = {name: getattr(self, name) for name in names}
        out |= {"second": self.second, "elected_at": list(self.elected_at), "same_states": self.same_states}
        return {**out, "execution": self.execution, "large_labels": self.large_labels, "command": self.command}


def impossible(
    name: registry.Named, n: int = 3, params: dict[str, Any] | None = None, limit: int = limits.ACTIONS
) -> Impossibility:
    """Build the ring for this algorithm with these parameters, run it, and hold every step to the argument.

    `limit`: of the actions on either ring.
    """
    cls = registry.find_ring(name)
    check_ring_size(n)
    if cls.bidirectional or cls.anonymous:
        raise RunError(f"{cls.name} is not for unidirectional labeled rings: the argument is about those.")
    _refuse_if_too_long(cls.name, n, n, limit)  # each of them starts
    small = Ring(tuple(range(1, n + 1)))
    run = make_ring_run(name, labels=small, engine="reference", max_steps=limit, params=params)
    _refuse_if_too_long(cls.name, n, run.algorithm.ask(cls.least_messages, small, run.algorithm.constants), limit)
    history, events = _states(run, limit)
    leader, steps = _elected(run, events), len(history) - 1
    copies = max(2, -(-steps // n) + 2)  # T <= (K-2)n
    _refuse_if_too_long(cls.name, copies * n + 1, copies * len(events), limit)  # nearly all copies do the same
    large = Ring((*small.labels * copies, n + 1))
    rerun = make_ring_run(name, labels=large, engine="reference", force=True, params=run.algorithm.given)
    large_history, large_events = _states(rerun, limit, steps)
    first, second = (copies - 2) * n + leader, (copies - 1) * n + leader
    k = run.algorithm.given.get("k", 0)
    elections = [_election(rerun, large_events, process) for process in (first, second)]
    return Impossibility(
        protocol=run.algorithm.name,
        params=run.algorithm.params,
        n=n,
        labels=list(range(1, n + 1)),
        leader=leader,
        steps=steps,
        lower_bound=1 + (k - 2) * n if k >= 2 else None,
        copies=copies,
        large_n=large.n,
        large_ring=large,
        first=first,
        second=second,
        elected_at=(elections[0].time + 1, elections[1].time + 1),
        same_states=_same_states(history, large_history, n, copies),
        first_election=elections[0],
        second_election=elections[1],
        shown={event.process: rerun.algorithm.show(event.local) for event in elections},
        execution=[
            {
                "step": step,
                "small": _doing(events, leader, step),
                "first": _doing(large_events, first, step),
                "second": _doing(large_events, second, step),
            }
            for step in range(1, max(event.time for event in elections) + 2)
        ],
        command=rerun.command(),
    )


History = list[list[Local]]  # after every synchronous step, the first entry before any


def _states(run: RingRun, limit: int, most: int | None = None) -> tuple[History, list[Event]]:
    """The states of all processes after each synchronous step, at most this many, and all events until then."""
    network = Network(run)
    now = list(network.locals)
    history: History = [list(now)]
    events: list[Event] = []
    for event in network.events():
        if event.time + 1 > len(history):  # the first event of a new step: the previous one is complete
            history.append(list(now))
            refuse_beyond_memory(
                16 * run.ring.n * len(history),
                f"the states of {run.ring.n} processes after {len(history)} steps",
                SMALLER,
            )
        if most is not None and event.time + 1 > most:
            return history, events
        _refuse_if_too_long(run.algorithm.name, run.ring.n, network.steps, limit)
        events.append(event)
        now[event.process] = event.local
    history.append(now)
    return history, events


def _refuse_if_too_long(name: str, n: int, actions: int, limit: int) -> None:
    if actions > limit:
        raise TooLarge(f"{name} takes more than {in_words(limit)} actions on a ring of {n} processes: {SMALLER}")


def _elected(run: RingRun, events: list[Event]) -> int:
    at = list(run.algorithm.variables_).index("isLeader")
    found = [event.process for event in events if event.local.values[at]]
    if not found:
        raise RunError(f"{run.algorithm.name} elects nobody on {run.ring}: there is nothing to show.")
    return found[0]


def _election(run: RingRun, events: list[Event], process: int) -> Event:
    at = list(run.algorithm.variables_).index("isLeader")
    found = next((event for event in events if event.process == process and event.local.values[at]), None)
    if found is None:
        raise RunError(f"process {process} is not elected on {run.ring}: the argument does not apply.")
    return found


def _doing(events: list[Event], process: int, step: int) -> str:
    """The action of a process in a step, and what it received; empty if it does nothing."""
    found = next((event for event in events if event.process == process and event.time + 1 == step), None)
    return "" if found is None else f"{found.action} {'' if found.received is None else found.received}".strip()


def _same_states(small: History, large: History, n: int, copies: int) -> int:
    """How many states agree; all with t <= j must."""
    count = 0
    for t in range(min(len(small), len(large))):
        for j in range(t, copies * n):
            one, other = small[t][j % n], large[t][j]
            if _shown(one) != _shown(other):
                raise RunError(f"after step {t} process {j} of the large ring is not in the state of process {j % n}.")
            count += 1
    return count


def _shown(local: Local) -> tuple[Any, ...]:
    """A state with its labels as text: the two rings rank them differently."""
    return (*map(str, local.values), local.started, local.halted)
