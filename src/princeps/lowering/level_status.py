"""The integers that the kernel of rare events and its caller exchange."""

from __future__ import annotations

RAN, UP, DOWN, LOST, FAILED = 0, 1, 2, 3, 4  # why `climb` returns
AT_POSITION, AT_FILLED, AT_STEPS, AT_LEADERS, AT_LOST = 0, 1, 2, 3, 4  # places of the cursor
CURSOR_LENGTH = 5
