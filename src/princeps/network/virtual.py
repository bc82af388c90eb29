"""A whole network run in memory and virtual time: nodes, frames, the log as it is written, and its judge."""

from __future__ import annotations

import hashlib
from math import inf

from princeps.errors import RunError
from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.model.states import State
from princeps.network.conductor import ConductedNode, Conductor
from princeps.network.fairness import Fairness, fairness
from princeps.network.handshake import Node
from princeps.network.linearize import Linearizer
from princeps.network.log import parsed
from princeps.network.membership import Membership, Timing, arcs_of, restart_state, stream_of
from princeps.network.memory import Conditions, MemoryNetwork
from princeps.network.replay import Replay
from princeps.network.wire import CONDUCTOR

SHORTEST_DRAIN = 5.0  # seconds of virtual time for what was begun to be finished


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


class VirtualRun:
    """One run; `rate` is that of a clock of one arc, a second."""

    def __init__(
        self,
        run: Run,
        *,
        conducted: bool = False,
        rate: float = 1.0,
        conditions: Conditions | None = None,
        timing: Timing | None = None,
        limit: float = inf,
        to_goal: bool = True,
        node: type[Node] = Node,
    ) -> None:
        if not conducted:
            refuse_oracle(run)
        self.run, self.rate, self.timing, self.node = (
            run,
            rate,
            timing or Timing(),
            ConductedNode if conducted else node,
        )
        self.member = membership_of(run)
        self.lines: list[bytes] = []
        self.linearizer, self.replay = Linearizer(run.n), Replay(run)
        self.network = MemoryNetwork(run.stream("network:memory"), self._write, conditions)
        self.incarnations = [0] * run.n
        self.dead: dict[int, int] = {}
        self.nodes: list[Node] = [self._begin(agent, state) for agent, state in enumerate(starting_states(run))]
        self.conductor: Conductor | None = None
        if conducted:
            self.conductor = Conductor(run, self.member, self.timing, limit, to_goal)
            self.network.add(CONDUCTOR, self.conductor)

    def _begin(self, agent: int, state: State) -> Node:
        run = self.run
        self.incarnations[agent] += 1
        incarnation = self.incarnations[agent]
        node = self.node(
            self.member,
            agent,
            incarnation,
            state,
            *arcs_of(run.topology, agent),
            stream=stream_of(run, agent, incarnation, "clock"),
            coins=stream_of(run, agent, incarnation, "coins") if run.protocol.tosses else None,
            rate=self.rate,
            timing=self.timing,
            dead=[(other, dead) for other, dead in self.dead.items() if other != agent],
        )
        self.network.add(agent, node)
        return node

    def _write(self, line: bytes) -> None:
        self.lines.append(line)
        found = parsed(line)
        assert found is not None
        self.replay.apply_all(self.linearizer.feed(found))

    # -- what is done to it ---------------------------------------------------------------------------------------------

    def run_until(self, moment: float = inf, interactions: float = inf, goal: bool = False) -> None:
        """Until this moment, until so many interactions are in order, or until the goal holds."""
        replay = self.replay
        if self.conductor is not None:
            conductor = self.conductor
            self.network.run(moment, lambda: conductor.ended)
        else:
            self.network.run(
                moment, lambda: replay.interactions >= interactions or (goal and replay.first_hit is not None)
            )

    def kill(self, agent: int) -> None:
        """Its process ends between two instructions; the others are told."""
        self.network.remove(agent)
        incarnation = self.dead[agent] = self.incarnations[agent]
        running = [own if other in self.network.participants else 0 for other, own in enumerate(self.incarnations)]
        self._write(f'["dead",{agent},{incarnation},{running}]\n'.encode())
        for other, node in enumerate(self.nodes):
            if other in self.network.participants:
                self.network.act(other, node.told_dead(self.network.now, agent, incarnation))

    def restart(self, agent: int, state: State | None = None) -> None:
        before = self.nodes[agent].state
        self.nodes[agent] = self._begin(
            agent, state or restart_state(self.run, agent, self.incarnations[agent] + 1, before)
        )

    def finish(self, drain: float = SHORTEST_DRAIN) -> None:
        """Nobody begins anything more; what was begun is finished, and the log ends."""
        living = [self.nodes[agent] for agent in range(self.run.n) if agent in self.network.participants]
        for node in living:
            node.stop()
        self.network.run(self.network.now + drain, lambda: not any(node.busy for node in living))
        for node in living:
            self._write(node.tally_line())
        self.replay.apply_all(self.linearizer.finish())

    @property
    def fairness(self) -> Fairness:
        return fairness(self.replay.pairs, self.run.topology, self.linearizer.counters.refused_share)
