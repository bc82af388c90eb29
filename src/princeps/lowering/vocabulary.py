"""What the functions of one protocol may name after a dot, and which counts its goals ask for. No numpy here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from princeps.errors import ProtocolError
from princeps.lowering.language import Flattener
from princeps.lowering.memory import remembered
from princeps.lowering.trees import TheCounts, TheParams, Vocabulary
from princeps.model.fields import constants_of
from princeps.model.goals import Goal, own_predicates
from princeps.model.protocol import PopulationProtocol

LEADERS = "leaders"  # the count that every run keeps


def vocabulary_of(protocol: PopulationProtocol, goal: Goal | None = None) -> Vocabulary:
    space = protocol.space
    fields = list(zip(space.names, space.sizes, space.fields, strict=True))
    return Vocabulary(
        fields={name: size if field.fixed else None for name, size, field in fields},
        scratch=space.scratch,
        params=sorted(constants_of(protocol.constants)),
        inputs=[name for name, _, field in fields if field.is_input],
        counts=list(type(protocol).predicates_for(goal)),
        unbounded=[name for name, size, _ in fields if size is None],
        oracle=None if protocol.oracle is None else protocol.oracle.name,
    )


def counts_asked(
    protocol: PopulationProtocol, rules: Sequence[Callable[..., Any]], goal: Goal | None = None
) -> list[str]:
    """The predicates whose counts these conditions ask for, and the leaders, which are always counted.

    `goal` is the one among them that may bring predicates of its own.

    No other predicate is evaluated in a run: what it would do at some state is nobody's business. All of them, where a
    condition is not in the language of protocol files, so that no compiled engine takes it.
    """
    known = remembered(type(protocol), "counts asked for")
    key = (*rules, *own_predicates(goal))
    if key not in known:
        known.keep(key, _counts_asked(protocol, rules, goal))
    found: list[str] = known[key]
    return found


def _counts_asked(protocol: PopulationProtocol, rules: Sequence[Callable[..., Any]], goal: Goal | None) -> list[str]:
    words, asked = vocabulary_of(protocol, goal), {LEADERS}
    for rule in rules:
        try:
            flat = Flattener(rule, words)
            flat.expression([TheCounts(), TheParams()])
        except (ProtocolError, RecursionError):
            return list(words.counts)
        asked |= flat.used_counts
    return [name for name in words.counts if name in asked]
