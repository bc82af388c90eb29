"""princeps tour: a leader elected by every protocol in the library."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from princeps.cli.frame import DONE, INTERRUPTED, NOT_REACHED, complain, emit, verb

# Sizes that finish in seconds. P_PL's printed constants make every epoch tens of thousands of interactions long.
SIZES: dict[str, dict[str, Any]] = {
    "fratricide": {"n": 3000},
    "infection": {"n": 100_000},
    "known_bound": {"n": 100_000},
    "numbered": {"n": 10_000},
    "p_ll": {"n": 100_000},
    "p_ll_symmetric": {"n": 100_000},
    "p_pl": {"n": 100},
    "p_rl": {"n": 1000},
}
DEFAULT = {"n": 1000}


@verb
def command(
    seed: Annotated[str, typer.Option(help="The seed of every run.")] = "1",
    as_json: Annotated[bool, typer.Option("--json", help="One object a protocol.")] = False,
) -> int:
    """Elect a leader with every protocol in the library."""
    from rich.console import Console
    from rich.table import Table

    from princeps.api import library, run
    from princeps.model.numbers import read_integer

    number = read_integer(seed, "seed")
    table = Table(title="one leader each", title_justify="left", box=None, pad_edge=False)
    for heading in ("protocol", "n", "start", "goal", "steps", "parallel time", "leaders", "leader", "seconds"):
        table.add_column(heading, justify="left" if heading in ("protocol", "start", "goal") else "right", no_wrap=True)
    all_elected, interrupted = True, False
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
        all_elected = all_elected and result.converged and result.leaders == 1
        if as_json:
            emit(result.as_json())
        table.add_row(
            result.protocol,
            f"{result.n:,}",
            result.start,
            result.until,
            f"{result.steps:,}",
            f"{result.parallel_time:,.1f}",
            f"{result.leaders}",
            f"{result.leader}",
            f"{result.seconds:.2f}",
        )
    if not as_json:
        Console(width=max(Console().width, 110)).print(table, highlight=False)
    if interrupted:
        complain(f"interrupted during {name}.")
        return INTERRUPTED
    return DONE if all_elected else NOT_REACHED
