"""A fair adversary's schedule as a list of pairs: a stem, and a cycle that brings the population back to where it was.

Configurations are listed over merged states. The cycle is therefore walked on real states until these repeat as well; what
comes before that belongs to the stem.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from princeps.analysis.arc_moves import ArcMoves
from princeps.analysis.counterexamples import told_by_oracle
from princeps.analysis.replaying import Move, replay_command
from princeps.model.run import Run
from princeps.model.scheduler import Pair
from princeps.model.states import State

LONGEST = 100_000  # interactions until real states repeat


@dataclass(frozen=True)
class Lasso:
    """From `states` the stem leads to a configuration, and the cycle, which contains every arc, from there to itself.

    `command` replays both, the cycle once.
    """

    states: tuple[State, ...]
    stem: tuple[Pair, ...]
    cycle: tuple[Pair, ...]
    command: str
    draws: tuple[()] = ()  # as of a Counterexample: no coins are tossed, and nothing is torn
    sides: tuple[()] = ()

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return (*self.stem, *self.cycle)

    def as_json(self, names: tuple[str, ...]) -> dict[str, Any]:
        return {
            "states": [dict(zip(names, state, strict=True)) for state in self.states],
            "stem": [list(pair) for pair in self.stem],
            "cycle": [list(pair) for pair in self.cycle],
            "command": self.command,
        }


def lasso_of(
    run: Run, moves: ArcMoves, states: list[State], stem: list[tuple[int, int]], cycle: list[tuple[int, int]]
) -> Lasso | None:
    """None where real states take too long to repeat."""
    begin = list(states)
    before = [moves.arcs[e] for _, e in stem]
    around = [moves.arcs[e] for _, e in cycle]
    states = walked(run, states, before)
    seen = {tuple(states): 0}
    while len(seen) * len(around) <= LONGEST:
        states = walked(run, states, around)
        if tuple(states) in seen:
            first = seen[tuple(states)]
            whole_stem, whole_cycle = before + first * around, (len(seen) - first) * around
            command = replay_command(run, begin, [Move(pair) for pair in whole_stem + whole_cycle])
            shown = tuple(map(run.protocol.space.shown, begin))
            return Lasso(shown, tuple(whole_stem), tuple(whole_cycle), command)
        seen[tuple(states)] = len(seen)
    return None


def walked(run: Run, states: list[State], pairs: list[Pair]) -> list[State]:
    """The states after these interactions, whose rule tosses no coins."""
    states = list(states)
    for i, j in pairs:
        states[i], states[j] = run.protocol.step(states[i], states[j], None, told_by_oracle(run, states))
    return states
