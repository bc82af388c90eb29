"""What a protocol's class is, by content: the same for two classes that mean the same, wherever they were written."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from princeps.model.canonical import content_of_value
from princeps.model.class_checks import declarable
from princeps.model.parameters import Parametrised
from princeps.model.protocol import PopulationProtocol
from princeps.model.rings.algorithm import RingAlgorithm

TABLES = ("fields_", "variables_", "params_", "derived_", "of_inputs_")
WRITTEN_OUT = ("table", "symmetric", "leaders")  # what they mean is in `interact`, `is_leader` and the fields
APPEARANCE = ("look", "facts", "hints", "losses", "tuning")  # changes no run
DIGITS = 20  # of the hash: 80 bits


def class_content(cls: type[Parametrised]) -> dict[str, Any]:
    """Everything that it declares."""
    base = RingAlgorithm if issubclass(cls, RingAlgorithm) else PopulationProtocol
    names = [
        *(name for name in declarable(base) if name not in WRITTEN_OUT + APPEARANCE),
        *(table for table in TABLES if hasattr(cls, table)),
    ]
    return {name: content_of_value(getattr(cls, name)) for name in names}


def class_identity(cls: type[Parametrised]) -> str:
    text = json.dumps(class_content(cls), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
