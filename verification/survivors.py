"""Why each surviving mutant changes nothing. Keys are `line of code | mutation`, as verification/mutants.py prints them.

Only reasons that hold for every legal pair of states count; "unreachable in practice" would not.
"""

ORDER = "roles in the other order"
PAIRS = "for a, b in ((a0, a1), (a1, a0)):"

EACH = "each role is treated on its own: the order of the two rounds does not matter"
EXCLUSIVE = "at most one of the two roles can satisfy the condition, so the order does not matter"
NO_SECOND = (
    "once the first role has acted, the second cannot satisfy the condition any more: there is nothing to break off"
)
SAME_EPOCH = "line 10 has just made the two epochs equal: one test says both"
CANONICAL = "levelB is 0 anyway outside V_A and before epoch 3"

RUN = "elif x.payoff >> min(x.run + 1, 63) == 0:  # as many heads as the payoff has digits, at least one"
NO_BULLET = "without a bullet at l, lines 11 and 12 leave a leader a leader and no bullet no bullet"

P_RL = {
    "if l.bullet > 0 and r.leader == 1:  # 10 | Gt -> GtE": NO_BULLET,
    "if l.bullet > 0 and r.leader == 1:  # 10 | 0 -> -1": NO_BULLET,
}

P_LL = {
    f"for a in (a0, a1):  # 9 | {ORDER}": EACH,
    f"for a in (a0, a1):  # 11 | {ORDER}": EACH,
    f"for a in (a0, a1):  # 23 | {ORDER}": EACH,
    f"{PAIRS}  # 30 | {ORDER}": EXCLUSIVE,
    f"{PAIRS} | {ORDER}": EXCLUSIVE,
    "break | deleted": NO_SECOND,
    "if a0.epoch == 1 and a1.epoch == 1:  # 16 | and <-> or": SAME_EPOCH,
    "elif a0.epoch == 2 and a1.epoch == 2:  # 18 | and <-> or": SAME_EPOCH,
    "elif a0.epoch == 3 and a1.epoch == 3:  # 20 | and <-> or": SAME_EPOCH,
    "if a.status == A and a.epoch == 3:  # 13 | and <-> or": CANONICAL,
}

EXPLAINED: dict[str, dict[str, str]] = {
    "tokens": {f"for c in (a, b): | {ORDER}": EACH},
    "known_bound": {f"for a in (a_i, a_j): | {ORDER}": EACH},
    "leader_minion": {f"for x, own, other in ((a, of_a, of_b), (b, of_b, of_a)): | {ORDER}": EACH},
    "lottery": {
        f"for x, coin, mode, payoff, level, responds in ( | {ORDER}": EACH,
        "(a, coin_b, mode_b, payoff_b, level_b, 0), | 0 -> -1": "the role's number is only compared with 1",
        **{f"{RUN} | 63 -> {k}": "m is at most 2^20, so that no run is longer than 20" for k in (62, 64)},
    },
    "michail": {f"for x in (a, b): | {ORDER}": EACH},
    "michail_roles": {
        f"for x, bit in ((a, 1), (b, 0)):  # 1: a bit | {ORDER}": EACH,
        f"for x, y in ((a, b), (b, a)):  # 2: a later round | {ORDER}": EXCLUSIVE,
        f"for x in (a, b):  # 4: the clock | {ORDER}": EACH,
    },
    "optimal_silent": {
        f"for i in (a, b): | {ORDER}": f"{EACH}; and a reset takes both agents, whichever of them begins it",
        f"for i, j in ((a, b), (b, a)): | {ORDER}": EXCLUSIVE,
        "enter_reset(j, 0) | 0 -> 1": "the partner's count is 1 or more: that count less 1 is the larger one either way",
    },
    "p_pl": {f"for a in (a0, a1):  # {line} | {ORDER}": EACH for line in (2, 5, 6, 9)},
    "p_rl": P_RL,
    "p_rl_oracle": P_RL,
    "p_ll": {
        **P_LL,
        f"{PAIRS}  # 4 | {ORDER}": EXCLUSIVE,
        "if a.status == X and b.status != X: | X -> -1": "two X agents are dealt with before (line 1): here b is never X if a is",
        f"for i, a, b in ((0, a0, a1), (1, a1, a0)):  # 35 | {ORDER}": EXCLUSIVE,
        "for i, a, b in ((0, a0, a1), (1, a1, a0)):  # 35 | 1 -> 2": "the role's number is only compared with 0",
        f"for i, a, b in ((0, a0, a1), (1, a1, a0)):  # 43 | {ORDER}": EXCLUSIVE,
    },
    "p_ll_symmetric": {
        **P_LL,
        "if a.status <= Y and b.status >= A: | A -> 1": "X x Y and Y x Y are dealt with before: here b is not Y if a is unassigned",
        f"for a, b, coin in ((a0, a1, coin1), (a1, a0, coin0)):  # 35 | {ORDER}": EXCLUSIVE,
        f"for a, b, coin in ((a0, a1, coin1), (a1, a0, coin0)):  # 43 | {ORDER}": EXCLUSIVE,
        f"for a in (a0, a1):  # 1 | {ORDER}": EACH,
        f"for a, coin in ((a0, coin1), (a1, coin0)):  # 2 | {ORDER}": EACH,
        f"{PAIRS}  # 16 | {ORDER}": EXCLUSIVE,
    },
}
