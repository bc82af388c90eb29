"""Goals on whole configurations that are not tabulated: does their answer depend on the agents' positions?

Where configurations are listed up to symmetry, it must not. It is compared for all images of each listed configuration.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from princeps.analysis.configurations import Configurations
from princeps.analysis.goal_tables import POSITIONS_MATTER
from princeps.analysis.symmetry import Permutation
from princeps.analysis.targets import evaluate_rows
from princeps.errors import GraphError
from princeps.model.protocol import Closed

MAX_PERMUTED_AGENTS = 7  # of a complete graph, all of whose permutations are tried


def refuse_if_too_many_permutations(goal: Closed, n: int, group: Sequence[Permutation] | None) -> None:
    """Before anything is explored; `group` is None if every permutation is an automorphism."""
    if group is None and n > MAX_PERMUTED_AGENTS:
        raise GraphError(
            f"the goal {goal.rule.__name__} is stated for whole configurations; that it does not depend on the agents' "
            f"places is checked for at most {MAX_PERMUTED_AGENTS} agents: use --no-reduce, or choose another target."
        )


def refuse_if_positions_matter(goal: Closed, configurations: Configurations) -> None:
    """The goal must have the same value for all images of each listed configuration."""
    rows = configurations.agent_classes(0, configurations.size)
    values = evaluate_rows(goal, configurations, rows)
    group = permutations(range(configurations.n)) if configurations.group is None else configurations.group
    for permutation in group:
        if (values != evaluate_rows(goal, configurations, rows[:, list(permutation)])).any():
            raise GraphError(POSITIONS_MATTER.format(goal=goal.rule.__name__))
