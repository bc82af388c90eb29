"""Sessions: methods with any arguments in any order; what was done is replayed, and must give the same."""

from __future__ import annotations

from random import Random
from typing import Any

from fuzz.inputs import Category, Input, Trouble, wrong
from fuzz.python_calls import argument, scripted

SMALL = ("0", "1", "2", "3", "4", "5")
STEPS = ("0", "1", "7", "50", "300")
GOALS = ("'leader'", "'s_rl'", "None", "'safe'")
SIDES = ("'initiator'", "'responder'")
LINKS = ("'left'", "'right'")
METHODS: dict[str, tuple[tuple[str, ...], ...]] = {
    "step": (STEPS,),
    "back": (STEPS,),
    "goto": (STEPS,),
    "run_until": (GOALS, ("200", "20", "0")),
    "holds": (GOALS,),
    "state": (SMALL,),
    "corrupt": (("1", "2"),),
    "meet": (SMALL, SMALL),
    "torn": (SMALL, SMALL, SIDES),
    "dead": (SMALL,),
    "alive": (SMALL,),
    "cut": (SMALL, SMALL),
    "heal": (SMALL, SMALL),
    "deliver": (SMALL, LINKS),
    "drop": (SMALL, LINKS),
    "reset": (SMALL,),
    "forget_future": (),
    "result": (),
    "save": (("'new.script'", "'folder'", "'/dev/full'", "'missing/x'"),),
}
ASKED = ("s.steps", "s.leaders", "s.last_pair", "s.configuration", "s.counts", "s.census", "s.events", "s.leader", "s.script",
         "s.command", "s.parallel_time", "s.engine", "s.n", "repr(s)", "s.under_way", "s.time", "s.messages", "s.over",
         "s.dead_agents", "s.cut_arcs", "s.violations", "s.identity")  # fmt: skip
OPENED = (
    "princeps.session('p_rl', n=6, seed={seed}, engine='{engine}')",
    "princeps.session('duel.py', n=5, seed={seed}, engine='{engine}')",
    "princeps.session('p_ll', n=6, seed={seed}, engine='{engine}')",
    "princeps.session('fratricide', n=7, seed={seed}, engine='{engine}')",
    "princeps.session('numbered', n=5, seed={seed}, engine='{engine}')",
    "princeps.session('veterans.py', n=9, graph='path', force=True, seed={seed}, engine='{engine}')",
    "princeps.session('peterson', labels='3,1,4,2', schedule='random', seed={seed})",
    "princeps.session('b_k', labels='3,1,1,2', k=2, seed={seed})",
)
FOREVER = ("step", "run_until")  # whoever asks for 10^30 steps gets them
ENGINES = ("reference", "agents", "events", "counts", "auto")


def _statement(rng: Random) -> str:
    if rng.random() < 0.2:
        return rng.choice(ASKED)
    name = rng.choice(list(METHODS))
    given = [argument(rng, good) if rng.random() < 0.3 else rng.choice(good) for good in METHODS[name]]
    if name in FOREVER and any(large in word for word in given for large in ("2**", "10**", "e9")):
        given = [rng.choice(good) for good in METHODS[name]]
    if rng.random() < 0.05:
        return f"s.set({rng.choice(SMALL)}, {rng.choice(('leader', 'wins', 'whatever'))}={argument(rng, SMALL)})"
    return f"s.{name}({', '.join(given)})"


def seen(session: Any) -> dict[str, Any]:
    """What two sessions must have in common at the same point."""
    from princeps.engines.rings.session import RingSession

    if isinstance(session, RingSession):
        return {"steps": session.steps, "states": session.configuration, "messages": session.under_way}
    return {"steps": session.steps, "counts": session.counts, "leaders": session.leaders, "events": session.events}


def _replayed(scope: dict[str, Any]) -> list[Trouble]:
    """The script repeats the session, and going back and forth changes nothing."""
    import princeps
    from princeps.errors import PrincepsError

    session = scope.get("s")
    if session is None or session.in_the_past:
        return []
    there, end = seen(session), session.steps
    session.save("whole.script")
    again = seen(princeps.replay("whole.script"))
    if again != there:
        return wrong(
            f"the script gives another session: {again} instead of {there}\n{open('whole.script').read()[:2000]}"
        )
    try:
        session.goto(0)
        session.goto(end)
    except PrincepsError:  # steps where a session of counts did not stand
        return []
    back = seen(session)
    return [] if back == there else wrong(f"going back to 0 and forth to {end}: {back} instead of {there}")


def make(rng: Random) -> Input:
    opened = rng.choice(OPENED).format(seed=rng.randrange(100), engine=rng.choice(ENGINES))
    lines = [f"s = {opened}", *(_statement(rng) for _ in range(rng.randrange(3, 15)))]
    return scripted(lines, _replayed)


CATEGORY = Category("sessions", "methods of sessions, and their scripts replayed", make, share=0.06)
