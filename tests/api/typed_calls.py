"""Calls as users with typed code write them. mypy reads this file with every check (pyproject.toml), and test_types.py
executes it: what works at run time passes a type checker, and the other way round."""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

import numpy as np

import princeps
from princeps import Result, Results, RingResult
from princeps.model.result import Trials
from princeps.protocols.fratricide import Fratricide


def runs(folder: Path) -> None:
    seven = np.int64(7)
    plain: dict[str, int] = {"N": 8}
    name: str = "p_rl"
    assert_type(princeps.run("p_rl", seven, N=np.int64(8), seed=seven, engine="reference"), Result)
    assert_type(princeps.run("p_rl", 7, seed=1, params=plain, engine="reference"), Result)
    assert_type(princeps.run(name, n=7, params=plain, engine="reference"), Result | RingResult)
    assert_type(
        princeps.trials(name, n=7, trials=2, params=plain, engine="reference"), Trials[Result] | Trials[RingResult]
    )
    assert_type(princeps.run(Fratricide, 7, fault="50:2", seed=1, engine="reference"), Result)
    assert_type(
        princeps.run(Fratricide, 7, fault=["50:2", "90:1"], record="leaders", seed=1, engine="reference"), Result
    )
    traced = princeps.run(
        Fratricide,
        4,
        seed=1,
        trace=folder / "run.jsonl",
        diagram=folder / "run.svg",
        window=(1, 5),
        graph=[(0, 1), (1, 2), (2, 3)],
        force=True,
        max_steps=seven,
    )
    assert_type(traced, Result)
    pairs, labels = folder / "pairs.txt", folder / "ring.txt"
    pairs.write_text("0 1\n1 2\n")
    labels.write_text("1 2 2\n")
    assert_type(princeps.run(Fratricide, 3, pairs=pairs), Result)
    assert_type(princeps.run(Fratricide, 3, pairs=np.array([[0, 1], [1, 2]])), Result)
    assert_type(princeps.run("a_k", ring=labels, k=2), RingResult)
    assert_type(princeps.run("numbered", 3, ids=np.array([3, 1, 2]), seed=1), Result)
    assert princeps.ring(ring=labels).n == 3
    assert_type(princeps.protocol(Fratricide, n=np.int64(5)).state_count, int | None)
    assert_type(princeps.protocol("p_rl", N=np.int64(8)).params, dict[str, int])
    recorded = princeps.run(Fratricide, 9, seed=1, record="states", snapshots=[0, 3], engine="reference")
    assert recorded.states is not None
    assert recorded.snapshots is not None
    assert (recorded.snapshots[0]["leader"] == 1).all()
    counted = princeps.run(Fratricide, 9, seed=1, record=["leaders", "leader == 0"], engine="reference").record
    assert counted is not None
    assert_type(counted["leaders"], list[int])
    assert_type(counted["parallel_time"], list[float])
    assert_type(counted.counts("leader == 0"), list[int])
    assert len(recorded.states.to_pandas().columns) > len(recorded.states.to_polars().columns) - 1
    assert len(princeps.slider(recorded).children) == 2
    script = folder / "session.jsonl"
    stepped = princeps.session(Fratricide, seven, seed=1)
    stepped.save(script)
    princeps.replay(script, protocol=Fratricide)
    assert_type(princeps.exact(Fratricide, 3, export=folder / "chain.drn").reachable, bool)


def campaigns(folder: Path) -> None:
    store, joined = folder / "store.db", folder / "joined.db"
    found = princeps.sweep(
        Fratricide, n=np.array([4, 6, 9]), trials=3, store=store, jobs=1, fault="9:1", progress=False
    )
    assert_type(found, Results)
    princeps.merge(store, output=joined)
    assert_type(princeps.results(joined, protocol=Fratricide), Results)
    assert_type(princeps.results(store).to_polars().height, int)
    assert len(princeps.fit(store, protocol=Fratricide, from_=np.float64(4))) == len(princeps.fit(found))
    assert_type(found.write_csv(folder / "table.csv"), int)
    for source in (store, found):
        princeps.plot(source, folder / "figure.svg", protocol=Fratricide, by="n", force=True)
    several = princeps.trials(Fratricide, 9, trials=2, record=["leaders"], seed=1)
    princeps.plot(several, kind="leaders")
    princeps.plot(tuple(several), kind="leaders")
