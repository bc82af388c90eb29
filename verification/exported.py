"""Exported chains read back and solved a second way: python verification/exported.py FILE...

Nothing of princeps is used. What these parsers do not know they refuse, so that a file they accept says what it seems to.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import inf
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.sparse import csc_matrix, identity
from scipy.sparse.linalg import splu

MAX_EXACT = 150  # states: the fractions of the elimination grow long
Number = Fraction | float
probability = cache(Fraction)  # few are different


class Model(NamedTuple):
    transitions: list[dict[int, Fraction]]
    labels: dict[str, set[int]]
    rewards: list[Fraction]
    initial: int


def read(path: str | Path) -> Model:
    readers: dict[str, Callable[[str | Path], Model]] = {".drn": read_drn}
    readers |= dict.fromkeys((".prism", ".pm", ".sm"), read_prism)
    suffix = Path(path).suffix.lower()
    if suffix not in readers:
        raise ValueError(f"{path}: name a .drn, .prism, .pm or .sm file")
    return readers[suffix](path)


def checked(model: Model, states: int) -> Model:
    assert len(model.transitions) == len(model.rewards) == states, "as many states as announced"
    assert 0 <= model.initial < states, "an initial state"
    for x, row in enumerate(model.transitions):
        assert sum(row.values()) == 1, f"the probabilities from state {x} add up to {sum(row.values())}"
        assert all(0 <= y < states and p > 0 for y, p in row.items()), f"state {x} leads where it should not"
    return model


def lines_of(path: str | Path) -> Iterator[str]:
    with open(path, encoding="utf-8") as file:
        for line in file:
            text = line.partition("//")[0].strip()
            if text:
                yield text


def read_drn(path: str | Path) -> Model:
    lines = lines_of(path)
    head = list(iter(lambda: next(lines), "@model"))
    assert head[0] == "@type: DTMC", head[0]
    assert head[head.index("@reward_models") + 1] == "steps"
    model = Model([], {}, [], -1)
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "state":
            model = _drn_state(model, rest)
        elif word == "action":
            assert not model.transitions[-1], f"state {len(model.transitions) - 1} has two actions"
        else:
            assert rest[:2] == ": ", line
            row, y = model.transitions[-1], int(word)
            assert y not in row, f"{line}: listed twice"
            row[y] = probability(rest[2:])
    return checked(model, int(head[head.index("@nr_states") + 1]))


def _drn_state(model: Model, text: str) -> Model:
    found = re.fullmatch(r"(\d+) \[(\S+)\]((?: \w+)*)", text)
    assert found, f"state {text}"
    assert int(found[1]) == len(model.transitions), f"state {text}: out of order"
    model.transitions.append({})
    model.rewards.append(Fraction(found[2]))
    for name in found[3].split():
        if name == "init":
            assert model.initial < 0, "two initial states"
            model = model._replace(initial=int(found[1]))
        else:
            model.labels.setdefault(name, set()).add(int(found[1]))
    return model


def read_prism(path: str | Path) -> Model:
    lines = lines_of(path)
    assert [next(lines), next(lines)] == ["dtmc", "module chain"]
    found = re.fullmatch(r"s : \[0\.\.(\d+)\] init (\d+);", next(lines))
    assert found, "the variable s"
    states = int(found[1]) + 1
    model = Model([{} for _ in range(states)], {}, [Fraction(0)] * states, int(found[2]))
    for line in iter(lambda: next(lines), "endmodule"):
        _command(model, line)
    formulas: dict[str, set[int]] = {}
    for line in lines:
        if found := re.fullmatch(r"formula (\w+) = (.+);", line):
            formulas[found[1]] = _states(found[2], states, formulas)
        elif found := re.fullmatch(r'label "(\w+)" = (.+);', line):
            model.labels[found[1]] = _states(found[2], states, formulas)
        elif found := re.fullmatch(r"(.+) : (\d+);", line):
            for x in _states(found[1], states, formulas):
                model.rewards[x] += int(found[2])
        else:
            assert line in ('rewards "steps"', "endrewards"), line
    return checked(model, states)


def _command(model: Model, line: str) -> None:
    found = re.fullmatch(r"\[\] s=(\d+) -> (.+);", line)
    assert found, line
    row = model.transitions[int(found[1])]
    assert not row, f"state {found[1]} has two commands"
    for update in found[2].split(" + "):
        chance, _, after = update.partition(":")
        y = int(after.removeprefix("(s'=").removesuffix(")"))
        assert y not in row, f"{line}: {y} is listed twice"
        row[y] = probability(chance)


def _states(text: str, states: int, formulas: dict[str, set[int]]) -> set[int]:
    """Where an expression holds: terms like s=3, (s>=3&s<=5) or a formula's name, joined by |; or !(such)."""
    if text[:2] == "!(":
        return set(range(states)) - _states(text[2:-1], states, formulas)
    holds: set[int] = set()
    for term in text.split("|"):
        if found := re.fullmatch(r"s=(\d+)", term):
            holds.add(int(found[1]))
        elif found := re.fullmatch(r"\(s>=(\d+)&s<=(\d+)\)", term):
            holds.update(range(int(found[1]), int(found[2]) + 1))
        elif term != "false":
            holds |= formulas[term]
    assert holds <= set(range(states)), text
    return holds


def solve(model: Model, label: str, exact: bool | None = None) -> list[Number]:
    """The expected reward of every state before it reaches the label; infinite where it may never do so."""
    target = model.labels[label]
    unknown = [x for x in sorted(_certain(model, target)) if x not in target]
    if exact is None:
        exact = len(unknown) <= MAX_EXACT
    found: list[Number] = [Fraction(0) if x in target else inf for x in range(len(model.transitions))]
    values: Sequence[Number] = _fractions(model, unknown) if exact else _floats(model, unknown)
    for x, value in zip(unknown, values, strict=True):
        found[x] = value
    return found


def _certain(model: Model, target: set[int]) -> set[int]:
    """States that reach the target with probability 1: they lead to none that cannot reach it."""
    before: list[list[int]] = [[] for _ in model.transitions]
    for x, row in enumerate(model.transitions):
        if x not in target:
            for y in row:
                before[y].append(x)
    hopeless = set(range(len(before))) - _backwards(before, target)
    return set(range(len(before))) - _backwards(before, hopeless)


def _backwards(before: list[list[int]], seeds: set[int]) -> set[int]:
    found, waiting = set(seeds), list(seeds)
    while waiting:
        for x in before[waiting.pop()]:
            if x not in found:
                found.add(x)
                waiting.append(x)
    return found


def _floats(model: Model, unknown: list[int]) -> list[float]:
    """(I - P) h = r by a sparse LU decomposition."""
    if not unknown:
        return []
    index = {x: k for k, x in enumerate(unknown)}
    entries = [(index[x], index[y], float(p)) for x in unknown for y, p in model.transitions[x].items() if y in index]
    rows, columns, values = zip(*entries, strict=True) if entries else ((), (), ())
    P = csc_matrix((values, (rows, columns)), shape=(len(unknown), len(unknown)))
    rewards = np.array([float(model.rewards[x]) for x in unknown])
    solution: list[float] = splu((identity(len(unknown)) - P).tocsc()).solve(rewards).tolist()
    return solution


def _fractions(model: Model, unknown: list[int]) -> list[Fraction]:
    """Gauss: each state, the last first, is replaced in all earlier ones by what it leads to."""
    index = {x: k for k, x in enumerate(unknown)}
    rows = [{index[y]: p for y, p in model.transitions[x].items() if y in index} for x in unknown]
    values = [model.rewards[x] for x in unknown]
    for k in range(len(unknown) - 1, -1, -1):
        left = 1 - rows[k].pop(k, Fraction(0))
        rows[k] = {y: p / left for y, p in rows[k].items()}
        values[k] /= left
        for j in range(k):
            through = rows[j].pop(k, None)
            if through is not None:
                values[j] += through * values[k]
                for y, p in rows[k].items():
                    rows[j][y] = rows[j].get(y, Fraction(0)) + through * p
    for k, row in enumerate(rows):
        values[k] += sum(p * values[y] for y, p in row.items())
    return values


def shown(value: Number) -> str:
    short = isinstance(value, Fraction) and value.numerator.bit_length() < 200
    return f"{value} = {float(value):.12g}" if short else f"{float(value):.12g}"


def main(paths: list[str]) -> int:
    for path in paths:
        model = read(path)
        found = solve(model, "target")
        print(f"{path}: {len(found):,} states")
        print(f"  expected steps from state {model.initial}: {shown(found[model.initial])}")
        print(f"  the most from any state: {shown(max(found))}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
