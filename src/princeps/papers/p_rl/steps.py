"""Claims about every step of P_RL."""

from __future__ import annotations

from typing import Any

from princeps.model.reading import make_run
from princeps.model.starts import starting_states
from princeps.papers.answers import Measurement
from princeps.papers.claims import Planted, ProvedBy
from princeps.papers.judging import exhaustive, fair, watched
from princeps.papers.laboratory import Lab
from princeps.papers.p_rl.paper import paper
from princeps.papers.p_rl.sets import lemma
from princeps.papers.p_rl.watchers import (
    ModestBulletsStayModest,
    NewBullets,
    NoCreation,
    PeacefulSetIsClosed,
    Security,
    ShortLived,
    in_c_pb,
    modest,
    secure,
)
from princeps.papers.sources import place_of
from princeps.papers.verdicts import PROVED, SUPPORTED, Outcome, Part, together
from princeps.papers.walks import Config, Watcher, joined, walk

SIZES = ((3, 3), (5, 5), (6, 9), (8, 8))
STARTS = ("random", "all_leaders", "no_leader_bullets", "two_leaders")
SCHEDULERS = ("uniform", "bursts", "forwards", "cliques")


WATCHERS = (ShortLived, PeacefulSetIsClosed, ModestBulletsStayModest, NewBullets, Security, NoCreation)


def walked(lab: Lab) -> Measurement:
    """One walk, with all watchers, for all claims; every start under every scheduler."""
    cases = [
        {"n": n, "params": {"N": N}, "start": start, "scheduler": scheduler, "steps": 10 * n * N, "times": times}
        for times in (lab.pick(5, 30, 1),)
        for n, N in lab.pick(SIZES, SIZES, SIZES[:3])
        for start in STARTS
        for scheduler in SCHEDULERS
    ]
    return lab.measure(
        walk, parts=len(cases), protocol="p_rl", cases=cases, watchers=[place_of(one) for one in WATCHERS]
    )


def seen(lab: Lab, watcher: type[Watcher], what: str) -> Part:
    found = joined(walked(lab).parts, place_of(watcher))
    return watched(**found, what=what, least=100)


# -- the claims --------------------------------------------------------------------------------------------------------


@paper.claim(
    "000.L1",
    "a bullet disappears before it has moved N times",
    kind="P",
    recorded=PROVED,
    proved_by=ProvedBy("p_rl", "000.L1", without=SUPPORTED),
    planted=Planted("distances do not grow (line 2)", ("p_rl", "min(l.distL + 1, p.N)", "min(l.distL, p.N)")),
)
def short_lived(lab: Lab) -> Outcome:
    return together([seen(lab, ShortLived, "moves of bullets counted")])


@paper.claim(
    "000.L2",
    "C_PB is closed",
    kind="X, P",
    recorded=PROVED,
    proved_by=ProvedBy("p_rl", "000.L2", without=SUPPORTED),
    planted=Planted(
        "a leader that fires a live bullet stays unshielded (line 7)",
        ("p_rl", "l.bullet, l.shield, l.signal = LIVE, 1, 0", "l.bullet, l.shield, l.signal = LIVE, 0, 0"),
    ),
)
def peace(lab: Lab) -> Outcome:
    return together([*lemma(lab, "000.L2"), seen(lab, PeacefulSetIsClosed, "C_PB kept at every step")])


@paper.claim(
    "000.L3",
    "a modest bullet stays modest",
    kind="P",
    recorded=PROVED,
    proved_by=ProvedBy("p_rl", "000.L3", without=SUPPORTED),
    planted=Planted("a bullet does not erase signals (line 15)", ("p_rl", "l.bullet, r.signal = 0, 0", "l.bullet = 0")),
)
def modesty(lab: Lab) -> Outcome:
    return together([seen(lab, ModestBulletsStayModest, "modest bullets followed")])


@paper.claim(
    "000.L4",
    "a newly fired live bullet is modest",
    kind="P",
    recorded=PROVED,
    proved_by=ProvedBy("p_rl", "000.L4", without=SUPPORTED),
    planted=Planted(
        "a new leader is not shielded (line 5)",
        ("p_rl", "r.bullet, r.shield, r.signal = LIVE, 1, 0", "r.bullet, r.shield, r.signal = LIVE, 0, 0"),
    ),
)
def new_bullets(lab: Lab) -> Outcome:
    return together([seen(lab, NewBullets, "live bullets looked at when they are fired")])


@paper.claim(
    "000.L5",
    "where all live bullets are modest, an agent turns insecure only by meeting an insecure left neighbour",
    kind="P",
    recorded=PROVED,
    proved_by=ProvedBy("p_rl", "000.L5", without=SUPPORTED),
    planted=Planted("distances grow by two (line 2)", ("p_rl", "min(l.distL + 1, p.N)", "min(l.distL + 2, p.N)")),
)
def security(lab: Lab) -> Outcome:
    return together([seen(lab, Security, "secure agents followed")])


@paper.claim(
    "000.L7",
    "no leader is created from C_NI",
    kind="X, P",
    recorded=PROVED,
    proved_by=ProvedBy("p_rl", "000.L7", without=SUPPORTED),
    planted=Planted("distances grow by two (line 2)", ("p_rl", "min(l.distL + 1, p.N)", "min(l.distL + 2, p.N)")),
)
def no_creation(lab: Lab) -> Outcome:
    return together([*lemma(lab, "000.L7"), seen(lab, NoCreation, "nobody is made a leader in C_NI")])


# -- two more things that are seen step by step -------------------------------------------------------------------------


def fired(part: int, seed: int, *, protocol: str, n: int, steps: int) -> dict[str, int]:
    """What becomes of the tosses of leaders under the scheduler of the model: live bullets, dummies, and none at all.

    A leader with a signal tosses when it meets a neighbour, and both neighbours are equally likely. What it fires as the
    responder stays with it, and what it fires as the initiator is at its right neighbour afterwards, if that follows and
    has no bullet: other tosses, where the bullet is gone at once, are left out whichever neighbour comes.
    """
    run = make_run(protocol, n, start="random", seed=seed, trial=part)
    states, made, step = starting_states(run), run.protocol.agent, run.protocol.step
    u: Config = [made(state) for state in states]  # type: ignore[call-arg]
    found = dict.fromkeys(("none", "dummy", "live"), 0)
    pairs = run.meetings()
    for _ in range(steps):
        i, j = next(pairs)
        tossing = [k for k in (i, j) if _tosses(u, k)]
        states[i], states[j] = step(states[i], states[j])
        u[i], u[j] = made(states[i]), made(states[j])  # type: ignore[call-arg]
        for _ in tossing:  # as the initiator or as the responder, the bullet is with the right one of the two
            found[("none", "dummy", "live")[u[j].bullet]] += 1
    return found


def _tosses(u: Config, k: int) -> bool:
    right = u[(k + 1) % len(u)]
    return bool(u[k].leader and u[k].signal and not right.leader and not right.bullet)


@paper.claim(
    "000.coin",
    "a fired bullet is live with probability 1/2",
    recorded=SUPPORTED,
    planted=Planted(
        "a leader fires a live bullet whichever neighbour it meets (line 9)",
        ("p_rl", "r.bullet, r.shield, r.signal = DUMMY, 0, 0", "r.bullet, r.shield, r.signal = LIVE, 1, 0"),
    ),
)
def coin(lab: Lab) -> Outcome:
    steps = 50_000
    counts = lab.measure(fired, parts=lab.pick(4, 32), protocol="p_rl", n=4, steps=steps).parts
    live, dummies, none = (sum(count[kind] for count in counts) for kind in ("live", "dummy", "none"))
    breach = "a leader with a signal after whose meeting there is no bullet"
    tosses, what = live + dummies + none, "a leader with a signal fires, n = 4"
    parts = [watched(none, tosses, steps * len(counts), what, breach=breach)]
    if live + dummies:
        margin = lab.pick(0.05, 0.02)
        parts.append(fair(live, live + dummies, 0.5, margin, "live bullets among those fired, n = 4"))
    return together(parts)


def example(part: int, seed: int, *, protocol: str) -> dict[str, Any]:
    """The start `two_leaders` at n = N = 100, and its two interactions 49-50."""
    run = make_run(protocol, 100, start="two_leaders", params={"N": 100})
    states, made = starting_states(run), run.protocol.agent
    u: Config = [made(state) for state in states]  # type: ignore[call-arg]
    calm = in_c_pb(u) and all(secure(u, i, 100) for i in range(100)) and not modest(u, 49)
    led = [u[50].leader]
    for _ in range(2):
        states[49], states[50] = run.protocol.step(states[49], states[50])
        led.append(made(states[50]).leader)  # type: ignore[call-arg]
    return {"calm": calm, "led": led, "other": u[0].leader}


@paper.claim(
    "000.fig3",
    "with n = N = 100, a configuration of C_PB with all agents secure re-creates a leader in two interactions",
    kind="P",
    recorded=PROVED,
    planted=Planted("nobody becomes a leader (line 3)", ("p_rl", "if r.distL == p.N:", "if r.distL > p.N:")),
)
def figure_3(lab: Lab) -> Outcome:
    command = "princeps run p_rl -n 100 --start two_leaders --until led --pairs list:49-50,49-50"
    found = lab.measure(example, protocol="p_rl").only
    right = found["calm"] and found["led"] == [1, 0, 1] and found["other"] == 1
    what = "agent 50 leads, is killed, and leads again while agent 0 leads"
    breach = f"it led {found['led']}"
    return together([exhaustive(int(not right), 1, what, "example", breach=breach, commands=(command,))])
