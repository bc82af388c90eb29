"""What Python has where the command line has a text: lists of states, edge lists, graphs of networkx, arrays.

They become the text that says the same, so that a result's command repeats the run, workers get it, and everything else
sees one form. Nothing is imported for it: an array is what has `tolist`, a graph of networkx what has `nodes` and `edges`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from numbers import Real
from operator import index
from os import PathLike, fspath
from typing import Any

from princeps.errors import GraphError, RunError
from princeps.model.listing import MAX_PER_AGENT, as_list
from princeps.model.snapshots import Snapshot
from princeps.model.values import shown, whole_number

START_FORMS = (
    "give a start's name, a list with a state for each agent, like [{'leader': 1}, {'leader': 0}] or ['L', 'F'], or "
    "numbers of agents by state, like {'L': 1, 'F': 9}, or a snapshot of another run"
)
GRAPH_FORMS = "give a graph's name, a list of edges like [(0, 1), (1, 2)], a graph of networkx, or a file"


def in_words(name: str, value: Any) -> Any:
    """The text for an option that is given otherwise; what has no such form is left as it is."""
    if value is None or isinstance(value, str) or name not in READERS:
        return value
    if isinstance(value, PathLike):
        return f"file:{fspath(value)}" if name == "start" else fspath(value)
    return READERS[name](value)


def each_in_words(name: str, value: Any) -> Any:
    """The same where several may be given: one if it can be understood as one, else each of a list."""
    given = _bounded(value, name) if name in READERS and _is_listed(value) else value
    if name == "start" and _is_listed(given) and all(isinstance(one, str) for one in given):
        return list(given)  # several starts; a list of states is of one size only
    try:
        return in_words(name, given)
    except RunError:
        if not _is_listed(given):
            raise
        return [in_words(name, one) for one in given]


# -- starts ---------------------------------------------------------------------------------------------------------


def start_in_words(value: Any) -> str:
    """`json:...` of mappings, `states:...` of rows of numbers in the order of the fields.

    A mapping holds columns, or numbers of agents by state; a number is the state of everybody; a snapshot is gone on with.
    """
    given = value.agents() if isinstance(value, Snapshot) else _plain(value)
    number = whole_number(given)
    if number is not None:
        return str(number)
    if isinstance(given, Mapping):
        sizes = {state: whole_number(size) for state, size in given.items()}
        if sizes and all(isinstance(size, Real) for size in given.values()):
            wrong = next((given[state] for state, size in sizes.items() if size is None or size < 0), None)
            if wrong is not None:
                remedy = "divide with //, so that it is whole" if wrong >= 0 else "give 0 or more"
                raise RunError(f"start {shown(value)}: {wrong} is no number of agents: {remedy}.")
            return _counts(sizes, value)
    if isinstance(given, Mapping):
        given = _rows(given, value)
    if not _is_listed(given) or not given:
        raise RunError(f"start {shown(value)} is not understood: {START_FORMS}.")
    rows = [_plain(row) for row in _bounded(given, "start")]
    if all(isinstance(row, Mapping) for row in rows):
        states = [{str(key): _value(number, value) for key, number in row.items()} for row in rows]
        return "json:" + json.dumps(states, separators=(",", ":"))
    if any(isinstance(row, Mapping) for row in rows):
        raise RunError(
            f"start {shown(value)} mixes states of several forms: write all agents in one form, like [{{'leader': 1}}, "
            f"{{'leader': 0}}] or [1, 0]."
        )
    lists = [_bounded(row, "start") if _is_listed(row) else [row] for row in rows]
    return "states:" + ";".join(",".join(str(_value(number, value)) for number in row) for row in lists)


def _counts(sizes: Mapping[Any, Any], value: Any) -> str:
    words = []
    for state, size in sizes.items():
        name = state if isinstance(state, str) else str(_number(state, "start", value))
        if "," in name:
            raise RunError(f"start {shown(value)} is not understood: {START_FORMS}.")
        words.append(f"{name}={size}")
    return f"counts:{','.join(words)}"


def _value(value: Any, whole: Any) -> int | str:
    """The number of a field, or its name; whether there is such a name is asked when the protocol is known."""
    return value if isinstance(value, str) and not set(value) & set(",;") else _number(value, "start", whole)


def _rows(columns: Mapping[Any, Any], value: Any) -> list[dict[str, Any]]:
    """{field: a value for each agent}, as a session's `configuration` has it."""
    lists = {str(name): _plain(column) for name, column in columns.items()}
    sizes = {len(column) if _is_listed(column) else -1 for column in lists.values()}
    if len(sizes) != 1 or -1 in sizes:
        raise RunError(
            f"start {shown(value)} is one mapping: give one for each agent, like [{{'leader': 1}}] * n, or a list of "
            f"values for each field."
        )
    listed = [_bounded(column, "start") for column in lists.values()]
    return [dict(zip(lists, row, strict=True)) for row in zip(*listed, strict=True)]


# -- graphs ---------------------------------------------------------------------------------------------------------


def graph_in_words(value: Any) -> str:
    """`list:0-1;1>2`: an edge may be used in both orders, an arc `u>v` only with u as the initiator."""
    if hasattr(value, "nodes") and hasattr(value, "edges"):
        return _of_networkx(value)
    given = _plain(value)
    if isinstance(given, Mapping):  # neighbours: every edge is usually there twice
        numbers = {u: _plain(neighbours) for u, neighbours in given.items()}
        if not all(_is_listed(neighbours) for neighbours in numbers.values()):
            raise GraphError(f"graph {shown(value)} is not understood: {GRAPH_FORMS}.")
        edges = [
            (_number(u, "graph", value), _number(v, "graph", value))
            for u, near in numbers.items()
            for v in _bounded(near, "graph")
        ]
        return _text(dict.fromkeys((min(edge), max(edge)) for edge in edges), "-", value)
    rows = [_plain(row) for row in _bounded(given, "graph")] if _is_listed(given) else []
    if not rows or not all(_is_listed(row) for row in rows):
        raise GraphError(f"graph {shown(value)} is not understood: {GRAPH_FORMS}.")
    if len(rows) > 2 and all(len(row) == len(rows) for row in rows):
        return _of_matrix(rows, value)
    if len(rows) == 2 and all(isinstance(row, list) and set(row) <= {0, 1} and len(row) == 2 for row in rows):
        raise GraphError(
            f"graph {shown(value)} may be a matrix or a list of two edges: write edges as pairs, like [(0, 1)], which is "
            f"all that two agents can have."
        )
    if not all(len(row) == 2 for row in rows):
        raise GraphError(f"graph {shown(value)} is not understood: an edge is a pair of agents, like (0, 1).")
    return _text([(_number(u, "graph", value), _number(v, "graph", value)) for u, v in rows], "-", value)


def _of_matrix(rows: Sequence[Any], value: Any) -> str:
    """Of neighbours: not 0 where i may meet j. If it is symmetric, its edges; else its arcs."""
    arcs = [(i, j) for i, row in enumerate(rows) for j, entry in enumerate(row) if entry]
    there = set(arcs)
    if all((j, i) in there for i, j in arcs):
        return _text([(i, j) for i, j in arcs if i <= j], "-", value)
    return _text(arcs, ">", value)


def _of_networkx(graph: Any) -> str:
    """Agents are the nodes: by their numbers if these are 0, 1, ..., else in the order of the graph."""
    nodes = list(graph.nodes)
    own = {node: place for place, node in enumerate(nodes)}
    try:
        if sorted(index(node) for node in nodes) == list(range(len(nodes))):
            own = {node: index(node) for node in nodes}
    except TypeError:
        pass  # names
    directed = bool(graph.is_directed()) if hasattr(graph, "is_directed") else False
    edges = [(own[edge[0]], own[edge[1]]) for edge in graph.edges]
    return _text(dict.fromkeys(edges), ">" if directed else "-", graph)


def _text(edges: Iterable[tuple[int, int]], mark: str, value: Any) -> str:
    text = ";".join(f"{u}{mark}{v}" for u, v in edges)
    if not text:
        raise GraphError(f"graph {shown(value)} has no edge: {GRAPH_FORMS}.")
    return f"list:{text}"


# -- lists ----------------------------------------------------------------------------------------------------------


def listed(value: Any, name: str) -> Any:
    """Identifiers and pairs are read more than once: what can be read only once is read here."""
    given = _plain(value)
    return _bounded(given, name) if isinstance(given, Iterator) else given


# -- plain values ---------------------------------------------------------------------------------------------------


def _plain(value: Any) -> Any:
    """Arrays and frames as lists; other values as they are."""
    return value.tolist() if hasattr(value, "tolist") else value


def _bounded(values: Iterable[Any], name: str) -> list[Any]:
    return as_list(values, name, MAX_PER_AGENT)


def _is_listed(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _number(value: Any, what: str, whole: Any) -> int:
    try:
        if isinstance(value, bool):
            return int(value)
        return index(value)
    except TypeError:
        raise RunError(f"{what} {shown(whole)} has {shown(value)}, where an integer is needed.") from None


READERS: dict[str, Callable[[Any], Any]] = {
    "start": start_in_words,
    "graph": graph_in_words,
    "ids": lambda value: listed(value, "ids"),
    "pairs": lambda value: listed(value, "pairs"),
}
