"""How a verb shows its help: its options under headings, and examples at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typer.core import TyperCommand

from princeps.model.options import OUTPUT


class Verb(TyperCommand):
    """A command of typer whose own option, --help, stands under a heading, too."""

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)
        grouped = any(getattr(one, "rich_help_panel", None) == OUTPUT for one in self.params)
        if option is not None and grouped:
            option.rich_help_panel = OUTPUT
        return option


def examples(commands: Sequence[str]) -> str | None:
    """The end of the help; rich would take brackets for markup, and an empty line ends each line."""
    escaped = [command.replace("[", "\\[") for command in commands]
    return "\n\n".join(["Examples:", *escaped]) if commands else None
