"""The points of a campaign: every combination of what is listed, from the command line or from a TOML file.

seed = 7
trials = 200
store = "results.db"

[[sweep]]
protocol = "p_ll"
n = [1e3, 1e4, 1e5]

[[sweep]]
protocol = "./mine.py:Mine"
n = "1e3,1e4"
start = ["random", "all_leaders"]
params = {N = ["n", "2n"], c = [1, 2, 4]}
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

from princeps.campaign.formula import whole_number
from princeps.campaign.point import Point, make_point
from princeps.errors import ParameterError, PrincepsError, RunError, UnknownName
from princeps.model.input_files import opened_bytes
from princeps.model.listing import MAX_PER_AGENT, as_list
from princeps.model.numbers import in_words, read_count
from princeps.model.options import AXIS, FIXED, RunOptions, options_of
from princeps.model.reading import AUTO
from princeps.model.topology import text_names_a_graph

_SWEPT = options_of(RunOptions).values()
AXES = ("n", *(option.name for option in _SWEPT if option.sweep == AXIS))  # of which several values may be given
FIXED_OPTIONS = tuple(option.name for option in _SWEPT if option.sweep == FIXED)
TEXTS = ("start", "until", "graph", "engine")
CAMPAIGN = ("seed", "trials", "precision", "store", "jobs", "cluster")
MAX_POINTS = 100_000
MAX_COMBINATIONS = 10 * MAX_POINTS  # some may be the same point


@dataclass(frozen=True)
class Plan:
    """Points without repetition, in the order in which they are run, and the settings of the campaign that it fixes."""

    points: tuple[Point, ...]
    settings: Mapping[str, Any]


def listed(value: Any, name: str, most: int | None = None) -> list[Any]:
    """`1,2,4` or [1, 2, 4] or 4; a configuration written in full contains commas of its own."""
    if isinstance(value, str) and not value.startswith(("states:", "json:", "list:", "counts:")):
        words = [word.strip() for word in re.split(r",(?![^(]*\))", value)]  # not within max(n, 16)
        if not all(words):
            raise ParameterError(f"{value!r} has an empty place between its commas: write a list like 1e3,1e4.")
        return words
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping)):
        values = _items(value, name, most)
        if not values:
            raise ParameterError("an empty list leaves nothing to run: give at least one value.")
        return values
    return [value]


def _items(value: Iterable[Any], name: str, most: int | None) -> list[Any]:
    try:
        if most is not None:
            return as_list(value, name, most)
        remedy = f"a plan has no more than {MAX_POINTS} points: split it into several, or cut it with itertools.islice."
        return as_list(value, name, MAX_POINTS, remedy)
    except TypeError:  # an array of numpy that is a single value
        return [value]


def grid(names: Sequence[Any], params: Mapping[str, Any], **options: Any) -> Iterator[Point]:
    """Every combination of the values that are listed."""
    unknown = next((name for name in options if name not in (*AXES, *FIXED_OPTIONS)), None)
    if unknown is not None:
        raise UnknownName("option", unknown, (*AXES, *FIXED_OPTIONS))
    axes = [[_as_text(value, axis) for value in listed(options.get(axis), axis)] for axis in AXES]
    fixed = {name: _as_text(options[name], name) for name in FIXED_OPTIONS if options.get(name) is not None}
    for flag in ("hold", "force"):
        if not isinstance(fixed.setdefault(flag, False), bool):
            raise ParameterError(f"{flag} = {fixed[flag]!r} is no answer to yes or no: write true or false.")
    if "faults" in fixed:
        fixed["faults"] = [str(fault) for fault in listed(fixed["faults"], "fault")]
    for name in ("ids", "labels"):
        if name in fixed and not isinstance(fixed[name], str):
            fixed[name] = ",".join(map(str, listed(fixed[name], name, MAX_PER_AGENT)))
    chosen_params = [listed(value, name) for name, value in params.items()]
    combinations = len(names) * prod(map(len, axes)) * prod(map(len, chosen_params))
    if combinations > MAX_COMBINATIONS:
        raise RunError(f"the plan has {in_words(combinations)} combinations of what is listed: split it into several.")
    for name, *values in product(names, *axes):
        chosen = dict(zip(AXES, values, strict=True))
        size = None if chosen["n"] is None else read_count(chosen["n"], "n")
        for given in product(*chosen_params):
            typed = {key: str(text) for key, text in zip(params, given, strict=True) if str(text) != AUTO}
            numbers = {key: whole_number(text, key, size) for key, text in typed.items()}
            yield make_point(name, size, numbers, {**{axis: chosen[axis] for axis in AXES[1:]}, **fixed}, typed)


def _as_text(value: Any, name: str) -> Any:
    """A name may look like a number in a plan; what else is no text is refused."""
    if name not in TEXTS or value is None:
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise ParameterError(f"{name} = {value!r} is no text: write it in quotes.")
    return value


def distinct(points: Iterable[Point]) -> tuple[Point, ...]:
    """The first description of each point, which remembers how else it was asked for."""
    found: dict[str, Point] = {}
    for point in points:
        first = found.setdefault(point.id, point)
        if point.typed not in (first.typed, *first.also):
            found[point.id] = replace(first, also=(*first.also, point.typed))
        if len(found) > MAX_POINTS:
            raise RunError(f"the plan has more than {MAX_POINTS} points: split it into several.")
    return tuple(found.values())


def read_plan(path: str) -> Plan:
    """A TOML file; the paths in it are relative to the folder it is in."""
    try:
        with opened_bytes(path) as file:
            whole = tomllib.load(file)
    except OSError as error:
        raise RunError(f"plan {path!r} cannot be read ({error.strerror}): check the path.") from None
    except (ValueError, RecursionError) as error:  # not UTF-8, not TOML, or a number of thousands of digits
        raise RunError(f"plan {path!r} is not TOML ({error}): correct it there.") from None
    _refuse_nul(whole, path)
    tables = whole.pop("sweep", None)
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise RunError(f"plan {path!r} has no [[sweep]]: add one with protocol = ... and n = ...")
    unknown = next((key for key in whole if key not in CAMPAIGN), None)
    if unknown is not None:
        raise UnknownName("key of a plan", unknown, (*CAMPAIGN, "sweep"))
    odd = next((key for key in ("store", "cluster") if not isinstance(whole.get(key, ""), str)), None)
    if odd is not None:
        raise RunError(f"plan {path!r}: {odd} = {whole[odd]!r} is no text: write it in quotes.")
    folder = os.path.dirname(path)
    if isinstance(whole.get("store"), str):
        whole["store"] = _beside(folder, whole["store"])
    points = []
    for number, table in enumerate(tables, 1):
        try:
            points += list(_table(dict(table), folder))
        except PrincepsError as error:
            raise type(error)(f"plan {path!r}, [[sweep]] {number}: {error}") if _plain(error) else error from None
    return Plan(distinct(points), whole)


def _refuse_nul(value: Any, path: str) -> None:
    """In no text, because no path and no program takes it."""
    if isinstance(value, str) and "\0" in value:
        raise RunError(f"plan {path!r}: the text {value!r} contains NUL: leave it out.")
    for part in (*value, *value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ():
        _refuse_nul(part, path)


def _plain(error: PrincepsError) -> bool:
    """It is made from a sentence alone."""
    return type(error) in (ParameterError, RunError)


def _table(table: dict[str, Any], folder: str) -> Iterator[Point]:
    named = listed(table.pop("protocol", None), "protocol")
    names = [_beside(folder, name) if ".py" in name else name for name in map(str, named)]
    if named == [None]:
        raise RunError('no protocol is named: add protocol = "p_ll".')
    if "fault" in table and "faults" not in table:  # the command line's word
        table["faults"] = table.pop("fault")
    params = table.pop("params", {})
    if not isinstance(params, dict):
        raise RunError(f"params = {params!r} is no table: write params = {{N = 8}}.")
    odd = next((key for key, value in {**table, **params}.items() if isinstance(value, dict)), None)
    if odd is not None:
        raise RunError(f"{odd} is a table: give a value, or a list of values.")
    for axis in ("graph", "start"):
        if axis in table:
            table[axis] = [_located(folder, value, axis) for value in listed(table[axis], axis)]
    if isinstance(table.get("ring"), str):  # a file of labels
        table["ring"] = _beside(folder, table["ring"])
    return grid(names, params, **table)


def _located(folder: str, value: Any, axis: str) -> Any:
    """A file that a graph or a start names is beside the plan."""
    if not isinstance(value, str):
        return value
    if axis == "start":
        return "file:" + _beside(folder, value.removeprefix("file:")) if value.startswith("file:") else value
    return value if text_names_a_graph(value) or value.startswith("list:") else _beside(folder, value)


def _beside(folder: str, path: str) -> str:
    return path if os.path.isabs(path) or not folder else os.path.join(folder, path)


def make_plan(names: Sequence[Any], params: Mapping[str, Any], options: Mapping[str, Any]) -> Plan:
    """Of protocols with lists of options, or of a file that says it all."""
    given = {
        name: value for name, value in options.items() if value is not None
    }  # 0 and [] are given, and may be refused
    plans = [name for name in names if isinstance(name, str) and name.endswith(".toml")]
    if not plans:
        return Plan(distinct(grid(names, params, **given)), {})
    if len(names) > 1:
        raise RunError(f"plan {plans[0]!r} says everything itself: name no other protocol or plan beside it.")
    if given or params:
        extra = next(iter([*given, *params]))
        raise RunError(f"{extra!r} is given beside the plan {plans[0]!r}: write it into the plan.")
    return read_plan(plans[0])
