"""princeps run NAME"""

from __future__ import annotations

import shlex
import sys
import time
from dataclasses import replace
from typing import Annotated, Any

from princeps.cli.frame import DONE, INTERRUPTED, NOT_REACHED, Saver, complain, emit, parameters, saving, verb
from princeps.cli.options import A_PROTOCOL, Parameters, engine_help, given_to, json_option, own, takes
from princeps.errors import PrincepsError, RunError
from princeps.model.formatting import counted
from princeps.model.options import HOW, OUTPUT, UNTIL, RunOptions, TraceOptions, TrialOptions

OF_SCRIPTS = ("engine", "max_steps")  # options that may be given beside --script
ON_SCREEN = "-"  # what a bare --trace stands for
EXAMPLES = (
    "princeps run p_rl -n 100 -p N=128 --start random --seed 7",
    "princeps run fratricide -n 1e6 --trials 20 --jobs 4 --json -o out.jsonl",
    "princeps run a_k --labels 1,2,2 -p k=2 --schedule random --trace",
)


@verb
@takes(RunOptions, TraceOptions, TrialOptions, help=engine_help())
def command(
    name: Annotated[str | None, A_PROTOCOL] = None,
    n: Annotated[str | None, own("-n", metavar="NUMBER", help="How many agents; 1e6 is fine.")] = None,
    p: Parameters = None,
    script: Annotated[
        str | None, own("--script", metavar="FILE", help="Replay a script that a session saved, to its last state.")
    ] = None,
    rare: Annotated[
        bool, own("--rare", help="With --hold: estimate by splitting what no run sees, as princeps hold.", group=UNTIL)
    ] = False,
    dry_run: Annotated[bool, own("--dry-run", help="Estimate memory and time, run nothing.", group=HOW)] = False,
    output: Annotated[
        str | None, own("--output", "-o", metavar="FILE", help="Append the JSON lines to this file.", group=OUTPUT)
    ] = None,
    as_json: Annotated[bool, json_option("One object a trial on stdout.")] = False,
    **given: Any,
) -> int:
    """Elect a leader, once or many times."""
    from princeps.api.run import read_described
    from princeps.model.description import Description, with_seed
    from princeps.model.files import refuse_same

    if script is not None:
        from princeps.model.script_codes import is_code

        extra = [n, p, *(value for key, value in given.items() if key not in OF_SCRIPTS), dry_run]
        if any(value not in (None, False, []) for value in [*extra, None if is_code(script) else name]):
            raise RunError(
                f"--script {script[:60]} says which run it is: give nothing beside it but --engine and --max-steps, and of "
                f"a code the protocol's file."
            )
        return _replayed(script, name, given["engine"], given["max_steps"], as_json, output)
    if name is None:
        raise RunError(
            "which protocol? Give its name, like princeps run p_rl -n 100: see princeps list and princeps run --help."
        )
    options, shown, how = (given_to(cls, given) for cls in (RunOptions, TraceOptions, TrialOptions))
    count, _ = how.read()
    if rare and not options.hold:
        raise RunError("--rare says how the holding time is found: give --hold, too.")
    options = replace(options, hold=options.hold and not rare)  # the runs end where the leader is elected
    description = with_seed(Description(name, n, parameters(p or []), options))
    first = read_described(description)  # says what is wrong before anything is started
    if dry_run:
        from princeps.api.run import estimate_described
        from princeps.cli.dry_run import show_estimate

        return show_estimate(estimate_described(description, how), as_json)
    single = options.trial is not None or count == 1
    if not single and (shown.trace is not None or shown.diagram is not None):
        raise RunError("--trace and --diagram show one execution: choose it with --trial.")
    refuse_same([output, shown.diagram, None if shown.trace == ON_SCREEN else shown.trace])
    if rare:
        from princeps.api.hold import refuse_hold

        refuse_hold(first)
    with saving(output, description.inputs, options.force) as save:
        code = _single(description, first, shown, as_json, save) if single else _many(description, how, as_json, save)
        return max(code, _held(description, as_json, save)) if rare and code == DONE else code


def _held(description: Any, as_json: bool, save: Saver) -> int:
    """What no run sees: a last object, or report, of `hold` for the same protocol, start, graph and seed."""
    from princeps.api.hold import hold_described
    from princeps.cli.exact_tables import print_report
    from princeps.cli.progress import phases

    given = description.options
    options = RunOptions(start=given.start, graph=given.graph, seed=given.seed)
    with phases(as_json) as observe:
        found = hold_described(replace(description, options=options), observe=observe)
    if as_json:
        emit(found.as_json())
    else:
        print_report(found)
    save(found.as_json())
    return DONE if found.mean is not None else NOT_REACHED


def exit_code(result: Any) -> int:
    if result.interrupted:
        return INTERRUPTED
    return DONE if result.succeeded else NOT_REACHED


def _single(description: Any, run: Any, shown: TraceOptions, as_json: bool, save: Saver) -> int:
    from princeps.api.run import run_described
    from princeps.cli.progress import watching
    from princeps.cli.results import on_screen, print_one

    if shown.trace == ON_SCREEN:
        shown = replace(shown, trace=on_screen(run, as_json))
    with watching(as_json or shown.trace is not None, run.max_steps) as observer:
        result = run_described(description, shown, observer)
    if shown.diagram is not None:
        print(f"the diagram is in {shown.diagram}", file=sys.stderr)
    if as_json:
        emit(result.as_json())
    else:
        print_one(result, run)
    save(result.as_json())
    return exit_code(result)


def _replayed(
    path: str, name: str | None, engine: str | None, max_steps: str | None, as_json: bool, output: str | None
) -> int:
    """The last state of a script, as a result. `name` is the file of a protocol that a code may name."""
    from princeps.api.session import replay
    from princeps.cli.results import print_one

    with saving(output, [path]) as save:
        began = time.perf_counter()
        session = replay(path, protocol=name, engine=engine, max_steps=max_steps, announce=complain)
        again = shlex.join(
            ["princeps", "run", *([name] if name else []), "--script", path, *(["--engine", engine] if engine else [])]
        )
        result = replace(session.result(time.perf_counter() - began), command=again, stopped="the script ended")
        if as_json:
            emit(result.as_json())
        else:
            print_one(result, session.run)
        save(result.as_json())
    return exit_code(result)


def _many(description: Any, how: TrialOptions, as_json: bool, save: Saver) -> int:
    from princeps.api.run import trials_described
    from princeps.cli.results import print_many
    from princeps.model.interruptions import require_interruption

    count, _ = how.read()
    results: dict[int, Any] = {}
    printed = 0
    trouble: KeyboardInterrupt | PrincepsError | None = None
    try:
        for result in trials_described(description, how):
            results[result.trial] = result
            while as_json and printed in results:  # in the order of the trials, as early as possible
                emit(results[printed].as_json())
                printed += 1
            save(result.as_json())
            if not as_json and sys.stderr.isatty():
                print(f"\r{len(results)} of {counted(count, 'trials', 'd')}", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt as error:
        require_interruption(error)
        trouble = error
    except PrincepsError as error:  # what was finished is printed first
        trouble = error
    if not as_json and sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if as_json:
        for trial in sorted(results):
            if trial >= printed:
                emit(results[trial].as_json())
    elif results:
        print_many([results[trial] for trial in sorted(results)], count)
    if isinstance(trouble, PrincepsError):
        raise trouble
    if trouble is not None:
        complain(f"interrupted after {len(results)} of {counted(count, 'trials', 'd')}.")
        return INTERRUPTED
    return max((exit_code(result) for result in results.values()), default=DONE)
