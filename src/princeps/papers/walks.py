"""Claims about every step: a run in plain Python, step by step, with watchers that look at each of them.

Such claims hold of every execution, not only of random ones, so they are also tried under schedulers that are not fair
(model/scheduler.py). Every walk is a run that `princeps run` repeats with the same scheduler and seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from princeps.analysis.counterexamples import told_by_oracle
from princeps.model.coins import COINS
from princeps.model.fields import Agent, Params
from princeps.model.reading import make_run
from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.papers.judging import watched
from princeps.papers.laboratory import Lab
from princeps.papers.sources import found_at, place_of
from princeps.papers.verdicts import Part

Config = list[Any]


class Watcher:
    """Looks at every step. `cases` counts those at which there was something to assert."""

    def __init__(self, n: int, p: Params) -> None:
        self.n, self.p, self.cases = n, p, 0

    def begin(self, u: Config) -> str | None:
        """A new run begins in this configuration."""
        return None

    def look(self, u: Config, i: int, j: int, a: Agent, b: Agent) -> str | None:
        """Agents i and j, which were `a` and `b`, have met, and `u` is what came of it. A sentence if that is wrong."""
        raise NotImplementedError


def walk(
    part: int, seed: int, *, protocol: str, cases: Sequence[Mapping[str, Any]], watchers: Sequence[str]
) -> dict[str, Any]:
    """One of the cases: its n, start, scheduler, steps and params, run `times` times, under all watchers.

    Of each watcher: steps, cases, breaches, and the first breach in words.
    """
    case = cases[part]
    params = dict(case.get("params", {}))
    found: dict[str, Any] = {}
    made = [found_at(place) for place in watchers]
    for time in range(case.get("times", 1)):
        run = make_run(
            *(protocol, case["n"]),
            start=case.get("start"),
            scheduler=_scheduler(case),
            seed=seed,
            trial=time,
            max_steps=case["steps"],
            force=True,
            params=params,
        )
        looking = {place: make(run.n, run.protocol.constants) for place, make in zip(watchers, made, strict=True)}
        _one(run, run.meetings(), case["steps"], looking, found)
    return found


def _one(
    run: Run, pairs: Iterator[tuple[int, int]], steps: int, looking: Mapping[str, Watcher], found: dict[str, Any]
) -> None:
    protocol = run.protocol
    states = starting_states(run)
    coins = run.stream(COINS) if protocol.tosses else None
    u: Config = [protocol.agent(state) for state in states]  # type: ignore[call-arg]
    for place, watcher in looking.items():
        entry = found.setdefault(place, {"steps": 0, "cases": 0, "breaches": 0, "breach": ""})
        _note(entry, watcher.begin(u), run, 0)
    done = 0
    for step, (i, j) in enumerate(islice(pairs, steps), 1):
        done = step
        a, b = u[i], u[j]
        if i != j:  # an agent that meets itself stays as it is (model/scheduler.py)
            told = told_by_oracle(run, states) if protocol.oracle is not None else 0
            states[i], states[j] = protocol.step(states[i], states[j], coins, told)
            u[i], u[j] = protocol.agent(states[i]), protocol.agent(states[j])  # type: ignore[call-arg]
        for place, watcher in looking.items():
            sentence = watcher.look(u, i, j, a, b)
            if sentence is not None:
                _note(found[place], sentence, run, step)
    for place, watcher in looking.items():
        found[place]["steps"] += done
        found[place]["cases"] += watcher.cases


def _note(entry: dict[str, Any], sentence: str | None, run: Run, step: int) -> None:
    if sentence is None:
        return
    entry["breaches"] += 1
    entry["breach"] = entry["breach"] or f"{sentence} (n = {run.n}, start {run.start}, step {step}; {run.command()})"


def _scheduler(case: Mapping[str, Any]) -> str:
    """By its name; claims written for version 0.1.0 call the key `schedule`, and the uniform scheduler `random`."""
    name: str = case.get("scheduler", case.get("schedule", "uniform"))
    return "uniform" if name == "random" else name


def joined(answers: Sequence[Mapping[str, Any]], place: str) -> dict[str, Any]:
    """One watcher's findings over all cases."""
    own = [answer[place] for answer in answers]
    sums = {key: sum(entry[key] for entry in own) for key in ("steps", "cases", "breaches")}
    return {**sums, "breach": next((entry["breach"] for entry in own if entry["breach"]), "")}


def on_every_step(
    lab: Lab, watcher: type[Watcher], protocol: str, cases: Sequence[Mapping[str, Any]], what: str, **more: Any
) -> Part:
    """The whole of a claim that one watcher asserts: the walk, and the verdict."""
    place = place_of(watcher)
    answers = lab.measure(walk, parts=len(cases), protocol=protocol, cases=list(cases), watchers=[place]).parts
    found = joined(answers, place)
    return watched(found["breaches"], found["cases"], found["steps"], what, breach=found["breach"], **more)
