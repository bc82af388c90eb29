"""AAFJ as four small machines side by side: bullets, probes, leaders and barriers, each a function of the old states."""

from .scheduler import State


def delta(a: State, b: State, p: State) -> tuple[State, State]:
    return _at_a_barrier(a, b, p["k"]) if (b["label"] - a["label"]) % p["k"] != 1 % p["k"] else _within(a, b)


def _at_a_barrier(a: State, b: State, k: int) -> tuple[State, State]:
    """A probe from the left ends here in a leader; else the barrier works, unless its own probe has not left yet."""
    left, right = dict(a), {**b, "bullet": 0}
    if a["probe"]:
        left.update(probe=0, leader=1)
    elif not b["probe"]:
        right["phase"] = 1 - b["phase"]
        if b["phase"]:
            right["label"] = (a["label"] + 1) % k
        else:
            right["probe"] = 1 - b["leader"]
    return left, right


def _within(a: State, b: State) -> tuple[State, State]:
    """Bullets go left, where they kill and stay; probes go right, where only followers take them."""
    fires = b["bullet"] | b["leader"]
    left = {**a, "probe": 0, "leader": a["leader"] & ~fires, "bullet": a["bullet"] | fires}
    right = {**b, "bullet": 0, "probe": b["probe"] | (a["probe"] & ~b["leader"] & 1)}
    return left, right
