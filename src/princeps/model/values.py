"""Values of a user's file: are they of the kind that is needed, and how a message shows them."""

from __future__ import annotations

import inspect
from math import isfinite
from numbers import Real
from operator import index
from types import FunctionType
from typing import Any

MAX_SHOWN = 60  # characters of a value
ABOUT_THE_FUNCTION = ("takes", "must be a plain function")  # how complaints begin that its own line explains


def whole_number(value: Any) -> int | None:
    """An integer of Python's or numpy's; None for anything else, also for True and 1.0.

    An array of numpy's has `__index__` and may yet be none: only the attempt tells.
    """
    try:
        return None if isinstance(value, bool) else index(value)
    except TypeError:
        return None


def plain_number(value: Any) -> Any:
    """The same, but an integer of numpy's as one of Python's: what is declared does not depend on who has computed it."""
    number = whole_number(value)
    return value if number is None else number


def is_finite(value: Any) -> bool:
    """A number of Python's or numpy's that can be calculated with."""
    try:
        return isinstance(value, Real) and isfinite(value)
    except OverflowError:  # an integer beyond 10^308
        return False


def shown(value: Any) -> str:
    """A value in a message, however long it is."""
    if isinstance(value, FunctionType):
        return f"the function {value.__name__}"
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an object of the user's that cannot be shown, or a number of thousands of digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."


def function_complaint(value: Any, arguments: str, is_generator: bool = False) -> str | None:
    """What is wrong with a function that is called with these arguments, named like "a, p"."""
    if not callable(value) or isinstance(value, type):
        return f"is {shown(value)}, where a function ({arguments}) is needed"
    function = inspect.unwrap(value)
    generates = inspect.isgeneratorfunction(function) and not is_generator
    if generates or inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return f"must be a plain function of ({arguments}), without yield, async or await"
    try:
        if next(iter(inspect.signature(value).parameters), "") in ("self", "cls"):
            return f"takes ({_arguments_of(value)}): there is no object, write it with ({arguments})"
        inspect.signature(value).bind(*arguments.split(", "))
    except TypeError:
        return f"takes ({_arguments_of(value)}) where ({arguments}) are given"
    except ValueError:  # a builtin that does not say what it takes
        pass
    return None


def _arguments_of(function: Any) -> str:
    return ", ".join(inspect.signature(function).parameters)
