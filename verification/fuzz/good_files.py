"""The files that inputs name: protocols, plans, graphs, schedules, scripts, stores."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ("listeners.py", "opinions.py", "optimal_silent.py", "silent_ranking.py", "veterans.py", "zombies.py")

DUEL = """from princeps.model import Bit, Blocks, Counted, Param, PopulationProtocol, Range


def veteran(a, p):
    return a.wins == p.most


def tired(c, p):
    return c.veteran >= 1


class Duel(PopulationProtocol):
    most = Param(min=1, max=50, default=3)
    leader, wins = Bit(), Range(lambda p: p.most + 1)
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}
    predicates = {"veteran": veteran}
    goals = {"tired": Counted(tired)}

    @staticmethod
    def interact(a, b, p):
        if a.leader == 1 and b.leader == 1:
            if a.wins >= b.wins:
                a.wins, b.leader = min(a.wins + 1, p.most), 0
            else:
                b.wins, a.leader = min(b.wins + 1, p.most), 0
"""
GREEDY = """class Greedy:
    def next_pair(self, configuration, step, draw):
        return draw(len(configuration) - 1), len(configuration) - 1
"""
PLAN = """seed = 7
trials = 2
store = "planned.db"
jobs = 1

[[sweep]]
protocol = ["fratricide", "./duel.py"]
n = [4, 6]

[[sweep]]
protocol = "p_rl"
n = "4,5"
start = ["random", "all_leaders"]
params = { N = ["n", "2n"] }
max_steps = 1e3
"""
CLUSTER = """protocol = "timer"
params = { t_max = 20 }
agents = ["127.0.0.1:47811", "127.0.0.1:47812", "127.0.0.1:47813"]
key = "a key of the attack"
lease = 0.2
rate = 100
logs = "logs"
"""
TEXTS = {
    "duel.py": DUEL,
    "cluster.toml": CLUSTER,
    "greedy.py": GREEDY,
    "plan.toml": PLAN,
    "graph.txt": "0 1\n1 2\n2 3\n3 > 0\n0 > 3\n",
    "weights.txt": "0 1 3\n1 2 1\n2 3 5\n3 > 0 2\n0 > 3 1\n",
    "pairs.txt": "0 1\n1 2\n2 0\n0 3\n",
    "labels.txt": "3,1,1,2\n",
    "start.json": '[{"leader": 1}, {"leader": 0}, {"leader": 1}, {"leader": 1}]\n',
    "notes.txt": "this file belongs to somebody else\n",
    "picture.svg": "<svg xmlns='http://www.w3.org/2000/svg'><text>not drawn by princeps</text></svg>\n",
    "empty": "",
}
STORES = ("results.db", "held.db")
SCRIPTS = ("attack.script", "ring.script")
LOG = "agent.log"  # of a cluster
TAKEN_SECONDS = 60.0


def make_files(folder: Path) -> None:
    """All good files; the stores and scripts are made by the package itself."""
    import princeps

    folder.mkdir(parents=True)
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    for name in EXAMPLES:
        shutil.copy(ROOT / "examples" / name, folder)
    (folder / "folder").mkdir()
    (folder / "folder" / "inside.txt").write_text("0 1\n")
    (folder / "binary.bin").write_bytes(bytes(range(256)) * 8)
    before = os.getcwd()
    os.chdir(folder)
    try:
        princeps.sweep(["fratricide", "epidemic"], n=[4, 8, 16, 32], trials=5, store="results.db", jobs=1)
        princeps.sweep("p_pl", n=[5, 6], trials=3, store="held.db", jobs=1, hold=True, max_steps=3000)
        princeps.session("p_rl", n=6, seed=1, engine="agents").step(40).corrupt(2).meet(1, 2).step(9).save(SCRIPTS[0])
        princeps.session("peterson", labels="3,1,4,2", schedule="random", seed=5).step(6).save(SCRIPTS[1])
        _cluster()
        import json

        found = princeps.run("fratricide", 20, seed=1, record=["leaders"], every=1)
        Path("run.jsonl").write_text(json.dumps(found.as_json()) + "\n")
    finally:
        os.chdir(before)


def _cluster() -> None:
    """Two agents for a moment, for the log of one of them. Another attack may have their addresses just now."""
    import asyncio
    import time

    import princeps
    from princeps.network.cluster.seat import AddressTaken

    async def meet() -> None:
        async with princeps.member("cluster.toml", 0), princeps.member("cluster.toml", 1):
            await asyncio.sleep(0.5)

    deadline = time.monotonic() + TAKEN_SECONDS
    while True:
        try:
            asyncio.run(meet())
            break
        except AddressTaken:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)
    shutil.copy(sorted(Path("logs").glob("*"))[0], LOG)
    for folder in ("logs", "state"):
        shutil.rmtree(folder)
