"""The numbers on the library's pages that take longer than a page should: computed once, committed in data/.

`python -m sitebuilder numbers [NAME ...]` computes them anew. Everything is determined by seeds; a slow test compares.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import princeps
from sitebuilder.places import DATA

SEED = 0
DIGITS = 6  # of a measured mean: what is drawn and compared


@dataclass(frozen=True)
class Growth:
    """Over which sizes, and with how many trials each."""

    sizes: tuple[int, ...]
    trials: int
    start: str | None = None  # where the protocol's own says little


@dataclass(frozen=True)
class Small:
    """One exact analysis: of a population of n agents, or of a ring with these labels."""

    n: int = 0
    params: tuple[tuple[str, int], ...] = ()
    labels: tuple[int, ...] = ()
    start: str | None = None  # where not all configurations can be listed

    @property
    def arguments(self) -> dict[str, Any]:
        begin = {} if self.start is None else {"start": self.start}
        return {**({"labels": list(self.labels)} if self.labels else {"n": self.n}), **begin, **dict(self.params)}


FEW_NUMBERS = (("tau", 2), ("c_max", 2), ("e_max", 1))
SHORT_ROUNDS = (("bits", 1), ("c_max", 2), ("e_max", 1))
TINY_RESETS = (("r_max", 1), ("d_max", 1), ("e_max", 1))
SHORT_RESETS = (("r_max", 2), ("d_max", 2), ("e_max", 2))
SHORT_TIMERS = (("N", 3), ("virus_factor", 1), ("emit_factor", 1))
DISTINCT = tuple(Small(labels=labels) for labels in ((2, 1), (3, 1, 2), (3, 2, 1), (4, 2, 1, 3)))
HOMONYMS = tuple(Small(labels=labels) for labels in ((1, 2), (1, 2, 2), (1, 1, 2), (1, 2, 1, 3)))

EXACT: dict[str, tuple[Small, ...]] = {
    "aafj": (Small(2, (("k", 3),)), Small(2, (("k", 5),)), Small(3, (("k", 2),))),
    "epidemic": tuple(Small(n) for n in range(2, 9)),
    "fischer_jiang": (Small(3), Small(4)),
    "fischer_jiang_complete": tuple(Small(n) for n in range(2, 9)),
    "fratricide": tuple(Small(n) for n in range(2, 9)),
    "infection": tuple(Small(n) for n in range(2, 8)),
    "known_bound": tuple(Small(n) for n in range(2, 9)),
    "leader_minion": (Small(3), Small(4), Small(5, (("m", 2),))),
    "loose_ids": (
        Small(2, start="phantom"),
        Small(3, (("t_max", 2),), start="phantom"),
        Small(3, (("t_max", 4),), start="phantom"),
    ),
    "lottery": (Small(2), Small(2, (("m", 3),)), Small(3, (("m", 1),))),
    "majority": tuple(Small(n) for n in range(3, 8)),
    "michail": tuple(Small(n, FEW_NUMBERS) for n in (2, 3)),
    "michail_roles": tuple(Small(n, SHORT_ROUNDS) for n in (2, 3, 4)),
    "numbered": tuple(Small(n) for n in (2, 3)),
    "optimal_silent": (Small(2, TINY_RESETS), Small(3, TINY_RESETS), Small(3, SHORT_RESETS)),
    "p_ll": (Small(2), Small(3)),
    "p_ll_symmetric": (Small(3),),
    "p_pl": (Small(2, SHORT_TIMERS),),
    "p_rl": (Small(2), Small(2, (("N", 3),)), Small(2, (("N", 4),)), Small(3)),
    "p_rl_oracle": (Small(2), Small(3)),
    "silent_ranking": tuple(Small(n) for n in range(2, 6)),
    "timer": (Small(2),),
    "tokens": tuple(Small(n) for n in range(2, 7)),
    "a_k": HOMONYMS,
    "b_k": HOMONYMS,
    "u_k": HOMONYMS,
    **dict.fromkeys(("chang_roberts", "franklin", "hirschberg_sinclair", "lelann", "peterson"), DISTINCT),
}
DECADES = (100, 1_000, 10_000, 100_000, 1_000_000)
DOUBLED = (8, 16, 32, 64, 128, 256)
GROWTH: dict[str, Growth] = {
    "aafj": Growth((9, 17, 33, 65, 129), 50),
    "epidemic": Growth(DECADES, 200),
    "fischer_jiang": Growth((8, 16, 32, 64, 128), 100),
    "fischer_jiang_complete": Growth(DECADES, 200),
    "fratricide": Growth(DECADES, 200),
    "infection": Growth((100, 300, 1_000, 3_000, 10_000), 100),
    "known_bound": Growth((100, 300, 1_000, 3_000, 10_000), 100),
    "leader_minion": Growth((100, 300, 1_000, 3_000, 10_000), 100),
    "loose_ids": Growth((10, 30, 100, 300), 100, "phantom"),
    "lottery": Growth((100, 300, 1_000, 3_000, 10_000), 200),
    "majority": Growth(DECADES, 200),
    "michail": Growth((100, 300, 1_000, 3_000, 10_000), 100),
    "michail_roles": Growth((100, 300, 1_000, 3_000, 10_000), 100),
    "numbered": Growth((30, 100, 300, 1_000, 3_000), 100),
    "optimal_silent": Growth((8, 16, 32, 64, 128), 100),
    "p_ll": Growth((100, 300, 1_000, 3_000, 10_000, 30_000), 300),
    "p_ll_symmetric": Growth((100, 300, 1_000, 3_000, 10_000), 200),
    "p_pl": Growth((25, 50, 100, 200), 30),
    "p_rl": Growth((16, 32, 64, 128, 256, 512), 100),
    "p_rl_oracle": Growth((16, 32, 64, 128, 256, 512), 100),
    "silent_ranking": Growth((8, 16, 32, 64, 128), 100),
    "timer": Growth((10, 30, 100, 300, 1_000), 100),
    "tokens": Growth((10, 30, 100, 300, 1_000, 3_000), 100),
    "a_k": Growth((4, 8, 16, 32, 64), 10),
    "b_k": Growth((4, 8, 16, 32, 64), 10),
    "u_k": Growth((4, 8, 16, 32, 64), 10),
    **{name: Growth(DOUBLED, 20) for name in ("chang_roberts", "franklin", "itai_rodeh", "lelann", "peterson")},
    "hirschberg_sinclair": Growth(DOUBLED, 20),
}


def write_numbers(only: Iterable[str] = ()) -> None:
    for name in list(only) or princeps.library():
        path = DATA / f"{name}.json"
        path.write_text(json.dumps(numbers_of(name), indent=1) + "\n")
        print(path)


def numbers_of(name: str) -> dict[str, Any]:
    """What the page of a protocol shows of measurements: `exact`, `growth` and, of population protocols, `torn`."""
    from sitebuilder.torn import torn_numbers

    is_ring = name in princeps.library("ring")
    return {
        "exact": [_exact_ring(name, one) if is_ring else exact_numbers(name, one) for one in EXACT.get(name, ())],
        "growth": _ring_growth(name, GROWTH[name]) if is_ring else _growth(name, GROWTH[name]),
        **({} if is_ring else {"torn": torn_numbers(name)}),
    }


def exact_numbers(name: str, small: Small) -> dict[str, Any]:
    found = princeps.exact(name, rational=True, **small.arguments).as_json()
    keys = ("n", "params", "target", "configurations", "target_size", "reachable", "worst_exact", "mean_exact")
    return {**{key: found[key] for key in keys}, "worst": _rounded(found["worst"]), "mean": _rounded(found["mean"])}


def _exact_ring(name: str, small: Small) -> dict[str, Any]:
    found = princeps.exact(name, **small.arguments).as_json()
    keys = ("n", "params", "labels", "configurations", "endings", "messages", "leaders", "agreed")
    return {key: found[key] for key in keys}


def _growth(name: str, growth: Growth) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "growth.db")
        given: dict[str, Any] = {} if growth.start is None else {"start": growth.start}
        results = princeps.sweep(
            name, list(growth.sizes), trials=growth.trials, seed=SEED, store=store, jobs=1, **given
        )
        fit = princeps.fit(results)[0]
        points = [
            {"n": one.n, "mean": _rounded(one.mean), "interval": [_rounded(end) for end in one.interval or ()]}
            for one in results.summaries
        ]
    sizes, begin = ",".join(map(str, growth.sizes)), "" if growth.start is None else f" --start {growth.start}"
    return {
        "measure": "steps",
        "command": f"princeps sweep {name} -n {sizes}{begin} --trials {growth.trials} --seed {SEED}",
        "points": points,
        "law": f"{fit.coefficient:.3g} {fit.law}",
        "fitted": [_rounded(fit.best(n)) for n in growth.sizes],
        "verdict": str(fit.verdict),
    }


def _ring_growth(name: str, growth: Growth) -> dict[str, Any]:
    points = []
    for n in growth.sizes:
        runs: list[Any] = list(princeps.trials(name, n, trials=growth.trials, seed=SEED))
        messages = [run.messages for run in runs]
        mean = sum(messages) / len(messages)
        points.append({"n": n, "mean": _rounded(mean), "interval": [float(min(messages)), float(max(messages))]})
    return {
        "measure": "messages",
        "command": f"princeps run {name} -n {growth.sizes[-1]} --trials {growth.trials} --seed {SEED}",
        "points": points,
    }


def _rounded(value: Any) -> float | None:
    return None if value is None else float(f"{float(value):.{DIGITS}g}")
