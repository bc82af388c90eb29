"""The store that 0.1.0 wrote: what went into it, and what `results` and `fit` say of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import princeps
from tests.golden.calls import HERE, at_home, command, kept, write_table

PLAN = "store.toml"
FEW = 6  # trials of every point; of some there are more, so that the plan is finished for them alone
FINISHED: tuple[tuple[Any, dict[str, Any]], ...] = (
    (["fratricide", "epidemic"], {"n": [8, 16, 32, 64, 128], "trials": 12}),
    ("p_rl", {"n": [4, 8], "trials": 7, "seed": 3}),  # of another campaign
)
CUT: tuple[tuple[Any, dict[str, Any]], ...] = (
    ("p_ll", {"n": [16, 32], "trials": FEW}),
    ("timer", {"n": 8, "t_max": 5, "hold": True, "trials": FEW}),
)
CLAIMS = ("000.T1c", "000.fig3", "./mine_claims.py")
SHOWN = (
    *(("results", ()), ("results", ("--measure", "parallel_time")), ("results", ("--measure", "events"))),
    *(("fit", ()), ("fit", ("--measure", "parallel_time", "--protocol", "fratricide"))),
)
CLAIM_KEYS = ("id", "verdict", "measured", "bound", "sample", "command", "as_recorded")


def swept(store: str, name: Any, **options: Any) -> None:
    """`princeps.sweep` in the folder of the plan and the user's protocol."""
    with at_home():
        princeps.sweep(name, jobs=1, store=store, **options)


def examined(store: str, *claims: str) -> list[dict[str, Any]]:
    """What `paper` says of these claims, as far as it is not prose."""
    with at_home():
        _, found = command("paper", *claims, "--store", store, "--jobs", "1")
    return [{key: one[key] for key in CLAIM_KEYS} for one in found]


def shown(store: str, verb: str, options: tuple[str, ...]) -> Any:
    """What a verb prints of the store."""
    with at_home():
        code, objects = command(verb, store, *options)
    return {"code": code, "objects": kept(objects)}


def write_store(version: str) -> None:
    path = HERE / f"store-{version}.db"
    path.unlink(missing_ok=True)
    swept(str(path), PLAN, trials=FEW)
    for name, options in FINISHED:
        swept(str(path), name, **options)
    findings = examined(str(path), *CLAIMS)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        # Where the user's file was is no part of what is recorded, and nothing is looked up by it.
        connection.execute("UPDATE evidence SET task = replace(task, ?, '')", (f"{HERE}/",))
        connection.execute("PRAGMA journal_mode = DELETE")  # whoever looks at the file leaves nothing beside it
        connection.execute("VACUUM")
    lines: list[dict[str, Any]] = [
        {"verb": verb, "options": list(options), "result": shown(str(path), verb, options)} for verb, options in SHOWN
    ]
    lines.append({"verb": "paper", "options": list(CLAIMS), "result": findings})
    write_table(HERE / f"store-{version}.results.jsonl", lines)
