"""One vocabulary: Python's arguments have the words of the command line; the old ones are understood, with a warning."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps import model
from princeps.cli import VERBS
from princeps.cli.declared import for_typer
from princeps.errors import RunError
from princeps.model.options import RunOptions, SweepOptions, options_of
from tests.tables import in_one_test

PLAIN: dict[str, Any] = {"engine": "reference", "seed": 3}
OLD: dict[str, tuple[str, Callable[..., Any], Any, str]] = {
    "faults": ("fault", lambda **g: princeps.run("p_rl", 6, N=6, **PLAIN, **g).faults, ["40:2"], "run"),
    "count": ("trials", lambda **g: [one.steps for one in princeps.trials("fratricide", 6, **PLAIN, **g)], 2, "trials"),
}


@in_one_test("old", OLD)
def test_an_old_word_is_understood_with_a_warning(old: str) -> None:
    new, call, value, _ = OLD[old]
    with pytest.warns(DeprecationWarning, match=f"{old} is called {new}") as told:
        before = call(**{old: value})
    assert told[0].filename == __file__
    assert call(**{new: value}) == before
    with pytest.raises(RunError, match="given together"):
        call(**{new: value, old: value})


def test_from_in_fit_and_plot(tmp_path: Path) -> None:
    store = str(tmp_path / "s.db")
    princeps.sweep("fratricide", n=[4, 8, 12, 16], trials=3, jobs=1, engine="reference", store=store)
    with pytest.warns(DeprecationWarning, match="smallest is called from_"):
        old: Any = princeps.fit(store, smallest=8)  # type: ignore[call-arg]
    assert old[0].sizes == princeps.fit(store, from_=8)[0].sizes == [8, 12, 16]


def test_the_words_are_those_of_the_flags() -> None:
    for cls in (RunOptions, SweepOptions):
        for option in options_of(cls).values():
            assert option.word == option.flag.removeprefix("--").replace("-", "_")


def test_names_for_a_protocol_file_and_types() -> None:
    assert (Path(princeps.__file__).parent / "py.typed").is_file()
    assert set(model.__all__) <= set(princeps.__all__)


FUNCTIONS = [
    *(
        "run",
        "trials",
        "estimate",
        "session",
        "sweep",
        "exact",
        "results",
        "fit",
        "plot",
        "merge",
        "paper",
        "table",
        "check",
    ),
    *("new", "ring", "rings", "impossible", "replay", "library", "protocol", "hold", "tune"),
]


@in_one_test("function", FUNCTIONS)
def test_every_argument_is_in_the_signature_and_explained(function: str) -> None:
    found = getattr(princeps, function)
    parameters = inspect.signature(found).parameters
    assert not {"faults", "count", "smallest", "args", "kwargs", "given"} & set(parameters)
    text = inspect.getdoc(found) or ""
    assert text.count("Arguments:") == 1
    for name, parameter in parameters.items():
        if name != "params":
            assert text.count(f"\n{name}: ") == 1, f"{function}: {name}"
        assert parameter.annotation is not inspect.Parameter.empty


# What only one of both has, and why: of the command line files and tables, of Python functions that are called back.
ONLY_FOR_SHELLS = {
    "*": {"as_json", "p"},
    # princeps.replay, estimate, trials, hold; results are objects
    "run": {"script", "dry_run", "output", "trials", "jobs", "rare"},
    "results": {"csv", "parquet", "rows", "force"},  # Results.write_csv, write_parquet, frame
    "paper": {"quick", "everything"},  # the defaults, spelt out
    "table": {"quick"},
    "exact": {"watch", "no_browser"},  # a page that is served until Ctrl-C
}
ONLY_FOR_PYTHON = {"*": {"params", "more", "observer", "watch", "progress"}}
FOR_BOTH = {"net": {"watch"}}  # elsewhere it is an older word for the progress
POSITIONAL = {"file": "path", "names": "name"}  # arguments without a word on the command line


@in_one_test("verb", [verb for verb in VERBS if verb not in ("list", "show", "tour")])
def test_a_verb_and_its_function_have_the_same_words(verb: str) -> None:
    command = import_module(VERBS[verb]).command
    words = set()
    for name, parameter in inspect.signature(for_typer(command), eval_str=True).parameters.items():
        declared = parameter.annotation.__metadata__[0]  # typer keeps the first flag as the default
        flags = [flag for flag in (declared.default, *(declared.param_decls or ())) if isinstance(flag, str)]
        long = [flag.removeprefix("--").replace("-", "_") for flag in flags if flag.startswith("--")]
        word = long[0] if long and not isinstance(parameter.default, bool) else name
        words.add({"from": "from_"}.get(word, POSITIONAL.get(word, word)))
    words -= ONLY_FOR_SHELLS["*"] | ONLY_FOR_SHELLS.get(verb, set())
    assert words == set(inspect.signature(getattr(princeps, verb)).parameters) - (
        ONLY_FOR_PYTHON["*"] - FOR_BOTH.get(verb, set())
    )
