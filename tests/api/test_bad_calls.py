"""The same refusals from Python, each as the right kind of error."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import princeps
from princeps import errors
from princeps.protocols.fratricide import Fratricide
from tests.tables import in_one_test

RUNS: list[tuple[dict[str, Any], type[errors.PrincepsError], str]] = [
    ({"name": "p_r", "n": 3}, errors.UnknownProtocol, "did you mean p_rl"),
    ({"name": "p_rl", "n": 1}, errors.ParameterError, "n >= 2"),
    ({"name": "p_rl", "n": 1e30}, errors.ParameterError, "at most"),
    ({"name": "p_rl", "n": 3.5}, errors.ParameterError, "n = 3.5 is"),
    ({"name": "p_rl", "n": True}, errors.ParameterError, "n = True is"),
    ({"name": "p_rl"}, errors.RunError, "how many agents"),
    ({"name": "p_rl", "n": 10, "N": 9}, errors.ParameterError, "N = 9"),
    ({"name": "p_rl", "n": 3, "N": 3.5}, errors.ParameterError, "3.5"),
    ({"name": "p_rl", "n": 3, "M": 3}, errors.ParameterError, "'M'"),
    ({"name": "p_ll", "n": 17, "m": 4}, errors.ParameterError, "m = 4"),
    ({"name": "p_ll", "n": 3, "start": "random"}, errors.RunError, "not self-stabilizing"),
    ({"name": "p_rl", "n": 3, "start": "rndom"}, errors.UnknownName, "did you mean random"),
    ({"name": "p_rl", "n": 3, "until": "safer"}, errors.UnknownName, "did you mean safe"),
    ({"name": "p_rl", "n": 3, "engine": "agent"}, errors.UnknownName, "did you mean agents"),
    ({"name": "infection", "n": 3, "graph": "rinf"}, errors.UnknownName, "did you mean ring"),
    ({"name": "infection", "n": 40, "graph": "er:0.01", "seed": 1}, errors.GraphError, "not connected"),
    ({"name": "p_ll", "n": 3, "graph": "ring"}, errors.GraphError, "force"),
    ({"name": "infection", "n": 4e9, "graph": "regular:1000000"}, errors.TooLarge, "GiB"),
    ({"name": "infection", "n": 1e12}, errors.TooLarge, "ids"),
    ({"name": "p_ll", "n": 1e12, "engine": "agents"}, errors.TooLarge, "bytes"),
    ({"name": "p_rl", "n": 3, "seed": "lucky"}, errors.ParameterError, "'lucky'"),
    ({"name": "p_rl", "n": 3, "trial": -1}, errors.ParameterError, "from 0"),
    ({"name": "infection", "n": 3, "ids": [1, 2, 2]}, errors.RunError, "2 is given twice"),
    ({"name": "infection", "n": 3, "ids": [1, 2, 2.5]}, errors.RunError, "2.5"),
    ({"name": "p_rl", "n": 3, "ids": [1, 2, 3]}, errors.RunError, "anonymous"),
    ({"name": "p_rl", "n": 3, "faults": ["5:4"]}, errors.RunError, "between 1 and 3"),
    ({"name": "p_rl", "n": 3, "faults": "5:4"}, errors.RunError, "'5:4'"),
    ({"name": "p_rl", "n": 3, "faults": ["every:5:1"]}, errors.RunError, "max_steps"),
    ({"name": "p_rl", "n": 3, "pairs": [(0, 1), (1, 0)]}, errors.RunError, "pair 2"),
    ({"name": "p_rl", "n": 3, "pairs": [(0, -1)], "force": True}, errors.RunError, "0..2"),
    ({"name": "p_rl", "n": 3, "pairs": [(0, 1, 2)]}, errors.RunError, "list of pairs"),
    ({"name": "p_rl", "n": 3, "pairs": [(0, 0.5)]}, errors.RunError, "list of pairs"),
    ({"name": "p_rl", "n": 3, "record": "leeders"}, errors.RunError, "'leeders'"),
    ({"name": "p_rl", "n": 3, "record": {"steps": "leaders"}}, errors.RunError, "'steps'"),
    ({"name": "p_rl", "n": 3, "record": ["leaders"], "every": float("nan")}, errors.ParameterError, "nan"),
    ({"name": "p_rl", "n": 3, "start": "file:nowhere", "engine": "reference"}, errors.RunError, "nowhere"),
    ({"name": "./nowhere.py:Mine", "n": 3}, errors.ProtocolError, "nowhere"),
    (
        {"name": "p_rl", "n": 3, "start": [{"leader": 1}], "engine": "reference"},
        errors.RunError,
        "has 1 state for n = 3",
    ),
    ({"name": "p_rl", "n": 3, "until": 5}, errors.RunError, "until 5 is not understood"),
    ({"name": "infection", "n": 3, "graph": [(0, 1)]}, errors.GraphError, "is not connected"),
    ({"name": "infection", "n": 3, "ids": 5}, errors.RunError, "ids 5 is not understood"),
    ({"name": "p_rl", "n": 3, "faults": 5}, errors.RunError, "fault 5 is not understood"),
    ({"name": "p_rl", "n": 3, "record": {"x": 1}}, errors.RunError, "give a list of texts. Count"),
    ({"name": "p_rl", "n": 3, "faults": [(50, 1)]}, errors.RunError, "give a list of texts. STEP:K"),
    ({"name": "p_rl", "n": 3, "record": 5}, errors.RunError, "record 5 is not understood"),
    ({"name": "p_rl", "n": 3, "params": 5}, errors.ParameterError, "params 5 is not understood"),
    ({"name": "a_k", "random": 5}, errors.RunError, "random 5 is not understood"),
    ({"name": "a_k", "labels": "1,2", "diagram": 5}, errors.RunError, "diagram 5 is not understood"),
    ({"name": "a_k", "n": 3, "every": np.array([1, 2])}, errors.RunError, "a_k is a ring algorithm"),
    ({"name": "p_rl", "n": 3, "engine": np.array([1, 2])}, errors.UnknownName, "unknown engine"),
    (
        {"name": "p_rl", "n": 3, "fault": np.array("x")},
        errors.RunError,
        "is not understood: give a list of texts. STEP:K",
    ),
    (
        {"name": "p_rl", "n": 3, "record": np.array("x")},
        errors.RunError,
        "is not understood: give a list of texts. Count",
    ),
    *(({"name": "p_rl", "n": 3, "every": odd}, errors.ParameterError, "parallel time") for odd in (range(3), 10**400)),
    ({"name": "p_rl", "n": 3, "trials": 3}, errors.ParameterError, "princeps.trials(...)"),
    *(
        ({"name": "p_rl", "n": 3, "trace": odd}, errors.RunError, "give a function of (event), or a file")
        for odd in (True, 1)
    ),
    ({"name": "a_k"}, errors.RingError, "none of them is given"),
    ({"name": "a_k", "labels": 5}, errors.RingError, "labels 5 are no list of integers or texts"),
    ({"name": "a_k", "labels": {1, 2}}, errors.RingError, "are no list of integers or texts"),
    ({"name": "a_k", "labels": [True, False]}, errors.RingError, "are no list of integers or texts"),
    ({"name": "a_k", "labels": [1.5, 2]}, errors.RingError, "are no list of integers or texts"),
    ({"name": "a_k", "n": 5, "schedule": 3}, errors.RunError, "schedule 3 is not understood"),
    ({"name": "p_rl", "n": 5, "window": (1, 5)}, errors.RunError, "is for trace and diagram"),
    ({"name": "p_rl", "n": 5, "trace": print, "window": 5}, errors.ParameterError, "window 5 is not understood"),
    ({"name": "p_rl", "n": 5, "snapshots": [3, -1]}, errors.ParameterError, "snapshots has -1, which is negative"),
    ({"name": "p_rl", "n": 5, "snapshots": {}, "record": 5}, errors.RunError, "record 5 is not understood"),
    ({"name": "a_k", "n": 3, "labels": "1,2,2"}, errors.RingError, "n and labels are given"),
    ({"name": "a_k", "n": 1}, errors.RingError, "at least two"),
    ({"name": "a_k", "n": 2.5}, errors.ParameterError, "n = 2.5 is"),
    ({"name": "a_k", "labels": []}, errors.RingError, "no labels"),
    ({"name": "a_k", "labels": ["a", ""]}, errors.RingError, "label 1 of ['a', '']"),
    ({"name": "a_k", "labels": [5]}, errors.RingError, "1 process (5)"),
    ({"name": "a_k", "labels": "1,2,1,2"}, errors.RingError, "period 2"),
    ({"name": "a_k", "labels": [1, 2, 2, 2], "k": 2}, errors.RingError, "A_2 may elect two leaders"),
    ({"name": "b_k", "labels": [1, 2, 2, 2], "k": 2}, errors.RingError, "B_2 may elect two leaders"),
    ({"name": "a_k", "labels": "1,2", "k": 0}, errors.ParameterError, "k = 0"),
    ({"name": "b_k", "labels": "1,2", "k": 1}, errors.ParameterError, "k = 1"),
    ({"name": "a_k", "labels": "1,2", "m": 1}, errors.ParameterError, "'m'"),
    ({"name": "a_k", "random": "n=9,labels=2,max=4"}, errors.RingError, "too few for n = 9"),
    ({"name": "a_k", "ring": "nowhere.txt"}, errors.RingError, "'nowhere.txt'"),
    ({"name": "lelann", "labels": "1,2,2"}, errors.RingError, "distinct labels"),
    ({"name": "itai_rodeh", "n": 4, "size": 3}, errors.RingError, "size = 3"),
    ({"name": "a_k", "labels": "1,2", "schedule": "sloow:1"}, errors.UnknownName, "did you mean slow:EDGE"),
    ({"name": "a_k", "labels": "1,2", "schedule": "slow:2"}, errors.RunError, "slow:0 to slow:1"),
    ({"name": "a_k", "labels": "1,2", "schedule": "order:0,2"}, errors.RunError, "0..1"),
    ({"name": "a_k", "labels": "1,2", "engine": "agents"}, errors.UnknownName, "known: auto, compiled, reference"),
    ({"name": "a_k", "labels": "1,2", "schedule": "order:0", "engine": "compiled"}, errors.RunError, "plain Python"),
    ({"name": "a_k", "labels": "1,2", "max_steps": -1}, errors.ParameterError, "0 or more"),
    ({"name": "a_k", "labels": "1,2", "trial": -1}, errors.ParameterError, "from 0"),
    ({"name": "a_k", "labels": "1,2", "graph": "ring"}, errors.RunError, "a_k is a ring algorithm"),
    ({"name": "a_k", "labels": "1,2", "faults": ["5:1"]}, errors.RunError, "a_k is a ring algorithm"),
    ({"name": "p_rl", "n": 3, "labels": "1,2,3"}, errors.RunError, "p_rl is a population protocol"),
    ({"name": "p_rl", "n": 3, "schedule": "random"}, errors.RunError, "p_rl is a population protocol"),
]


@in_one_test(("arguments", "kind", "text"), RUNS)
def test_run_raises(arguments: dict[str, Any], kind: type[errors.PrincepsError], text: str) -> None:
    with pytest.raises(kind) as caught:
        princeps.run(**arguments)
    assert type(caught.value) is kind
    assert text in str(caught.value)


PROTOCOLS: list[tuple[dict[str, Any], type[errors.PrincepsError], str]] = [
    ({"name": "p_r"}, errors.UnknownProtocol, "did you mean p_rl"),
    ({"name": "p_rl"}, errors.ParameterError, "Give N="),
    ({"name": "p_rl", "N": 1}, errors.ParameterError, "N is an integer >= 2"),
    ({"name": "p_rl", "N": "many"}, errors.ParameterError, "N is an integer >= 2"),
    ({"name": "p_rl", "N": 2.5}, errors.ParameterError, "N is an integer >= 2"),
    ({"name": "p_rl", "n": 10, "N": 9}, errors.ParameterError, "n <= N"),
    ({"name": "p_ll", "m": 0}, errors.ParameterError, "m is an integer >= 1"),
    ({"name": "p_ll", "m": 3, "printed": 2}, errors.ParameterError, "0..1"),
    ({"name": "fratricide", "N": 3}, errors.ParameterError, "nor any other: leave N out"),
    ({"name": "a_k", "n": 3}, errors.RunError, "a_k is a ring algorithm"),
]


@in_one_test(("arguments", "kind", "text"), PROTOCOLS)
def test_protocol_raises(arguments: dict[str, Any], kind: type[errors.PrincepsError], text: str) -> None:
    with pytest.raises(kind) as caught:
        princeps.protocol(**arguments)
    assert type(caught.value) is kind
    assert text in str(caught.value)


RING_CALLS: dict[str, tuple[Callable[[], object], type[errors.PrincepsError], str]] = {
    "no ring": (lambda: princeps.ring(), errors.RingError, "one ring is needed"),
    "two rings": (lambda: princeps.ring("1,2", random="n=3"), errors.RingError, "one ring is needed"),
    "no labels": (lambda: princeps.ring(""), errors.RingError, "no labels"),
    "no file": (lambda: princeps.ring(ring="nowhere.txt"), errors.RingError, "'nowhere.txt'"),
    "no seed": (lambda: princeps.ring(random="n=3", seed="lucky"), errors.ParameterError, "'lucky'"),
    "rings of one": (lambda: list(princeps.rings("a_k", [1, 2])), errors.ParameterError, "n = 1"),
    "rings of nothing": (lambda: list(princeps.rings("a_k", [])), errors.ParameterError, "n = 0"),
    "rings of no labels": (lambda: list(princeps.rings("a_k", [2], 0)), errors.ParameterError, "alphabet = 0"),
    "rings for no k": (lambda: list(princeps.rings("b_k", [2], max_k=1)), errors.ParameterError, "k >= 2"),
    "rings of agents": (lambda: list(princeps.rings("p_rl", [2])), errors.RunError, "the ring algorithms are a_k"),
    "rings of nobody": (lambda: list(princeps.rings("a_l", [2])), errors.UnknownProtocol, "did you mean"),
    "impossible alone": (lambda: princeps.impossible("a_k", n=1, k=2), errors.RingError, "n = 1"),
    "impossible for k = 0": (lambda: princeps.impossible("a_k", k=0), errors.ParameterError, "k = 0"),
    "impossible both ways": (lambda: princeps.impossible("franklin"), errors.RunError, "unidirectional"),
    "impossible without names": (lambda: princeps.impossible("itai_rodeh"), errors.RunError, "unidirectional"),
    "impossible for agents": (lambda: princeps.impossible("p_rl"), errors.RunError, "population protocol"),
}


@in_one_test(("call", "kind", "text"), RING_CALLS.values(), ids=RING_CALLS.keys())
def test_the_functions_of_rings_raise(call: Callable[[], object], kind: type[errors.PrincepsError], text: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    assert text in str(caught.value)


FOLLOWER = {"leader": 0, "bullet": 0, "shield": 0, "signal": 0, "distL": 0}


@in_one_test(
    "state",
    [
        {},
        {"leader": 1},
        FOLLOWER | {"leader": 2},
        FOLLOWER | {"distL": 9},
        FOLLOWER | {"x": 0},
        FOLLOWER | {"leader": "1"},
        7,
    ],
)
def test_delta_and_output_refuse_illegal_states(state: Any) -> None:
    protocol = princeps.protocol("p_rl", N=8)
    for call in (
        lambda: protocol.delta(state, FOLLOWER),
        lambda: protocol.delta(FOLLOWER, state),
        lambda: protocol.output(state),
    ):
        with pytest.raises(errors.StateError):
            call()


CALLBACKS: list[tuple[Callable[..., Any], str, str]] = [
    (princeps.run, "observer", "(progress)"),
    (princeps.exact, "observer", "(phase, done, total)"),
    (princeps.sweep, "watch", "(sweep)"),
    (princeps.check, "observer", "(finding)"),
]


@in_one_test(("function", "name", "needed"), CALLBACKS)
def test_what_is_called_back_takes_the_arguments(function: Callable[..., Any], name: str, needed: str) -> None:
    for given in (lambda: 0, 5):
        with pytest.raises(errors.RunError, match=name) as caught:
            function("fratricide", **({} if function is princeps.check else {"n": 3}), **{name: given})
        assert needed in str(caught.value)


@in_one_test("value", [np.array("x"), np.zeros(0), np.array([1, 2]), "1", 1.0, None])
def test_a_field_takes_an_integer_of_python_or_numpy_and_nothing_else(value: Any) -> None:
    protocol = princeps.protocol("fratricide")
    with pytest.raises(errors.StateError, match="must be an integer"):
        protocol.delta({"leader": value}, {"leader": 1})
    natural: list[Any] = [np.int8(1), np.array(1)]
    assert protocol.delta({"leader": natural[0]}, {"leader": natural[1]})[1] == {"leader": 0}


def test_sizes_are_numbers_also_as_an_array_without_dimensions() -> None:
    with pytest.raises(errors.ParameterError, match="not an integer"):
        princeps.rings("a_k", np.array("x"))
    assert [found.n for found in princeps.rings("a_k", np.array(2), alphabet=2, max_k=1)] == [2]


@pytest.mark.parametrize("more", [{}, {"n": [10]}])
def test_several_protocols_of_a_sweep_are_a_list(more: dict[str, Any]) -> None:
    with pytest.raises(errors.RunError, match=r"as a list: write sweep\(\['p_rl', Fratricide\], n=...\)\."):
        princeps.sweep("p_rl", Fratricide, **more)
    with pytest.raises(errors.RunError, match=r"write sweep\(\['p_rl', 'p_ll', './mine.py'\], n=...\)\."):
        princeps.sweep("p_rl", "p_ll", "./mine.py", **more)


def test_trials_have_no_law_of_growth() -> None:
    several = princeps.trials("fratricide", 5, trials=2, seed=1, engine="reference")
    with pytest.raises(errors.RunError, match=r"^store .{,70} is not understood: .* needs several sizes\.$"):
        princeps.fit(several)
    with pytest.raises(errors.RunError, match=r"^source .{,70} is not understood: give a store or a recording"):
        princeps.plot({1: several})


def test_what_can_be_read_once_is_read_once() -> None:
    found = princeps.run("numbered", 3, ids=iter([3, 1, 2]), seed=1, engine="reference")
    assert found.command.endswith(" --ids 3,1,2")


def test_a_kind_of_the_library_is_a_text() -> None:
    with pytest.raises(errors.UnknownName, match="unknown kind"):
        princeps.library(np.array([1, 2]))


def test_a_number_is_no_file() -> None:
    """`open(1)` would be the standard output."""
    for odd in (True, 1):
        with pytest.raises(errors.RunError, match="give the path of a file"):
            princeps.new(odd)


def test_a_session_refuses_what_is_of_whole_runs() -> None:
    for given in ({"snapshots": [3]}, {"record": ["leaders"]}):
        with pytest.raises(errors.PrincepsError):
            princeps.session("fratricide", 6, seed=1, **given)


@pytest.mark.parametrize("odd", [princeps, [None], 5, b"cluster.toml", ""])
def test_a_cluster_is_a_file(odd: Any) -> None:
    with pytest.raises(errors.RunError, match=r"path .* is not understood: give the path of a file"):
        princeps.member(odd)
    with pytest.raises(errors.ParameterError, match=r"agent = 1\.5 is not an integer"):
        princeps.member("cluster.toml", 1.5)


def _parameters(name: str) -> set[str]:
    found = getattr(princeps, name)
    return set(inspect.signature(found).parameters) if inspect.isfunction(found) else set()


WITH_PROGRESS = [name for name in princeps.__all__ if "progress" in _parameters(name)]


@pytest.mark.parametrize("name", WITH_PROGRESS)
def test_every_function_says_what_progress_is(name: str) -> None:
    """An array that is neither true nor false was a bare ValueError in `worst`."""
    with pytest.raises(errors.PrincepsError, match="progress"):
        getattr(princeps, name)("fratricide", progress=np.zeros(0), **({"trials": 2} if name == "trials" else {}))


def test_many_functions_have_progress() -> None:
    assert len(WITH_PROGRESS) >= 8
