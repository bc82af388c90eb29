"""How an option is declared: once, with its type, its default, its help, and the kinds of run that it is for."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from os import PathLike, fspath
from typing import Any, TypeVar

from princeps.errors import RunError, UnknownName
from princeps.model.listing import as_list
from princeps.model.options.explaining import HEADING, said_of

POPULATION, RING = "population", "ring"
KIND_NAMES = {POPULATION: "a population protocol", RING: "a ring algorithm"}
KINDS_IN_WORDS = {POPULATION: "population protocols", RING: "ring algorithms"}
EVERY_KIND = (POPULATION, RING)
AXIS, FIXED = "axis", "fixed"  # how a sweep takes an option

# The headings under which help lists options, in this order.
WHAT, WHERE, UNTIL, FAULTS, RINGS, HOW, OUTPUT = (
    "What",
    "Where",
    "Until when",
    "Faults",
    "Rings",
    "How",
    "Output",
)
GROUPS = (WHAT, WHERE, UNTIL, FAULTS, RINGS, HOW, OUTPUT)

TEXT = "str | None"  # the annotation of an option that is a text

T = TypeVar("T")


@dataclass(frozen=True)
class Option:
    """One option of a verb and keyword of its function. `flags` are its spellings on the command line."""

    name: str
    type: str  # as the annotation says it
    takes: str  # what Python's function takes, where that is more: a path, which is read as a text
    default: Any
    help: str
    kinds: tuple[str, ...]
    flags: tuple[str, ...]
    metavar: str | None = None
    repeated: bool = False  # may be given several times on the command line; a sequence in Python
    exact: bool = False  # an exact analysis takes it, too
    sweep: str = ""  # AXIS: a sweep takes several values; FIXED: it takes one; else it is about a single run
    group: str = WHAT  # one of GROUPS

    @property
    def is_flag(self) -> bool:
        return isinstance(self.default, bool)

    @property
    def flag(self) -> str:
        return self.flags[0]

    @property
    def word(self) -> str:
        """What it is called in Python: as on the command line."""
        return self.name if self.is_flag else self.flag.removeprefix("--").replace("-", "_")


def option(
    default: Any,
    help: str,
    *,
    takes: str = "",
    kinds: tuple[str, ...] = EVERY_KIND,
    flags: tuple[str, ...] = (),
    metavar: str | None = None,
    repeated: bool = False,
    exact: bool = False,
    sweep: str = "",
    group: str = WHAT,
) -> Any:
    """A field of a class of options."""
    more = {
        "takes": takes,
        "help": help,
        "kinds": kinds,
        "flags": flags,
        "metavar": metavar,
        "repeated": repeated,
        "exact": exact,
        "sweep": sweep,
        "group": group,
    }
    return field(default=default, metadata=more)


@cache
def options_of(cls: type) -> dict[str, Option]:
    """The options that a class declares, by name."""
    return {declared.name: _option(declared) for declared in fields(cls)}


def _option(declared: Field[Any]) -> Option:
    more = dict(declared.metadata)
    flags = more.pop("flags") or (f"--{declared.name.replace('_', '-')}",)
    assert declared.default is not MISSING
    takes = more.pop("takes") or str(declared.type)
    return Option(declared.name, str(declared.type), takes, declared.default, flags=flags, **more)


def is_given(value: Any, declared: Option) -> bool:
    """Something was said, other than the default."""
    if declared.repeated:
        return bool(value)
    return value is not None and not _is_same(value, declared.default) and str(value) != str(declared.default)


def _is_same(value: Any, default: Any) -> bool:
    try:
        return bool(value == default)
    except Exception:  # an array of several values, or an object that refuses to be compared
        return False


def refuse_other_kinds(options: Any, kind: str, name: str) -> None:
    """An option that does not fit the kind of protocol is refused, not ignored."""
    cls: type = type(options)
    for declared in options_of(cls).values():
        if kind not in declared.kinds and is_given(getattr(options, declared.name), declared):
            others = " and ".join(KINDS_IN_WORDS[other] for other in declared.kinds)
            raise RunError(f"{name} is {KIND_NAMES[kind]}: {declared.flag} is for {others}. Leave it out.")


def read_texts(given: Mapping[str, Any], cls: type) -> dict[str, Any]:
    """Keyword arguments of Python, in which paths become texts; what must be a text, or a list of them, and is not is refused."""
    read = {name: fspath(value) if isinstance(value, PathLike) else value for name, value in given.items()}
    for name, value in read.items():
        declared = options_of(cls)[name]
        if declared.is_flag:
            read[name] = _answer(value, declared)
        if declared.type == TEXT and not isinstance(value, str | None):
            raise RunError(f"{declared.word} {value!r} is not understood: give a text. {declared.help}")
        listed = _listed(value, declared) if declared.repeated else value
        if declared.repeated and not (isinstance(listed, list) and all(isinstance(part, str) for part in listed)):
            raise RunError(f"{declared.word} {value!r} is not understood: give a list of texts. {declared.help}")
    return read


def _listed(value: Any, declared: Option) -> Any:
    if isinstance(value, Mapping):
        return [*value, *value.values()]
    try:
        return as_list(value, declared.word) if isinstance(value, Collection) else value
    except TypeError:  # an array of numpy without a dimension
        return value


def _answer(value: Any, declared: Option) -> bool:
    """Yes or no; None is the default."""
    if value is None:
        return bool(declared.default)
    if isinstance(value, int) or type(value).__name__ in ("bool", "bool_"):  # numpy has a truth value of its own
        return bool(value)
    raise RunError(f"{declared.word} {value!r} is no answer to yes or no: give True or False.")


def split(given: Mapping[str, Any], cls: type) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keyword arguments as options of the class, and the others: parameters of a protocol."""
    known = options_of(cls)
    return (
        {name: value for name, value in given.items() if name in known},
        {name: value for name, value in given.items() if name not in known},
    )


def takes_options(
    cls: type,
    without: Sequence[str] = (),
    help: Mapping[str, str] | None = None,
    several: bool = False,
    why_without: Mapping[str, str] | None = None,
) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Gives a function of **options the signature that help() and notebooks show: the options by name and default.

    `help` replaces what the declarations say. With `several`, parameters and what is an axis of a sweep may be lists.
    An option that it is `without` is refused; `why_without` says why, where more is to be said than that `run` takes it.
    """

    def decorate(function: Callable[..., T]) -> Callable[..., T]:
        own = signature(function)
        renamed = {one.name: one.word for one in options_of(cls).values() if one.word != one.name}

        @wraps(function)
        def called(*args: Any, **kwargs: Any) -> T:
            given = under_our_names(kwargs, renamed)
            for name in refused:
                if name in given and is_given(given.pop(name), options_of(cls)[name]):
                    raise _not_taken(function.__name__, options_of(cls)[name], (why_without or {}).get(name, ""))
            return function(*args, **given)

        parameters = [p for p in own.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        taken = {p.name for p in parameters}
        refused = [name for name in without if name not in taken]
        for declared in options_of(cls).values():
            if declared.name not in taken and declared.name not in without:
                is_axis = several and declared.sweep == AXIS
                taken_type = f"Iterable[str] | {declared.takes}" if is_axis else declared.takes
                parameters.append(
                    Parameter(
                        declared.word,
                        Parameter.KEYWORD_ONLY,
                        default=declared.default,
                        annotation=taken_type.replace("Iterable[str] | Any", "Any"),
                    )
                )
        of_params = "Any" if several else "Integer | Mapping[str, Integer]"  # `params` is a mapping of them
        parameters.append(Parameter("params", Parameter.VAR_KEYWORD, annotation=of_params))
        called.__signature__ = Signature(parameters, return_annotation=own.return_annotation)  # type: ignore[attr-defined]
        called.__doc__ = _explained(function, own, list(options_of(cls).values()), without, help or {})
        return called

    return decorate


def _not_taken(function: str, declared: Option, why: str) -> RunError:
    """No parameter can have the name of an option: this one was meant."""
    word = declared.word
    why = why or "it is an option of princeps.run"
    return RunError(f"{function} takes no {word}: {why}. Leave {word} out.")


def _explained(
    function: Callable[..., Any],
    own: Signature,
    options: Sequence[Option],
    without: Sequence[str],
    help: Mapping[str, str],
) -> str:
    """The docstring with every argument; of two classes of options the second adds to what the first has explained."""
    of_params = f"\n    params: {said_of(function.__name__, 'params')}"
    text = (function.__doc__ or "").rstrip().removesuffix(of_params)
    if HEADING not in text:
        text += f"\n\n    {HEADING}"
        for name, parameter in own.parameters.items():
            if parameter.kind is not Parameter.VAR_KEYWORD and (said := said_of(function.__name__, name)):
                text += f"\n    {name}: {said}"
    for one in options:
        if one.name not in without:
            said = help.get(one.name, one.help).replace("\\[", "[")  # rich needs the backslash
            text += f"\n    {one.word}: {f'If False: {said[0].lower()}{said[1:]}' if one.default is True else said}"
            text += " A list of them, too." if one.repeated else ""
    return text + of_params


def under_our_names(given: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    """Keyword arguments by the names of the options; an option's own name was its word in 0.1.0."""
    found = dict(given)
    for name, word in words.items():
        if name in found:
            if word in found:
                raise RunError(f"{name} and {word} are given together, and mean the same: leave {name} out.")
            warn_caller(f"{name} is called {word}, as on the command line: write {word}=...")
        elif word in found and not isinstance(found[word], int):  # which may be a parameter of a ring algorithm
            found[name] = found.pop(word)
    return found


def warn_caller(sentence: str) -> None:
    """That a word will not be understood in a later version, in the line of the user's that has it."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).startswith("princeps."):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(sentence, DeprecationWarning, stacklevel=depth + 1)


def check_choice(value: Any, what: str, known: Iterable[str]) -> str:
    """One of the known names, and a text: an array would be compared with each of them."""
    if not isinstance(value, str) or value not in known:
        raise UnknownName(what, value, known)
    return value
