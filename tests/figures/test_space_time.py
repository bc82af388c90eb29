"""Space-time diagrams: every event has its place, every message its arrow, and the same events give the same bytes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from princeps.engines.rings.reference import Network
from princeps.figures.space_time import COLUMN, draw
from princeps.figures.space_time_layout import HEADINGS_EVERY, Excerpt, lost, place
from princeps.model.rings.algorithm import RIGHT, Guarded, Message, Process, RingAlgorithm, on, start
from princeps.model.rings.event import Event
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.run import RingRun
from princeps.model.window import Window

pytest.importorskip("matplotlib")

SCHEDULES = ("synchronous", "random", "slow:0", "adversarial")
HELLO = Message("<HELLO>")


@start
def W1(p: Process, c: object) -> Guarded:
    yield True
    p.send_left(HELLO)
    p.send_right(HELLO)


@on(HELLO)
def W2(p: Process, c: object) -> Guarded:
    yield True


@on(HELLO, RIGHT)
def W3(p: Process, c: object) -> Guarded:
    yield True


class Wave(RingAlgorithm):
    """Everybody greets both neighbours."""

    name = "wave"
    title = "greets both neighbours"
    paper = "none"
    bidirectional = True
    actions = (W1, W2, W3)


def executed(
    name: str | type[RingAlgorithm], labels: str, schedule: str = "synchronous"
) -> tuple[RingRun, list[Event]]:
    run = make_ring_run(name, labels=labels, schedule=schedule, seed=1)
    return run, list(Network(run).events())


def drawn(run: RingRun, events: list[Event], path: Path) -> bytes:
    path.write_bytes(draw(events, run.algorithm, run.ring, "a title with $ and $", str(path)))
    return path.read_bytes()


def marked(svg: bytes, kind: str) -> list[str]:
    """What follows `kind-` in the names of the picture's parts."""
    return re.findall(rf'<g id="{kind}-([0-9-]+)"', svg.decode())


def width(svg: bytes, gid: str) -> float:
    """From the leftmost to the rightmost point of a part, in points."""
    part = re.search(rf'<g id="{gid}">\s*<path d="([^"]*)"', svg.decode())
    assert part is not None
    across = [float(x) for x in re.findall(r"[0-9.]+", part[1])[::2]]
    return max(across) - min(across)


def crosses(event: Event) -> bool:
    """To process 0 from the left, or to the last of three from the right."""
    assert event.received is not None
    return event.process == (0 if event.received.side == RIGHT else 2)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(("name", "labels"), [("a_k", "1,2,2,3"), ("b_k", "3,1,1,2"), (Wave, "1,2,3")])
def test_rows_follow_the_steps_and_arrows_go_down(name: str | type[RingAlgorithm], labels: str, schedule: str) -> None:
    _, events = executed(name, labels, schedule)
    rows = place(events)
    in_order = [rows.of[event.step] for event in events]
    assert in_order == sorted(in_order)
    assert all(rows.of[event.sent_in] < rows.of[event.step] for event in events if event.received is not None)
    assert all(rows.ends.get(event.time - 1, -1) < rows.of[event.step] <= rows.ends[event.time] for event in events)
    assert len({(event.process, rows.of[event.step]) for event in events}) == len(events)
    assert list(lost(events)) == []


def test_a_synchronous_row_is_a_time_unit() -> None:
    _, events = executed("b_k", "3,1,1,2")
    assert place(events).of == {event.step: event.time for event in events}


@pytest.mark.medium
def test_every_message_of_b_k_is_an_arrow_and_every_phase_is_marked(tmp_path: Path) -> None:
    run, events = executed("b_k", "3,1,1,2")
    svg = drawn(run, events, tmp_path / "b_k.svg")
    received = [event for event in events if event.received is not None]
    assert sorted(map(int, marked(svg, "message"))) == [event.step for event in received]
    assert len(received) == sum(len(event.sent) for event in events)
    assert sorted(map(int, marked(svg, "leaving"))) == [event.step for event in received if event.process == 0]
    phases = {f"{process}-{phase}" for process in range(4) for phase in range(1, 6)}
    assert set(marked(svg, "phase")) == phases
    assert len(marked(svg, "phase")) == len(phases)
    assert marked(svg, "elected") == ["2-41"]
    assert sorted(marked(svg, "done")) == sorted(marked(svg, "halted")) == ["0-43", "1-44", "2-45", "3-42"]
    assert sorted(marked(svg, "passive")) == ["0-1", "1-8", "3-1"]


def test_no_arrow_crosses_the_picture(tmp_path: Path) -> None:
    """One column at most, and half of it where the ring is cut; in both directions."""
    run, events = executed(Wave, "1,2,3")
    svg = drawn(run, events, tmp_path / "wave.svg")
    assert len(marked(svg, "message")) == 6
    crossing = {(event.step, event.process) for event in events if event.received is not None and crosses(event)}
    assert {process for _, process in crossing} == {0, 2}
    assert sorted(map(int, marked(svg, "leaving"))) == sorted(step for step, _ in crossing)
    column = 72 * COLUMN
    for step in marked(svg, "message"):
        share = 0.5 if step in marked(svg, "leaving") else 1
        assert width(svg, f"message-{step}") == pytest.approx(share * column, abs=0.1 * column)


def test_what_is_not_received_is_a_stub(tmp_path: Path) -> None:
    run, events = executed("a_k", "1,2,2")
    svg = drawn(run, events[:8], tmp_path / "cut.svg")
    under_way = sum(len(event.sent) for event in events[:8]) - 5
    assert len(marked(svg, "lost")) == under_way > 0
    assert not marked(svg, "phase")


def test_nothing_happened_yet(tmp_path: Path) -> None:
    run, _ = executed("a_k", "1,2,2")
    assert not marked(drawn(run, [], tmp_path / "empty.svg"), "message")


@pytest.mark.medium
@pytest.mark.parametrize(("suffix", "magic"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_the_same_events_give_the_same_bytes(tmp_path: Path, suffix: str, magic: bytes) -> None:
    run, events = executed("b_k", "1,2,2")
    once = drawn(run, events[:6], tmp_path / f"once{suffix}")
    assert once.startswith(magic)
    assert b"CreationDate" not in once
    assert b"dc:date" not in once
    assert once == drawn(run, events[:6], tmp_path / f"twice{suffix}")


def test_a_window_shows_its_events_and_what_crosses_its_edges(tmp_path: Path) -> None:
    """Messages that were sent before it come from the upper edge, those received after it leave at the lower one."""
    run, events = executed("b_k", "ABAAB")
    excerpt = Excerpt(run.algorithm, Window(10, 20))
    for event in events:
        excerpt.add(event)
    inside = [event for event in events if 10 <= event.time <= 20]
    assert excerpt.events == inside
    path = tmp_path / "part.svg"
    path.write_bytes(draw(inside, run.algorithm, run.ring, "part", str(path), excerpt.around))
    svg = path.read_bytes()
    steps = {event.step for event in inside}
    shown = [event.step for event in events if event.step in steps or event.sent_in in steps]
    assert sorted(map(int, marked(svg, "message"))) == shown
    assert not marked(svg, "lost")
    assert len(shown) > len(inside) - 5
    rows = place(inside, 10)
    assert rows.ends[10] == 0
    phases = {mark.split("-")[0] for mark in marked(svg, "phase")}
    assert phases == {str(process) for process in range(5)}  # also of those that begin none in the window


@pytest.mark.medium
def test_a_long_picture_repeats_its_headings(tmp_path: Path) -> None:
    run, events = executed("b_k", "ABAAB")
    rows = place(events)
    assert rows.headings[0] == HEADINGS_EVERY
    assert not set(rows.headings) & set(rows.of.values())
    svg = drawn(run, events, tmp_path / "long.svg")
    assert sorted(marked(svg, "heading-4")) == sorted(map(str, rows.headings))
    short = [event for event in events if event.time < 40]
    assert place(short).headings == ()
