"""What population protocols and ring algorithms have in common: integers that the user may choose."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from operator import index
from typing import Any, ClassVar, SupportsIndex

from princeps.errors import ParameterError, ProtocolError, StateError
from princeps.model.fields import Derived, Param, Params
from princeps.model.options import RunOptions, SweepOptions, TraceOptions, TrialOptions, options_of

MISTAKES = (StateError, AttributeError, NameError, TypeError, ArithmeticError, ValueError, LookupError, RecursionError)

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
    params_: ClassVar[dict[str, Param]]
    derived_: ClassVar[dict[str, Derived]]

    given: dict[str, int]
    constants: Params

    @classmethod
    def collect(cls, tables: Mapping[str, type]) -> None:
        """Gather the attributes of each kind into a table of their own, inherited ones first."""
        for table, kind in {"params_": Param, "derived_": Derived, **tables}.items():
            inherited = dict(getattr(cls, table, {}))
            inherited.update({name: value for name, value in vars(cls).items() if isinstance(value, kind)})
            setattr(cls, table, inherited)
        if "name" not in vars(cls):
            cls.name = cls.__name__.lower()

    @classmethod
    def mistake(cls, sentence: str) -> ProtocolError:
        """A mistake in the declaration, with file and line."""
        return ProtocolError(sentence, getattr(sys.modules.get(cls.__module__), "__file__", None), line_of(cls))

    @classmethod
    def check_parameter_names(cls) -> None:
        clash = sorted(RESERVED & set(cls.params_))
        if clash:
            raise cls.mistake(f"no parameter may be called {clash[0]!r}: rename it.")

    @classmethod
    def network_in_words(cls) -> str:
        """On what it runs, for lists: the graph, or the kind of ring."""
        raise NotImplementedError

    @classmethod
    def file(cls) -> str | None:
        return getattr(sys.modules.get(cls.__module__), "__file__", None)

    def fix(self, given: Mapping[str, int], known: Mapping[str, int]) -> Params:
        """The parameters with their defaults, and what is derived from them."""
        unknown = [name for name in given if name not in self.params_]
        if unknown:
            names = ", ".join(self.params_) or "none"
            raise ParameterError(f"{self.name} has no parameter {unknown[0]!r}: its parameters are {names}.")
        self.given = {name: self._resolve(name, given.get(name), known) for name in self.params_}
        values = Params(self.given)
        for name, derived in self.derived_.items():
            values.__dict__[name] = int(self.ask(derived.of, values))
        return values

    def _resolve(self, name: str, value: object, known: Mapping[str, int]) -> int:
        param = self.params_[name]
        if value is None:
            default = param.default
            if isinstance(default, int):
                return default
            needed = default if isinstance(default, str) else "n"
            if needed not in known:
                raise ParameterError(
                    f"{self.name} needs {name}: its default is {param.default_text()}, and {needed} is not known here. "
                    f"Give {name}=..."
                )
            value = known[needed] if isinstance(default, str) else default(known["n"])
            if needed != "n":
                value = max(param.min, known[needed])
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, SupportsIndex) or isinstance(value, bool):
            raise ParameterError(f"{name} = {value!r} is not an integer: {name} is {param.range_text()}.")
        value = index(value)
        if value < param.min or (param.max is not None and value > param.max):
            raise ParameterError(f"{name} = {value} is out of range: {name} is {param.range_text()}.")
        return value

    @property
    def params(self) -> dict[str, int]:
        return dict(self.given)

    def ask(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function of the protocol's file; a mistake in it is reported with file and line."""
        try:
            return function(*args)
        except MISTAKES as error:
            raise self.located(error) from error

    def located(self, error: Exception) -> ProtocolError:
        """The error with the last line of the protocol's file that led to it."""
        own = {self.file(), getattr(sys.modules.get(type(self).__module__), "__file__", None)}
        file, line, trace = self.file(), None, error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename in own:
                file, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
            trace = trace.tb_next
        return ProtocolError(str(error), file, line)


def line_of(cls: type) -> int | None:
    try:
        return inspect.getsourcelines(cls)[1]
    except (OSError, TypeError):
        return None
