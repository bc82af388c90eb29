"""What is proved, tried on a few agents by the plain rule before it is told.

A proof rests on how this program reads a file. Random meetings cannot confirm that, but they notice a gross error of it, and
they cost milliseconds; what they break is reported, proof or no proof.
"""

from __future__ import annotations

from princeps.errors import PrincepsError
from princeps.model.goals import Closed
from princeps.model.lemmas import EveryAgent, Never, Stays, StaysElected
from princeps.model.protocol import PopulationProtocol
from princeps.model.randomness import Stream
from princeps.model.step_facts import Marked, WithGhosts
from princeps.proofs.plain import breaking, has_inputs, results
from princeps.proofs.refuting import start_of
from princeps.proofs.rings.replaying import breaks
from princeps.proofs.verdicts import Counterexample, Statement

SIZES = (2, 3, 4)
MEETINGS = 100  # at each size
CONTRADICTED = "a proof was found, and yet these agents break it: this is a fault of princeps, please report it"


def contradiction(statement: Statement) -> Counterexample | None:
    """Agents that break what was proved; None is what one expects."""
    cls = statement.cls
    if isinstance(statement.what, WithGhosts | Marked) or has_inputs(cls):
        return None
    for n in SIZES:
        try:
            found = _tried(statement, cls(n), n)
        except PrincepsError:  # a size, or a state, that the file does not accept
            continue
        if found is not None:
            return found
    return None


def _tried(statement: Statement, protocol: PopulationProtocol, n: int) -> Counterexample | None:
    stream = Stream.of(1, n, "trying")
    blank = (0,) * len(protocol.space.names)
    from_start = statement.kind == "invariant" or isinstance(statement.what, EveryAgent)
    begun = start_of(protocol, n) if from_start else None
    if from_start and begun is None:
        return None
    states, pairs, shown = begun or (), list[tuple[int, int]](), list[tuple[int, ...]]()
    for _ in range(MEETINGS):
        if begun is None:
            states, pairs, shown = tuple(protocol.space.random_state(stream, blank) for _ in range(n)), [], []
        i = stream.below(n)
        j = (i + 1) % n if statement.cls.topology == "ring" else (i + 1 + stream.below(n - 1)) % n
        first = begun or states
        draws = _breaks(statement, protocol, states, (i, j))
        if draws is not None:
            return Counterexample(protocol, first, (*pairs, (i, j)), (*shown, draws))
        found = results(protocol, states, (i, j))
        states, drawn = found[stream.below(len(found))]
        pairs.append((i, j))
        shown.append(drawn)
    return None


def _breaks(
    statement: Statement, protocol: PopulationProtocol, states: tuple[tuple[int, ...], ...], pair: tuple[int, int]
) -> tuple[int, ...] | None:
    what = statement.what
    if isinstance(what, Stays | StaysElected | Never):
        name = what.begin if isinstance(what, Never) else what.of
        if isinstance(type(protocol).all_goals().get(name), Closed):
            for after, draws in results(protocol, states, pair):
                if breaks(what, protocol, list(states), list(after), pair):
                    return draws
            return None
    return breaking(statement, protocol, states, pair)
