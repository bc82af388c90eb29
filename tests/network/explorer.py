"""Every execution of a small population of nodes: the very object that runs, every loss, duplication, reordering and crash.

The network is the set of all frames that were ever sent: each may be delivered at any moment, any number of times, or
never. So it loses, repeats, delays and reorders, and repeating a frame adds nothing. Beside deliveries an execution
consists of requests (to any neighbour), of initiators that give up asking, of crashes (the agent comes back at once with
another state and the next incarnation), of agents that learn of a death, and, where there is a lease, of leases that run
out. An agent is explored as its memory and its log together; what an input makes of it is computed once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

from princeps.model import Param, PopulationProtocol, Range
from princeps.model.randomness import Stream
from princeps.network.handshake import ASKING, IDLE, LOG, Node
from princeps.network.membership import Membership
from princeps.network.wire import HEAD, NAMES
from tests.network.judge import Local, judge

SIZE = 1 << 24
MEMORY = ("incarnation", "state", "version", "mode", "counter", "partner", "partner_incarnation", "x", "frame")
TABLES = ("decided", "dead", "given_back", "given_up")


class Mixing(PopulationProtocol):
    """Every interaction leaves its mark on both states, so that a state tells its whole history."""

    name = "mixing"
    unused = Param(default=0)
    value = Range(SIZE)

    @staticmethod
    def interact(a: Any, b: Any, p: Any) -> None:
        x, y = a.value, b.value
        a.value = (x * 31 + y * 17 + 1) % 16777216
        b.value = (x * 13 + y * 7 + 5) % 16777216

    @staticmethod
    def is_leader(a: Any, p: Any) -> int:
        return int(a.value == 0)


class NoChance(Stream):
    """No exploration depends on a random number."""

    def __init__(self) -> None:
        super().__init__((0, 0, 0, 0))

    def next64(self) -> int:
        return 0


class World(NamedTuple):
    locals: tuple[int, ...]  # of each agent
    network: int  # the frames that were sent, one bit for each
    requests: tuple[int, ...]  # that each agent may still begin
    crashes: int


@dataclass
class Found:
    worlds: int
    complete: bool
    violation: str = ""
    schedule: list[str] = field(default_factory=list)


class Explorer:
    def __init__(
        self,
        requests: tuple[int, ...],
        crashes: int = 0,
        node: type[Node] = Node,
        lease: bool = False,
        detector: bool = False,
    ) -> None:
        """`requests` are those that each agent may begin; with a `detector` agents may be told of deaths."""
        n = self.n = len(requests)
        self.lease, self.detector, self.linearized = lease, detector, node is Node and not lease
        self.member = Membership(Mixing(), 7, b"k" * 16)
        self.nodes = [
            node(self.member, agent, 1, (agent,), self.others(agent), frozenset(self.others(agent)), NoChance())
            for agent in range(n)
        ]
        self.locals: list[Local] = []
        self._ids: dict[Local, int] = {}
        self.frames: list[tuple[int, bytes]] = []
        self._frame_ids: dict[tuple[int, bytes], int] = {}
        self._moves: dict[tuple[int, Any], tuple[int, int]] = {}
        self._judged: dict[tuple[int, ...], str] = {}
        self.first = World(tuple(self._started(agent, 1) for agent in range(n)), 0, requests, crashes)

    def others(self, agent: int) -> list[int]:
        return [other for other in range(self.n) if other != agent]

    def explore(self, most: int = 10**9) -> Found:
        """Breadth first, so that the schedule of a violation is a shortest one."""
        before: dict[World, tuple[World, str] | None] = {self.first: None}
        level = [self.first]
        while level:
            following = []
            for world in level:
                if complaint := self._judge(world.locals):
                    return Found(len(before), False, complaint, self._schedule(before, world))
                for word, after in self.successors(world):
                    if after not in before:
                        before[after] = world, word
                        following.append(after)
            if len(before) > most:
                return Found(len(before), False)
            level = following
        return Found(len(before), True)

    def _schedule(self, before: dict[World, tuple[World, str] | None], world: World) -> list[str]:
        words = []
        while (step := before[world]) is not None:
            world, word = step
            words.append(word)
        return words[::-1]

    def successors(self, world: World) -> Iterator[tuple[str, World]]:
        locals_, network, requests, crashes = world
        for agent, local in enumerate(locals_):
            mine = self.locals[local]
            for k, (to, data) in enumerate(self.frames):
                if to == agent and network >> k & 1:
                    moved = self._moved(agent, local, k)
                    if moved[0] != local or moved[1] & ~network:
                        yield self._words(data), self._after(world, agent, moved)
            if mine.mode == IDLE and requests[agent]:
                left = tuple(r - (k == agent) for k, r in enumerate(requests))
                for other in self.others(agent):
                    moved = self._moved(agent, local, ("ask", other))
                    yield f"{agent} asks {other}", self._after(world._replace(requests=left), agent, moved)
            if mine.mode == ASKING or (self.lease and mine.mode != IDLE):
                moved = self._moved(agent, local, ("give up",))
                yield f"{agent} gives up", self._after(world, agent, moved)
            if crashes:
                moved = self._moved(agent, local, ("crash",))
                yield f"{agent} crashes", self._after(world._replace(crashes=crashes - 1), agent, moved)
            if self.detector:
                for other in self.others(agent):
                    dead = self.locals[locals_[other]].incarnation - 1
                    if dead > dict(mine.tables[1]).get(other, 0):
                        moved = self._moved(agent, local, ("told", other, dead))
                        yield f"{agent} is told that {other} died", self._after(world, agent, moved)

    def _after(self, world: World, agent: int, moved: tuple[int, int]) -> World:
        own = world.locals
        return world._replace(locals=(*own[:agent], moved[0], *own[agent + 1 :]), network=world.network | moved[1])

    def _words(self, data: bytes) -> str:
        _, _, kind, _, to, sender, incarnation, counter = HEAD.unpack_from(data)
        return f"{NAMES[kind]} {counter} from {sender}.{incarnation} reaches {to}"

    # -- one agent ----------------------------------------------------------------------------------------------------

    def _moved(self, agent: int, local: int, given: Any) -> tuple[int, int]:
        """What an input makes of an agent, and the frames that it sends."""
        known = self._moves.get((local, given))
        if known is None:
            known = self._moves[local, given] = self._move(agent, local, given)
        return known

    def _move(self, agent: int, local: int, given: Any) -> tuple[int, int]:
        mine, node, out = self.locals[local], self.nodes[agent], list[tuple[int, bytes]]()
        if given == ("crash",):
            return self._started(agent, mine.incarnation + 1, (*mine.log, f'["dead",{agent},{mine.incarnation}]')), 0
        self._load(node, mine)
        if isinstance(given, int):
            out = node.receive(0.0, self.frames[given][1])
        elif given[0] == "ask":
            node.ask(0.0, given[1], out)
        elif given[0] == "told":
            out = node.told_dead(0.0, *given[1:])
        else:
            node.limit = 0.0
            out = node.timer(0.0)
        log = mine.log + tuple(data.decode().strip() for to, data in out if to == LOG)
        sent = 0
        for to, data in out:
            if to != LOG:
                sent |= 1 << self._frame_id(to, data)
        return self._local(node, log), sent

    def _frame_id(self, to: int, data: bytes) -> int:
        found = self._frame_ids.get((to, data))
        if found is None:
            found = self._frame_ids[to, data] = len(self.frames)
            self.frames.append((to, data))
        return found

    def _started(self, agent: int, incarnation: int, log: tuple[str, ...] = ()) -> int:
        node = self.nodes[agent]
        fresh = type(node)(
            self.member, agent, incarnation, (1000 * incarnation + agent,), node.targets, node.sources, node.stream
        )
        return self._local(fresh, log + tuple(data.decode().strip() for _, data in fresh.start(0.0)))

    def _local(self, node: Node, log: tuple[str, ...]) -> int:
        tables = tuple(tuple(sorted(getattr(node, name).items())) for name in TABLES)
        local = Local(**{name: getattr(node, name) for name in MEMORY}, tables=tables, log=log)
        found = self._ids.get(local)
        if found is None:
            found = self._ids[local] = len(self.locals)
            self.locals.append(local)
        return found

    def _load(self, node: Node, local: Local) -> None:
        for name in MEMORY:
            setattr(node, name, getattr(local, name))
        for name, items in zip(TABLES, local.tables, strict=True):
            setattr(node, name, dict(items))
        node.wake = node.limit = inf

    def _judge(self, locals_: tuple[int, ...]) -> str:
        known = self._judged.get(locals_)
        if known is None:
            own = [self.locals[one] for one in locals_]
            known = self._judged[locals_] = judge(own, self.member.protocol, self.linearized)
        return known
