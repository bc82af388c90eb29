"""What a fit is of, what is refused, and how it is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from math import log, sqrt
from pathlib import Path
from typing import Any

import pytest

import princeps as library
from princeps.campaign.rows import Row
from princeps.campaign.store import open_store
from princeps.errors import ParameterError, RunError
from tests.campaign.fit_tools import SIZES, Make, covers, grown, only
from tests.campaign.stored_rows import a_cut, a_point, a_row, stored
from tests.cli.refusals import assert_refused
from tests.conftest import Command
from tests.tables import in_one_test

# -- measures ---------------------------------------------------------------------------------------------------------


def test_other_measures_are_fitted_on_request(tmp_path: Path) -> None:
    def row(k: int, value: int, point: int) -> Row:
        return a_row(k, value, point=point, events=str(7 * round(sqrt(value))))

    path = grown(tmp_path / "x.db", lambda n: n * n, noise=0, rows=row)
    assert (only(path).measure, only(path).law) == ("steps", "n^2")
    assert (only(path, measure="events").law, only(path, measure="events").coefficient) == ("n", pytest.approx(7))
    parallel = only(path, measure="parallel_time")
    assert (parallel.law, parallel.coefficient) == ("n", pytest.approx(1))


def test_of_a_holding_time_the_growth_is_asked(tmp_path: Path) -> None:
    def row(k: int, value: int, point: int) -> Row:
        return a_row(k, 3, point=point, held=0, held_steps=str(value), total_steps=str(value + 3))

    make: Make = lambda n: a_point(n, "timer", hold=True)  # noqa: E731
    found = only(grown(tmp_path / "x.db", lambda n: 2 * n**3, make=make, rows=row))
    assert (found.measure, found.law) == ("held_steps", "n^3")


def test_with_trials_cut_off_the_medians_are_fitted(tmp_path: Path) -> None:
    """The noise is symmetric enough that the median is the mean, less three per cent."""
    path = grown(tmp_path / "x.db", lambda n: n * n, trials=300, limit=1.1 * SIZES[-1] ** 2)
    found = only(path)
    assert found.statistic == "median"
    assert found.law == "n^2"
    assert covers(found.interval, 0.97)
    cut = [one.censored for one in library.results(path)]
    assert cut[:-1] == [0] * 9
    assert 60 < cut[-1] < 140
    assert found.values == [one.median for one in library.results(path)]


# -- what is refused --------------------------------------------------------------------------------------------------


def rows_for(path: Path, **sizes: Sequence[Row]) -> str:
    for name, rows in sizes.items():
        stored(path, rows, a_point(int(name.removeprefix("n"))))
    return str(path)


GOOD = {f"n{n}": [a_row(k, n * n + k) for k in range(3)] for n in (16, 32, 64)}


REFUSED: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "two sizes": ({"n16": GOOD["n16"], "n32": GOOD["n32"]}, "", "there are 2", "sweep more"),
    "sizes left out": (GOOD, "--from 17", "there are 2", "sweep more"),
    "all left out": (GOOD, "--from 1e6", "there are 0", "sweep more"),
    "everything cut off": (
        {**GOOD, "n128": [a_cut(k, 50) for k in range(4)]},
        *("", "n = 128: 4 of 4 trials did not end", "raise --max-steps"),
    ),
    "the median cut off": (
        {**GOOD, "n128": [a_row(0, 9), a_cut(1, 50), a_cut(2, 50)]},
        *("", "n = 128: 2 of 3 trials", "raise --max-steps"),
    ),
    "never ending": (
        {**GOOD, "n128": [a_row(k, 50, converged=0, silent=1) for k in range(4)]},
        *("", "n = 128: 4 of 4 trials", "raise --max-steps"),
    ),
    "nothing at all": ({**GOOD, "n8": [a_row(k, 0) for k in range(3)]}, "", "n = 8: its mean is 0", "--from"),
    "no growth from 1": (GOOD, "--by n-15", "n-15 = 1 is too small", "--from"),
    "a constant": (GOOD, "--by 7", "different values of 7, and there are 1", "sweep more"),
    "an unknown name": (GOOD, "--by m", "'m'", "a formula in n"),
    "no formula": (GOOD, "--by n+", "'n+'", "a formula in n"),
    "a division by zero": (GOOD, "--by 1/(n-n)", "division by zero", "a formula in n"),
    "an unknown measure": (GOOD, "--measure stepps", "'stepps'", "did you mean steps"),
    "a measure of nothing": (GOOD, "--measure held_steps", "n = 16", "raise --max-steps"),
    "no size": (GOOD, "--from few", "'few'", "like 1000"),
    "an unknown protocol": (GOOD, "--protocol p_rl", "'p_rl'", "fratricide"),
}


@pytest.mark.medium
@in_one_test(("sizes", "words", "value", "remedy"), REFUSED.values(), ids=REFUSED.keys())
def test_what_has_no_law_of_growth_is_refused_in_a_sentence(
    quick: Command, tmp_path: Path, sizes: dict[str, Any], words: str, value: str, remedy: str
) -> None:
    path = rows_for(tmp_path / "x.db", **sizes)
    assert_refused(quick("fit", path, *words.split()), value, remedy)


def test_a_formula_that_is_no_real_number_is_refused_in_a_sentence(quick: Command, tmp_path: Path) -> None:
    assert_refused(quick("fit", rows_for(tmp_path / "x.db", **GOOD), "--by", "(-n)^0.5"), "(-n)^0.5", "formula")


def test_a_formula_that_no_float_holds_is_refused_in_a_sentence(quick: Command, tmp_path: Path) -> None:
    path = rows_for(tmp_path / "x.db", **GOOD)
    for by, sentence in (
        ("9" * 400, "larger than 1e308"),
        ("n*" + "9" * 400, "larger than 1e308"),
        ("n*1e70", "stays below"),
    ):
        outcome = quick("fit", path, "--by", by)
        assert_refused(outcome, sentence, "smaller formula" if "308" in sentence else "1e+60")
    assert quick("plot", path, "--by", "9" * 400, "-o", tmp_path / "x.svg").code == 2
    with pytest.raises(RunError, match="give a text"):
        library.fit(path, by=["n", "n"])


def test_given_twice_the_last_formula_counts(quick: Command, tmp_path: Path) -> None:
    path = grown(tmp_path / "x.db", lambda n: n * n)
    assert quick("fit", path, "--by", "2n", "--by", "n", "--json").object == quick("fit", path, "--json").object


def test_from_python_the_same_is_an_error(tmp_path: Path) -> None:
    open_store(str(tmp_path / "empty.db")).close()
    with pytest.raises(RunError, match="holds no trials"):
        library.fit(str(tmp_path / "empty.db"))
    with pytest.raises(ParameterError, match="a formula in n"):
        library.fit(rows_for(tmp_path / "x.db", **GOOD), by="m")


# -- how it is told ---------------------------------------------------------------------------------------------------


def test_json_says_what_the_attributes_say(quick: Command, tmp_path: Path) -> None:
    path = grown(tmp_path / "x.db", lambda n: n * n)
    told, found = quick("fit", path, "--json").object, only(path)
    assert {"law", "coefficient", "interval", "rivals", "verdict", "exponent", "series", "measure"} <= told.keys()
    assert told == json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert (told["law"], told["coefficient"]) == ("n^2", found.coefficient)
    assert len(told["rivals"]) == 11
    assert {"law", "coefficient", "interval", "misfit"} <= told["rivals"][0].keys()


def test_the_verdict_is_plain(quick: Command, tmp_path: Path) -> None:
    """`0.98 +- 0.03 of n^2; log factor not supported`"""
    path = grown(tmp_path / "x.db", lambda n: 0.98 * n * n, trials=500)
    outcome = quick("fit", path)
    assert outcome.code == 0
    head, verdict, power, *table = outcome.stdout.splitlines()
    assert head == "fratricide, steps against n"
    number, law = verdict.split(" of ")
    assert law == "n^2; log factor not supported"
    value, error = map(float, number.split(" +- "))
    found = only(path)
    assert value == pytest.approx(found.coefficient, rel=1e-2)
    assert error == pytest.approx((found.interval[1] - found.interval[0]) / 2, rel=0.1)
    assert power.startswith("free power: ")
    assert table[1].startswith("n^2 ")
    assert len(table) == 1 + 1 + 4  # the heading, the law, its nearest rivals


@pytest.mark.medium
def test_the_same_store_gives_the_same_bytes(quick: Command, tmp_path: Path) -> None:
    path = grown(tmp_path / "x.db", lambda n: n * log(n))
    first = quick("fit", path, "--json").stdout
    assert quick("fit", path, "--json").stdout == first
    line = [sys.executable, "-m", "princeps", "fit", path, "--json"]
    other = subprocess.run(line, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "7"}, check=True)
    assert other.stdout == first


def test_the_order_in_which_sizes_were_run_does_not_matter(tmp_path: Path) -> None:
    rows = {n: [a_row(k, n * n + 7 * k * n) for k in range(9)] for n in (16, 32, 64, 128)}
    found = []
    for name, order in (("a", [16, 32, 64, 128]), ("b", [64, 128, 16, 32])):
        for n in order:
            stored(tmp_path / f"{name}.db", rows[n], a_point(n))
        found.append(only(str(tmp_path / f"{name}.db")).as_json())
    assert found[0] == found[1]
