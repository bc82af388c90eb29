"""Interactions of a population as lines of a trace."""

from __future__ import annotations

from collections.abc import Callable

from princeps.model.meeting import Happening, Meeting, changes_of
from princeps.model.run import Run
from princeps.model.state_names import StateNames, names_of
from princeps.model.states import State


def lines_of(run: Run) -> tuple[str, Callable[[Happening], str], StateNames]:
    """The heading, what makes a line of an interaction, and how states are called."""
    names = names_of(run.protocol.space)
    number = len(str(run.n - 1))
    state = max(
        6, sum(_width(names, k, size) for k, size in enumerate(run.protocol.space.sizes)) + len(names.fields) - 1
    )
    pair = max(6, 2 * number + 4)

    def line(happening: Happening) -> str:
        if isinstance(happening, Meeting):
            who = f"{happening.initiator:>{number}} -> {happening.responder:<{number}}"
            before, after = (
                " ".join(shown(one).ljust(state) for one in two) for two in (happening.before, happening.after)
            )
        else:
            who = f"fault {happening.agent}"
            before, after = (shown(one).ljust(2 * state + 1) for one in (happening.before, happening.after))
        changes = "; ".join(changes_of(happening, names)) or "-"
        return f"{happening.step:>8}  {who:<{pair}}  {before}  {after}  {changes}"

    def shown(one: State) -> str:
        return ",".join(names.value(k, value) for k, value in enumerate(one))

    both = 2 * state + 1
    fields = f"states are {','.join(names.fields)}"
    heading = f"{'step':>8}  {'pair':<{pair}}  {'before':<{both}}  {'after':<{both}}  changes ({fields})"
    return heading, line, names


def _width(names: StateNames, field: int, size: int | None) -> int:
    called = names.value_names[field]
    return max(map(len, called)) if called else len(str((size or 1) - 1))
