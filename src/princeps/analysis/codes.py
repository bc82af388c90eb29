"""The integers that the analysis and its kernels exchange; numba freezes them into machine code."""

from __future__ import annotations

# Entries of the table of transitions: UNKNOWN before one is computed, FAILS where the rule leaves a domain; in all others
# the number of the initiator's state stands above the bits of the responder's.
UNKNOWN, FAILS = -1, -2
RESPONDER_BITS, RESPONDER_MASK = 32, 0xFFFFFFFF

BY_AGENT, SORTED, BY_CLASS = 0, 1, 2  # encodings of a configuration (configurations.py)

EXPANDED, UNKNOWN_PAIR, OUT_OF_ROOM, FAILING_PAIR = 0, 1, 2, 3  # why the expansion of configurations returns

REACHES_SOME, CLOSED_WITHOUT_OUTPUT_CHANGE, REACHES_ONLY = 0, 1, 2  # what a pass over the components decides

NOT_VISITED, SOURCE, EXCLUDED = -1, -2, -3  # entries of `parent` in a breadth-first search; others are states

# Entries of `position`, where the search for components was interrupted, and where the solution of a system was.
NEXT_STATE, INDEX, COUNTER, DEPTH, WAITING = 0, 1, 2, 3, 4
SEARCH_LENGTH = 5
COMPONENT, SWEEP, MAX_SWEEP_COUNT = 0, 1, 2
SOLUTION_LENGTH = 3
UNFINISHED, SOLVED, SLOW_COMPONENT = 0, 1, 2  # what the solution returns
