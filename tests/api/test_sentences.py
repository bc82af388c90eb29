"""What Python's functions say and show, to the word, where it once misled."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps import OneOf, PopulationProtocol
from princeps.errors import PrincepsError
from princeps.model.numbers import simple_fraction
from tests.conftest import Command
from tests.tables import in_one_test

PLAIN: dict[str, Any] = {"engine": "reference", "seed": 1}


class Tab(PopulationProtocol):
    table = {("L", "L"): ("L", "F")}
    leaders = "L"
    starts = {"initial": "L"}


REFUSALS: dict[str, tuple[Callable[[], Any], str]] = {
    "no parameters": (lambda: princeps.run("fratricide", 5, N=3), "has no parameter 'N', nor any other: leave N out."),
    "an option that is a number": (
        lambda: princeps.run("fratricide", 5, fault=5),
        "has no parameter 'fault': it is an option, fault=[\"STEP:K\"]. It has no parameters.",
    ),
    "an option as it is written": (
        lambda: princeps.run("fratricide", 5, fault={5: 3}),
        "fault {5: 3} is not understood: give a list of texts.",
    ),
    "past the target": (
        lambda: princeps.exact("fratricide", 3, hold=True),
        "hold=True asks what follows the target, where nothing is explored from start 'initial' alone: add "
        'past_target=True, or give start="all".',
    ),
    "no store": (
        lambda: princeps.results("nowhere.db"),
        "there is no store 'nowhere.db': make one with princeps.sweep(..., store=\"nowhere.db\").",
    ),
    "no recording": (
        lambda: princeps.plot(__file__),
        'record a run with princeps.run(..., record=["leaders"]), or give a store made by sweep.',
    ),
}


REFUSALS |= {
    "exact has no engine": (
        lambda: princeps.exact("fratricide", 4, engine="reference"),
        "exact takes no engine: it is an option of simulated runs. Leave engine out.",
    ),
    "a sweep has no snapshots": (
        lambda: princeps.sweep("fratricide", n=4, snapshots=[1]),
        "sweep takes no snapshots: sweep keeps no records of single runs, princeps.run does. Leave snapshots out.",
    ),
    "a sweep has no record": (
        lambda: princeps.sweep("fratricide", n=4, record="states"),
        "sweep takes no record: sweep keeps no records",
    ),
    "a trial of trials": (
        lambda: princeps.trials("fratricide", 4, trials=2, trial=1),
        "trials takes no trial: it is an option of princeps.run. Leave trial out.",
    ),
    "a fault of a sweep": (
        lambda: princeps.sweep("fratricide", n=4, fault={5: 3}),
        "fault {5: 3} is not understood: give a list of texts.",
    ),
    "no engine is near": (
        lambda: princeps.run("fratricide", 4, engine="fast"),
        "unknown engine 'fast': known: agents, auto, counts, events, reference.",
    ),
    "no scheduler is near": (
        lambda: princeps.run("fratricide", 4, scheduler="rand"),
        "unknown scheduler 'rand': known: ",
    ),
    "a negative limit": (lambda: princeps.run("fratricide", 4, max_steps=-1), "max_steps = -1 is negative"),
    "a window": (
        lambda: princeps.run("fratricide", 4, trace=print, window=5),
        "window 5 is not understood: give its first and last moment, like (100, 200).",
    ),
    "a snapshot": (
        lambda: princeps.run("fratricide", 4, snapshots=[-1]),
        "snapshots has -1, which is negative: give steps like [0, 100, 1000].",
    ),
    "numbers of no state": (
        lambda: princeps.run(Tab, 12, start={"X": 5}),
        "start {'X': 5} names 'X', which is no state: the states are F, L.",
    ),
    "too few agents": (
        lambda: princeps.run(Tab, 12, start={"L": 5}, **PLAIN),
        "start {'L': 5} has 5 agents in its blocks for n = 12: let them add up to n.",
    ),
    "two questions": (
        lambda: princeps.exact("fratricide", 3, until="leader", probability="F leader"),
        "probability is a question of its own: leave until out, or ask for it without.",
    ),
    "half an agent": (lambda: princeps.run("fratricide", 2.5), "n = 2.5 is not an integer: write it like 1000 or 1e6."),
    "an estimate of a ring": (
        lambda: princeps.estimate("a_k", 4),
        "Its paper's bounds are the estimate: `princeps show a_k` in a terminal shows them.",
    ),
}


@in_one_test("name", REFUSALS)
def test_a_refusal_in_words_of_python(name: str) -> None:
    call, says = REFUSALS[name]
    with pytest.raises(PrincepsError) as refused:
        call()
    assert str(refused.value).endswith(says) or says in str(refused.value)


@pytest.mark.medium
def test_a_store_has_no_counts_over_time(tmp_path: Path) -> None:
    princeps.sweep("fratricide", n=4, trials=2, jobs=1, store=tmp_path / "s.db", engine="reference")
    says = (
        r'keeps no counts over time: record a run with princeps\.run\(\.\.\., record=\["leaders"\]\) and plot that\.$'
    )
    with pytest.raises(PrincepsError, match=says):
        princeps.plot(tmp_path / "s.db", kind="leaders")


def test_one_trial_has_no_standard_error(quick: Command) -> None:
    shown = repr(princeps.trials("fratricide", 5, trials=1, **PLAIN))
    assert shown.startswith("fratricide, n = 5, until leader: 1 of 1 trial of seed 1\n")
    assert "nan" not in shown
    assert [line.split()[2] for line in shown.splitlines() if line.startswith("steps")] == ["-"]
    assert "std. error" in repr(princeps.trials("fratricide", 5, trials=2, **PLAIN))


def test_a_protocol_at_a_prompt() -> None:
    assert repr(princeps.protocol(Tab)) == "<tab: 2 states of state (F, L); starts: initial; goals: leader>"
    assert repr(princeps.protocol("p_rl", N=8)).startswith(
        "<p_rl, N=8: 216 states of leader, bullet, shield, signal, distL; starts: random"
    )
    assert repr(princeps.protocol("numbered", n=4)).startswith(
        "<numbered, m=4, min_interactions=0, printed=0: infinitely many"
    )


def test_one_of_something_is_singular() -> None:
    with pytest.raises(PrincepsError, match=r"start has 1 state for n = 5"):
        princeps.run("fratricide", 5, start=[1], **PLAIN)
    with pytest.raises(PrincepsError, match=r"^1 id for n = 3 agents"):
        princeps.run("numbered", 3, ids=[1], **PLAIN)
    run = princeps.run("fratricide", 2, record="states", snapshots=[1], start=[1, 0], **PLAIN)
    assert repr(run.states).startswith("1 moment, 2 states;")


@pytest.mark.parametrize(
    ("value", "fraction"),
    [
        (0.5, "1/2"),
        (0.3333, "1/3"),
        (0.05, "1/20"),
        (0.999, "999/1000"),
        (0.001, "1/1000"),
        (1.0, "1"),
        (1e-9, "1/1000000000"),
    ],
)
def test_what_somebody_means_by_a_float(value: float, fraction: str) -> None:
    assert str(simple_fraction(value)) == fraction


HEAD = """from types import SimpleNamespace
from princeps import *
TABLE, SPACE = {"k": 1}, SimpleNamespace(k=1)


class Mine(PopulationProtocol):
    leader = Bit()
    starts = {"initial": Blocks(lambda n, p: [(n, {"leader": 1})])}

    def interact(a, b, p):
        if a.leader == RIGHT and b.leader == 1:
            b.leader = 0
"""
NOT_COMPILED = {
    "a table of the file": (HEAD.replace("RIGHT", "TABLE['k']"), 11, "give the value a name outside of the rule: K = TABLE['k'] (see docs/writing-protocols.md)."),
    "an object of the file": (HEAD.replace("RIGHT", "SPACE.k"), 11, "give the value a name outside of the rule: K = SPACE.k (see docs/writing-protocols.md)."),
    "a sum": (
        f'{HEAD.replace("RIGHT", "1")}    goals = {{"x": Closed(lambda u, n, p: sum(a.leader for a in u) == 1)}}\n'
        f'    default_goal = "x"\n',
        13,
        "only functions of yours are, written with `def`, and of Python's own min, max, abs, int, bool; of divmod take the parts, like "
        "q, r = divmod(x, 3) (see docs/writing-protocols.md).",
    ),
    "arguments in a list": (
        f'def led(a, k):\n    return a.leader == k\n{HEAD.replace("a.leader == RIGHT", "led(a, *[1])")}', 13, "cannot be compiled",
    ),
}  # fmt: skip


@in_one_test("name", NOT_COMPILED)
def test_what_is_not_compiled_and_what_is_instead(name: str, tmp_path: Path) -> None:
    text, line, says = NOT_COMPILED[name]
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(PrincepsError) as refused:
        princeps.run(path, 4, seed=1, engine="agents")
    assert str(refused.value).startswith(f"{path}:{line}: ")
    assert says in str(refused.value)


TABLE = """from princeps import *
class Mine(PopulationProtocol):
    table = {("L", "L"): ("L", "F")}
    leaders = "L"
    starts = {"initial": START}
"""


@pytest.mark.parametrize("numbers", ["{'L': 5}", "{'L': 1, 'F': 4}"])
def test_the_remedy_for_a_start_by_numbers_can_be_written(numbers: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(TABLE.replace("START", numbers))
    with pytest.raises(PrincepsError) as refused:
        princeps.run(path, 5, **PLAIN)
    assert str(refused.value).startswith(f"{path}:5: 'initial' of starts is {numbers}: write ")
    remedies = re.findall(r"Blocks\(.*\}\)|(?<=write )'L'", str(refused.value))
    assert len(remedies) == 2 - numbers.count("F")
    for number, remedy in enumerate(remedies):
        other = tmp_path / f"other{number}.py"
        other.write_text(TABLE.replace("START", remedy))
        assert princeps.run(other, 5, **PLAIN).leaders == 1


def test_a_file_beside_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "m.py").write_text("")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PrincepsError, match=r"^unknown protocol 'm': did you mean \./m\.py\?$"):
        princeps.run("m", 10)


def test_a_list_of_names_is_several_names() -> None:
    assert OneOf(["L", "F"]) == OneOf("L", "F")
    assert repr(OneOf(("L", "F"))) == "OneOf('L', 'F')"


def test_a_fit_says_what_to_sweep_in_python(tmp_path: Path) -> None:
    found = princeps.sweep("fratricide", n=4, trials=2, jobs=1, store=tmp_path / "s.db", engine="reference")
    with pytest.raises(PrincepsError, match=r"sweep more, like n=\[100, 1000, 10_000, 100_000\]\.$"):
        princeps.fit(found)


def test_a_meeting_prints_the_names_of_states() -> None:
    seen: list[Any] = []
    princeps.run(Tab, 2, trace=seen.append, **PLAIN)
    assert repr(seen[-1]).endswith("before=((state=L), (state=L)), after=((state=L), (state=F)))")
    assert seen[-1].before == ((1,), (1,))
    assert pickle.loads(pickle.dumps(seen[-1])) == seen[-1]
    princeps.run(Tab, 4, trace=seen.append, max_steps=40, fault="0:4", **PLAIN)
    assert any(repr(one).startswith("Strike(step=0, agent=") and "before=(state=L)" in repr(one) for one in seen)


def test_help_explains_parameters_and_lists() -> None:
    for function in (princeps.run, princeps.exact, princeps.sweep, princeps.trials):
        text = str(function.__doc__)
        assert text.count("\n    params: Parameters of the protocol, by their names, like N=8") == 1
        assert "repeatable" not in text
