"""A user's own claims, whose evidence the recorded store holds: this file must stay as it is, or it is gathered anew."""

import princeps
from princeps.papers import SUPPORTED, Paper, probability_at_least, together

MINE = "./mine.py:Mine"

paper = Paper(id="mine", title="Two leaders wear one another out", protocols=[MINE])


def leaders_left(part, seed):
    """How many lead after 20 steps among 8 agents of fratricide."""
    return princeps.run("fratricide", n=8, seed=seed, trial=part, max_steps=20, engine="reference").leaders


@paper.claim("mine.few", "after 20 steps at most six of eight lead, mostly", recorded=SUPPORTED)
def few(lab):
    left = lab.measure(leaders_left, parts=40).parts
    part = probability_at_least(sum(count <= 6 for count in left), len(left), 0.5, "at most six lead")
    return together([part], [f"{sum(left)} in all"])


@paper.claim("mine.soon", "one leader is left within 60 n^2 steps with probability at least 1/2", recorded=SUPPORTED)
def soon(lab):
    sampled = lab.sweep(MINE, 8, trials=40)
    steps = sampled.only.steps
    part = probability_at_least(int((steps <= 60 * 64).sum()), len(steps), 0.5, "within 60 n^2, n = 8")
    return together([part], [f"{int(steps.sum())} steps in all"])
