"""Random rings under random schedules, and random ring algorithms: the compiled engine beside plain Python."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from fuzz.inputs import Category, Input, Trouble, wrong
from fuzz.run_checks import outcome
from fuzz.workers import pulse

FILE = "random_ring.py"
LIBRARY = ("a_k", "b_k", "chang_roberts", "franklin", "hirschberg_sinclair", "itai_rodeh", "lelann", "peterson", "u_k")
WITH_K = ("a_k", "b_k", "u_k")
SAME = ("converged", "leader", "leaders", "time", "steps", "messages", "kinds", "max_bits", "limited")
LIMIT = 3000  # events
NEWLINE = "\n"

HEAD = """from princeps.model import Flag, LabelVariable, Message, Number, RingAlgorithm, on, start

TOKEN, HOP, DONE = Message("<x>"), Message("<HOP, x, #hops>"), Message("<DONE, x>")


@start
def S(p, c):
    yield 1
    p.best = p.id
    p.send(TOKEN, p.id)
"""


class Writer:
    """One random ring algorithm: for each message some actions with random guards, and one for what is left."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.lines, self.names = rng, [HEAD], ["S"]

    def label(self) -> str:
        return self.rng.choice(("x", "x", "p.id", "p.best"))

    def number(self, hops: bool) -> str:
        return self.rng.choice(("p.count", "1", "2", "0", "3", *(["hops", "hops"] if hops else [])))

    def guard(self, hops: bool, depth: int = 1) -> str:
        rng = self.rng
        kind = rng.randrange(5 if depth else 3)
        if kind == 0:
            return (
                f"{self.label()} {rng.choice(('<', '>', '==', '!=', '<=', '>='))} {rng.choice(('p.id', 'p.best', 'x'))}"
            )
        if kind == 1:
            return f"{self.number(hops)} {rng.choice(('<', '>', '==', '<='))} {self.number(hops)}"
        if kind == 2:
            return rng.choice(("p.mark", "not p.mark", "p.isLeader", "not p.done"))
        return f"({self.guard(hops, 0)}) {rng.choice(('and', 'or'))} ({self.guard(hops, 0)})"

    def body(self, hops: bool, last: bool) -> list[str]:
        rng = self.rng
        lines = []
        for _ in range(rng.choice((1, 2, 3))):
            lines.append(
                rng.choice(
                    (
                        f"p.best = {self.label()}",
                        f"p.count = min({self.number(hops)} + {self.number(hops)}, 7)",
                        f"p.mark = {rng.choice(('0', '1'))}",
                        f"p.send(TOKEN, {self.label()})",
                        f"p.send(HOP, {self.label()}, {self.number(hops)})",
                        f"if {self.guard(hops)}:\n        p.send(DONE, {self.label()})",
                        f"if {self.guard(hops)}:\n        p.count = {self.number(hops)}\n    else:\n        p.mark = 1",
                        "p.isLeader = 1" if rng.random() < 0.4 else "p.mark = 1 - p.mark",
                    )
                )
            )
        if last:
            lines += ["p.leader = x", "p.done = 1", rng.choice(("p.send(DONE, x)", "p.count = 0")), "p.halt()"]
        return lines

    def action(self, message: str, guard: str, last: bool) -> None:
        hops = message == "HOP"
        name = f"A{len(self.names)}"
        self.names.append(name)
        self.lines += ["", f"@on({message})", f"def {name}(p, x, {'hops, ' if hops else ''}c):", f"    yield {guard}"]
        self.lines += [f"    {line}" for line in self.body(hops, last)]

    def text(self) -> str:
        rng = self.rng
        for message in ("TOKEN", "HOP", "DONE"):
            hops = message == "HOP"
            for _ in range(rng.choice((1, 2))):
                self.action(message, self.guard(hops), last=message == "DONE" and rng.random() < 0.7)
            if rng.random() < 0.8:  # else a message may be stuck
                self.action(message, "1", last=message == "DONE")
        self.lines += [
            "",
            "class RandomRing(RingAlgorithm):",
            "    best = LabelVariable()",
            "    count = Number(0, 7)",
            "    mark = Flag()",
        ]
        self.lines += [f"    actions = ({', '.join(self.names)},)", ""]
        return NEWLINE.join(self.lines)


def _run(rng: Random, n: int) -> dict[str, Any]:
    letters = rng.choice((2, 3, n, n))
    labels = [rng.randrange(1, letters + 1) for _ in range(n)] if letters < n else rng.sample(range(1, 3 * n), n)
    schedule = rng.choice(("synchronous", "random", "adversarial", f"slow:{rng.randrange(n)}"))
    return {"labels": labels, "scheduler": schedule, "seed": rng.randrange(1000), "force": True, "max_steps": LIMIT}


def agree(name: str, given: dict[str, Any]) -> list[Trouble]:
    import princeps

    (one, mistake), (other, refusal) = (
        outcome(lambda engine=engine: princeps.run(name, engine=engine, **given))  # type: ignore[misc]
        for engine in ("reference", "compiled")
    )
    if mistake or refusal:
        if refusal and not mistake and ("plain Python" in refusal or "reference" in refusal):  # it says who takes it
            return []
        return (
            []
            if bool(mistake) == bool(refusal)
            else wrong(f"{name} {given}: by Python {mistake!r}, compiled {refusal!r}")
        )
    seen = [_seen(result) for result in (one, other)]
    return [] if seen[0] == seen[1] else wrong(f"{name} {given}: by Python {seen[0]}, compiled {seen[1]}")


def _seen(result: Any) -> dict[str, Any]:
    return {name: getattr(result, name) for name in SAME} | {"violations": [one.as_json() for one in result.violations]}


def _of_library(rng: Random) -> Input:
    """Thirty rings for one algorithm of the library."""
    name = rng.choice(LIBRARY)
    runs = []
    for _ in range(30):
        given = _run(rng, rng.randrange(1, 13))
        runs.append(given | ({"k": rng.randrange(1, 5)} if name in WITH_K else {}))

    def run() -> list[Trouble]:
        return next((found for given in runs if (found := agree(name, given))), [])

    return Input(f"# {name} on thirty random rings: see random_rings.py", run)


def _of_algorithms(rng: Random) -> Input:
    text, runs = Writer(rng).text(), [_run(rng, rng.randrange(1, 9)) for _ in range(30)]

    def run() -> list[Trouble]:
        Path(FILE).write_text(text)
        for given in runs:
            pulse()
            found = agree(f"./{FILE}", given)
            if found:
                return found
        return []

    return Input(text, run)


def make(rng: Random) -> Input:
    return rng.choice((_of_library, _of_algorithms))(rng)


CATEGORY = Category("rings", "random rings and ring algorithms over both engines", make, batch=5, cpu_seconds=60.0)
