"""Calls of the public functions with whatever Python has: only errors of the package may come out."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from fuzz.inputs import WRONG, Category, Input, Trouble
from fuzz.values import POPULATIONS, RINGS

HEAD = """import datetime, decimal, fractions, math, pathlib
import numpy as np
import princeps
"""
HOSTILE = (
    *(
        "None",
        "True",
        "False",
        "0",
        "1",
        "-1",
        "2",
        "2.5",
        "1e400",
        "float('nan')",
        "float('inf')",
        "10**30",
        "-10**30",
    ),
    *(
        "2**63",
        "2**64",
        "''",
        "' '",
        "'x'",
        "b'p_rl'",
        "'\\udcff'",
        "'\\0'",
        "'9' * 5000",
        "[]",
        "()",
        "{}",
        "set()",
        "[1]",
    ),
    *(
        "[None]",
        "[[1]]",
        "(1, 2)",
        "{1: 2}",
        "{'n': 1}",
        "object()",
        "int",
        "lambda: 0",
        "lambda *a, **k: 1",
        "princeps",
    ),
    *(
        "3 + 4j",
        "decimal.Decimal('NaN')",
        "decimal.Decimal('1e9')",
        "fractions.Fraction(1, 3)",
        "range(3)",
        "iter([1])",
    ),
    *("np.int64(5)", "np.float64('nan')", "np.array([1, 2])", "np.array('x')", "np.zeros(0)", "np.bool_(True)", "..."),
    *("pathlib.Path('results.db')", "pathlib.Path('missing')", "datetime.date(2026, 1, 1)", "NotImplemented", "type"),
    *("(x for x in [3, 4])", "Exception('x')", "open", "frozenset([1])", "bytearray(b'1')", "memoryview(b'1')"),
    *(
        "'a' * 100000",
        "'1,2'",
        "'\\n'",
        "[float('nan')]",
        "[10**30]",
        "{'leader': 'x'}",
        "'[/]'",
        "np.uint8(3)",
        "2**31",
    ),
)


def _of(*good: str) -> tuple[str, ...]:
    return good


def _without(known: dict[str, Sequence[str]], *names: str) -> dict[str, Sequence[str]]:
    return {name: good for name, good in known.items() if name not in names}


NAMES = tuple(map(repr, POPULATIONS))
RING_NAMES = tuple(map(repr, RINGS))
SIZES = _of("3", "4", "5", "'6'", "2")
RUN: dict[str, Sequence[str]] = {
    "n": SIZES,
    "start": _of("'random'", "'initial'", "'states:1;0;1'", "'file:start.json'", "[{'leader': 1}]"),
    "until": _of("'leader'", "'s_rl'", "'safe'"),
    "seed": _of("1", "'2'", "None"),
    "trial": _of("0", "3"),
    "engine": _of("'auto'", "'reference'", "'agents'", "'events'", "'counts'"),
    "fault": _of("['5:1']", "'5:1'", "['every:10:1']", "[(5, 1)]"),
    "hold": _of("True", "False"),
    "check": _of("True", "False"),
    "scheduler": _of("'uniform'", "'bursts'", "{(0, 1): 3, (1, 0): 1}", "'weighted:weights.txt'", "'random'", "{}", "object()", "'greedy:4'"),
    "pairs": _of("[(0, 1)]", "'list:0-1'", "[(0, 0)]", "[(0,)]", "[(0, 1.5)]", "[(0, 10**30)]", "'pairs.txt'"),
    "graph": _of("'complete'", "'path'", "'graph.txt'", "'er:0.5'", "[(0, 1)]"),
    "ids": _of("[3, 1, 2]", "'3,1,2'", "'random:9'", "[1.5, 2, 3]"),
    "record": _of("['leaders']", "{'x': 'leader == 1'}", "'leaders'", "{'x': 1}", "[1]"),
    "every": _of("0.5", "'1'", "1"),
    "snapshots": _of("[0, 10]", "'0,10'", "(5, 5)", "range(3)"),
    "progress": _of("False", "True"),
    "force": _of("True", "False"),
    "labels": _of("'1,2,2'", "[1, 2, 2]", "['a', 'b']", "[1, 'a']", "[[1], [2]]"),
    "random": _of("'n=5,labels=3,max=2'",),
    "ring": _of("'labels.txt'",),
    "schedule": _of("'random'", "'slow:1'"),
    "N": _of("8", "'8'", "'n'"),
    "k": _of("2", "'2'"),
    "params": _of("{'N': 8}", "{}", "{'N': None}", "{1: 2}"),
    "whatever": _of("1",),
}  # fmt: skip
OF_ONE_RUN: dict[str, Sequence[str]] = {
    "trace": _of("lambda event: None", "'new.jsonl'", "pathlib.Path('new.jsonl')", "'results.db'"),
    "diagram": _of("'new.svg'", "pathlib.Path('new.svg')"),
    "window": _of("(0, 50)", "'0..50'", "(5, 1)", "('a', 1)"),
    "observer": _of("lambda *a: None", "None"),
}
EXACT = {name: RUN[name] for name in ("n", "start", "seed", "graph", "ids", "force", "labels", "random", "ring", "N", "k", "params",
                                      "progress", "whatever")} | {
    "n": _of("2", "3"),
    "target": _of("'safe'", "'leader'", "'some:leader'"),
    **{name: _of("True") for name in ("rational", "variance", "distribution", "leaders", "hold", "sets", "lemmas", "past_target")},
    "reduce": _of("False"),
    "automorphisms": _of("'0 2 1'", "[[0, 1]]"),
    "export": _of("'new.drn'", "'new.prism'"),
    "check": _of("'storm'",),
    "against_simulation": _of("5",),
    "jobs": _of("1",),
    "observer": _of("lambda *a: None", "None"),
    "limit": _of("100", "'1e4'"),
    "probability": _of("'F leader'", "'F<=50 leader'", "'leaders == 1 before leaders == 0'"),
    "scheduler": _of("'weakly-fair'", "'noisy:0.5'", "'noisy:0'", "'uniform'"),
    "torn": _of("1", "0", "2"),
    "save_script": _of("'new.script'", "pathlib.Path('new.script')"),
    "until": RUN["until"],
}  # fmt: skip
STORES = _of("'results.db'", "'held.db'", "pathlib.Path('results.db')")
READ: dict[str, Sequence[str]] = {
    "measure": _of("'steps'", "'events'", "'seconds'"),
    "protocol": _of("'fratricide'", "'p_pl'"),
    "by": _of("'n'", "'ceil(ln n)'", "'n^2'"),
    "from_": _of("0", "5", "4.5", "'5'"),
}
OF_EVIDENCE: dict[str, Sequence[str]] = {
    "full": _of("True", "False"),
    "html": _of("'new'", "'new.html'", "'notes.txt'"),
    "force": _of("False"),
    "watch": _of("lambda *a: None", "None"),
}
Call = tuple[str, Sequence[Sequence[str]], dict[str, Sequence[str]]]  # function, positional arguments, keywords
CALLS: tuple[Call, ...] = (
    ("princeps.run", (NAMES,), RUN | OF_ONE_RUN),
    ("princeps.run", (NAMES,), RUN | OF_ONE_RUN),
    ("princeps.run", (RING_NAMES,), RUN | OF_ONE_RUN),
    ("princeps.trials", (NAMES,), _without(RUN, "trial") | {"trials": _of("2", "1"), "jobs": _of("1",)}),
    ("princeps.estimate", (NAMES,), _without(RUN, "progress") | {"trials": _of("2", "1e9"), "jobs": _of("1", "4")}),
    ("princeps.exact", (NAMES,), EXACT),
    ("princeps.exact", (RING_NAMES,), EXACT),
    ("princeps.sweep", ((*NAMES, "['fratricide', 'epidemic']", "'plan.toml'"),),
     {name: RUN[name] for name in ("start", "until", "graph", "engine", "fault", "hold", "ids", "force", "N", "scheduler",
                                "schedule", "labels", "random", "ring", "params", "progress", "whatever")}
     | {"n": _of("[4, 5]", "4", "'4,5'"), "trials": _of("1", "2"), "store": _of("'new.db'", "'results.db'"), "jobs": _of("1",),
        "precision": _of("'10%'", "0.1"), "seed": _of("1",), "max_steps": _of("100",),
        "cluster": _of("None"), "rare": _of("True", "False"), "watch": _of("lambda *a: None", "None")}),
    ("princeps.results", (STORES,), {name: READ[name] for name in ("measure", "protocol")}),
    ("princeps.fit", (STORES,), READ),
    ("princeps.plot", (STORES, _of("'new.svg'", "'new.png'", "pathlib.Path('new.svg')")),
     READ | {"kind": _of("'growth'", "'survival'"), "width": _of("3.5", "7"), "force": _of("False")}),
    ("princeps.merge", (STORES, STORES), {"output": _of("'new.db'",), "sound": _of("True", "False")}),
    ("princeps.ring", (RUN["labels"],), {"seed": RUN["seed"], "random": RUN["random"], "ring": RUN["ring"]}),
    ("list(princeps.rings", (RING_NAMES, _of("[2]", "[2, 3]", "range(2, 4)")),
     {"alphabet": _of("2", "3"), "max_k": _of("2",), "interleavings": _of("2", "0"), "seed": _of("0",), "limit": _of("1e5")}),
    ("princeps.impossible", (RING_NAMES, _of("2", "3")), {"k": _of("2", "3"), "limit": _of("1e5"), "params": _of("{'k': 2}")}),
    ("princeps.protocol", (NAMES, SIZES), {"N": RUN["N"], "m": RUN["N"], "most": _of("3",), "whatever": _of("1",)}),
    ("princeps.protocol('p_rl', N=8).delta",
     (_of("{'leader': 1, 'bullet': 0, 'shield': 0, 'signal': 0, 'distL': 0}", "{'leader': 1}", "{'leader': 2}"),) * 2, {}),
    ("princeps.protocol('p_rl', N=8).output", (_of("{'leader': 1, 'bullet': 0, 'shield': 0, 'signal': 0, 'distL': 0}",),), {}),
    ("princeps.replay", (_of("'attack.script'", "'ring.script'"),),
     {"engine": RUN["engine"], "strict": _of("True", "False"), "protocol": _of("None", "int", "'p_rl'"), "max_steps": _of("100"),
      "announce": _of("print", "None")}),
    ("princeps.watch", (NAMES,), {name: RUN[name] for name in ("start", "until", "seed", "graph", "engine", "force", "N", "whatever")}
     | {"n": SIZES, "script": _of("'attack.script'", "None"), "port": _of("0",), "host": _of("'127.0.0.1'",)}
     | {name: RUN[name] for name in ("trial", "check", "scheduler", "schedule", "pairs", "ids", "labels", "random", "ring", "params")}
     | {"browser": _of("False"), "max_steps": _of("100")}),
    ("princeps.net", (NAMES,), {name: RUN[name] for name in ("start", "until", "seed", "graph", "force", "N", "whatever")}
     | {"n": SIZES, "mode": _of("'free'", "'conducted'"), "rate": _of("50", "200"), "lease": _of("'1s'", "0.5", "None"),
        "chaos": _of("'loss 10%'", "'0.1s: kill leader'", "None"), "restart": _of("'random'", "'none'"), "labels": RUN["labels"],
        "duration": _of("0.1", "'100ms'"), "per_process": _of("1", "2"), "trials": _of("2"), "store": _of("'new.db'", "'results.db'"),
        "save_script": _of("'new.script'"), "browser": _of("False"), "trial": RUN["trial"], "scheduler": RUN["scheduler"],
        "pairs": RUN["pairs"], "ids": RUN["ids"], "random": RUN["random"], "ring": RUN["ring"], "params": RUN["params"],
        "host": _of("'127.0.0.1'"), "port": _of("0")}),
    ("princeps.session", (NAMES,), _without(RUN, "fault", "hold", "record", "every", "snapshots", "progress") | {"max_steps": _of("100")}),
    ("princeps.session", (RING_NAMES,), {name: RUN[name] for name in ("labels", "random", "ring", "schedule", "k", "seed", "force")}),
    ("princeps.hold", (("'timer'", "'loose_ids'", "'p_pl'", *NAMES), SIZES),
     {name: RUN[name] for name in ("start", "graph", "seed", "params", "progress", "whatever")}
     | {"precision": _of("'30%'", "0.3"), "effort": _of("50", "'60'"), "jobs": _of("1"), "compare": _of("False", "True"),
        "store": _of("'new.db'", "pathlib.Path('new.db')", "'results.db'"), "t_max": _of("3", "5")}),
    ("princeps.tune", (("'timer'", "'p_ll'", "'p_pl'", *NAMES), SIZES),
     {name: RUN[name] for name in ("start", "seed", "params", "progress", "whatever")}
     | {"hold": _of("1e3", "'2000'", "None"), "failure": _of("0.5", "'0.3'", "None"), "effort": _of("50", "'60'"), "jobs": _of("1"),
        "store": _of("'new.db'", "'results.db'"), "output": _of("'new.svg'", "'duel.py'", "pathlib.Path('new.png')")}),
    ("princeps.worst", (NAMES, SIZES),
     {name: RUN[name] for name in ("until", "seed", "engine", "scheduler", "graph", "force", "N", "progress", "whatever")}
     | {"trials": _of("2", "3"), "limit": _of("1e4", "'1e5'"), "max_steps": _of("1000"), "params": RUN["params"]}),
    ("princeps.warm", (_of("['fratricide']", "('epidemic',)", "['duel.py']", "'fratricide'", "['a_k']"),),
     {"observer": _of("lambda done: None", "None")}),
    ("princeps.check", (_of("'duel.py'", "'fratricide'", "'veterans.py'", "'listeners.py'"),),
     {"observer": _of("lambda *a: None", "None"), "progress": RUN["progress"]}),
    ("princeps.new", (_of("'new.py'", "pathlib.Path('new.py')", "'duel.py'", "'folder/new.py'"),),
     {"ring": _of("True"), "force": _of("False")}),
    ("princeps.table", (_of("'999.1'", "'x'", "'003.99'", "'000.'"),),
     {"jobs": _of("1"), "seed": _of("0"), "store": _of("'new.db'"), "progress": RUN["progress"]} | OF_EVIDENCE),
    ("princeps.slider", (_of("princeps.run('fratricide', 5, seed=1)", "princeps.run('p_rl', 3, seed=1, snapshots=[0, 5])"),), {}),
    ("princeps.member", (_of("'cluster.toml'", "pathlib.Path('cluster.toml')", "'notes.txt'"), _of("0", "1", "None")), {}),
    ("princeps.prove", (NAMES, _of("'safe'", "'L4'", "'kept'", "'000.L2'")), {"search": _of("False"), "progress": _of("False", "True")}),
    ("princeps.library", (_of("'ring'", "'population'", "None"),), {}),
    ("princeps.paper", (_of("'999'", "'x'", "'003.L999'"),),
     {"jobs": _of("1",), "seed": _of("0",), "store": _of("'new.db'",), "progress": RUN["progress"], "planted": _of("True")}
     | OF_EVIDENCE),
)  # fmt: skip
BINDING = re.compile(r"(?:\w+\.)?(\w+)\(\) (?:missing|takes|got)")  # Python's own words about arguments
OPENED = re.compile(r"open\(\) |expected str, bytes or os.PathLike object, not \w")  # what `open` says as an observer
LIMITED = ("princeps.run", "princeps.trials", "princeps.estimate", "princeps.net", "princeps.session", "princeps.worst")


def argument(rng: Random, good: Sequence[str]) -> str:
    return rng.choice(good) if rng.random() < 0.7 else rng.choice(HOSTILE)


def expression(rng: Random) -> str:
    """One call, as a script would write it."""
    function, places, keywords = rng.choice(CALLS)
    given = [argument(rng, good) for good in places if rng.random() < 0.98]
    likely = rng.choice((1, 2, 4)) / max(1, len(keywords))
    named = {
        name: argument(rng, good) for name, good in keywords.items() if rng.random() < (0.9 if name == "n" else likely)
    }
    if function == "princeps.watch":  # a page in a file; a server would wait for somebody
        named["save"] = rng.choice(
            _of("'new.html'", "pathlib.Path('new.html')", "'results.db'", "'folder'", "1", "object()")
        )
    if function == "princeps.net":  # virtual time: processes take seconds to start
        named["transport"] = "'memory'"
        named.setdefault("duration", "'0.2s'")
    if function in LIMITED:
        named["max_steps"] = rng.choice(
            _of("100", "'1e3'", "0", "10**4", "1e3", "-1", "2.5", "'x'", "[]", "''", "object()")
        )
    given += [f"{name}={value}" for name, value in named.items()]
    return f"{function}({', '.join(given)})" + (")" if function.startswith("list(") else "")


def tried(code: Any, scope: dict[str, Any]) -> list[Trouble]:
    """Errors of the package are answers; so is a TypeError of Python about names or numbers of arguments."""
    from princeps.errors import PrincepsError

    try:
        exec(code, scope)
    except PrincepsError as error:
        return _judged(str(error))
    except AttributeError as error:
        if "is not for this kind of protocol" not in str(error):
            raise
    except TypeError as error:
        called = BINDING.match(str(error))
        own = OPENED.match(str(error)) and re.search(
            r"\w+=open\b", scope["<text>"]
        )  # a function of the script's failed
        if not own and (called is None or f".{called[1]}" not in scope["<text>"]):
            raise
    return []


def _judged(sentence: str) -> list[Trouble]:
    if not sentence.strip() or len(sentence) > 2000:
        return [Trouble(WRONG, f"a sentence of {len(sentence)} characters: {sentence[:300]!r}")]
    return []


def scripted(lines: Sequence[str], after: Callable[[dict[str, Any]], list[Trouble]] | None = None) -> Input:
    """Statements one after the other, each of which may be refused."""

    def run() -> list[Trouble]:
        scope: dict[str, Any] = {"<text>": "\n".join(lines)}
        exec(HEAD, scope)
        found: list[Trouble] = []
        for line in lines:
            found += tried(compile(line, "<input>", "exec"), scope)
            if line.startswith("s = ") and "s" not in scope:  # there is no session
                return found
        sys.stdout.flush()
        return found + (after(scope) if after is not None else [])

    return Input(HEAD + "\n".join(lines), run)


def make(rng: Random) -> Input:
    return scripted([expression(rng)])


CATEGORY = Category("calls", "calls of the public functions", make, share=0.20)
