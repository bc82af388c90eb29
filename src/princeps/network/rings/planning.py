"""How a network run of a ring algorithm is carried out, read from its options."""

from __future__ import annotations

from dataclasses import dataclass, field

from princeps.errors import RunError
from princeps.model.numbers import read_seconds
from princeps.model.options import NetOptions, check_choice, options_of
from princeps.model.rings.run import RingRun
from princeps.network.planning import MOST_AGENTS, MOST_PROCESSES
from princeps.network.rings.chaos import read_ring_chaos
from princeps.network.rings.faults import Faults
from princeps.network.rings.report import MEMORY, TCP
from princeps.network.rings.restart import RESTARTS
from princeps.wording import either

NONE = "none"  # a killed process stays dead
OF_POPULATIONS = ("mode", "rate", "lease", "per_process")


@dataclass(frozen=True)
class RingPlan:
    """How a run is carried out; `duration` is the longest it may take, in seconds."""

    transport: str = TCP
    faults: Faults = field(default_factory=Faults)
    duration: float | None = None


def ring_plan_of(options: NetOptions, run: RingRun) -> RingPlan:
    for name in OF_POPULATIONS:
        if str(getattr(options, name)) != str(options_of(NetOptions)[name].default):
            option = either(f"--{name.replace('_', '-')}", name)
            raise RunError(f"{option} is for population protocols: leave it out for {run.algorithm.name}.")
    restart = check_choice(options.restart or NONE, "restart", (NONE, *RESTARTS))
    transport = check_choice(options.transport or TCP, "transport", (TCP, MEMORY))
    most = MOST_PROCESSES if transport == TCP else MOST_AGENTS[MEMORY]
    if run.ring.n > most:
        raise RunError(
            f"a ring of {run.ring.n:,} processes is too large for a network: {transport} carries up to {most:,}; "
            "princeps run simulates larger ones."
        )
    faults = read_ring_chaos(options.chaos, run.ring.n, "" if restart == NONE else restart)
    if faults.garbage and transport == MEMORY:
        raise RunError("garbage is sent to ports, and a ring in virtual time has none: use --transport tcp.")
    return RingPlan(
        transport=transport,
        faults=faults,
        duration=None if options.duration is None else read_seconds(options.duration, either("--for", "duration")),
    )
