"""princeps prove NAME"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from princeps.cli.frame import DONE, NOT_REACHED, emit, verb
from princeps.cli.options import Name, json_option, own
from princeps.model.options import HOW, said_of

STYLES = {"refuted": "bold red", "not proved": "yellow"}

EXAMPLES = (
    "princeps prove p_ll",
    "princeps prove p_ll L11 --search",
    "princeps prove ./mine.py:Mine --json",
)


@verb
def command(
    name: Name,
    lemmas: Annotated[list[str] | None, typer.Argument(help=said_of("prove", "lemmas"))] = None,
    search: Annotated[bool, own("--search", help=said_of("prove", "search"), group=HOW)] = False,
    as_json: Annotated[bool, json_option("One object for each lemma.")] = False,
) -> int:
    """Prove the lemmas of a population protocol's file for every n, or refute them with a few agents."""
    from princeps.api.progress import displayed
    from princeps.api.prove import proofs

    refuted = missing = False
    with displayed("princeps prove", of_a_verb=True) as display:

        def at(text: str) -> None:
            if display is not None:
                display.show(lambda: text)

        for one in proofs(name, tuple(lemmas or ()), search=search, at=at):
            if display is not None:
                display.clear()
            refuted |= one.verdict == "refuted"
            missing |= one.verdict == "not proved"
            if as_json:
                emit(one.as_json())
            else:
                show(one)
    return NOT_REACHED if refuted or (lemmas and missing) else DONE


def show(one: Any) -> None:
    from rich.console import Console
    from rich.markup import escape

    style = STYLES.get(one.verdict, "green")
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[{style}]{one.verdict}[/{style}]  {escape(f'{one.id}: {one.statement}')}")
    console.print(f"    {escape(one.why)}", style="dim")
    if one.assumptions:
        console.print(f"    for {escape('; '.join(one.assumptions))}", style="dim")
    if one.counterexample:
        console.print(f"    {escape(one.counterexample)}")
