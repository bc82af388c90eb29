"""How much memory a run needs, estimated before it is allocated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from princeps.engines.refusals import counts_refusal
from princeps.errors import TooLarge
from princeps.model.machine import available_bytes
from princeps.model.numbers import bytes_in_words
from princeps.model.protocol import Blocks, Closed, Uniform
from princeps.model.run import LARGEST_LISTED_POPULATION, Run

if TYPE_CHECKING:  # the reference engine needs no numpy
    from princeps.lowering.layout import Layout

PLAIN_BYTES = 30 * 2**20  # interpreter and model: what the reference engine has loaded
# Interpreter, numpy, llvmlite and machine code that was in the cache; compiling takes more for a while.
BASE_BYTES = 92 * 2**20
SMALL = 50_000  # agents, on a graph without a list of arcs, that are not worth asking the system (0.1 ms, as long as a trial)
COUNTS_BYTES = 8 * 2**20  # tables of the counts engine, whatever n
BYTES_A_NUMBER = 150  # in Python's own lists, sets and tuples
ID_BYTES = 2  # of an interned agent
PLAIN_ARC_BYTES = 100  # of an arc in a list of arcs, while it is made and found to be connected,
ARC_BYTES = 85  # of which numpy and machine code, loaded later, take over the rest
TUPLE_BYTES, WIDE_BYTES, SHARED_TUPLE_BYTES = 92, 20, 24  # in plain Python (measured: docs/memory.md)
CACHED_INTEGERS = 257  # 0..256 are the same objects everywhere


def estimate_bytes(run: Run, layout: Layout, lists_arcs: bool) -> int:
    """At the peak. `lists_arcs`: the engine keeps a list of the active arcs, and of those around an agent."""
    each = held_bytes(run, layout)
    copies = 1 if isinstance(run.goal, Closed) else 0  # the window that is replayed to find the first hit
    ids = 0 if run.ids is None else (8 if run.ids.is_shuffle else BYTES_A_NUMBER)
    agents = run.n * (each + max(ids, copies * layout.bytes_per_agent))
    arcs = ARC_BYTES * len(run.topology.sources)
    if lists_arcs:
        arcs += 8 * run.topology.arc_count + (16 * run.n if arcs else 0)
    return BASE_BYTES + agents + arcs


def held_bytes(run: Run, layout: Layout) -> int:
    """Of an agent, while it is translated from the one form to the other: a word and an id at the same time.

    Agents that all begin alike begin as ids, and are packed only where most pairs are new (switching.py), which no
    protocol of the library comes to; one with unbounded fields may.
    """
    if run.protocol.has_choices:  # no memo of the rule holds: they are never ids
        return layout.bytes_per_agent
    both = layout.bytes_per_agent + ID_BYTES
    return ID_BYTES if run.protocol.state_count is not None and begins_in_blocks(run) else both


def begins_in_blocks(run: Run) -> bool:
    if run.lists_states:
        return False
    rule = type(run.protocol).start_rule(run.start)
    if isinstance(rule, Blocks):
        return True
    from princeps.lowering.kernels import kernels_of

    return kernels_of(run.protocol).is_uniform(rule)


def object_bytes(run: Run) -> int:
    """Of an agent in plain Python: a tuple of its own with a pointer for each field, and numbers above 256, most of which
    are objects of their own; agents of a block begin with one tuple that they share."""
    rule = None if run.lists_states else type(run.protocol).start_rule(run.start)
    if isinstance(rule, Blocks):
        return SHARED_TUPLE_BYTES
    varied = isinstance(rule, Uniform) or run.ids is not None or run.lists_states
    wide = sum(size is None or size > CACHED_INTEGERS for size in run.protocol.space.sizes) if varied else 0
    return TUPLE_BYTES + 8 * len(run.protocol.space.names) + WIDE_BYTES * wide


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
            f"({held_bytes(run, layout)} bytes): at most {LARGEST_LISTED_POPULATION}. Lower -n{_way_out(run)}."
        )
    if run.n <= SMALL and not run.topology.sources:
        return
    needed, available = estimate_bytes(run, layout, lists_arcs), available_bytes()
    if available is not None and needed > available:
        raise TooLarge(
            f"n = {run.n} needs about {bytes_in_words(needed)} ({held_bytes(run, layout)} bytes an agent), "
            f"but only {bytes_in_words(available)} are free. Lower -n{_way_out(run)}."
        )


def _way_out(run: Run) -> str:
    return ", or try --engine counts" if counts_refusal(run) is None else ""
