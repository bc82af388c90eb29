"""The options of a network run, beside those that it shares with a run."""

from __future__ import annotations

from dataclasses import dataclass

from princeps.model.numbers import Count
from princeps.model.options.declaring import FAULTS, HOW, OUTPUT, UNTIL, option, options_of
from princeps.model.options.run import RunOptions

# What belongs to a simulator, or to ring algorithms.
OF_SIMULATIONS = tuple(
    name
    for name in options_of(RunOptions)
    if name not in ("labels", "random", "ring", "force", "max_steps", "seed", "trial")
    and name not in ("start", "until", "graph", "ids", "scheduler", "pairs")
)


@dataclass(frozen=True, kw_only=True)
class NetOptions:
    """How agents become processes, and what is done to them."""

    mode: str = option(
        "free",
        "free: every agent has a clock of its own; conducted: the pairs come from the seed, as with --engine reference.",
        metavar="MODE",
        group=HOW,
    )
    transport: str | None = option(
        None,
        "udp (populations) or tcp: one process an agent, on this machine; memory: virtual time, nothing waits.",
        metavar="NAME",
        group=HOW,
    )
    duration: str | float | None = option(
        None,
        "Go on for so long, like 60s, instead of ending at the goal.",
        flags=("--duration", "--for"),
        metavar="TIME",
        group=UNTIL,
    )
    rate: str | float = option(
        50.0, "How often an agent asks another, a second, on average (free mode).", metavar="NUMBER", group=HOW
    )
    lease: str | float | None = option(
        None,
        "Give up a wait for a partner after so long, like 2s, which may tear an interaction; without it nothing tears.",
        metavar="TIME",
        group=FAULTS,
    )
    per_process: Count = option(1, "How many agents share a process.", metavar="NUMBER", group=HOW)
    chaos: str | None = option(
        None,
        "What is done to the network: 'loss 20%; duplicates 20%; 5s: kill leader; 1s: kill random every 0.5s; 6s: pause 3 for "
        "2s; 8s: cut 0-4|5-9 for 3s; garbage 100/s'; to that of a ring 'reset 5/s' instead of loss and duplicates.",
        metavar="TEXT",
        group=FAULTS,
    )
    restart: str | None = option(
        None,
        "How a killed agent comes back: random (a legal state; the default of populations), initial, or none (that of "
        "rings, whose processes may also come back with amnesia, or durable: from their log).",
        metavar="HOW",
        group=FAULTS,
    )


@dataclass(frozen=True, kw_only=True)
class NetTrialOptions:
    """How many network runs there are, and what is kept of them."""

    trials: Count | None = option(None, "Hold so many elections, one after the other.", metavar="NUMBER", group=HOW)
    store: str | None = option(
        None,
        takes="FilePath | None",
        help="Keep the results in this store, beside those of sweep; with --trials the same command goes on where it stopped.",
        metavar="FILE",
        group=OUTPUT,
    )
    save_script: str | None = option(
        None,
        takes="FilePath | None",
        help="Write what happened into FILE, for run --script and watch --script.",
        metavar="FILE",
        group=OUTPUT,
    )
