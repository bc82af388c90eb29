"""What watching costs: frames and bytes on the wire, the engine's speed meanwhile, going back, frames a second in a browser,
the size of a saved page.

`--write` keeps the table in docs/watch.md. `--only` chooses among frames, speed, seek, browser, saved.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from websockets.sync.client import connect
from websockets.typing import Origin

import princeps
from princeps.api.watch import serving_of
from princeps.engines.population import Stop, StopCondition
from princeps.engines.session import Session
from princeps.model.description import describe
from princeps.web.about import PIXELS, view_of
from princeps.web.frame_service import WantedFrame
from princeps.web.frames import Frames, decode
from princeps.web.recording import record
from princeps.web.saved_page import SavedPage
from princeps.web.server import Serving
from tests_browser.page_table import DOCS, Cells, Rows, circumstances, run_in_words, table, written

RUNS: list[tuple[str, int, str, int]] = [  # protocol, agents, engine, steps before it is looked at
    ("p_rl", 60, "agents", 10_000),
    ("p_ll", 10_000, "agents", 200_000),
    ("p_ll", 1_000_000, "agents", 20_000_000),
    ("fratricide", 1_000_000, "agents", 2_000_000),
    ("p_rl", 1_000_000, "agents", 2_000_000),  # on a ring, in more states than can be numbered
    ("p_ll", 10**9, "counts", 10**9),
]


FRAMES = 30  # a second, that a page asks for
ROUNDS = 40
ALONE_STEPS = 1 << 20  # in one call of an engine that is alone: a thousandth of what they cost is spent on the call
Note = Callable[[tuple[str, int, str], Cells], None]


def session_of(name: str, n: int, engine: str) -> Session:
    made = princeps.session(name, n, seed=1, engine=engine)
    assert isinstance(made, Session)
    return made


def measure_frames(name: str, n: int, engine: str, steps: int) -> Cells:
    """The processor time that a frame takes, and how large it is; by every choice of colours the slowest."""
    made = session_of(name, n, engine)
    made.step(steps)
    frames = Frames(made, 0)
    by_colour = engine == "agents" and view_of(made) == PIXELS
    choices: list[str | None] = [choice.name for choice in frames.table.look.choices] if by_colour else [None]
    slowest, usual, size = ("", 0.0), 0.0, 0
    for choice in choices:
        frames.make(made, 0, 0, choice=choice, known=0, table=0, steadily=True)
        known = len(frames.table)
        times = []
        for _ in range(15):
            made.step(max(1, n // 100)) if engine != "counts" else made.step(n // 100)
            began = time.thread_time()
            frame = frames.make(made, 0, 0, choice=choice, known=known, table=0, steadily=True)
            times.append(time.thread_time() - began)
            size = len(frame)
        middle = sorted(times)[len(times) // 2]
        slowest = max(slowest, (str(choice), middle), key=lambda found: found[1])
        if choice == (frames.table.look.color if choices != [None] else None):
            usual = middle
    slow = f", {1000 * slowest[1]:.2f} ms by {slowest[0]}" if slowest[1] > 1.2 * usual else ""
    return {"frame": f"{1000 * usual:.2f} ms{slow}", "bytes": f"{size:,}"}


class Reader(threading.Thread):
    """A page that draws nothing: asks for the next frame, at most 30 times a second, when it has the last."""

    def __init__(self, serving: Serving) -> None:
        super().__init__(daemon=True)
        self.serving, self.frames, self.bytes, self.ends = serving, 0, 0, False
        self.has_begun = threading.Event()

    def run(self) -> None:
        port, token = self.serving.port, self.serving.guard.token
        address, origin = f"ws://127.0.0.1:{port}/{token}/socket", f"http://127.0.0.1:{port}"
        known, table, v, number = 0, -1, -1, 0
        with connect(address, origin=Origin(origin), compression=None, max_size=None) as page:
            page.send(json.dumps({"id": 0, "do": "hello"}))
            due = time.perf_counter()
            while not self.ends:
                time.sleep(max(0.0, due - time.perf_counter()))
                due = max(due, time.perf_counter() - 1 / FRAMES) + 1 / FRAMES
                number += 1
                page.send(json.dumps({"id": number, "do": "frame", "known": known, "table": table, "v": v}))
                while not isinstance(received := page.recv(), bytes):
                    pass
                header, _ = decode(received)
                known = header["states_from"] + len(header["states"])
                table, v = header["table"], header["v"]
                self.frames += 1
                self.bytes += len(received)
                self.has_begun.set()


Moment = tuple[int, float, float]  # the step, the processor time of the thread, the clock


class Cost:
    """Of a stretch of a run: seconds a step, by the processor time of the engine's thread and by the clock."""

    def __init__(self, before: Moment, after: Moment) -> None:
        self.first, self.last = before[0], after[0]
        steps = max(1, self.last - self.first)
        self.processor, self.clock = (after[1] - before[1]) / steps, (after[2] - before[2]) / steps


def played(serving: Serving, seconds: float) -> Cost:
    """Full speed for so long, by the processor time of the engine's thread, also past the goal.

    It is seldom asked how far it is: every question is a job for that thread, and wakes this one, a quarter of a millisecond.
    """
    player = serving.player

    def where() -> Moment:
        here: Moment = player.submit(lambda: now(player.watch.session)).result()
        return here

    player.ask("play", {}).result()
    before = after = where()
    while (rest := before[1] + seconds - after[1]) > 0:
        if not player.watch.playing:
            player.ask("play", {}).result()
        time.sleep(max(0.02, rest))
        after = where()
    player.ask("pause", {}).result()
    return Cost(before, after)


def now(session: Any) -> Moment:
    return session.steps, time.thread_time(), time.perf_counter()


def alone(session: Any, seconds: float) -> Cost:
    """The engine of this very session for so long, as `run` calls it: nobody looks, nothing is recorded."""
    population = session.population
    before = after = now(population)
    while after[1] < before[1] + seconds:
        room = population.portion() if not population.is_cut_free else min(population.portion(), ALONE_STEPS)
        if population.advance(room, StopCondition.NOTHING) is Stop.SILENT:
            break
        after = now(population)
    return Cost(before, after)


def measure_speed(name: str, n: int, engine: str, steps: int, seconds: float) -> Cells:
    """What a step costs the engine's thread: alone, served to nobody, watched by a page of 30 frames a second.

    In turns, on one and the same population: two of them lie in memory differently, which alone makes a difference of ten
    per cent. A stretch is compared with those before and after it, in which the engine is alone. A goal that is met ends nothing.
    """
    serving = serving_of(describe(name, n, seed=1, engine=engine))
    found: list[tuple[str, Cost]] = []
    frames, read, watched_seconds, part = 0, 0, 0.0, seconds / ROUNDS
    with serving:
        player = serving.player

        def by_itself() -> None:
            found.append(("alone", player.submit(lambda: alone(player.watch.session, part)).result()))

        player.submit(lambda: player.watch.session.step(steps)).result()
        player.ask("speed", {"value": None}).result()
        played(serving, seconds / 10)  # new states are learnt, portions find their length
        for _ in range(ROUNDS):
            by_itself()
            found.append(("served", played(serving, part)))
            by_itself()
            reader = Reader(serving)
            reader.start()
            reader.has_begun.wait(10)  # its first frame brings all states
            seen, seen_bytes, began = reader.frames, reader.bytes, time.perf_counter()
            found.append(("watched", played(serving, part)))
            watched_seconds += time.perf_counter() - began
            frames, read, reader.ends = frames + reader.frames - seen, read + reader.bytes - seen_bytes, True
            player.ask("step", {"count": 1}).result()
            reader.join(10)
        by_itself()

    def slower(kind: str, by: str) -> str:
        """In the middle of the rounds."""
        ratios = sorted(
            2 * getattr(cost, by) / (getattr(found[k - 1][1], by) + getattr(found[k + 1][1], by))
            for k, (what, cost) in enumerate(found)
            if what == kind
        )
        return f"{100 * (ratios[len(ratios) // 2] - 1):+.1f} %"

    return {
        "bytes": f"{read // max(1, frames):,}",
        "slower": f"{slower('watched', 'processor')}, without a page {slower('served', 'processor')}",
        "slower by clock": slower("watched", "clock"),
        "sent": f"{frames / watched_seconds:.0f}",
    }


def measure_seek(name: str, n: int, steps: int) -> Cells:
    """`goto` 10^7 steps back, as the page asks for it, and the frame that shows it."""
    serving = serving_of(describe(name, n, seed=1, engine="agents"))
    with serving:
        player = serving.player
        player.submit(lambda: player.watch.session.step(steps)).result()
        times, used = [], []
        for back in range(8):
            began, before = time.perf_counter(), player.submit(time.thread_time).result()
            player.ask("goto", {"step": back * steps // 100 + 17}).result()
            player.frame(WantedFrame(v=-1, choice=None, known=0, table=-1)).result()
            times.append(time.perf_counter() - began)
            used.append(player.submit(time.thread_time).result() - before)
            player.ask("goto", {"step": steps}).result()
    median, worst = (1000 * sorted(times)[place] for place in (4, -1))
    return {"back": f"{median:.0f} ms, worst {worst:.0f} ms; processor time {1000 * sorted(used)[4]:.0f} ms"}


def measure_saved(name: str, n: int, steps: int) -> Cells:
    """The file that replays the run, every step of it."""
    made = session_of(name, n, "agents")
    made.step(steps)
    began = time.perf_counter()
    text = SavedPage(record(made)).text
    return {"saved": f"{len(text.encode()) / 1e6:.2f} MB, made in {time.perf_counter() - began:.1f} s"}


def measure_browser(seconds: float, note: Note) -> None:
    """In Debian's chromium; where there is none, the columns stay empty."""
    from tests_browser.frames import browser_frames

    for seen in browser_frames([run[:3] for run in RUNS], seconds):
        cells = {
            "browser": f"{seen.frames:.0f}",
            "wire": f"{seen.bytes:,.0f}",
            "drawn": f"{seen.milliseconds:.1f} ms",
            "between": f"{seen.engine:.0f} ms{'' if seen.beside is None else f'; {seen.beside:.0f} ms'}",
        }
        note(seen.run, cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--only", default="frames,speed,seek,browser,saved")
    parser.add_argument("--write", action="store_true", help="write the table into docs/watch.md")
    arguments = parser.parse_args()
    parts, rows = arguments.only.split(","), Rows()
    measured = circumstances(os.cpu_count() or 1, os.getloadavg()[0])

    def note(run: tuple[str, int, str], cells: Cells) -> None:
        rows.setdefault(run_in_words(*run), {}).update(cells)
        print(run_in_words(*run), cells, file=sys.stderr, flush=True)

    for run in RUNS:
        if "frames" in parts:
            note(run[:3], measure_frames(*run))
        if "speed" in parts:
            note(run[:3], measure_speed(*run, arguments.seconds))
    if "seek" in parts:
        for name, n in (("p_ll", 1000), ("p_ll", 10**6), ("p_pl", 10**6)):  # the last in a million states
            note((name, n, "agents"), measure_seek(name, n, 10**7))
    if "saved" in parts:
        for name in ("p_ll", "p_rl"):
            note((name, 1000, "agents"), measure_saved(name, 1000, 10**5))
    if "browser" in parts:
        measure_browser(arguments.seconds, note)
    print(f"{measured}\n\n{table(rows)}")
    if arguments.write:
        DOCS.write_text(written(DOCS.read_text(encoding="utf-8"), rows, measured), encoding="utf-8")


if __name__ == "__main__":
    main()
