"""princeps rings NAME: every small ring, under every schedule."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from princeps.cli.frame import DONE, INTERRUPTED, NOT_REACHED, complain, emit, verb
from princeps.cli.options import RingName, takes
from princeps.model.options import LimitOptions, said_of

EXAMPLES = (
    "princeps rings a_k -n 2..5",
    "princeps rings b_k -n 3,5 --alphabet 2 --max-k 3",
    "princeps rings ./mine.py:Mine -n 4 --interleavings 0",
)


@verb
@takes(LimitOptions, help={"limit": said_of("rings", "limit")})
def command(
    name: RingName,
    n: Annotated[str, typer.Option("-n", metavar="N..M", help=said_of("rings", "n"))] = "2..5",
    alphabet: Annotated[str, typer.Option(help=said_of("rings", "alphabet"))] = "3",
    max_k: Annotated[str, typer.Option("--max-k", help=said_of("rings", "max_k"))] = "4",
    interleavings: Annotated[str, typer.Option(help=said_of("rings", "interleavings"))] = "4",
    seed: Annotated[str, typer.Option(help=said_of("rings", "seed"))] = "0",
    as_json: Annotated[bool, typer.Option("--json", help="One object for each n and k.")] = False,
    **options: Any,
) -> int:
    """Run every asymmetric labeling up to rotation, and show worst and mean costs beside the paper's bounds."""
    from princeps.api.rings import rings
    from princeps.cli.progress import phases
    from princeps.errors import PrincepsError, RunError
    from princeps.model.interruptions import require_interruption
    from princeps.model.numbers import read_count, read_integer

    sizes, explored = read_sizes(n), read_count(interleavings, "interleavings")
    letters, most_k = read_count(alphabet, "alphabet"), read_count(max_k, "max-k")
    found: list[Any] = []
    trouble: KeyboardInterrupt | PrincepsError | None = None
    number = read_integer(seed, "seed")
    try:
        with phases(as_json) as tell:
            tell(f"n = {sizes[0]}", 0, 0)
            for item in rings(name, sizes, letters, max_k=most_k, interleavings=explored, seed=number, **options):
                found.append(item)
                tell(f"after n = {item.n}{'' if item.k is None else f', k = {item.k}'}", len(found), 0)
                if as_json:
                    emit(item.as_json())
    except KeyboardInterrupt as error:
        require_interruption(error)
        trouble = error
    except PrincepsError as error:  # what was finished is printed first
        trouble = error
    if not as_json and found:
        _print(found)
    if isinstance(trouble, PrincepsError):
        raise trouble
    if trouble is not None:
        complain(f"interrupted after {len(found)} tables.")
        return INTERRUPTED
    if not found:
        raise RunError(f"{name} is for none of these rings: raise --alphabet or --max-k.")
    return DONE if all(item.fine for item in found) else NOT_REACHED


def read_sizes(text: str) -> list[int]:
    """`5`, `2..7` or `3,5,7`"""
    from princeps.errors import ParameterError
    from princeps.model.limits import refuse_long_survey
    from princeps.model.numbers import read_count

    sizes: list[int] = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        low = read_count(first, "n")
        high = read_count(last, "n") if dots else low
        if high < low:
            raise ParameterError(f"n = {part!r} is empty: write it like 2..7.")
        refuse_long_survey(high)
        sizes += range(low, high + 1)
    return sizes


def _print(found: list[Any]) -> None:
    from rich.console import Console

    first, console = found[0], Console()
    title = f"{first.protocol}: every asymmetric ring over {first.alphabet} labels, up to rotation"
    console.print(title, style="bold", highlight=False)
    headings = ("n", "k", "rings", "runs", "elected", "messages fixed", "configurations")
    _table(
        console, "every schedule; configurations of all interleavings", headings, [_overview(item) for item in found]
    )
    titles = {"time": "time, in message delays", "messages": "messages", "max_bits": "bits of a process, at their peak"}
    for what, name in titles.items():
        headings = ("n", "k", "worst", "mean", "bound", "of the bound", "worst ring")
        rows = [_costs(item, what) for item in found]
        _table(console, name, headings, rows)
    for item in found:
        for sentence in item.failures_text():
            console.print(sentence, highlight=False, soft_wrap=True, markup=False)


def _table(console: Any, title: str, headings: tuple[str, ...], rows: list[list[str]]) -> None:
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "worst ring" else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console.print()
    console.print(table, highlight=False)


def _overview(item: Any) -> list[str]:
    return [
        str(item.n),
        "-" if item.k is None else str(item.k),
        f"{item.rings:,}",
        f"{item.runs:,}",
        "all" if item.elected == item.runs else f"{item.elected:,}",
        "yes" if item.schedule_free else "no",
        "-" if item.configurations is None else f"{item.configurations:,}",
    ]


def _costs(item: Any, what: str) -> list[str]:
    cost = item.costs[what]
    bound = "-" if cost.bound is None else f"{cost.bound:,.0f}"
    share = "-" if cost.tightest is None else f"{cost.tightest:.0%}"
    k = "-" if item.k is None else str(item.k)
    return [str(item.n), k, f"{cost.worst:,}", f"{cost.mean:,.1f}", bound, share, cost.ring]
