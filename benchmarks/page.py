"""What watching costs on the side of the server: frames, bytes on the wire, the engine's speed, going back. Prints tables.

python benchmarks/page.py [--seconds 4] [--only frames,speed,seek]
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from typing import Any

from websockets.sync.client import connect
from websockets.typing import Origin

import princeps
from princeps.api.watch import serving_of
from princeps.engines.population import StopCondition
from princeps.engines.session import Session
from princeps.model.description import describe
from princeps.web.frames import Frames, decode
from princeps.web.server import Serving

RUNS: list[tuple[str, int, str, int]] = [  # protocol, agents, engine, steps before it is looked at
    ("p_rl", 60, "agents", 10_000),
    ("p_ll", 10_000, "agents", 200_000),
    ("p_ll", 1_000_000, "agents", 20_000_000),
    ("fratricide", 1_000_000, "agents", 2_000_000),
    ("fratricide", 10**9, "counts", 10**9),
]


def session_of(name: str, n: int, engine: str) -> Session:
    made = princeps.session(name, n, seed=1, engine=engine)
    assert isinstance(made, Session)
    return made


def measure_frames(name: str, n: int, engine: str, steps: int) -> None:
    """How long a frame takes to be made, and how large it is; by every choice of colours the slowest."""
    made = session_of(name, n, engine)
    made.step(steps)
    frames = Frames(made, 0)
    choices: list[str | None] = [choice.name for choice in frames.table.look.choices] if n > 10_000 else [None]
    slowest, usual, size = ("", 0.0), 0.0, 0
    for choice in choices:
        frames.make(made, 0, 0, choice=choice, known=0, table=0, steadily=True)
        known = len(frames.table)
        times = []
        for _ in range(15):
            made.step(max(1, n // 100)) if engine != "counts" else made.step(n // 100)
            began = time.perf_counter()
            frame = frames.make(made, 0, 0, choice=choice, known=known, table=0, steadily=True)
            times.append(time.perf_counter() - began)
            size = len(frame)
        middle = sorted(times)[len(times) // 2]
        slowest = max(slowest, (str(choice), middle), key=lambda found: found[1])
        if choice == (frames.table.look.color if choices != [None] else None):
            usual = middle
    form = type(getattr(made.population, "form", made.population)).__name__
    print(
        f"{name:10} n={n:<10} {engine:7} {form:16} frame {1000 * usual:6.2f} ms, slowest choice {slowest[0]} "
        f"{1000 * slowest[1]:6.2f} ms, {size:,} bytes",
        flush=True,
    )


class Reader(threading.Thread):
    """A page that draws nothing: asks for the next frame as soon as it has one."""

    def __init__(self, serving: Serving) -> None:
        super().__init__(daemon=True)
        self.serving, self.frames, self.bytes, self.ends = serving, 0, 0, False

    def run(self) -> None:
        port, token = self.serving.port, self.serving.guard.token
        address, origin = f"ws://127.0.0.1:{port}/{token}/socket", f"http://127.0.0.1:{port}"
        known, table, v, number = 0, -1, -1, 0
        with connect(address, origin=Origin(origin), compression=None, max_size=None) as page:
            page.send(json.dumps({"id": 0, "do": "hello"}))
            while not self.ends:
                number += 1
                page.send(json.dumps({"id": number, "do": "frame", "known": known, "table": table, "v": v}))
                while not isinstance(received := page.recv(), bytes):
                    pass
                header, _ = decode(received)
                known = header["states_from"] + len(header["states"])
                table, v = header["table"], header["v"]
                self.frames += 1
                self.bytes += len(received)


def steps_done(serving: Serving, seconds: float) -> tuple[int, float]:
    """New steps in about so many seconds of full speed; and how much processor time the thread had is not asked."""
    player = serving.player
    player.ask("speed", {"value": None}).result()

    def where() -> int:
        return int(player.submit(lambda: player.watch.session.steps).result())

    first, began = where(), time.perf_counter()
    end = began + seconds
    while time.perf_counter() < end:
        player.ask("play", {}).result()  # also past the goal
        time.sleep(0.05)
    return where() - first, time.perf_counter() - began


def measure_speed(name: str, n: int, engine: str, steps: int, seconds: float) -> None:
    """Steps a second: the engine alone, watched by nobody, watched by one page; in turns, since machines are busy."""
    alone = session_of(name, n, engine)
    alone.step(steps)
    serving = serving_of(describe(name, n, seed=1, engine=engine))
    rates: dict[str, list[float]] = {"alone": [], "unwatched": [], "watched": []}
    with serving:
        serving.player.submit(lambda: serving.player.watch.session.step(steps)).result()
        reader: Any = None
        for _ in range(3):
            began, before = time.perf_counter(), alone.steps
            while time.perf_counter() < began + seconds / 3:
                alone.population.advance(1 << 18, StopCondition.NOTHING)
            rates["alone"].append((alone.steps - before) / (time.perf_counter() - began))
            done, took = steps_done(serving, seconds / 3)
            rates["unwatched"].append(done / took)
            reader = Reader(serving)
            reader.start()
            done, took = steps_done(serving, seconds / 3)
            rates["watched"].append(done / took)
            reader.ends = True
            serving.player.ask("pause", {}).result()
            serving.player.ask("step", {"count": 1}).result()
            reader.join(10)
        spent = serving.player.frame_seconds
    best = {name_: max(found) for name_, found in rates.items()}
    print(
        f"{name:10} n={n:<10} {engine:7} steps/s alone {best['alone']:.3g}, served {best['unwatched']:.3g}, watched "
        f"{best['watched']:.3g} ({100 * (1 - best['watched'] / best['unwatched']):.1f} % less); frames took {spent:.2f} s; last page: {reader.frames} "
        f"frames, {reader.bytes / max(1, reader.frames):,.0f} bytes each",
        flush=True,
    )


def measure_seek(name: str, n: int, steps: int) -> None:
    """`goto` 10^7 steps back, as the page asks for it."""
    serving = serving_of(describe(name, n, seed=1, engine="agents"))
    with serving:
        player = serving.player
        player.submit(lambda: player.watch.session.step(steps)).result()
        times = []
        for back in range(8):
            began = time.perf_counter()
            player.ask("goto", {"step": back * steps // 100 + 17}).result()
            times.append(time.perf_counter() - began)
            player.ask("goto", {"step": steps}).result()
        print(
            f"{name:10} n={n:<10} goto {steps:,} steps back: {1000 * sorted(times)[4]:.0f} ms median, {1000 * max(times):.0f} ms worst",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--only", default="frames,speed,seek")
    arguments = parser.parse_args()
    parts = arguments.only.split(",")
    if "frames" in parts:
        for run in RUNS:
            measure_frames(*run)
    if "speed" in parts:
        for run in RUNS[:-1]:
            measure_speed(*run, arguments.seconds)
    if "seek" in parts:
        measure_seek("p_ll", 1000, 10**7)
        measure_seek("p_ll", 10**6, 10**7)


if __name__ == "__main__":
    main()
