"""princeps tour: every protocol in the library, once, until its goal."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from princeps.cli.frame import DONE, INTERRUPTED, NOT_REACHED, complain, emit, verb

# Sizes that finish in seconds. P_PL's printed constants make every epoch tens of thousands of interactions long.
SIZES: dict[str, dict[str, Any]] = {
    "epidemic": {"n": 1_000_000},
    "fratricide": {"n": 3000},
    "infection": {"n": 100_000},
    "known_bound": {"n": 100_000},
    "majority": {"n": 100_000},
    "numbered": {"n": 10_000},
    "p_ll": {"n": 100_000},
    "p_ll_symmetric": {"n": 100_000},
    "p_pl": {"n": 100},
    "p_rl": {"n": 1000},
    "timer": {"n": 3000},
}
DEFAULT = {"n": 1000}


@verb
def command(
    seed: Annotated[str, typer.Option(help="The seed of every run.")] = "1",
    as_json: Annotated[bool, typer.Option("--json", help="One object a protocol.")] = False,
) -> int:
    """Run every protocol in the library until its goal: most of them elect a leader."""
    from rich.console import Console
    from rich.table import Table

    from princeps.api import library, run
    from princeps.model.numbers import read_integer

    number = read_integer(seed, "seed")
    table = Table(title="one run each", title_justify="left", box=None, pad_edge=False)
    for heading in ("protocol", "n", "start", "goal", "steps", "parallel time", "outcome", "seconds"):
        is_text = heading in ("protocol", "start", "goal", "outcome")
        table.add_column(heading, justify="left" if is_text else "right", no_wrap=True)
    all_reached, interrupted = True, False
    console = Console(stderr=True)
    for name in library():
        if console.is_terminal and not as_json:
            console.print(f"{name} ...", end="\r", highlight=False)
        try:
            result = run(name, seed=number, **SIZES.get(name, DEFAULT))
        except KeyboardInterrupt:
            interrupted = True
        if interrupted or result.interrupted:
            interrupted = True
            break
        counted = what_is_counted(name)
        all_reached = all_reached and result.converged and (result.leaders == 1 or bool(counted))
        if as_json:
            emit(result.as_json())
        table.add_row(
            result.protocol,
            f"{result.n:,}",
            result.start,
            result.until,
            f"{result.steps:,}",
            f"{result.parallel_time:,.1f}",
            outcome(result, counted),
            f"{result.seconds:.2f}",
        )
    if not as_json:
        Console(width=max(Console().width, 110)).print(table, highlight=False)
    if interrupted:
        complain(f"interrupted during {name}.")
        return INTERRUPTED
    return DONE if all_reached else NOT_REACHED


def what_is_counted(name: str) -> str:
    """What `leaders` are if not leaders: a protocol that elects nobody says so in the docstring of its is_leader."""
    from princeps.model import registry

    return (registry.find(name).is_leader.__doc__ or "").strip()


def outcome(result: Any, counted: str) -> str:
    if not result.converged:
        return "not reached"
    if counted:
        return f"{result.leaders:,} {counted}"
    if result.leaders != 1:
        return f"{result.leaders:,} leaders"
    return "one leads" if result.leader is None else f"agent {result.leader} leads"  # only counted, or known by number
