"""Claims about a protocol of one's own, in the form of the papers': examples/veterans.py under examination.

princeps paper examples/mine_claims.py
princeps paper examples/mine_claims.py --planted

Two leaders meet, and the one with fewer victories follows. Here are four claims about that, each of a different kind,
and with each a fault that it must notice: a line of the protocol that is changed, or a claim that goes too far. A check
asks the laboratory for evidence and judges it; --full asks for more (`lab.pick`).
"""

from princeps.papers import (
    PROVED,
    SUPPORTED,
    Paper,
    Planted,
    Watcher,
    exactly,
    exhaustive,
    grows_at_most,
    on_every_step,
    probability_at_least,
    together,
)

VETERANS = "examples/veterans.py:Veterans"  # from where one stands, as in princeps run

paper = Paper(id="veterans", title="Experience decides who leads, and not when", protocols=[VETERANS])


# X: exactly, over all runs of small populations.
@paper.claim(
    "veterans.exact",
    "one leader is left after (n-1)^2 expected steps, as if victories were not counted",
    kind="X",
    recorded=PROVED,
    planted=Planted(
        "an initiator with fewer victories declines to fight",
        (VETERANS, "if a.leader == 1 and b.leader == 1:", "if a.leader == 1 and b.leader == 1 and a.wins >= b.wins:"),
    ),
)
def no_difference(lab):
    sizes = lab.pick([2, 3, 4, 5, 6], [2, 3, 4, 5, 6, 7, 8], [2, 3, 4])
    reports = lab.measure(
        exactly, parts=len(sizes), protocol=VETERANS, sizes=[(n, {}) for n in sizes], target="leader", start="initial"
    ).parts
    wrong = [
        f"{report['worst']} steps at n = {n}"
        for n, report in zip(sizes, reports, strict=True)
        if abs(report["worst"] - (n - 1) ** 2) > 1e-9
    ]
    return together([exhaustive(len(wrong), len(sizes), "(n-1)^2 steps", "sizes", breach=", ".join(wrong))])


# P: on every step of random and of unfair runs.
class TheLesserFalls(Watcher):
    def look(self, u, i, j, a, b):
        """Agents i and j were a and b before they met. What is wrong is reported in a sentence."""
        for before, after, other in ((a, u[i], b), (b, u[j], a)):
            if before.leader and not after.leader:
                self.cases += 1
                if before.wins > other.wins:
                    return f"a leader with {before.wins} victories fell to one with {other.wins}"
        return None


@paper.claim(
    "veterans.order",
    "no leader ever falls to one with fewer victories",
    kind="P",
    recorded=SUPPORTED,
    planted=Planted("the greater falls", (VETERANS, "if a.wins >= b.wins:", "if a.wins <= b.wins:")),
)
def the_lesser_falls(lab):
    cases = [
        {"n": 12, "params": {"most": most}, "scheduler": scheduler, "steps": 1000, "times": lab.pick(20, 200, 5)}
        for most in (1, 3, 10)
        for scheduler in ("uniform", "bursts", "cliques")
    ]
    return together([on_every_step(lab, TheLesserFalls, VETERANS, cases, "the lesser of two falls")])


# S: by trials, the same as those of `princeps sweep`.
@paper.claim(
    "veterans.soon",
    "one leader is left within 3 n^2 steps with probability at least 0.98",
    recorded=SUPPORTED,
    planted=Planted("the claim is n^2 steps", factor=1),
)
def soon(lab, factor=3):
    n = 64
    sampled = lab.sweep(VETERANS, n, trials=lab.pick(4000, 40_000, 500))
    steps = sampled.only.steps
    within = int((steps <= factor * n**2).sum())
    part = probability_at_least(within, len(steps), 0.98, f"within {factor} n^2, n = {n}", commands=(sampled.command,))
    return together([part], [f"the mean is {steps.mean() / (n - 1) ** 2:.3f} (n-1)^2"])


# S: by the law that fits from small sizes to large ones.
@paper.claim(
    "veterans.growth",
    "the steps grow as n^2",
    recorded=SUPPORTED,
    planted=Planted("the claim is O(n)", power=1),
)
def growth(lab, power=2):
    sampled = lab.sweep(VETERANS, [16, 64, 256, 1024], trials=lab.pick(200, 2000, 50))
    return together([grows_at_most(sampled.fit(), power, 0, "to one leader", commands=(sampled.command,))])
