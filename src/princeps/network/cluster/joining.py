"""What agents say of themselves at joining, and how two of them differ."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from princeps.model.run import Run
from princeps.model.script import protocol_identity

Offer = dict[str, str]
LONGEST = 100  # characters of a value; a longer one is sent by its hash
WORDS = {
    "princeps": "version of princeps",
    "protocol": "protocol",
    "n": "n",
    "params": "params",
    "identity": "content of the protocol",  # which other params may change, too: those say more
    "graph": "graph",
    "start": "start",
    "seed": "seed",
}


def offer_of(run: Run) -> Offer:
    from princeps import __version__

    params = ", ".join(f"{name} = {value}" for name, value in sorted(run.protocol.given.items()))
    found = {
        "princeps": __version__,
        "protocol": run.protocol.name,
        "identity": protocol_identity(run.protocol) or "unknown",
        "params": params or "none",
        "n": str(run.n),
        "graph": run.topology.text,
        "start": run.start,
        "seed": str(run.seed),
    }
    return {key: _short(value) for key, value in found.items()}


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else hashlib.sha256(text.encode()).hexdigest()[:20]


def encoded(offer: Offer) -> bytes:
    return json.dumps(offer, separators=(",", ":")).encode()


def decoded(data: bytes) -> Offer | None:
    """None: these bytes say nothing of the kind. They come from a holder of the key, who may still be mistaken."""
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        return None
    return {key: value for key, value in found.items() if key in WORDS}


def difference(mine: Offer, theirs: Offer) -> str:
    """Empty if both are the same; names both values otherwise."""
    for key, what in WORDS.items():
        if mine[key] != theirs.get(key, "unknown"):
            return f"its {what} is {theirs.get(key, 'unknown')!r}, and here it is {mine[key]!r}"
    return ""
