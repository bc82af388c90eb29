"""P_PL, loosely stabilizing: what the pair agrees on is computed first, then each agent's own fate from its role."""

from collections.abc import Iterator
from itertools import product
from math import ceil, log
from random import Random
from typing import NamedTuple

from .scheduler import State, complete, settle

INITIATOR, RESPONDER = 0, 1


class Agent(NamedTuple):
    leader: int
    shield: int
    virus: int
    timerL: int
    timerI: int


class Limits(NamedTuple):
    virus: int
    timerL: int
    timerI: int


def limits(p: State) -> Limits:
    log_n = ceil(log(p["N"]))
    virus = p["virus_factor"] * log_n
    emit = p["emit_factor"] * p["c"] * virus * log_n
    return Limits(virus, emit, emit)


def larger(x: int, y: int) -> int:
    """Larger value propagation: the greater of two countdowns, one tick on."""
    return max(x - 1, y - 1, 0)


def fate(agent: Agent, leads: bool, virus: int, timer_l: int, role: int, top: Limits) -> Agent:
    """Lines 5-9 for one agent; they read nothing of the other's. The individual timer restarts for followers too."""
    leads = leads and (agent.shield == 1 or virus == 0)
    timer_i = max(agent.timerI - 1, 0)
    due = timer_i == 0
    shield = agent.shield
    if due and leads:
        shield = int(role == INITIATOR)
        virus = top.virus if role == INITIATOR else virus
    return Agent(int(leads), shield, virus, timer_l, top.timerI if due else timer_i)


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    first, second, top = Agent(**a), Agent(**b), limits(p)
    timer_l = larger(first.timerL, second.timerL)
    led = [timer_l == 0 or x.leader == 1 for x in (first, second)]
    timer_l = top.timerL if any(led) else timer_l
    virus = larger(first.virus, second.virus)
    return (
        fate(first, led[0], virus, timer_l, INITIATOR, top)._asdict(),
        fate(second, led[1], virus, timer_l, RESPONDER, top)._asdict(),
    )


def states(p: State) -> Iterator[State]:
    """Every combination within the limits is legal: the protocol starts anywhere."""
    top = limits(p)
    for values in product(range(2), range(2), *(range(limit + 1) for limit in top)):
        yield Agent(*values)._asdict()


def _self_check() -> None:
    assert limits({"N": 1000, "c": 1, "virus_factor": 60, "emit_factor": 12}) == (420, 35280, 35280)
    tiny = {"N": 4, "c": 1, "virus_factor": 1, "emit_factor": 1}
    legal = list(states(tiny))
    assert all(y in legal for a in legal[::7] for b in legal[::5] for y in delta(a, b, tiny))
    n, runs, rng = 50, 10, Random(1)
    p = {"N": n, "c": 1, "virus_factor": 10, "emit_factor": 4}
    top = limits(p)

    def anything() -> State:
        return Agent(rng.randrange(2), rng.randrange(2), *(rng.randint(0, limit) for limit in top))._asdict()

    for what, make in (("random start", anything), ("nobody leads", lambda: {**anything(), "leader": 0})):
        hold = 4 * n * top.timerI
        steps = [settle(delta, p, [make() for _ in range(n)], complete, rng, hold=hold) for _ in range(runs)]
        print(
            f"p_pl, {what}: one leader held for {hold} steps in {runs} of {runs} runs at n={n}, "
            f"mean parallel time / t_emit = {sum(steps) / runs / n / top.timerI:.2f}"
        )


if __name__ == "__main__":
    _self_check()
