"""Ctrl-C at any moment: long work ends soon, says so, and keeps what it has."""

from __future__ import annotations

import shlex
from random import Random

from fuzz.calling import INTERRUPTED, call, troubles
from fuzz.inputs import Category, Input, Trouble, wrong

LONG = (
    ["run", "fratricide", "-n", "1e5", "--engine", "agents"],
    ["run", "fratricide", "-n", "1e9", "--engine", "counts", "--fault", "5:100", "--max-steps", "1e25"],
    ["run", "p_rl", "-n", "300"],
    ["run", "p_rl", "-n", "40", "--engine", "reference"],
    ["run", "p_ll", "-n", "1e6", "--json"],
    ["run", "p_pl", "-n", "200", "--hold"],
    ["run", "fratricide", "-n", "3000", "--trials", "100"],
    ["run", "veterans.py", "-n", "400", "--graph", "path", "--force", "--engine", "events"],
    ["run", "a_k", "-n", "3000", "-p", "k=3"],
    ["run", "b_k", "-n", "40", "-p", "k=3", "--engine", "reference"],
    ["exact", "p_rl", "-n", "3"],
    ["exact", "p_ll", "-n", "4", "-p", "m=2"],
    ["exact", "fratricide", "-n", "2000"],
    ["exact", "b_k", "--labels", "3,1,1,2,4", "-p", "k=2"],
    ["rings", "b_k", "-n", "2..6"],
    ["impossible", "a_k", "-n", "60", "-p", "k=9"],
    ["ring", "--random", "n=100000,labels=50,max=3000"],
    ["sweep", "fratricide", "-n", "1000,3000", "--trials", "500", "--jobs", "1", "--store", "new.db"],
    ["sweep", "p_rl", "-n", "50", "--trials", "500", "--jobs", "2", "--store", "new.db", "--json"],
    ["plot", "results.db", "-o", "new.svg"],
    ["fit", "results.db"],
    ["results", "results.db", "--csv", "new.csv"],
    ["show", "p_ll"],
)


def make(rng: Random) -> Input:
    line, after = rng.choice(LONG), round(rng.choice((0.005, 0.05, 0.2, 0.8)) * (0.5 + rng.random()), 4)

    def run() -> list[Trouble]:
        called = call(line, interrupt_after=after)
        found = troubles(line, called)
        if called.code == INTERRUPTED and not called.err.strip() and "interrupted" not in called.out:
            found += wrong("exit code 130 without a word")
        return found

    return Input(f"{shlex.join(['princeps', *line])}  # Ctrl-C after {after} s", run)


CATEGORY = Category("interrupts", "Ctrl-C at any moment", make, share=0.004, batch=1)
