"""Figure 1 drawn from the definitions, the paper's rings for each algorithm, and U_k: what these claims look at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.ring import Ring
from princeps.papers.altered import altered
from princeps.papers.rings import labelings
from princeps.papers.rings.constructions import own_ring, synchronous_states
from princeps.papers.rings.figure import DRAWN, K, drawing, drawn_everywhere, drawn_once, turned
from princeps.papers.rings.unique_label import of_the_class, smallest_unique, surveyed, within
from princeps.papers.verdicts import PROVED, VIOLATED
from tests.papers.altering import verdict_of

# -- Figure 1 ----------------------------------------------------------------------------------------------------------


def test_a_drawing_has_the_active_processes_and_the_guests() -> None:
    frames = drawing((1, 2, 1), 2)  # p_0 reads 1, 1, 2, 1: the third copy of its label comes in phase 4
    guests = [[guest for _, guest in frame] for frame in frames]
    assert guests == [[1, 2, 1], [1, 1, 2], [2, 1, 1], [1, 2, 1]]
    white = [[p for p, (active, _) in enumerate(frame) if active] for frame in frames]
    assert white == [[0, 1, 2], [0, 2], [0], [0]]


def test_the_true_leader_is_drawn_first() -> None:
    for labels in labelings.all_rings(4):
        assert labelings.true_leader(turned(labels)) == 0
        assert sorted(turned(labels)) == sorted(labels)


def test_the_ring_of_eight_fits_the_caption() -> None:
    assert labelings.true_leader(DRAWN) == 0
    assert labelings.multiplicity(DRAWN) == K


@pytest.mark.parametrize("schedule", ["synchronous", "adversarial"])
def test_an_execution_shows_the_drawing(schedule: str) -> None:
    found = drawn_once(0, 1, protocol="b_k", labels=DRAWN, k=K, schedules=[schedule])
    assert found["wrong"] == 0
    assert found["frames"] == [[list(cell) for cell in frame] for frame in drawing(DRAWN, K)]
    assert found["entries"] == len(DRAWN) * len(found["frames"])


def test_the_drawing_of_another_leader_is_not_shown() -> None:
    other = DRAWN[1:] + DRAWN[:1]  # p_7 is the true leader
    assert "process" in drawn_once(0, 1, protocol="b_k", labels=other, k=K, schedules=["synchronous"])["breach"]


def test_every_entry_of_every_small_ring_is_looked_at() -> None:
    found = drawn_everywhere(0, 0, protocol="b_k", pieces=[[3, 0, 1]], k=K, most=10_000)
    rings = [turned(labels) for labels in labelings.all_rings(3)]
    assert found["rings"] == len(rings)
    assert found["wrong"] == 0
    assert found["entries"] == sum(3 * labelings.last_phase(labels, K) for labels in rings)


@pytest.mark.medium
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("p.send(PHASE_SHIFT, p.guest)\n    p.guest = x", "p.send(PHASE_SHIFT, x)\n    p.guest = x"),  # B8
        ("x == p.id and p.outer == c.k", "x == p.id"),  # B9
        ("p.inner < c.k", "p.inner < c.k - 1"),  # B3
    ],
)
def test_the_figure_notices(old: str, new: str, tmp_path: Path) -> None:
    assert verdict_of("001.fig1", tmp_path, ("b_k", old, new)) == VIOLATED


# -- Corollaries 2 to 4 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a_k", "b_k", "u_k"])
def test_the_ring_for_its_own_k(name: str) -> None:
    found = own_ring(0, 0, protocol=name, cases=[(3, 2)])
    assert found["breach"] == ""
    assert found["steps"] >= 1
    assert found["same"] == 6 + 5 + 4 + 3 + 2 + 1  # processes j >= t of 2 * 3, after t = 0, 1, ..., 5 steps


def test_states_after_every_synchronous_step() -> None:
    run = make_ring_run("u_k", labels=Ring((1, 2, 3)), schedule="synchronous", engine="reference", params={"k": 2})
    history = synchronous_states(run)
    assert len(history) - 1 == (2 + 2) * 3 + 1  # the start is a step
    assert len(set(history[0])) == 1
    assert all(state[-1] for state in history[-1])  # halted


@pytest.mark.parametrize(
    ("name", "old", "new", "breach"),
    [
        ("a_k", "sigma.mlty() >= 2 * c.k + 1", "sigma.mlty() >= 2", "lead on 1,2,3,1,2,3,1,2,3,4"),
        ("u_k", "p.count < c.k", "p.count < 1", "lead on"),
    ],
)
def test_too_quick_an_algorithm_is_wrong_on_its_own_ring(
    name: str, old: str, new: str, breach: str, tmp_path: Path
) -> None:
    edits = [(old, new)]
    if name == "u_k":
        edits.append(("p.count == c.k", "p.count == 1"))
    found = own_ring(0, 0, protocol=altered(name, edits, tmp_path), cases=[(3, 3)])
    assert breach in found["breach"]


# -- U_k ---------------------------------------------------------------------------------------------------------------


def test_the_smallest_label_that_is_unique() -> None:
    assert smallest_unique((1, 2, 1, 4, 3)) == 1
    assert smallest_unique((1, 1, 3, 2, 2)) == 2


def test_rings_without_a_unique_label_are_left_out() -> None:
    found = [(ring.text, k) for ring, k in of_the_class([(1, 2, 2), (1, 1, 2, 2)], 3)]
    assert found == [("1,2,2", 2), ("1,2,2", 3)]


def survey(n: int, **more: Any) -> dict[str, Any]:
    given = {"protocol": "u_k", "pieces": [[n, 0, 1]], "most_k": 3, "most_explored": 3, "engine": "reference"}
    return surveyed(0, 0, **{**given, **more})


def test_u_k_on_every_ring_of_three() -> None:
    found = survey(3)
    assert found["cases"] == 10  # two rings of distinct labels with k = 1, 2, 3, two with a pair and k = 2, 3
    assert (found["failed"], found["other_time"], found["other_leader"], found["varied"]) == (0, 0, 0, 0)
    assert found["configurations"] > 0
    assert survey(3, most_explored=2)["configurations"] == 0
    assert within([found], "time", "(k+2)n").verdict == PROVED


@pytest.mark.medium
@pytest.mark.parametrize(
    "edits",
    [
        [("u_k", "p.active and p.count >= 1 and", "p.active and")],  # U2: one gives up before one's label came home
        [("u_k", "home < count or", "home > count or")],  # the more frequent label stays
    ],
)
def test_u_k_altered_is_noticed(edits: list[tuple[str, str, str]], tmp_path: Path) -> None:
    assert verdict_of("001.U_k", tmp_path, *edits) == VIOLATED
