"""Network runs in virtual time, as a page hears of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from princeps.api.net_batches import Batch, Gathered, result_json, session_of, told_of
from princeps.model.description import describe, read
from princeps.model.options import NetOptions
from princeps.model.rings.run import RingRun
from princeps.model.run import Run
from princeps.network.onlooking import Moment, Order
from princeps.network.planning import plan_of
from princeps.network.rings.planning import ring_plan_of
from princeps.network.rings.running import run_ring_network
from princeps.network.running import run_network
from princeps.web.network_watch import NetworkWatch

CHAOS = "1s: kill leader; 1500ms: pause 3 for 300ms; 2s: cut 0-2|3-5 for 300ms"


@dataclass
class Heard:
    """What somebody heard who looked on at a run, and its result."""

    run: Run | RingRun
    told: dict[str, Any]
    batches: list[Batch] = field(default_factory=list)
    result: Any = None

    @property
    def ended(self) -> Batch:
        return {"ended": result_json(self.result)}


class Ordering(Gathered):
    """Gives orders at moments of virtual time."""

    def __init__(self, heard: Heard, orders: dict[float, Order]) -> None:
        super().__init__(heard.run, heard.batches.append)
        self.given = dict(orders)
        self.now = 0.0

    def sees(self, moment: Moment) -> None:
        self.now = moment.seconds
        super().sees(moment)

    def orders(self) -> list[Order]:
        return [self.given.pop(at) for at in sorted(self.given) if at <= self.now]


def heard_of(
    name: str,
    n: int | None = None,
    orders: dict[float, Order] | None = None,
    net: dict[str, Any] | None = None,
    **given: Any,
) -> Heard:
    options = NetOptions(transport="memory", **(net or {}))
    run = read(describe(name, n, **{"seed": 1, **given}))
    heard = Heard(run, told_of(options, "memory", f"princeps net {name}"))
    onlooker = Ordering(heard, orders or {})
    if isinstance(run, RingRun):
        heard.result = run_ring_network(run, ring_plan_of(options, run), onlooker=onlooker)
    else:
        heard.result = run_network(run, plan_of(options, run), onlooker=onlooker)
    onlooker.finish(heard.result.seconds)
    return heard


def watched(heard: Heard, orders: list[list[Any]] | None = None) -> NetworkWatch:
    watch = NetworkWatch(heard.told, [].append if orders is None else orders.append)
    watch.open_tape(session_of(heard.run))
    return watch


def feed(watch: NetworkWatch, batches: list[Batch]) -> None:
    for batch in batches:
        watch.arrived.put(batch)
        while watch.tick() == 0.0:
            pass
