"""princeps.exact from Python: who can call it, what it returns, what it raises, and simulation beside it."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import princeps
from princeps import errors
from princeps.analysis.analysis import analyse, prepare
from princeps.analysis.options import AnalysisOptions
from princeps.api import compare as against
from princeps.model import Agent, Bit, Params, PopulationProtocol, Uniform
from tests.conftest import Command
from tests.tables import in_one_test


def initial(a: Agent, i: int, n: int, p: Params) -> None:
    a.leader = 1


class Fight(PopulationProtocol):
    """Fratricide that claims to recover."""

    guarantee = "loosely-stabilizing"
    leader = Bit()
    starts = {"random": Uniform()}
    default_start = "random"

    @staticmethod
    def interact(a: Agent, b: Agent, p: Params) -> None:
        if a.leader == 1 and b.leader == 1:
            b.leader = 0


class Misnamed(Fight):
    guarantee = "stabilizing"
    starts = {"random": initial, "chaos": Uniform()}


class Homeless(Fight):
    starts = {}
    default_start = "initial"


# -- who can call it ----------------------------------------------------------------------------------------------

CALLS = (
    "import princeps; exact = princeps.exact",
    "from princeps import exact",
    "from princeps import *",
    "import princeps.analysis.rings.interleavings, princeps; exact = princeps.exact",
    "from princeps.analysis.rings import report; import princeps; exact = princeps.exact",
    "import princeps.api.exact, princeps; exact = princeps.exact",
)


@pytest.mark.parametrize("call", CALLS)
def test_it_can_be_called_whatever_was_imported_before(call: str) -> None:
    """Nothing heavy is imported for that, not even to explore a ring."""
    probe = (
        f"{call}\n"
        "import sys\n"
        "assert exact('a_k', labels='1,2,2').configurations == 94\n"
        "import princeps\n"
        "assert princeps.exact is exact and 'exact' in princeps.__all__ and 'exact' in dir(princeps)\n"
        "print(sorted({'numpy', 'scipy', 'numba'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.medium
@pytest.mark.parametrize("words", [["exact", "--help"], ["exact", "p_r", "-n", "3"], ["--help"], ["list"]])
def test_what_is_quick_to_say_needs_no_numba(words: list[str]) -> None:
    probe = (
        f"import sys; sys.argv = ['princeps', *{words!r}]\n"
        "from princeps.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'scipy', 'numba'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"


# -- what it returns ----------------------------------------------------------------------------------------------

EVERYTHING = {"rational": True, "variance": True, "distribution": True, "leaders": True, "hold": True, "sets": True}


def test_attributes_are_the_keys_of_json() -> None:
    found = princeps.exact("p_rl", 2, N=2, rational=True, variance=True)
    told = found.as_json()
    for key in ("configurations", "target", "target_size", "reachable", "worst", "mean", "worst_start", "seconds"):
        assert getattr(found, key) == told[key]
    assert (found.worst_exact, float(found.mean_exact)) == (6, found.mean)
    ring = princeps.exact("a_k", labels=[1, 2, 2], k=2)
    assert {key: getattr(ring, key) for key in ring.as_json()} == ring.as_json()


def test_every_key_is_an_attribute() -> None:
    found = princeps.exact("p_rl", 2, against_simulation=2, seed=1, **EVERYTHING)
    lost = princeps.exact("fratricide", 3, start="all")
    assert [key for one in (found, lost) for key in one.as_json() if not hasattr(one, key)] == []


def test_a_number_may_be_written_in_many_ways() -> None:
    assert [princeps.exact("fratricide", n).n for n in (10, "10", 1e1, "1e1", "10^1")] == [10] * 5


def test_a_class_will_do() -> None:
    found = princeps.exact(Fight, 3, target="some:leader")
    assert (found.protocol, found.start, found.reachable, found.configurations) == ("fight", "all", False, 8)
    assert found.trap.command.startswith("# no command repeats this: loading ")  # which would run pytest's decorators


def test_an_observer_hears_of_phases() -> None:
    heard: list[tuple[str, int, int]] = []
    princeps.exact("p_rl", 2, observer=lambda *item: heard.append(item))
    assert ("5,184 configurations, 276 after reduction", 0, 0) in heard
    assert {"listing", "stepping", "solving", "certifying"} & {phase for phase, _, _ in heard}


def test_an_observer_hears_of_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[str, int, int]] = []
    monkeypatch.setattr("princeps.analysis.rings.interleavings.PORTION", 40, raising=False)
    princeps.exact("a_k", labels="1,2,2", observer=lambda *item: heard.append(item))
    assert heard == [("exploring (at most)", 40, 2_000_000), ("exploring (at most)", 80, 2_000_000)]


def test_a_start_is_what_its_rule_says() -> None:
    """Not what its name says; and all configurations need no start."""
    assert (princeps.exact(Misnamed, 3).start, princeps.exact(Misnamed, 3, start="random").mean) == ("random", 4)
    assert princeps.exact(Misnamed, 3, start="chaos").start == "all"
    assert princeps.exact(Homeless, 3).configurations == princeps.exact(Homeless, 3, start="all").configurations == 8


# -- what it raises -----------------------------------------------------------------------------------------------

CALLS_REFUSED: list[tuple[dict[str, Any], type[errors.PrincepsError], str]] = [
    ({"name": "p_r", "n": 3}, errors.UnknownProtocol, "did you mean p_rl"),
    ({"name": "p_rl"}, errors.RunError, "how many agents"),
    ({"name": "p_rl", "n": 1}, errors.ParameterError, "n >= 2"),
    ({"name": "p_rl", "n": 3.5}, errors.ParameterError, "n = 3.5 is"),
    ({"name": "p_rl", "n": True}, errors.ParameterError, "n = True is"),
    ({"name": "p_rl", "n": 3, "N": 2}, errors.ParameterError, "N = 2"),
    ({"name": "p_rl", "n": 3, "ration": True}, errors.ParameterError, "'ration'"),
    ({"name": "p_rl", "n": 3, "target": "leeder"}, errors.UnknownName, "did you mean leader"),
    ({"name": "p_rl", "n": 3, "start": "rndom"}, errors.UnknownName, "did you mean random"),
    ({"name": "p_rl", "n": 3, "check": "foo"}, errors.RunError, "'foo'"),
    ({"name": "p_rl", "n": 3, "export": "x.y"}, errors.RunError, "'x.y'"),
    ({"name": "p_rl", "n": 3, "automorphisms": "1 0 2"}, errors.GraphError, "no automorphism of 'ring'"),
    ({"name": "p_rl", "n": 3, "graph": "star"}, errors.GraphError, "force"),
    ({"name": "p_rl", "n": 3, "labels": "1,2,2"}, errors.RunError, "p_rl is a population protocol"),
    ({"name": "p_rl", "n": 3, "against_simulation": 1}, errors.RunError, "at least 2"),
    ({"name": "p_rl", "n": 3, "against_simulation": 9, "target": "some:leader"}, errors.RunError, "'some:leader'"),
    ({"name": "infection", "n": 4, "graph": "er:0.9", "against_simulation": 9}, errors.RunError, "'er:0.9'"),
    ({"name": Fight, "n": 3, "against_simulation": 9}, errors.RunError, "not reached for certain"),
    ({"name": Fight, "n": 3, "rational": True}, errors.RunError, "not reached for certain"),
    ({"name": "p_pl", "n": 4}, errors.TooLarge, "4,017,277,924 states"),
    ({"name": "a_k"}, errors.RingError, "none of them is given"),
    ({"name": "a_k", "labels": "1,2", "m": 1}, errors.ParameterError, "'m'"),
    ({"name": "a_k", "labels": "1,2", "seed": "x"}, errors.ParameterError, "'x'"),
    ({"name": "itai_rodeh", "n": 3}, errors.RunError, "tosses coins"),
]


@in_one_test(("arguments", "kind", "text"), CALLS_REFUSED)
def test_it_raises(arguments: dict[str, Any], kind: type[errors.PrincepsError], text: str) -> None:
    with pytest.raises(kind) as caught:
        princeps.exact(**arguments)
    assert type(caught.value) is kind
    assert text in str(caught.value)


@pytest.mark.parametrize("jobs", [0, "many"])
def test_nobody_does_not_work(jobs: Any) -> None:
    with pytest.raises(errors.ParameterError, match=f"{jobs}"):
        princeps.exact("p_rl", 2, against_simulation=2, jobs=jobs)


def test_a_ring_refuses_every_option_of_populations() -> None:
    """Those that are not about the ring, whatever they will be called."""
    from princeps.api.exact import exact

    given: dict[str, Any] = {"reduce": False, "jobs": 2, "against_simulation": 9, "ids": [1, 2, 3]}
    ours = {"labels", "random", "ring", "force", "seed", "observer", "progress", "params", "limit"}
    options = [item for item in inspect.signature(exact).parameters.values() if item.kind is item.KEYWORD_ONLY]
    assert len(options) > 20
    for option in options:
        value = given.get(option.name, True if option.default is False else "all")
        if option.name not in ours:
            with pytest.raises(errors.RunError, match="a_k is a ring algorithm"):
                princeps.exact("a_k", labels="1,2,2", **{option.name: value})
    assert princeps.exact("a_k", labels="1,2,2", force=True, seed=3).agreed


# -- simulation ---------------------------------------------------------------------------------------------------


@pytest.mark.medium
def test_simulation_agrees_and_a_wrong_mean_is_found_out() -> None:
    prepared, which = prepare("p_rl", 2)
    found, problem = analyse(prepared, which, "leader", AnalysisOptions())
    simulated = against.simulated(problem, found, 2000, 1, 1)
    assert (simulated.trials, simulated.seed, simulated.engine) == (2000, 1, "agents")
    assert abs(simulated.z) < 5
    other = princeps.exact("p_rl", 2, target="s_rl").mean
    assert abs(simulated.mean - other) / simulated.std_error > 20


@pytest.mark.slow
def test_workers_draw_the_same_runs() -> None:
    one, two = (princeps.exact("fratricide", 4, against_simulation=30, seed=5, jobs=jobs).simulation for jobs in (1, 2))
    assert (one.mean, one.std_error) == pytest.approx((two.mean, two.std_error), rel=1e-12)
    assert princeps.exact("fratricide", 2, against_simulation=5).simulation.z == 0  # always one step


@pytest.fixture
def described(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the engines are asked for; they answer with 10, 11 or 12 steps."""
    asked: dict[str, Any] = {}

    def run_trials(what: Any, trials: range, jobs: int) -> Any:
        asked.update(vars(what.description.options), params=dict(what.description.params))
        return (SimpleNamespace(steps=10 + trial % 3, engine="wrong") for trial in trials)

    monkeypatch.setattr("princeps.campaign.trials.run_trials", run_trials)
    return asked


def test_the_same_agents_are_simulated(described: dict[str, Any]) -> None:
    """On a star it matters who has which id."""
    found = princeps.exact("infection", 4, graph="star", against_simulation=9)
    assert (described["graph"], described["until"], described["start"]) == ("star", "complete", "initial")
    assert [agent["aid"] for agent in found.worst_start] == described["ids"]
    princeps.exact("p_rl", 2, N=3, target="s_rl", against_simulation=9)
    assert (described["params"], described["until"], described["start"]) == ({"N": 3}, "s_rl", "random")
    assert described["ids"] is None


def test_what_simulation_contradicts_is_code_1(quick: Command, described: dict[str, Any]) -> None:
    words = ("exact", "fratricide", "-n", 4, "--seed", 7, "--against-simulation")
    outcome = quick(*words, 1000)
    assert outcome.code == 1
    assert "10.999 +- 0.026 in 1,000 runs (wrong, seed 7): z = +77.36, DISAGREES" in outcome.stdout
    few = quick(*words, 10)  # may be chance
    assert (few.code, "DISAGREES" in few.stdout) == (0, False)


def test_infinitely_many_standard_errors_are_none(described: dict[str, Any]) -> None:
    simulation: Any = princeps.exact("fratricide", 2, against_simulation=9).simulation
    assert replace(simulation, z=float("inf")).as_json()["z"] is None
