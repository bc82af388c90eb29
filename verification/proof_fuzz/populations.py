"""Files of random protocols on complete graphs: parameters, derived constants, groups, oracles, coins, helpers, and lemmas."""

from __future__ import annotations

import random

from proof_fuzz.words import Words

DERIVED = (
    "lambda p: p.K + 1",
    "lambda p: 2 * p.K - 1",
    "lambda p: max(1, p.K - 1)",
    "lambda p: p.K // 2 + 1",
    "lambda p: p.K.bit_length() + 1",
    "lambda p: p.K - 2",
)
STARTS = (
    'Blocks(lambda n, p: [(n, {"leader": 1})])',
    'Blocks(lambda n, p: [(1, {"leader": 1}), (n - 1, {})])',
    'Blocks(lambda n, p: [(n - 1, {"leader": 1, "x": 1}), (1, {"x": 1})])',
    "begin",
    "Uniform()",
)
ORACLES = ("", "", "", "oracle = NobodyLeads()", 'oracle = Oracle("nobody_leads", lambda c, p: c.odd >= c.n - 1)')
COUNTED = (
    "c.leaders >= 1",
    "c.leaders <= 1",
    "c.odd <= c.leaders",
    "c.odd + c.leaders >= c.n",
    "2 * c.leaders >= c.n",
    "c.leaders + c.odd >= 1",
    "c.odd == 0 or c.leaders >= 1",
    "c.leaders <= c.n - 1",
    "2 * c.odd - c.leaders <= c.n",
    "c.leaders == 1 and c.odd <= p.K",
)


class Author:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        rng = self.rng
        self.lines: list[str] = []
        self.size = rng.choice(("2", "3", "lambda p: p.K + 1", "lambda p: p.K", "lambda p: p.D + 2"))
        constants = ["p.K", "p.D"]
        self.oracle = rng.choice(ORACLES)
        self.rule = Words(rng, ["a.x", "b.x", *constants], ["a.leader", "b.leader", *self._told()], rng.random() < 0.4)
        self.own = Words(rng, ["a.x", *constants], ["a.leader"], False)
        names = [f"{one}.x" for one in "abxy"]
        self.meeting = Words(rng, [*names, *constants], [f"{one}.leader" for one in "abxy"], False)
        self.event = Words(rng, ["a.x", "x.x", *constants], ["a.leader", "x.leader"], False)

    def _told(self) -> list[str]:
        return ["p.nobody_leads"] if self.oracle else []

    def top(self) -> str:
        """The largest value of x."""
        size = self.size.removeprefix("lambda p: ")
        return f"{size} - 1"

    def text(self) -> str:
        rng = self.rng
        given = ", or_given=Param(min=1, max=3)" if rng.random() < 0.3 else ""
        maximum = ", max=3" if rng.random() < 0.3 else ""
        groups = rng.choice(("", "", self.groups()))
        body = "\n".join(f"        {line}" for line in self.statements(3))
        lemmas = ",\n".join(f"        {line}" for line in self.facts())
        invariants = ", ".join(f'"i{k}": lambda c, p: {one}' for k, one in enumerate(rng.sample(COUNTED, 4)))
        return f"""from princeps import *


def helper(a, b, p):
    if {self.rule.condition()}:
        return
    {self.assignment()}


def part(a, b, p):
    return {Words(rng, ["a.x", "b.x", "p.K"], ["a.leader", "b.leader"], False).number()}


def begin(a, i, n, p):
    a.leader = 1 if i == 0 else 0
    a.x = min(i, 1)


class Wild(PopulationProtocol):
    K = Param(min=1{maximum}, default=2)
    D = Derived({rng.choice(DERIVED)}{given})
    leader, x = Bit(), Range({self.size})
    {self.oracle}
    starts = {{"initial": {rng.choice(STARTS)}}}
    predicates = {{"odd": lambda a, p: {self.own.condition()}}}
    goals = {{"g": lambda c, p: {rng.choice(COUNTED)}}}
    invariants = {{{invariants}}}
    hints = {{"i0": Top((lambda a, p: {self.own.number(1)},), lambda a, p: a.leader == 1, lambda a, p: {self.own.condition()})}}
    facts = {{
{lemmas},
    }}
{groups}
    def interact(a, b, p):
{body}
"""

    def groups(self) -> str:
        first = self.rng.randint(0, 1)
        return f"""
    def groups(p):
        return [{{"leader": {first}, "x": range({self.top()} + 1)}}, {{"leader": {1 - first}, "x": 0}}]
"""

    def assignment(self) -> str:
        rng, agent = self.rng, self.rng.choice("ab")
        if rng.random() < 0.5:
            return f"{agent}.leader = {rng.choice((self.rule.bit(), '0', '1', 'a.leader', 'b.leader'))}"
        value = self.rule.number()
        if rng.random() < 0.08:
            return f"{agent}.x = {value}"
        limit = self.top()
        if rng.random() < 0.3 and "- 1" not in limit.replace(" - 1", "", 1):
            return f"{agent}.x = {value} % ({limit} + 1)"
        return f"{agent}.x = max(0, min({value}, {limit}))"

    def statements(self, number: int, depth: int = 2) -> list[str]:
        found: list[str] = []
        for _ in range(self.rng.randint(1, number)):
            found += self.statement(depth)
        return found

    def statement(self, depth: int) -> list[str]:
        kind = self.rng.randrange(9) if depth else 0
        if kind in (3, 4, 5):
            lines = [f"if {self.rule.condition()}:", *self.inside(depth)]
            return [*lines, "else:", *self.inside(depth)] if kind == 3 else lines
        if kind == 6:
            inner = [one.replace("a.", "s.").replace("b.", "t.") for one in (self.rule.condition(), self.assignment())]
            return [
                "for s, t in ((a, b), (b, a)):",
                f"    if {inner[0]}:",
                f"        {inner[1]}",
                *(["        break"] if self.rng.random() < 0.5 else []),
            ]
        if kind == 7:
            return [self.rng.choice(("helper(a, b, p)", "helper(b, a, p)"))]
        if kind == 8:
            return ["v = part(b, a, p)", f"a.x = max(0, min(v, {self.top()}))"]
        return [self.assignment()]

    def inside(self, depth: int) -> list[str]:
        return [f"    {one}" for one in self.statements(2, depth - 1)]

    def facts(self) -> list[str]:
        rng = self.rng
        sets = [
            "g",
            "leader",
            "some:leader == 1",
            f"none:{rng.choice(('x == 0', 'leader == 0', 'x > 1'))}",
            "all:x <= 1",
        ]
        found = [
            f'"a{k}": EveryAgent("", lambda a, p: {one})'
            for k, one in enumerate((self.own.condition(), "a.x <= p.K", "a.leader == 1 or a.x <= 1"))
        ]
        found += [f'"m{k}": EveryMeeting("", lambda a, b, x, y, p: {self.meeting.condition()})' for k in range(2)]
        found.append(
            '"m2": EveryMeeting("", lambda a, b, x, y, p: x.leader + y.leader <= a.leader + b.leader or x.x <= a.x)'
        )
        found.append('"sym": Symmetric("")')
        found += [f'"s{k}": Stays("", "{one}")' for k, one in enumerate(rng.sample(sets, 3))]
        found.append(f'"e": StaysElected("", "{rng.choice(("leader", "g"))}")')
        found.append(f'"n": Never("", lambda a, x, p: {self.event.condition()}, "{rng.choice(sets)}")')
        return found


def text_of(seed: int) -> str:
    return Author(seed).text()
