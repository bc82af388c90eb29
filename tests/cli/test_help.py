"""Help: options under headings, with types and examples; suggestions for what is misspelt."""

from __future__ import annotations

import re
import shlex

import pytest

import princeps as library
from princeps.cli import VERBS
from princeps.errors import ParameterError, nearest
from princeps.model.options import GROUPS, RunOptions, options_of
from tests.cli.refusals import assert_refused
from tests.conftest import Command
from tests.tables import in_one_test


def panels(text: str) -> dict[str, str]:
    """Heading -> what stands under it."""
    parts = re.split(r"╭─ (.*?) ─+╮", text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_options_of_a_run_are_grouped(quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    found = panels(quick("run", "--help").stdout)
    assert list(found) == ["Arguments", *GROUPS]
    for option in options_of(RunOptions).values():
        assert f"{option.flag} " in found[option.group]
        assert option.is_flag or re.search(rf"{option.flag} +{option.metavar} ", found[option.group]), option
    assert "--help" in found["Output"]
    assert "<str>" not in "".join(found[group] for group in GROUPS)


def test_verbs_with_many_options_group_them(quick: Command) -> None:
    for verb in ("sweep", "exact", "results", "fit", "plot", "paper"):
        found = list(panels(quick(verb, "--help").stdout))
        assert "Options" not in found
        assert found[1:] == [group for group in GROUPS if group in found]


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in ("list", "tour")])
def test_three_examples_that_the_verb_understands(verb: str, quick: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    text = quick(verb, "--help").stdout
    shown = [line.strip() for line in text.partition("Examples:")[2].splitlines() if line.strip()]
    assert len(shown) == 3
    for example in shown:
        words = shlex.split(example)
        assert words[:2] == ["princeps", verb]
        assert all(re.search(rf"{word}\b", text) for word in words[2:] if re.fullmatch(r"--?[a-z-]+", word)), example


SUGGESTED = {
    "run p_l": ("'p_l'", "did you mean p_ll, p_pl or p_rl?"),
    "run P_RL -n 3": ("'P_RL'", "did you mean p_rl"),
    "run a_k -k 3 --labels 1,2,2": ("'-k'", "-p k=3"),
    "run a_k -k3": ("'-k'", "-p k=3"),
    "run a_k --k=3": ("'--k'", "-p k=3"),
    "run p_rl --N 8 -n 5": ("'--N'", "-p N=8"),
    "sweep fratricide p_rl --N 8 -n 5": ("'--N'", "-p N=8"),
    "run fratricide -k 3": ("'-k'", "princeps run --help"),
    "run fratricide -n 5 --util leader": ("'--util'", "did you mean --until"),
    "run fratricide --n 5": ("'--n'", "did you mean -n?"),
    "run fratricide -n 5 -seed 4": ("'-seed'", "did you mean --seed?"),
    "run fratricide -n 5 --count 4": ("'--count'", "did you mean --trials?"),
    "fit results.db --smallest 10": ("'--smallest'", "did you mean --from?"),
    "sweep fratricide -n 5 --trails 4": ("'--trails'", "did you mean --trials"),
    "exact p_rl -n 3 --taget safe": ("'--taget'", "did you mean --target?"),
    "run fratricide -n 5 --record leadr": ("'leadr'", "did you mean leader or leaders?"),
    "run fratricide -n 5 --until leadr": ("'leadr'", "did you mean leader?"),
    "run p_rl -n 5 --start randm": ("'randm'", "did you mean random?"),
    "run fratricide -n 5 --engine agnts": ("'agnts'", "did you mean agents"),
    "run fratricide -n 5 --graph undirected-rng": ("'undirected-rng'", "did you mean undirected-ring?"),
}


@in_one_test("words", SUGGESTED)
def test_what_was_meant_is_suggested(words: str, quick: Command) -> None:
    assert_refused(quick(*words.split()), *SUGGESTED[words])


def test_a_misspelt_argument_of_python() -> None:
    with pytest.raises(ParameterError, match="no parameter 'util': did you mean until"):
        library.run("fratricide", 5, util="leader")


def test_names_that_begin_alike_come_first() -> None:
    assert nearest("p_l", ["p_rl", "p_pl", "p_ll", "majority"]) == ["p_ll", "p_pl", "p_rl"]
    assert nearest("majorty", ["p_rl", "majority"]) == ["majority"]
    assert nearest("xyz", ["p_rl", "majority"]) == []
