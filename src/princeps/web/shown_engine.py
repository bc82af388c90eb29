"""Which engine a run is watched with, where nobody has asked for one."""

from __future__ import annotations

from princeps.engines.choice import choose
from princeps.engines.dispatch import read_for_engine
from princeps.engines.registry import ENGINES
from princeps.model.description import Description
from princeps.model.run import Run

SHOWN_WITH_AGENTS = {
    "counts": 2_000_000,
    "events": 2_000,
}  # by engine: so many agents are watched with `agents` instead


def with_numbers(description: Description) -> Description:
    """The engine that `run` would choose, unless too little of it could be shown.

    `counts` gives agents no numbers, and `events` does not know who met where nothing changed.
    """
    run = read_for_engine(description)  # refuses what is no engine
    if description.options.engine != "auto" or not isinstance(run, Run):
        return description
    if run.n > SHOWN_WITH_AGENTS.get(choose(run)[0], -1):
        return description
    assert "agents" in ENGINES
    return description.with_options(engine="agents")
