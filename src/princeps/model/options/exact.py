"""The options of an exact analysis, beside those that it shares with a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from princeps.model.numbers import Count
from princeps.model.options.declaring import FAULTS, HOW, OUTPUT, POPULATION, UNTIL, WHERE, option
from princeps.model.options.limit import LimitOptions


def _asked(help: str, **more: Any) -> Any:
    return option(False, help, kinds=(POPULATION,), **more)


def _given(help: str, **more: Any) -> Any:
    return option(None, help, kinds=(POPULATION,), **more)


@dataclass(frozen=True, kw_only=True)
class ExactOptions(LimitOptions):
    """What is computed besides the worst and the mean hitting time, and how."""

    target: str | None = _given(
        "A goal of the protocol; safe, the largest safe set; a condition on counts, as in run; or some:PREDICATE, "
        "all:PREDICATE, none:PREDICATE.",
        metavar="TARGET",
        group=UNTIL,
    )
    probability: str | None = _given(
        "Instead of times: of reaching a goal, like 'F<=1000 leader' or 'F leader', or one before another, like "
        "'leaders == 1 before leaders == 0' or '!A U<=50 B'.",
        metavar="QUESTION",
        group=UNTIL,
    )
    scheduler: str | None = _given(
        "Instead of the uniform one: weakly-fair, an adversary that schedules every arc infinitely often; noisy:EPS, one whose "
        "steps are uniform with probability EPS.",
        metavar="SCHEDULER",
        group=WHERE,
    )
    rational: bool = _asked("Exact fractions.", group=OUTPUT)
    variance: bool = _asked("The variance of the steps too.", group=OUTPUT)
    distribution: bool = _asked("By which step the target is reached with 0.5, 0.9, 0.99.", group=OUTPUT)
    leaders: bool = _asked("With how many leaders the target is first reached.", group=OUTPUT)
    hold: bool = _asked("How long the target's unique leader is held.", group=OUTPUT)
    sets: bool = _asked("Every set that the protocol names: closed? safe?", group=OUTPUT)
    lemmas: bool = _asked("Prove or refute the lemmas its file states.", group=OUTPUT)
    torn: Count | None = _given(
        "Tear up to this many interactions, so that one side alone takes its new state: does it recover?",
        metavar="NUMBER",
        group=FAULTS,
    )
    save_script: str | None = _given(
        "With --torn: write the shortest schedule that kills into FILE, for run --script.",
        takes="FilePath | None",
        metavar="FILE",
        group=OUTPUT,
    )
    reduce: bool = option(True, "Merge nothing.", kinds=(POPULATION,), flags=("--no-reduce",), group=HOW)
    past_target: bool = _asked("From a start: explore past the target.", group=HOW)
    automorphisms: str | None = _given(
        "Symmetries of the graph, like '0 2 1 3; 3 1 2 0'.", metavar="PERMUTATIONS", group=HOW
    )
    export: str | None = _given(
        "Write the chain to FILE.drn (Storm) or FILE.prism.", takes="FilePath | None", metavar="FILE", group=OUTPUT
    )
    check: str | None = _given(
        "storm: compare with Storm (pip install 'princeps\\[storm]').", metavar="TOOL", group=HOW
    )
    against_simulation: Count = option(
        0, "Draw this many runs with the fast engines and compare.", kinds=(POPULATION,), metavar="RUNS", group=HOW
    )
    jobs: Count = option(1, "Processes of the simulation.", kinds=(POPULATION,), metavar="NUMBER", group=HOW)
