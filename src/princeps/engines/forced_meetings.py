"""A meeting by order: whether the pair may meet, and what the coins of its rule show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from princeps.errors import RunError
from princeps.model.coins import COINS, RecordedDraws
from princeps.model.randomness import Stream
from princeps.model.values import whole_number

if TYPE_CHECKING:
    from princeps.engines.session import Session

Pair = tuple[int, int]


def arc_of(session: Session, i: Any, j: Any) -> Pair:
    """An arc of the graph."""
    if not session.population.numbers_agents:
        session.population.refuse("gives agents no numbers, so it knows no pairs of them")
    pair = session.agent_number(i), session.agent_number(j)
    if pair[0] == pair[1]:
        raise RunError(f"({i}, {j}) is no arc, since no agent meets itself: choose two agents.")
    if not session.run.topology.has_arc(*pair) and not session.run.force:
        raise RunError(
            f"({i}, {j}) is no arc of {session.run.topology.text!r}: choose a pair that may meet, or give --force."
        )
    return pair


def able_arc(session: Session, i: Any, j: Any) -> Pair:
    """One along which something can happen."""
    pair = arc_of(session, i, j)
    gone = next((agent for agent in pair if agent in session.population.dead), None)
    if gone is not None:
        raise RunError(f"agent {gone} is dead and meets nobody: revive it with alive({gone}).")
    if pair in session.population.cuts:
        raise RunError(f"the arc {pair} is cut: restore it with heal({i}, {j}).")
    return pair


def draws_of(session: Session, pair: Pair, given: Any) -> tuple[int, ...]:
    """What the coins of a pair that meets by order show: what is given, or random, from a stream of this step."""
    protocol, population = session.run.protocol, session.population
    if given is not None:
        numbers = [whole_number(value) for value in given] if isinstance(given, Iterable) else [None]
        if None in numbers or isinstance(given, str):
            raise RunError(f"draws={given!r} is no list of what coins show: write it like draws=[1, 0].")
        return tuple(int(number) for number in numbers if number is not None)
    if not protocol.tosses:
        return ()
    run = session.run
    source = RecordedDraws(Stream.of(run.seed, run.trial, f"{COINS} of the pair after {session.steps}"))
    protocol.step(population.state(pair[0]), population.state(pair[1]), source, population.oracle_value())
    return tuple(source.values)
