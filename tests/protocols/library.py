"""Each protocol of the library at small parameters, beside its independent transcription."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import princeps
from princeps.model.protocol import PopulationProtocol
from princeps.model.states import State
from tests.protocols.transcription import (
    aafj,
    epidemic,
    fischer_jiang,
    fratricide,
    leader_minion,
    loose_ids,
    lottery,
    majority,
    michail,
    michail_roles,
    numbered,
    optimal_silent,
    p_ll,
    p_ll_symmetric,
    p_pl,
    p_rl,
    p_rl_oracle,
    silent_ranking,
    timer,
    tokens,
)

LEAST = {"aafj": 7, "fischer_jiang": 3, "leader_minion": 3, "p_ll_symmetric": 3}
Pair = tuple[State, State]
Rule = Callable[[dict[str, int], dict[str, int], dict[str, int]], tuple[dict[str, int], dict[str, int]]]


# With coins: every outcome and its probability, in any order, the same one more than once or not.
Law = Callable[
    [dict[str, int], dict[str, int], dict[str, int]], Iterable[tuple[Fraction, dict[str, int], dict[str, int]]]
]


@dataclass(frozen=True)
class Case:
    """A protocol with parameters, and the rule that it must obey."""

    name: str
    params: tuple[tuple[str, int], ...]
    rule: Rule | Law
    pairs: int  # how many random pairs of states, where not all can be tried

    @property
    def label(self) -> str:
        return "-".join([self.name, *(f"{name}{value}" for name, value in self.params)])

    @property
    def agents(self) -> int:
        """The fewest that the protocol takes, or those that it believes in."""
        if "size" in dict(self.params):
            return dict(self.params)["size"]
        return LEAST.get(self.name, 2)

    def expected(self, protocol: PopulationProtocol, a: State, b: State, told: int = 0) -> Pair | dict[Pair, Fraction]:
        """What the transcription makes of two states: two states, or a law if the rule tosses coins.

        What the oracle says is one of the parameters that a transcription reads.
        """
        names = protocol.space.names

        def listed(*sides: dict[str, int]) -> Pair:
            first, second = (tuple(side[name] for name in names) for side in sides)
            return first, second

        params = protocol.params if protocol.oracle is None else {**protocol.params, protocol.oracle.name: told}
        found: Any = self.rule(protocol.space.name_values(a), protocol.space.name_values(b), params)
        return gathered((chance, listed(x, y)) for chance, x, y in found) if protocol.tosses else listed(*found)

    def protocol(self) -> PopulationProtocol:
        made = princeps.protocol(self.name, n=self.agents, **dict(self.params))
        return made.with_inputs(range(1, 7)) if made.input_field else made


def case(name: str, rule: Rule | Law, pairs: int = 20_000, **params: int) -> Case:
    return Case(name, tuple(params.items()), rule, pairs)


def gathered(outcomes: Iterable[tuple[Fraction, Pair]]) -> dict[Pair, Fraction]:
    """Each outcome once."""
    found: dict[Pair, Fraction] = {}
    for chance, pair in outcomes:
        found[pair] = found.get(pair, Fraction()) + chance
    return found


def behaviour(protocol: PopulationProtocol, a: State, b: State, told: int = 0) -> Pair | dict[Pair, Fraction]:
    """What the library's rule makes of them, in the same form."""
    if not protocol.tosses:
        return protocol.step(a, b, None, told)
    return gathered((chance, pair) for chance, pair, _ in protocol.branches(a, b, told))


CASES = [
    case("fratricide", fratricide.delta),
    case("aafj", aafj.delta, k=2),
    case("aafj", aafj.delta, k=3),
    case("epidemic", epidemic.delta),
    case("fischer_jiang", fischer_jiang.delta),
    case("fischer_jiang_complete", fischer_jiang.delta_complete),
    case("leader_minion", leader_minion.delta, m=1),
    case("leader_minion", leader_minion.delta, m=4),
    case("leader_minion", leader_minion.delta, m=1000, pairs=100_000),
    case("loose_ids", loose_ids.delta, bound=6, t_max=1),
    case("loose_ids", loose_ids.delta, bound=6, t_max=3),
    case("loose_ids", loose_ids.delta, bound=8, t_max=1000, pairs=100_000),
    case("lottery", lottery.delta, m=1),
    case("lottery", lottery.delta, m=5),
    case("lottery", lottery.delta, m=17, pairs=100_000),
    case("majority", majority.delta),
    case("michail", michail.outcomes, tau=2, c_max=1, e_max=1),
    case("michail", michail.outcomes, tau=3, c_max=3, e_max=2),
    case("michail", michail.outcomes, tau=4, c_max=20, e_max=10, pairs=20_000),
    case("michail_roles", michail_roles.delta, bits=1, c_max=1, e_max=1),
    case("michail_roles", michail_roles.delta, bits=2, c_max=3, e_max=2),
    case("michail_roles", michail_roles.delta, bits=5, c_max=40, e_max=20, pairs=100_000),
    case("timer", timer.delta, t_max=1),
    case("timer", timer.delta, t_max=3),
    case("timer", timer.delta, t_max=1000, pairs=100_000),
    case("tokens", tokens.delta),
    case("p_rl", p_rl.delta, N=2),
    case("p_rl", p_rl.delta, N=3),
    case("p_rl", p_rl.delta, N=11, pairs=100_000),
    case("p_rl_oracle", p_rl_oracle.delta),
    case("p_pl", p_pl.delta, N=2, c=1, virus_factor=1, emit_factor=1),
    case("p_pl", p_pl.delta, N=2, c=1, virus_factor=2, emit_factor=1),
    case("p_pl", p_pl.delta, N=60, c=2, virus_factor=3, emit_factor=2, pairs=100_000),
    case("p_ll", p_ll.delta, m=2, printed=0),
    case("p_ll", p_ll.delta, m=5, printed=0, pairs=100_000),
    case("p_ll", p_ll.delta, m=3, printed=1),
    case("p_ll_symmetric", p_ll_symmetric.delta, m=2, printed=0),
    case("p_ll_symmetric", p_ll_symmetric.delta, m=5, printed=0, pairs=100_000),
    case("p_ll_symmetric", p_ll_symmetric.delta, m=3, printed=1),
    case("optimal_silent", optimal_silent.delta, size=2, r_max=1, d_max=1, e_max=1),
    case("optimal_silent", optimal_silent.delta, size=3, r_max=2, d_max=1, e_max=2),
    case("optimal_silent", optimal_silent.delta, size=6, r_max=3, d_max=2, e_max=4),
    case("optimal_silent", optimal_silent.delta, size=100, r_max=28, d_max=400, e_max=800, pairs=100_000),
    case("silent_ranking", silent_ranking.delta, size=2),
    case("silent_ranking", silent_ranking.delta, size=7),
    case("silent_ranking", silent_ranking.delta, size=1000),
    case("known_bound", numbered.delta_known_bound, bound=6, pairs=100_000),
    case("infection", numbered.delta_infection, pairs=100_000),
    case("numbered", numbered.delta_numbered, m=1, min_interactions=0, printed=0),
    case("numbered", numbered.delta_numbered, m=2, min_interactions=4, printed=0, pairs=100_000),
    case("numbered", numbered.delta_numbered, m=1, min_interactions=0, printed=1),
    case("numbered", numbered.delta_numbered, m=2, min_interactions=4, printed=1),
]
