"""Who bears a torn interaction: what `princeps exact --torn 1` proves of each population protocol, in words.

`python -m sitebuilder torn [NAME ...]` proves it anew, keeps it in data/ and prints the column of docs/library.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import princeps
from sitebuilder.measured import numbers
from sitebuilder.numbers import FEW_NUMBERS, SHORT_ROUNDS, SHORT_TIMERS, TINY_RESETS, Small
from sitebuilder.places import DATA

KEYS = ("recovers", "configurations", "changing_both", "pairs")
SIZES: dict[str, Small] = {
    "aafj": Small(3, (("k", 2),)),
    "epidemic": Small(4),
    "fischer_jiang": Small(4),
    "fischer_jiang_complete": Small(4),
    "fratricide": Small(4),
    "infection": Small(3),
    "known_bound": Small(3),
    "leader_minion": Small(4, (("m", 4),)),
    "loose_ids": Small(3, (("t_max", 2),), start="phantom"),
    "lottery": Small(3, (("m", 1),)),
    "majority": Small(4),
    "michail": Small(3, FEW_NUMBERS),
    "michail_roles": Small(3, SHORT_ROUNDS),
    "numbered": Small(3),
    "optimal_silent": Small(3, TINY_RESETS),
    "p_ll": Small(3),
    "p_ll_symmetric": Small(3),
    "p_pl": Small(2, SHORT_TIMERS),
    "p_rl": Small(3),
    "p_rl_oracle": Small(3),
    "silent_ranking": Small(4),
    "timer": Small(3, (("t_max", 8),)),
    "tokens": Small(4),
}


def torn_numbers(name: str) -> dict[str, Any]:
    small = SIZES[name]
    found = princeps.exact(name, torn=1, **small.arguments).as_json()
    torn = found["torn"]
    length = None if torn["schedule"] is None else len(torn["schedule"])
    said = {"n": found["n"], "given": dict(small.params), **{key: torn[key] for key in KEYS}}
    if small.start is not None:
        said["start"] = small.start
    return {**said, "complete": torn["complete"], "length": length, "command": torn.get("command")}


def write_torn(only: Iterable[str] = ()) -> None:
    for name in list(only) or list(SIZES):
        path = DATA / f"{name}.json"
        path.write_text(json.dumps({**numbers(name), "torn": torn_numbers(name)}, indent=1) + "\n")
        print(f"| `{name}` | {torn_cell(name)} |")


def torn_cell(name: str) -> str:
    """Its cell in the table of docs/library.md."""
    found = numbers(name)["torn"]
    if found["changing_both"] == 0:
        return f"none can be torn (n = {found['n']}): no pair changes both agents"
    if found["recovers"]:
        verdict = f"recovers from one (n = {found['n']})"
    else:
        verdict = f"may die of one (n = {found['n']}, {found['length']} interactions)"
    pairs = f"{found['changing_both']:,} of {found['pairs']:,} pairs change both" if found["pairs"] is not None else ""
    return f"{verdict}; {pairs}" if pairs else verdict


def torn_sentence(name: str) -> str:
    """What the page of a protocol says."""
    found, given = numbers(name)["torn"], ""
    for key, value in found["given"].items():
        given += f" -p {key}={value}"
    begin = f" --start {found['start']}" if "start" in found else ""
    command = f"`princeps exact {name} -n {found['n']}{given}{begin} --torn 1`"
    if found["changing_both"] == 0:
        return (
            f"**Torn interactions**, of which only one side takes its new state, cannot happen to it: no pair of states "
            f"changes both agents ({command})."
        )
    pairs = ""
    if found["pairs"] is not None:
        pairs = f"{found['changing_both']:,} of {found['pairs']:,} pairs of states change both agents when they meet. "
    if found["recovers"]:
        verdict = (
            f"after one torn interaction the goal is still reached with probability 1 at n = {found['n']}, from each of the "
            f"{found['configurations']:,} configurations that can then arise"
        )
    else:
        verdict = (
            f"one torn interaction may keep it from its goal for ever: at n = {found['n']} a schedule of {found['length']} "
            f"interactions does, and none is shorter"
        )
    return f"**Torn interactions**, of which only one side takes its new state: {pairs}{verdict[0].upper()}{verdict[1:]} ({command})."
