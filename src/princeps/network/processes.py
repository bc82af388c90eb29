"""What launchers of populations and of rings share: processes and sockets of which none is left behind."""

from __future__ import annotations

import signal
import socket
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Self

from princeps.network.forking import Child, bury_all, uninterrupted

HOST = "127.0.0.1"


@dataclass(eq=False)
class Running:
    """A process of ours, which may be stopped for a while."""

    child: Child
    paused_until: float = field(default=0.0, kw_only=True)

    @property
    def pid(self) -> int:
        return self.child.pid

    def pause(self, until: float) -> None:
        self.child.send(signal.SIGSTOP)
        self.paused_until = max(self.paused_until, until)

    def resume(self, until: float) -> None:
        """It goes on if its pause ends by then."""
        if 0 < self.paused_until <= until:
            self.child.send(signal.SIGCONT)
            self.paused_until = 0.0


class Launch(ABC):
    """Use it in a `with`, which leaves no process and no port behind."""

    def __init__(self) -> None:
        self.began = time.monotonic()

    @abstractmethod
    def open(self) -> None:
        """Bind the sockets, then start the processes."""

    @property
    @abstractmethod
    def children(self) -> list[Child]: ...

    @property
    @abstractmethod
    def bound(self) -> list[socket.socket]: ...

    @abstractmethod
    def forget(self) -> None:
        """There are no children any more."""

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def __enter__(self) -> Self:
        try:
            self.open()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        with uninterrupted():
            bury_all(self.children)
            self.forget()
            for own in self.bound:
                own.close()
