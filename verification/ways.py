"""Samples of every engine, in each of its ways: as it is, forced to go one way only, and deliberately wrong.

Which way `counts` goes is decided by what things cost, so that tiny populations never see some of them. Its kernel is
a text, joined from some files: the same text with other constants always goes one way, and with another line it is
wrong in a known manner.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch
from zlib import crc32

from laws import Configuration, seen_as

import princeps
from princeps.engines import conduct as conducting
from princeps.engines import counts_state
from princeps.engines import events as events_engine
from princeps.engines.choosing_counts import ALWAYS_BATCH, ALWAYS_SKIP, ChoosingCounts
from princeps.engines.conduct import conduct
from princeps.engines.population import Population
from princeps.engines.simulate import make_population
from princeps.lowering.cache import load_kernel
from princeps.lowering.multiset import SKIPPING
from princeps.model.reading import make_run
from princeps.model.run import Run

PACKAGE = Path(princeps.__file__).parent
PARTS = (
    "multiset_steps",
    "multiset_costs",
    "multiset_skips",
    "multiset_batches",
)  # of lowering, before the loop itself
KERNEL = (*(PACKAGE / "lowering" / f"{name}.py" for name in PARTS), PACKAGE / "engines" / "counts_kernel.py")
OWN_IMPORTS = re.compile(
    rf"^from (?:__future__|princeps\.lowering\.(?:{'|'.join(PARTS)})) import (?:\([^)]*\)|.*)\n", re.M
)
BATCH = "@njit\ndef batch("
LENGTH = "length = run_length(rng, agents, most)"
COLLISION = "if status == CONTINUE and length < most:"
COLLIDE = "a, b = draw_collision(rng, m, 2 * length, agents - 2 * length)"
COSTS = "BATCH, CLOCK, DRAW, PAIR, EVENT, ROW = 120.0, 150.0, 45.0, 12.0, 40.0, 8.0"
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
CHOOSING = {
    "dice": "dice",
    "coin_lottery": "lottery",
    "phoenix": "phoenix",
}  # examples that toss coins or read an oracle
SHORT_CLOCK = "p_ll_short_clock"  # P_LL whose epochs 2 and 3 come within the reach of exact laws
ELSEWHERE = {
    **{name: str(EXAMPLES / f"{file}.py") for name, file in CHOOSING.items()},
    SHORT_CLOCK: f"{Path(__file__).resolve().parent / 'short_clock.py'}:ShortClock",
}  # protocols that are not in the library
TOLD = ("fischer_jiang", "fischer_jiang_complete", "p_rl_oracle")  # of the library, those whose rules read an oracle
ON_RINGS = ("aafj", "fischer_jiang", "p_rl", "p_rl_oracle")  # directed ones, and nothing else
CHOOSING_WAYS = {"skip": ALWAYS_SKIP, "matrix": ALWAYS_BATCH}
OFTEN = 4  # steps after which a forced `events` judges whether to skip
Edits = tuple[tuple[str, str], ...]

SKIP: Edits = ((COSTS, COSTS.replace("40.0, 8.0", "0.0, 0.0")),)
MATRIX: Edits = ((COSTS, COSTS.replace("12.0, 40.0", "1e18, 1e18")),)
LIST: Edits = (
    (COSTS, COSTS.replace("40.0", "1e18")),
    ("if states <= MAX_MATRIX_STATES else np.inf", "if states < 1 else np.inf"),
)
WAYS: dict[str, Edits] = {"skip": SKIP, "matrix": MATRIX, "list": LIST}
WRONG: dict[str, Edits] = {
    "collision dropped": (*MATRIX, (COLLISION, "if status == CONTINUE and length < 0:")),
    "collision as a fresh pair": (
        *MATRIX,
        (
            BATCH,
            "from princeps.lowering.multiset import LEFT, POOL\nfrom princeps.lowering.multiset_draws import pick\n\n" + BATCH,
        ),
        (
            COLLIDE,
            COLLIDE + "\n        if agents - 2 * length >= 2:"
            "\n            a = pick(rng, m, LEFT, POOL, agents - 2 * length, -1)"
            "\n            b = pick(rng, m, LEFT, POOL, agents - 2 * length - 1, a)",
        ),
    ),
    "batch too short by one": (*MATRIX, (LENGTH, "length = max(np.int64(1), run_length(rng, agents, most) - 1)")),
    "batch too long by one": (*LIST, (LENGTH, "length = min(run_length(rng, agents, most) + 1, agents // 2, most)")),
    "batches of fixed length 2": (*LIST, (LENGTH, "length = min(np.int64(2), agents // 2, most)")),
    "goal seen at the end of a batch": (
        *MATRIX,
        ("    careful = (stop_at == STOP_AT_GOAL and tracked and may_meet_goal(goal, numbers))", "    careful = (stop_at == STOP_AT_GOAL and tracked and False)"),
        (
            BATCH,
            "from princeps.lowering.status import GOAL_MET\nfrom princeps.lowering.multiset_goal import goal_holds\n\n" + BATCH,
        ),
        (
            "    by_high, by_low = steps_of(",
            "    if stop_at == STOP_AT_GOAL and status == CONTINUE and goal_holds(goal):\n"
            "        status = GOAL_MET\n"
            "    by_high, by_low = steps_of(",
        ),
    ),
    "waits too long by one": (
        *SKIP,
        ("    return geometric_wide(rng, share)", "    high, low = geometric_wide(rng, share)\n    return high, low + 1"),
    ),
}  # fmt: skip


@cache
def kernel(edits: Edits) -> Any:
    """The kernel with these replacements, each of which must apply exactly once."""
    parts = [OWN_IMPORTS.sub("", path.read_text(encoding="utf-8")) for path in KERNEL]
    text = "from __future__ import annotations\n" + "\n".join(parts)
    for old, new in edits:
        if text.count(old) != 1:
            raise RuntimeError(f"the kernel of counts has changed: {text.count(old)} times {old!r}.")
        text = text.replace(old, new)
    return load_kernel(text, Cell)


@contextmanager
def forced(way: str) -> Any:
    """Within it, populations made by `population` go this way: `counts:matrix`, `events:skip`, a wrong one's name."""
    engine, _, how = way.partition(":")
    events: Any = events_engine
    kept = counts_state.counts_kernel, events.SKIP_FROM, events.WALK_FROM
    if engine == "counts" and how:
        chosen = kernel({**WAYS, **WRONG}[how])
        counts_state.counts_kernel = lambda: chosen
    if engine == "events" and how == "skip":
        events.SKIP_FROM, events.WALK_FROM = 0, 1  # always few enough, never too many
    if engine == "events" and how == "switch":
        events.SKIP_FROM, events.WALK_FROM = 2, 2  # half of the interactions, half of the arcs
    try:
        yield
    finally:
        counts_state.counts_kernel, events.SKIP_FROM, events.WALK_FROM = kept


def population(run: Run, way: str) -> Population:
    """A population on the engine of this way; call it within `forced`."""
    engine, _, how = way.partition(":")
    made = make_population(replace(run, engine=engine))
    if isinstance(made, ChoosingCounts) and how:
        made.way = CHOOSING_WAYS[how]  # its kernel has the ways as an argument
    if isinstance(made, events_engine.Events) and how:
        made.costly = 1  # however many arcs an interaction makes it examine
        made.judge_after = OFTEN
        made.judge_at = 0 if how == "skip" else OFTEN
    return made


@dataclass(frozen=True)
class Cell:
    """What is sampled: a run, by one way, many times."""

    protocol: str
    n: int
    way: str = "agents"
    params: tuple[tuple[str, int], ...] = ()
    graph: str | None = None
    start: str | None = None
    ids: tuple[int, ...] | None = None
    until: str | None = None
    trials: int = 10_000
    horizon: int | None = None
    steps: tuple[int, ...] = field(default=())  # look at whole configurations there instead
    pieces: bool = False  # in one run, stopping at each of these steps; else in a run of its own for each

    @property
    def seed(self) -> int:
        """Every cell has one of its own, so that no two tests see the same luck."""
        words = (self.protocol, self.n, self.way, self.params, self.graph, self.start, self.until, self.pieces)
        return crc32(repr(words).encode())

    def run(self) -> Run:
        """On the listed graph er:1.0 every pair may meet, so that `events` has complete graphs too."""
        listed = self.way.startswith("events") and self.graph is None and self.protocol not in ON_RINGS
        return make_run(
            ELSEWHERE.get(self.protocol, self.protocol),
            self.n,
            params=dict(self.params),
            graph="er:1.0" if listed else self.graph,
            start=self.start,
            ids=self.ids,
            until=self.until,
            seed=self.seed,
            max_steps=self.horizon,
            force=True,
        )

    def exact_run(self) -> Run:
        """The run whose law it should obey; a random graph is the one that the cell's own seed draws."""
        return self.run() if self.graph else replace(self, way="reference").run()


def hits(cell: Cell) -> Counter[int]:
    """The steps at which the goal was first met; horizon + 1 if not before the horizon."""
    run, seen = cell.run(), Counter[int]()
    late = (cell.horizon or 0) + 1
    with forced(cell.way), patch.object(conducting, "at_last_change", lambda conductor: (conductor.population, 0)):
        for trial in range(cell.trials):  # what is forced could not be repeated, to find the last change of a stuck run
            one = replace(run, trial=trial)
            result = conduct(one, population(one, cell.way))
            seen[result.steps if result.converged else late] += 1
    return seen


def go_to(there: Population, step: int) -> None:
    there.advance_exactly(step - there.steps)


def configurations(cell: Cell) -> dict[int, Counter[Configuration]]:
    """The configurations after each of the cell's numbers of steps."""
    run, ordered = cell.run(), cell.exact_run()
    seen: dict[int, Counter[Configuration]] = {step: Counter() for step in cell.steps}
    trial = 0
    with forced(cell.way):
        for stops in [cell.steps] if cell.pieces else [(step,) for step in cell.steps]:
            for _ in range(cell.trials):
                there = population(replace(run, trial=trial), cell.way)
                trial += 1
                for step in stops:
                    go_to(there, step)
                    seen[step][seen_as(ordered, [there.state(agent) for agent in range(run.n)])] += 1
    return seen


def sample(cells: Iterable[Cell]) -> list[Any]:
    """For a worker process: cells of one way together, so that a kernel is compiled once."""
    return [configurations(cell) if cell.steps else hits(cell) for cell in cells]


def listing(cell: Cell, trials: int = 200) -> tuple[int, int]:
    """In how many of `trials` runs to the horizon batches were drawn as lists, and in how many events were skipped.

    Seen from outside: a list leaves pairs in `pairs`, and skipping sets a fact.
    """
    run, lists, skips = cell.run(), 0, 0
    with forced(cell.way):
        for trial in range(trials):
            there: Any = population(replace(run, trial=trial), cell.way)
            there.pairs[:] = 1 << 15
            skipped = False
            for step in range(1, cell.horizon or 1):
                go_to(there, step)
                skipped |= bool(there.facts[SKIPPING])
            lists += bool((there.pairs[:, 0] != 1 << 15).any())
            skips += skipped
    return lists, skips


def skipped(cell: Cell, trials: int = 200) -> tuple[int, int]:
    """Of these runs of `events` to the horizon, stopped at every step: how many skipped somewhere, and everywhere."""
    run, somewhere, everywhere = cell.run(), 0, 0
    with forced(cell.way):
        for trial in range(trials):
            there: Any = population(replace(run, trial=trial), cell.way)
            found = []
            for step in range(1, (cell.horizon or 1) + 1):
                go_to(there, step)
                found.append(there.skipping)
            somewhere += any(found)
            everywhere += all(found)
    return somewhere, everywhere
