"""The table at the end: categories, what was tried, and what went wrong."""

from __future__ import annotations

from collections.abc import Sequence

from fuzz.attack import Tally

HEADS = (
    "category",
    "tried",
    "tracebacks",
    "crashes",
    "hangs",
    "memory",
    "wrong results",
    "long but said so",
    "seconds",
)


def print_table(tallies: Sequence[Tally], seed: int, seconds: float) -> None:
    rows = [HEADS, *(_row(tally) for tally in tallies)]
    sums = [sum(int(row[k].replace(",", "")) for row in rows[1:]) for k in range(1, len(HEADS))]
    rows.append(("together", *(f"{value:,}" for value in sums)))
    widths = [max(len(row[k]) for row in rows) for k in range(len(HEADS))]
    for k, row in enumerate(rows):
        cells = [
            cell.ljust(width) if not c else cell.rjust(width)
            for c, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print(f"| {' | '.join(cells)} |")
        if k == 0:
            print(f"|{'|'.join('-' * (width + 1) + ('-' if not c else ':') for c, width in enumerate(widths))}|")
    unfinished = [tally for tally in tallies if tally.tried < tally.wanted]
    if unfinished:
        left = ", ".join(f"{tally.wanted - tally.tried:,} of {tally.category.name}" for tally in unfinished)
        print(f"the time was over before {left}: raise --seconds.")
    print(f"seed {seed}, {seconds:.0f} s")


def _row(tally: Tally) -> tuple[str, ...]:
    numbers = (tally.tried, *tally.troubles.values(), tally.announced, round(tally.seconds))
    return (tally.category.name, *(f"{value:,}" for value in numbers))
