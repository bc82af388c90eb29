"""What is judged of the configuration that is shown: predicates, goals, invariants, the safe set.

Judging takes a small share of the time while a run plays, however long it takes; where nothing plays, everything is
judged at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from princeps.engines.rings.session import RingSession
from princeps.engines.session import Session
from princeps.errors import PrincepsError
from princeps.model.protocol import Counted
from princeps.web.branches import Branch, Held
from princeps.web.safe_set import SafeSet
from princeps.web.shares import Share

SAMPLE_SHARE = 0.005  # of the time, for the points of the plots
JUDGEMENT_SHARE = 0.01  # for goals, invariants and the safe set
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
                self._answer = {
                    "goals": {name: self._holds(session, name) for name in type(session.run.protocol).all_goals()},
                    "invariants": invariants_of(session),
                    "safe": None if self.safe_set is None else _known(lambda: self.safe_set.holds(session)),  # type: ignore[union-attr]
                }
        return self._answer

    def _holds(self, session: Session, name: str) -> bool | None:
        goal = type(session.run.protocol).all_goals()[name]
        if not isinstance(goal, Counted) and (session.n > MAX_JUDGED or not session.population.numbers_agents):
            return None
        return _known(lambda: session.holds(name))


def invariants_of(session: Session) -> list[dict[str, Any]]:
    protocol, population = session.run.protocol, session.population
    rules = type(protocol).invariants

    def holds(rule: Any) -> bool:
        return bool(protocol.ask(rule, population.counts_for([rule]), protocol.constants))

    return [{"name": name, "holds": _known(lambda rule=rule: holds(rule))} for name, rule in rules.items()]  # type: ignore[misc]


def ring_judged(session: RingSession) -> dict[str, Any]:
    """The specification of a leader election: what it forbids has happened or not."""
    met = session.over and session.leaders == 1 and not session.violations
    broken = session.violations
    return {"goals": {"leader": met}, "invariants": [{"name": one, "holds": False} for one in broken], "safe": None}


def _known(ask: Callable[[], bool | None]) -> bool | None:
    """None where it fails: the page says that it does not know."""
    try:
        return ask()
    except (PrincepsError, ArithmeticError, MemoryError):
        return None
