"""Peaceful, modest and secure straight from their definitions, and watchers for the lemmas that are about them."""

from __future__ import annotations

from princeps.model.fields import Agent
from princeps.papers.walks import Config, Watcher

LIVE = 2


def d_left(u: Config, i: int) -> int | None:
    return next((j for j in range(len(u)) if u[i - j].leader), None)


def d_right(u: Config, i: int) -> int | None:
    return next((j for j in range(len(u)) if u[(i + j) % len(u)].leader), None)


def peaceful(u: Config, i: int) -> bool:
    d = d_left(u, i)
    return d is not None and u[i - d].shield == 1 and all(u[i - j].signal == 0 for j in range(d + 1))


def modest(u: Config, i: int) -> bool:
    """Peaceful, and no agent back to the nearest left leader overestimates its distance."""
    d = d_left(u, i)
    return d is not None and peaceful(u, i) and all(u[i - j].distL <= d - j for j in range(d + 1))


def secure(u: Config, i: int, N: int) -> bool:
    d = d_right(u, i)
    return u[i].distL == 0 if u[i].leader else d is not None and u[i].distL <= N - d


def live(u: Config) -> list[int]:
    return [i for i, agent in enumerate(u) if agent.bullet == LIVE]


def all_modest(u: Config) -> bool:
    return all(modest(u, i) for i in live(u))


def in_c_pb(u: Config) -> bool:
    return any(agent.leader for agent in u) and all(peaceful(u, i) for i in live(u))


def in_c_ni(u: Config, N: int) -> bool:
    return in_c_pb(u) and all_modest(u) and all(secure(u, i, N) for i in range(len(u)))


def before(u: Config, i: int, j: int, a: Agent, b: Agent) -> Config:
    old = list(u)
    old[i], old[j] = a, b
    return old


def moved(u: Config, j: int, b: Agent) -> bool:
    """The left agent's bullet is now at the right one: that was a follower without a bullet, and still is one."""
    return b.leader == 0 and b.bullet == 0 and u[j].leader == 0 and u[j].bullet > 0


# -- the watchers ------------------------------------------------------------------------------------------------------


class ShortLived(Watcher):
    """Lemma 1: counts how often each bullet has moved."""

    def begin(self, u: Config) -> str | None:
        self.moves = [0] * self.n
        return None

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        came = 0 if a.leader == 1 and a.signal == 1 else self.moves[i]  # a bullet that is fired now is a new one
        if moved(u, j, b):
            self.cases += 1
            self.moves[j] = came + 1
            if self.moves[j] >= self.p.N:
                return f"a bullet has moved {self.moves[j]} times, N = {self.p.N}"
        elif b.bullet == 0 or (b.leader == 1 and b.signal == 1):
            self.moves[j] = 0
        self.moves[i] = 0
        return None


class PeacefulSetIsClosed(Watcher):
    """Lemma 2: C_PB is closed."""

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        if not in_c_pb(before(u, i, j, a, b)):
            return None
        self.cases += 1
        return None if in_c_pb(u) else f"interaction {i}-{j} leads out of C_PB"


class ModestBulletsStayModest(Watcher):
    """Lemma 3: a modest bullet that is still there is modest."""

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        old = before(u, i, j, a, b)
        for k in live(old):
            now = k
            if k == i:  # it moved, or it is gone; what the leader fires now is another one
                if not moved(u, j, b) or (a.leader == 1 and a.signal == 1):
                    continue
                now = j
            elif k == j and u[j].bullet != LIVE:
                continue
            if modest(old, k):
                self.cases += 1
                if not modest(u, now):
                    return f"interaction {i}-{j} made the bullet at {now} immodest"
        return None


class NewBullets(Watcher):
    """Lemma 4: a live bullet that has just been fired, and did not disappear at once, is modest."""

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        fired = []
        if a.leader == 1 and a.signal == 1 and moved(u, j, b) and u[j].bullet == LIVE:
            fired.append(j)
        if b.leader == 0 and u[j].leader == 1:  # a new leader fires at once
            fired.append(j)
        for k in fired:
            self.cases += 1
            if not modest(u, k):
                return f"the bullet fired in interaction {i}-{j} is not modest"
        return None


class Security(Watcher):
    """Lemma 5: where all live bullets are modest, only an insecure left neighbour makes an agent insecure."""

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        old = before(u, i, j, a, b)
        if not all_modest(old):
            return None
        for k in range(self.n):
            if secure(old, k, self.p.N):
                self.cases += 1
                if not secure(u, k, self.p.N) and not (k == j and not secure(old, i, self.p.N)):
                    return f"agent {k} became insecure by interaction {i}-{j}"
        return None


class NoCreation(Watcher):
    """Lemma 7: nobody becomes a leader in C_NI."""

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        if not in_c_ni(before(u, i, j, a, b), self.p.N):
            return None
        self.cases += 1
        made = (a.leader == 0 and u[i].leader == 1) or (b.leader == 0 and u[j].leader == 1)
        return f"interaction {i}-{j} created a leader in C_NI" if made else None
