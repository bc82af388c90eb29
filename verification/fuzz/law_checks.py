"""The engines that do not draw pair after pair, against the exact law of the goal's first step."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from random import Random
from typing import Any

from fuzz.event_checks import skipping
from fuzz.inputs import Trouble, wrong
from fuzz.random_rules import Written
from fuzz.run_checks import BEYOND, NEVER_RIGHT, chosen_run, outcome

MANY_STATES = "states can arise in a run of"  # what `counts` takes only without coins and oracles
TRIALS = 300
SIGNIFICANCE = 1e-9  # some thousand tests are made, and none may fail by chance
MOST = 3000  # configurations
LONGEST = 120  # steps


def laws_agree(cls: Any, written: Written, rng: Random) -> list[Trouble]:
    import laws

    from princeps.engines.registry import ENGINES, refusal
    from princeps.engines.simulate import simulate

    for engine in ("counts", "events", "agents"):
        for n in (3, 5):
            graph = rng.choice(("er:1.0", "path", "star")) if engine == "events" else None
            starts = [name for name in cls.starts if name != "random" or written.states**n <= MOST]
            run = chosen_run(cls, rng, n, graph=graph, starts=starts, max_steps=LONGEST)
            asked = replace(run, engine=engine)
            if engine not in ENGINES or refusal(engine, asked) is not None:
                continue
            law, mistake = outcome(lambda: laws.hitting_law(run, most=MOST, longest=LONGEST))  # noqa: B023
            if mistake:
                continue  # the rule makes a mistake somewhere: which runs meet it is chance
            late = len(law) - 1
            limit = late - 1

            def sample(asked: Any = asked, limit: int = limit, late: int = late) -> Counter[int]:
                seen: Counter[int] = Counter()
                for trial in range(TRIALS):
                    result = simulate(replace(asked, trial=trial, max_steps=limit))
                    seen[result.steps if result.converged else late] += 1
                return seen

            with skipping() if engine == "events" else nullcontext():
                seen, refused = outcome(sample)
            if refused:
                if BEYOND in refused or NEVER_RIGHT in refused or MANY_STATES in refused:
                    continue
                return wrong(f"{engine}: {refused}, where the reference makes no mistake")
            verdict = laws.hits_against_law(seen, law)
            if verdict.p < SIGNIFICANCE:
                return wrong(f"{asked.command()}: p = {verdict.p:.1e}, {dict(seen)} against {law[:20]}")
    return []
