"""The logs of all agents of a cluster, put into one order afterwards and replayed by the reference engine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from princeps.errors import PrincepsError, RunError
from princeps.model.description import describe, read
from princeps.model.formatting import counted
from princeps.model.report import Report
from princeps.model.run import Run
from princeps.network.cluster.joining import difference, offer_of
from princeps.network.cluster.log_lines import LineForms, is_number
from princeps.network.cluster.seat import HEAD
from princeps.network.counters import FATES
from princeps.network.log import Line, LogReader
from princeps.network.observer import Observer
from princeps.network.replay import AGREES

PIECE = 1 << 20  # bytes


@dataclass(frozen=True)
class Judged:
    """`replay` is "agrees", or the first difference; `unplaced` lines wait for lines that are in none of the logs."""

    protocol: str
    params: dict[str, int]
    n: int
    graph: str
    logs: int
    agents: int  # that have a log
    interactions: int
    leaders: int  # at the end, of those who have started
    leader: int | None
    counters: dict[str, int]
    unplaced: int
    damaged: int  # lines that are none
    replay: str
    fairness: str
    history: list[tuple[int, int]] = field(default_factory=list)  # interactions, leaders

    @property
    def succeeded(self) -> bool:
        return self.replay == AGREES and not self.unplaced and not self.damaged

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__} | {
            "history": [list(one) for one in self.history]
        }

    def report(self) -> Report:
        shown = ", ".join(f"{self.counters[name]:,} {name}" for name in FATES)
        asked = ", ".join(f"{self.counters[name]:,} {name}" for name in ("refused", "unanswered", "repeated"))
        rows = [
            ("interactions", f"{self.interactions:,}"),
            ("starts", f"{self.counters['starts']:,} of {counted(self.agents, 'agents')}{self._without_logs()}"),
            ("leaders", f"{self.leaders:,} at the end"),
            ("leader", "none" if self.leader is None else f"agent {self.leader}"),
            ("applied", shown),
            ("requests", f"{self.counters['requests']:,}: {asked}"),
            ("bad frames", f"{self.counters['bad_frames']:,} refused"),
            ("pairs", self.fairness),
            ("replay", self.replay),
        ]
        if self.unplaced or self.damaged:
            text = f"{self.unplaced:,} lines could not be placed: a log is missing or incomplete"
            rows.append(("incomplete", text + (f"; {self.damaged:,} are no lines" if self.damaged else "")))
        return Report(f"{self.protocol}, n = {self.n:,}, {counted(self.logs, 'logs')}", rows)

    def _without_logs(self) -> str:
        return f"; {counted(self.n - self.agents, 'agents')} without a log" if self.agents < self.n else ""

    def __repr__(self) -> str:
        return self.report().text()


def judge_logs(paths: Sequence[str]) -> Judged:
    """`paths` are logs, or directories of them."""
    logs = sorted((_Log(path) for path in _files(paths)), key=lambda log: (log.agent, log.incarnation))
    for one, other in pairwise(logs):
        if (one.agent, one.incarnation) == (other.agent, other.incarnation):
            raise RunError(f"{one.path!r} and {other.path!r} are of the same agent and incarnation: leave one out.")
        if one.about != other.about:
            raise RunError(f"{one.path!r} and {other.path!r} are of different clusters: judge them separately.")
    run = _run_of(logs[0])
    observer, forms, damaged = Observer(run, absent=range(run.n)), LineForms(run), 0
    for log in logs:
        if not 0 <= log.agent < run.n:
            raise RunError(f"{log.path!r} is of agent {log.agent}, and there are {run.n}: leave it out.")
        for line in log.lines():
            if forms.has(line, log.agent, log.incarnation):
                observer.read(line, 0.0)
            else:
                log.damaged += 1
        damaged += log.damaged
    observer.finish(0.0)
    replay = observer.replay
    unplaced = sum(len(agent.lines) for agent in observer.linearizer.agents) - observer.counters.open
    return Judged(
        protocol=run.protocol.name,
        params=dict(run.protocol.given),
        n=run.n,
        graph=run.topology.text,
        logs=len(logs),
        agents=len({log.agent for log in logs}),
        interactions=replay.interactions,
        leaders=replay.leaders,
        leader=replay.leader,
        counters=observer.counters.as_json(),
        unplaced=max(0, unplaced),
        damaged=damaged,
        replay=replay.verdict,
        fairness=observer.fairness.sentence(),
        history=list({at: leaders for _, at, leaders in observer.history}.items()),
    )


class _Log:
    """Of one incarnation of one agent."""

    def __init__(self, path: str) -> None:
        self.path, self.damaged = path, 0
        first = next(self._read(), None)
        if (
            first is None
            or first[0] != HEAD
            or len(first) != 4
            or not isinstance(first[3], dict)
            or not all(map(is_number, first[1:3]))
        ):
            raise RunError(f"{path!r} is no log of a cluster's agent: give those of the directory logs.")
        _, self.agent, self.incarnation, self.about = first
        self.damaged = 0

    def lines(self) -> Iterator[Line]:
        lines = self._read()
        next(lines)
        yield from lines

    def _read(self) -> Iterator[Line]:
        reader = LogReader()
        try:
            with open(self.path, "rb") as file:
                while piece := file.read(PIECE):
                    yield from reader.feed(piece)
        except OSError as error:
            raise RunError(f"{self.path!r} cannot be read: {error.strerror}.") from None
        self.damaged += reader.damaged


def _files(paths: Sequence[str]) -> list[str]:
    found: list[str] = []
    for path in paths:
        inside = sorted(map(str, Path(path).glob("agent-*.log"))) if os.path.isdir(path) else [path]
        if not inside:
            raise RunError(f"{path!r} holds no logs: give the directory logs of a cluster.toml.")
        found += inside
    if not found:
        raise RunError("no logs are given: name them, or their directory.")
    return list(dict.fromkeys(map(os.path.realpath, found)))


def _run_of(log: _Log) -> Run:
    about = log.about
    try:
        n = int(about["offer"]["n"])
        graph, start, seed = about["graph"], about["start"], about["seed"]
        options = {"graph": graph, "start": start, "seed": seed, "force": True}  # whoever began it insisted, if need be
        run = read(describe(about["spec"], n, params=about["params"], **options))
    except (KeyError, TypeError, ValueError, OverflowError):
        raise RunError(f"{log.path!r} does not say what run it is of: it was written by another princeps.") from None
    except PrincepsError as error:
        raise RunError(f"{log.path!r}: {error}") from None
    if not isinstance(run, Run):
        raise RunError(f"{log.path!r}: {about['spec']!r} is a ring algorithm, and clusters are populations.")
    found = difference(offer_of(run), about["offer"])
    if found:
        raise RunError(f"{log.path!r} is of another definition: {found}.")
    return run
