"""princeps tour: every protocol in the library, once, until its goal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from princeps.cli.frame import DONE, INTERRUPTED, NOT_REACHED, complain, emit, verb

PLAIN = {"engine": "reference"}  # few steps: compiling would take longer than the run

# Sizes that finish in seconds. P_PL's printed constants make every epoch tens of thousands of interactions long.
SIZES: dict[str, dict[str, Any]] = {
    "aafj": {"n": 33, **PLAIN},
    "epidemic": {"n": 1_000_000},
    "fischer_jiang": {"n": 50, **PLAIN},
    "fischer_jiang_complete": {"n": 100, **PLAIN},
    "fratricide": {"n": 3000},
    "infection": {"n": 100_000},
    "known_bound": {"n": 100_000},
    "leader_minion": {"n": 1000, **PLAIN},
    "loose_ids": {"n": 50, "start": "phantom", **PLAIN},
    "lottery": {"n": 1000, **PLAIN},
    "majority": {"n": 100_000},
    "michail": {"n": 1000, **PLAIN},
    "michail_roles": {"n": 1000, **PLAIN},
    "numbered": {"n": 10_000},
    "optimal_silent": {"n": 30, **PLAIN},
    "p_ll": {"n": 100_000},
    "p_ll_symmetric": {"n": 100_000},
    "p_pl": {"n": 100},
    "p_rl": {"n": 1000},
    "p_rl_oracle": {"n": 100, **PLAIN},
    "silent_ranking": {"n": 30, **PLAIN},
    "timer": {"n": 3000},
    "tokens": {"n": 1000},
}
DEFAULT = {"n": 1000}
# Few messages, so that nothing need be compiled for a first look.
RINGS: dict[str, dict[str, Any]] = {
    "a_k": {"random": "n=30,labels=15,max=2", "k": 2},
    "b_k": {"random": "n=20,labels=10,max=2", "k": 2},
    "u_k": {"random": "n=31,labels=20,max=2", "k": 2},  # an odd number of labels, so that one is unique
}
DEFAULT_RING = {"n": 50}


@verb
def command(
    seed: Annotated[str, typer.Option(help="The seed of every run.")] = "1",
    as_json: Annotated[bool, typer.Option("--json", help="One object a protocol.")] = False,
) -> int:
    """Run every protocol in the library until its goal: most of them elect a leader."""
    from princeps.model.numbers import read_integer

    number = read_integer(seed, "seed")
    code = _populations(number, as_json)
    if code == INTERRUPTED:
        return code
    if not as_json:
        print()
    return max(code, _rings(number, as_json))


def _each(kind: str, seed: int, as_json: bool, sizes: dict[str, Any], default: dict[str, Any]) -> Iterator[Any]:
    """The result of every protocol of a kind; a name is shown while it runs. None: interrupted."""
    from rich.console import Console

    from princeps.api.library import library
    from princeps.api.run import run

    console = Console(stderr=True)
    for name in library(kind):
        if console.is_terminal and not as_json:
            console.print(f"{name} ...", end="\r", highlight=False)
        try:
            result = run(name, seed=seed, **sizes.get(name, default))
        except KeyboardInterrupt:
            result = None
        if result is None or result.interrupted:
            complain(f"interrupted during {name}.")
            yield None
            return
        if as_json:
            emit(result.as_json())
        yield result


def _populations(seed: int, as_json: bool) -> int:
    table = _table("one run each", ("protocol", "n", "start", "goal", "steps", "parallel time", "outcome", "seconds"))
    code = DONE
    for result in _each("population", seed, as_json, SIZES, DEFAULT):
        if result is None:
            code = INTERRUPTED
            break
        counted = what_is_counted(result.protocol)
        if not (result.converged and (result.leaders == 1 or counted)):
            code = NOT_REACHED
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
    _print(table, as_json)
    return code


def _rings(seed: int, as_json: bool) -> int:
    headings = ("ring algorithm", "n", "schedule", "time", "messages", "bits", "outcome", "seconds")
    table = _table("by messages, on labeled rings", headings)
    code = DONE
    for result in _each("ring", seed, as_json, RINGS, DEFAULT_RING):
        if result is None:
            code = INTERRUPTED
            break
        code = code if result.converged else NOT_REACHED
        table.add_row(
            result.protocol,
            f"{result.n:,}",
            result.schedule,
            f"{result.time:,}",
            f"{result.messages:,}",
            f"{result.max_bits:,}",
            f"process {result.leader} leads" if result.converged else "not elected",
            f"{result.seconds:.2f}",
        )
    _print(table, as_json)
    return code


def _table(title: str, headings: tuple[str, ...]) -> Any:
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for heading in headings:
        is_text = heading in ("protocol", "start", "goal", "outcome", "ring algorithm", "schedule")
        table.add_column(heading, justify="left" if is_text else "right", no_wrap=True)
    return table


def _print(table: Any, as_json: bool) -> None:
    from rich.console import Console

    if not as_json:
        Console(width=max(Console().width, 110)).print(table, highlight=False)


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
