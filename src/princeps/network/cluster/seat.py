"""One agent of a cluster in this process: its socket, its log, its incarnation and its node."""

from __future__ import annotations

import errno
import json
import os
import secrets
import selectors
import socket
from typing import Any

from princeps.errors import RunError
from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.network.cluster.file import UDP, Cluster
from princeps.network.cluster.incarnation import Busy, Remembered
from princeps.network.cluster.joining import offer_of
from princeps.network.cluster.node import NONCE, ClusterNode
from princeps.network.cluster.terms import Terms
from princeps.network.handshake import LOG, Outputs
from princeps.network.log import line_of
from princeps.network.making import make_node
from princeps.network.membership import restart_state
from princeps.network.tcp import Connections
from princeps.network.udp import Sender

ELSEWHERE = (errno.EADDRNOTAVAIL, errno.EADDRINUSE)  # the address is another machine's, or another process has it
Own = socket.socket | Connections
HEAD = "cluster"  # the first line of a log: what run it is of


def take_seat(cluster: Cluster, agent: int | None) -> Seat:
    """That of this agent, or the first one whose address is this machine's and free."""
    if agent is not None:
        if isinstance(agent, bool) or not isinstance(agent, int) or not 0 <= agent < cluster.n:
            raise RunError(f"{cluster.path} has no agent {agent!r}: give a number from 0 to {cluster.n - 1}.")
        return Seat(cluster, agent)
    for one in range(cluster.n):
        try:
            return Seat(cluster, one)
        except (Busy, AddressTaken):
            continue
    raise RunError(f"{cluster.path} has no agent whose address is free on this machine: see agents there.")


class AddressTaken(RunError):
    """Or the address is not this machine's."""


class Seat:
    """`close` it."""

    def __init__(self, cluster: Cluster, agent: int) -> None:
        self.cluster, self.agent = cluster, agent
        self.address = cluster.address(agent)
        self.is_closed = False
        own = self._bound()
        self.log = -1
        try:
            self.remembered = Remembered(cluster.state, agent)
            try:
                addresses, log = self._addresses(own.family), self._log()
                self.node = self._node()
                self.socket: Own = own if cluster.transport == UDP else self._connections(own, addresses)
                self.sender = Sender(self.socket, addresses, log)
            except BaseException:
                self.remembered.close()
                raise
        except BaseException:
            own.close()
            if self.log >= 0:
                os.close(self.log)
            raise

    def do(self, outputs: Outputs) -> None:
        self.sender.do(outputs)

    def tally(self) -> tuple[int, bytes]:
        return LOG, self.node.tally_line()

    def leave(self) -> None:
        """The last words of this incarnation."""
        node = self.node
        os.write(self.log, node.tally_line() + line_of("dead", self.agent, node.incarnation))
        self.do(node.leave())

    def close(self) -> None:
        self.is_closed = True
        self.socket.close()
        self.remembered.close()
        os.close(self.log)

    # -- parts --------------------------------------------------------------------------------------------------------

    def _bound(self) -> socket.socket:
        host, port = self.cluster.addresses[self.agent]
        family, own = _resolved(host, port, socket.AF_UNSPEC, self.agent)
        is_udp = self.cluster.transport == UDP
        found = socket.socket(family, socket.SOCK_DGRAM if is_udp else socket.SOCK_STREAM)
        try:
            found.setblocking(False)
            if (
                not is_udp and os.name == "posix"
            ):  # of connections that ended a moment ago; elsewhere it means another thing
                found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            found.bind(own)
            if not is_udp:
                found.listen(2 * self.cluster.n + 16)
        except OSError as error:
            found.close()
            kind = AddressTaken if error.errno in ELSEWHERE else RunError
            raise kind(
                f"agent {self.agent} cannot have its address {self.address}: {error.strerror}. Correct it in "
                f"{self.cluster.path}, or start this agent on its own machine."
            ) from None
        return found

    def _connections(self, listener: socket.socket, addresses: dict[int, Any]) -> Connections:
        cluster, node = self.cluster, self.node
        if not hasattr(selectors.DefaultSelector, "fileno"):
            raise RunError(
                f'{cluster.path}: this system has no epoll or kqueue for connections: write transport = "udp".'
            )
        return Connections(
            *(listener, cluster.membership, self.agent, node.incarnation, node.peers, addresses),
            refuse=node.tally.refuse,
            security=cluster.security,
        )

    def _addresses(self, family: int) -> dict[int, Any]:
        return {
            agent: _resolved(host, port, family, agent)[1]
            for agent, (host, port) in enumerate(self.cluster.addresses)
            if agent != self.agent
        }

    def _log(self) -> int:
        """A file for each incarnation: what a killed one has left in the middle of a line is never touched."""
        directory, incarnation = self.cluster.logs, self.remembered.incarnation
        path = os.devnull if directory is None else str(directory / f"agent-{self.agent}.{incarnation}.log")
        try:
            if directory is not None:
                directory.mkdir(parents=True, exist_ok=True)
            self.log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise RunError(f"logs {path!r} cannot be written: {error.strerror}. Choose another directory.") from None
        os.write(self.log, head_line(self.cluster.run, self.agent, incarnation))
        return self.log

    def _node(self) -> ClusterNode:
        run, agent, incarnation = self.cluster.run, self.agent, self.remembered.incarnation
        state = starting_states(run)[agent]
        if incarnation > 1:
            state = restart_state(run, agent, incarnation, state)
        cluster = self.cluster
        node = make_node(
            ClusterNode, run, cluster.membership, agent, incarnation, state, cluster.arc_rate, cluster.timing, ()
        )
        assert isinstance(node, ClusterNode)
        terms = Terms(agent, run.n, self.remembered.reserved, self.remembered.reserve)
        node.prepare(offer_of(run), secrets.token_bytes(NONCE), terms)
        return node


def head_line(run: Run, agent: int, incarnation: int) -> bytes:
    """The first line of a log."""
    about: dict[str, Any] = {
        "spec": run.spec,
        "params": dict(run.protocol.given),
        "graph": run.topology.text,
        "start": run.start,
        "seed": run.seed,
        "offer": offer_of(run),
    }
    return line_of(HEAD, agent, incarnation, state=json.dumps(about))


def _resolved(host: str, port: int, family: int, agent: int) -> tuple[int, Any]:
    try:
        found = socket.getaddrinfo(host, port, family=family, type=socket.SOCK_DGRAM)[0]
    except OSError as error:
        raise RunError(f"the host {host!r} of agent {agent} is not known: {error.strerror}. See agents.") from None
    return found[0], found[4]
