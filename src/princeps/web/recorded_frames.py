"""Some configurations of a run whose meetings are too many to keep: agents, pixels or counts, as the size allows.

An engine that draws batches is shown where the session stood; any other at steps that are evenly spaced.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from princeps.engines.session import Session
from princeps.model.script import Script, Steps
from princeps.web.state_table import StateTable

MAX_FRAMES = 200
MIN_FRAMES = 12
MAX_BYTES = 3_000_000  # of all frames together, about: a page stays under 5 MB
MAX_LISTED = 10_000  # agents whose states are kept; of more of them, colours
MAX_PIXELS = 1_000_000  # agents whose colours are kept; of more of them, counts
MAX_BARS = 64  # the commonest states


def record_frames(session: Session, script: Script, table: StateTable) -> dict[str, Any]:
    """By a run of its own with the session's engine."""
    size = session.n * (2 if session.n <= MAX_LISTED else 0.5 if session.n <= MAX_PIXELS else 0) + 1000
    count = int(min(MAX_FRAMES, max(MIN_FRAMES, MAX_BYTES // size)))
    twin = Session(session.run)
    frames = [frame_of(twin, table)]
    for _ in _stops(twin, script, max(1, -(-session.steps // count))):
        frames.append(frame_of(twin, table))
    kept = max(1, -(-len(frames) // (2 * count)))  # an engine that draws batches may have stood everywhere
    frames = [frame for k, frame in enumerate(frames) if k % kept == 0 or k == len(frames) - 1]
    return {"kind": "frames", "steps": str(session.steps), "frames": frames}


def _stops(twin: Session, script: Script, spacing: int) -> Iterator[None]:
    for event in script.events:
        if not isinstance(event, Steps) or not twin.cut_free:
            twin.perform(Script("", None, (event,)))
            yield
            continue
        end = twin.steps + event.count
        while twin.steps < end:
            twin.step(min(spacing - twin.steps % spacing, end - twin.steps))
            yield


def frame_of(session: Session, table: StateTable) -> dict[str, Any]:
    """One configuration."""
    population, numbered = session.population, session.population.numbers_agents
    bars, others = bars_of(session, table)
    head: dict[str, Any] = {
        "kind": "counts",
        "step": str(session.steps),
        "leaders": str(session.leaders),
        "pair": None,
        "dead": sorted(population.dead),
        "cuts": sorted(map(list, population.cuts)),
        "bars": bars,
        "others": others,
    }
    if not numbered or session.n > MAX_PIXELS:
        return head
    numbers = table.ids(session)
    if session.n <= MAX_LISTED:
        wide = "u32" if len(table) > 1 << 16 else "u16"
        return {
            **head,
            "kind": "agents",
            "ids": wide,
            "data": _packed(numbers.astype({"u16": "<u2", "u32": "<u4"}[wide])),
        }
    choice = table.look.choice(None).name
    classes = table.classes(choice)[numbers]
    pairs = np.pad(classes, (0, len(classes) % 2)).reshape(-1, 2)
    return {
        **head,
        "kind": "pixels",
        "width": int(np.ceil(np.sqrt(session.n))),
        "bits": 4,
        "choice": choice,
        "classes": table.class_labels(choice),
        "data": _packed((pairs[:, 0] | (pairs[:, 1] << 4)).astype(np.uint8)),
    }


def bars_of(session: Session, table: StateTable) -> tuple[list[list[Any]], str]:
    """The commonest states with their counts, and how many agents are in others."""
    tally = sorted(session.population.tally(), key=lambda found: (-found[1], found[0]))
    shown = [[table.number_of(tuple(map(int, state))), str(count)] for state, count in tally[:MAX_BARS]]
    return shown, str(sum(count for _, count in tally[MAX_BARS:]))


def _packed(values: Any) -> str:
    return base64.b64encode(zlib.compress(values.tobytes(), 9)).decode("ascii")
