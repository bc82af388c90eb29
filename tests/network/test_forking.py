"""What a forked process is like."""

from __future__ import annotations

import os
import select
import signal
import socket
import threading

from princeps.network.forking import Child, fork
from tests.conftest import wait_for


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


def test_nobody_waits_until_a_stopped_process_listens() -> None:
    """Its pause would never end: whoever ends it would be waiting. What it was told comes later, all of it."""
    told = b"0123456789abcdef" * (1 << 16)  # more than a pipe holds

    def work(control: int, log: int) -> None:
        heard = bytearray()
        while piece := os.read(control, 1 << 16):
            heard += piece
        os.write(log, b"all" if heard == told else b"%d bytes" % len(heard))

    children: list[Child] = []
    fork(work, [], children.append)
    (child,) = children

    def tell() -> None:
        child.tell(told[:7])
        child.tell(told[7:])

    def has_told_all() -> bool:
        child.tell_rest()
        return not child.untold

    teller = threading.Thread(target=tell, daemon=True)
    try:
        child.send(signal.SIGSTOP)
        teller.start()
        wait_for(lambda: not teller.is_alive())
        child.send(signal.SIGCONT)
        wait_for(has_told_all)
        child.end()
        wait_for(lambda: select.select([child.log], (), (), 0)[0] != [])
        said = child.read()
    finally:
        child.send(signal.SIGKILL)
        child.bury()
    assert said == b"all"


def test_who_is_dead_is_told_nothing() -> None:
    children: list[Child] = []
    fork(lambda control, log: None, [], children.append)
    (child,) = children
    wait_for(lambda: child.read() == b"")
    child.tell(bytes(1 << 20))
    assert (bytes(child.untold), child.bury()) == (b"", "")
