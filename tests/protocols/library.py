"""Each protocol of the library at small parameters, beside its independent transcription."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import princeps
from princeps.model.protocol import PopulationProtocol
from tests.protocols.transcription import (
    epidemic,
    fratricide,
    majority,
    numbered,
    p_ll,
    p_ll_symmetric,
    p_pl,
    p_rl,
    timer,
)

Rule = Callable[[dict[str, int], dict[str, int], dict[str, int]], tuple[dict[str, int], dict[str, int]]]


@dataclass(frozen=True)
class Case:
    """A protocol with parameters, and the rule that it must obey."""

    name: str
    params: tuple[tuple[str, int], ...]
    rule: Rule
    pairs: int  # how many random pairs of states, where not all can be tried

    @property
    def label(self) -> str:
        return "-".join([self.name, *(f"{name}{value}" for name, value in self.params)])

    def protocol(self) -> PopulationProtocol:
        made = princeps.protocol(self.name, n=2 if self.name != "p_ll_symmetric" else 3, **dict(self.params))
        return made.with_inputs(range(1, 7)) if made.input_field else made


def case(name: str, rule: Rule, pairs: int = 20_000, **params: int) -> Case:
    return Case(name, tuple(params.items()), rule, pairs)


CASES = [
    case("fratricide", fratricide.delta),
    case("epidemic", epidemic.delta),
    case("majority", majority.delta),
    case("timer", timer.delta, t_max=1),
    case("timer", timer.delta, t_max=3),
    case("timer", timer.delta, t_max=1000, pairs=100_000),
    case("p_rl", p_rl.delta, N=2),
    case("p_rl", p_rl.delta, N=3),
    case("p_rl", p_rl.delta, N=11, pairs=100_000),
    case("p_pl", p_pl.delta, N=2, c=1, virus_factor=1, emit_factor=1),
    case("p_pl", p_pl.delta, N=2, c=1, virus_factor=2, emit_factor=1),
    case("p_pl", p_pl.delta, N=60, c=2, virus_factor=3, emit_factor=2, pairs=100_000),
    case("p_ll", p_ll.delta, m=2, printed=0),
    case("p_ll", p_ll.delta, m=5, printed=0, pairs=100_000),
    case("p_ll", p_ll.delta, m=3, printed=1),
    case("p_ll_symmetric", p_ll_symmetric.delta, m=2, printed=0),
    case("p_ll_symmetric", p_ll_symmetric.delta, m=5, printed=0, pairs=100_000),
    case("p_ll_symmetric", p_ll_symmetric.delta, m=3, printed=1),
    case("known_bound", numbered.delta_known_bound, bound=6, pairs=100_000),
    case("infection", numbered.delta_infection, pairs=100_000),
    case("numbered", numbered.delta_numbered, m=1, min_interactions=0, printed=0),
    case("numbered", numbered.delta_numbered, m=2, min_interactions=4, printed=0, pairs=100_000),
    case("numbered", numbered.delta_numbered, m=1, min_interactions=0, printed=1),
    case("numbered", numbered.delta_numbered, m=2, min_interactions=4, printed=1),
]
