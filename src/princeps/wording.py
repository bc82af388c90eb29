"""A sentence names an option as its reader writes it: `--engine counts` on the command line, engine="counts" in Python.

Sentences are written in the words of the command line, once. Whoever shows one to somebody who works in Python rewords
it; quotations and whole commands (`princeps merge a.db`) stay as they are, and a command that leaves something to the
reader, princeps sweep ... --store a.db, is the call of a function. Worker processes reword nothing: what they say
is shown by the process that has started them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

FLAGS = (  # options that take no value
    *("--check", "--distribution", "--force", "--hold", "--leaders", "--lemmas", "--no-reduce", "--past-target"),
    *("--planted", "--rare", "--rational", "--sets", "--sound", "--variance"),
)
SWITCHED_OFF = {"--no-reduce": "reduce=False"}  # options that are on unless they are given
OTHER_WORDS = {"--from": "from_", "--dry-run": "princeps.estimate", "--json": "as_json()"}
LISTS = ("--fault", "--record")  # may be given several times on the command line, and are lists in Python

_VALUE = r"""'[^']*'|\d[\w.]*(?:[,:]\d[\w.]*)*|[A-Z][^\s,;)]*|\w+:[^\s;)]+"""
_VALUE += r"|(?:all|auto|reference|agents|counts|events|compiled|states|storm)\b"  # names that sentences give as values
_OPTION = rf"(?<![\w-])(?:-p (?P<parameter>\w+=\w+)|(?P<flag>--[a-z][a-z-]*|-n)(?![\w-])(?: (?P<value>{_VALUE}))?)"
_KEPT = r"""`[^`]*`|(?<!\w)'[^']*'|"[^"]*"|\bprinceps [a-z]+ .*?(?=(?<!\.)\.\s[A-Z]|[:;]\s|$)"""
_CALL = r"\bprinceps (?P<verb>[a-z]+) \.\.\.(?P<given>(?: --?[a-z][a-z-]*(?: [^\s,;:-][^\s,;:]*)?)*)"
_PARTS = re.compile(rf"{_OPTION}|`[^`]*`|{_CALL}|{_KEPT}")

_in_python = True


@contextmanager
def on_the_command_line() -> Iterator[None]:
    """What is said meanwhile names options as the command line does."""
    global _in_python
    before, _in_python = _in_python, False
    try:
        yield
    finally:
        _in_python = before


def reworded(sentence: str) -> str:
    """For the present reader."""
    return in_python(sentence) if _in_python and "-" in sentence else sentence


def either(on_command_line: str, from_python: str) -> str:
    """What only one of the two readers can do."""
    return from_python if _in_python else on_command_line


def in_python(sentence: str) -> str:
    return _PARTS.sub(_as_argument, sentence)


def _as_argument(found: re.Match[str]) -> str:
    if found["parameter"]:
        return found["parameter"]
    if found["verb"]:
        return _as_call(found["verb"], found["given"])
    flag, value = found["flag"], found["value"]
    if flag is None:  # a quotation, or a command
        return found[0]
    if flag in FLAGS and value is None:
        return SWITCHED_OFF.get(flag, f"{flag.removeprefix('--').replace('-', '_')}=True")
    word = OTHER_WORDS.get(flag, flag.lstrip("-").replace("-", "_"))
    if value is None:
        return word
    value, ending = _without_ending(value)
    text = value if re.fullmatch(r"\d+|\d+e\d+|'.*'", value) else f'"{value}"'
    return f"{word}={f'[{text}]' if flag in LISTS else text}{ending}"


def _as_call(verb: str, given: str) -> str:
    """`-o FILE` has no counterpart: what a function returns is at hand."""
    arguments, ending = ["..."], ""
    for words in re.findall(r"-\S+(?: [^-\s]\S*)?", given):
        flag, _, value = words.partition(" ")
        value, ending = _without_ending(value)
        if flag.startswith("--") and value:
            text = f'["{value}"]' if flag in LISTS else f'"{value}"'
            arguments.append(f"{flag.removeprefix('--').replace('-', '_')}={text}")
    return f"princeps.{verb}({', '.join(arguments)}){ending}"


def _without_ending(value: str) -> tuple[str, str]:
    """The full stop of the sentence is no part of the value, and 0..1000 is one."""
    short = value.rstrip(".:")
    return short, value[len(short) :]
