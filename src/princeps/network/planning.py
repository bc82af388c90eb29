"""How a network run is carried out, read from its options."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from math import inf
from typing import Any

from princeps.errors import RunError
from princeps.model.numbers import read_count, read_seconds
from princeps.model.options import NetOptions, check_choice, options_of
from princeps.model.rings.run import RingRun
from princeps.model.run import Run
from princeps.network.chaos import Chaos, read_chaos
from princeps.network.membership import Timing
from princeps.wording import either

FREE, CONDUCTED = "free", "conducted"
UDP, TCP, MEMORY = "udp", "tcp", "memory"
RANDOM, INITIAL, NONE = "random", "initial", "none"  # how killed agents come back
MOST_AGENTS = {UDP: 1_000, TCP: 1_000, MEMORY: 100_000}  # of a population: each is an object, and a port
MOST_PROCESSES = 500


@dataclass(frozen=True)
class Plan:
    """How a run is carried out."""

    mode: str = FREE
    transport: str = UDP
    rate: float = 50.0  # requests of an average agent, a second
    duration: float | None = None  # None: to the goal
    lease: float = inf
    per_process: int = 1
    chaos: Chaos = field(default_factory=Chaos)
    restart: str = RANDOM

    @property
    def conducted(self) -> bool:
        return self.mode == CONDUCTED

    @property
    def timing(self) -> Timing:
        return Timing(lease=self.lease)

    def arc_rate(self, run: Run) -> float:
        return self.rate * run.n / run.topology.arc_count


def plan_of(options: NetOptions, run: Run) -> Plan:
    mode = check_choice(options.mode, "mode", (FREE, CONDUCTED))
    transport = check_choice(options.transport or UDP, "transport", (UDP, TCP, MEMORY))
    per_process = read_count(options.per_process, "per_process")
    if per_process < 1:
        raise RunError(f"{either('--per-process', 'per_process')} {per_process} is too small: give at least 1.")
    _check_size(run.n, transport, per_process)
    return Plan(
        mode=mode,
        transport=transport,
        rate=_positive(options.rate, either("--rate", "rate")),
        duration=None if options.duration is None else read_seconds(options.duration, either("--for", "duration")),
        lease=inf if options.lease is None else read_seconds(options.lease, either("--lease", "lease")),
        per_process=per_process,
        chaos=read_chaos(options.chaos, run.n),
        restart=check_choice(options.restart or RANDOM, "restart", (RANDOM, INITIAL, NONE)),
    )


def _check_size(n: int, transport: str, per_process: int) -> None:
    if n > MOST_AGENTS[transport]:
        larger = f", {either(f'--transport {MEMORY}', f'transport={MEMORY!r}')} up to {MOST_AGENTS[MEMORY]:,}"
        raise RunError(
            f"{n:,} agents are too many for a network: {transport} carries up to {MOST_AGENTS[transport]:,}"
            f"{larger if transport != MEMORY else ''}; princeps run simulates any number."
        )
    processes = -(-n // per_process)
    if transport != MEMORY and processes > MOST_PROCESSES:
        raise RunError(
            f"{processes:,} processes are too many: up to {MOST_PROCESSES} are started; "
            f"write {either('--per-process ', 'per_process=')}{-(-n // MOST_PROCESSES)} or more."
        )


def _positive(value: Any, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = 0.0
    if not 0 < number < inf:
        raise RunError(f"{what} {value!r} is not understood: give a number of requests a second, like 50.")
    return number


def command_of(run: Run | RingRun, options: NetOptions) -> str:
    """The command line that carries the run out again; processes do not repeat their pairs, conducted ones do."""
    words = ["princeps", "net", *shlex.split(run.words())[2:]]
    if isinstance(run, RingRun):  # the network is the scheduler
        place = words.index("--schedule")
        del words[place : place + 2]
    for declared in options_of(NetOptions).values():
        value = getattr(options, declared.name)
        if value is not None and str(value) != str(declared.default):
            words += [declared.flags[-1], str(value)]
    return shlex.join(words)
