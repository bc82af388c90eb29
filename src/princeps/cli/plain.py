"""Reading a plain command line: options that exist, each followed by its value, and no more arguments than there are.

Importing typer takes half as long as a short run. So it is imported only for what is not plain: help, completion, and
every mistake, of which it says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, signature
from typing import Any

from princeps.cli.declared import declaration

VALUE, VALUES, FLAG = "value", "values", "flag"
_KINDS: dict[Any, str] = {str: VALUE, str | None: VALUE, list[str] | None: VALUES, bool: FLAG}
_OF_TYPER = {"metavar"}  # that change nothing in how a word is read


def read_plain(command: Callable[..., None], words: Sequence[str]) -> dict[str, Any] | None:
    """What the verb is to be called with; None if this is not a plain command line."""
    options: dict[str, tuple[str, str]] = {}
    arguments: list[str] = []
    values: dict[str, Any] = {}
    for parameter in signature(command, eval_str=True).parameters.values():
        kind, declared = declaration(parameter.annotation)
        read = _KINDS.get(kind) if isinstance(kind, (type, type(str | None))) else None
        if declared is None or read is None or not set(declared.more) <= _OF_TYPER:
            return None
        if declared.flags:
            options |= dict.fromkeys(declared.flags, (parameter.name, read))
        elif read == VALUE:
            arguments.append(parameter.name)
        else:
            return None
        values[parameter.name] = parameter.default
    return _filled(values, options, arguments, words)


def _filled(
    values: dict[str, Any], options: dict[str, tuple[str, str]], arguments: list[str], words: Sequence[str]
) -> dict[str, Any] | None:
    given: set[str] = set()
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if not word.startswith("-"):
            free = [name for name in arguments if name not in given]
            if not free:
                return None
            values[free[0]] = word
            given.add(free[0])
            continue
        flag, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if flag not in options:
            return None
        name, read = options[flag]
        if read != FLAG and not equals:
            if not rest or rest[-1].startswith("-"):  # typer may take it for a value, or find a mistake
                return None
            value = rest.pop()
        elif read == FLAG and equals:
            return None
        if name in given and read != VALUES:
            return None
        given.add(name)
        values[name] = True if read == FLAG else [*(values[name] or []), value] if read == VALUES else value
    return None if Parameter.empty in values.values() else values
