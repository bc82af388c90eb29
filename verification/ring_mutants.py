"""Alters every action of every ring algorithm in every small way and sees that the specification notices.

`make mutants` runs it after the population protocols. A mutant runs on every small ring of its class under several
schedules, in the plain engine, and the smallest rings through all their interleavings. It is caught by the
specification (a leader too many, none, the wrong one, somebody misled or not halted, a deadlock, a value outside its
domain, no end), or by two guards that hold at once, where the original's exclude one another, or by its costs, which differ
from the original's on some ring. What none of them catches must be explained in verification/ring_survivors.py.
"""

from __future__ import annotations

import ast
import copy
import importlib
import itertools
import sys
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "verification")]

from mutations import Mutant, become, changes, file_constants, twin  # noqa: E402
from ring_survivors import EXPLAINED  # noqa: E402

import princeps  # noqa: E402
from princeps.analysis.rings.interleavings import all_interleavings  # noqa: E402
from princeps.engines.rings.reference import Network  # noqa: E402
from princeps.engines.rings.survey import asymmetric_rings  # noqa: E402
from princeps.errors import PrincepsError  # noqa: E402
from princeps.model import registry  # noqa: E402
from princeps.model.rings.algorithm import RingAlgorithm  # noqa: E402
from princeps.model.rings.reading import make_ring_run  # noqa: E402
from princeps.model.rings.ring import Ring  # noqa: E402

LARGEST_EXPLORED = 4  # processes; larger rings only under the schedules
MAX_CONFIGURATIONS = 5000  # an original has at most 1,500: a mutant with more does not end
SCHEDULES = ("synchronous", "adversarial", "random", "slow:0")
Case = tuple[dict[str, Any], dict[str, int], str]  # the ring, the parameters, the schedule


def cases(cls: type[RingAlgorithm]) -> list[Case]:
    """Small rings of the algorithm's class, small ones first."""
    if cls.anonymous:
        return [({"n": n, "seed": seed}, {}, s) for n in (2, 3, 4, 5) for seed in range(6) for s in SCHEDULES]
    found: list[Case] = []
    if "k" in cls.params_:
        for n in (2, 3, 4, 5):
            for ring in asymmetric_rings(n, 3 if n < 5 else 2):
                smallest = cls.smallest_k(ring)
                if smallest is None:  # outside of its class, whatever k
                    continue
                for k in (smallest, smallest + 1):
                    found += [({"labels": ring}, {"k": k}, s) for s in SCHEDULES]
        return found
    for n in (2, 3, 4, 5):
        for rest in itertools.permutations(range(1, n)):
            found += [({"labels": Ring((0, *rest))}, {}, s) for s in SCHEDULES]
    found += [({"n": n, "seed": seed}, {}, "random") for n in (8, 11, 16) for seed in range(20)]
    return found


def ring_mutants(source: str) -> Iterator[Mutant]:
    tree = ast.parse(source)
    constants, lines = _constants(tree), source.splitlines()
    for function in _functions(tree):
        for node in ast.walk(function):
            if isinstance(node, (ast.arguments, ast.arg, ast.FunctionDef)) or not hasattr(node, "lineno"):
                continue
            if any(node in ast.walk(part) for part in (*function.decorator_list, function.returns or ast.Pass())):
                continue
            ways = list(changes(node, constants))
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield):
                ways = [("guard always true", lambda x: become(x.value.value, ast.Constant(1)))]
            if isinstance(node, ast.BoolOp):
                ways += [
                    (f"without `{ast.unparse(node.values[k])}`", lambda x, k=k: x.values.pop(k) is not None)  # type: ignore[misc]
                    for k in range(len(node.values))
                ]
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
                ways.append(("not dropped", lambda x: become(x, x.operand)))
            for what, change in ways:
                broken = copy.deepcopy(tree)
                if change(twin(broken, tree, node)):
                    text = ast.unparse(ast.fix_missing_locations(broken))
                    yield Mutant(node.lineno, f"{function.name}: {lines[node.lineno - 1].strip()}", what, text)


def _functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """The actions, and the helpers of the file that they call."""
    top = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    called = {n.func.id for f in top for n in ast.walk(f) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    return [f for f in top if f.decorator_list or f.name in called]


def _constants(tree: ast.Module) -> dict[str, int]:
    found = file_constants(tree)
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Call):
            if isinstance(node.value.func, ast.Name) and node.value.func.id == "range":
                found |= {name.id: k for k, name in enumerate(node.targets[0].elts) if isinstance(name, ast.Name)}
    return found


def outcome(cls: type[RingAlgorithm], case: Case, limit: int) -> tuple[str, tuple[int, ...]]:
    """`specification` if it was broken, `guards` if two held at once, else `alive`; and at what cost."""
    where, params, schedule = case
    network = Network(make_ring_run(cls, **where, schedule=schedule, engine="reference", params=params))
    for event in network.events():
        if event.step > limit:
            return "specification", ()
    if network.violations or network.ending().violations(network.now):
        return "specification", ()
    return "guards" if network.ambiguous else "alive", (network.now, network.messages, network.max_bits())


def _breach(cls: type[RingAlgorithm], case: Case) -> bool:
    """Does some interleaving fail?"""
    where, params, schedule = case
    if schedule != "synchronous" or where["labels"].n > LARGEST_EXPLORED - cls.bidirectional:
        return False
    found = all_interleavings(cls(where["labels"], **params), where["labels"], most=MAX_CONFIGURATIONS)
    return not found.agreed


def load(mutant: Mutant, name: str) -> type[RingAlgorithm]:
    module = types.ModuleType(f"mutant_of_{name}")
    exec(compile(mutant.source, f"<{name}>", "exec"), module.__dict__)
    return next(
        v for v in vars(module).values() if isinstance(v, type) and issubclass(v, RingAlgorithm) and v.name == name
    )


VERDICTS = ("specification", "guards", "costs", "alive")  # the first that holds on some ring


def judge(mutant: Mutant, name: str, wanted: list[tuple[Case, tuple[int, ...]]]) -> str:
    found = {"alive"}
    try:
        cls = load(mutant, name)
        for case, costs in wanted:
            verdict, taken = outcome(cls, case, 20 * costs[1] + 200)
            if verdict == "specification":
                return verdict
            found |= {verdict} | ({"costs"} if taken != costs else set())
        if not cls.anonymous and any(_breach(cls, case) for case, _ in wanted):
            return "specification"
    except (PrincepsError, UnboundLocalError):
        return "specification"  # outside a domain, or no action: a broken promise of the file itself
    return next(verdict for verdict in VERDICTS if verdict in found)


def run(names: list[str]) -> tuple[list[tuple[Any, ...]], list[tuple[str, Mutant, str]]]:
    rows, survivors = [], []
    for name in names:
        began = time.perf_counter()
        cls = registry.find_ring(name)
        originals = []
        for case in cases(cls):
            verdict, costs = outcome(cls, case, 10**6)
            assert verdict == "alive", f"{name} itself fails on {case}"
            assert cls.anonymous or not _breach(cls, case), f"{name} itself fails on {case}"
            originals.append((case, costs))
        text = Path(str(importlib.import_module(f"princeps.protocols.{name}").__file__)).read_text()
        counts = dict.fromkeys(VERDICTS, 0)
        for mutant in ring_mutants(text):
            verdict = judge(mutant, name, originals)
            counts[verdict] += 1
            if verdict == "alive":
                why = EXPLAINED.get(name, {}).get(mutant.key, "")
                survivors.append((name, mutant, why))
                print(f"{name}:{mutant.line}: {mutant.key}: {why or 'NOT EXPLAINED'}", flush=True)
        rows.append((name, sum(counts.values()), *counts.values()))
        print(f"{name}: {rows[-1][1:]} in {time.perf_counter() - began:.0f} s", flush=True)
    return rows, survivors


def page(rows: list[tuple[Any, ...]], survivors: list[tuple[str, Mutant, str]]) -> list[str]:
    return [
        "",
        "## Ring algorithms",
        "",
        "Every action altered in the same ways, and every guard dropped as a whole and conjunct by conjunct. The altered",
        "algorithm runs on every small ring of its class under four schedules, and through all interleavings of the smallest",
        "ones, where either of two actions may be taken if both guards hold. The specification, checked after every step,",
        "must notice; else two guards hold at once, where the original's exclude one another; else the time, messages or bits",
        "differ from the original's on some ring.",
        "",
        "| algorithm | mutants | break the specification | two guards at once | only cost more or less | alive |",
        "|---|---|---|---|---|---|",
        *(f"| {' | '.join(map(str, row))} |" for row in rows),
        "",
        "| algorithm | line | mutation | why it changes nothing |",
        "|---|---|---|---|",
        *(
            f"| {name} | `{m.code.replace('|', chr(92) + '|')}` | {m.what} | {why or '**not explained**'} |"
            for name, m, why in survivors
        ),
    ]


if __name__ == "__main__":
    _, alive = run(sys.argv[1:] or princeps.library("ring"))
    sys.exit(1 if any(not why for _, _, why in alive) else 0)
