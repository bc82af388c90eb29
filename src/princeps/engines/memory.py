"""How much memory a run needs, estimated before it is allocated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from princeps.engines.refusals import counts_refusal
from princeps.errors import TooLarge
from princeps.model.machine import available_bytes
from princeps.model.numbers import bytes_in_words
from princeps.model.protocol import Closed
from princeps.model.run import LARGEST_LISTED_POPULATION, Run

if TYPE_CHECKING:  # the reference engine needs no numpy
    from princeps.lowering.layout import Layout

BASE_BYTES = 200 * 2**20  # interpreter, numpy, numba and compiled code
HARMLESS = 16 * 2**20  # agents that are not worth asking the system (0.1 ms, as long as a short trial)
COUNTS_BYTES = 80 * 2**20  # tables of the counts engine, whatever n
BYTES_A_NUMBER = 150  # in Python's own lists, sets and tuples


def estimate_bytes(run: Run, layout: Layout, lists_arcs: bool) -> int:
    """`lists_arcs`: the engine keeps a list of the active arcs, and of those around an agent."""
    agents = run.n * layout.bytes_per_agent
    snapshot = agents if isinstance(run.goal, Closed) else 0  # the window that is replayed to find the first hit
    ids = 0 if run.ids is None else (8 if run.ids.is_shuffle else BYTES_A_NUMBER) * run.n
    arcs = 8 * len(run.topology.sources)
    if lists_arcs:
        arcs += 8 * run.topology.arc_count * (2 if isinstance(run.goal, Closed) else 1) + 2 * arcs
    return BASE_BYTES + agents + snapshot + ids + arcs


def object_bytes(run: Run) -> int:
    return 100 + 40 * len(run.protocol.space.names)


def refuse_too_many_objects(run: Run) -> None:
    """The reference engine keeps each agent as a tuple of numbers."""
    each = object_bytes(run)
    available = available_bytes()
    if available is not None and run.n * each > available:
        raise TooLarge(
            f"n = {run.n} needs about {bytes_in_words(run.n * each)} in plain Python ({each} bytes an agent), "
            f"but only {bytes_in_words(available)} are free. Lower -n, or leave out --engine reference and --check."
        )


def refuse_if_too_large(run: Run, layout: Layout, lists_arcs: bool) -> None:
    if run.n > LARGEST_LISTED_POPULATION:
        raise TooLarge(
            f"n = {run.n} is too large for the agents engine, which holds each agent in memory "
            f"({layout.bytes_per_agent} bytes): at most {LARGEST_LISTED_POPULATION}. Lower -n{_way_out(run)}."
        )
    needed = estimate_bytes(run, layout, lists_arcs)
    if needed < BASE_BYTES + HARMLESS:
        return
    available = available_bytes()
    if available is not None and needed > available:
        raise TooLarge(
            f"n = {run.n} needs about {bytes_in_words(needed)} ({layout.bytes_per_agent} bytes an agent), "
            f"but only {bytes_in_words(available)} are free. Lower -n{_way_out(run)}."
        )


def _way_out(run: Run) -> str:
    return ", or try --engine counts" if counts_refusal(run) is None else ""
