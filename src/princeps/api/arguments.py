"""The arguments of Python's functions that are no options: what they must be is said beside each function, and checked here.

An option is read where it is declared (model/options). The others, a store or the file of a figure, come as whatever
Python has, and whatever does not fit is refused in a sentence instead of failing somewhere inside. A function is
annotated with what its readers hand over; users see, in help() and in the stub, what the readers take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import Parameter, Signature, signature
from math import isfinite
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, ParamSpec, SupportsFloat, TypeVar

from princeps.errors import ParameterError, RunError
from princeps.model import registry
from princeps.model.files import FilePath
from princeps.model.listing import as_list
from princeps.model.naming import NameOfClass
from princeps.model.numbers import Count, read_count
from princeps.model.options import warn_caller
from princeps.model.parameters import Parametrised
from princeps.model.values import function_complaint, shown

if TYPE_CHECKING:
    from princeps.papers.claims import Paper

P = ParamSpec("P")
T = TypeVar("T")
Reader = Callable[[Any, str], Any]  # the value and the argument's name -> what the function gets


def reads(**readers: Reader) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """The named arguments of a function are read before it is called; those that are left out keep their defaults.

    An argument that is declared as a bool is always read as one.
    """
    named_readers = readers

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        declared = signature(function).parameters.values()
        readers = {one.name: a_flag for one in declared if one.annotation in (bool, "bool")} | named_readers
        places = [
            one.name for one in declared if one.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        ]
        rest = next((one.name for one in declared if one.kind is Parameter.VAR_POSITIONAL), "")

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            names = [*places[: len(args)], *[rest] * (len(args) - len(places))]
            given = [_read(readers, name, value) for name, value in zip(names, args, strict=True)]
            named = {name: _read(readers, name, value) for name, value in kwargs.items()}
            return function(*given, **named)

        checked.__signature__ = _as_taken(signature(function), readers)  # type: ignore[attr-defined]
        return checked

    return decorate


def _as_taken(declared: Signature, readers: Mapping[str, Reader]) -> Signature:
    """The arguments with the types that their readers take; what `**params` collects is read under names of its own."""
    taken = {name: _taken(reader) for name, reader in readers.items()}
    found = []
    for one in declared.parameters.values():
        is_read = taken.get(one.name, "Any") != "Any" and one.kind is not Parameter.VAR_KEYWORD
        found.append(one.replace(annotation=taken[one.name]) if is_read else one)
    return declared.replace(parameters=found)


def _taken(reader: Reader) -> str:
    """The annotation of its first argument; Any where the function's own says more."""
    return str(next(iter(reader.__annotations__.values())))


def renamed(**now: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Arguments under the words of the command line; the old words are accepted for one version, with a warning."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> T:
            for old, new in now.items():
                if old in kwargs:
                    if new in kwargs:
                        raise RunError(f"{old} and {new} are given together, and mean the same: leave {old} out.")
                    warn_caller(f"{old} is called {new}, as on the command line: write {new}=...")
                    kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return called

    return decorate


def _read(readers: Mapping[str, Reader], name: str, value: Any) -> Any:
    return readers[name](value, name) if name in readers else value


def a_path(value: FilePath, name: str) -> str:
    path = fspath(value) if isinstance(value, PathLike) else value
    if not isinstance(path, str) or not path or "\0" in path:
        raise RunError(
            f"{name} {shown(value)} is not understood: give the path of a file, as a text or a pathlib.Path."
        )
    return path


def a_text(value: str, name: str) -> str:
    if not isinstance(value, str):
        raise RunError(f"{name} {shown(value)} is not understood: give a text.")
    return value


def a_flag(value: bool, name: str) -> bool:
    given: Any = value
    if given is None or isinstance(given, int) or type(given).__name__ in ("bool", "bool_"):  # numpy has one of its own
        return bool(given)
    raise RunError(f"{name} {shown(value)} is no answer to yes or no: give True or False.")


def a_function_of(arguments: str) -> Reader:
    """What is called back, with these arguments."""

    def read(value: Any, name: str) -> Any:
        complaint = function_complaint(value, arguments)
        if complaint is not None:
            raise RunError(f"{name} {complaint}: give a function of ({arguments}).")
        return value

    return read


def a_path_or_function_of(arguments: str) -> Reader:
    """A file, or what is called back; a number is never a file, as it would be for `open`."""
    function = a_function_of(arguments)

    def read(value: FilePath | Callable[[Any], None], name: str) -> Any:
        if callable(value):
            return function(value, name)
        if not isinstance(value, str | PathLike):
            raise RunError(f"{name} {shown(value)} is not understood: give a function of ({arguments}), or a file.")
        return a_path(value, name)

    return read


def a_number(value: SupportsFloat | str, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not isfinite(number):
        raise ParameterError(f"{name} = {value!r} is not a number: give one like 3.5.")
    return int(value) if isinstance(value, int) else number


def counts(value: Count | Iterable[Count], name: str) -> list[int]:
    """Several whole numbers, or one."""
    given: Any = value
    try:
        several: list[Any] = [given] if isinstance(given, str | bytes) else as_list(given, name)
    except TypeError:  # one number; an array without dimensions has `__iter__`, too
        several = [given]
    return [read_count(one, name) for one in several]


def a_protocol(value: Any, name: str) -> registry.Named:
    """A name or a file, or the class itself."""
    if isinstance(value, str | PathLike):
        return a_path(value, name)
    return registry.checked(value)


def a_protocol_name(value: str | type[Parametrised], name: str) -> str:
    """What results call a protocol: as a text, or as its class says."""
    given: Any = value
    return NameOfClass(given) if registry.is_protocol(given) else a_text(given, name)


def named_protocols(value: FilePath | Iterable[FilePath], name: str) -> list[str]:
    """Protocols by their names or files, or one of them."""
    given: Any = [value] if isinstance(value, str | PathLike) else value
    try:
        return [a_path(one, name) for one in as_list(given, name)]
    except TypeError:
        raise RunError(
            f"{name} {shown(value)} is not understood: give a list of names, like ['p_rl', './mine.py']."
        ) from None


def protocols(value: Any, name: str) -> Any:
    """One or several, by their names or as classes; what is no protocol is refused where it is looked for."""
    if isinstance(value, str | type):
        return value
    if isinstance(value, PathLike):
        return a_path(value, name)
    try:
        return [a_path(one, name) if isinstance(one, PathLike) else one for one in as_list(value, name)]
    except TypeError:
        raise RunError(
            f"protocol {value!r} is not understood: give a name of princeps list, a class, or a list of them."
        ) from None


def a_paper(value: FilePath | Paper, name: str) -> str | Paper:
    """A number or a file, or the paper itself."""
    given: Any = value
    return given if type(given).__module__ == "princeps.papers.claims" else a_path(given, name)


def parameters(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ParameterError(f"{name} {value!r} is not understood: give a mapping of parameters, like {{'N': 8}}.")
    return value


def or_none(reader: Reader) -> Reader:
    def read(value: Any, name: str) -> Any:
        return None if value is None else reader(value, name)

    taken = _taken(reader)
    read.__annotations__["value"] = taken if taken == "Any" else f"{taken} | None"
    return read
