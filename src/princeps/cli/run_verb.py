"""princeps run NAME"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from princeps.cli.frame import DONE, INTERRUPTED, NOT_REACHED, Saver, complain, emit, parameters, saving, verb
from princeps.errors import PrincepsError, RunError


@verb
def command(
    name: Annotated[str, typer.Argument(help="A protocol's name, or ./mine.py:Mine.")],
    n: Annotated[str | None, typer.Option("-n", metavar="N", help="How many agents; 1e6 is fine.")] = None,
    p: Annotated[list[str] | None, typer.Option("-p", metavar="NAME=VALUE", help="A parameter; repeatable.")] = None,
    start: Annotated[
        str | None, typer.Option(help="A start of the protocol, file:PATH, or inline states:1,0;0,2 or json:LIST.")
    ] = None,
    until: Annotated[str | None, typer.Option(help="The goal.")] = None,
    seed: Annotated[str | None, typer.Option(help="An integer; chosen and shown if left out.")] = None,
    trial: Annotated[str | None, typer.Option(help="Only this trial of the seed, counted from 0.")] = None,
    trials: Annotated[str, typer.Option(help="How many trials.")] = "1",
    jobs: Annotated[str, typer.Option(help="How many worker processes.")] = "1",
    engine: Annotated[
        str,
        typer.Option(help="auto, reference, agents, events or counts; for ring algorithms auto, reference, compiled."),
    ] = "auto",
    max_steps: Annotated[str | None, typer.Option(help="Give up after this many steps.")] = None,
    fault: Annotated[list[str] | None, typer.Option(help="STEP:K or every:STEPS:K; repeatable.")] = None,
    hold: Annotated[bool, typer.Option("--hold", help="Go on until the unique leader is lost.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Assert invariants on every step (slow).")] = False,
    pairs: Annotated[
        str | None, typer.Option(help="Replay a schedule: a file with an ordered pair a line, or list:0-1,1-2.")
    ] = None,
    graph: Annotated[
        str | None,
        typer.Option(
            help="complete, ring (directed), undirected-ring, path, star, grid:RxC, torus:RxC, regular:D, er:P, or a file of edges."
        ),
    ] = None,
    ids: Annotated[str | None, typer.Option(help="Identifiers: a list like 3,1,2 or random:MAX.")] = None,
    record: Annotated[list[str] | None, typer.Option(help="Count this predicate over time; repeatable.")] = None,
    every: Annotated[str, typer.Option(help="Parallel time between two records.")] = "0.1",
    force: Annotated[
        bool, typer.Option("--force", help="Run on a graph or ring the protocol is not made for.")
    ] = False,
    labels: Annotated[str | None, typer.Option(help="Ring: labels clockwise, 1,2,2 or ABAAB.")] = None,
    random: Annotated[str | None, typer.Option(help="Ring: n=1000,labels=50,max=20, asymmetric.")] = None,
    ring: Annotated[str | None, typer.Option(help="Ring: a file of labels.")] = None,
    schedule: Annotated[
        str | None, typer.Option(help="Ring: synchronous, random, slow:EDGE or adversarial.", metavar="SCHEDULE")
    ] = None,
    trace: Annotated[str | None, typer.Option(help="Ring: print every event, or write it to FILE.jsonl.")] = None,
    diagram: Annotated[str | None, typer.Option(help="Ring: draw the execution into FILE.svg, .pdf or .png.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Estimate memory and time, run nothing.")] = False,
    output: Annotated[str | None, typer.Option("--output", "-o", help="Append the JSON lines to this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One object a trial on stdout.")] = False,
) -> int:
    """Elect a leader, once or many times."""
    from princeps.api.run import fresh_seed
    from princeps.cli.run_ring import run_once
    from princeps.errors import ParameterError
    from princeps.model import registry
    from princeps.model.numbers import read_count
    from princeps.model.rings.algorithm import RingAlgorithm
    from princeps.model.rings.run import make_ring_run
    from princeps.model.run import make_run

    count, workers = read_count(trials, "trials"), read_count(jobs, "jobs")
    for value, what in ((count, "trials"), (workers, "jobs")):
        if value < 1:
            raise ParameterError(f"{what} = {value} is too small: give at least 1.")
    common: dict[str, Any] = {
        "name": name,
        "n": n,
        "params": parameters(p or []),
        "seed": fresh_seed() if seed is None else seed,
        "engine": engine,
        "max_steps": max_steps,
        "force": force,
    }
    for_populations: dict[str, Any] = {
        "start": start,
        "until": until,
        "graph": graph,
        "faults": fault or [],
        "hold": hold,
        "check": check,
        "pairs": pairs,
        "ids": ids,
        "record": record or [],
        "every": every,
    }
    for_rings: dict[str, Any] = {"labels": labels, "random": random, "ring": ring, "schedule": schedule}
    if issubclass(registry.find_any(name), RingAlgorithm):
        _refuse_options(name, "a ring algorithm", {**for_populations, "dry_run": dry_run}, {"every": "0.1"})
        description = {**common, **for_rings, "schedule": "synchronous" if schedule is None else schedule}
        first_ring = make_ring_run(**description, trial=trial or 0)
        description["seed"] = first_ring.seed
        single = trial is not None or count == 1
        if not single and (trace is not None or diagram is not None):
            raise RunError("--trace and --diagram show one execution: choose it with --trial.")
        with saving(output) as save:
            if single:
                return exit_code(run_once(first_ring, as_json, save, trace, diagram))
            return _many(description, count, workers, as_json, save)
    _refuse_options(name, "a population protocol", {**for_rings, "trace": trace, "diagram": diagram}, {})
    description = {**common, **for_populations}
    first = make_run(**description, trial=trial or 0)  # says what is wrong before anything is started
    description["seed"] = first.seed
    if dry_run:
        from princeps.cli.dry_run import show_estimate

        return show_estimate(first, 1 if trial is not None else count, workers, as_json)
    with saving(output) as save:
        if trial is not None or count == 1:
            return _single(first, as_json, save)
        return _many(description, count, workers, as_json, save)


def _refuse_options(name: str, kind: str, given: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
    """An option that does not fit the protocol is said, not ignored."""
    for option, value in given.items():
        if value not in (None, False, [], defaults.get(option)):
            raise RunError(f"{name} is {kind}: --{option.replace('_', '-').replace('faults', 'fault')} is not for it.")


def exit_code(result: Any) -> int:
    if result.interrupted:
        return INTERRUPTED
    faults = getattr(result, "faults", None) or ()  # a ring has none
    recovered = all(fault.recovery_steps is not None for fault in faults)
    return DONE if getattr(result, "steady_faults", False) or (result.converged and recovered) else NOT_REACHED


def _single(run: Any, as_json: bool, save: Saver) -> int:
    from princeps.cli.progress import watching
    from princeps.engines.simulate import simulate

    with watching(as_json, run.max_steps) as observer:
        result = simulate(run, observer)
    if as_json:
        emit(result.as_json())
    else:
        from princeps.cli.tables import print_result

        print_result(result, run)
    save(result.as_json())
    return exit_code(result)


def _many(description: Mapping[str, Any], count: int, jobs: int, as_json: bool, save: Saver) -> int:
    from princeps.campaign.trials import run_trials
    from princeps.cli.ring_tables import print_ring_trials
    from princeps.cli.tables import print_trials

    show = print_ring_trials if "schedule" in description else print_trials

    results: dict[int, Any] = {}
    printed = 0
    trouble: KeyboardInterrupt | PrincepsError | None = None
    try:
        for result in run_trials(description, range(count), jobs):
            results[result.trial] = result
            while as_json and printed in results:  # in the order of the trials, as early as possible
                emit(results[printed].as_json())
                printed += 1
            save(result.as_json())
            if not as_json and sys.stderr.isatty():
                print(f"\r{len(results)} of {count} trials", end="", file=sys.stderr, flush=True)
    except (KeyboardInterrupt, PrincepsError) as error:  # what was finished is printed first
        trouble = error
    if not as_json and sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if as_json:
        for trial in sorted(results):
            if trial >= printed:
                emit(results[trial].as_json())
    elif results:
        show([results[trial] for trial in sorted(results)], count)
    if isinstance(trouble, PrincepsError):
        raise trouble
    if trouble is not None:
        complain(f"interrupted after {len(results)} of {count} trials.")
        return INTERRUPTED
    return max((exit_code(result) for result in results.values()), default=DONE)
