"""Breaks every rule of the library in every small way and sees that the tests notice (`make mutants`).

A mutant is judged by the comparison that tests/protocols/test_transcriptions.py makes: the broken rule against the independent
transcription, on the same pairs of states. What survives must be explained in verification/survivors.py.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
import types
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "verification")]

import ring_mutants  # noqa: E402
from mutations import Mutant, mutants  # noqa: E402
from survivors import EXPLAINED  # noqa: E402

import princeps  # noqa: E402
from princeps.errors import PrincepsError  # noqa: E402
from princeps.model.machine import processors  # noqa: E402
from princeps.model.protocol import PopulationProtocol  # noqa: E402
from tests.protocols.kernel_check import with_inputs  # noqa: E402
from tests.protocols.library import CASES, Case, behaviour  # noqa: E402
from tests.protocols.sampling import pairs_of_states  # noqa: E402

Step = tuple[tuple[int, ...], tuple[int, ...], int, Any]  # two states, what the oracle says, and what becomes of them


def expectations(case: Case) -> list[Step]:
    """Pairs of states and what the transcription makes of them, in the order of the test."""
    protocol = case.protocol()
    found = []
    for told in protocol.oracle_values:
        for turn, pair in enumerate(pairs_of_states(protocol, case.pairs)):
            a, b = with_inputs(protocol, pair, turn)
            found.append((a, b, told, case.expected(protocol, a, b, told)))
    return found


def broken_protocol(mutant: Mutant, name: str, case: Case) -> PopulationProtocol:
    module = types.ModuleType(f"mutant_of_{name}")
    exec(compile(mutant.source, f"<{name}>", "exec"), module.__dict__)
    cls = next(
        v for v in vars(module).values() if isinstance(v, type) and issubclass(v, PopulationProtocol) and v.name == name
    )
    made = cls(case.agents, **dict(case.params))
    return made.with_inputs(range(1, 7)) if made.input_field else made


def is_noticed(mutant: Mutant, name: str, cases: list[tuple[Case, list[Step]]]) -> bool:
    for case, steps in cases:
        protocol = broken_protocol(mutant, name, case)
        try:
            if any(behaviour(protocol, a, b, told) != wanted for a, b, told, wanted in steps):
                return True
        except (PrincepsError, UnboundLocalError):  # a value outside its domain is noticed too
            return True
    return False


def tried(name: str) -> tuple[str, int, list[Mutant], float]:
    """Of one protocol: how many mutants, which of them are alive, and the seconds."""
    began = time.perf_counter()
    module = importlib.import_module(f"princeps.protocols.{name}")
    all_mutants = list(mutants(Path(str(module.__file__)).read_text()))
    cases = [(case, expectations(case)) for case in CASES if case.name == name]
    alive = [mutant for mutant in all_mutants if not is_noticed(mutant, name, cases)]
    return name, len(all_mutants), alive, time.perf_counter() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("protocols", nargs="*", help="only these")
    parser.add_argument("--jobs", type=int, default=processors(), help="processes (all processors)")
    parser.add_argument("--write", action="store_true", help="write docs/mutants.md")
    chosen = parser.parse_args()
    rows, unexplained = [], 0
    survivors: list[tuple[str, Mutant, str]] = []
    names = chosen.protocols or princeps.library()
    rings = [name for name in names if name in princeps.library("ring")]
    ring_rows: list[tuple[Any, ...]] = []
    ring_survivors: list[tuple[str, Mutant, str]] = []
    with ProcessPoolExecutor(chosen.jobs, mp_context=get_context("spawn")) as pool:
        of_rings = [pool.submit(ring_mutants.run, [name]) for name in rings]  # the longest first
        found = [pool.submit(tried, name) for name in names if name in princeps.library("population")]
        for one in found:
            name, total, alive, seconds = one.result()
            for mutant in alive:
                why = EXPLAINED.get(name, {}).get(mutant.key, "")
                unexplained += not why
                survivors.append((name, mutant, why))
                print(f"{name}:{mutant.line}: {mutant.key}: {why or 'NOT EXPLAINED'}", flush=True)
            rows.append((name, total, total - len(alive), len(alive)))
            print(f"{name}: {total} mutants, {len(alive)} alive, {seconds:.0f} s", flush=True)
        for ring in of_rings:
            own_rows, own_survivors = ring.result()
            ring_rows += own_rows
            ring_survivors += own_survivors
    unexplained += sum(not why for _, _, why in ring_survivors)
    if chosen.write:
        write_page(rows, survivors, ring_mutants.page(ring_rows, ring_survivors))
    return 1 if unexplained else 0


def write_page(
    rows: list[tuple[str, int, int, int]], survivors: list[tuple[str, Mutant, str]], of_rings: list[str]
) -> None:
    text = [
        "# Mutants",
        "",
        f"Written by `python verification/mutants.py --write`, princeps {princeps.__version__}. Every statement of every rule",
        "is deleted, every comparison, operator and constant changed, every two branches swapped, one at a time; the tests'",
        "comparison with the independent transcription must notice. What it cannot notice changes nothing, as explained.",
        "",
        "| protocol | mutants | noticed | alive |",
        "|---|---|---|---|",
        *(f"| {name} | {total} | {noticed} | {alive} |" for name, total, noticed, alive in rows),
        "",
        "| protocol | line | mutation | why it changes nothing |",
        "|---|---|---|---|",
        *(
            f"| {name} | `{m.code.replace('|', chr(92) + '|')}` | {m.what} | {why or '**not explained**'} |"
            for name, m, why in survivors
        ),
        *of_rings,
    ]
    (ROOT / "docs" / "mutants.md").write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    sys.exit(main())
