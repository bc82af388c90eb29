"""What `princeps run --record ... -o run.jsonl` wrote: counts of agents over time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from princeps.errors import RunError
from princeps.model.input_files import opened_text

TIMES = ("steps", "parallel_time")  # the other columns are what was counted
MAX_STATES = 6  # of a record of all states, that are drawn
REMEDY = "record a run with princeps run ... --record leaders -o run.jsonl"


@dataclass(frozen=True)
class Recorded:
    """One run; `counts` by the predicate's name as it was typed."""

    protocol: str
    n: int
    what: str  # all that other runs of the same kind share
    times: Any  # parallel
    counts: dict[str, Any]


def read_recording(path: str, protocol: str | None = None) -> list[Recorded]:
    """Every line is a run; one that is not, or that has recorded nothing, is refused by its number."""
    try:
        with opened_text(path) as file:
            lines = [(number, line) for number, line in enumerate(file, 1) if line.strip()]
    except OSError as error:
        raise RunError(f"recording {path!r} cannot be read ({error.strerror}): {REMEDY}.") from None
    except UnicodeDecodeError:
        raise RunError(f"{path!r} is neither a store nor a recording: {REMEDY}, or a store with sweep.") from None
    if not lines:
        raise RunError(f"recording {path!r} is empty: {REMEDY}.")
    runs = [_run(path, number, line) for number, line in lines]
    names = sorted({run.protocol for run in runs})
    if protocol is not None and protocol not in names:
        raise RunError(f"recording {path!r} has no run of {protocol!r}: it has {', '.join(names)}.")
    return [run for run in runs if protocol in (None, run.protocol)]


def recorded_runs(results: Sequence[Any], protocol: str | None = None) -> list[Recorded]:
    """The same of results in memory."""
    runs = []
    for result in results:
        record = _of_states(result.states.as_json()) if result.record is None and result.states else result.record
        columns = None if record is None else _columns(record)
        if columns is None:
            raise RunError(f"a run of {result.protocol} recorded nothing: repeat it with record=['leaders'].")
        counts = {name: values for name, values in columns.items() if name not in TIMES}
        kind = _kind({name: getattr(result, name) for name in ("params", "graph", "start", "until")})
        runs.append(Recorded(result.protocol, result.n, kind, columns["parallel_time"], counts))
    found = [run for run in runs if protocol in (None, run.protocol)]
    if not found:
        raise RunError(f"none of these runs is of {protocol!r}.")
    return found


def _run(path: str, number: int, line: str) -> Recorded:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("n"), int) or "protocol" not in found:
        raise RunError(f"line {number} of {path!r} is no run in JSON: {REMEDY}, or give a store made by sweep.")
    record = found.get("record")
    if record is None:
        record = _of_states(found.get("states"))
    if record is None:
        raise RunError(f"line {number} of {path!r} is a run that recorded nothing: repeat it with --record leaders.")
    columns = _columns(record)
    if columns is None:
        raise RunError(f"line {number} of {path!r} has a record that is not whole: {REMEDY} again.")
    counts = {name: values for name, values in columns.items() if name not in TIMES}
    return Recorded(str(found["protocol"]), found["n"], _kind(found), columns["parallel_time"], counts)


def _of_states(moments: Any) -> dict[str, list[Any]] | None:
    """What `--record states` wrote, as if each of the states that most agents were ever in had been counted by itself."""
    try:
        counted = [dict(moment["counts"]) for moment in moments]
        most = {name: max(counts.get(name, 0) for counts in counted) for counts in counted for name in counts}
        found: dict[str, list[Any]] = {name: [moment[name] for moment in moments] for name in TIMES}
        shown = sorted(most, key=lambda name: -most[name])[:MAX_STATES]
    except (KeyError, TypeError, ValueError):
        return None
    return found | {name: [counts.get(name, 0) for counts in counted] for name in shown}


def _columns(record: Any) -> dict[str, Any] | None:
    """As numbers, if they are what a run writes: as many counts as moments, which go forward."""
    try:
        columns = {str(name): np.array(values, float) for name, values in record.items()}
        times = columns["parallel_time"]
        table = np.array(list(columns.values()))
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        return None
    whole = table.ndim == 2 and table.size > 0 and len(columns) > len(TIMES)
    sound = whole and bool(np.isfinite(table).all()) and bool((table >= 0).all()) and bool((np.diff(times) > 0).all())
    return columns if sound else None


def _kind(found: Mapping[str, Any]) -> str:
    """Runs that differ only in seed and trial are of one kind."""
    return json.dumps([found.get(name) for name in ("params", "graph", "start", "until")], sort_keys=True)
