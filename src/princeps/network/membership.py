"""What all nodes of a network run share, and what each of them is given."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from princeps.errors import RunError
from princeps.model.protocol import PopulationProtocol
from princeps.model.randomness import Stream
from princeps.model.run import Run
from princeps.model.states import State
from princeps.model.topology import COMPLETE, Topology
from princeps.network.log import StateTexts
from princeps.network.state_codec import StateCodec


@dataclass(frozen=True)
class Membership:
    """The protocol with its parameters, and what every frame of the run is marked by."""

    protocol: PopulationProtocol
    run: int  # a number of 32 bits
    key: bytes  # of the tags, 16 to 64 bytes

    # What agents of one process remember together: they meet the same states.

    @cached_property
    def codec(self) -> StateCodec:
        return StateCodec(self.protocol.space)

    @cached_property
    def texts(self) -> StateTexts:
        return StateTexts()

    @cached_property
    def results(self) -> dict[tuple[State, State], tuple[State, State]]:
        """Of the rule, for pairs of states, if it tosses no coins."""
        return {}


@dataclass(frozen=True)
class Timing:
    """Seconds. A frame is repeated after `repeat`, then after longer and longer times, each with a random factor."""

    repeat: float = 0.02
    slowest_repeat: float = 0.2
    ask: float = 0.2  # an initiator that gets no answer gives up
    lease: float = inf  # after which a wait for a commit or an acknowledgement is given up


def refuse_oracle(run: Run) -> None:
    if run.protocol.oracle is not None:
        raise RunError(
            f"{run.protocol.name} reads the oracle p.{run.protocol.oracle.name}, and no agent of a network knows the whole "
            f"configuration: use --mode conducted."
        )


def membership_of(run: Run, secret: bytes = b"") -> Membership:
    """`secret` makes a key that the seed does not tell."""
    digest = hashlib.blake2b(f"{run.seed}:{run.trial}".encode(), key=secret[:64], digest_size=36).digest()
    return Membership(run.protocol, int.from_bytes(digest[:4], "big"), digest[4:])


def stream_of(run: Run, agent: int, incarnation: int, purpose: str) -> Stream:
    """The randomness of one incarnation of one agent: "clock" or "coins"."""
    return run.stream(f"network:{agent}:{incarnation}:{purpose}")


def restart_state(run: Run, agent: int, incarnation: int, before: State) -> State:
    """A uniformly random legal state for an agent that comes back; its input is what it was."""
    return run.protocol.space.random_state(stream_of(run, agent, incarnation, "restart"), before)


def arcs_of(topology: Topology, agent: int) -> tuple[Sequence[int], Collection[int]]:
    """Whom the agent may ask, once for each arc, and who may ask it."""
    if topology.kind == COMPLETE:
        others = [other for other in range(topology.n) if other != agent]
        return others, frozenset(others)
    arcs = [topology.arc(k) for k in range(topology.arc_count)]
    return [j for i, j in arcs if i == agent], frozenset(i for i, j in arcs if j == agent)
