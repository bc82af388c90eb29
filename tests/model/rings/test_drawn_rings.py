"""Random rings: as many processes and repetitions as asked for, asymmetric, each with its own stream."""

from __future__ import annotations

from collections import Counter

import pytest

from princeps.errors import ParameterError, RingError
from princeps.model.randomness import Stream
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.reading_rings import (
    MAX_PROCESSES,
    numbered_ring,
    random_ring,
)
from princeps.model.rings.ring import Ring
from tests.tables import in_one_test


def draw(text: str, seed: int = 0, k: int | None = None) -> Ring:
    return random_ring(text, Stream.of(seed, 0, "ring"), k)


DRAWN = {
    "n=12,labels=4,max=3": (12, 4, 3),
    "n=12,labels=6,max=3": (12, 6, 3),
    "n=7,labels=2": (7, 2, 4),
    "n=7,max=2": (7, 4, 2),
    "n=9,labels=3,max=9": (9, 3, 9),
    "n=6,labels=1000,max=1": (6, 1000, 1),
    "n=4,labels=2,max=2": (4, 2, 2),  # half of these decks are symmetric and drawn again
    " n = 5 , labels = 3 , max = 2 ": (5, 3, 2),
    "n=1e1,labels=1e30,max=1e30": (10, 10**30, 10**30),
}


@pytest.mark.parametrize(("text", "shape"), DRAWN.items(), ids=DRAWN.keys())
def test_a_random_ring_is_asymmetric_and_within_its_limits(text: str, shape: tuple[int, int, int]) -> None:
    n, distinct, most = shape
    for seed in range(60):
        ring = draw(text, seed)
        assert ring.n == n
        assert not ring.symmetric
        assert ring.multiplicity <= most
        assert all(1 <= int(label) <= distinct for label in ring.labels)


def test_a_random_ring_may_be_as_frequent_as_allowed() -> None:
    assert {draw("n=6,labels=3,max=4", seed).multiplicity for seed in range(200)} == {2, 3, 4}
    assert {draw("n=6,labels=2,max=3", seed).multiplicity for seed in range(20)} == {3}


def test_a_random_ring_without_repetitions_is_a_shuffle() -> None:
    for seed in range(10):
        ring = draw("n=8", seed)
        assert sorted(map(int, ring.labels)) == list(range(1, 9))
        assert ring == numbered_ring(8, Stream.of(seed, 0, "ring"))
    assert len({draw("n=8", seed) for seed in range(10)}) == 10


def test_all_asymmetric_decks_are_drawn_equally_often() -> None:
    """A deck of two 1s and two 2s: of its six orders two are symmetric; 4000 draws of the other four."""
    seen = Counter(draw("n=4,labels=2,max=2", seed).labels for seed in range(4000))
    assert set(seen) == {(1, 1, 2, 2), (1, 2, 2, 1), (2, 2, 1, 1), (2, 1, 1, 2)}
    assert all(abs(count - 1000) < 5 * (4000 * 0.25 * 0.75) ** 0.5 for count in seen.values())


def test_a_seed_has_its_ring_and_a_trial_its_own() -> None:
    text = "n=20,labels=10,max=3"
    assert draw(text, 7) == draw(text, 7)
    assert draw(text, 7) != draw(text, 8)
    by_trial = {make_ring_run("a_k", random=text, seed=7, trial=trial).ring for trial in range(5)}
    assert len(by_trial) == 5
    assert draw(text, 7) in by_trial


def test_the_ring_and_its_schedule_have_streams_of_their_own() -> None:
    """A ring that was drawn and the same one typed in are run by the same schedule."""
    from princeps.engines.rings.simulate import simulate_ring

    drawn = make_ring_run("a_k", random="n=6,labels=4,max=2", seed=3, schedule="random", engine="reference")
    typed = make_ring_run("a_k", labels=drawn.ring, seed=3, schedule="random", engine="reference")
    other = make_ring_run("a_k", labels=drawn.ring, seed=4, schedule="random", engine="reference")
    assert drawn.stream("schedule").next64() == typed.stream("schedule").next64()
    assert drawn.stream("schedule").next64() != drawn.stream("ring").next64()
    assert simulate_ring(drawn).time == simulate_ring(typed).time
    assert make_ring_run("a_k", random="n=6,labels=4,max=2", seed=3).ring == drawn.ring  # whatever the schedule
    assert other.stream("schedule").next64() != typed.stream("schedule").next64()


def test_max_may_be_the_parameter_k() -> None:
    assert draw("n=12,labels=4,max=k", 5, k=3) == draw("n=12,labels=4,max=3", 5)
    assert draw("n=7,max=k", 5, k=2) == draw("n=7,max=2", 5)
    run = make_ring_run("a_k", random="n=12,labels=4,max=k", seed=5, params={"k": 3})
    assert run.ring == draw("n=12,labels=4,max=3", 5)
    assert run.command() == (
        "princeps run a_k --random n=12,labels=4,max=k -p k=3 -p printed=0 --schedule synchronous --seed 5"
    )


NOT_DRAWN = {
    "labels=3,max=2": "random ring 'labels=3,max=2' lacks n: write it like n=1000,labels=50,max=20.",
    "": "random ring '' is not understood at '': write n=1000,labels=50,max=20.",
    "n=5,colours=3": "random ring 'n=5,colours=3' is not understood at 'colours=3': write n=1000,labels=50,max=20.",
    "n=5,labels": "random ring 'n=5,labels' is not understood at 'labels': write n=1000,labels=50,max=20.",
    "n=1,labels=3": "a ring of n = 1 processes is too small: give at least two.",
    "n=1e9": f"a ring of n = 1000000000 processes is too large: give at most {MAX_PROCESSES}.",
    "n=7,labels=3,max=2": "3 labels at most 2 times each are too few for n = 7 processes: raise labels or max (labels * max >= n).",
    "n=7,labels=1": "a ring with one label is symmetric: give labels=2 or more.",
    "n=7,max=7": "a ring with one label is symmetric: give labels=2 or more.",
    "n=7,labels=0": "labels = 0 is too small: give at least 1.",
    "n=7,labels=2,max=-1": "max = -1 is too small: give at least 1.",
    "n=7,labels=4,max=k": "max=k needs a parameter k: give it with k=3, or write a number.",
}


@in_one_test(("text", "sentence"), NOT_DRAWN.items(), ids=NOT_DRAWN.keys())
def test_what_cannot_be_drawn_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(RingError) as refused:
        draw(text)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(("text", "word"), [("n=many", "n = 'many'"), ("n=5,max=1.5", "max = '1.5'")])
def test_a_number_must_be_one(text: str, word: str) -> None:
    with pytest.raises(ParameterError, match=word):
        draw(text)


def test_a_ring_that_is_never_asymmetric_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("princeps.model.rings.reading_rings.MAX_REDRAWS", 0)
    with pytest.raises(RingError, match="every ring drawn for 'n=4,labels=2' is symmetric: raise labels, or choose"):
        draw("n=4,labels=2")


def test_a_random_ring_says_everything_once() -> None:
    with pytest.raises(RingError, match="gives n twice"):
        random_ring("n=5,n=6", Stream.of(0, 0, "ring"))
