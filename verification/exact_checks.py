"""Exact results compared with other programs and with simulation: two sections of docs/exact.md."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from exported import read, solve
from journal import Journal

import princeps
from princeps import Exact

RANKING, SILENT = "silent_ranking", "optimal_silent"
SEED = 20261116
HIGHEST_Z = 4.5  # of some twenty comparisons none exceeds it by chance (7 in a million each)

SMALL: list[tuple[str, int, dict[str, int], dict[str, Any]]] = [
    ("p_rl", 3, {"N": 3}, {"target": "s_rl"}),
    ("p_rl", 3, {"N": 5}, {"target": "safe"}),
    ("p_pl", 2, {"N": 3, "virus_factor": 1, "emit_factor": 1}, {}),
    ("timer", 4, {"t_max": 4}, {}),
    ("p_ll", 3, {}, {}),
    ("p_ll_symmetric", 3, {}, {}),
    ("fratricide", 40, {}, {}),
    ("epidemic", 60, {}, {}),
    ("majority", 25, {}, {}),
    ("numbered", 4, {"m": 2}, {}),
    ("infection", 6, {}, {}),
    ("known_bound", 5, {}, {}),
    (RANKING, 5, {}, {"target": "safe"}),
    (SILENT, 3, {"r_max": 1, "d_max": 1, "e_max": 1}, {"target": "ranked"}),
]


def given(params: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {value}" for name, value in params.items()) or "-"


def exact(name: str, n: int, **options: Any) -> Exact:
    """`princeps.exact` for names that are not written out, all of them of population protocols."""
    found = princeps.exact(name, n, **options)
    assert isinstance(found, Exact)
    return found


def second_program(journal: Journal) -> None:
    storm = find_spec("stormpy") is not None
    journal.section(
        "The same chains solved by other programs",
        "The chain is exported (`--export chain.drn`, `--export chain.prism`), read back by `verification/exported.py`, "
        "which shares no code with the package, and solved directly; "
        + (
            "Storm solves it too (`--check storm`)."
            if storm
            else "Storm is not installed here (`pip install 'princeps[storm]'`)."
        ),
        ("protocol", "n", "parameters", "target", "listed", "ours", "read back", "Storm"),
    )
    for name, n, params, options in SMALL:
        with tempfile.TemporaryDirectory() as folder:
            drn, prism = (str(Path(folder) / f"chain.{suffix}") for suffix in ("drn", "prism"))
            check = "storm" if storm else None
            first = exact(name, n, export=drn, check=check, **options, **params)
            exact(name, n, export=prism, **options, **params)
            answers = [solve(model, "target")[model.initial] for model in (read(drn), read(prism))]
        ours = first.mean if first.start != "all" else first.worst
        off = max(abs(float(answer) - ours) / ours for answer in answers)
        agreed = "-" if first.check is None else f"{first.check.value:.10g}"
        journal.row(
            *(first.protocol, n, given(params), first.target, f"{first.reduced:,}"),
            *(f"{ours:.12g}", f"{float(answers[0]):.12g}", agreed),
        )
        journal.check(off < 1e-9, f"{first.protocol}: both files give the same number ({off:.0e} off)")
        if first.check is not None:
            journal.check(first.check.agrees, f"{first.protocol}: Storm agrees")


def simulation(journal: Journal, trials: int) -> None:
    journal.section(
        "Simulation meets theory",
        f"`princeps exact p_rl -n 3 -p N=3 --target s_rl --against-simulation {trials} --seed {SEED}`: the mean of that many runs "
        "of the fast engines against the exact expectation.",
        ("protocol", "n", "parameters", "target", "exact mean", "simulated", "standard error", "z", "engine"),
    )
    for name, n, params, options in SMALL:
        found = exact(name, n, against_simulation=trials, seed=SEED, jobs=2, **options, **params)
        s = found.simulation
        assert s is not None
        journal.row(
            found.protocol,
            n,
            given(params),
            found.target,
            f"{found.mean:.9g}",
            f"{s.mean:.9g}",
            f"{s.std_error:.3g}",
            f"{s.z:+.2f}",
            s.engine,
        )
        journal.check(abs(s.z) < HIGHEST_Z, f"{found.protocol}: z = {s.z:+.2f}")
