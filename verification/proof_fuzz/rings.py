"""Files of random protocols on rings: sets made of loops around the ring, with registers, ends and helpers of many kinds."""

from __future__ import annotations

import random

from proof_fuzz.words import Words

PREFACE = """from princeps import *


def first(u, n):
    for i in range(n):
        if u[i].leader == 1:
            return i
    return -1


def last(u, n):
    k = -1
    for i in range(n):
        if u[i].leader == 1:
            k = i
    return k


def counted(u, n):
    count = 0
    for i in range(n):
        if u[i].leader == 1:
            count += 1
    return count

"""
ENDS = ("return 1", "return 1", "return 1", "return u[k].x <= 1", "return r <= 2", "return counted(u, n) <= 2")
LOOPS = ("range(n)", "range(n)", "range(n)", "range(1, n)", "range(n - 1)", "range(min(u[k].x + 1, n))")


def scan(rng: random.Random, name: str) -> str:
    """A function (u, n, p) with one loop."""
    words = Words(
        rng, ["u[i].x", "u[i].x", "r", rng.choice(("d", "r")), rng.choice(("n", "i", "u[i].x"))], ["u[i].leader"], False
    )
    body = [f"i = (k {rng.choice('++-')} d) % n"]
    at_leader = rng.choice(("r = 0", "r = u[i].x", "r = 1", "pass"))
    elsewhere = rng.choice(("r += 1", "r = u[i].x", f"r = max(0, min(3, {words.number(1)}))", "pass"))
    body += ["if u[i].leader == 1:", f"    {at_leader}", "else:", f"    {elsewhere}"]
    rejects = [f"if {words.condition()}:", "    return 0"]
    body = [*body, *rejects] if rng.random() < 0.7 else [body[0], *rejects, *body[1:]]
    if rng.random() < 0.15:
        body += [f"if {words.condition(0)}:", f"    {rng.choice(('break', 'return 1'))}"]
    demand = rng.choice(("k < 0", "k < 0", "counted(u, n) != 1", "first(u, n) != last(u, n)"))
    early = rng.choice(
        ("", "", "", "    if counted(u, n) == 1:\n        return 1\n", "    if u[k].x == 1:\n        return 1\n")
    )
    lines = "\n".join(f"        {line}" for line in body)
    return f"""
def {name}(u, n, p):
    k = {rng.choice(("first", "last"))}(u, n)
    if k < 0 or {demand}:
        return 0
{early}    r = {rng.randint(0, 1)}
    for d in {rng.choice(LOOPS)}:
{lines}
    {rng.choice(ENDS)}

"""


def text_of(seed: int) -> str:
    rng = random.Random(seed)
    values = rng.choice((2, 3))
    joined = rng.choice(
        ("one(u, n, p)", "one(u, n, p)", "one(u, n, p) and other(u, n, p)", "one(u, n, p) or other(u, n, p)")
    )
    if rng.random() < 0.3:
        joined = "0 if one(u, n, p) == 0 else other(u, n, p)"
    rule = Words(rng, ["l.x", "r.x"], ["l.leader", "r.leader"], rng.random() < 0.2)
    lines = []
    for _ in range(rng.randint(1, 3)):
        agent = rng.choice("lr")
        change = rng.choice(
            (
                f"{agent}.x = max(0, min({values - 1}, {rule.number(1)}))",
                f"{agent}.x = {rng.randrange(values)}",
                f"{agent}.leader = {rule.bit()}",
            )
        )
        lines += [f"        if {rule.condition()}:", f"            {change}"]
    event = Words(rng, ["a.x", "x.x"], ["a.leader", "x.leader"], False)
    demands = (
        '    def demands(n, p):\n        return f"{n} are too many" if n > p.N else None\n'
        if rng.random() < 0.4
        else ""
    )
    body = "\n".join(lines)
    return f"""{PREFACE}{scan(rng, "one")}{scan(rng, "other")}
def judged(u, n, p):
    return {joined}


class Wild(PopulationProtocol):
    topology = "ring"
    N = Param(min=2, default="n")
    leader, x = Bit(), Range({values})
    goals = {{"set": Closed(judged)}}
    lemmas = {{
        "stays": Stays("", "set"),
        "elected": StaysElected("", "set"),
        "never": Never("", lambda a, x, p: {event.condition()}, "set"),
    }}
    facts = {{"marked": Marked("", of="set", marks={{"m": "one.1"}}, bad=lambda a, b, x, y, p: {rng.choice(("x.m < a.m", "y.m < b.m", "x.m > a.m", "y.m == 1 and y.x < b.x"))})}}

{demands}
    def interact(l, r, p):
{body}
"""
