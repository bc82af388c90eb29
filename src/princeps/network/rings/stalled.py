"""Why a ring of processes came to a halt: who died, where every message is, and what each process waits for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from princeps.model.rings.algorithm import LEFT, RIGHT
from princeps.network.rings.judge import Judge
from princeps.network.rings.log import ACTIONS


@dataclass(frozen=True)
class Stalled:
    """In words: one sentence a death, a message, a process."""

    died: tuple[str, ...]
    messages: tuple[str, ...]
    waits: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {name: list(sentences) for name, sentences in asdict(self).items()}


def what_recovers(n: int, process: int) -> str:
    """Where this process died: ring algorithms assume that none does, and a self-stabilizing protocol does not."""
    command = f"princeps net p_rl -n {n} --for 5s --chaos '20ms: kill {process}'"
    return f"p_rl recovers on a ring of {n} from any kill, since it needs no memory of what was: {command}"


def why_stalled(judge: Judge, dead: Sequence[int]) -> Stalled:
    return Stalled(
        tuple(_death(judge, process) for process in dead),
        tuple(sentence for port in range(len(judge.session.network.links)) for sentence in _on_link(judge, port, dead)),
        tuple(_wait(judge, process, dead) for process in range(judge.n)),
    )


def _death(judge: Judge, process: int) -> str:
    actions = sum(record[0] in ACTIONS for record in judge.records[process])
    return f"process {process} (label {judge.run.ring.labels[process]}) died after {counted(actions, 'action')}"


def _on_link(judge: Judge, port: int, dead: Sequence[int]) -> list[str]:
    """Where the messages are that were sent to this port and not taken."""
    n = judge.n
    receiver, side = port % n, LEFT if port < n else RIGHT
    sender = (receiver - 1 if side == LEFT else receiver + 1) % n
    if receiver in dead:
        where = f"waits for process {receiver}, which is dead"
        if sender in dead:
            where = f"is gone: process {receiver} is dead, too"
    elif judge.session.network.dead[port]:
        where = f"is at process {receiver}, which has no action for it or for what is before it"
    elif port in judge.failed:
        where = f"is at process {receiver}, whose action fails: {judge.failed[port]}"
    elif port in judge.ended:
        where = f"was lost with process {sender} before process {receiver} took it"
    else:
        where = f"is under way to process {receiver}"
    return [f"{travelling.content} of process {sender} {where}" for travelling in judge.session.network.links[port]]


def _wait(judge: Judge, process: int, dead: Sequence[int]) -> str:
    network, algorithm, n = judge.session.network, judge.run.algorithm, judge.n
    local = network.locals[process]
    if process in dead:
        return f"process {process} is dead"
    state = ", ".join(f"{name} = {text}" for name, text in algorithm.show(local).items() if text not in ("-", ""))
    stuck = [port for port in range(process, len(network.links), n) if network.dead[port] or port in judge.failed]
    if stuck:
        return f"process {process} cannot go on with {network.links[stuck[0]][0].content}; {state}"
    if local.halted:
        return f"process {process} has halted"
    sides = {action.side for action in algorithm.actions if action.message is not None}
    neighbours = sorted({(process - 1 if side == LEFT else process + 1) % n for side in sides})
    whom = " or ".join(f"process {neighbour}, which {_doing(judge, neighbour, dead)}" for neighbour in neighbours)
    return f"process {process} waits for a message of {whom}; {state}"


def _doing(judge: Judge, process: int, dead: Sequence[int]) -> str:
    if process in dead:
        return "is dead"
    return "has halted" if judge.session.network.locals[process].halted else "waits, too"


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
