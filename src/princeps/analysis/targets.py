"""Sets of configurations that an analysis may aim at, and which agent states they tell apart.

`safe` is not evaluated but computed from the chain (ground.py). A goal on counts looks at agents through its
predicates. A goal on whole configurations is asked of every configuration where that is possible: states are alike
for it if exchanging one for the other anywhere never changes its answer. Where there are too many configurations,
states are alike for it if they agree in all the fields that it reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice, permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.alphabet import Alphabet
from princeps.analysis.chain import Bits
from princeps.analysis.configurations import COUNTS, Configurations
from princeps.analysis.progress import Observer, silence
from princeps.analysis.symmetry import Permutation, generators_of
from princeps.errors import GraphError, RunError, UnknownName
from princeps.lowering.cache import kernel_module
from princeps.model.fields import Counts
from princeps.model.predicates import read_predicates
from princeps.model.protocol import Closed, Counted, PopulationProtocol, Predicate

SAFE = "safe"
PORTION = 1 << 22
MOST_JUDGED = 450_000_000  # configurations of which a goal is asked one by one (a byte each)
FEW = 64  # configurations that are judged faster one by one
MOST_PERMUTED = 7  # agents of a complete graph whose permutations are all tried
WRITTEN = re.compile(r"(some|all|none):(.*)", re.DOTALL)


def kernel() -> Any:
    return kernel_module("princeps.analysis.targets_kernel")


@dataclass(frozen=True)
class Target:
    """`goal` is None for the largest safe set. A goal that is written on the spot has its predicate here."""

    name: str
    goal: Counted | Closed | None = None
    written: dict[str, Predicate] = field(default_factory=dict)
    verdicts: dict[tuple[int, ...], bool] = field(default_factory=dict, compare=False)  # by counts, as they are asked

    def predicates(self, alphabet: Alphabet) -> dict[str, Predicate]:
        """The local predicates that decide it."""
        if not isinstance(self.goal, Counted):
            return {}
        if self.written:
            return self.written
        known = type(alphabet.protocol).all_predicates()
        return {name: known[name] for name in alphabet.kernels.tracked(self.goal)}


def find_target(protocol: PopulationProtocol, name: str | None) -> Target:
    """A goal of the protocol, `safe`, or `some:`, `all:`, `none:` with a predicate on one agent."""
    cls = type(protocol)
    if name is None:
        name = SAFE if cls.guarantee == "self-stabilizing" else cls.default_goal
    if name == SAFE:
        return Target(SAFE)
    goals = cls.all_goals()
    if name in goals:
        return Target(name, goals[name])
    found = WRITTEN.fullmatch(name)
    if found is None:
        raise UnknownName("target", name, {*goals, SAFE, "some:PREDICATE", "all:PREDICATE", "none:PREDICATE"})
    how, text = found[1], found[2].strip()
    predicate = next(iter(read_predicates(protocol, {"here": text}).values()))

    def rule(c: Counts, p: Any) -> int:
        return {"some": c.here >= 1, "all": c.here == c.n, "none": c.here == 0}[how]

    return Target(name, Counted(rule), {"here": predicate})


# -- which states it tells apart ----------------------------------------------------------------------------------------


def colours(target: Target, alphabet: Alphabet, n: int, whole: bool, observer: Observer = silence) -> Any:
    """Columns of numbers, a row for each state: states that differ must not be merged. `whole`: all states are legal."""
    columns: list[Any] = [alphabet.leads()]
    columns += [alphabet.satisfying(predicate) for predicate in target.predicates(alphabet).values()]
    if isinstance(target.goal, Closed):
        if whole and alphabet.size**n <= MOST_JUDGED:
            columns += list(_slices(target.goal, alphabet, n, observer))
        else:
            places = [alphabet.protocol.space.names.index(name) for name in alphabet.kernels.fields_read(target.goal)]
            columns += [np.array([state[place] for state in alphabet.states]) for place in places]
    return np.stack([np.unique(column, return_inverse=True)[1].ravel() for column in columns], axis=1)


_judged: dict[Any, NDArray[np.uint8]] = {}  # a byte a configuration, kept until `forget`


def members_one_by_one(goal: Closed, alphabet: Alphabet, n: int, observer: Observer = silence) -> NDArray[np.uint8]:
    """Is the goal true, for every configuration of the whole space in turn?"""
    key = (goal, id(alphabet), n)
    if key not in _judged:
        out = np.zeros(alphabet.size**n, np.uint8)
        judge, words = alphabet.kernels.judge(goal).judge_codes, alphabet.kernels.pack(alphabet.states)
        for first in range(0, len(out), PORTION):
            try:
                judge(n, words, alphabet.kernels.constants, out, first, min(len(out), first + PORTION))
            except (IndexError, ZeroDivisionError):
                _blame(goal, alphabet, islice(product(range(alphabet.size), repeat=n), first, first + PORTION))
                raise
            observer(f"judging {goal.rule.__name__}", first, len(out))
        _judged[key] = out
    return _judged[key]


def _slices(goal: Closed, alphabet: Alphabet, n: int, observer: Observer) -> NDArray[np.uint64]:
    members = members_one_by_one(goal, alphabet, n, observer)
    out = np.zeros((n, alphabet.size), np.uint64)
    for first in range(0, len(members), PORTION):
        kernel().slices(members, alphabet.size, n, first, min(len(members), first + PORTION), out)
        observer("comparing states", first, len(members))
    return out


def forget() -> None:
    """Give back the memory of what was asked of everything."""
    _judged.clear()


def reduction_holds(goal: Closed, space: Configurations, observer: Observer = silence) -> bool:
    """Asked of the whole space: membership never depends on which of merged states an agent is in.

    That the agents' places do not matter is checked too, and refused if they do.
    """
    alphabet, n = space.alphabet, space.n
    everybody = members_one_by_one(goal, alphabet, n, observer)
    chosen, own = space.classes.chosen[space.classes.of], np.arange(alphabet.size, dtype=np.int64)

    def alike(images: Any, permutation: Permutation) -> bool:
        for first in range(0, len(everybody), PORTION):
            last = min(len(everybody), first + PORTION)
            observer("proving the reduction", first, len(everybody))
            if kernel().disagreements(everybody, alphabet.size, n, images, np.array(permutation), first, last):
                return False
        return True

    if not all(alike(own, permutation) for permutation in generators_of(space.group, n)):
        raise GraphError(_UNEVEN.format(goal=goal.rule.__name__))
    return alike(chosen, tuple(range(n)))


_UNEVEN = "the goal {goal} depends on the agents' places, so that configurations cannot be merged: use --no-reduce."


# -- who belongs to it --------------------------------------------------------------------------------------------------


def members(target: Target, space: Configurations, first: int, last: int) -> Bits:
    """Which of the configurations first..last-1 belong to the target."""
    if target.goal is None:
        raise RunError("the largest safe set is computed from the chain, not asked of a configuration.")
    if isinstance(target.goal, Counted):
        return _by_counts(target, space, first, last)
    return _judged_rows(target.goal, space, _agents(space, first, last))


def _by_counts(target: Target, space: Configurations, first: int, last: int) -> Bits:
    """The rule is asked once for each combination of counts that occurs."""
    predicates = target.predicates(space.alphabet)
    columns = [
        space.count(space.alphabet.satisfying(predicate)[space.classes.chosen], first, last)
        for predicate in predicates.values()
    ]
    table = np.stack(columns, axis=1)
    if last - first <= FEW:
        return np.array([_verdict(target, space, tuple(row)) for row in table.tolist()], np.bool_)
    base = space.n + 1
    if base ** len(columns) <= last - first:  # few combinations are possible: look them up, without sorting
        key = np.zeros(last - first, np.int64)
        for column in columns:
            key = key * base + column
        told = np.zeros(base ** len(columns), np.bool_)
        for k in np.flatnonzero(np.bincount(key, minlength=len(told))).tolist():
            digits = [k // base**place % base for place in range(len(columns) - 1, -1, -1)]
            told[k] = _verdict(target, space, tuple(digits))
        return np.asarray(told[key])
    different, where = np.unique(table, axis=0, return_inverse=True)
    return np.array([_verdict(target, space, tuple(row)) for row in different.tolist()], np.bool_)[where.ravel()]


def _verdict(target: Target, space: Configurations, counts: tuple[int, ...]) -> bool:
    if counts not in target.verdicts:
        assert isinstance(target.goal, Counted)
        protocol = space.alphabet.protocol
        named = Counts({**dict(zip(target.predicates(space.alphabet), counts, strict=True)), "n": space.n})
        target.verdicts[counts] = bool(protocol.ask(target.goal.rule, named, protocol.constants))
    return target.verdicts[counts]


def _agents(space: Configurations, first: int, last: int) -> NDArray[np.uint16]:
    """The class of every agent, in configurations first..last-1."""
    rows = space.rows[first:last]
    if space.form == COUNTS:
        return np.stack([np.repeat(np.arange(space.width), row) for row in rows]).astype(rows.dtype)
    return rows


def _blame(goal: Closed, alphabet: Alphabet, rows: Iterable[Sequence[int]]) -> None:
    """Once more in Python, to learn in which line."""
    protocol = alphabet.protocol
    for row in rows:
        agents = [protocol.agent(alphabet.states[k]) for k in row]  # type: ignore[call-arg]
        protocol.ask(goal.rule, agents, len(row), protocol.constants)


def _judged_rows(goal: Closed, space: Configurations, rows: NDArray[np.uint16]) -> Bits:
    alphabet, classes = space.alphabet, space.classes
    words = alphabet.kernels.pack([alphabet.states[k] for k in classes.chosen])
    judge, out = alphabet.kernels.judge(goal).judge_rows, np.zeros(len(rows), np.bool_)
    rows = np.ascontiguousarray(rows)
    for begin in range(0, len(rows), PORTION):
        try:
            judge(rows, words, alphabet.kernels.constants, out, begin, min(len(rows), begin + PORTION))
        except (IndexError, ZeroDivisionError):
            _blame(goal, alphabet, classes.chosen[rows[begin : begin + PORTION]].tolist())
            raise
        space.observe("judging", begin, len(rows))
    return out


def refuse_if_too_many_places(goal: Closed, n: int, group: Sequence[Permutation] | None) -> None:
    """Told before anything is explored."""
    if group is None and n > MOST_PERMUTED:
        raise GraphError(
            f"the goal {goal.rule.__name__} is stated for whole configurations; that it does not depend on the agents' "
            f"places is checked for at most {MOST_PERMUTED} agents: use --no-reduce, or choose another target."
        )


def refuse_if_places_matter(goal: Closed, space: Configurations) -> None:
    """Where not everything was asked: the goal must say the same of all images of each listed configuration."""
    rows = _agents(space, 0, space.size)
    said = _judged_rows(goal, space, rows)
    group = permutations(range(space.n)) if space.group is None else space.group
    for permutation in group:
        if (said != _judged_rows(goal, space, rows[:, list(permutation)])).any():
            raise GraphError(_UNEVEN.format(goal=goal.rule.__name__))
