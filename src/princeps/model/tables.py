"""Transition tables: `table = {("L", "L"): ("L", "F")}` in the place of `interact`.

A table is written out as a rule in the language of protocol files, so that there is one mechanism: `interact` with `if`
on the two states, and a `draw(k)` where an entry has several results. The rule is the same for two tables that mean the
same, in whatever order they list their entries: states that are not declared are numbered in alphabetical order. States
may also be the integers 0, 1, 2, ...: values of a field without names.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import Any

from princeps.errors import ProtocolError
from princeps.model.class_checks import ClassCheck, bindings, written_in
from princeps.model.coins import draw
from princeps.model.fields import Field
from princeps.model.named_states import number_of
from princeps.model.numbers import simple_fraction
from princeps.model.values import shown, whole_number
from princeps.model.written_functions import written_function

STATE = "state"  # the field of a table whose class declares none
MAX_ENTRIES = 2000  # of a table; a rule of more takes minutes to compile
MAX_DENOMINATOR = 1 << 32  # of the weights of an entry
WEIGHT = re.compile(r"-?[0-9]{1,30}(/0*[1-9][0-9]{0,29}|\.[0-9]{1,30})?")
LONGEST_CHAIN = 8  # of if and elif
EXAMPLE = '("L", "L"): ("L", "F")'

Pair = tuple[int, int]
Results = tuple[tuple[Pair, Fraction], ...]  # in the order of the pairs
Entry = tuple[Any, Any]


def read_table(check: ClassCheck) -> None:
    """The table of a class, if it has one, becomes its `interact`; where no field is declared, its states become one."""
    cls, given = check.cls, vars(check.cls).get("table")
    if "symmetric" in vars(cls) and not isinstance(cls.symmetric, bool):
        raise check.mistake(f"symmetric is {shown(cls.symmetric)}: it must be True or False.", "symmetric")
    if given is None:
        if "symmetric" in vars(cls):
            raise check.mistake("symmetric is said of a table, and there is none: leave it out.", "symmetric")
        return
    if "interact" in vars(cls):
        raise check.mistake(f"{cls.__name__} has a table and a rule: leave out one of them.", "table")
    if not isinstance(given, Mapping) or not given:
        raise check.mistake(f"table is {shown(given)}: write {{{EXAMPLE}}}.", "table")
    if len(given) > MAX_ENTRIES:
        raise check.mistake(f"the table has {len(given):,} entries: write a rule, `interact`.", "table")
    name, names = _states(check, given)
    table = _Reader(check, names).read(given)
    source = "\n".join(["def interact(a, b, p):", *_rule(name, table)]) + "\n"
    cls.interact = staticmethod(written_function(source, "interact", "table", {"draw": draw}))
    cls.table = MappingProxyType(dict(given))  # whoever changes it later is told that it cannot be changed


# -- states and entries ---------------------------------------------------------------------------------------------


def _states(check: ClassCheck, given: Mapping[Any, Any]) -> tuple[str, tuple[str, ...]]:
    """The field of the states and their names."""
    fields: dict[str, Field] = check.cls.fields_
    if not fields:
        check.cls.fields_ = {STATE: _undeclared(check, given)}
        return STATE, _names(check.cls.fields_[STATE])
    (name, field), *others = fields.items()
    if others or not _names(field):
        raise check.mistake(
            f"the table says what becomes of one field, and {check.cls.__name__} declares {', '.join(fields)}: declare "
            f"one OneOf(...) or Range(...), or none.",
            "table",
        )
    return name, _names(field)


def _undeclared(check: ClassCheck, given: Mapping[Any, Any]) -> Field:
    """The field of the states that the entries mention."""
    mentioned = [state for entry in given.items() for state in _mentioned(entry)]
    found = sorted({state for state in mentioned if isinstance(state, str)})
    if found:
        return Field(len(found), names=tuple(found))
    numbers = sorted({number for state in mentioned if (number := whole_number(state)) is not None})
    if not numbers:
        raise check.mistake(f"table is {shown(given)}: write {{{EXAMPLE}}}.", "table")
    if numbers != list(range(len(numbers))):  # a state that nobody mentions would be a state all the same
        raise check.mistake(
            f"the table has the states {shown(numbers)[1:-1]}: number them 0, 1, 2, ... without gaps, or name them by texts.",
            "table",
        )
    return Field(len(numbers))


def _names(field: Field) -> tuple[str, ...]:
    """Of a field without names its numbers; none of one that has no fixed, small size."""
    if field.names or not isinstance(field.size, int) or field.size > MAX_ENTRIES:
        return field.names
    return tuple(map(str, range(field.size)))


def _mentioned(entry: Entry) -> Iterator[Any]:
    pair, results = entry
    for one in (pair, *(results if isinstance(results, Mapping) else [results])):
        if isinstance(one, Sequence) and not isinstance(one, str):
            yield from one


class _Reader:
    """Reads the entries of one table, and refuses the first that is wrong with its line."""

    def __init__(self, check: ClassCheck, names: tuple[str, ...]) -> None:
        self.check, self.names = check, names

    def read(self, given: Mapping[Any, Any]) -> dict[Pair, Results]:
        listed: dict[Pair, tuple[Any, Results]] = {}
        for key, value in given.items():
            pair = self._pair(key, key)
            if pair in listed:
                raise self._wrong(key, f"names a pair that {shown(listed[pair][0])} names as well: leave out one.")
            listed[pair] = key, self._results(key, value)
        table = {pair: results for pair, (_, results) in listed.items()}
        if self.check.cls.symmetric:
            for (x, y), (key, results) in listed.items():
                mirrored = _ordered({(v, u): weight for (u, v), weight in results}) if x != y else results
                if table.setdefault((y, x), mirrored) != mirrored:
                    other = shown(listed[y, x][0])
                    raise self._wrong(
                        key, f"and the entry of {other} contradict each other, and the table is symmetric."
                    )
        return table

    def _results(self, key: Any, value: Any) -> Results:
        if not isinstance(value, Mapping):
            return ((self._pair(value, key), Fraction(1)),)
        found: dict[Pair, Fraction] = {}
        for result, weight in value.items():
            pair = self._pair(result, key)
            found[pair] = found.get(pair, Fraction(0)) + self._weight(weight, key)
        total = sum(found.values())
        if total != 1:
            raise self._wrong(key, f"has weights that add to {total}: they must add to 1.")
        if lcm(*(weight.denominator for weight in found.values())) > MAX_DENOMINATOR:
            raise self._wrong(key, f"has weights whose denominator exceeds {MAX_DENOMINATOR:,}: choose simpler ones.")
        return _ordered(found)

    def _weight(self, weight: Any, key: Any) -> Fraction:
        found: Fraction | None = None
        is_text = isinstance(weight, str) and WEIGHT.fullmatch(weight.strip()) is not None
        if is_text or (isinstance(weight, int | Fraction) and not isinstance(weight, bool)):
            found = Fraction(weight)
            if found > 0 and found.denominator <= MAX_DENOMINATOR:
                return found
        if found is not None and found <= 0:
            raise self._wrong(key, f"has the weight {shown(weight)}: weights are positive, leave the result out.")
        meant = _meant_by(weight)
        raise self._wrong(
            key,
            f'has the weight {shown(weight)}: write Fraction({meant.numerator}, {meant.denominator}), or "{meant}".',
        )

    def _pair(self, given: Any, key: Any) -> Pair:
        if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
            raise self._wrong(key, f"has {shown(given)} where two states belong: write it like {EXAMPLE}.")
        return self._number(given[0], key), self._number(given[1], key)

    def _number(self, state: Any, key: Any) -> int:
        number = whole_number(number_of(state, self.names))
        if number is not None and 0 <= number < len(self.names):
            return number
        raise self._wrong(key, f"has the state {shown(state)}: the states are {', '.join(self.names)}.")

    def _wrong(self, key: Any, sentence: str) -> ProtocolError:
        cls = self.check.cls
        return ProtocolError(f"the entry of {shown(key)} {sentence}", written_in(cls), _line_of_entry(cls, key))


def _meant_by(weight: Any) -> Fraction:
    """The fraction to propose for a weight that is none: the nearest simple one of a float."""
    try:
        number = float(weight)
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    return simple_fraction(number) if 1 / MAX_DENOMINATOR < number <= 1 else Fraction(1, 3)


def _ordered(results: Mapping[Pair, Fraction]) -> Results:
    return tuple(sorted(results.items()))


def _line_of_entry(cls: type, key: Any) -> int | None:
    for name, line, value in reversed(bindings(cls)):
        if name == "table":
            keys = value.keys if isinstance(value, ast.Dict) else []
            same = [part for part in keys if part is not None and ast.unparse(part) == repr(key)]
            return line + same[0].lineno - value.lineno if same and isinstance(value, ast.Dict) else line
    return None


# -- the rule -------------------------------------------------------------------------------------------------------


def _rule(field: str, table: Mapping[Pair, Results]) -> list[str]:
    changing = {pair: results for pair, results in table.items() if results != ((pair, Fraction(1)),)}
    rows: dict[int, list[tuple[int, list[str]]]] = {}
    for (x, y), results in sorted(changing.items()):
        rows.setdefault(x, []).append((y, _outcome(field, (x, y), results)))
    lines = _chosen(f"a.{field}", [(x, _chosen(f"b.{field}", row)) for x, row in rows.items()])
    return [f"    {line}" for line in lines or ["pass"]]


def _chosen(value: str, cases: Sequence[tuple[int, list[str]]]) -> list[str]:
    """`if` and `elif`; of many cases by halves, since a chain of hundreds would be nested too deeply to be compiled."""
    if len(cases) <= LONGEST_CHAIN:
        lines: list[str] = []
        for number, body in cases:
            lines += [f"{'el' if lines else ''}if {value} == {number}:", *_indented(body)]
        return lines
    middle = len(cases) // 2
    first, second = _chosen(value, cases[:middle]), _chosen(value, cases[middle:])
    return [f"if {value} < {cases[middle][0]}:", *_indented(first), "else:", *_indented(second)]


def _outcome(field: str, pair: Pair, results: Results) -> list[str]:
    if len(results) == 1:
        return _assigned(field, pair, results[0][0])
    denominator = lcm(*(weight.denominator for _, weight in results))
    lines, below = [f"drawn = draw({denominator})"], 0
    for k, (result, weight) in enumerate(results):
        below += int(weight * denominator)
        last = k == len(results) - 1
        lines.append("else:" if last else f"{'el' if k else ''}if drawn < {below}:")
        lines += _indented(_assigned(field, pair, result))
    return lines


def _assigned(field: str, before: Pair, after: Pair) -> list[str]:
    found = [f"{who}.{field} = {new}" for who, old, new in zip("ab", before, after, strict=True) if new != old]
    return found or ["pass"]


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]
