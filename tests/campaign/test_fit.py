"""Each law of growth is found with its coefficient, in whatever it grows and of whatever is measured."""

from __future__ import annotations

from math import ceil, log, sqrt
from pathlib import Path

import pytest

import princeps as library
from princeps.campaign.law import LAWS
from princeps.errors import RunError
from tests.campaign.fit_tools import SIZES, Make, covers, grown, only
from tests.campaign.stored_rows import a_point, a_row, stored
from tests.tables import in_one_test

# name, power of n, power of log n, a coefficient at which whole numbers of steps do not matter
NAMED = {
    "1": (0, 0, 900.0),
    "log n": (0, 1, 300.0),
    "log^2 n": (0, 2, 50.0),
    "log^3 n": (0, 3, 9.0),
    "n": (1, 0, 25.0),
    "n log n": (1, 1, 7.0),
    "n log^2 n": (1, 2, 3.0),
    "n log^3 n": (1, 3, 1.1),
    "n^2": (2, 0, 1.0),
    "n^2 log n": (2, 1, 0.4),
    "n^3": (3, 0, 0.2),
}


# -- the laws ---------------------------------------------------------------------------------------------------------


def test_these_are_all_laws_there_are() -> None:
    assert {(power, logs) for power, logs, _ in NAMED.values()} == set(LAWS)


@pytest.mark.medium
@pytest.mark.parametrize("lower", [0.0, 4.0, -4.0], ids=["pure", "from above", "from below"])
@in_one_test("law", NAMED)
def test_each_law_is_found_with_its_coefficient(law: str, lower: float, tmp_path: Path) -> None:
    power, logs, coefficient = NAMED[law]
    path = grown(tmp_path / "x.db", lambda n: coefficient * n**power * log(n) ** logs * (1 + lower / n), seed=2)
    found = only(path)
    assert found.law == law
    assert covers(found.interval, coefficient)
    assert found.interval[1] - found.interval[0] < 0.2 * coefficient
    assert found.interval[0] < found.coefficient < found.interval[1]
    assert found.misfit < 1.5
    factor = {0: "log factor not supported", 1: "log factor supported"}.get(logs, f"log^{logs} factor supported")
    assert found.verdict.endswith(f", constant in n; {factor}" if law == "1" else f" of {law}; {factor}")
    assert found.alternatives == []
    assert found.log_interval is not None
    assert covers(found.log_interval, logs)


OF_PARALLEL_TIME = {"1": "1 / n", "log n": "log n / n", "log^2 n": "log^2 n / n", "log^3 n": "log^3 n / n", "n": "1"}


@pytest.mark.slow
@in_one_test("law", NAMED)
def test_steps_and_parallel_time_are_one_question(law: str, tmp_path: Path) -> None:
    """Also where the growth is between two laws: n (40 + log n) is no law, and must not be two different ones."""
    power, logs, coefficient = NAMED[law]
    growths = [lambda n: coefficient * n**power * log(n) ** logs, lambda n: n**power * (40 + coefficient * log(n))]
    for k, growth in enumerate(growths):
        path = grown(tmp_path / f"{k}.db", growth, seed=2)
        steps, time = only(path), only(path, measure="parallel_time")
        assert time.best.power == pytest.approx(steps.best.power - 1)
        assert (time.best.logs, time.best.free) == (steps.best.logs, steps.best.free)
        assert time.coefficient == pytest.approx(steps.coefficient)
        assert time.interval == pytest.approx(steps.interval)
        assert time.misfit == pytest.approx(steps.misfit)
        assert len(time.alternatives) == len(steps.alternatives)
        if k == 0:
            shorter = {2: "n", 3: "n^2"}.get(power, "")
            expected = OF_PARALLEL_TIME.get(law) or law.replace(f"n^{power}" if power > 1 else "n ", shorter, 1).strip()
            assert time.law == expected


def test_laws_that_cannot_be_told_apart_are_named(tmp_path: Path) -> None:
    found = only(grown(tmp_path / "x.db", lambda n: 57 * n, [50, 70, 100, 140], trials=12, noise=0.6, seed=3))
    assert found.alternatives
    assert "these sizes cannot tell it from" in found.verdict
    for law in found.alternatives[:2]:
        assert law in found.verdict
    assert "supported" not in found.verdict
    again = only(grown(tmp_path / "y.db", lambda n: 57 * n, trials=200, seed=3))
    assert (again.law, again.alternatives) == ("n", [])
    assert "cannot tell" not in again.verdict


def test_the_rivals_are_all_the_others_the_best_first(tmp_path: Path) -> None:
    found = only(grown(tmp_path / "x.db", lambda n: n * n))
    misfits = [rival["misfit"] for rival in found.rivals]
    assert misfits == sorted(misfits)
    names = [rival["law"] for rival in found.rivals]
    (free,) = (name for name in names if name.endswith(" (free power)"))
    assert free.startswith(("n^1.9", "n^2"))
    assert {found.law, *names} - {free} == set(NAMED)
    for rival in found.rivals:
        assert rival["interval"][0] <= rival["coefficient"] <= rival["interval"][1]
        assert 0 <= rival["support"] <= 1
    assert found.best.support + sum(rival["support"] for rival in found.rivals) == pytest.approx(1)
    assert found.best.support > 0.99
    assert all(rival["misfit"] > found.misfit for rival in found.rivals if not rival["law"].endswith("(free power)"))


def test_the_free_power_is_known_with_its_interval(tmp_path: Path) -> None:
    for power in (1, 2, 3):
        path = grown(tmp_path / f"{power}.db", lambda n, power=power: 9 * n**power, seed=power)
        found = only(path)
        assert covers(found.exponent_interval, power)
        assert found.exponent_interval[1] - found.exponent_interval[0] < 0.2


def test_the_coefficient_without_noise_is_exact(tmp_path: Path) -> None:
    found = only(grown(tmp_path / "x.db", lambda n: 3 * n * n, noise=0, trials=2))
    assert found.coefficient == pytest.approx(3, rel=1e-12)
    assert found.exponent == pytest.approx(2, rel=1e-12)
    assert found.log_exponent == pytest.approx(0, abs=1e-10)
    assert (found.sizes, found.values) == (SIZES, [3.0 * n * n for n in SIZES])


@pytest.mark.medium
def test_the_intervals_cover_the_truth_most_of_the_time(tmp_path: Path) -> None:
    """Nearly always, even: they also allow for lower-order terms, and here are none."""
    hits = [
        covers(only(grown(tmp_path / f"{seed}.db", lambda n: n * n, [32, 128, 512, 2048], seed=seed)).interval, 1)
        for seed in range(20)
    ]
    assert sum(hits) >= 18


@pytest.mark.parametrize("power", [0.5, 1.5, 2.5])
def test_a_power_between_the_laws_stays_a_free_power(power: float, tmp_path: Path) -> None:
    found = only(grown(tmp_path / "x.db", lambda n: 100 * n**power, trials=60))
    assert found.best.free
    assert covers(found.exponent_interval, power)
    assert covers(found.interval, 100)
    assert found.law == f"n^{found.exponent:.3g}"
    assert "no law with a whole exponent fits" in found.verdict
    assert (found.log_exponent, found.log_interval) == (None, None)
    assert len(found.rivals) == len(LAWS)


@pytest.mark.parametrize("drift", [1.5, -1.5])
@pytest.mark.parametrize("sizes", [[32, 64, 128, 256], [32, 64, 128, 256, 512, 1024]], ids=["to 256", "to 1024"])
def test_a_factor_that_settles_slowly_does_not_pass_for_a_logarithm(
    drift: float, sizes: list[int], tmp_path: Path
) -> None:
    """P_RL's n^2 looks like that: its factor still rises by a tenth from 64 to 256."""
    found = only(grown(tmp_path / "x.db", lambda n: n * n * (1 - drift / sqrt(n)), sizes, trials=300))
    assert found.law == "n^2"
    assert "log factor supported" not in found.verdict


def test_a_logarithm_of_few_sizes_is_not_claimed(tmp_path: Path) -> None:
    found = only(grown(tmp_path / "x.db", lambda n: n * log(n), [64, 96, 128]))
    assert not found.verdict.endswith("; log factor supported")


def test_of_few_sizes_a_logarithm_is_not_excluded_either(tmp_path: Path) -> None:
    found = only(grown(tmp_path / "x.db", lambda n: n * n, [64, 128, 256]))
    assert found.law == "n^2"
    assert "a log factor cannot be excluded" in found.verdict


def test_no_coefficient_is_known_better_than_to_a_per_cent(tmp_path: Path) -> None:
    """However large and often run: some lower-order term there always is."""
    found = only(grown(tmp_path / "x.db", lambda n: 5 * n, [10**k for k in range(6, 10)], noise=0))
    assert 0.005 < (found.interval[1] - found.interval[0]) / 2 / found.coefficient < 0.02


def test_small_sizes_can_be_left_out(tmp_path: Path) -> None:
    path = grown(tmp_path / "x.db", lambda n: n * n + 10_000 * n)
    small, large = only(path), only(path, smallest=512)
    assert (small.sizes, large.sizes) == (SIZES, [n for n in SIZES if n >= 512])
    assert large.values == small.values[-len(large.values) :]


# -- in what it grows -------------------------------------------------------------------------------------------------


def test_a_law_may_be_one_in_a_derived_parameter(tmp_path: Path) -> None:
    """As P_PL's times, of which the paper speaks in ceil(ln N)."""
    sizes = [10, 30, 100, 300, 1000, 3000, 10**4, 10**5, 10**6]
    make: Make = lambda n: a_point(n, "p_pl")  # noqa: E731
    path = grown(tmp_path / "x.db", lambda n: 700.0 * ceil(log(n)) ** 2, sizes, make=make, noise=0.05)
    found = only(path, by="ceil(ln N)")
    assert found.sizes == [float(ceil(log(n))) for n in sizes]
    assert (found.law, found.by) == ("(ceil(ln N))^2", "ceil(ln N)")
    assert covers(found.interval, 700)
    again = only(path, by="t_virus")  # a constant of the protocol: 60 ceil(ln N)
    assert again.law == "t_virus^2"
    assert again.coefficient == pytest.approx(found.coefficient / 60**2)
    assert only(path, by="N").law == "log^2 N"


def test_growth_in_n_and_in_a_multiple_of_it_is_the_same(tmp_path: Path) -> None:
    path = grown(tmp_path / "x.db", lambda n: 5.0 * n**2)
    plain, twice = only(path), only(path, by="2n")
    assert (plain.law, twice.law) == ("n^2", "(2n)^2")
    assert twice.coefficient == pytest.approx(plain.coefficient / 4)
    assert twice.exponent == pytest.approx(plain.exponent)


def test_growth_in_a_parameter_at_one_size_is_fitted_too(tmp_path: Path) -> None:
    """`--by` takes a parameter: princeps sweep timer -n 50 -p t_max=64,128,256,..., then fit --by t_max."""
    path = str(tmp_path / "x.db")
    for t_max in SIZES:
        stored(path, [a_row(k, t_max**2 + k) for k in range(5)], a_point(50, "timer", {"t_max": str(t_max)}))
    assert only(path, by="t_max").law == "t_max^2"


def test_a_parameter_that_is_the_default_at_one_size_does_not_tear_the_series(tmp_path: Path) -> None:
    """princeps sweep p_rl -n 16,32,64 -p N=64"""
    path = str(tmp_path / "x.db")
    for n in (16, 32, 64):
        stored(path, [a_row(k, n**2 + k) for k in range(5)], a_point(n, "p_rl", {"N": "64"}))
    assert only(path).sizes == [16, 32, 64]


def test_a_point_may_belong_to_several_series(tmp_path: Path) -> None:
    """At n = 64 the bound N = 64 is also N = n: a store of both sweeps has two whole series."""
    path = str(tmp_path / "x.db")
    for n in (16, 32, 64):
        rows = [a_row(k, n**2 + k) for k in range(5)]
        stored(path, rows, a_point(n, "p_rl"))
        stored(path, rows, a_point(n, "p_rl", {"N": "64"}))
    assert [one.sizes for one in library.fit(path)] == [[16, 32, 64]] * 2
    assert len(library.results(path)) == 5


def test_each_protocol_start_and_parameter_is_a_series_of_its_own(tmp_path: Path) -> None:
    path = str(tmp_path / "x.db")
    makes: dict[str, Make] = {
        "fratricide": a_point,
        "p_rl, start random": lambda n: a_point(n, "p_rl", start="random"),
        "p_rl, start all_leaders": lambda n: a_point(n, "p_rl", start="all_leaders"),
        "p_rl, N=9999, start random": lambda n: a_point(n, "p_rl", {"N": "9999"}, start="random"),
    }
    for k, make in enumerate(makes.values()):
        grown(path, lambda n, k=k: (k + 1) * 100 * n, [64, 16, 256], make=make, noise=0)
    found = library.fit(path)
    assert [one.series for one in found] == list(makes)
    assert [one.coefficient for one in found] == pytest.approx([100, 200, 300, 400])
    assert all(one.sizes == [16, 64, 256] for one in found)
    assert [one.protocol for one in library.fit(path, protocol="fratricide")] == ["fratricide"]


def test_a_series_with_too_few_sizes_does_not_stop_the_others(tmp_path: Path) -> None:
    path = grown(tmp_path / "x.db", lambda n: n * n)
    stored(path, [a_row(0, 5)], a_point(8, "p_rl"))
    assert only(path).protocol == "fratricide"


# -- protocols whose law is known -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_fratricide_takes_n_squared_steps(tmp_path: Path) -> None:
    """(n-1)^2, exactly."""
    path = str(tmp_path / "x.db")
    library.sweep("fratricide", [16, 32, 64, 128, 256, 512], trials=150, engine="counts", jobs=1, store=path)
    found = only(path)
    assert found.law == "n^2"
    assert covers(found.interval, 1)
    assert covers(found.exponent_interval, 2)
    assert "log factor supported" not in found.verdict
    for n, value in zip(found.sizes, found.values, strict=True):
        assert value == pytest.approx((n - 1) ** 2, rel=0.2)


@pytest.mark.slow
def test_an_epidemic_takes_n_log_n_steps(tmp_path: Path) -> None:
    """(n-1) H(n-1), exactly."""
    path = str(tmp_path / "x.db")
    library.sweep("epidemic", [16, 64, 256, 1024, 4096], trials=100, engine="counts", jobs=1, store=path)
    found = only(path)
    assert found.law == "n log n"
    assert found.verdict.endswith("; log factor supported")
    assert 1 < found.coefficient < 1.15
    assert covers(found.log_interval or (0, 0), 1)


def test_a_variable_that_hardly_grows_has_no_law(tmp_path: Path) -> None:
    path = grown(tmp_path / "x.db", lambda n: n * n)
    with pytest.raises(RunError, match=r"goes only from .* to .*: choose a by that grows"):
        library.fit(path, by="1000000000000 + n")


def test_a_series_with_too_few_sizes_is_left_out_with_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = grown(tmp_path / "x.db", lambda n: n * n)
    grown(path, lambda n: n, SIZES[:2], make=lambda n: a_point(n, "timer"))
    assert [found.law for found in library.fit(path)] == ["n^2"]
    assert "left out: " in (told := capsys.readouterr().err)
    assert "at least 3 different values of n, and there are 2" in told
