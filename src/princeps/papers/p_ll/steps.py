"""Claims about every step of P_LL."""

from __future__ import annotations

from typing import Any

from princeps.papers.answers import Measurement
from princeps.papers.claims import Planted, ProvedBy
from princeps.papers.judging import exhaustive, watched
from princeps.papers.laboratory import FULL, Lab
from princeps.papers.measures import exact_command, exactly
from princeps.papers.p_ll.paper import paper
from princeps.papers.p_ll.watchers import WATCHERS, AlwaysLed, HalfAndHalf, TimerExists, explored
from princeps.papers.sources import place_of
from princeps.papers.verdicts import PROVED, SUPPORTED, Outcome, Part, together
from princeps.papers.walks import Watcher, joined, walk

SIZES = ((2, 1), (3, 2), (5, 3), (8, 3), (12, 4))  # n with its m
STARTS = ("initial", "one_timer", "backup")
SCHEDULERS = ("uniform", "bursts", "forwards", "cliques")
COLORS = 4  # times that all agents get a new colour
EVER, SOON = ((2, 1, 0), (2, 2, 0)), ((3, 2, 8), (4, 2, 6), (5, 3, 5), (6, 3, 4))


def walked(lab: Lab) -> Measurement:
    """One walk, with all watchers, for all claims; every start under every scheduler."""
    cases = [
        {
            "n": n,
            "params": {"m": m},
            "start": start,
            "scheduler": scheduler,
            "steps": COLORS * 41 * m * n // 2,
            "times": times,
        }
        for times in (lab.pick(1, 12, 1),)
        for n, m in lab.pick(SIZES, SIZES, SIZES[:3])
        for start in STARTS
        for scheduler in SCHEDULERS
    ]
    places = [place_of(one) for one in WATCHERS]
    return lab.measure(walk, parts=len(cases), protocol="p_ll", cases=cases, watchers=places)


def seen(walks: Measurement, watcher: type[Watcher], what: str) -> Part:
    return watched(**joined(walks.parts, place_of(watcher)), what=what, least=100)


def everywhere(lab: Lab) -> Measurement:
    """Two agents for ever, a few more for the steps in which they are assigned."""
    sizes = lab.pick([*EVER, *SOON], [*EVER, *SOON, (4, 2, 9), (6, 3, 6)], [EVER[0], *SOON[:2]])
    return lab.measure(explored, parts=len(sizes), protocol="p_ll", sizes=sizes)


def proved(small: Measurement, watcher: type[Watcher]) -> Part:
    rows: list[dict[str, Any]] = [answer[watcher.__name__] for answer in small.parts]
    breach = next((row["breach"] for row in rows if row["breach"]), "")
    what = "all that 2 agents can ever come to, and 3 to 6 agents in their first steps"
    return exhaustive(sum(row["breaches"] for row in rows), sum(row["cases"] for row in rows), what, breach=breach)


@paper.claim(
    "003.L4",
    "there is a timer at all times after the first interaction",
    kind="X, P",
    recorded=PROVED,
    proved_by=ProvedBy("p_ll", "L4", without=SUPPORTED),
    planted=Planted(
        "the responder of two unassigned agents becomes a candidate, too (line 3)",
        ("p_ll", "a1.status, a1.count, a1.leader = B, 0, 0  # 3", "a1.status, a1.done, a1.leader = A, 1, 0  # 3"),
    ),
)
def a_timer(lab: Lab) -> Outcome:
    walks, small = walked(lab), everywhere(lab)
    return together([proved(small, TimerExists), seen(walks, TimerExists, "a timer at every step")])


@paper.claim(
    "003.L5",
    "once all are assigned, at least half are candidates and at least half follow",
    kind="X, P",
    recorded=PROVED,
    proved_by=ProvedBy("p_ll", "L5", without=SUPPORTED),
    planted=Planted(
        "who comes late becomes a timer (line 5)",
        (
            "p_ll",
            "a.status, a.levelQ, a.done, a.leader = A, 0, 1, 0  # 5",
            "a.status, a.count, a.leader = B, 0, 0  # 5",
        ),
    ),
)
def half_and_half(lab: Lab) -> Outcome:
    walks, small = walked(lab), everywhere(lab)
    return together([proved(small, HalfAndHalf), seen(walks, HalfAndHalf, "half and half at every step")])


@paper.claim(
    "003.L11",
    "there is always a leader",
    kind="X, P",
    recorded=PROVED,
    proved_by=ProvedBy("p_ll", "L11", without=SUPPORTED),
    planted=Planted(
        "two leaders that meet in BackUp both fall (line 57)",
        (
            "p_ll",
            "a1.leader == 1:  # 57\n        a1.leader = 0",
            "a1.leader == 1:  # 57\n        a0.leader = a1.leader = 0",
        ),
    ),
)
def always_led(lab: Lab) -> Outcome:
    walks, small = walked(lab), everywhere(lab)
    parts = [proved(small, AlwaysLed), seen(walks, AlwaysLed, "a leader at every step")]
    if lab.effort == FULL:
        sizes: list[tuple[int, dict[str, int]]] = [(3, {})]
        report = lab.measure(exactly, protocol="p_ll", sizes=sizes, start="initial", target="none:leaders").only
        command = exact_command("p_ll", 3, {}, "--start initial --target none:leaders")
        what = "n = 3, all that can ever be reached"
        cases = int(report["configurations"])
        parts.append(exhaustive(int(report["target_size"]), cases, what, commands=(command,)))
    return together(parts)
