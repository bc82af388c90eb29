"""Sets of configurations whose hitting times may be asked for, and which agent states they distinguish.

`safe` is not a goal but computed from the chain (StateSpace.safe). A goal on counts depends on an agent's state only
through its predicates. A goal on whole configurations is tabulated where that is possible (goal_tables.py). Elsewhere
two states are taken to be equal for it if they agree in all the fields that it reads.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis.agent_states import AgentStates
from princeps.analysis.chain import Bits
from princeps.analysis.configurations import Configurations
from princeps.analysis.goal_tables import GoalTables, can_tabulate, raise_with_line
from princeps.errors import RunError, UnknownName
from princeps.lowering.status import RULE_ERRORS
from princeps.model.ad_hoc_goals import goal_named, is_name, read_goal
from princeps.model.fields import Counts
from princeps.model.predicates import read_predicates
from princeps.model.protocol import Closed, Counted, PopulationProtocol, Predicate

SAFE = "safe"
PORTION = 1 << 22  # configurations between two reports of progress
EVALUATED_ONE_BY_ONE = 64  # up to this many configurations, looking for equal counts takes longer
QUANTIFIED = re.compile(r"(some|all|none):(.*)", re.DOTALL)


@dataclass(frozen=True)
class Target:
    """`goal` is None for the largest safe set. A goal given as text, `some:PREDICATE`, has its predicate in `given`."""

    name: str
    goal: Counted | Closed | None = None
    given: dict[str, Predicate] = field(default_factory=dict)
    values: dict[tuple[int, ...], bool] = field(default_factory=dict, compare=False)  # of a goal on counts, by counts

    def predicates(self, agent_states: AgentStates) -> dict[str, Predicate]:
        """The predicates on one agent whose counts decide the goal."""
        if not isinstance(self.goal, Counted):
            return {}
        if self.given:
            return self.given
        known = type(agent_states.protocol).predicates_for(self.goal)
        return {name: known[name] for name in agent_states.kernels.tracked(self.goal)}


def find_target(protocol: PopulationProtocol, name: str | None) -> Target:
    """A goal of the protocol, `safe`, a condition on counts, or `some:`, `all:`, `none:` with a predicate on one agent."""
    cls = type(protocol)
    if name is None:
        name = SAFE if cls.guarantee == "self-stabilizing" else cls.default_goal
    if name == SAFE:
        return Target(SAFE)
    goals = cls.all_goals()
    if name in goals:
        return Target(name, goals[name])
    found = QUANTIFIED.fullmatch(name)
    if found is None and is_name(name):
        raise UnknownName("target", name, {*goals, SAFE, "some:PREDICATE", "all:PREDICATE", "none:PREDICATE"})
    if found is None:
        spelled = read_goal(protocol, name)
        return Target(spelled, goal_named(protocol, spelled))
    quantifier, text = found[1], found[2].strip()
    predicate = next(iter(read_predicates(protocol, {"here": text}).values()))

    def rule(c: Counts, p: Any) -> int:
        return {"some": c.here >= 1, "all": c.here == c.n, "none": c.here == 0}[quantifier]

    return Target(name, Counted(rule), {"here": predicate})


def colours(target: Target, agent_states: AgentStates, tables: GoalTables) -> Any:
    """Columns of numbers, a row for each state: states with different rows must not be merged."""
    columns: list[Any] = [agent_states.leader_mask()]
    columns += [agent_states.satisfying(predicate) for predicate in target.predicates(agent_states).values()]
    if isinstance(target.goal, Closed):
        if can_tabulate(agent_states, tables.n):
            columns += list(tables.contexts(target.goal))
        else:
            names = agent_states.protocol.space.names
            fields = [names.index(name) for name in agent_states.kernels.fields_read(target.goal)]
            columns += [np.array([state[k] for state in agent_states.states]) for k in fields]
    return np.stack([np.unique(column, return_inverse=True)[1].ravel() for column in columns], axis=1)


def members(target: Target, configurations: Configurations, first: int, last: int) -> Bits:
    """Which of the configurations first..last-1 belong to the target."""
    if target.goal is None:
        raise RunError("the largest safe set is computed from the chain, not asked of a configuration.")
    if isinstance(target.goal, Counted):
        return _members_by_counts(target, configurations, first, last)
    return evaluate_rows(target.goal, configurations, configurations.agent_classes(first, last))


def _members_by_counts(target: Target, configurations: Configurations, first: int, last: int) -> Bits:
    """The rule is evaluated once for each combination of counts that occurs."""
    agent_states, representative = configurations.agent_states, configurations.classes.representative
    columns = [
        configurations.count_agents(agent_states.satisfying(predicate)[representative], first, last)
        for predicate in target.predicates(agent_states).values()
    ]
    table = np.stack(columns, axis=1)
    if last - first <= EVALUATED_ONE_BY_ONE:
        return np.array([_value(target, configurations, tuple(row)) for row in table.tolist()], np.bool_)
    base = configurations.n + 1
    if base ** len(columns) <= last - first:  # few combinations are possible: index them, without sorting
        key = np.zeros(last - first, np.int64)
        for column in columns:
            key = key * base + column
        values = np.zeros(base ** len(columns), np.bool_)
        for k in np.flatnonzero(np.bincount(key, minlength=len(values))).tolist():
            digits = [k // base**power % base for power in range(len(columns) - 1, -1, -1)]
            values[k] = _value(target, configurations, tuple(digits))
        return np.asarray(values[key])
    different, where = np.unique(table, axis=0, return_inverse=True)
    return np.array([_value(target, configurations, tuple(row)) for row in different.tolist()], np.bool_)[where.ravel()]


def _value(target: Target, configurations: Configurations, counts: tuple[int, ...]) -> bool:
    if counts not in target.values:
        assert isinstance(target.goal, Counted)
        protocol = configurations.agent_states.protocol
        names = target.predicates(configurations.agent_states)
        named = Counts({**dict(zip(names, counts, strict=True)), "n": configurations.n})
        target.values[counts] = bool(protocol.ask(target.goal.rule, named, protocol.constants))
    return target.values[counts]


def evaluate_rows(goal: Closed, configurations: Configurations, rows: NDArray[np.uint16]) -> Bits:
    """The value of a goal for each row of classes, one an agent."""
    agent_states, representative = configurations.agent_states, configurations.classes.representative
    kernels = agent_states.kernels
    words = kernels.pack([agent_states.states[k] for k in representative])
    judge, out = kernels.judge(goal).judge_rows, np.zeros(len(rows), np.bool_)
    rows = np.ascontiguousarray(rows)
    for begin in range(0, len(rows), PORTION):
        try:
            judge(rows, words, kernels.constants, out, begin, min(len(rows), begin + PORTION))
        except RULE_ERRORS:
            raise_with_line(goal, agent_states, representative[rows[begin : begin + PORTION]].tolist())
            raise kernels.overflow() from None
        configurations.progress("judging", begin, len(rows))
    return out
