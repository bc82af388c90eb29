"""What a point of a campaign is, by content: two descriptions of the same law are one point, wherever they were typed.

A function of a protocol's file is identified by its syntax tree. The names of its arguments and variables do not
matter, nor comments, docstrings and annotations; a name from outside stands for what it means: the tree of a helper,
the value of a constant. Fields, parameters and counts keep their names, because a user asks by them. So renaming or
moving a protocol changes nothing, and changing a rule makes a new point.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from princeps.model.canonical import content_of_value, tree_of
from princeps.model.fields import constants_of
from princeps.model.given_starts import GivenCounts
from princeps.model.protocol import Blocks, Counted, Goal, PopulationProtocol, Uniform
from princeps.model.run import Run
from princeps.model.starts import listed_states, starting_blocks
from princeps.model.topology import COMPLETE, DIRECTED_RING, UNDIRECTED_RING

DIGITS = 20  # of the hash: 80 bits


def content_of(run: Run) -> dict[str, Any]:
    """Everything that the law of a run depends on, and nothing else; and what decides which trial is which.

    The order of the fields is part of it: random states are drawn field by field.
    """
    protocol, cls = run.protocol, type(run.protocol)
    what: dict[str, Any] = {
        "interact": tree_of(cls.interact),
        "leads": tree_of(cls.is_leader),
        "fields": list(protocol.fields.items()),
        "legal": [[[values.start, values.stop] for values in group] for group in protocol.space.random_groups],
        "constants": {name: str(value) for name, value in sorted(constants_of(protocol.constants).items())},
        "derived": {name: tree_of(derived.of) for name, derived in sorted(cls.derived_.items())},
        "of_inputs": {name: content_of_value(of.of) for name, of in sorted(cls.of_inputs_.items())},
        "n": run.n,
        "graph": _graph(run),
        "start": _start(run),
        "goal": _goal(cls, run.goal),
        "faults": [fault.text for fault in run.faults],
        "hold": run.hold,
        "ids": _ids(run),
        "verdicts": {
            name: {"at": _goal(cls, cls.all_goals()[verdict.at]), "rule": _counting(cls, verdict.rule)}
            for name, verdict in sorted(cls.verdicts.items())
        },
    }
    if protocol.input_field is not None:  # then constants, and with them the random states, vary with the identifiers
        what["constants"] = {name: text for name, text in what["constants"].items() if name not in cls.of_inputs_}
        what["legal"] = [
            content_of_value(cls.groups),
            [
                [name, content_of_value(field.size), content_of_value(field.random_below)]
                for name, field in cls.fields_.items()
            ],
        ]
        what["fields"] = list(protocol.fields)
    if cls.oracle is not None:
        what["oracle"] = [cls.oracle.name, _counting(cls, cls.oracle.rule)]
    if not run.scheduler.draws_uniform_arcs:
        what["scheduler"] = run.scheduler.content
    if any(fault.every for fault in run.faults):  # such a run always goes on to its limit, which shapes what is seen
        what["max_steps"] = str(run.max_steps)
    return what


def identity(run: Run) -> str:
    return point_id(content_of(run))


def point_id(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def point_seed(campaign_seed: int, point: str) -> int:
    """The seed of a point's trials; below 2^48, so that every program reads it from JSON."""
    return int.from_bytes(hashlib.sha256(f"princeps campaign:{campaign_seed}:{point}".encode()).digest()[:6], "big")


# -- the parts of a run -----------------------------------------------------------------------------------------------


def _graph(run: Run) -> Any:
    topology = run.topology
    if topology.kind in (COMPLETE, DIRECTED_RING, UNDIRECTED_RING):
        return topology.kind
    if topology.is_drawn:
        name, _, shape = topology.text.partition(":")
        return [name, float(shape)]
    arcs = sorted(zip(topology.sources, topology.targets, strict=True))
    return "arcs:" + hashlib.sha256(repr(arcs).encode()).hexdigest()[:DIGITS]


def _start(run: Run) -> Any:
    if run.lists_states:
        return "states:" + hashlib.sha256(repr(listed_states(run)).encode()).hexdigest()[:DIGITS]
    rule = type(run.protocol).start_rule(run.start)
    if isinstance(rule, Blocks) and isinstance(rule.rule, GivenCounts):  # for one size, as a list is
        return "states:" + hashlib.sha256(repr(starting_blocks(run, rule)).encode()).hexdigest()[:DIGITS]
    if isinstance(rule, Uniform):
        return "uniform"
    return {"blocks": tree_of(rule.rule)} if isinstance(rule, Blocks) else tree_of(rule)


def _ids(run: Run) -> Any:
    if run.ids is None:
        return None
    return list(run.ids.listed) if run.ids.listed is not None else run.ids.at_most or "shuffled"


def _goal(cls: type[PopulationProtocol], goal: Goal) -> Any:
    if isinstance(goal, Counted):  # also one that was written on the spot: the same condition is the same point
        return {"kind": Counted.__name__, "rule": _counting(cls, goal.rule, goal)}
    return {"kind": type(goal).__name__, "rule": tree_of(goal.rule)}


def _counting(cls: type[PopulationProtocol], rule: Callable[..., Any], goal: Goal | None = None) -> Any:
    """A condition on counts, and the predicates behind the counts it asks for, itself or by its helpers."""
    tree = tree_of(rule)
    asked: set[str] = set()

    def walk(item: Any) -> None:
        if isinstance(item, list):
            if len(item) == 2 and item[0] == "attr" and isinstance(item[1], str):
                asked.add(item[1])
            for part in item:
                walk(part)

    walk(tree)
    known = cls.predicates_for(goal)
    return [tree, {name: tree_of(known[name]) for name in sorted(asked) if name in known}]
