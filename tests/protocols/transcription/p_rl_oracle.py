"""P_RL with an oracle: the transcription of P_RL, whose agents are born when the oracle says so instead of counting."""

from .p_rl import DUMMY, LIVE, NEWBORN, Agent, fired, flown, signalled
from .scheduler import State


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    """Lines 4-16 of Algorithm 1; p["nobody_leads"] is what the oracle says, and distL is always 0."""
    left, right = Agent(**a, distL=0), Agent(**b, distL=0)
    if p["nobody_leads"]:
        right = NEWBORN
    left, right = signalled(*flown(fired(left, LIVE), fired(right, DUMMY)))
    return _without_distance(left), _without_distance(right)


def _without_distance(agent: Agent) -> State:
    return {name: value for name, value in agent._asdict().items() if name != "distL"}
