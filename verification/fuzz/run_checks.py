"""The compiled rule and the engine `agents` beside the reference: states, steps, events, goals, mistakes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from fuzz.inputs import Trouble, wrong
from fuzz.random_rules import Written

State = tuple[int, ...]
PAIRS = 150
LIMIT = 400
NEVER_RIGHT = "is outside the domain"  # of a constant, which compiled engines refuse also where it is never assigned
BEYOND = "2^63"  # what only compiled engines refuse
GRAPHS = (None, None, "ring", "path", "star", "er:1.0")


def outcome(function: Callable[[], Any]) -> tuple[Any, str]:
    """What it gives, or the sentence with which it is refused."""
    from princeps.errors import PrincepsError

    try:
        return function(), ""
    except (PrincepsError, ZeroDivisionError) as error:  # the brute force calls predicates as they are
        return None, str(error)


def some_states(cls: Any, rng: Random, count: int) -> list[State]:
    """Legal states, also at the ends of their domains."""
    protocol = cls(4)
    states = []
    for _ in range(count):
        state = []
        for size in protocol.space.sizes:
            top = 10**6 if size is None else size
            state.append(rng.choice((rng.randrange(top), 0, 1 % top, top - 1, rng.randrange(min(top, 8)))))
        states.append(tuple(state))
    return states


def pairs_agree(cls: Any, written: Written, rng: Random) -> list[Trouble]:
    """Many pairs of states, each of which meets once, in both forms of the agents."""
    from princeps.engines.agents import Agents
    from princeps.engines.forms import Packed
    from princeps.errors import PrincepsError
    from princeps.model.reading import make_run

    protocol = cls(4)
    if protocol.tosses:
        return []  # runs_agree compares whole runs, in which both see the same coins
    before: list[State] = []
    after: list[State] = []
    broken: list[tuple[Any, Any]] = []
    states = some_states(cls, rng, 2 * PAIRS)
    for one, other in zip(states[::2], states[1::2], strict=True):
        try:
            after += protocol.step(one, other)
            before += [one, other]
        except PrincepsError:
            broken.append((one, other))
    names = protocol.space.names
    for packed in (False, True):
        cases: list[tuple[list[State], list[State] | None]] = [(before, after)] if before else []
        cases += [(list(pair), None) for pair in broken[:2]]
        for given, expected in cases:
            start = "json:" + json.dumps([dict(zip(names, state, strict=True)) for state in given])
            pairs = [(k, k + 1) for k in range(0, len(given), 2)]
            run = make_run(
                cls, len(given), start=start, pairs=pairs, until="leader", engine="agents", graph="complete", force=True
            )

            def finished(run: Any = run, packed: bool = packed) -> Any:
                there = Agents(run)
                if packed:
                    there.form = Packed(there.kernels, there.form.words())
                there.advance_exactly(len(run.scheduler.listed))
                return [there.state(k) for k in range(run.n)]

            found, refused = outcome(finished)
            if BEYOND in refused or NEVER_RIGHT in refused:
                continue
            if found != expected or (expected is None and not refused):
                return wrong(f"packed {packed}: {_first(given, expected, found)} {refused}")
    return []


def _first(given: Any, expected: Any, found: Any) -> str:
    if expected is None or found is None:
        return f"{given[:2]} becomes {found}, by Python {(expected and 'fine') or 'a mistake'}"
    k = next(k for k in range(len(given)) if found[k] != expected[k]) // 2 * 2
    return f"{given[k : k + 2]} becomes {found[k : k + 2]}, by Python {expected[k : k + 2]}"


def chosen_run(cls: Any, rng: Random, n: int | None = None, **more: Any) -> Any:
    """A random run of it whose goal is not met from the beginning, if there is a start and a goal of this kind."""
    from princeps.model.reading import make_run

    size = n or rng.choice((2, 3, 5, 9, 20))
    graph = more.pop("graph", rng.choice(GRAPHS))
    starts = more.pop("starts", list(cls.starts))
    both = [(start, goal) for start in starts for goal in cls.all_goals()]
    rng.shuffle(both)
    seed = rng.randrange(1000)
    given = {"graph": graph, "seed": seed, "force": True, "max_steps": LIMIT, **more}
    runs = (make_run(cls, size, start=start, until=goal, **given) for start, goal in both)
    found = next((run for run in runs if not _begins_at_goal(run)), None)
    return found or make_run(cls, size, start=both[0][0], until=both[0][1], **given)


def _begins_at_goal(run: Any) -> bool:
    from princeps.engines.reference import Reference

    found, refused = outcome(lambda: Reference(replace(run, engine="reference")).holds())
    return bool(found) or bool(refused)


def runs_agree(cls: Any, written: Written, rng: Random) -> list[Trouble]:
    """State by state, then in stretches, in both forms; then the whole run to its goal."""
    from princeps.engines.agents import Agents
    from princeps.engines.forms import Packed, interned, new_table
    from princeps.engines.reference import Reference

    for _ in range(6):
        run = chosen_run(cls, rng)
        both, refused = outcome(lambda run=run: (Reference(run), Agents(run)))  # type: ignore[misc]
        if refused:
            continue
        one, other = both
        for stretch in (*[1] * 25, 7, 60, 150):
            if rng.random() < 0.2 and not run.protocol.tosses:
                form = interned(other.kernels, other.form.words(), new_table(other.kernels, other.predicates))
                other.form = (
                    form if form is not None and rng.random() < 0.5 else Packed(other.kernels, other.form.words())
                )
            _, mistake = outcome(lambda: one.advance_exactly(stretch))  # noqa: B023
            _, refusal = outcome(lambda: other.advance_exactly(stretch))  # noqa: B023
            if BEYOND in refusal or NEVER_RIGHT in refusal:
                break
            if bool(mistake) != bool(refusal):
                return wrong(f"{run.command()}: by Python {mistake!r}, compiled {refusal!r}")
            if mistake:
                break
            seen = [_seen(there) for there in (one, other)]
            if seen[0] != seen[1]:
                return wrong(f"{run.command()} after {one.steps} steps: {seen[0]}, compiled {seen[1]}")
        results = [outcome(partial(_simulated, run, engine)) for engine in ("reference", "agents")]
        if not any(word in results[1][1] for word in (BEYOND, NEVER_RIGHT)) and (
            results[0][0] != results[1][0] or bool(results[0][1]) != bool(results[1][1])
        ):
            return wrong(f"{run.command()}: {results[0]}, compiled {results[1]}")
    return []


def _seen(there: Any) -> Any:
    return (
        there.steps,
        [there.state(k) for k in range(there.run.n)],
        there.leaders,
        there.events,
        there.holds(),
        there.leader(),
    )


def _simulated(run: Any, engine: str) -> Any:
    from princeps.engines.simulate import simulate

    return _result(simulate(replace(run, engine=engine)))


def _result(result: Any) -> Any:
    return result.steps, result.converged, result.leaders, result.leader, result.events


def sessions_equal_runs(cls: Any, written: Written, rng: Random) -> list[Trouble]:
    """A session that goes to the goal in pieces stands where the run ends, for every engine that takes the run."""
    import princeps
    from princeps.engines.registry import refusal

    for engine in ("agents", "events", "counts"):
        n, graph = rng.choice((3, 6, 12)), "er:1.0" if engine == "events" else None
        chosen = chosen_run(cls, rng, n, graph=graph)
        given = {name: getattr(chosen, name) for name in ("seed", "start", "until", "max_steps")}
        given |= {"engine": engine, "graph": graph, "force": True}
        result, mistake = outcome(lambda: princeps.run(cls, n, **given))  # noqa: B023
        session, refused = outcome(lambda: princeps.session(cls, n, **given))  # noqa: B023
        if session is None or result is None:
            if bool(mistake) and not bool(refused) and not refusal(engine, session.run):
                _, refused = outcome(lambda: session.run_until())  # noqa: B023
                if not refused:
                    return wrong(f"{engine}: run says {mistake!r}, a session of the same says nothing")
            continue
        reached, refused = outcome(lambda: session.run_until())  # noqa: B023
        if refused:
            return wrong(f"{engine}: a session says {refused!r}, the run {_result(result)}")
        if (reached, session.steps, session.leaders) != (
            result.converged,
            result.steps if result.converged else session.steps,
            result.leaders,
        ):
            return wrong(
                f"{engine} {given}: a session gives {(reached, session.steps, session.leaders)}, the run {_result(result)}"
            )
        if sum(session.counts.values()) != n:
            return wrong(f"{engine}: {session.counts} are not {n} agents")
        led = sum(number for state, number in session.counts.items() if session.run.protocol.leads(state))
        if led != session.leaders:
            return wrong(f"{engine}: {led} agents lead in {session.counts}, not {session.leaders}")
    return []
