"""What may have no end is listed up to a limit: iterators, ranges of 10^12, and sequences that compute their items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count, repeat
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps.errors import PrincepsError
from princeps.model import identifiers, python_values, reading_schedulers
from princeps.model.listing import as_list
from princeps.model.rings import reading_rings

LONG = range(2, 10**12)


class Computed(Sequence[Any]):
    """A sequence as long as LONG, of which nothing is in memory."""

    def __init__(self, item: Any) -> None:
        self.item, self.taken = item, 0

    def __len__(self) -> int:
        return len(LONG)

    def __getitem__(self, place: Any) -> Any:
        self.taken += 1
        assert self.taken < 10**6, "it is listed without a limit"
        return self.item


class Iterated:
    """An iterable without end that is no iterator and has no length."""

    def __iter__(self) -> Iterator[Any]:
        return repeat((0, 1))


CALLS: dict[str, Callable[[], Any]] = {
    "rings, a range": lambda: list(princeps.rings("a_k", LONG)),
    "rings, an iterator": lambda: list(princeps.rings("a_k", count(2))),
    "sweep, a range": lambda: princeps.sweep("fratricide", n=LONG),
    "sweep, an iterator": lambda: princeps.sweep("fratricide", n=count(2)),
    "sweep of protocols": lambda: princeps.sweep(repeat("fratricide"), n=3),
    "sweep of parameters": lambda: princeps.sweep("p_rl", n=3, N=count(3)),
    "sweep of starts": lambda: princeps.sweep("fratricide", n=3, start=LONG),
    "sweep of goals": lambda: princeps.sweep("fratricide", n=3, until=repeat("leader")),
    "sweep of faults": lambda: princeps.sweep("fratricide", n=3, fault=LONG),
    "sweep of ids": lambda: princeps.sweep("numbered", n=3, ids=LONG),
    "sweep of labels": lambda: princeps.sweep("a_k", labels=count(), k=2),
    "ids, a range": lambda: princeps.run("numbered", 3, ids=LONG),
    "ids, an iterator": lambda: princeps.run("numbered", 3, ids=count()),
    "exact, ids": lambda: princeps.exact("numbered", 3, ids=count()),
    "session, ids": lambda: princeps.session("numbered", 3, ids=count()),
    "labels": lambda: princeps.run("a_k", labels=LONG, k=2),
    "a ring": lambda: princeps.ring(LONG),
    "pairs, an iterator": lambda: princeps.run("fratricide", 3, pairs=repeat((0, 1))),
    "pairs, an iterable": lambda: princeps.run("fratricide", 3, pairs=Iterated()),
    "pairs, a sequence": lambda: princeps.run("fratricide", 3, pairs=Computed((0, 1))),
    "start": lambda: princeps.run("fratricide", 3, start=Computed(0)),
    "start by fields": lambda: princeps.run("fratricide", 3, start={"leader": Computed(1)}),
    "a state": lambda: princeps.run("fratricide", 3, start=[Computed(1)]),
    "graph": lambda: princeps.run("fratricide", 3, graph=Computed((0, 1))),
    "neighbours": lambda: princeps.run("fratricide", 3, graph={0: Computed(1)}),
    "faults": lambda: princeps.run("fratricide", 3, fault=Computed("5:1")),
    "records": lambda: princeps.run("fratricide", 3, record=Computed("leaders")),
    "a window": lambda: princeps.run("fratricide", 3, window=LONG, trace=str),
    "warm": lambda: princeps.warm(repeat("fratricide")),
}


@pytest.mark.parametrize("call", CALLS)
def test_nothing_is_listed_without_a_limit(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for module in (identifiers, python_values, reading_schedulers):
        monkeypatch.setattr(module, "MAX_PER_AGENT", 1000)
    monkeypatch.setattr(reading_rings, "MAX_PROCESSES", 1000)
    with pytest.raises(PrincepsError) as refused:
        CALLS[call]()
    assert len(str(refused.value)) < 400
    assert "values, perhaps without end" in str(refused.value) or call == "a window"


def test_what_is_in_memory_is_as_long_as_it_is() -> None:
    assert as_list([1, 2, 3], "n", 2) == as_list(iter([1, 2, 3]), "n", 3) == [1, 2, 3]
    with pytest.raises(PrincepsError, match=r"n has more than 2 values, perhaps without end: give fewer"):
        as_list(iter([1, 2, 3]), "n", 2)


def test_combinations_are_counted_before_they_are_made() -> None:
    goals = [f"leaders <= {most}" for most in range(1, 4000)]
    with pytest.raises(PrincepsError, match=r"15,988,002 combinations of what is listed: split it"):
        princeps.sweep("fratricide", n=range(2, 4000), until=goals)
