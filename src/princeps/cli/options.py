"""The options of a verb, made from their declarations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, TypeVar

from princeps.cli import completing
from princeps.cli.declared import Declared
from princeps.model.options import OUTPUT, WHAT, Option, options_of


def own(*flags: str, help: str, group: str = WHAT, completes: completing.Completion | None = None, **more: Any) -> Any:
    """An option that a verb declares itself, under its heading."""
    return Declared(help, flags, group, completes, more)


# Arguments and options of several verbs that describe no run, or beside those of a run.
A_PROTOCOL = Declared("A protocol's name, or ./mine.py:Mine.", completes=completing.protocols)
A_RING_ALGORITHM = Declared("A ring algorithm's name, or ./mine.py:Mine.", completes=completing.ring_algorithms)
Name = Annotated[str, A_PROTOCOL]
RingName = Annotated[str, A_RING_ALGORITHM]
Parameters = Annotated[
    list[str] | None,
    own("-p", metavar="NAME=VALUE", help="A parameter; repeatable.", completes=completing.parameter_names),
]
Force = Annotated[bool, own("--force", help="Replace a file that princeps did not write.", group=OUTPUT)]


def json_option(what: str) -> Any:
    """`--json`; `what` one object stands for."""
    return own("--json", help=what, group=OUTPUT)


F = TypeVar("F", bound=Callable[..., Any])


def takes(*classes: type, without: Sequence[str] = (), help: Mapping[str, str] | None = None) -> Callable[[F], F]:
    """Gives a verb written with **given the options that these classes declare. `help` replaces what they say there."""

    def decorate(function: F) -> F:
        declared = signature(function, eval_str=True)
        parameters = [p for p in declared.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        last = [p for p in parameters if p.name == "as_json"]
        parameters = [p for p in parameters if p.name != "as_json"]
        for cls in classes:
            for option in options_of(cls).values():
                if option.name not in without:
                    parameters.append(_parameter(option, (help or {}).get(option.name, option.help)))
        parameters = [p.replace(kind=Parameter.KEYWORD_ONLY) for p in [*parameters, *last]]
        function.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        function.__annotations__ = {p.name: p.annotation for p in parameters}
        return function

    return decorate


def engine_help(of_rings: bool = True) -> dict[str, str]:
    """What --engine takes, from the registries of engines."""
    from princeps.api.engines import all_engines, population_engines

    return {"engine": f"{all_engines() if of_rings else population_engines()}."}


def _parameter(option: Option, help: str) -> Parameter:
    kind: Any = bool if option.is_flag else list[str] | None if option.repeated else str | None
    completes = completing.of_option(option.name)
    help = f"{help.removesuffix('.')}; repeatable." if option.repeated else help
    annotation = Annotated[
        kind, own(*option.flags, help=help, metavar=option.metavar, group=option.group, completes=completes)
    ]
    return Parameter(
        option.name, Parameter.KEYWORD_ONLY, default=False if option.is_flag else None, annotation=annotation
    )


def given_to(cls: type, given: Mapping[str, Any]) -> Any:
    """The options of a class as the command line gave them; what was left out keeps its default."""
    known = options_of(cls)
    said = {name: value for name, value in given.items() if name in known and value not in (None, False, [])}
    return cls(**{name: not known[name].default if known[name].is_flag else value for name, value in said.items()})
