"""Whoever looks on at a network run while it goes: hears every interaction in its order, sees who is dead, stopped or cut
off, and may have processes killed or stopped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from princeps.model.script import ScriptEvent
from princeps.model.starts import starting_states
from princeps.network.linearize import BEGIN, Event
from princeps.network.planning import INITIAL, NONE

if TYPE_CHECKING:
    from princeps.network.launcher import Launcher
    from princeps.network.observer import Observer
    from princeps.network.virtual import VirtualRun

KILL, PAUSE = "kill", "pause"


@dataclass(frozen=True)
class Order:
    """What is to be done to an agent: its process is killed, or stopped for so many seconds."""

    kind: str
    agent: int
    seconds: float = 0.0


@dataclass(frozen=True)
class Moment:
    """What is known of the processes."""

    seconds: float  # since the start
    deaths: Mapping[int, int] = field(default_factory=dict)  # agents that have died, with their last dead incarnation
    dead: frozenset[int] = frozenset()  # at present
    paused: frozenset[int] = frozenset()
    cut_off: Mapping[int, list[int]] = field(default_factory=dict)  # whom frames of an agent do not reach


class Onlooker(Protocol):
    portion: float  # seconds of virtual time between two looks

    def heard(self, event: ScriptEvent) -> None: ...

    def sees(self, moment: Moment) -> None:
        """Called again and again; in virtual time it may wait here."""

    def orders(self) -> list[Order]:
        """What is to be done now."""


def listen(onlooker: Onlooker | None, observer: Observer) -> None:
    if onlooker is None:
        return
    space, tell = observer.run.protocol.space, onlooker.heard

    def heard(event: Event) -> None:
        if event.kind != BEGIN:
            tell(event.as_script(space))

    observer.heard = heard


def attend_processes(onlooker: Onlooker | None, launcher: Launcher) -> None:
    """Between two looks at the logs."""
    if onlooker is None:
        return
    running = set(launcher.running)
    dead = frozenset(agent for agent in launcher.dead if agent not in running)
    stopped = [process for process in launcher.processes.values() if process.paused_until > 0]
    paused = frozenset(agent for process in stopped for agent in process.agents)
    onlooker.sees(Moment(launcher.seconds, dict(launcher.dead), dead, paused, launcher.cut_off))
    for order in onlooker.orders():
        if order.kind == KILL:
            launcher.kill(order.agent)
        else:
            launcher.pause(order.agent, order.seconds)


def attend_memory(
    onlooker: Onlooker | None, network: VirtualRun, cut_off: Mapping[int, list[int]], restart: str
) -> None:
    """Between two portions of virtual time."""
    if onlooker is None:
        return
    now, running = network.network.now, set(network.running)
    dead = frozenset(agent for agent in network.dead if agent not in running)
    paused = frozenset(agent for agent, until in network.network.paused.items() if until > now)
    onlooker.sees(Moment(now, dict(network.dead), dead, paused, cut_off))
    for order in onlooker.orders():
        if order.agent in running and order.kind == KILL:
            network.kill(order.agent)
            if restart != NONE:
                network.restart(order.agent, starting_states(network.run)[order.agent] if restart == INITIAL else None)
        elif order.kind == PAUSE:
            network.pause(order.agent, order.seconds)
