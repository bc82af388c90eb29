"""What a forked process is like."""

from __future__ import annotations

import os
import select
import socket

from princeps.network.forking import Child, fork


def test_sending_into_a_broken_connection_does_not_end_a_process() -> None:
    """Where SIGPIPE has its default action the process would be gone, and nobody would say why."""

    def work(control: int, log: int) -> None:
        here, there = socket.socketpair()
        there.close()
        try:
            here.send(b"x")
        except BrokenPipeError:
            os.write(log, b"noticed")

    children: list[Child] = []
    fork(work, [], children.append)
    (child,) = children
    poll = select.poll()
    poll.register(child.log, select.POLLIN)
    assert poll.poll(60_000)
    said = child.read()
    assert (said, child.bury()) == (b"noticed", "")
