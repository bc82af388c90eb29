"""The numbers that Python and compiled code exchange: why a kernel of an engine stopped, what stops it, the indices of its cursor.

Kernels and generated code import the plain integers, which numba freezes into machine code; Python reads them by the
enumerations, from which they are made.
"""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """Why a kernel returned. The rule itself answers CONTINUE, OUTSIDE_DOMAIN or RULE_FAILED."""

    CONTINUE = 0  # the budget was used up, or a part of it, after which Python may handle signals
    GOAL_MET = 1  # right after the interaction that met the goal
    OUTPUT_CHANGED = 2  # right after an interaction that changed an output
    OUTSIDE_DOMAIN = 3  # right before an interaction that would leave a domain
    LIST_ENDED = 4  # the listed pairs have all met
    RULE_FAILED = 5  # right before an interaction whose rule or predicates divide by zero or leave 64 bits
    TABLE_FULL = 6  # right before an interaction that needs a new id, and the table of states has none
    MANY_ACTIVE = 7  # too many arcs would change something to skip the others
    SILENT = 8  # nothing can change any more; in a ring, no message is under way
    MESSAGES_FULL = 9  # right before an action of a ring that may send more messages than there is room for
    OTHER_LETTER = (
        10  # right before an action that extends a word by another label than the next of LLabels (rings/words.py)
    )
    CANNOT_START = 11  # the start action of a ring algorithm is not enabled
    NOT_SET = 12  # right before an action that reads a label without a value
    LOOKED_AT = 13  # right after an interaction within a batch, after which somebody looks at the configuration


# What compiled rules and goals raise, as Python would: an index, a division, 64 bits, a negative shift.
RULE_ERRORS = (IndexError, ZeroDivisionError, OverflowError, ValueError)


class StopCondition(IntEnum):
    """What stops an advance before its budget is used up."""

    NOTHING = 0
    GOAL = 1  # the goal is met
    OUTPUT = 2  # some agent's output changed


class Cursor(IntEnum):
    """Indices of the cursor of a kernel that goes through pairs; written in one go, so that they always agree."""

    POSITION = 0  # of the next pair in the block
    FILLED = 1  # pairs in the block
    EVENTS = 2  # interactions that changed something
    STEPS = 3  # all interactions


CONTINUE = int(Status.CONTINUE)
GOAL_MET = int(Status.GOAL_MET)
OUTPUT_CHANGED = int(Status.OUTPUT_CHANGED)
OUTSIDE_DOMAIN = int(Status.OUTSIDE_DOMAIN)
LIST_ENDED = int(Status.LIST_ENDED)
RULE_FAILED = int(Status.RULE_FAILED)
TABLE_FULL = int(Status.TABLE_FULL)
MANY_ACTIVE = int(Status.MANY_ACTIVE)
SILENT = int(Status.SILENT)
MESSAGES_FULL = int(Status.MESSAGES_FULL)
OTHER_LETTER = int(Status.OTHER_LETTER)
CANNOT_START = int(Status.CANNOT_START)
NOT_SET = int(Status.NOT_SET)
LOOKED_AT = int(Status.LOOKED_AT)

STOP_NOWHERE = int(StopCondition.NOTHING)
STOP_AT_GOAL = int(StopCondition.GOAL)
STOP_AT_OUTPUT = int(StopCondition.OUTPUT)

CURSOR_POSITION, CURSOR_FILLED = int(Cursor.POSITION), int(Cursor.FILLED)
CURSOR_EVENTS, CURSOR_STEPS = int(Cursor.EVENTS), int(Cursor.STEPS)

# Indices of the facts of the events kernel: arcs that would change something; steps still to wait; the chosen arc + 1;
# the arc of the last step + 1, or 0 if that step changed nothing (which arc it was is never drawn).
ARC_ACTIVE, ARC_WAIT, ARC_CHOSEN, ARC_LAST = range(4)
ARC_FACTS = 4
