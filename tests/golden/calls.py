"""Calls of princeps described as plain data, what is kept of their results, and how two results are compared.

Only what users rely on is called: the public functions, and the command line as `python -m princeps`. Nothing here knows
how the package is built inside.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import math
import runpy
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import princeps

HERE = Path(__file__).parent
TABLE = HERE / "recorded-0.1.0.jsonl"
STORE = HERE / "store-0.1.0.db"
STORE_TABLE = HERE / "store-0.1.0.results.jsonl"

UNSTABLE = {"seconds", "version"}  # another one at every call, or in every version
PROSE = {"why", "sentence", "broken"}  # words for the reader, which may be improved
LONG = 300  # characters of JSON; of longer values under these names only the hash is kept
HASHED = {"record", "labels", "lyndon_word", "execution", "large_labels", "worst_starts", "faults", "sets", "lemmas"}
TOLERANCE = 1e-12

RUN_KEYS = (
    *("protocol", "params", "n", "start", "until", "seed", "trial", "engine", "steps", "parallel_time", "converged"),
    *("leaders", "leader", "events", "command"),
)
RING_KEYS = (
    *("protocol", "params", "n", "labels", "schedule", "seed", "trial", "converged", "leader", "leader_label"),
    *("time", "steps", "messages", "max_bits", "command"),
)
FACT_KEYS = (
    *("labels", "n", "multiplicity", "symmetric", "in_u_star", "leader", "leader_label", "lyndon_word"),
    "smallest_k",
)
TRIAL_KEYS = (
    *("seed", "trial", "steps", "converged", "censored", "silent", "leaders", "leader", "events", "held"),
    *("held_steps", "recovery_steps", "total_steps", "max_steps", "more", "engine"),
)
EXACT_KEYS = ("configurations", "target", "target_size", "reachable", "worst", "mean", "worst_start")


@contextlib.contextmanager
def at_home() -> Iterator[None]:
    """In the folder of this file: commands name their graphs and protocols relative to it."""
    with contextlib.chdir(HERE):
        yield


def command(*words: str) -> tuple[int, list[Any]]:
    """The exit code and the objects that `princeps WORDS --json` prints, in this process."""
    code, out, _ = spoken(*words, "--json")
    return code, [json.loads(line) for line in out.splitlines()]


def spoken(*words: str) -> tuple[int, str, str]:
    """The exit code, stdout and stderr of a command."""
    out, err, before = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = ["princeps", *words]
    code: Any = None
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            runpy.run_module("princeps", run_name="__main__")
    except SystemExit as left:
        code = left.code
    finally:
        sys.argv = before
    return int(code or 0), out.getvalue(), err.getvalue()


# -- the kinds of call -------------------------------------------------------------------------------------------------


def perform(call: Mapping[str, Any]) -> Any:
    """What a call gives, as plain data; `call` has one of the keys argv, python, delta and trace."""
    with at_home():
        if "argv" in call:
            code, objects = command(*shlex.split(call["argv"]))
            found: Any = {"code": code, "objects": objects}
        elif "python" in call:
            found = _python(call["python"], call.get("args", ()), call.get("kwargs", {}))
        elif "delta" in call:
            found = _walk(call["delta"], call["n"], call.get("params", {}), call["states"], call["steps"])
        else:
            found = _traced(call["trace"])
    return kept(json.loads(json.dumps(found)))


def _python(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    result = getattr(princeps, name)(*args, **kwargs)
    if name == "protocol":
        return {"fields": dict(result.fields), "state_count": result.state_count}
    if name == "exact":
        return _attributes(result, EXACT_KEYS)
    if name == "ring":
        return _attributes(result, FACT_KEYS)
    if name == "trials":
        return [_result(one) for one in result]
    return _result(result) if name == "run" else result


def _result(result: Any) -> dict[str, Any]:
    return _attributes(result, RING_KEYS if hasattr(result, "messages") else RUN_KEYS)


def _attributes(result: Any, keys: Sequence[str]) -> dict[str, Any]:
    return {key: getattr(result, key) for key in keys}


def _walk(name: str, n: int, params: Mapping[str, int], states: list[dict[str, int]], steps: int) -> Any:
    """A population that meets in a fixed order by `delta` alone: its outputs, and the hash of all it went through."""
    rule = princeps.protocol(name, n=n, **params)
    agents, seen, number = [dict(state) for state in states], hashlib.sha256(), 1
    for _ in range(steps):
        number = number * 48271 % (2**31 - 1)  # the order is the table's own: no generator of the package is asked
        i = number % len(agents)
        j = (i + 1 + number // len(agents) % (len(agents) - 1)) % len(agents)
        agents[i], agents[j] = map(dict, rule.delta(agents[i], agents[j]))
        seen.update(json.dumps([agents[i], agents[j]], sort_keys=True).encode())
    return {"outputs": "".join(rule.output(agent) for agent in agents), "sha256": seen.hexdigest()[:32]}


def _traced(text: str) -> Any:
    """A ring's run with `--trace FILE`: how many events it has, the last one, and the hash of them all."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "trace.jsonl")
        code, objects = command(*shlex.split(text), "--trace", str(path))
        events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {"code": code, "objects": objects, "events": len(events), "last": events[-1], **hashed(events)}


# -- sweeps ------------------------------------------------------------------------------------------------------------


def trial_rows(store: str | Path) -> dict[str, list[dict[str, str]]]:
    """Every trial of a store by its point, as `results --csv` writes it: all that is its own, empty columns left out."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "trials.csv")
        code, _, said = spoken("results", str(store), "--csv", str(path))
        assert code == 0, said
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    found: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        own = {key: value for key, value in row.items() if key in TRIAL_KEYS and value != ""}
        found.setdefault(row["point"], []).append(own)
    return found


# -- what is kept, and whether it is the same --------------------------------------------------------------------------


def kept(value: Any, name: str = "") -> Any:
    """A result without times and prose; long lists are told by their hash."""
    if isinstance(value, dict):
        value = {key: kept(item, key) for key, item in value.items() if key not in UNSTABLE | PROSE}
    elif isinstance(value, list):
        value = [kept(item) for item in value]
    return hashed(value) if name in HASHED and len(json.dumps(value)) > LONG else value


def hashed(value: Any) -> dict[str, str]:
    return {"sha256": hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:32]}


def differences(expected: Any, found: Any, place: str = "", tolerance: float = TOLERANCE) -> list[str]:
    """Where two results differ. What only `found` has is no difference: later versions may tell more."""
    if isinstance(expected, dict) and isinstance(found, dict):
        missing = [f"{place}.{key}: {item!r} is missing" for key, item in expected.items() if key not in found]
        both = [key for key in expected if key in found]
        return missing + [
            line for key in both for line in differences(expected[key], found[key], f"{place}.{key}", tolerance)
        ]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        return [
            line
            for k, pair in enumerate(zip(expected, found, strict=True))
            for line in differences(*pair, f"{place}[{k}]", tolerance)
        ]
    if isinstance(expected, float) and isinstance(found, float):
        same = math.isclose(expected, found, rel_tol=tolerance)
    else:
        same = type(expected) is type(found) and expected == found
    return [] if same else [f"{place}: {expected!r} was recorded, {found!r} is found"]


def read_table(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_table(path: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
