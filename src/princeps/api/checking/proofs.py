"""What can be proved at sizes that fit: the goal is reached, the leader is kept, promised sets are closed, the lemmas."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from princeps.api.checking.cases import GRAPHS
from princeps.api.checking.report import NOT_TRIED, OK, UNUSUAL, WRONG, Finding, Findings, Stages, unseen
from princeps.api.exact import exact
from princeps.errors import PrincepsError
from princeps.model.formatting import counted
from princeps.model.protocol import Closed, PopulationProtocol

SIZES = (2, 3, 4)
LIMIT = 200_000  # configurations, a few seconds


def proofs(cls: type[PopulationProtocol], spec: str, at: Stages = unseen) -> Findings:
    """At each size until one does not fit."""
    graph = GRAPHS.get(cls.topology, ("complete",))[0]
    reason, proved = "", False
    for n in SIZES:
        at(f"proofs, n = {n}")
        asked = partial(exact, cls, n, graph=graph, limit=LIMIT)
        try:
            found: Any = asked()
        except PrincepsError as error:
            reason = str(error)
            if proved:
                break
            continue  # it may be too small for the protocol
        command, proved = f"princeps exact {spec} -n {n}", True
        yield _reached(cls, found, n, command)
        if found.reachable and found.start != "all" and (cls.guarantee, found.target) == ("stabilizing", "leader"):
            yield from _kept(partial(asked, target="safe"), n, f"{command} --target safe")
        yield from _promises(cls, partial(asked, sets=True, past_target=found.start != "all"), n, command)
        yield from _lemmas(cls, partial(asked, start="all", lemmas=True), n, command)
    if not proved:
        yield Finding("proof", NOT_TRIED, f"no size fits: {reason}")


def _reached(cls: type[PopulationProtocol], found: Any, n: int, command: str) -> Finding:
    start = "every configuration" if found.start == "all" else f"start {found.start!r}"
    if found.reachable:
        text = f"n = {n}: {found.target} is reached from {start} with probability 1, in {counted(found.mean, 'steps', '.6g')} on average"
        return Finding("proof", OK, f"{text}, {found.worst:.6g} at worst.", command)
    text = f"n = {n}: {found.target} is not reached for certain from {start}, though the file says {cls.guarantee!r}."
    return Finding("proof", UNUSUAL if cls.guarantee == "loosely-stabilizing" else WRONG, text, command)


def _kept(asked: Callable[[], Any], n: int, command: str) -> Findings:
    """A run ends when one agent leads; whether it could be replaced afterwards no run shows."""
    try:
        found = asked()
    except PrincepsError as error:
        yield Finding("proof", NOT_TRIED, f"n = {n}: does one agent lead for ever? {error}", command)
        return
    if found.reachable:
        yield Finding("proof", OK, f"n = {n}: with probability 1 one agent leads for ever in the end.", command)
    else:
        text = f"n = {n}: one agent comes to lead, but may lose the lead again, which 'stabilizing' excludes."
        yield Finding("proof", WRONG, text, command)


def _promises(cls: type[PopulationProtocol], asked: Callable[[], Any], n: int, command: str) -> Findings:
    """A goal that is declared as Closed and can be left again makes first hits wrong."""
    promised = [name for name, goal in cls.all_goals().items() if isinstance(goal, Closed)]
    if not promised:
        return
    try:
        sets = asked().sets
    except PrincepsError as error:
        yield Finding("goals", NOT_TRIED, f"n = {n}: {error}")
        return
    for item in sets:
        if item.name in promised and not item.closed:
            text = f"n = {n}: {item.name!r} is declared as Closed, but can be left again."
            yield Finding("goals", WRONG, text, item.leak.command if item.leak else f"{command} --sets")


def _lemmas(cls: type[PopulationProtocol], asked: Callable[[], Any], n: int, command: str) -> Findings:
    if not cls.lemmas:
        return
    try:
        lemmas = asked().lemmas
    except PrincepsError as error:
        yield Finding("lemmas", NOT_TRIED, f"n = {n}: {error}")
        return
    for lemma in lemmas:
        outcome = {"proved": OK, "measured": OK, "refuted": WRONG}.get(lemma.verdict, UNUSUAL)
        shown = lemma.schedule.command if lemma.schedule is not None else f"{command} --start all --lemmas"
        yield Finding(f"lemma {lemma.id}", outcome, f"n = {n}: {lemma.verdict}. {lemma.says}.", shown)
