"""How a verb shows its help: its options under headings, and examples at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typer.core import TyperCommand

from princeps.model.options import GROUPS, OUTPUT


class Verb(TyperCommand):
    """A command of typer whose options stand under headings in one order, its own --help among them."""

    def get_params(self, ctx: Any) -> list[Any]:
        return sorted(super().get_params(ctx), key=_place)

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)
        grouped = any(getattr(one, "rich_help_panel", None) == OUTPUT for one in self.params)
        if option is not None and grouped:
            option.rich_help_panel = OUTPUT
        return option


def _place(parameter: Any) -> int:
    """Arguments and what has no heading first, then group by group."""
    group = getattr(parameter, "rich_help_panel", None)
    return GROUPS.index(group) + 1 if group in GROUPS else 0


def examples(commands: Sequence[str]) -> str | None:
    """The end of the help; rich would take brackets for markup, and an empty line ends each line."""
    escaped = [command.replace("[", "\\[") for command in commands]
    return "\n\n".join(["Examples:", *escaped]) if commands else None
