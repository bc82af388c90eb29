"""A protocol in one line, for a prompt."""

from __future__ import annotations

from typing import Any

from princeps.errors import shortened
from princeps.model.formatting import counted


def described(protocol: Any) -> str:
    """`<opinions: 3 states of state (?, A, B); starts: initial; goals: leader, agreed>`."""
    given = "".join(f", {name}={value}" for name, value in protocol.given.items())
    count = protocol.state_count
    states = "infinitely many states" if count is None else counted(count, "states")
    names = {name: f" ({', '.join(field.names)})" for name, field in protocol.fields_.items() if field.names}
    fields = ", ".join(f"{name}{names.get(name, '')}" for name in protocol.space.names)
    starts = ", ".join(type(protocol).starts) or "none declared"
    goals = ", ".join(protocol.all_goals())
    return shortened(f"<{protocol.name}{given}: {states} of {fields}; starts: {starts}; goals: {goals}>")
