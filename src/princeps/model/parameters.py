"""What population protocols and ring algorithms have in common: integers that the user may choose."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar

from princeps.errors import ParameterError, PrincepsError, ProtocolError, StateError, nearest
from princeps.model.class_checks import ClassCheck, file_of, make_static, take_out
from princeps.model.fields import Derived, Param, Params
from princeps.model.look import Look
from princeps.model.named_states import OneOf
from princeps.model.numbers import MAX_INPUT_DIGITS
from princeps.model.options import RunOptions, SweepOptions, TraceOptions, TrialOptions, options_of
from princeps.model.sources import note_place
from princeps.model.user_code import FAILURES, located
from princeps.model.values import function_complaint, shown, whole_number

# Keywords of `princeps.run`, `trials` and `sweep`: what a call gives by such a name is no parameter.
OPTION_CLASSES = (RunOptions, TraceOptions, TrialOptions, SweepOptions)
OTHER_KEYWORDS = ("name", "n", "params", "count", "observer", "watch")
RESERVED = {*OTHER_KEYWORDS, *(name for declared in OPTION_CLASSES for name in options_of(declared))}


class Parametrised:
    """A class whose `Param` attributes an instance fixes: `given` holds them, `constants` also what derives from them."""

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    guarantee: ClassVar[str]
    look: ClassVar[Look | None] = None  # how agents are drawn; no part of the identity
    params_: ClassVar[dict[str, Param]]
    derived_: ClassVar[dict[str, Derived]]
    state_names_: ClassVar[dict[str, tuple[str, int]]] = {}  # the name of a value -> its field, its number

    given: dict[str, int]
    constants: Params

    @classmethod
    def mistake(cls, sentence: str, name: str | None = None, function: Any = None) -> ProtocolError:
        """A mistake in the file: that of this function, of what is bound to this name in the class, or of the class."""
        return ClassCheck(cls).mistake(sentence, name, function)

    @classmethod
    def network_in_words(cls) -> str:
        """On what it runs, for lists: the graph, or the kind of ring."""
        raise NotImplementedError

    @classmethod
    def file(cls) -> str | None:
        return file_of(cls)

    # -- parameters ----------------------------------------------------------------------------------------------

    def fix(self, given: Mapping[str, int], known: Mapping[str, int]) -> Params:
        """The parameters with their defaults, and what is derived from them."""
        choosable = self.choosable()
        unknown = [name for name in given if name not in choosable]
        if unknown:
            raise ParameterError(_unknown_parameter(self.name, unknown[0], list(choosable)))
        self.given = {name: self._resolve(name, given.get(name), known) for name in self.params_}
        values = dict(self.given)
        for name, derived in self.derived_.items():
            if name in choosable and given.get(name) is not None:
                self.given[name] = values[name] = self._in_range(name, choosable[name], given[name])
            else:
                computed = self.ask(derived.of, Params(values))
                values[name] = whole(self, computed, f"the derived parameter {name!r}", name)
        return Params(values)

    @classmethod
    def choosable(cls) -> dict[str, Param]:
        """What a user may give: the parameters, and derived ones that say so."""
        given = {name: derived.or_given for name, derived in cls.derived_.items() if derived.or_given is not None}
        return {**cls.params_, **given}

    def _resolve(self, name: str, value: object, known: Mapping[str, int]) -> int:
        param = self.params_[name]
        return self._in_range(name, param, self._default(name, param, known) if value is None else value)

    def _in_range(self, name: str, param: Param, value: object) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        number = whole_number(value)
        if number is None:
            raise ParameterError(f"{name} = {shown(value)} is not an integer: {name} is {param.range_text()}.")
        if number < param.min or (param.max is not None and number > param.max):
            raise ParameterError(f"{name} = {number} is out of range: {name} is {param.range_text()}.")
        return number

    def _default(self, name: str, param: Param, known: Mapping[str, int]) -> object:
        default = param.default
        if default is None or (isinstance(default, int) and not param.has(default)):
            raise ParameterError(
                f"{self.name} needs {name}, {param.range_text()}, which has no default: give {name}=..."
            )
        if isinstance(default, int):
            return default
        needed = default if isinstance(default, str) else "n"
        if needed not in known:
            raise ParameterError(
                f"{self.name} needs {name}: its default is {param.default_text()}, and {needed} is not known here. "
                f"Give {name}=..."
            )
        if callable(default):
            return whole(self, self.ask(default, known["n"]), f"the default of {name!r}", name)
        return max(param.min, known[needed]) if needed != "n" else known[needed]

    @property
    def params(self) -> dict[str, int]:
        return dict(self.given)

    # -- calling functions of the file ---------------------------------------------------------------------------

    def ask(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function of the protocol's file; whatever it raises is reported with file and line."""
        try:
            return function(*args)
        except FAILURES as error:
            if isinstance(error, PrincepsError) and not isinstance(error, StateError):
                raise
            raise self._located(error, function) from error

    def _located(self, error: BaseException, function: Callable[..., Any]) -> ProtocolError:
        found = located(error, function, {self.file(), file_of(type(self))})
        return found if found.file else ProtocolError(str(found), self.file())


def whole(asked: Parametrised, value: Any, what: str, name: str) -> int:
    """An integer that a function of the file returned; `name` says where that is declared."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    number = int(value) if isinstance(value, bool) else whole_number(value)
    if number is None:
        raise asked.mistake(f"{what} is {shown(value)}: it must be an integer, as by // or ceil.", name)
    if abs(number) >= 10**MAX_INPUT_DIGITS:
        raise asked.mistake(f"{what} has more than {MAX_INPUT_DIGITS} digits: choose smaller parameters.", name)
    return number


def complaint_of(asked: Parametrised, demands: Callable[..., Any], about: Any) -> str | None:
    """What the file says of a population or ring that is illegal with these parameters."""
    said = asked.ask(demands, about, asked.constants)
    if not isinstance(said, str | None):
        raise asked.mistake(f"demands returns {shown(said)}: give a sentence, or None.", "demands", demands)
    return said


def read_class(
    cls: type[Parametrised],
    base: type,
    *,
    own: Mapping[str, type],
    constants: Mapping[str, type],
    known: Collection[str],
) -> ClassCheck:
    """Take the declarations out of a class when it is defined, and refuse what is wrong with names and parameters.

    `base` is our own class that it derives from; `own` are the kinds of declarations of its agents, `constants` those that
    are named beside the parameters; a parameter's default may be one of the numbers `known`.
    """
    note_place(cls)
    constants = {"params_": Param, "derived_": Derived, **constants}
    take_out(cls, own, constants)
    make_static(cls, base)
    check = ClassCheck(cls)
    check.no_makers({OneOf, *own.values(), *constants.values()})
    check.names(base, [*own, *constants])
    if not vars(cls).get("name"):
        cls.name = cls.__name__.lower() or "protocol"
    check.texts("name", "title", "paper", "guarantee")
    clash = sorted(RESERVED & set(cls.choosable()))
    if clash:
        raise check.mistake(
            f"no parameter may be called {clash[0]!r}, which is a word of `princeps run`: rename it.", clash[0]
        )
    for name, param in cls.params_.items():
        check.require(_param_complaint(name, param, known), name)
    for name, derived in cls.derived_.items():
        check.function(derived.of, f"the derived parameter {name!r}", "p", name)
        if not isinstance(derived.or_given, Param | None):
            raise check.mistake(f"{name} has or_given = {shown(derived.or_given)}: give Param(min=...).", name)
        if derived.or_given is not None:
            check.require(_param_complaint(name, derived.or_given, known), name)
    return check


def _unknown_parameter(protocol: str, given: str, params: list[str]) -> str:
    """In Python a misspelt option arrives here, too."""
    words = {option.word: f"{option.flag} {option.metavar or ''}".strip() for option in options_of(RunOptions).values()}
    near = nearest(given, [*params, *words], cutoff=0.7)
    if given in words:
        return f"{protocol} has no parameter {given!r}: it is an option, {words[given]}. {_all_of(params)}"
    if given in options_of(TrialOptions):
        return f"{protocol} has no parameter {given!r}: many trials are run by princeps.trials(...). {_all_of(params)}"
    if not params:
        return f"{protocol} has no parameter {given!r}" + (
            f": did you mean {' or '.join(near)}?" if near else f", nor any other: leave {given} out."
        )
    meant = f"did you mean {' or '.join(near)}? Its" if near else "its"
    return f"{protocol} has no parameter {given!r}: {meant} parameters are {', '.join(params)}."


def _all_of(params: list[str]) -> str:
    return f"Its parameters are {', '.join(params)}." if params else "It has no parameters."


def _param_complaint(name: str, param: Param, known: Collection[str]) -> str | None:
    """What is wrong with a declaration of a parameter."""
    for what in ("min", "max"):
        bound = getattr(param, what)
        if not isinstance(bound, int) and not (what == "max" and bound is None):
            return f"{name} has {what} = {shown(bound)}: give an integer."
    if param.max is not None and param.max < param.min:
        return f"{name} has min = {param.min} and max = {param.max}: no value is left."
    default = param.default
    if isinstance(default, int) and default != 0 and not param.has(default):
        return f"{name} has the default {default}, but it is {param.range_text()}: give another."
    if callable(default):
        complaint = function_complaint(default, "n")
        return None if complaint is None else f"the default of {name} {complaint}."
    if isinstance(default, bool) or (not isinstance(default, int | None) and default not in known):
        words = " or ".join(f'"{word}"' for word in known)
        return f"{name} has the default {shown(default)}: give an integer, {words}, or a function of n."
    return None
