"""Evidence is gathered once, by whoever asks first; what is looked into is exactly what was asked for."""

from __future__ import annotations

import importlib
import linecache
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import princeps
from princeps.campaign.store import Store, open_store
from princeps.errors import ProtocolError, RunError
from princeps.papers import INCONCLUSIVE, SUPPORTED, Paper, Part, Planted, together
from princeps.papers.altered import altered
from princeps.papers.catalogue import find_papers
from princeps.papers.examining import Examination
from princeps.papers.laboratory import Lab
from princeps.papers.measures import exactly
from princeps.papers.pending import EvidenceFailed, NotReady
from princeps.papers.reached import reached_from
from princeps.papers.sources import reads_seed
from princeps.papers.walks import walk

CLAIMS = """
    import os
    from pathlib import Path

    from princeps.papers import SUPPORTED, Paper, Part, Planted, together

    HERE = Path(__file__).parent
    paper = Paper(id="mine", title="mine")


    def note(part, seed, *, size):
        with open(HERE / "log", "a") as log:
            log.write(f"{part}\\n")
        if (HERE / f"fails {part}").exists():
            raise ValueError("there is no such thing")
        return [seed, part * size]


    @paper.claim("mine.1", "it is so", recorded=SUPPORTED)
    def first(lab):
        found = lab.measure(note, parts=3, size=10).parts
        return together([Part(SUPPORTED, f"{[value for _, value in found]}", sum(value for _, value in found))])


    @paper.claim("mine.2", "it is so again", recorded=SUPPORTED)
    def second(lab):
        found = lab.measure(note, parts=3, size=10).parts
        more = lab.measure(note, parts=1, size=found[2][1]).only  # known only when the first are there
        return together([Part(SUPPORTED, "so", more[1])])
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "papers.db")) as opened:
        yield opened


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(dedent(CLAIMS))
    return path


def examined(path: Path, store: Store, **options: Any) -> list[Any]:
    (paper,) = find_papers([str(path)])
    return list(Examination(store, jobs=2, **options).findings(paper))


def calls(folder: Path) -> list[int]:
    log = folder / "log"
    return sorted(map(int, log.read_text().split())) if log.exists() else []


# -- nothing is run twice ----------------------------------------------------------------------------------------------


@pytest.mark.medium
def test_two_claims_share_what_both_ask_for(mine: Path, store: Store, tmp_path: Path) -> None:
    first, second = examined(mine, store)
    assert (first.verdict, first.measured, second.verdict) == (SUPPORTED, 30, SUPPORTED)
    assert calls(tmp_path) == [0, 0, 1, 2]  # three parts for both, and the one that depends on them


@pytest.mark.medium
def test_a_second_examination_runs_nothing(mine: Path, store: Store, tmp_path: Path) -> None:
    once = examined(mine, store)
    again = examined(mine, store)
    assert once == again
    assert calls(tmp_path) == [0, 0, 1, 2]


@pytest.mark.slow
def test_what_is_missing_is_run_and_the_rest_is_not(mine: Path, store: Store, tmp_path: Path) -> None:
    examined(mine, store)
    with store.transaction() as connection:
        connection.execute("DELETE FROM evidence WHERE part = 1")
    (tmp_path / "log").unlink()
    examined(mine, store)
    assert calls(tmp_path) == [1]


@pytest.mark.slow
def test_an_edited_measurement_is_run_anew(mine: Path, store: Store, tmp_path: Path) -> None:
    before = examined(mine, store)
    mine.write_text(mine.read_text().replace("part * size]", "part * size + 1]"))
    os.utime(mine, ns=(1, 1))
    after = examined(mine, store)
    assert after[0].measured == before[0].measured + 3


@pytest.mark.slow
def test_another_seed_is_another_sample_and_the_same_seed_the_same(mine: Path, store: Store, tmp_path: Path) -> None:
    def seeds() -> set[str]:
        return {str(answer) for (answer,) in store.select("SELECT answer FROM evidence WHERE part = 0")}

    examined(mine, store)
    first = seeds()
    examined(mine, store, seed=1)
    assert len(seeds()) == 2 * len(first)


def test_what_does_not_look_at_its_seed_is_measured_once_for_all_seeds(store: Store) -> None:
    """An exact analysis; a walk has other meetings with another seed."""
    sizes = [(2, {"N": 2})]
    exact, walked = (
        [Lab(store, seed=seed).measure(function, protocol="p_rl", **given).task.id for seed in (0, 1, 2)]
        for function, given in ((exactly, {"sizes": sizes}), (walk, {"cases": [], "watchers": []}))
    )
    assert len(set(exact)) == 1
    assert len(set(walked)) == 3


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("def f(part, seed): return part", False),
        ("def f(part, seed, *, n): return [seed for _ in range(n)]", True),
        ("def f(part, seed): return (lambda: seed)()", True),
        ("def f(part, **given): return given['seed']", True),
        ("def f(part, seed): return locals()", True),
        ("@cache\ndef f(part, seed): return part", True),  # what a decorator does with it is not looked at
    ],
)
def test_whether_a_function_looks_at_its_seed(text: str, wanted: bool, tmp_path: Path) -> None:
    path = tmp_path / "it.py"
    path.write_text(f"from functools import cache\n{text}\n")
    around: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), around)
    linecache.checkcache(str(path))
    assert reads_seed(around["f"]) == wanted


def test_time_is_that_of_what_was_asked_for_and_counts_once(store: Store) -> None:
    """Trials that another claim asked for too, more trials than are asked for, and what was asked for before."""

    def ask(examination: Examination, trials: int) -> None:
        lab = examination._lab()
        for _ in range(2):
            asked(lab, lambda lab: lab.sweep("fratricide", 8, trials=trials).only.steps)
        asked(lab, lambda lab: lab.measure(exactly, protocol="p_rl", sizes=[(2, {"N": 2})]).only)

    examination = Examination(store)
    ask(examination, 7)
    ask(examination, 4)
    with store.transaction() as connection:
        connection.execute("UPDATE trials SET seconds = 1")
        connection.execute("UPDATE evidence SET seconds = 100")
    assert examination.seconds_taken() == 107
    assert examination.seconds_taken() == 0
    ask(examination, 4)
    assert examination.seconds_taken() == 104


@pytest.mark.medium
def test_a_measurement_that_fails_is_told_and_its_claims_are_inconclusive(
    mine: Path, store: Store, tmp_path: Path
) -> None:
    (tmp_path / "fails 1").touch()
    for finding in examined(mine, store):
        assert finding.verdict == INCONCLUSIVE
        assert "there is no such thing" in finding.parts[0]["says"]
        assert not finding.as_recorded
    (tmp_path / "fails 1").unlink()
    assert [finding.verdict for finding in examined(mine, store)] == [SUPPORTED, SUPPORTED]


# -- trials ------------------------------------------------------------------------------------------------------------


def asked(lab: Lab, get: Callable[[Lab], Any]) -> Any:
    """As a check is asked: until its evidence is there."""
    from princeps.papers.collecting import collect

    while True:
        try:
            return get(lab)
        except NotReady:
            collect(lab.missing, lab.store, lab.seed, 2)


@pytest.mark.slow
def test_trials_are_those_of_the_sweep(store: Store, tmp_path: Path) -> None:
    found = asked(Lab(store), lambda lab: lab.sweep("fratricide", [8, 16], trials=6, engine="reference").found)
    swept = princeps.sweep("fratricide", [8, 16], trials=6, engine="reference", store=str(tmp_path / "other.db"))
    means = [summary.mean for summary in swept]
    assert [one.steps.mean() for one in found] == pytest.approx(means)
    assert [one.n for one in found] == [8, 16]


@pytest.mark.slow
def test_a_sample_has_only_the_trials_that_were_asked_for(store: Store) -> None:
    lab = Lab(store)
    few = asked(lab, lambda lab: lab.sweep("fratricide", 8, trials=5, engine="reference").only.steps.tolist())
    many = asked(lab, lambda lab: lab.sweep("fratricide", 8, trials=12, engine="reference").only.steps.tolist())
    again = asked(lab, lambda lab: lab.sweep("fratricide", 8, trials=5, engine="reference").only.steps.tolist())
    assert few == again == many[:5]
    assert len(many) == 12


@pytest.mark.medium
def test_trials_that_were_cut_off_are_no_times(store: Store) -> None:
    lab = Lab(store)
    found = asked(lab, lambda lab: lab.sweep("fratricide", 64, trials=5, max_steps=10, engine="reference").only)
    assert len(found.sample().cut) == 5
    assert (found.leaders > 1).all()
    with pytest.raises(EvidenceFailed, match="5 of 5 trials did not end at n = 64"):
        _ = found.steps


def test_the_command_of_a_sweep_is_the_one_to_type(store: Store) -> None:
    sampled = Lab(store, seed=3).sweep("p_rl", [8, 16], trials=6, start="no_leader", until="led", N=32)
    expected = "princeps sweep p_rl -n 8,16 -p N=32 --start no_leader --until led --trials 6 --seed 3"
    assert sampled.command == expected
    among_all = Lab(store).sweep("infection", 8, trials=6, scheduler="self-meeting")
    assert among_all.command == "princeps sweep infection -n 8 --scheduler self-meeting --trials 6"
    assert among_all.points[0].id != Lab(store).sweep("infection", 8, trials=6).points[0].id


@pytest.mark.slow
def test_stores_of_evidence_can_be_merged(mine: Path, store: Store, tmp_path: Path) -> None:
    examined(mine, store)
    princeps.run("fratricide", n=4, seed=1)
    princeps.sweep("fratricide", 8, trials=2, engine="reference", store=str(tmp_path / "sweep.db"))
    princeps.merge(store.path, str(tmp_path / "sweep.db"), output=str(tmp_path / "both.db"))
    with closing(sqlite3.connect(tmp_path / "both.db")) as both:
        assert both.execute("SELECT count(*) FROM evidence").fetchone() == (4,)
        assert both.execute("SELECT count(*) FROM trials").fetchone() == (2,)


# -- planted faults ----------------------------------------------------------------------------------------------------


def test_an_edit_must_fit_exactly_once(tmp_path: Path) -> None:
    with pytest.raises(ProtocolError, match="stands 0 times in p_rl"):
        altered("p_rl", [("no such line", "")], tmp_path)
    with pytest.raises(ProtocolError, match="times in p_rl, and should stand there once"):
        altered("p_rl", [("l.distL", "")], tmp_path)


@pytest.mark.slow
def test_an_altered_protocol_is_another_point(store: Store, tmp_path: Path) -> None:
    text = Path(princeps.protocol("fratricide").file() or "").read_text()
    old = next(line.strip() for line in text.splitlines() if "leader = 0" in line)
    planted = Planted("nobody falls", ("fratricide", old, old.replace("= 0", "= 1")))
    lab = Lab(store, planted=planted, folder=tmp_path)
    found = asked(lab, lambda lab: lab.sweep("fratricide", 8, trials=3, max_steps=500, engine="reference").only)
    assert (found.leaders == 8).all()
    assert (
        asked(
            Lab(store), lambda lab: lab.sweep("fratricide", 8, trials=3, max_steps=500, engine="reference").only.leaders
        )
        == 1
    ).all()


def test_a_fault_needs_a_folder(store: Store) -> None:
    lab = Lab(store, planted=Planted("x", ("p_rl", "a", "b")))
    with pytest.raises(RunError, match="cannot be planted"):
        lab.protocol("p_rl")


def test_how_much_is_looked_at(store: Store) -> None:
    assert Lab(store, effort="quick").pick(1, 2, 3) == 1
    assert Lab(store, effort="full").pick(1, 2, 3) == 2
    assert Lab(store, effort="sketch").pick(1, 2, 3) == 3
    assert Lab(store, effort="sketch").pick(1, 2) == 1


# -- what cannot be asked ----------------------------------------------------------------------------------------------


def test_a_function_that_no_worker_can_find_is_refused(store: Store) -> None:
    def inner(part: int, seed: int) -> int:
        return 1

    with pytest.raises(RunError, match="define it at the top of its file"):
        Lab(store).measure(inner)


@pytest.mark.medium
def test_a_check_that_never_asks_for_the_same_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = Paper(id="mine", title="mine")
    turns = iter(range(10**6))

    @paper.claim("mine.1", "endless")
    def endless(lab: Lab) -> Any:
        return together(
            [Part(SUPPORTED, str(lab.sweep("fratricide", 2 + next(turns), trials=1, engine="reference").only))]
        )

    monkeypatch.setattr("princeps.papers.examining.MAX_ROUNDS", 3)
    with pytest.raises(RunError, match="asks for other evidence each time"):
        list(Examination(store, jobs=1).findings(paper))


# -- what a measurement reaches ----------------------------------------------------------------------------------------

REACHING = """
    import helpers
    from helpers import table

    LIMIT = 3
    found = {}


    def inner(x):
        return helpers.further(x) + LIMIT


    def measured(part, seed):
        from helpers import late

        found[part] = seed
        return sorted(map(inner, table)) + [late(1)]
"""
HELPERS = """
    STEP = 1


    def further(x):
        return x + STEP


    def late(x):
        return Kept().value(x)


    def unused(x):
        return x


    class Kept:
        def value(self, x):
            return deep(x)


    def deep(x):
        return x


    table = [1, 2]
"""


@pytest.fixture
def reaching(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """The texts that `measured` reaches, with an edit of either file."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def texts(old: str = "", new: str = "") -> list[str]:
        (tmp_path / "measuring.py").write_text(dedent(REACHING).replace(old, new) if old else dedent(REACHING))
        (tmp_path / "helpers.py").write_text(dedent(HELPERS).replace(old, new) if old else dedent(HELPERS))
        linecache.checkcache()
        for name in ("helpers", "measuring"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        module = importlib.import_module("measuring")
        before = reached_from([module.measured])
        module.found[9] = 9  # filled while something runs
        assert reached_from([module.measured]) == before
        return before

    yield texts
    for name in ("helpers", "measuring"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x + STEP", "x - STEP"),
        ("STEP = 1", "STEP = 22"),
        ("LIMIT = 3", "LIMIT = 44"),
        ("deep(x):\n    return x", "deep(x):\n    return -x"),
    ],
)
def test_a_helper_in_another_file_is_part_of_what_was_measured(
    reaching: Callable[..., list[str]], old: str, new: str
) -> None:
    assert reaching(old, new) != reaching()


def test_what_is_not_reached_changes_nothing(reaching: Callable[..., list[str]]) -> None:
    assert reaching("unused(x):\n    return x", "unused(x):\n    return 7 * x") == reaching()


def test_a_measurement_of_ours_reaches_its_laws_and_not_the_engines() -> None:
    from princeps.papers.measures import exactly
    from princeps.papers.p_pl.laws import ways_to_fail

    names = [text.partition("\n")[0] for text in reached_from([ways_to_fail])]
    assert "princeps.papers.p_pl.laws:log_rounds" in names
    names = [text.partition("\n")[0] for text in reached_from([exactly])]
    assert "princeps.analysis.lemmas:check_lemmas" in names
    assert not [name for name in names if name.startswith(("princeps.engines", "princeps.model", "numpy"))]


@pytest.mark.medium
def test_evidence_of_an_edited_helper_is_collected_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from princeps.papers.p_pl import counting

    lab = Lab(store)
    before = lab.measure(counting.round_times, n=8, rounds=1, trials=1).task
    monkeypatch.setattr(counting, "ends_of_rounds", lambda pairs, n, rounds: [0])
    after = lab.measure(counting.round_times, n=8, rounds=1, trials=1).task
    assert before.id != after.id
    assert before.arguments == after.arguments  # the seed among them: the same runs, counted in another way
