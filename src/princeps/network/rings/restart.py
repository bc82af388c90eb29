"""What a new incarnation of a process begins with, read from the log of those before it.

`amnesia`: the algorithm's process is as at the beginning, and what it had sent and was not yet received is lost with it.
Only the numbers of the links go on, so that no message is delivered twice.
`durable`: the log is replayed by the algorithm's own actions; the process goes on where it was, and sends again whatever its
neighbours have not acknowledged. The runtime remembers, the algorithm does not recover.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from princeps.model.randomness import Stream
from princeps.model.rings.algorithm import LEFT, RIGHT, Local, Sent
from princeps.model.rings.run import RingRun
from princeps.network.rings.codec import Codec
from princeps.network.rings.log import ACTIONS, DELIVER, FAILED, LOST, RESET, STUCK, Record, effect_of, tosses_of

AMNESIA, DURABLE = "amnesia", "durable"
RESTARTS = (AMNESIA, DURABLE)


@dataclass
class Memory:
    """By side: how many messages were taken and sent, and the bodies that were sent, of which `durable` knows all."""

    local: Local | None = None  # None: the process begins anew
    has_started: bool = False  # some incarnation has
    taken: dict[str, int] = field(default_factory=lambda: {LEFT: 0, RIGHT: 0})
    sent: dict[str, int] = field(default_factory=lambda: {LEFT: 0, RIGHT: 0})
    held: dict[str, list[bytes]] = field(default_factory=lambda: {LEFT: [], RIGHT: []})
    stuck: set[str] = field(default_factory=set)  # sides at which a message found no action


def remembered(run: RingRun, me: int, records: Iterable[Record], coins: Stream, how: str) -> Memory:
    """`coins` is brought to where the last incarnation left it."""
    memory, codec = Memory(), Codec(run.algorithm, run.ring)
    local = run.algorithm.initial()
    for record in records:
        event = record[0]
        if event in (DELIVER, LOST):
            memory.taken[record[3]] = record[5] if event == LOST else record[4]
        elif event in (STUCK, FAILED):
            memory.stuck.add(record[3])
        if event not in ACTIONS:
            continue
        memory.has_started = True
        memory.sent[LEFT], memory.sent[RIGHT] = effect_of(record)[2:]
        if how == DURABLE:
            local, sent = _again(run, me, local, record, codec)
            for content in sent:
                memory.held[content.side].append(codec.encode(content))
        for bound, _ in tosses_of(record):
            coins.below(bound)
    if how == DURABLE:
        memory.local = local
    return memory


def _again(run: RingRun, me: int, local: Local, record: Record, codec: Codec) -> tuple[Local, list[Sent]]:
    """A logged action once more, with the coins that it had."""
    name = effect_of(record)[0]
    action = next(action for action in run.algorithm.actions if action.name == name)
    values = codec.from_plain(record[5], record[3]).values if record[0] == DELIVER else ()
    coins = iter(tosses_of(record))
    before = run.algorithm.initial() if record[0] == RESET else local
    return run.algorithm.fire(action, before, run.ring.boxed[me], values, lambda _: next(coins)[1])
