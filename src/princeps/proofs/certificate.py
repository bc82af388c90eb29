"""What a search found, readable: enough to state every clause of the proof again, for whichever solver.

`agents` are facts of every agent, as expressions in the fields and parameters; `cells` the combinations of predicates that
an agent can satisfy; `weights` sums of numbers of agents that never fall; `key` the content of a rule and its lemma.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from princeps.model.canonical import content_of_value
from princeps.model.protocol import PopulationProtocol

DIGITS = 20


@dataclass(frozen=True)
class Weight:
    """sum of of[P] * (number of agents that satisfy P), P = "n" being all agents, is at least `least`."""

    of: Mapping[str, int]
    least: int

    def __str__(self) -> str:
        parts = [f"{'-' if value < 0 else '+'} {_times(abs(value))}#{name}" for name, value in self.of.items() if value]
        return f"{' '.join(parts).removeprefix('+ ')} >= {self.least}"


@dataclass(frozen=True)
class Certificate:
    template: str
    agents: tuple[str, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()
    weights: tuple[Weight, ...] = ()
    extra: str = ""  # of templates outside of this room's own, in a form of theirs

    def as_json(self) -> dict[str, Any]:
        found = asdict(self)
        found["weights"] = [{"of": dict(one.of), "least": one.least, "reads": str(one)} for one in self.weights]
        return {name: value for name, value in found.items() if value}

    @classmethod
    def of_json(cls, given: Mapping[str, Any]) -> Certificate:
        return cls(
            given["template"],
            tuple(given.get("agents", ())),
            tuple(tuple(cell) for cell in given.get("cells", ())),
            tuple(Weight(dict(one["of"]), one["least"]) for one in given.get("weights", ())),
            given.get("extra", ""),
        )


def content_key(cls: type[PopulationProtocol], what: Any, hint: Any = None, more: Sequence[str] = ()) -> str:
    """Of everything that a proof depends on: the rule, the states, the constants, starts, predicates, and the lemma.

    `more` are further attributes of the class that a kind of proof depends on.
    """
    content = {
        name: content_of_value(getattr(cls, name))
        for name in ("interact", "is_leader", "groups", "fields_", "params_", "derived_", "predicates", "oracle")
    }
    content |= {name: content_of_value(getattr(cls, name)) for name in more}
    content["start"] = content_of_value(cls.starts.get(cls.default_start))
    content["goals"] = content_of_value(cls.all_goals())
    content["lemma"], content["hint"] = content_of_value(what), content_of_value(hint)
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def _times(value: int) -> str:
    return "" if value == 1 else f"{value} "
