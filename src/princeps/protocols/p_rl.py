"""P_RL: self-stabilizing leader election on directed rings of at most N agents.

Yokota, Sudo, Masuzawa (2021), Algorithm 1; line numbers are the paper's.
A leader fires one bullet at a time, live (and shields itself) or dummy (and drops its shield) by the toss of which
neighbour it meets next; a bullet-absence signal tells it that its last bullet is gone. `distL` estimates the distance
to the nearest leader on the left; whoever counts to N concludes that there is none.
"""

from princeps.model import (
    Agent,
    Bit,
    Closed,
    Config,
    Counted,
    Counts,
    Look,
    Mark,
    Marked,
    Never,
    Param,
    Params,
    PopulationProtocol,
    Range,
    Reaches,
    Stays,
    StaysElected,
    Uniform,
    WithGhosts,
    Within,
)

DUMMY, LIVE = 1, 2  # bullets; 0 is none


def all_leaders(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone leads, nothing else is set"""
    a.leader = 1


def no_leader(a: Agent, i: int, n: int, p: Params) -> None:
    """nobody leads, every field 0: the ring must count to N first"""
    a.leader = 0


def no_leader_bullets(a: Agent, i: int, n: int, p: Params) -> None:
    """nobody leads, distL 0 everywhere, and a live bullet at every agent"""
    a.bullet = LIVE


def two_leaders(a: Agent, i: int, n: int, p: Params) -> None:
    """the example of section 4.1: all secure, yet two interactions re-create a leader"""
    half = n // 2
    if i == 0 or i == half:
        a.leader = 1
        a.shield = 1 if i == 0 else 0
    elif i < half:
        a.distL = p.N - (half - i)
    else:
        a.distL = p.N - (n - i)
    if i == half - 1:
        a.bullet = LIVE


def leaders_of(u: Config, n: int) -> int:
    count = 0
    for i in range(n):
        count += u[i].leader
    return count


def some_leader(u: Config, n: int) -> int:
    """The first leader's position, or -1."""
    for i in range(n):
        if u[i].leader == 1:
            return i
    return -1


def c_pb(u: Config, n: int, p: Params) -> int:
    """there is a leader and every live bullet is peaceful"""
    k = some_leader(u, n)
    if k < 0:
        return 0
    peaceful = 0
    for d in range(n):  # rightwards from a leader, so that the nearest left leader is always known
        i = (k + d) % n
        if u[i].leader == 1:
            peaceful = u[i].shield
        if u[i].signal == 1:
            peaceful = 0
        if u[i].bullet == LIVE and peaceful == 0:
            return 0
    return 1


def c_ni(u: Config, n: int, p: Params) -> int:
    """c_pb, every agent secure and every live bullet modest: no leader will be created any more"""
    if c_pb(u, n, p) == 0:
        return 0
    k = some_leader(u, n)
    d_R = 0
    for d in range(n):  # leftwards from a leader: secure agents
        i = (k - d) % n
        if u[i].leader == 1:
            d_R = 0
            if u[i].distL != 0:
                return 0
        else:
            d_R += 1
            if u[i].distL > p.N - d_R:
                return 0
    d_L = 0
    modest = 1
    for d in range(n):  # rightwards: live bullets (peaceful already) among agents with distL <= d_L
        i = (k + d) % n
        if u[i].leader == 1:
            d_L = 0
            modest = 1
        else:
            d_L += 1
        if u[i].distL > d_L:
            modest = 0
        if u[i].bullet == LIVE and modest == 0:
            return 0
    return 1


def s_rl(u: Config, n: int, p: Params) -> int:
    """the paper's safe set S_RL: exactly one leader, and c_ni"""
    if leaders_of(u, n) != 1:
        return 0
    return c_ni(u, n, p)


def safe(u: Config, n: int, p: Params) -> int:
    """the largest safe set: one leader whose identity can never change (larger than S_RL)"""
    if leaders_of(u, n) != 1:
        return 0
    k = some_leader(u, n)
    for d in range(1, n):  # (1) no follower can count to N before the leader resets the count
        a = (k + d) % n
        if u[a].distL > p.N - n + d and (d < n - 1 or u[a].bullet > 0):
            return 0
    live = 0
    first = -1  # the first position, from the leader rightwards, that holds any bullet
    for d in range(n):
        i = (k + d) % n
        bullet = u[i].bullet
        if d == 0 and u[i].signal == 1:  # the leader's own bullet is replaced when it fires anew
            bullet = 0
        if bullet == LIVE:
            live = 1
        if bullet > 0 and first < 0:
            first = d
    if live == 0:
        return 1
    if u[k].shield == 0 or u[k].signal == 1:  # (2) a live bullet must find the leader shielded when it arrives
        return 0
    for d in range(1, first + 1):
        if u[(k + d) % n].signal == 1:
            return 0
    return 1


def led(c: Counts, p: Params) -> int:
    """somebody leads"""
    return c.leaders >= 1


def created(before: Agent, after: Agent, p: Params) -> int:
    """a follower has become a leader"""
    return before.leader == 0 and after.leader == 1


# -- what proofs for every n ask besides ------------------------------------------------------------------------------


def moved(b: Agent, y: Agent) -> int:
    """The left agent's bullet is now at the right one: that was a follower without a bullet, and still is one."""
    return b.leader == 0 and b.bullet == 0 and y.leader == 0 and y.bullet > 0


def count_moves(a: Agent, b: Agent, x: Agent, y: Agent, p: Params) -> None:
    """how often the bullet at an agent has moved; one that is fired now is a new one"""
    came = 0 if a.leader == 1 and a.signal == 1 else a.moves
    x.moves = 0
    if moved(b, y):
        y.moves = came + 1
    elif b.bullet == 0 or y.leader == 1:
        y.moves = 0


def fewer_than_n_moves(a: Agent, p: Params) -> int:
    return a.moves < p.N


def a_move_a_distance(a: Agent, p: Params) -> int:
    return a.moves <= a.distL


def leaders_hold_unmoved_bullets(a: Agent, p: Params) -> int:
    return a.leader == 0 or a.moves == 0


def is_modest(a: Agent) -> int:
    return a.peaceful == 1 and a.modest == 1


def becomes_immodest(a: Agent, b: Agent, x: Agent, y: Agent, p: Params) -> int:
    """a modest bullet has moved here, or has stayed here, and is not modest any more"""
    came = moved(b, y) and a.bullet == LIVE and is_modest(a) and (a.leader == 0 or a.signal == 0)
    stayed = b.bullet == LIVE and y.bullet == LIVE and is_modest(b)
    return (came or stayed) and not is_modest(y)


def immodest_elsewhere(a: Agent, x: Agent, p: Params) -> int:
    return a.bullet == LIVE and is_modest(a) and not is_modest(x)


def fires_immodestly(a: Agent, b: Agent, x: Agent, y: Agent, p: Params) -> int:
    """a leader, or one that is created now, has fired a live bullet that is not modest"""
    fired = a.leader == 1 and a.signal == 1 and moved(b, y) and y.bullet == LIVE
    created_now = b.leader == 0 and y.leader == 1
    return (fired or created_now) and not is_modest(y)


def becomes_insecure(a: Agent, b: Agent, x: Agent, y: Agent, p: Params) -> int:
    """the left agent, or the right one although the left one was secure"""
    left = a.secure == 1 and x.secure == 0
    right = b.secure == 1 and y.secure == 0
    return left or (right and a.secure == 1)


def insecure_elsewhere(a: Agent, x: Agent, p: Params) -> int:
    return a.secure == 1 and x.secure == 0


class PRL(PopulationProtocol):
    name = "p_rl"
    title = "P_RL, time-optimal self-stabilizing leader election on directed rings"
    paper = "000: Yokota, Sudo, Masuzawa (2021), Algorithm 1"
    topology = "ring"
    guarantee = "self-stabilizing"

    N = Param(min=2, default="n", doc="known upper bound on n")

    leader, bullet, shield, signal = Bit(), Range(3), Bit(), Bit()
    distL = Range(lambda p: p.N + 1)
    look = Look(
        marks=[
            Mark("bullet", "live bullet", when=lambda a: a.bullet == LIVE, hue=0),
            Mark("dummy", "dummy bullet", when=lambda a: a.bullet == DUMMY, hue=7),
            Mark("shield", "shield", when=lambda a: a.shield == 1, hue=2),
            Mark("signal", "bullet-absence signal", when=lambda a: a.signal == 1, hue=3),
        ],
        bar="distL",
        names={"bullet": ("none", "dummy", "live")},
    )

    starts = {
        "random": Uniform(),
        "all_leaders": all_leaders,
        "no_leader": no_leader,
        "no_leader_bullets": no_leader_bullets,
        "two_leaders": two_leaders,
    }
    default_start = "random"
    goals = {
        "s_rl": Closed(s_rl),
        "safe": Closed(safe),
        "c_pb": Closed(c_pb),
        "c_ni": Closed(c_ni),
        "led": Counted(led),
    }
    default_goal = "s_rl"
    lemmas = {
        "000.T1a": Reaches("a safe configuration can be reached from every configuration", "safe"),
        "000.T1b": Within("S_RL is reached in O(nN) expected steps", "s_rl", lambda n, p: n * p.N, order="n N"),
        "000.L2": Stays("C_PB is closed", "c_pb"),
        "000.L6": Stays("C_NI is closed", "c_ni"),
        "000.L7": Never("no leader is created in C_NI", created, "c_ni"),
        "000.L8": StaysElected("S_RL is closed and safe", "s_rl"),
        "000.L10": Within(
            "without a leader, one is created within 3nN expected steps",
            *("some:leader", lambda n, p: 3 * n * p.N, "none:leader"),
        ),
        "000.L11": Within("C_NI is reached in O(nN) expected steps", "c_ni", lambda n, p: n * p.N, order="n N"),
        "000.L13": Within(
            "from C_NI, S_RL is reached in O(n^2) expected steps", "s_rl", lambda n, p: n * n, "c_ni", order="n^2"
        ),
        "000.opt": Within("the worst start needs order n^2 steps", "s_rl", lambda n, p: n * n, order="n^2"),
    }

    facts = {
        "000.L1": WithGhosts(
            "a bullet disappears before it has moved N times",
            ghosts=("moves",),
            count=count_moves,
            holds=(fewer_than_n_moves, a_move_a_distance, leaders_hold_unmoved_bullets),
        ),
        "000.L3": Marked(
            "a modest bullet stays modest",
            of="c_ni",
            marks={"peaceful": "c_pb.1", "modest": "c_ni.2"},
            bad=becomes_immodest,
            bad_elsewhere=immodest_elsewhere,
        ),
        "000.L4": Marked(
            "a live bullet is modest when it is fired",
            of="c_ni",
            marks={"peaceful": "c_pb.1", "modest": "c_ni.2"},
            bad=fires_immodestly,
        ),
        "000.L5": Marked(
            "where live bullets are modest, an agent turns insecure only by an insecure left neighbour",
            of="c_ni",
            marks={"secure": "c_ni.1"},
            known=("c_pb.1", "c_ni.2"),
            bad=becomes_insecure,
            bad_elsewhere=insecure_elsewhere,
        ),
        "safe": StaysElected("the closed form of the largest safe set is closed and safe", "safe"),
    }

    @staticmethod
    def interact(l: Agent, r: Agent, p: Params) -> None:
        if l.leader == 1:  # 1
            l.distL = 0
        if r.leader == 1:  # 2
            r.distL = 0
        elif r.bullet == 0:
            r.distL = min(l.distL + 1, p.N)
        if r.distL == p.N:  # 3
            r.leader, r.distL = 1, 0  # 4
            r.bullet, r.shield, r.signal = LIVE, 1, 0  # 5
        if l.leader == 1 and l.signal == 1:  # 6
            l.bullet, l.shield, l.signal = LIVE, 1, 0  # 7
        if r.leader == 1 and r.signal == 1:  # 8
            r.bullet, r.shield, r.signal = DUMMY, 0, 0  # 9
        if l.bullet > 0 and r.leader == 1:  # 10
            r.leader = 0 if l.bullet == LIVE and r.shield == 0 else 1  # 11
            l.bullet = 0  # 12
        elif l.bullet > 0 and r.leader == 0:  # 13
            r.bullet = l.bullet if r.bullet == 0 else r.bullet  # 14
            l.bullet, r.signal = 0, 0  # 15
        l.signal = max(l.signal, r.signal, r.leader)  # 16

    @staticmethod
    def demands(n: int, p: Params) -> str | None:
        if n > p.N:
            return f"n = {n} is larger than N = {p.N}: P_RL needs n <= N. Raise it: -p N={n}."
        return None

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return 5.0 * n * p.N  # measured from random starts at n = N
