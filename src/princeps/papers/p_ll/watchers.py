"""What must hold at every step of P_LL, straight from the definitions; and all configurations of a few agents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from princeps.model.fields import Agent
from princeps.model.protocol import PopulationProtocol
from princeps.model.reading import make_run
from princeps.model.starts import starting_states
from princeps.model.states import State
from princeps.papers.walks import Config, Watcher

X, A, B = 0, 1, 2


class TimerExists(Watcher):
    """Lemma 4: |V_B| >= 1 after the first interaction."""

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        self.cases += 1
        return None if any(agent.status == B for agent in u) else f"no timer after interaction {i}-{j}"


class HalfAndHalf(Watcher):
    """Lemma 5: |V_A| >= n/2 and |V_F| >= n/2 once everyone is assigned."""

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        if any(agent.status == X for agent in u):
            return None
        self.cases += 1
        candidates = sum(agent.status == A for agent in u)
        followers = sum(agent.leader == 0 for agent in u)
        right = 2 * candidates >= self.n and 2 * followers >= self.n
        return None if right else f"{candidates} candidates and {followers} followers"


class AlwaysLed(Watcher):
    """Lemma 11: there is always a leader."""

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        self.cases += 1
        return None if any(agent.leader for agent in u) else f"nobody leads after interaction {i}-{j}"


class NewColors(Watcher):
    """Lemma 7: a timer gets its next colour in its c_max-th interaction at the latest."""

    def begin(self, u: Config) -> str | None:
        self.waited = [agent.count if agent.status == B else 0 for agent in u]
        return None

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        for k, before in ((i, a), (j, b)):
            if u[k].status != B:
                continue
            self.waited[k] = self.waited[k] + 1 if before.status == B else 1
            if u[k].color != before.color:
                self.cases += 1
                self.waited[k] = 0
            elif self.waited[k] >= self.p.c_max:
                return f"agent {k} has interacted {self.waited[k]} times without a new colour, c_max = {self.p.c_max}"
        return None


class InitIsEpoch(Watcher):
    """Of our own: what an interaction leaves has init = epoch, and an unassigned agent is as it began."""

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        self.cases += 1
        idle = [agent for agent in u if agent.status == X]
        right = all(agent.init == agent.epoch for agent in u)
        return None if right and all(agent.leader == 1 and agent.color == 0 for agent in idle) else "init is not epoch"


WATCHERS = (TimerExists, HalfAndHalf, AlwaysLed, NewColors, InitIsEpoch)


# -- all configurations ------------------------------------------------------------------------------------------------


def remembered(protocol: PopulationProtocol) -> Callable[[State, State], tuple[State, State]]:
    """delta, each pair of states computed once: plain Python takes 20 microseconds for it."""
    known: dict[tuple[State, State], tuple[State, State]] = {}

    def step(a: State, b: State) -> tuple[State, State]:
        found = known.get((a, b))
        if found is None:
            found = known[a, b] = protocol.step(a, b)
        return found

    return step


def explored(
    part: int, seed: int, *, protocol: str, sizes: Sequence[tuple[int, int, int]]
) -> Mapping[str, dict[str, Any]]:
    """Every configuration that n agents with this m can reach in this number of steps (0: ever), under Lemmas 4, 5, 11."""
    n, m, depth = sizes[part]
    run = make_run(protocol, n, params={"m": m})
    delta, made, p = remembered(run.protocol), run.protocol.agent, run.protocol.constants
    first = tuple(sorted(starting_states(run)))
    seen, frontier, steps = {first}, [first], 0
    while frontier and (not depth or steps < depth):
        steps += 1
        found = set()
        for u in frontier:
            for i in range(n):
                for j in range(n):
                    if i != j:
                        after = list(u)
                        after[i], after[j] = delta(u[i], u[j])
                        found.add(tuple(sorted(after)))
        frontier = list(found - seen)
        seen |= found
    answer = {}
    for kind in (TimerExists, HalfAndHalf, AlwaysLed):
        watcher, breaches = kind(n, p), []
        for u in seen - {first}:
            agents: Config = [made(state) for state in u]  # type: ignore[call-arg]
            sentence = watcher.look(agents, 0, 1, agents[0], agents[1])
            breaches += [sentence] if sentence else []
        answer[kind.__name__] = {
            "cases": watcher.cases,
            "breaches": len(breaches),
            "breach": breaches[0] if breaches else "",
        }
    return answer
