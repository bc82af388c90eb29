"""What is judged of the configuration that is shown: predicates, goals, invariants, the safe set.

Judging takes a small share of the time while a run plays, however long it takes; where nothing plays, everything is
judged at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.errors import PrincepsError
from princeps.lowering.vocabulary import counts_asked
from princeps.model.fields import Counts
from princeps.model.protocol import Counted
from princeps.model.script import Dead, SetStates, Torn
from princeps.web.branches import Branch, Held
from princeps.web.safe_set import SafeSet
from princeps.web.shares import Share

SAMPLE_SHARE = 0.005  # of the time, for the points of the plots
JUDGEMENT_SHARE = 0.005  # for goals, invariants and the safe set
GOAL, INVARIANT = "goal", "invariant"
RING_GOAL = "leader"  # of every ring algorithm
Condition = tuple[str, str]  # which of the two, and its name
MAX_JUDGED = 3_000_000  # agents whose whole configuration is tested


class Judging:
    """Of one run, whatever its branches."""

    def __init__(self, session: Held) -> None:
        self._samples, self._judgements = Share(SAMPLE_SHARE), Share(JUDGEMENT_SHARE)
        self._answer: dict[str, Any] = {"goals": {}, "invariants": [], "safe": None}
        self.safe_set = SafeSet(session.run) if isinstance(session, Session) else None

    def sample(self, branch: Branch, session: Held, steadily: bool, hurries: bool) -> None:
        """A point of the plots, at the end of a branch."""
        if steadily and not self._samples.may(hurries):
            return
        with self._samples:
            census = tuple(session.census.values()) if isinstance(session, Session) else ()
            branch.series.add((session.steps, session.leaders, census))

    def judged(self, session: Held, steadily: bool, hurries: bool) -> dict[str, Any]:
        if isinstance(session, RingSession):
            return ring_judged(session)
        if not steadily or self._judgements.may(hurries):
            with self._judgements:
                self._answer = self._judge(session)
        return self._answer

    def _judge(self, session: Session) -> dict[str, Any]:
        protocol = session.run.protocol
        goals, invariants = type(protocol).all_goals(), type(protocol).invariants
        if session.run.until not in goals:  # a condition that was given with --until
            goals = {**goals, session.run.until: session.run.goal}
        counted = {name: goal for name, goal in goals.items() if isinstance(goal, Counted)}
        asked = {(GOAL, name): goal for name, goal in counted.items()}
        asked |= {(INVARIANT, name): Counted(rule) for name, rule in invariants.items()}
        told, promised = _told_by_counts(session, asked), keeps_promises(session)
        return {
            "goals": {name: told[GOAL, name] if name in counted else self._holds(session, name) for name in goals},
            "invariants": [{"name": name, "holds": told[INVARIANT, name], "promised": promised} for name in invariants],
            "safe": None if self.safe_set is None else _known(lambda: self.safe_set.holds(session)),  # type: ignore[union-attr]
        }

    def _holds(self, session: Session, name: str) -> bool | None:
        """Of a goal on the whole configuration."""
        if session.n > MAX_JUDGED or not session.population.numbers_agents:
            return None
        return _known(lambda: session.holds(name))


def keeps_promises(session: Session) -> bool:
    """Invariants are promised: after every step from a declared start, unless somebody attacks."""
    run = session.run
    from_here = run.start in type(run.protocol).starts and not run.faults and run.keeps_promises
    return session.steps > 0 and from_here and not _is_attacked(session)


def _is_attacked(session: Session) -> bool:
    """States were changed by something else than meetings, or somebody is no part of the population any more."""
    return any(isinstance(event, SetStates | Torn | Dead) for event in session.script.events)


def _told_by_counts(session: Session, conditions: Mapping[Condition, Counted]) -> dict[Condition, bool | None]:
    """Whether each condition on counts holds; all agents are counted once for all of them."""
    protocol, population = session.run.protocol, session.population
    cls, asked = type(protocol), {}
    for name, goal in conditions.items():
        known = cls.predicates_for(goal)
        asked[name] = {one: known[one] for one in counts_asked(protocol, [goal.rule], goal)}
    every = list({predicate: None for names in asked.values() for predicate in names.values()})
    try:
        sizes = dict(zip(every, population.census(every), strict=True))
    except (PrincepsError, ArithmeticError, MemoryError):  # one of them fails: each for itself
        return {name: _known(lambda goal=goal: population.meets(goal)) for name, goal in conditions.items()}  # type: ignore[misc]

    def holds(name: Condition, goal: Counted) -> bool:
        counts = {one: sizes[predicate] for one, predicate in asked[name].items()}
        return bool(protocol.ask(goal.rule, Counts({**counts, "n": population.present}), protocol.constants))

    return {name: _known(lambda name=name, goal=goal: holds(name, goal)) for name, goal in conditions.items()}  # type: ignore[misc]


def ring_judged(session: RingSession) -> dict[str, Any]:
    """The specification of a leader election: what it forbids has happened or not."""
    met = session.over and session.leaders == 1 and not session.violations
    broken = session.violations
    invariants = [{"name": one, "holds": False, "promised": True} for one in broken]
    return {"goals": {RING_GOAL: met}, "invariants": invariants, "safe": None}


def _known(ask: Callable[[], bool | None]) -> bool | None:
    """None where it fails: the page says that it does not know."""
    try:
        return ask()
    except (PrincepsError, ArithmeticError, MemoryError):
        return None
