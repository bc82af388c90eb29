"""One vocabulary: Python's arguments have the words of the command line; the old ones are understood, with a warning."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import princeps
from princeps import model
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


@pytest.mark.parametrize("function", ["run", "trials", "estimate", "session", "sweep", "exact"])
def test_every_argument_is_in_the_signature_and_explained(function: str) -> None:
    found = getattr(princeps, function)
    parameters = inspect.signature(found).parameters
    assert "faults" not in parameters
    assert "count" not in parameters
    text = inspect.getdoc(found) or ""
    for name, parameter in parameters.items():
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            assert f"{name}:" in text, f"{function}: {name}"
            assert parameter.annotation is not inspect.Parameter.empty


def test_the_words_are_those_of_the_flags() -> None:
    for cls in (RunOptions, SweepOptions):
        for option in options_of(cls).values():
            assert option.word == option.flag.removeprefix("--").replace("-", "_")


def test_names_for_a_protocol_file_and_types() -> None:
    assert (Path(princeps.__file__).parent / "py.typed").is_file()
    assert set(model.__all__) <= set(princeps.__all__)
