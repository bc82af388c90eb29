"""P_RL on directed rings, as four pure steps: measure the distance, fire, let the bullet fly, hand the signal back."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import NamedTuple

from .scheduler import State, ring, settle, walk

NONE, DUMMY, LIVE = 0, 1, 2


class Agent(NamedTuple):
    leader: int
    bullet: int
    shield: int
    signal: int
    distL: int


NEWBORN = Agent(leader=1, bullet=LIVE, shield=1, signal=0, distL=0)


def measured(left: Agent, right: Agent, bound: int) -> tuple[Agent, Agent]:
    """Lines 1-5. The carrier of a bullet keeps its distance, and if that is already N it is born a leader too."""
    here = 0 if left.leader else left.distL
    if right.leader:
        there = 0
    elif right.bullet == NONE:
        there = min(here + 1, bound)
    else:
        there = right.distL
    return left._replace(distL=here), NEWBORN if there == bound else right._replace(distL=there)


def fired(agent: Agent, bullet: int) -> Agent:
    """Lines 6-9: a leader that holds a signal spends it on a bullet; only a live one comes with a shield."""
    if not (agent.leader and agent.signal):
        return agent
    return agent._replace(bullet=bullet, shield=int(bullet == LIVE), signal=0)


def flown(left: Agent, right: Agent) -> tuple[Agent, Agent]:
    """Lines 10-15: the left bullet, if any, leaves its agent and ends in a leader or goes on in a follower."""
    if left.bullet == NONE:
        return left, right
    if right.leader:
        hit = right._replace(leader=int(left.bullet != LIVE or right.shield == 1))
    else:
        hit = right._replace(bullet=right.bullet or left.bullet, signal=0)
    return left._replace(bullet=NONE), hit


def signalled(left: Agent, right: Agent) -> tuple[Agent, Agent]:
    """Line 16."""
    return left._replace(signal=left.signal | right.signal | right.leader), right


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    left, right = measured(Agent(**a), Agent(**b), p["N"])
    left, right = signalled(*flown(fired(left, LIVE), fired(right, DUMMY)))
    return left._asdict(), right._asdict()


def states(p: State) -> Iterator[State]:
    """Every combination is legal: the protocol starts anywhere."""
    for values in product(range(2), range(3), range(2), range(2), range(p["N"] + 1)):
        yield Agent(*values)._asdict()


def in_s_rl(agents: list[State], p: State) -> bool:
    """The paper's safe set: one leader, everyone secure, every live bullet modest; agents are listed clockwise."""
    leaders = [k for k, x in enumerate(agents) if x["leader"]]
    if len(leaders) != 1:
        return False
    n, k = len(agents), leaders[0]
    turned = agents[k:] + agents[:k]
    if turned[0]["distL"] or any(turned[d]["distL"] > p["N"] - (n - d) for d in range(1, n)):
        return False
    last_live = max((d for d in range(n) if turned[d]["bullet"] == LIVE), default=None)
    if last_live is None:
        return True
    quiet = all(x["signal"] == 0 and x["distL"] <= d for d, x in enumerate(turned[: last_live + 1]))
    return turned[0]["shield"] == 1 and quiet


def _self_check() -> None:
    rng = Random(1)
    for n, runs in ((30, 60), (50, 10)):
        p = {"N": n}
        legal = list(states(p))
        assert len(legal) == 24 * (n + 1)
        assert all(y in legal for _ in range(300) for y in delta(rng.choice(legal), rng.choice(legal), p))
        steps = [settle(delta, p, rng.choices(legal, k=n), ring, rng, hold=10 * n * n) for _ in range(runs)]
        safe = [_first_safe(p, rng.choices(legal, k=n), rng) for _ in range(runs)]
        print(
            f"p_rl: one lasting leader in {runs} of {runs} runs at n=N={n}, mean steps / n^2: "
            f"{sum(steps) / runs / n**2:.2f} to the leader, {sum(safe) / runs / n**2:.2f} to s_rl"
        )


def _first_safe(p: State, start: list[State], rng: Random) -> int:
    """The first multiple of n at which the ring is in s_rl; asserts that it stays there for 2 n^2 steps."""
    n, hit = len(start), 0
    for step, (_, _, agents) in enumerate(walk(delta, p, start, ring, rng), start=1):
        if step % n:
            continue
        safe = in_s_rl(agents, p)
        assert safe or not hit, "s_rl was left"
        hit = hit or (step if safe else 0)
        if hit and step >= hit + 2 * n * n:
            return hit
    raise AssertionError("unreachable")


if __name__ == "__main__":
    _self_check()
