"""Command lines of every verb, from the options that the verbs declare."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

from fuzz import values
from fuzz.calling import carried_out
from fuzz.good_files import SCRIPTS, STORES
from fuzz.inputs import Category, Input
from fuzz.output import DESTINATIONS, PLAIN
from fuzz.values import POPULATIONS, RINGS, number, path, text

WEIGHTS = {"run": 30, "exact": 14, "sweep": 10, "results": 8, "fit": 8, "plot": 4, "merge": 5, "paper": 3, "table": 1, "ring": 7,
           "rings": 5, "impossible": 5, "show": 6, "list": 1, "tour": 0.02, "net": 5, "net node": 1, "net judge": 1, "prove": 2,
           "hold": 4, "worst": 4, "tune": 2, "warm": 1}  # fmt: skip
LIMITS = ("0", "1", "50", "1000", "1e4")
Values = Callable[[Random], str]


def _texts(*good: str) -> Values:
    return lambda rng: text(rng, good)


def _paths(*good: str) -> Values:
    return lambda rng: path(rng, good)


def _numbers(*good: str) -> Values:
    return lambda rng: number(rng, good or values.SMALL)


def _parameter(rng: Random) -> str:
    name = rng.choice(values.PARAMETERS) if rng.random() < 0.9 else rng.choice(values.HOSTILE_TEXTS)
    return f"{name}={number(rng, ('2', '3', '4', '8', 'auto', 'n', '2n'))}" if rng.random() < 0.95 else name


def _sizes(rng: Random) -> str:
    return ",".join(number(rng) for _ in range(rng.choice((1, 1, 2, 3))))


MEASURES = ("steps", "parallel_time", "events", "held_steps", "recovery_steps", "seconds")
OPTIONS: dict[str, Values] = {
    "p": _parameter,
    "n": _numbers(),
    "start": _texts("initial", "random", "all_leaders", "no_leader", "file:start.json", "states:1;0;1", "all",
                    'json:[{"leader":1},{"leader":0}]', "states:1,0;0,2"),
    "until": _texts("leader", "s_rl", "safe", "s", "complete", "declared", "tired"),
    "seed": _numbers("0", "1", "7"),
    "trial": _numbers("0", "1", "5"),
    "engine": _texts("auto", "reference", "agents", "events", "counts", "compiled"),
    "max_steps": _numbers(*LIMITS),
    "faults": _texts("5:1", "0:2", "100:3", "every:50:1", "1e3:1e11", "-1:1", "5", "5:0", "1e30:1"),
    "scheduler": _texts("uniform", "self-meeting", "weighted:weights.txt", "forwards", "backwards", "bursts", "cliques",
                        "greedy.py:Greedy", "greedy.py", "greedy:4", "greedy:1", "greedy:0", "greedy:", "weakly-fair",
                        "noisy:0.5", "synchronous", "random", "slow:1", "adversarial",
                        "order:0,1,2"),
    "schedule": _texts("synchronous", "random", "slow:1", "slow:99", "adversarial", "order:0,1,2,0,0", "order:"),
    "pairs": _texts("pairs.txt", "list:0-1,1-2", "list:0-0", "list:", "list:0-99", "/dev/zero", "folder", "binary.bin"),
    "graph": _texts("complete", "ring", "undirected-ring", "path", "star", "grid:2x3", "torus:3x3", "regular:2",
                    "regular:3", "er:0.5", "er:1.0", "graph.txt", "grid:0x0", "er:2", "regular:1e9", "grid:1e9x1e9",
                    "er:nan", "regular:-1", "grid:2", "/dev/zero"),
    "ids": _texts("3,1,2", "random:100", "random:1", "1,1,2", "1,2,3,4,5", "-1,0,1", "random:1e30", "1e30,2,3"),
    "record": _texts("leaders", "leader == 1", "leader and wins > 0", "wins // 0", "leader + ", "steps", "N == 1",
                     "leader == " + "9" * 30, "-" * 5000 + "leader", "leader if leader else 0", "not leader"),
    "every": _numbers("0.1", "1", "0.5", "10"),
    "labels": _texts("1,2,2", "3,1,1,2", "ABAAB", "1", "1,1", "2,1,3", "-1,2", "1,x", "1,,2", ",", "é,a", "1,2,"),
    "random": _texts("n=5,labels=3,max=2", "n=8", "n=5,labels=5", "n=1e9,labels=2", "n=3,labels=1", "n=5,x=3", "n=,",
                     "n=4,labels=2,max=1", "n=1e30", "n=20,labels=1e30,max=1e30"),
    "ring": _paths("labels.txt"),
    "script": _paths(*SCRIPTS),
    "output": _paths("new.jsonl", "run.jsonl", "new.svg", "new.pdf", "new.png", "new.db"),
    "trace": _paths("new.jsonl", "-"),
    "diagram": _paths("new.svg", "new.png", "new.txt"),
    "trials": _numbers("1", "2", "3"),
    "jobs": _numbers("1", "1", "1", "2"),
    "target": _texts("safe", "leader", "s_rl", "some:leader", "all:leader", "none:leader", "some:leader == 1", "some:"),
    "automorphisms": _texts("0 2 1", "1 0", "0 0", "0 1 2; 2 1 0", "1 2 0", "9", "a b", ";"),
    "export": _paths("new.drn", "new.prism", "new.txt"),
    "check": _texts("storm"),
    "against_simulation": _numbers("2", "20"),
    "store": _paths("new.db", "results.db", "held.db"),
    "precision": _numbers("10%", "0.1", "50%", "-1%", "0%", "1e-9"),
    "cluster": _texts("x", "tcp://", "", "://"),
    "csv": _paths("new.csv"),
    "parquet": _paths("new.parquet", "a:b.parquet"),
    "rows": _texts("trials", "points"),
    "measure": _texts(*MEASURES),
    "protocol": _texts("fratricide", "epidemic", "p_pl"),
    "by": _texts("n", "ceil(ln n)", "2n", "n^2", "sqrt(n)", "n/0", "9" * 400, "n^100^100", "lg n", "(n", "x", "log(0)"),
    "smallest": _numbers("0", "5", "10"),
    "kind": _texts("growth", "distribution", "survival", "compare", "leaders"),
    "width": _numbers("3.5", "7", "1"),
    "html": _paths("new", "new.html", "folder"),
    "alphabet": _numbers("2", "3"),
    "max_k": _numbers("1", "2", "3"),
    "interleavings": _numbers("0", "2", "3"),
    "mode": _texts("free", "conducted"),
    "transport": _texts("memory", "memory", "memory", "memory", "memory", "memory", "udp", "tcp"),
    "duration": _texts("0.1s", "200ms", "0.3s", "0s", "-1s", "1e-9s", "1", "nan", "0.2h s"),
    "rate": _numbers("50", "200", "0.5"),
    "lease": _texts("0.1s", "2s", "0s", "-1", "nan", "1e30s"),
    "per_process": _numbers("1", "2", "3"),
    "chaos": _texts("loss 20%", "duplicates 20%", "loss 10%; duplicates 10%", "0.05s: kill leader", "0s: kill random",
                    "0.1s: cut 0-1|2-3 for 0.1s", "garbage 100/s", "0.05s: pause random for 0.1s", "reset 5/s",
                    "loss 200%", "loss -1%", "loss nan%", "kill leader", "1s: kill 99", "0s: cut 0-1|1-2 for 1s",
                    "garbage 1e30/s", "loss 20%; loss 10%", ";", ":", "0.1s:", "1s: kill random every 0s"),
    "restart": _texts("random", "initial", "none", "amnesia", "durable"),
    "join": _paths("cluster.toml", "cluster.toml", "sweep.toml", "notes.txt"),
    "agent": _numbers("0", "1", "2"),
    "snapshots": _texts("0,10,100", "0", "1e3", "5,5", "0,1e30", "-1", ",", "0..5"),
    "window": _texts("0..50", "10..10", "20..10", "0..1e30", "..", "5..", "1", "a..b"),
    "probability": _texts("F leader", "F<=100 leader", "leaders == 1 before leaders == 0", "!leader U<=50 leader", "G leader",
                          "F<=1e30 leader", "F<=-1 leader", "F<= leader", "before", "leader U leader", "F nothing"),
    "torn": _numbers("0", "1", "2"),
    "limit": _numbers("100", "1e4", "1e6"),
    "effort": _numbers("50", "60"),
    "save": _paths("new.html"),
    "save_script": _paths("new.script"),
    "host": _texts("127.0.0.1", "localhost", "::1", "0.0.0.0", "256.1.1.1", "h" * 500),
    "port": _numbers("0", "0", "0", "65535", "65536"),
    "file": _paths("new.py", "new.py", "duel.py", "folder/new.py", "folder"),
}  # fmt: skip
ARGUMENTS: dict[tuple[str, str], Values] = {
    ("rings", "name"): _texts(*RINGS),
    ("impossible", "name"): _texts("a_k", "b_k", *RINGS),
    ("ring", "labels"): OPTIONS["labels"],
    ("paper", "what"): _texts(
        "003.L9x", "999", "./missing.py", "003.", "000.", "duel.py", "notes.txt", "[003]", "003.[x]"
    ),
    ("table", "what"): _texts(
        "000.1", "999.1", "003", "000.", "003.9", "[000.1]", "001.1x", "./missing.py", "notes.txt"
    ),
    ("results", "store"): _paths(*STORES),
    ("fit", "store"): _paths(*STORES),
    ("plot", "source"): _paths(*STORES, "run.jsonl"),
    ("merge", "stores"): _paths(*STORES),
    ("plot", "output"): _paths("new.svg", "new.pdf", "new.png"),
    ("merge", "output"): _paths("new.db"),
    ("sweep", "n"): _sizes,
    ("rings", "n"): _texts("2..3", "2", "3", "2,3", "3..2", "0..2", "1..1e30", "2..", "..", "1e30"),
    ("exact", "n"): _numbers("2", "2", "3", "1"),
    ("exact", "scheduler"): _texts(
        "weakly-fair",
        "weakly-fair",
        "noisy:0.5",
        "noisy:1",
        "noisy:1e-9",
        "noisy:0",
        "noisy:nan",
        "noisy:1/3",
        "noisy:",
        "noisy:1e400",
        "uniform",
        "greedy:4",
    ),
    ("hold", "name"): _texts(
        "timer", "timer", "timer", "loose_ids", "p_pl", "michail", "duel.py", *POPULATIONS, *RINGS
    ),
    ("hold", "n"): _numbers("2", "3", "5", "8"),
    ("hold", "precision"): _texts("30%", "0.3", "25%", "5%", "0.2%", "31%", "%", "-5%", "nan%", "5%%"),
    ("hold", "jobs"): _numbers("1"),
    ("tune", "name"): _texts(
        "timer", "timer", "p_pl", "p_ll", "p_ll_symmetric", "loose_ids", "duel.py", *POPULATIONS, *RINGS
    ),
    ("tune", "n"): _numbers("2", "3", "5", "8"),
    ("tune", "hold"): _numbers("1e3", "2000", "1e4"),
    ("tune", "failure"): _texts("0.5", "0.3", "0.1", "10%", "0", "1", "-0.1", "nan", "1e-400"),
    ("tune", "jobs"): _numbers("1"),
    ("worst", "n"): _numbers("2", "3", "5", "8"),
    ("worst", "limit"): _numbers("1e4", "1e5", "1e6"),
    ("warm", "what"): _texts("fratricide", "epidemic", "duel.py", "a_k", "greedy.py", "notes.txt", "folder"),
    ("net", "n"): _numbers("2", "3", "5"),
    ("prove", "lemmas"): _texts("L4", "L5", "safe", "kept", "000.L2", "leader", "000.L1", "symmetric", "not at all"),
    ("net judge", "logs"): _paths("agent.log", "agent.log", "run.jsonl", "notes.txt", "folder"),
}
NAMES = _texts(*POPULATIONS, *POPULATIONS, *RINGS)
LONG_RUNS = ("run", "sweep", "net")  # without a limit they may rightly run for ever
OF_THE_CLOCK = ("net", "net node")  # they take the time that they were given
TIMES = ("0.05s", "0.1s", "0.3s")


@cache
def _parameters(verb: str) -> list[Any]:
    """The options and arguments of a verb, as the command line library knows them."""
    import typer

    from princeps.cli import OF_NET, VERBS
    from princeps.cli.declared import for_typer

    app = typer.Typer(add_completion=False)  # which only `princeps` itself has
    app.command()(for_typer(import_module((VERBS | OF_NET)[verb]).command))
    return list(typer.main.get_command(app).params)


@cache
def _verbs() -> dict[str, float]:
    """Those that are listed here and any others that there are."""
    from princeps.cli import OF_NET, VERBS

    return {verb: WEIGHTS.get(verb, 3) for verb in VERBS | OF_NET}


def _value(verb: str, name: str, rng: Random) -> str:
    known = ARGUMENTS.get((verb, name)) or OPTIONS.get(name)
    if known is None and name in ("name", "names"):
        known = NAMES
    return known(rng) if known is not None else rng.choice((number, _texts("x")))(rng)


def words(rng: Random) -> list[str]:
    """One command line."""
    verbs = _verbs()
    verb = rng.choices(list(verbs), list(verbs.values()))[0]
    given: list[list[str]] = []
    arguments: list[str] = []
    declared = _parameters(verb)
    options = [one for one in declared if one.param_type_name == "option"]
    likely = min(1.0, rng.choice((1, 2, 3, 5)) / max(1, len(options)))
    for one in declared:
        name = one.name
        if one.param_type_name == "argument":
            count = rng.choice((1, 1, 1, 2)) if one.nargs == -1 else 1
            arguments += [_value(verb, name, rng) for _ in range(count) if one.required or rng.random() < 0.9]
        elif name == "as_json":
            given += [["--json"]] if rng.random() < 0.3 else []
        elif name == "help":
            given += [["--help"]] if rng.random() < 0.003 else []
        elif rng.random() < (0.95 if one.required or name == "n" else likely):
            flag = rng.choice(one.opts) if rng.random() < 0.99 else values.nearly(rng, one.opts[0])
            for _ in range(rng.choice((1, 1, 2)) if one.multiple else 1):
                given.append([flag] if one.is_flag else [flag, _value(verb, name, rng)])
    if verb in LONG_RUNS and not any(pair[0] == "--max-steps" for pair in given):
        given.append(["--max-steps", rng.choice(LIMITS)])
    if verb in OF_THE_CLOCK and not any(pair[0] in ("--for", "--duration") for pair in given):
        given.append(["--for", rng.choice(TIMES)])
    if verb == "net" and not any(pair[0] == "--transport" for pair in given) and rng.random() < 0.9:
        given.append(["--transport", "memory"])  # virtual time: processes take seconds to start
    rng.shuffle(given)
    line = [*verb.split(), *arguments, *(word for pair in given for word in pair)]
    if rng.random() < 0.01:
        line.insert(rng.randrange(len(line) + 1), rng.choice(values.HOSTILE_TEXTS))
    return [word.replace("\0", "") for word in line]


def make(rng: Random) -> Input:
    line = words(rng)
    to = PLAIN if rng.random() < 0.95 else rng.choice(DESTINATIONS)
    remark = "" if to == PLAIN else f"  # standard output: {to}"
    return Input(shlex.join(["princeps", *line]) + remark, lambda: carried_out(line, to))


CATEGORY = Category("commands", "command lines of every verb", make, share=0.46)
