"""Races: which of many random times is the longest, what runs alike, and what chance explains."""

from __future__ import annotations

from random import Random

import pytest

from princeps.campaign.candidates import Candidate, Candidates, lifted
from princeps.campaign.racing import FRESH, Measured, Race, not_distinguishable
from princeps.campaign.tally import Tally
from princeps.errors import PrincepsError, TooLarge
from princeps.model.reading import make_run

MEANS = {f"c{k}": 1000 + 20 * k for k in range(64)}


def noisy_trial(candidate: Candidate, trial: int) -> tuple[int, bool]:
    """Exponential around its mean, each candidate with numbers of its own."""
    return 1 + int(Random(f"{candidate.label} {trial}").expovariate(1 / MEANS[candidate.label])), True


def candidates(labels: list[str]) -> list[Candidate]:
    return [Candidate(label, "uniform", label) for label in labels]


def race_of(labels: list[str], budget: int = 10**9) -> Race:
    race = Race(noisy_trial, budget)
    race.join(candidates(labels))
    return race


def test_the_slow_ones_survive() -> None:
    """The mean of the five that win the race is far above that of all, though none of them need be the very slowest."""
    race = race_of(list(MEANS))
    race.halve(5, 16)
    found = race.final(5, 500)
    assert len(found) == 5
    assert sum(MEANS[one.candidate.label] for one in found) / 5 > 1000 + 20 * 44
    assert [one.mean for one in found] == sorted((one.mean for one in found), reverse=True)


def test_finalists_have_trials_of_their_own() -> None:
    """No trial of the final was in the race, nor in another's: otherwise the winner is flattered."""
    seen: list[tuple[str, int]] = []

    def trial(candidate: Candidate, number: int) -> tuple[int, bool]:
        seen.append((candidate.label, number))
        return noisy_trial(candidate, number)

    race = Race(trial, 10**9)
    race.join(candidates(list(MEANS)[:20]))
    race.halve(3)
    before = len(seen)
    race.final(3, 50)
    final = seen[before:]
    assert len({number for _, number in final}) == len(final) == 150
    assert min(number for _, number in final) >= FRESH > max(number for _, number in seen[:before])


def test_winners_are_not_flattered() -> None:
    """Equal candidates: the mean of the race's winner lies too high, its fresh mean does not."""
    raced, fresh = [], []
    for seed in range(60):

        def trial(candidate: Candidate, number: int, seed: int = seed) -> tuple[int, bool]:
            return 1 + int(Random(f"{seed} {candidate.label} {number}").expovariate(1 / 1000)), True

        race = Race(trial, 10**9)
        race.join(candidates([f"c{k}" for k in range(32)]))
        race.halve(1)
        raced.append(race.racers[0].mean)
        fresh.append(race.final(1, 60)[0].mean)
    assert sum(raced) / 60 > 1000 + 6 * 1000 / (60 * 128) ** 0.5  # six standard errors of unselected means
    assert abs(sum(fresh) / 60 - 1000) < 6 * 1000 / 60


def test_what_runs_alike_is_raced_once() -> None:
    race = Race(lambda candidate, trial: (100 + trial * int(candidate.label[0]), True), 10**9)  # alike in trial 0
    race.join(candidates(["3a", "3b", "2a", "3c", "1a"]))
    race.halve(2)
    assert [racer.candidate.label for racer in race.racers] == ["3a", "2a"]
    assert race.racers[0].alike == ["3b", "3c"]


def test_a_race_beyond_its_limit_is_refused() -> None:
    with pytest.raises(TooLarge, match=r"more than the limit of 1e\+04"):
        race_of(list(MEANS), 10_000).halve(5)
    slow_later = Race(lambda candidate, trial: (10 if candidate.label == "c0" else 10**6, True), 10**6)
    slow_later.join(candidates(["c0", "c1"]))
    with pytest.raises(TooLarge, match="its limit"):
        slow_later.halve(1)


def measured(label: str, values: list[int]) -> Measured:
    return Measured(candidates([label])[0], (), Tally.of(values), 0)


def test_what_chance_explains() -> None:
    draw = Random(1)
    first, second, third = ([int(draw.gauss(mean, 100)) for _ in range(400)] for mean in (1000, 1005, 1200))
    found = not_distinguishable([measured("third", third), measured("second", second), measured("first", first)])
    assert found == [[], ["first"], ["second"]]
    assert not_distinguishable([measured("a", [5, 5]), measured("b", [5, 5]), measured("c", [6, 6])]) == [
        ["b"],
        ["a"],
        [],
    ]


# -- candidates --------------------------------------------------------------------------------------------------------


def test_the_patterns_of_p_rl() -> None:
    found = Candidates(make_run("p_rl", 6, params={"N": 9}).protocol, 6)
    uniform = found.uniform()
    assert len(uniform) == 2 * 3 * 2 * 2 * 5
    assert {one.pattern[0][4] for one in uniform} == {0, 1, 5, 8, 9}
    assert (
        Candidate("all (0,1,0,0,0)", "uniform", "states:" + ";".join(["0,1,0,0,0"] * 6), ((0, 1, 0, 0, 0),)) in uniform
    )
    one, other = (0, 1, 0, 0, 0), (1, 0, 1, 0, 0)
    (turned,) = found.period_two([one, other])
    assert turned.start == "states:" + ";".join(["0,1,0,0,0;1,0,1,0,0"] * 3)
    (odd,) = found.exceptions([one], [one, other])
    assert odd.start == "states:1,0,1,0,0;" + ";".join(["0,1,0,0,0"] * 5)
    assert found.repeated([[one]]) == [], "it is among the uniform ones"


def test_fewer_edges_where_there_are_many_fields() -> None:
    found = Candidates(make_run("p_pl", 8, params={"t_virus": 20, "t_max": 200, "t_emit": 200}).protocol, 8).uniform()
    assert len(found) == 2 * 2 * 3**3
    assert {one.pattern[0][2] for one in found} == {0, 10, 20}


def test_states_of_a_smaller_instance() -> None:
    assert lifted((1, 2, 3), (2, 4, 4), (2, 4, 9)) == (1, 2, 8)
    assert lifted((0, 1, 0), (2, 4, 4), (2, 4, 9)) == (0, 1, 0)


@pytest.mark.parametrize(("name", "said"), [("p_ll", "not self-stabilizing"), ("numbered", "identifiers")])
def test_protocols_without_arbitrary_starts_are_refused(name: str, said: str) -> None:
    with pytest.raises(PrincepsError, match=said):
        Candidates(make_run(name, 5).protocol, 5)
