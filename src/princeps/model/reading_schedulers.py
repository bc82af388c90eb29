"""Schedulers as a user gives them: a name, a file of pairs or weights, a list, a mapping, an object."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import index
from pathlib import Path
from typing import Any

from princeps.errors import RunError, UnknownName
from princeps.model.input_files import opened_text
from princeps.model.listing import MAX_PER_AGENT, as_list
from princeps.model.look_ahead import GREEDY, LookAhead, read_greedy, samples_of
from princeps.model.modules import module_of
from princeps.model.numbers import natural
from princeps.model.patterns import PATTERNS, Patterned
from princeps.model.scheduler import (
    Adversary,
    ListedPairs,
    Pair,
    Scheduler,
    SelfMeeting,
    UniformArcs,
    WeightedArcs,
)
from princeps.model.topology import ARCS, Topology
from princeps.model.values import whole_number

NAMES = ("uniform", "self-meeting", "weighted:FILE", *PATTERNS, "greedy:K", "FILE.py:NAME")

Located = tuple[str, int, int]  # where a pair stands, and its two agents


def read_scheduler(
    given: Any, pairs: str | Sequence[Pair] | None, topology: Topology, force: bool = False
) -> Scheduler:
    """The scheduler of a run on this graph; `pairs` is the other way to name one."""
    if pairs is not None:
        if given is not None and not (isinstance(given, str) and given == "uniform"):  # an array equals nothing
            raise RunError(f"--pairs and --scheduler {given} both say who meets next: leave one of them out.")
        return _listed(pairs, topology, force)
    scheduler = _scheduler(given, topology, force)
    problem = scheduler.refusal(topology)
    if problem is not None:
        raise RunError(problem)
    return scheduler


def _scheduler(given: Any, topology: Topology, force: bool) -> Scheduler:
    if given is None or given == "uniform":
        return UniformArcs()
    if isinstance(given, Scheduler):
        return given
    if isinstance(given, Mapping):
        return _weighted([(f"arc {arc}", *_arc(arc), weight) for arc, weight in given.items()], "", topology)
    if not isinstance(given, str):
        if _is_adversary(given):
            return _adversary(given, "", force)
        raise RunError(
            f"scheduler {given!r} is not understood: give a name, a mapping of arcs to weights, or an object with "
            f"next_pair(configuration, step, draw) or potential(agent)."
        )
    if given == "self-meeting":
        return SelfMeeting()
    if given in PATTERNS:
        return Patterned(given)
    kind, colon, rest = given.partition(":")
    if kind == GREEDY:
        return read_greedy(given)
    if kind == "weighted" and colon:
        if not rest:
            raise RunError(f"scheduler {given!r} names no file: give weighted:FILE, with lines like `0 1 3`.")
        rows = _inline_weights(rest.removeprefix("list:")) if rest.startswith("list:") else _read_weights(rest)
        return _weighted(rows, given, topology)
    if ".py" in given:
        return _from_file(given, force)
    raise UnknownName("scheduler", given, NAMES)


# -- a given list --------------------------------------------------------------------------------------------------


def _listed(given: str | Sequence[Pair], topology: Topology, force: bool) -> ListedPairs:
    if isinstance(given, str):
        rows = _inline_pairs(given) if given.startswith("list:") else _read_pairs(given)
    else:
        try:
            rows = [
                (f"pair {k} of the schedule", index(i), index(j))
                for k, (i, j) in enumerate(as_list(given, "pairs", MAX_PER_AGENT), 1)
            ]
        except (TypeError, ValueError) as error:
            raise RunError(f"the schedule is not a list of pairs of agents ({error}): give [(0, 1), ...].") from None
    is_arc = _arcs_of(topology)
    for where, i, j in rows:
        if not (0 <= i < topology.n and 0 <= j < topology.n and i != j):
            raise RunError(f"{where}: ({i}, {j}) is no pair of agents: give two different ones of 0..{topology.n - 1}.")
        if not (force or is_arc(i, j)):
            raise RunError(f"{where}: ({i}, {j}) is no arc of {topology.text!r}: remove it, or insist with --force.")
    draws = _inline_draws(given) if isinstance(given, str) else ()
    return ListedPairs(tuple((i, j) for _, i, j in rows), given if isinstance(given, str) else "", draws)


def _arcs_of(topology: Topology) -> Callable[[int, int], bool]:
    """Whether a pair is an arc; a graph that lists its arcs is not searched for each pair."""
    if topology.kind != ARCS:
        return topology.has_arc
    arcs = set(zip(topology.sources, topology.targets, strict=True))
    return lambda i, j: (i, j) in arcs


def _read_pairs(path: str) -> list[Located]:
    rows = []
    for number, line in _lines(path, "schedule", "pairs"):
        words = line.replace(",", " ").split()
        numbers = [natural(word) for word in words]
        if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
            raise RunError(f"{path}:{number}: {line.strip()!r} is not an ordered pair of agents: write it like `0 1`.")
        rows.append((f"{path}:{number}", numbers[0], numbers[1]))
    return rows


def _inline_pairs(given: str) -> list[Located]:
    """The same from list:0-1,1-2,2-0; what coins show follows as in 0-1/1/0."""
    text = given.removeprefix("list:")
    rows = []
    for k, word in enumerate(text.split(",") if text.strip() else [], 1):
        numbers = [natural(part.strip()) for part in word.split("/")[0].split("-")]
        if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
            raise RunError(
                f"--pairs list: pair {k}: {word.strip()!r} is not an ordered pair of agents: write it like 0-1, "
                f"and a comma between two of them."
            )
        rows.append((f"--pairs list: pair {k}", numbers[0], numbers[1]))
    return rows


def _inline_draws(given: str) -> tuple[tuple[int, ...], ...]:
    """What the coins of a rule show at each of the listed pairs; nothing if no pair says it."""
    if not given.startswith("list:") or "/" not in given:
        return ()
    rows = []
    for k, word in enumerate(given.removeprefix("list:").split(","), 1):
        shown = [natural(part.strip()) for part in word.split("/")[1:]]
        if None in shown:
            raise RunError(f"--pairs list: pair {k}: {word.strip()!r} gives no draws: write it like 0-1/1/0.")
        rows.append(tuple(number for number in shown if number is not None))
    return tuple(rows)


# -- weights -------------------------------------------------------------------------------------------------------


def _read_weights(path: str) -> list[tuple[str, int, int, Any]]:
    """A line `u v w` gives both orders the weight w, `u > v w` one of them."""
    rows: list[tuple[str, int, int, Any]] = []
    for number, line in _lines(path, "scheduler", "weights"):
        words = line.replace(",", " ").replace(">", " > ").split()
        directed = len(words) == 4 and words[1] == ">"
        u, v = (natural(words[0]), natural(words[-2])) if directed or len(words) == 3 else (None, None)
        if u is None or v is None:
            raise RunError(f"{path}:{number}: {line.strip()!r} is no weighted arc: write `u v w` or `u > v w`.")
        weight = natural(words[-1])
        rows.append((f"{path}:{number}", u, v, words[-1] if weight is None else weight))
        if not directed and u != v:
            rows.append((f"{path}:{number}", v, u, weight))
    return rows


def _inline_weights(text: str) -> list[tuple[str, int, int, Any]]:
    """The same from weighted:list:0-1=3,1-2=5, where each arc is written in its direction: what a script says."""
    rows: list[tuple[str, int, int, Any]] = []
    for k, word in enumerate(text.split(",") if text.strip() else [], 1):
        arc, _, weight = word.partition("=")
        agents = [natural(part.strip()) for part in arc.split("-")]
        if len(agents) != 2 or agents[0] is None or agents[1] is None:
            raise RunError(f"weighted:list: arc {k}: {word.strip()!r} is no weighted arc: write it like 0-1=3.")
        number = natural(weight.strip())
        rows.append((f"weighted:list: arc {k}", agents[0], agents[1], weight if number is None else number))
    return rows


def _arc(arc: Any) -> Pair:
    try:
        i, j = arc
        return index(i), index(j)
    except (TypeError, ValueError):
        raise RunError(f"{arc!r} is no arc: give weights by pairs of agents, like {{(0, 1): 3}}.") from None


def _weighted(rows: Iterable[tuple[str, int, int, Any]], text: str, topology: Topology) -> WeightedArcs:
    weights: dict[Pair, int] = {}
    is_arc = _arcs_of(topology)
    for where, i, j, given in rows:
        weight = whole_number(given)
        if weight is None or weight < 1:
            raise RunError(
                f"{where}: weight {given!r} is not a positive integer: give 1 or more, or leave the arc out."
            )
        if i == j:
            raise RunError(f"{where}: ({i}, {i}) is no arc, since an agent does not meet itself: remove it.")
        if not is_arc(i, j):
            raise RunError(
                f"{where}: ({i}, {j}) is no arc of {topology.text!r}: remove it, or choose others of the agents "
                f"0..{topology.n - 1}."
            )
        if (i, j) in weights:
            raise RunError(f"{where}: the pair {i}, {j} has two weights: remove one.")
        weights[i, j] = weight
    if not weights:
        raise RunError(f"scheduler {text or 'weighted'!r} has no arc: give at least one, like `0 1 3`.")
    arcs = sorted(weights)
    return WeightedArcs(tuple(arcs), tuple(weights[arc] for arc in arcs), text)


# -- files ---------------------------------------------------------------------------------------------------------


def _lines(path: str, what: str, content: str) -> list[tuple[int, str]]:
    """The lines that say something, with their numbers."""
    try:
        with opened_text(path) as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise RunError(f"{what} file {path!r} cannot be read ({reason}): give a text file of {content}.") from None
    parts = ((number, line.partition("#")[0]) for number, line in enumerate(lines, 1))
    return [(number, line) for number, line in parts if line.strip()]


def _is_adversary(value: Any) -> bool:
    return any(callable(getattr(value, name, None)) for name in ("next_pair", "potential"))


def _adversary(found: Any, text: str, force: bool) -> Scheduler:
    """Of a class or an object with `next_pair`, or else with `potential`."""
    make = found if inspect.isclass(found) else lambda: found
    if callable(getattr(found, "next_pair", None)):
        return Adversary(make, text, force)
    return LookAhead(samples_of(found, text), text, make)


def _from_file(given: str, force: bool) -> Scheduler:
    """./mine.py:Greedy, a class or an object with next_pair or potential."""
    path_text, colon, name = given.rpartition(":") if ".py:" in given else (given, "", "")
    path = Path(path_text).expanduser().resolve()
    if not path.is_file():
        raise RunError(f"there is no file {path_text!r}: give a scheduler as ./mine.py:Greedy.")
    module = module_of(path)
    own = {key: value for key, value in vars(module).items() if _is_adversary(value)}
    if not own:
        raise RunError(f"{path_text} has no scheduler: define a class with next_pair(configuration, step, draw) in it.")
    if not colon and len(own) == 1:
        name = next(iter(own))
    elif not name:
        first = next(iter(own))
        raise RunError(f"{path_text} has the schedulers {', '.join(own)}: choose one, like {path_text}:{first}.")
    if name not in own:
        raise RunError(f"{path_text} has no scheduler {name!r} with next_pair: choose one of {', '.join(own)}.")
    return _adversary(own[name], given, force)
