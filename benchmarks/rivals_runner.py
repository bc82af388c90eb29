"""One piece of work for one program, in that program's own environment; benchmarks/rivals.py starts this file.

Prints one JSON object: processor seconds of the set-up and of the run, interactions, how the program was driven and
what came out; or where it was when the time or the memory ran out. Imports are not counted, on any side.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
T_MAX = 2000
UNITS = {"majority": 10, "timer": 50, "p_ll": 100}  # parallel time; the others run until nothing can change any more
PAIRS: dict[str, dict[tuple[str, str], tuple[str, str]]] = {  # either order, as `transition_order="symmetric"` reads it
    "fratricide": {("L", "L"): ("L", "F")},
    "epidemic": {("I", "S"): ("I", "I")},
    "majority": {("x", "y"): ("u", "u"), ("x", "u"): ("x", "x"), ("y", "u"): ("y", "y")},
}


class TimeLimit(BaseException):
    """The alarm of --limit: not an Exception, so that nobody swallows it."""


class Measured:
    """What is known so far; the phases fill it in."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {"setup": None, "run": None, "steps": None}
        self.phase = "set-up"
        self.progress: Callable[[], str] = str

    def timed(self, phase: str, work: Callable[[], Any]) -> Any:
        self.phase = phase
        began = time.process_time()
        made = work()
        self.found[phase.replace("-", "")] = time.process_time() - began
        return made


def start(work: str, n: int) -> dict[Any, int]:
    """Counts of the states at the start."""
    if work == "fratricide":
        return {"L": n}
    if work == "epidemic":
        return {"I": 1, "S": n - 1}
    if work == "majority":
        return {"x": -(-51 * n // 100), "y": n - -(-51 * n // 100)}
    if work == "timer":
        import numpy as np

        states = 2 * (T_MAX + 1)
        return dict(enumerate(np.random.default_rng(1).multinomial(n, [1 / states] * states).tolist()))
    protocol = p_ll(n)
    agent = protocol.agent((0,) * len(protocol.space.names))
    protocol.starts["initial"](agent, 0, n, protocol.constants)
    return {agent.values(): n}


def p_ll(n: int) -> Any:
    sys.path.insert(0, str(ROOT / "src"))
    import princeps

    return princeps.protocol("p_ll", n=n)


def timer_rule(a: int, b: int) -> tuple[int, int]:
    """The timer protocol on states numbered leader * (T + 1) + timer."""
    lead_a, timer_a = divmod(a, T_MAX + 1)
    lead_b, timer_b = divmod(b, T_MAX + 1)
    t = max(timer_a, timer_b) - 1
    if t <= 0:
        t, lead_a, lead_b = 0, 1, 1
    if lead_a and lead_b:
        lead_b = 0
    if lead_a or lead_b:
        t = T_MAX
    return lead_a * (T_MAX + 1) + t, lead_b * (T_MAX + 1) + t


def function_rule(work: str, n: int, measured: Measured) -> Callable[[Any, Any], tuple[Any, Any]]:
    """The rule as a function of an ordered pair; it keeps count of what it was asked."""
    if work == "timer":
        return timer_rule
    protocol = p_ll(n)
    step, total, asked = protocol.step, protocol.state_count, [0]
    seen: set[Any] = set()

    def rule(a: Any, b: Any) -> tuple[Any, Any]:
        after: tuple[Any, Any] = step(a, b)
        asked[0] += 1
        seen.update(after)
        return after

    measured.progress = lambda: f"{len(seen):,} of {total:,} states found, {asked[0]:,} of {total**2:,} pairs tabulated"
    return rule


def until_silent_or(work: str, n: int, interval: float, sim: Any) -> Callable[[], None]:
    """`Simulation.run` for the work's parallel time or until silence; all three simulators share this signature."""
    units = float(UNITS[work]) if work in UNITS else None
    return lambda: sim.run(units, history_interval=interval, stopping_interval=interval, timer=False)


def describe(work: str, counts: dict[Any, int]) -> str:
    """A configuration in a few words."""
    if work == "timer":
        return f"{sum(count for state, count in counts.items() if int(str(state).lstrip('s')) > T_MAX):,} leaders"
    shown = {str(state): int(count) for state, count in counts.items() if str(state) not in ("K", "W")}
    return ", ".join(f"{count:,} {state}" for state, count in sorted(shown.items()) if count)


def ppsim(work: str, n: int, measured: Measured) -> None:
    """ppsim from 1.0 on: Gillespie where there are few states, else multibatch."""
    from ppsim import Simulation  # type: ignore[import-not-found]

    small, silent = work in PAIRS, work in ("fratricide", "epidemic")
    method = "gillespie" if small else "multibatch"
    order = "symmetric" if small else "asymmetric"
    rule = PAIRS[work] if small else function_rule(work, n, measured)
    init = start(work, n)
    measured.found["how"] = f"{method}, " + ("run_until_silent" if silent else "run")
    if work == "majority":  # Gillespie never tries a reaction that was impossible at the start: let one agent be u
        init.update(y=init["y"] - 1, u=1)
        measured.found["how"] += ", one y made u"
    sim = measured.timed(
        "set-up", lambda: Simulation(init, rule, simulator_method=method, transition_order=order, seed=measured_seed())
    )
    measured.progress = lambda: f"{sim.simulator.t / n:.3g} units of parallel time done"
    slices = until_silent_or(work, n, 0.1 if work == "majority" else float(UNITS.get(work, 1)), sim)
    measured.timed("run", sim.simulator.run_until_silent if silent else slices)
    finish(work, measured, sim, sim.simulator.t)


def ppsim_old(work: str, n: int, measured: Measured) -> None:
    """ppsim 0.1: multibatch, which turns to Gillespie and back by itself."""
    import numpy as np
    from ppsim import Simulation

    small = work in PAIRS
    method = "sequential" if work == "timer" else "multibatch"
    order = "symmetric" if small else "asymmetric"
    rule = PAIRS[work] if small else function_rule(work, n, measured)
    init = start(work, n)
    silent = work in ("fratricide", "epidemic")
    measured.found["how"] = f"{method}, " + ("run_until_silent" if silent else "run")
    sim = measured.timed(
        "set-up", lambda: Simulation(init, rule, simulator_method=method, transition_order=order, seed=measured_seed())
    )
    measured.progress = lambda: f"{sim.simulator.t / n:.3g} units of parallel time done"
    whole = until_silent_or(work, n, float(UNITS.get(work, 1)), sim)
    unused = np.array(sim.simulator.config)  # the argument is required, and not looked at
    measured.timed("run", (lambda: sim.simulator.run_until_silent(unused)) if silent else whole)
    finish(work, measured, sim, sim.simulator.t)


def batss(work: str, n: int, measured: Measured) -> None:
    """batss simulates reactions in continuous time: rate 2 for a pair in either order gives n interactions a unit."""
    from batss import Simulation, species  # type: ignore[import-not-found]

    def reactions() -> Iterator[Any]:
        if work in PAIRS:
            for (a, b), (c, d) in PAIRS[work].items():
                a, b, c, d = (species(name)[0] for name in (a, b, c, d))
                yield (a + b >> c + d).k(2)
            return
        named = NamedSpecies(species)
        for a, b, c, d in all_pairs(list(init), function_rule(work, n, measured)):
            if (a, b) != (c, d):
                yield (named[a] + named[b] >> named[c] + named[d]).k(2 if a == b else 1)

    init = start(work, n)
    interval = {"fratricide": float(n)}.get(work, 1.0)  # silence is looked for once in an interval
    measured.found["how"] = f"crn, run, interval {interval:g}"
    named_init = NamedSpecies(species)

    def build() -> Any:
        counts = {(species(k)[0] if work in PAIRS else named_init[k]): v for k, v in init.items()}
        return Simulation(counts, list(reactions()), seed=measured_seed())

    sim = measured.timed("set-up", build)
    measured.progress = lambda: f"{sim.simulator.continuous_time:.3g} units of parallel time done"
    measured.timed("run", until_silent_or(work, n, interval, sim))
    finish(work, measured, sim, None)


class NamedSpecies(dict[Any, Any]):
    """A species for each state, made when asked for."""

    def __init__(self, species: Callable[[str], Any]) -> None:
        super().__init__()
        self.species = species

    def __missing__(self, state: Any) -> Any:
        name = f"s{state}" if isinstance(state, int) else "s" + "_".join(map(str, state))
        self[state] = self.species(name)[0]
        return self[state]


def all_pairs(states: list[Any], rule: Callable[[Any, Any], tuple[Any, Any]]) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Every ordered pair of reachable states with what becomes of it."""
    known = set(states)
    for i, new in enumerate(states):  # grows while it is walked
        for old in states[: i + 1]:
            for a, b in [(old, new), (new, old)] if old != new else [(new, new)]:
                c, d = rule(a, b)
                states.extend({c, d} - known)
                known.update((c, d))
                yield a, b, c, d


def finish(work: str, measured: Measured, sim: Any, steps: int | None) -> None:
    measured.found["steps"] = steps
    measured.found["outcome"] = describe(work, sim.config_dict)


def princeps(work: str, n: int, measured: Measured) -> None:
    """The first call in this process with the kernels on disk, then the same run again: Result.seconds of the second."""
    import princeps as ours
    import princeps.engines.simulate  # what `run` would import first
    from princeps.errors import UnknownProtocol

    limit = UNITS[work] * n if work in UNITS else None
    params: dict[str, Any] = {"t_max": T_MAX} if work == "timer" else {}
    try:
        ours.protocol(work, n=n, **params)
    except UnknownProtocol:
        measured.found["missing"] = f"no protocol {work!r}"
        return

    def call() -> Any:
        return ours.run(work, n=n, engine="auto", seed=measured_seed(), max_steps=limit, **params)

    measured.timed("first run", call)
    result = measured.timed("second run", call)
    found = measured.found
    found["run"] = min(result.seconds, found["second run"])
    found["setup"] = max(found["first run"] - found["run"], 0.0)
    found["how"] = f"engine {result.engine}"
    found["steps"] = int(result.steps)
    goal = f"goal {result.until!r} {'reached' if result.converged else 'not reached'}"
    found["outcome"] = goal if work in ("epidemic", "majority") else f"{result.leaders:,} leaders, {goal}"


def measured_seed() -> int:
    return int(json.loads(sys.argv[1])["seed"])


def limit_time(seconds: float) -> None:
    def ring(*_: object) -> None:
        raise TimeLimit

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def main() -> None:
    asked = json.loads(sys.argv[1])
    programs = {"princeps": princeps, "ppsim": ppsim, "ppsim_old": ppsim_old, "batss": batss}
    measured = Measured()
    resource.setrlimit(resource.RLIMIT_AS, (asked["memory"] << 30,) * 2)
    limit_time(asked["limit"])
    try:
        programs[asked["program"]](asked["work"], asked["n"], measured)
    except TimeLimit:
        measured.found.update(stopped=f"> {asked['limit']:g} s", phase=measured.phase, outcome=measured.progress())
    except MemoryError:
        message = f"more than {asked['memory']} GiB"
        measured.found.update(stopped=message, phase=measured.phase, outcome=measured.progress())
    signal.setitimer(signal.ITIMER_REAL, 0)
    measured.found["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps(measured.found))


if __name__ == "__main__":
    main()
