"""A whole network run in memory and virtual time: nodes, frames, the log as it is written, and its judge."""

from __future__ import annotations

from functools import partial
from math import inf

from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.model.states import State
from princeps.network.attacker import ATTACKER, Attacker
from princeps.network.conductor import ConductedNode, Conductor
from princeps.network.handshake import Node, Outputs
from princeps.network.log import parsed
from princeps.network.making import make_node
from princeps.network.membership import Timing, membership_of, refuse_oracle, restart_state
from princeps.network.memory import Conditions, MemoryNetwork
from princeps.network.observer import Observer
from princeps.network.wire import CONDUCTOR

SHORTEST_DRAIN = 5.0  # seconds of virtual time for what was begun to be finished


def _tell_dead(node: Node, agent: int, incarnation: int, now: float) -> Outputs:
    return node.told_dead(now, agent, incarnation)


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
        garbage: float = 0.0,
        stay_dead: bool = False,
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
        self.observer = Observer(run, conducted, stay_dead)
        self.linearizer, self.replay = self.observer.linearizer, self.observer.replay
        self.network = MemoryNetwork(run.stream("network:memory"), self._write, conditions)
        self.incarnations = [0] * run.n
        self.dead: dict[int, int] = {}
        self.nodes: list[Node] = [self._begin(agent, state) for agent, state in enumerate(starting_states(run))]
        self.conductor: Conductor | None = None
        self.attacker: Attacker | None = None
        if conducted:
            self.conductor = Conductor(run, self.member, self.timing, limit, to_goal)
            self.network.add(CONDUCTOR, self.conductor)
        if garbage:
            attacker = self.attacker = Attacker(run.stream("network:garbage"), run.n, garbage)
            self.network.seen = lambda sender, to, data: attacker.overheard.append(data) if sender != ATTACKER else None
            self.network.add(ATTACKER, attacker)

    def _begin(self, agent: int, state: State) -> Node:
        self.incarnations[agent] += 1
        dead = [(other, gone) for other, gone in self.dead.items() if other != agent]
        node = make_node(
            self.node, self.run, self.member, agent, self.incarnations[agent], state, self.rate, self.timing, dead
        )
        self.network.add(agent, node)
        return node

    def _write(self, line: bytes) -> None:
        self.lines.append(line)
        found = parsed(line)
        assert found is not None
        self.observer.read(found, self.network.now)

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
        """Its process ends between two instructions; the others are told. What it has counted is known here."""
        if agent in self.network.participants:
            self._write(self.nodes[agent].tally_line())
        self.network.remove(agent)
        incarnation = self.dead[agent] = self.incarnations[agent]
        running = [own if other in self.network.participants else 0 for other, own in enumerate(self.incarnations)]
        self._write(f'["dead",{agent},{incarnation},{running}]\n'.encode())
        for other, node in enumerate(self.nodes):
            if other in self.network.participants:
                self.network.tell(other, partial(_tell_dead, node, agent, incarnation))

    @property
    def running(self) -> list[int]:
        """The agents that are not dead."""
        return [agent for agent in range(self.run.n) if agent in self.network.participants]

    def pause(self, agent: int, seconds: float) -> None:
        """Its process is stopped for so long: frames and its clock wait."""
        if agent in self.network.participants:
            until = self.network.now + seconds
            self.network.paused[agent] = max(until, self.network.paused.get(agent, 0.0))

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
        self.network.paused.clear()
        if self.attacker is not None:
            self.network.remove(ATTACKER)
            self._write(self.attacker.tally_line())
        self.network.run(self.network.now + drain, lambda: not any(node.busy for node in living))
        for node in living:
            self._write(node.tally_line())
        self.observer.finish(self.network.now)
