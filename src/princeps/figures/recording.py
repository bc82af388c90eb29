"""What `princeps run --record ... -o run.jsonl` wrote: counts of agents over time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from princeps.errors import RunError
from princeps.figures.few_states import TIMES, FewStates
from princeps.model.input_files import opened_text

KIND = ("protocol", "n", "params", "graph", "start", "until")
TRIAL = ("seed", "trial", "engine", "steps", "converged", "leaders", "leader", "events")
REMEDY = "record a run with princeps run ... --record leaders -o run.jsonl"


@dataclass(frozen=True)
class Recorded:
    """One run; `counts` by the predicate's name as it was typed."""

    protocol: str
    n: int
    what: str  # all that other runs of the same kind share
    times: Any  # parallel
    counts: dict[str, Any]
    trial: str = ""  # which trial it is and how it ended, if that is known
    copies: int = 0  # of the same trial, which are left out

    @property
    def kind(self) -> tuple[str, int, str]:
        return self.protocol, self.n, self.what


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
    found = [_object(path, number, line) for number, line in lines]
    names = sorted({str(one["protocol"]) for one in found})
    if protocol is not None and protocol not in names:
        raise RunError(f"recording {path!r} has no run of {protocol!r}: it has {', '.join(names)}.")
    states = FewStates()
    for one in found:
        if one.get("record") is None:
            states.add(_kind(one), one.get("states"))
    runs = []
    for (number, _), one in zip(lines, found, strict=True):
        record = one.get("record")
        if record is None:
            record = states.columns(_kind(one), one.get("states"))
        if record is None:
            raise RunError(
                f"line {number} of {path!r} is a run that recorded nothing: repeat it with --record leaders."
            )
        columns = _columns(record)
        if columns is None:
            raise RunError(f"line {number} of {path!r} has a record that is not whole: {REMEDY} again.")
        runs.append(_recorded(one, columns))
    return once([run for run in runs if protocol in (None, run.protocol)])


def recorded_runs(results: Sequence[Any], protocol: str | None = None) -> list[Recorded]:
    """The same of results in memory."""
    states, about, runs = FewStates(), [], []
    for result in results:
        moments = result.states.as_json() if result.record is None and result.states else None
        about.append(({name: getattr(result, name) for name in (*KIND, *TRIAL)}, moments))
        states.add(_kind(about[-1][0]), moments)
    for result, (one, moments) in zip(results, about, strict=True):
        record = states.columns(_kind(one), moments) if moments is not None else result.record
        columns = None if record is None else _columns(record)
        if columns is None:
            raise RunError(f"a run of {result.protocol} recorded nothing: repeat it with record=['leaders'].")
        runs.append(_recorded(one, columns))
    found = [run for run in runs if protocol in (None, run.protocol)]
    if not found:
        raise RunError(f"none of these runs is of {protocol!r}.")
    return once(found)


def once(runs: Sequence[Recorded]) -> list[Recorded]:
    """A trial that was recorded twice, in the same columns, counts once: a file may have been appended to twice.

    It is the same trial if everything that is known of it agrees, and all counts at the moments that both have.
    """
    found: list[Recorded] = []
    places: dict[Any, list[int]] = {}
    for run in runs:
        same = places.setdefault((run.kind, run.trial, tuple(run.counts)), []) if run.trial else []
        twin = next((k for k in same if _agree(found[k], run)), None)
        if twin is not None:
            found[twin] = replace(found[twin], copies=found[twin].copies + 1)
        else:
            same.append(len(found))
            found.append(run)
    return found


def _agree(one: Recorded, other: Recorded) -> bool:
    _, here, there = np.intersect1d(one.times, other.times, return_indices=True)
    return all(bool((values[here] == other.counts[name][there]).all()) for name, values in one.counts.items())


def _object(path: str, number: int, line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("n"), int) or "protocol" not in found:
        raise RunError(f"line {number} of {path!r} is no run in JSON: {REMEDY}, or give a store made by sweep.")
    return found


def _recorded(about: Mapping[str, Any], columns: dict[str, Any]) -> Recorded:
    counts = {name: values for name, values in columns.items() if name not in TIMES}
    trial = "" if about.get("seed") is None else json.dumps([str(about.get(name)) for name in TRIAL])
    return Recorded(*_kind(about), columns["parallel_time"], counts, trial)


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


def _kind(found: Mapping[str, Any]) -> tuple[str, int, str]:
    """Runs that differ only in seed and trial are of one kind."""
    what = json.dumps([found.get(name) for name in KIND[2:]], sort_keys=True)
    return str(found["protocol"]), found["n"], what
