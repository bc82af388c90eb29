"""P_LL: leader election in O(log n) parallel time with O(log n) states.

Sudo, Ooshita, Izumi, Kakugawa, Masuzawa (2020), Algorithms 1-5; line numbers are the paper's.
Candidates (status A) toss coins by their role when they meet a follower; timer agents (status B) count interactions
and pass on a colour, by which the population moves through three epochs: QuickElimination (a lottery of coin runs),
Tournament (a comparison of nonces) and BackUp.

Two lines are read otherwise than printed. Line 9 takes the minimum of epoch + 1 and 3, not the maximum. Line 12 as
printed gives followers an unfinished nonce, which they can never finish, so that nobody relays the largest one; here
a follower starts with the smallest finished nonce (`printed=1` keeps the printed line).
Variables of a group that an agent is not in are 0.
"""

from math import log2

from princeps.model import (
    Agent,
    Bit,
    Blocks,
    Counted,
    Counts,
    Derived,
    EveryAgent,
    GroupSpec,
    Look,
    Mark,
    Param,
    Params,
    PopulationProtocol,
    Range,
    Scratch,
    Top,
    Tuning,
    ceil_lg,
    default_m,
)

X, A, B = 0, 1, 2  # status: unassigned, candidate, timer


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    """everyone an unassigned leader in epoch 1"""
    a.leader, a.status, a.epoch, a.init = 1, X, 1, 1


def one_timer(n: int, p: Params) -> list[tuple[int, dict[str, int]]]:
    """one timer that has just begun, one leader; reachable: 0-1, 2-0, then 2 with all others"""
    first = {"epoch": 1, "init": 1}
    candidate = {**first, "status": A, "levelQ": 1, "done": 1 if n > 2 else 0}
    return [(1, {**candidate, "leader": 1}), (1, {**first, "status": B, "count": 1}), (n - 2, candidate)]


def in_backup(n: int, leaders: int, level: int) -> list[tuple[int, dict[str, int]]]:
    """Everyone in epoch 3 with colour 2, half of them timers, with this many leaders, all at one level."""
    third = {"epoch": 3, "init": 3, "color": 2}
    candidate = {**third, "status": A, "levelB": level}
    timing = n // 2
    return [(leaders, {**candidate, "leader": 1}), (n - timing - leaders, candidate), (timing, {**third, "status": B})]


def backup(n: int, p: Params) -> list[tuple[int, dict[str, int]]]:
    """everyone in epoch 3 at level 0, half of them leaders, half timers: the most that Lemma 5 allows"""
    return in_backup(n, n // 2, 0)


def backup_pair(n: int, p: Params) -> list[tuple[int, dict[str, int]]]:
    """everyone in epoch 3 at level 0, two leaders, half of all are timers"""
    return in_backup(n, min(2, n // 2), 0)


def exhausted(n: int, p: Params) -> list[tuple[int, dict[str, int]]]:
    """as backup, but at the last level c_max: leaders fall only where two of them meet"""
    return in_backup(n, n // 2, p.c_max)


def unassigned(a: Agent, p: Params) -> int:
    """status X"""
    return a.status == X


def candidates(a: Agent, p: Params) -> int:
    """status A"""
    return a.status == A


def timers(a: Agent, p: Params) -> int:
    """status B"""
    return a.status == B


def color_0(a: Agent, p: Params) -> int:
    """colour 0"""
    return a.color == 0


def color_1(a: Agent, p: Params) -> int:
    """colour 1"""
    return a.color == 1


def color_2(a: Agent, p: Params) -> int:
    """colour 2"""
    return a.color == 2


def third(a: Agent, p: Params) -> int:
    """in epoch 3"""
    return a.epoch == 3


def level_0(a: Agent, p: Params) -> int:
    """a candidate in epoch 3 at level 0"""
    return a.status == A and a.epoch == 3 and a.levelB == 0


def level_1(a: Agent, p: Params) -> int:
    """a candidate in epoch 3 at level 1"""
    return a.status == A and a.epoch == 3 and a.levelB == 1


def assigned(c: Counts, p: Params) -> int:
    """everyone has status A or B (Lemma 6)"""
    return c.unassigned == 0


def first_color_1(c: Counts, p: Params) -> int:
    """somebody has colour 1: C_start(1) (Lemma 8)"""
    return c.color_1 >= 1


def first_color_2(c: Counts, p: Params) -> int:
    """somebody has colour 2: C_start(2) (Lemma 8)"""
    return c.color_2 >= 1


def color_0_again(c: Counts, p: Params) -> int:
    """somebody comes back to colour 0 from colour 2: C_start(0) (Lemma 8)"""
    return c.color_2 >= 1 and c.color_0 >= 1


def all_color_1(c: Counts, p: Params) -> int:
    """everyone has colour 1 (Lemma 7)"""
    return c.color_1 == c.n


def epoch_3(c: Counts, p: Params) -> int:
    """somebody is in epoch 3 (Lemma 10)"""
    return c.third >= 1


def all_epoch_3(c: Counts, p: Params) -> int:
    """everyone is in epoch 3 (Lemma 17)"""
    return c.third == c.n


def decided(c: Counts, p: Params) -> int:
    """one agent leads, or somebody is in epoch 3 (Lemma 10)"""
    return c.leaders == 1 or c.third >= 1


def synchronised(c: Counts, p: Params) -> int:
    """everyone in epoch 3 with colour 2, candidates all at level 0 or all at level 1 (Lemma 12)"""
    return (
        c.third == c.n
        and c.color_2 == c.n
        and c.unassigned == 0
        and (c.level_0 == c.candidates or c.level_1 == c.candidates)
    )


def a_timer_exists(c: Counts, p: Params) -> int:
    """Lemma 4: |V_B| >= 1 after the first interaction"""
    return c.timers >= 1


def half_and_half(c: Counts, p: Params) -> int:
    """Lemma 5: |V_A| >= n/2 and |V_F| >= n/2 once all are assigned"""
    return c.unassigned > 0 or (2 * c.candidates >= c.n and 2 * c.leaders <= c.n)


def never_leaderless(c: Counts, p: Params) -> int:
    """Lemma 11: there is always a leader"""
    return c.leaders >= 1


def as_reached(a: Agent, p: Params) -> int:
    """init and epoch agree"""
    return a.init == a.epoch


def level(a: Agent, p: Params) -> int:
    """what the module of the agent's epoch compares"""
    return a.levelQ if a.epoch == 1 else max(a.rand, p.nonce) if a.epoch == 2 else a.levelB


def beats_nobody(a: Agent, p: Params) -> int:
    """no candidate, or a follower with the least level of its epoch"""
    return a.status != A or (a.leader == 0 and level(a, p) == (p.nonce if a.epoch == 2 else 0))


def epoch_to_beat(a: Agent, p: Params) -> int:
    return 0 if beats_nobody(a, p) else a.epoch


def level_to_beat(a: Agent, p: Params) -> int:
    return 0 if beats_nobody(a, p) else level(a, p)


def leading_candidate(a: Agent, p: Params) -> int:
    """a leader with status A"""
    return a.leader == 1 and a.status == A


def waiting_leader(a: Agent, p: Params) -> int:
    """a leader without a status"""
    return a.leader == 1 and a.status == X


def count_up(a0: Agent, a1: Agent, p: Params) -> None:
    """Algorithm 2."""
    for a in (a0, a1):  # 23
        if a.status == B:
            a.count = (a.count + 1) % p.c_max  # 24
            if a.count == 0:  # 25
                a.color = (a.color + 1) % 3  # 26
                a.tick = 1  # 27
    for a, b in ((a0, a1), (a1, a0)):  # 30
        if b.color == (a.color + 1) % 3:
            a.color = b.color  # 31
            a.tick = 1  # 32
            if a.status == B:  # 33
                a.count = 0
            break


def quick_elimination(a0: Agent, a1: Agent, p: Params) -> None:
    """Algorithm 3."""
    for i, a, b in ((0, a0, a1), (1, a1, a0)):  # 35
        if a.leader == 1 and b.leader == 0 and a.done == 0:
            if i == 0:  # 36
                a.levelQ = min(a.levelQ + 1, p.c_max)
            else:  # 37
                a.done = 1
            break
    if a0.status == A and a1.status == A and a0.done == 1 and a1.done == 1:  # 39
        for a, b in ((a0, a1), (a1, a0)):
            if a.levelQ < b.levelQ:
                a.leader = 0  # 40
                a.levelQ = b.levelQ  # 41
                break


def tournament(a0: Agent, a1: Agent, p: Params) -> None:
    """Algorithm 4."""
    for i, a, b in ((0, a0, a1), (1, a1, a0)):  # 43
        if a.leader == 1 and b.leader == 0 and a.rand < p.nonce:
            a.rand = 2 * a.rand + i  # 44
            break
    if a0.status == A and a1.status == A and a0.rand >= p.nonce and a1.rand >= p.nonce:  # 46
        for a, b in ((a0, a1), (a1, a0)):
            if a.rand < b.rand:
                a.leader = 0  # 47
                a.rand = b.rand  # 48
                break


def back_up(a0: Agent, a1: Agent, p: Params) -> None:
    """Algorithm 5."""
    if a0.tick == 1 and a0.leader == 1:  # 50
        a0.levelB = min(a0.levelB + 1, p.c_max)  # 51
    if a0.status == A and a1.status == A:  # 53
        for a, b in ((a0, a1), (a1, a0)):
            if a.levelB < b.levelB:
                a.levelB = b.levelB  # 54
                a.leader = 0  # 55
                break
    if a0.leader == 1 and a1.leader == 1:  # 57
        a1.leader = 0


class PLL(PopulationProtocol):
    name = "p_ll"
    title = "P_LL, time-optimal leader election with O(log n) states"
    paper = "003: Sudo, Ooshita, Izumi, Kakugawa, Masuzawa (2020), Algorithms 1-5"
    topology = "complete"
    guarantee = "stabilizing"

    m = Param(min=1, default=default_m, doc="a rough size: any integer >= lg n")
    printed = Param(min=0, max=1, default=0, doc="1 keeps the printed Tournament (line 12)")
    c_max = Derived(lambda p: 41 * p.m, Param(min=2, doc="the steps of a timer's clock; else 41 m"))
    nonce = Derived(lambda p: 1 << ceil_lg(p.m))  # the smallest finished nonce, 2^ceil(lg m)

    leader, status, epoch, init, color = Bit(), Range(3), Range(4), Range(4), Range(3)
    count = Range(lambda p: p.c_max)
    levelQ = Range(lambda p: p.c_max + 1)
    done = Bit()
    rand = Range(lambda p: 2 * p.nonce)
    levelB = Range(lambda p: p.c_max + 1)
    tick = Scratch()
    look = Look(
        marks=[
            Mark("ring", "no status yet", when=lambda a: a.status == X, hue=0),
            Mark("flag", "timer", when=lambda a: a.status == B, hue=3),
            Mark("dot", "has finished its lottery", when=lambda a: a.done == 1, hue=2),
            Mark("triangle", "epoch 2", when=lambda a: a.epoch == 2, hue=5),
            Mark("square", "epoch 3", when=lambda a: a.epoch == 3, hue=6),
        ],
        bar="levelQ",
        color="color",
        names={"status": ("X", "A", "B"), "color": ("colour 0", "colour 1", "colour 2")},
    )

    starts = {
        "initial": initial,
        "one_timer": Blocks(one_timer),
        "backup": Blocks(backup),
        "backup_pair": Blocks(backup_pair),
        "exhausted": Blocks(exhausted),
    }
    predicates = {
        "unassigned": unassigned,
        "candidates": candidates,
        "timers": timers,
        "color_0": color_0,
        "color_1": color_1,
        "color_2": color_2,
        "third": third,
        "level_0": level_0,
        "level_1": level_1,
    }
    goals = {
        "assigned": Counted(assigned, closed=True),
        "first_color_1": Counted(first_color_1),
        "first_color_2": Counted(first_color_2),
        "color_0_again": Counted(color_0_again),
        "all_color_1": Counted(all_color_1),
        "epoch_3": Counted(epoch_3, closed=True),
        "all_epoch_3": Counted(all_epoch_3, closed=True),
        "decided": Counted(decided, closed=True),
        "synchronised": Counted(synchronised),
    }
    invariants = {"L4": a_timer_exists, "L5": half_and_half, "L11": never_leaderless}
    facts = {"init": EveryAgent("init is always equal to epoch", as_reached)}
    tuning = Tuning(synchronises={"c_max": {"first_color_2": "color_0", "color_0_again": "color_1"}})
    hints = {"L11": Top(key=(epoch_to_beat, level_to_beat), witness=leading_candidate, waiting=waiting_leader)}

    @staticmethod
    def interact(a0: Agent, a1: Agent, p: Params) -> None:
        """Algorithm 1."""
        if a0.status == X and a1.status == X:  # 1
            a0.status, a0.levelQ, a0.done, a0.leader = A, 0, 0, 1  # 2
            a1.status, a1.count, a1.leader = B, 0, 0  # 3
        else:
            for a, b in ((a0, a1), (a1, a0)):  # 4
                if a.status == X and b.status != X:
                    a.status, a.levelQ, a.done, a.leader = A, 0, 1, 0  # 5
                    break
        count_up(a0, a1, p)  # 8 (7: tick is 0 when an interaction begins)
        for a in (a0, a1):  # 9
            if a.tick == 1:
                a.epoch = min(a.epoch + 1, 3)
        a0.epoch = a1.epoch = max(a0.epoch, a1.epoch)  # 10
        for a in (a0, a1):  # 11
            if a.epoch > a.init:
                a.levelQ, a.done, a.rand = 0, 0, 0  # the variables of the group it leaves
                if a.status == A and a.epoch == 2:  # 12
                    a.rand = 1 if a.leader == 1 or p.printed == 1 else p.nonce
                if a.status == A and a.epoch == 3:  # 13
                    a.levelB = 0
                a.init = a.epoch  # 14
        if a0.epoch == 1 and a1.epoch == 1:  # 16
            quick_elimination(a0, a1, p)  # 17
        elif a0.epoch == 2 and a1.epoch == 2:  # 18
            tournament(a0, a1, p)  # 19
        elif a0.epoch == 3 and a1.epoch == 3:  # 20
            back_up(a0, a1, p)  # 21

    @staticmethod
    def groups(p: Params) -> list[GroupSpec]:
        bit, colors, levels = range(2), range(3), range(p.c_max + 1)
        unassigned_: GroupSpec = {"leader": bit, "status": X, "epoch": 1, "init": 1, "color": colors}
        found: list[GroupSpec] = [unassigned_]
        for epoch in (1, 2, 3):
            common = {"epoch": epoch, "init": range(1, epoch + 1), "color": colors}
            own = {1: {"levelQ": levels, "done": bit}, 2: {"rand": range(1, 2 * p.nonce)}, 3: {"levelB": levels}}[epoch]
            found.append({**common, "leader": 0, "status": B, "count": range(p.c_max)})
            found.append({**common, "leader": bit, "status": A, **own})
        return found

    @staticmethod
    def demands(n: int, p: Params) -> str | None:
        if p.m < ceil_lg(n):
            return f"m = {p.m} is smaller than lg n = {log2(n):.2f}: P_LL needs m >= lg n. Raise it: -p m={ceil_lg(n)}."
        return None

    @staticmethod
    def expected_steps(n: int, p: Params) -> float | None:
        return 7.0 * n * p.m if p.printed == 0 else 20.0 * n * p.m  # measured at m = ceil(lg n)
