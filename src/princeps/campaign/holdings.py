"""Holding times that were estimated by splitting, beside the trials of the same point, none of which sees the leader lost."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from math import inf
from typing import Any

from princeps.campaign import evidence
from princeps.campaign.store import Store

TASK = "princeps.rare.holding:Estimation"
KEPT = ("verdict", "mean", "interval", "relative_error", "command")


def keep_holding(store: Store, point: str, seed: int, answer: Mapping[str, Any]) -> None:
    """What `hold --json` says of a point; once for each seed."""
    evidence.create_table(store)
    id = hashlib.sha256(json.dumps(["holding", point, seed]).encode()).hexdigest()[:32]
    kept = {name: answer[name] for name in KEPT}
    evidence.save_part(store, id, 0, TASK, {"point": point, "seed": seed}, kept, float(answer["cost"]["seconds"]))


def holdings_of(store: Store) -> dict[str, dict[str, Any]]:
    """The estimate of each point that has one; the most precise one, if several seeds were asked."""
    (there,) = store.one("SELECT count(*) FROM sqlite_master WHERE name = 'evidence'")
    if not there:
        return {}
    found: dict[str, dict[str, Any]] = {}
    for arguments, text in store.select("SELECT arguments, answer FROM evidence WHERE task = ? ORDER BY id", (TASK,)):
        point, answer = json.loads(arguments)["point"], json.loads(text)
        if point not in found or _error(answer) < _error(found[point]):
            found[point] = answer
    return found


def _error(answer: Mapping[str, Any]) -> float:
    error = answer["relative_error"]
    return inf if error is None else float(error)
