"""A verb's arguments and options as it declares them, for both readers: plain.py, and typer where a command is not plain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from inspect import Signature, signature
from typing import Annotated, Any, get_args, get_origin


@dataclass(frozen=True)
class Declared:
    """One of them; an argument if it has no flags. `more` is what typer is told besides."""

    help: str | None
    flags: tuple[str, ...] = ()
    group: str | None = None
    completes: Callable[..., list[str]] | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    def for_typer(self) -> Any:
        import typer

        if self.flags:
            return typer.Option(
                *self.flags, help=self.help, rich_help_panel=self.group, autocompletion=self.completes, **self.more
            )
        return typer.Argument(help=self.help, autocompletion=self.completes, **self.more)


def declaration(annotation: Any) -> tuple[Any, Declared | None]:
    """The type of a parameter, and what was declared of it."""
    if get_origin(annotation) is Annotated:
        kind, *about = get_args(annotation)
        return kind, next((one for one in about if isinstance(one, Declared)), None)
    return annotation, None


def for_typer(command: Callable[..., None]) -> Callable[..., None]:
    """The same verb with the declarations that typer knows."""
    parameters = []
    for parameter in signature(command, eval_str=True).parameters.values():
        kind, declared = declaration(parameter.annotation)
        if declared is not None:
            parameter = parameter.replace(annotation=Annotated[kind, declared.for_typer()])
        parameters.append(parameter)

    @wraps(command)
    def verb(*args: Any, **kwargs: Any) -> None:
        command(*args, **kwargs)

    verb.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    verb.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return verb
