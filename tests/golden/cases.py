"""What is recorded: commands in which {a|b} stands for a command with a and one with b, and some calls from Python.

Sizes are small, so that all of it is checked in seconds; what needs large ones is in the group `slow`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

P_RL = {
    "engines": "run p_rl -n {2|5|40} --seed 1 --engine {reference|agents|events|auto}",
    "starts": "run p_rl -n 12 --start {random|all_leaders|no_leader|no_leader_bullets|two_leaders} --seed 3 --engine {agents|events}",
    "goals": "run p_rl -n 14 --until {leader|s_rl|safe|c_pb|c_ni|led} --seed 4 --engine {reference|agents|events}",
    "bounds": "run p_rl -n 10 -p N={10|11|20|100} --seed 5",
    "larger": "run p_rl -n {500|700} --until {leader|s_rl} --start all_leaders --seed 6 --engine {agents|events|auto}",
    "trials": "run p_rl -n 9 --trials 4 --seed 7 --engine {agents|events}",
    "trial": "run p_rl -n 9 --trial {0|3|1000} --seed 7",
    "faults": "run p_rl -n 12 --seed 8 --fault 500:3 --fault 2500:12 --engine {reference|agents|events}",
    "rate": "run p_rl -n 8 --seed 9 --fault every:300:2 --max-steps 3000 --engine {agents|events}",
    "checked": "run p_rl -n 6 --seed 11 --check",
    "limit": "run p_rl -n 30 --seed 12 --max-steps {0|1|900} --engine {reference|agents|events}",
    "pairs": "run p_rl -n 3 --start states:1,0,1,0,0;0,0,0,1,1;1,2,1,0,0 --until {leader|s_rl} --pairs list:0-1,1-2,2-0,0-1,1-2,2-0 --seed 1",
    "listed": "run p_rl --start {file:configuration.json|states:1,2,1,0,0;0,0,0,1,2;1,0,0,0,0} --seed 13 -n 3 -p N=4",
    "json start": """run p_rl -n 2 --seed 13 --start 'json:[{"leader":1,"bullet":2,"shield":0,"signal":0,"distL":0},{"leader":1,"bullet":0,"shield":1,"signal":1,"distL":1}]'""",
    "recorded": "run p_rl -n 10 --seed 14 --record leaders --every {0.5|3} --engine {reference|agents|events}",
    "own ring": "run p_rl --graph circle.txt --seed 15 --engine {agents|events}",
    "forced": "run p_rl -n 8 --graph {complete|path} --force --until leader --seed 16 --max-steps 3000",
}
P_PL = {
    "engines": "run p_pl -n {2|6} -p virus_factor=1 -p emit_factor=1 --seed 1 --max-steps 4000 --engine {reference|agents|counts|auto}",
    "defaults": "run p_pl -n 8 --seed 3 --max-steps 20000 --engine {agents|counts}",
    "starts": "run p_pl -n 10 -p virus_factor=2 -p emit_factor=2 --max-steps 3000 --seed 4 --engine {agents|counts} --start {random|all_leaders|no_leader|no_leader_full_timers|no_leader_half_timers|infected|one_virus|one_leader_clean|one_leader_shielded|one_leader_doomed|two_leaders|all_leaders_shielded}",
    "goals": "run p_pl -n 9 -p virus_factor=1 --until {leader|s|led} --max-steps 50000 --seed 5 --start {random|no_leader}",
    "parameters": "run p_pl -n 6 -p N={6|12} -p c={1|2} -p virus_factor=1 -p emit_factor=3 --seed 6 --max-steps 40000",
    "held": "run p_pl -n 5 -p virus_factor=1 -p emit_factor=1 --hold --max-steps 60000 --seed {7|8} --engine {agents|counts}",
    "faults": "run p_pl -n 8 -p virus_factor=1 -p emit_factor=1 --fault 3000:8 --max-steps 9000 --seed 9 --engine {reference|agents|counts}",
    "passage": "run p_pl -n 900 -p virus_factor=1 -p emit_factor=1 --start {all_leaders|random} --max-steps 40000 --seed 10",
    "recorded": "run p_pl -n 12 -p virus_factor=1 --record clean --record leaders --every 5 --max-steps 2500 --seed 11",
    "trials": "run p_pl -n 5 -p virus_factor=1 -p emit_factor=1 --trials 3 --seed 12 --max-steps 9000",
}
P_LL = {
    "engines": "run p_ll -n {2|5|40} --seed 1 --engine {reference|agents|counts|auto}",
    "larger": "run p_ll -n {1000|20000} --seed 3 --engine {agents|counts}",
    "starts": "run p_ll -n 24 --start {initial|one_timer|backup|backup_pair|exhausted} --seed 4 --engine {reference|agents|counts}",
    "goals": "run p_ll -n 30 --until {leader|assigned|first_color_1|first_color_2|color_0_again|all_color_1|epoch_3|all_epoch_3|decided|synchronised} --max-steps 60000 --seed 5 --engine {agents|counts}",
    "printed": "run p_ll -n {8|50} -p printed=1 --seed 6 --engine {agents|counts}",
    "rough size": "run p_ll -n 20 -p m={5|8|20} --seed 7",
    "checked": "run p_ll -n 7 --check --seed 8",
    "recorded": "run p_ll -n 40 --record timers --record third --every 0.7 --seed 9 --engine {agents|counts}",
    "faults": "run p_ll -n 16 --fault 300:4 --max-steps 20000 --seed 10 --engine {agents|counts}",
    "symmetric": "run p_ll_symmetric -n {3|7|60} --seed 1 --engine {reference|agents|counts|auto}",
    "symmetric, parameters": "run p_ll_symmetric -n 12 -p printed={0|1} -p m={4|6} --seed 3",
    "symmetric, larger": "run p_ll_symmetric -n 2000 --seed 4 --engine {agents|counts}",
    "symmetric, checked": "run p_ll_symmetric -n 6 --check --seed 5",
    "symmetric, recorded": "run p_ll_symmetric -n 30 --record heads --record tails --every 1 --seed 6 --trials 2",
}
NUMBERED = {
    "infection": "run infection -n {2|9|300} --seed 1 --engine {reference|agents|auto}",
    "infection, goals": "run infection -n 20 --until {leader|complete} --seed 3 --graph {complete|ring|star}",
    "infection, graphs": "run infection -n 12 --graph {path|undirected-ring|grid:3x4|regular:3} --seed 4 --engine {agents|events}",
    "infection, identifiers": "run infection -n 4 --ids {3,1,2,9|random:1000} --seed 5",
    "known bound": "run known_bound -n {2|30} --seed 1 --engine {reference|agents|auto}",
    "known bound, parameter": "run known_bound -n 6 -p bound=6 --max-steps {3|500} --seed 2",
    "known bound, identifiers": "run known_bound -n 5 --ids 5,4,8,2,1 -p bound=8 --seed 3",
    "known bound, graph": "run known_bound -n 9 --graph {star|torus:3x3} --seed 4 --engine {agents|events}",
    "numbered": "run numbered -n {2|8|100} --seed 1 --engine {reference|agents|auto}",
    "numbered, goals": "run numbered -n 15 --until {leader|declared|complete|settled} --seed 3",
    "numbered, parameters": "run numbered -n 10 -p m={1|6} -p printed={0|1} -p min_interactions={0|20} --max-steps 3000 --seed 4",
    "numbered, recorded": "run numbered -n 12 --record followers --record done --every 2 --seed 5",
    "numbered, identifiers": "run numbered -n 5 --ids random:{10|100000} --trials 2 --seed 6",
}
SMALL = {
    "fratricide": "run fratricide -n {2|3|10|150} --seed 1 --engine {reference|agents|counts|auto}",
    "fratricide, start": "run fratricide -n 6 --start {initial|all_leaders} --seed 3",
    "fratricide, large": "run fratricide -n {1000|1e6|1e9} --seed 4 --engine counts",
    "fratricide, limit": "run fratricide -n {20|1e9} --max-steps {5|1000} --seed 5 --engine counts",
    "fratricide, held": "run fratricide -n 7 --hold --max-steps 500 --seed 6 --engine {reference|agents|counts}",
    "fratricide, faults": "run fratricide -n 9 --fault {30:2|40:9} --fault 400:3 --max-steps 9000 --seed 7 --engine {agents|counts}",
    "fratricide, forced": "run fratricide -n 10 --graph {ring|star|regular:3} --force --max-steps 4000 --seed 8 --engine {agents|events}",
    "fratricide, recorded": "run fratricide -n 5000 --record leaders --every 10 --seed 9 --engine {agents|counts}",
    "fratricide, pairs": "run fratricide -n 4 --pairs {list:0-1,0-2,0-3|list:3-2,1-0,3-1,2-0} --seed 1",
    "epidemic": "run epidemic -n {2|12|600} --seed 1 --engine {reference|agents|counts|auto}",
    "epidemic, graphs": "run epidemic -n 16 --graph {ring|undirected-ring|path|star|grid:4x4|torus:4x4|regular:3|er:0.4} --seed 3 --engine {reference|agents|events}",
    "epidemic, larger graphs": "run epidemic -n 900 --graph {ring|path|star|grid:30x30|torus:30x30|regular:4|er:0.01} --seed 4",
    "epidemic, file": "run epidemic --graph {web.txt|circle.txt} --seed 5 --engine {reference|agents|events}",
    "epidemic, large": "run epidemic -n {1e4|1e6} --seed 6 --engine counts",
    "epidemic, goals": "run epidemic -n 30 --until {leader|complete} --seed 7",
    "epidemic, drawn": "run epidemic -n 20 --graph {regular:3|er:0.3} --trials 3 --seed 8 --engine {agents|events}",
    "majority": "run majority -n {2|3|25|600} --seed 1 --engine {reference|agents|counts|auto}",
    "majority, goals": "run majority -n 40 --until {leader|consensus} --max-steps 20000 --seed 3",
    "majority, large": "run majority -n {1e5|1e7} --seed 4 --engine counts",
    "majority, recorded": "run majority -n 800 --record y --every 0.4 --seed 5 --engine {agents|counts}",
    "timer": "run timer -n {2|9|60} --seed 1 --engine {reference|agents|counts|auto}",
    "timer, parameter": "run timer -n 10 -p t_max={1|5|400} --seed 3 --max-steps 9000 --engine {agents|counts}",
    "timer, held": "run timer -n 8 -p t_max=12 --hold --max-steps 200000 --seed {4|5} --engine {agents|counts}",
    "timer, faults": "run timer -n 8 --fault every:500:3 --max-steps 5000 --seed 6 --engine {agents|counts}",
    "mine": "run ./mine.py:Mine -n {2|7|30} --seed 1 --engine {reference|agents|counts|auto}",
    "mine, parameter": "run mine.py -n 12 -p full=5 --record tired --every 4 --seed 3",
}
ALL_SCHEDULES = "{synchronous|random|slow:1|adversarial}"
RINGS = {
    "labeled": f"run {{a_k|b_k}} --labels 1,1,2,1,2,3 --schedule {ALL_SCHEDULES} --seed 1 --engine {{reference|compiled}}",
    "distinct": f"run {{chang_roberts|lelann|peterson|franklin|hirschberg_sinclair}} -n 9 --schedule {ALL_SCHEDULES} --seed 2 --engine {{reference|compiled}}",
    "anonymous": f"run itai_rodeh -n 6 --schedule {ALL_SCHEDULES} --seed 3 --engine {{reference|compiled}}",
    "known size": "run itai_rodeh -n 4 -p size={4|5} --force --seed {1|2} --max-steps 2000",
    "order": "run {a_k|chang_roberts|franklin} --labels 3,1,2 --schedule order:0,1,2,2,1,0,0,1 --seed 4",
    "random rings": "run {a_k|b_k} --random n=12,labels=5,max=4 -p k=4 --schedule {synchronous|random} --seed {5|6}",
    "larger": "run {chang_roberts|lelann|peterson|franklin|hirschberg_sinclair|itai_rodeh} -n 100 --schedule random --seed 7",
    "larger, labeled": "run {a_k|b_k} --random n=60,labels=20,max=5 --seed 8",
    "file": "run {a_k|b_k} --ring labels.txt --seed 9",
    "printed": "run a_k --labels 1,2,2 -p printed=1 -p k={2|3} --seed 10",
    "forced": "run {a_k|b_k} --labels {1,2,1,2|1,1,2,1,1,2} -p k=2 --force --schedule {synchronous|random} --seed 11 --max-steps 2000",
    "too small": "run a_k --labels 1,2,2,2,1 -p k=1 --force --seed 12 --engine {reference|compiled}",
    "limit": "run chang_roberts -n 8 --max-steps {0|10} --seed 13 --engine {reference|compiled}",
    "trials": "run {peterson|itai_rodeh} -n 7 --trials 3 --schedule random --seed 14",
    "facts": "ring {1,2,2|ABAAB|1,2,1,2|3,1,2|-1,2,-1}",
    "drawn facts": "ring --random n=9,labels=3,max=4 --seed {0|1}",
    "surveys": "rings {a_k|chang_roberts} -n 2..3 --interleavings 3",
    "impossible": "impossible {a_k|b_k}",
}
TRACES = (
    "run a_k --labels 1,2,2 --schedule {synchronous|random} --seed 1",
    "run {b_k|franklin} --labels 2,1,3 --schedule {slow:0|adversarial} --seed 2",
)
EXACT = {
    "rational": "exact {fratricide|majority|epidemic} -n {3|4} --rational --variance",
    "p_rl": "exact p_rl -n 2 {--rational|--target=s_rl|--sets|--lemmas|--variance|--leaders|--distribution}",
    "p_rl, three": "exact p_rl -n 3 --target s_rl --rational",
    "timer": "exact timer -n 3 -p t_max=2 {--hold|--variance|--no-reduce|--target=leader}",
    "p_pl": "exact p_pl -n 2 -p virus_factor=1 -p emit_factor=1 --target s --hold",
    "from a start": "exact ./mine.py:Mine -n {2|4} -p full=1 --start initial --variance",
    "graphs": "exact epidemic -n 4 --graph {path|star|ring} --rational",
    "identifiers": "exact {infection|known_bound} -n 3 --ids 2,1,3",
    "mine": "exact ./mine.py:Mine -n 3 --start initial --rational",
    "rings": "exact {a_k|b_k} --labels 1,2,2",
    "bidirectional": "exact {franklin|chang_roberts|peterson} --labels 2,1,3",
    "broken": "exact a_k --labels 1,2,1,2 -p k=1 --force",
}
SLOW = {
    "million": "run p_ll -n 1e6 --seed 1 --engine {agents|counts}",
    "symmetric million": "run p_ll_symmetric -n 1e5 --seed 1 --engine {agents|counts}",
    "epidemic": "run epidemic -n {1e9|1e12} --seed 2 --engine counts",
    "fratricide": "run fratricide -n {1e11|1e12} --seed 3 --engine counts",
    "majority": "run majority -n {1e8|1e10} --seed 4 --engine counts",
    "passage": "run p_pl -n 900 -p virus_factor=1 -p emit_factor=1 --start all_leaders --max-steps 6e6 --seed 10",
    "ring": "run p_rl -n 3000 --seed 5 --engine {agents|events}",
    "p_pl": "run p_pl -n 300 -p virus_factor=4 -p emit_factor=2 --max-steps 2e7 --seed 6 --engine {agents|counts}",
    "torus": "run epidemic --graph torus:500x500 --seed 7",
    "labeled ring": "run {a_k -n 1000|peterson -n 20000} --seed 8",
    "exact from a start": "exact p_ll -n 3 -p m=2 --start initial --rational",
    "exact": "exact timer -n {4|5} -p t_max=3 --hold",
}
FAMILIES = {"p_rl": P_RL, "p_pl": P_PL, "p_ll": P_LL, "numbered": NUMBERED, "small": SMALL, "rings": RINGS}
FAMILIES |= {"exact": EXACT, "slow": SLOW}

INITIAL_P_LL = {"leader": 1, "status": 0, "epoch": 1, "init": 1, "color": 0, "count": 0, "levelQ": 0, "done": 0}
INITIAL_P_LL |= {"rand": 0, "levelB": 0}
NOBODY = {"leader": 0, "bullet": 0, "shield": 0, "signal": 0, "distL": 0}
PYTHON: list[tuple[str, dict[str, Any]]] = [
    ("small", {"python": "library"}),
    *(("p_rl", {"python": "run", "args": ["p_rl", 11], "kwargs": {"seed": seed, "N": 15}}) for seed in (1, 2)),
    ("p_rl", {"python": "run", "args": ["p_rl"], "kwargs": {"n": "1e1", "seed": 3, "until": "safe", "trial": 2}}),
    ("p_rl", {"python": "run", "args": ["p_rl", 4], "kwargs": {"seed": 4, "pairs": [[0, 1], [1, 2]], "until": "led"}}),
    (
        "p_pl",
        {
            "python": "trials",
            "args": ["p_pl", 4],
            "kwargs": {"count": 2, "seed": 1, "virus_factor": 1, "max_steps": 5000},
        },
    ),
    ("p_ll", {"python": "trials", "args": ["p_ll", 13], "kwargs": {"count": 3, "seed": 1, "m": 5}}),
    ("numbered", {"python": "run", "args": ["numbered", 4], "kwargs": {"seed": 1, "ids": [7, 3, 5, 1]}}),
    ("small", {"python": "run", "args": ["fratricide", 1e3], "kwargs": {"seed": 1, "engine": "counts"}}),
    (
        "small",
        {"python": "run", "args": ["epidemic", 9], "kwargs": {"seed": 2, "graph": "grid:3x3", "engine": "events"}},
    ),
    ("rings", {"python": "run", "args": ["a_k"], "kwargs": {"labels": [1, 2, 2], "k": 2, "seed": 1}}),
    ("rings", {"python": "run", "args": ["peterson", 10], "kwargs": {"seed": 2, "schedule": "random"}}),
    ("rings", {"python": "trials", "args": ["itai_rodeh", 5], "kwargs": {"count": 3, "seed": 3}}),
    ("rings", {"python": "ring", "args": ["ABAAB"]}),
    ("rings", {"python": "ring", "kwargs": {"random": "n=8,labels=4,max=3", "seed": 4}}),
    ("exact", {"python": "exact", "args": ["p_rl"], "kwargs": {"n": 2, "target": "s_rl"}}),
    ("exact", {"python": "exact", "args": ["fratricide", 5], "kwargs": {"start": "initial"}}),
    *(
        ("small", {"python": "protocol", "args": [name], "kwargs": {"n": n}})
        for name in ("epidemic", "fratricide", "infection", "known_bound", "majority", "numbered", "p_ll")
        for n in (8,)
    ),
    *(("small", {"python": "protocol", "args": [name], "kwargs": {"n": 9}}) for name in ("p_pl", "p_rl", "timer")),
    ("small", {"python": "protocol", "args": ["p_ll_symmetric"], "kwargs": {"n": 9, "m": 5}}),
    ("p_ll", {"delta": "p_ll", "n": 6, "states": [INITIAL_P_LL] * 6, "steps": 3000}),
    ("p_ll", {"delta": "p_ll", "n": 6, "params": {"printed": 1}, "states": [INITIAL_P_LL] * 6, "steps": 3000}),
    ("p_rl", {"delta": "p_rl", "n": 5, "params": {"N": 6}, "states": [NOBODY] * 5, "steps": 2000}),
    ("small", {"delta": "fratricide", "n": 4, "states": [{"leader": 1}] * 4, "steps": 30}),
]


def written_out(template: str) -> Iterator[str]:
    """Every command that a template stands for."""
    parts = re.split(r"\{([^{}\"]*)\}", template)
    yield from map("".join, product(*(part.split("|") if k % 2 else [part] for k, part in enumerate(parts))))


def cases() -> Iterator[dict[str, Any]]:
    """In the order in which they are recorded."""
    for group, families in FAMILIES.items():
        for name, template in families.items():
            for k, text in enumerate(written_out(template)):
                yield {"id": f"{group}: {name} {k}", "group": group, "call": {"argv": text}}
    for k, text in enumerate(text for template in TRACES for text in written_out(template)):
        yield {"id": f"rings: trace {k}", "group": "rings", "call": {"trace": text}}
    for k, (group, call) in enumerate(PYTHON):
        yield {"id": f"{group}: python {k}", "group": group, "call": call}
