"""Schedulers of rings answer for themselves: how they are written, whom they choose, and whether compiled code can."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from princeps.engines.rings.compiled import DELIVERY_MODES
from princeps.engines.rings.registry import RING_ENGINES
from princeps.engines.rings.simulate import simulate_ring
from princeps.errors import RunError
from princeps.model.randomness import Stream
from princeps.model.rings.choosers import Chooser, NewestFirst
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.scheduler import (
    SCHEDULERS,
    DeliveryOrder,
    GivenOrder,
    RingScheduler,
    SlowLink,
    read_ring_scheduler,
    scheduler_forms,
)

WRITTEN = ["synchronous", "random", "slow:2", "adversarial", "order:0,1,1,0"]


@dataclass(frozen=True)
class Backwards(RingScheduler):
    """A new scheduler, without an order that compiled code knows."""

    form: ClassVar[str] = "backwards"
    plain_reason: ClassVar[str] = "backwards"

    def chooser(self, n: int, stream: Stream) -> Chooser:
        made = NewestFirst(n)
        made.starts.reverse()
        return made


@pytest.fixture
def backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SCHEDULERS, "backwards", Backwards)


def test_what_is_written_is_read() -> None:
    found = [read_ring_scheduler(text, 3) for text in WRITTEN]
    assert [type(scheduler) for scheduler in found] == list(SCHEDULERS.values())
    assert [scheduler.text for scheduler in found] == WRITTEN
    assert [scheduler.short for scheduler in found] == [*WRITTEN[:-1], "order:..."]
    assert scheduler_forms() == ["synchronous", "random", "slow:EDGE", "adversarial", "order:0,1,..."]
    assert found[2] == SlowLink(2)
    assert found[2].slow_ports(3) == (0, 5)
    assert found[4] == GivenOrder((0, 1, 1, 0))


def test_compiled_code_knows_an_order_or_the_scheduler_says_why_not() -> None:
    assert set(DELIVERY_MODES) == set(DeliveryOrder)
    assert len(set(DELIVERY_MODES.values())) == len(DeliveryOrder)
    for text in WRITTEN:
        scheduler = read_ring_scheduler(text, 3)
        run = make_ring_run("a_k", labels="1,2,2", scheduler=text, params={"k": 2})
        assert (scheduler.delivery_order is None) == bool(scheduler.plain_reason)
        assert (scheduler.delivery_order is None) == (RING_ENGINES["compiled"].refusal(run) is not None)


@pytest.mark.usefixtures("backwards")
def test_an_engine_asks_a_scheduler_that_it_does_not_know() -> None:
    given: dict[str, Any] = {"labels": "1,2,2", "scheduler": "backwards", "params": {"k": 2}}
    result = simulate_ring(make_ring_run("a_k", **given))
    assert (result.engine, result.why, result.schedule) == ("reference", "backwards", "backwards")
    assert result.converged
    sentence = 'scheduler backwards is followed in plain Python: leave out engine="compiled".'
    with pytest.raises(RunError, match=sentence):
        simulate_ring(make_ring_run("a_k", engine="compiled", **given))
