"""What the tests of clusters share: files with free ports, and nodes in virtual time."""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from princeps.model.starts import starting_states
from princeps.network.cluster.file import Cluster, read_cluster
from princeps.network.cluster.joining import offer_of
from princeps.network.cluster.node import ClusterNode
from princeps.network.cluster.seat import head_line
from princeps.network.cluster.terms import Terms
from princeps.network.handshake import LOG
from princeps.network.making import make_node
from princeps.network.membership import restart_state
from tests.conftest import PATIENCE

KEY = "a key of more than sixteen bytes"
# an address of the loopback interface for this process alone: a port that is free for a moment, because its agent has
# not come yet, is not given to anybody else on this machine
OWN = os.getpid()
HOST = f"127.{1 + OWN % 250}.{OWN // 250 % 250}.{1 + OWN // 62_500 % 250}" if sys.platform == "linux" else "127.0.0.1"


def write(directory: Path, n: int = 4, name: str = "cluster.toml", **given: Any) -> Path:
    """A file with free ports; those of another file of the same directory are kept."""
    before = next(iter(directory.glob("*.toml")), None)
    if before is not None:
        ports = [port for _, port in read_cluster(before).addresses]
    else:
        kind = socket.SOCK_STREAM if given.get("transport") == "tcp" else socket.SOCK_DGRAM
        sockets = [socket.socket(socket.AF_INET, kind) for _ in range(n)]
        for one in sockets:
            one.bind((HOST, 0))
        ports = [one.getsockname()[1] for one in sockets]
        for one in sockets:
            one.close()
    values: dict[str, Any] = {"protocol": "timer", "rate": 200, "logs": "logs", **given}
    lines = [f"{key} = {toml(value)}" for key, value in values.items()]
    lines.append(f"agents = {json.dumps([f'{HOST}:{port}' for port in ports])}")
    path = directory / name
    path.write_text("\n".join(lines))
    return path


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(part)}" for key, part in value.items()) + "}"
    return json.dumps(value)


async def until(condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


class Wires:
    """Nodes of a cluster in virtual time; every frame is kept."""

    def __init__(self, cluster: Cluster, loss: float = 0.0) -> None:
        self.cluster, self.now, self.loss, self.numbers = cluster, 0.0, loss, random.Random(1)
        self.nodes: dict[int, ClusterNode] = {}
        self.frames: list[tuple[int, bytes]] = []
        self.lines: list[bytes] = []

    def start(self, agent: int, incarnation: int = 1) -> None:
        run = self.cluster.run
        state = starting_states(run)[agent]
        if incarnation > 1:
            state = restart_state(run, agent, incarnation, state)
        timing, rate = self.cluster.timing, self.cluster.arc_rate
        node = make_node(ClusterNode, run, self.cluster.membership, agent, incarnation, state, rate, timing, ())
        assert isinstance(node, ClusterNode)
        node.prepare(offer_of(run), bytes([agent, incarnation] * 8), Terms(agent, run.n, 0, lambda count: None))
        self.nodes[agent] = node
        self.carry(node.start(self.now))

    def carry(self, outputs: list[tuple[int, bytes]]) -> None:
        for to, data in outputs:
            if to == LOG:
                self.lines.append(data)
                continue
            self.frames.append((to, data))
            if to in self.nodes and self.numbers.random() >= self.loss:
                self.carry(self.nodes[to].receive(self.now, data))

    def go_on(self, rings: int) -> None:
        for _ in range(rings):
            node = min(self.nodes.values(), key=lambda node: node.next_timer())
            self.now = node.next_timer()
            self.carry(node.timer(self.now))

    def write_logs(self, directory: Path) -> None:
        """A file for each incarnation, as the agents of a cluster write them."""
        directory.mkdir()
        for line in self.lines:
            agent, incarnation = json.loads(line)[1:3]
            path = directory / f"agent-{agent}.{incarnation}.log"
            if not path.exists():
                path.write_bytes(head_line(self.cluster.run, agent, incarnation))
            with path.open("ab") as file:
                file.write(line)
