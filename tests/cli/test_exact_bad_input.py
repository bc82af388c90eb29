"""princeps exact: whatever is wrong is told in one sentence with the value and a remedy; no file is touched."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.refusals import assert_refused
from tests.conftest import Command, Outcome
from tests.tables import in_one_test

# what is typed after `princeps exact`, what the sentence must quote, what it must advise
CASES = {
    "n missing": ("p_rl", "-n", "like -n 1000"),
    "n below 2": ("p_rl -n 1", "n = 1", "n >= 2"),
    "n negative": ("p_rl -n -3", "n = -3", "n >= 2"),
    "n not whole": ("p_rl -n 3.5", "'3.5'", "like 1000 or 1e6"),
    "n not a number": ("p_rl -n three", "'three'", "like 1000 or 1e6"),
    "n empty": ("p_rl -n ''", "''", "like 1000 or 1e6"),
    "n beyond N": ("p_rl -n 5 -p N=4", "N = 4", "-p N=5"),
    "too many agents": ("fratricide -n 70000 --start all", "70000", "at most"),
    "too many states": ("p_pl -n 4", "4,017,277,924 states", "smaller parameters"),
    "parameter unknown": ("p_rl -n 3 -p M=3", "'M'", "its parameters are N"),
    "parameter not a number": ("p_rl -n 3 -p N=abc", "'abc'", "like 1000 or 1e6"),
    "parameter without value": ("p_rl -n 3 -p N", "'N'", "-p N=8"),
    "protocol unknown": ("p_r -n 3", "'p_r'", "did you mean p_rl"),
    "protocol missing": ("-n 3", "name", "princeps exact --help"),
    "protocol file not found": ("./nowhere.py:Mine -n 3", "'./nowhere.py'", "./mine.py:Mine"),
    "option unknown": ("p_rl -n 3 --rationl", "--rationl", "--rational"),
    "option without value": ("p_rl -n 3 --target", "--target", "princeps exact --help"),
    "target unknown": ("p_rl -n 3 --target leeder", "'leeder'", "did you mean leader"),
    "target unlike any": ("p_rl -n 3 --target zzz", "'zzz'", "some:PREDICATE"),
    "target empty": ("p_rl -n 3 --target ''", "''", "some:PREDICATE"),
    "target of no predicate": ("p_rl -n 3 --target some:foo", "'foo'", "known: leaders, leader, bullet"),
    "target of nothing": ("p_rl -n 3 --target all:", "''", "write it like"),
    "target cut off": ("p_rl -n 3 --target 'none:leader and'", "'leader and'", "write it like"),
    "start unknown": ("p_rl -n 3 --start no_leadre", "'no_leadre'", "did you mean no_leader"),
    "start that makes no sense": ("fratricide -n 3 --start random", "not self-stabilizing", "only from initial"),
    "start file missing": ("p_rl -n 2 --start file:nowhere", "'nowhere'", "check the path"),
    "states too few": ("p_rl -n 2 --start states:1,0,0,0,0", "1 state for n = 2", "a state for each agent"),
    "states outside": ("p_rl -n 2 --start 'states:1,0,0,0,0;0,0,0,0,9'", "distL = 9", "0..2"),
    "infinitely many": ("numbered -n 3 --start all", "'aid' is unbounded", "--start initial"),
    "graph unknown": ("infection -n 3 --graph rinf", "'rinf'", "did you mean ring"),
    "graph of another paper": ("p_rl -n 3 --graph undirected-ring", "'undirected-ring'", "--force"),
    "grid of another size": ("infection -n 7 --graph grid:2x3", "n = 7", "leave -n out"),
    "ids twice": ("infection -n 3 --ids 1,7,7", "7", "must differ"),
    "ids too few": ("infection -n 3 --ids 1,2", "2 ids", "one for each"),
    "ids for the anonymous": ("p_rl -n 3 --ids 1,2,3", "'1,2,3'", "leave --ids out"),
    "automorphism too short": ("p_rl -n 3 --automorphisms 0,1", "'0,1'", "like '0 2 1 3'"),
    "automorphism twice": ("infection --graph grid:2x2 --automorphisms '0 2 1 1'", "'0 2 1 1'", "0..3"),
    "automorphism of words": ("infection --graph grid:2x2 --automorphisms 'a b c d'", "'a b c d'", "0..3"),
    "automorphism of another graph": (
        "p_rl -n 3 --automorphisms '1 0 2'",
        "1 0 2 is no automorphism of 'ring'",
        "maps",
    ),
    "second automorphism": ("infection --graph grid:2x2 --automorphisms '0 2 1 3; 0'", "'0'", "0..3"),
    "suffix": ("p_rl -n 2 --export chain.txt", "'chain.txt'", ".drn (Storm) or in .prism"),
    "no suffix": ("p_rl -n 2 --export ''", "''", ".drn (Storm) or in .prism"),
    "export nowhere": ("p_rl -n 2 --export /nowhere/at/all.drn", "'/nowhere/at/all.drn'", "another path"),
    "check by nobody": ("p_rl -n 2 --check foo", "'foo'", "give storm"),
    "check empty": ("p_rl -n 2 --check ''", "''", "give storm"),
    "one simulation": ("p_rl -n 2 --against-simulation 1", "against-simulation = 1", "at least 2 runs"),
    "fewer simulations": ("p_rl -n 2 --against-simulation -5", "against-simulation = -5", "at least 2 runs"),
    "simulations of words": ("p_rl -n 2 --against-simulation abc", "'abc'", "like 1000 or 1e6"),
    "simulations of halves": ("p_rl -n 2 --against-simulation 2.5", "'2.5'", "like 1000 or 1e6"),
    "simulated to no goal": (
        *("p_rl -n 2 --against-simulation 9 --target some:leader", "'some:leader'", "choose one with --target"),
    ),
    "simulated to no safety": ("timer -n 2 --against-simulation 9 --target safe", "'safe'", "choose one with --target"),
    "simulated from everywhere": (
        *("fratricide -n 2 --start all --against-simulation 9", "no uniformly random start", "with --start"),
    ),
    "simulated on many graphs": ("infection -n 4 --graph er:0.9 --against-simulation 9", "'er:0.9'", "to a file"),
    "scheduler unknown": ("p_rl -n 2 --scheduler weakly-fiar", "'weakly-fiar'", "did you mean weakly-fair"),
    "scheduler of a run": ("p_rl -n 2 --scheduler forwards", "'forwards'", "known: noisy:EPS, uniform, weakly-fair"),
    "scheduler with another question": (
        "p_rl -n 2 --scheduler weakly-fair --variance",
        "weakly-fair",
        "leave --variance out",
    ),
    "scheduler of a ring": ("a_k --labels 1,2,2 --scheduler weakly-fair", "a_k is a ring algorithm", "population"),
    "seed of words": ("p_rl -n 2 --seed x", "'x'", "like 7"),
    "seed not whole": ("p_rl -n 2 --seed 1.5", "'1.5'", "like 7"),
    "jobs none": ("p_rl -n 2 --against-simulation 9 --jobs 0", "jobs = 0", "at least 1"),
    "jobs negative": ("p_rl -n 2 --jobs -2", "jobs = -2", "at least 1"),
    "jobs of halves": ("p_rl -n 2 --jobs 1.5", "'1.5'", "like 1000 or 1e6"),
    "sets of a part": ("p_rl -n 3 --start all_leaders --sets", "--sets", "add --past-target"),
    "hold of a part": ("p_rl -n 3 --start all_leaders --hold", "--hold", "add --past-target"),
    "lemmas of a part": ("p_rl -n 3 --start all_leaders --lemmas", "start 'all_leaders'", "give --start all"),
    "places matter": ("p_rl -n 3 --graph complete --force --target c_ni --json", "c_ni", "use --no-reduce"),
    "labels for a population": ("p_rl -n 3 --labels 1,2,2", "p_rl is a population protocol", "ring algorithms"),
    "random for a population": ("p_rl -n 3 --random n=3", "p_rl is a population protocol", "ring algorithms"),
    "ring for a population": ("p_rl -n 3 --ring x", "p_rl is a population protocol", "ring algorithms"),
    "no ring": ("a_k", "none of them is given", "--labels, --random, --ring or -n"),
    "two rings": ("a_k -n 3 --labels 1,2", "-n and --labels are given", "one ring"),
    "ring of nobody": ("a_k --labels ''", "no labels", "--labels 1,2,2"),
    "ring file": ("a_k --ring nowhere.txt", "'nowhere.txt'", "a text file of labels"),
    "ring not understood": ("a_k --random 5", "'5'", "write n=1000,labels=50,max=20"),
    "ring symmetric": ("a_k --labels 1,2,1,2", "period 2", "--force"),
    "k too small": ("b_k --labels 1,2,2 -p k=1", "k = 1", ">= 2"),
    "coins": ("itai_rodeh -n 3", "itai_rodeh tosses coins", "--trials"),
}

AWAITED = {
    "target near safe": ("p_rl -n 3 --target saef", "'saef'", "did you mean safe?"),
    "start near all": ("p_rl -n 3 --start al", "'al'", "did you mean all?"),
    "start empty": ("p_rl -n 3 --start ''", "''", "known: all, all_leaders"),
    "no lemmas": ("fratricide -n 3 --lemmas", "fratricide states no lemmas", "leave --lemmas out"),
    "more agents than exist": ("fratricide -n 1e12 --start all", "n = 1000000000000", "Lower -n"),
    "configurations beyond words": ("timer -n 20000 -p t_max=3", "about 10^18061 configurations", "lower -n"),
    "memory beyond words": ("timer -n 1200 -p t_max=1 --graph ring --force", "about 10^722 configurations", "lower -n"),
    "ring too long": ("fratricide --graph ring --force -n 6000", "n = 6000", "Lower -n"),
    "automorphisms of nothing": ("p_rl -n 3 --no-reduce --automorphisms '1 2 0'", "'1 2 0'", "--no-reduce"),
    "export of nothing": (
        "timer -n 3 -p t_max=2 --target safe --export x.drn --json",
        "no configuration is in safe",
        "--target",
    ),
}


def typed(quick: Command, line: str) -> Outcome:
    return quick("exact", *shlex.split(line))


@pytest.mark.medium
@in_one_test(("line", "value", "remedy"), CASES.values(), ids=CASES.keys())
def test_one_sentence_says_what_is_wrong(quick: Command, line: str, value: str, remedy: str) -> None:
    assert_refused(typed(quick, line), value, remedy)


@in_one_test(("line", "value", "remedy"), AWAITED.values(), ids=AWAITED.keys())
def test_one_more_sentence(
    quick: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, value: str, remedy: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(typed(quick, line), value, remedy)


RING_OPTIONS = (
    *("--rational", "--variance", "--distribution", "--leaders", "--hold", "--sets", "--lemmas", "--no-reduce"),
    *("--past-target", "--target safe", "--start all", "--graph ring", "--automorphisms '1 2 0'", "--ids 1,2,3"),
    *("--export x.drn", "--check storm", "--jobs 2", "--against-simulation 9"),
)


@in_one_test("option", RING_OPTIONS)
def test_rings_refuse_what_only_populations_have(quick: Command, option: str) -> None:
    outcome = typed(quick, f"a_k --labels 1,2,2 {option}")
    assert_refused(outcome, f"{option.split()[0]} is for population protocols", "Leave it out")


def test_a_population_that_does_not_fit_is_counted(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.analysis.configurations.available_bytes", lambda: 2**30)
    outcome = typed(quick, "p_rl -n 6 -p N=6")
    assert_refused(outcome, "22,483,074,023,424 configurations, 1,796,553,944 after reduction", "lower -n")
    assert "1.0 GiB are free" in outcome.stderr
    monkeypatch.setattr("princeps.analysis.configurations.available_bytes", lambda: 2**18)
    assert_refused(typed(quick, "infection --graph grid:3x3 --json"), "configurations can be reached", "lower -n")


def test_a_ring_that_is_too_large_is_refused(quick: Command) -> None:
    outcome = typed(quick, "a_k --labels 1,2,2 --limit 50")
    assert_refused(outcome, "1,2,2 has more than 50 configurations", "a smaller one")


def test_storm_that_is_not_installed_is_named(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stormpy", None)
    assert_refused(typed(quick, "p_rl -n 5 -p N=5 --check storm"), "stormpy", "pip install 'princeps[storm]'")


def test_a_distribution_that_takes_too_long_is_refused(quick: Command) -> None:
    outcome = typed(quick, "fratricide -n 4000 --distribution --json")
    assert_refused(outcome, "15,992,001 steps over 4,000 configurations", "leave --distribution out")


@pytest.mark.parametrize("wish", ["--rational", "--against-simulation 9"])
def test_what_is_infinite_is_not_computed(quick: Command, mine: str, wish: str) -> None:
    assert_refused(
        typed(quick, f"{mine}:Fight -n 3 --json {wish}"), "leader is not reached for certain", wish.split()[0]
    )


MINE = '''
from princeps.model import Bit, PopulationProtocol, Stays, Uniform, Within


def initial(a, i, n, p):
    a.leader = 1


class Fight(PopulationProtocol):
    """Fratricide that claims to recover."""

    guarantee = "loosely-stabilizing"
    leader = Bit()
    starts = {"random": Uniform(), "initial": initial}
    default_start = "random"
    lemmas = {"set": Stays("a set that does not exist", "leedr")}

    @staticmethod
    def interact(a, b, p):
        if a.leader == 1 and b.leader == 1:
            b.leader = 0


class Divides(Fight):
    lemmas = {"bound": Within("a bound that divides by zero", "leader", lambda n, p: n / 0, "some:leader")}


class Leaves(Fight):
    @staticmethod
    def interact(a, b, p):
        a.leader = a.leader + 1
'''


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return str(path)


def test_a_mistake_in_a_users_file_has_a_place(quick: Command, mine: str) -> None:
    assert_refused(typed(quick, f"{mine}:Nobody -n 3"), "'Nobody'", "found: Fight, Divides, Leaves")
    line = MINE.splitlines().index("        a.leader = a.leader + 1") + 1
    for start in ("all", "initial"):
        assert_refused(typed(quick, f"{mine}:Leaves -n 3 --start {start}"), f"{mine}:{line}: leader = 2", "0..1")
    assert_refused(typed(quick, f"{mine}:Fight -n 3 --lemmas"), "'leedr'", "did you mean leader")


def test_a_mistake_in_a_lemma_has_a_place(quick: Command, mine: str) -> None:
    line = 1 + next(k for k, text in enumerate(MINE.splitlines()) if "n / 0" in text)
    assert_refused(typed(quick, f"{mine}:Divides -n 3 --lemmas --json"), f"{mine}:{line}: ", "division by zero")


REFUSED_LATE = (
    *("p_rl -n 2 --check foo", "p_rl -n 3 --start all_leaders --hold", "p_rl -n 3 --start all_leaders --sets"),
    *("p_pl -n 4", "MINE:Fight -n 3 --rational --json", "timer -n 3 -p t_max=2 --target safe --json"),
)


@in_one_test("line", REFUSED_LATE)
def test_a_refused_run_leaves_an_old_file_as_it_was(quick: Command, tmp_path: Path, mine: str, line: str) -> None:
    path = tmp_path / "precious.drn"
    path.write_text("precious")
    outcome = typed(quick, f"{line.replace('MINE', mine)} --export {path}")
    assert (outcome.code, outcome.stdout, path.read_text()) == (2, "", "precious")


@pytest.mark.parametrize("line", ["p_pl -n 4", "MINE:Fight -n 3 --rational --json"])
def test_a_refused_run_leaves_no_new_file(quick: Command, tmp_path: Path, mine: str, line: str) -> None:
    path = tmp_path / "new.drn"
    assert typed(quick, f"{line.replace('MINE', mine)} --export {path}").code == 2
    assert not path.exists()


def test_a_folder_is_no_file(quick: Command, tmp_path: Path) -> None:
    folder = tmp_path / "chain.drn"
    folder.mkdir()
    assert_refused(quick("exact", "p_rl", "-n", 2, "--export", folder), str(folder), "Choose another path")
