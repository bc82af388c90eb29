"""princeps tune NAME"""

from __future__ import annotations

from typing import Annotated

from princeps.cli.frame import DONE, NOT_REACHED, emit, parameters, verb
from princeps.cli.options import Name, Parameters, json_option, own
from princeps.model.options import HOW, OUTPUT, RunOptions, said_of

EXAMPLES = (
    "princeps tune p_pl -n 100 --hold 1e12",
    "princeps tune timer -n 100 --hold 1e9 --store tuned.db -o timer.svg",
    "princeps tune p_ll -n 1000 --failure 0.001",
)


@verb
def command(
    name: Name,
    n: Annotated[str | None, own("-n", metavar="NUMBER", help="How many agents.")] = None,
    p: Parameters = None,
    hold: Annotated[str | None, own("--hold", metavar="STEPS", help=said_of("tune", "hold"))] = None,
    failure: Annotated[str | None, own("--failure", metavar="SHARE", help=said_of("tune", "failure"))] = None,
    start: Annotated[str | None, own("--start", metavar="START", help=said_of("tune", "start"))] = None,
    effort: Annotated[str, own("--effort", metavar="TRIALS", help=said_of("tune", "effort"), group=HOW)] = "5000",
    seed: Annotated[str | None, own("--seed", metavar="INTEGER", help=said_of("tune", "seed"), group=HOW)] = None,
    jobs: Annotated[str | None, own("--jobs", metavar="NUMBER", help=said_of("tune", "jobs"), group=HOW)] = None,
    store: Annotated[str | None, own("--store", metavar="FILE", help=said_of("tune", "store"), group=OUTPUT)] = None,
    output: Annotated[str | None, own("-o", metavar="FILE", help=said_of("tune", "output"), group=OUTPUT)] = None,
    as_json: Annotated[bool, json_option("One object on stdout.")] = False,
) -> int:
    """Choose constants: the fastest that hold a unique leader long enough, certified by simulation with fresh seeds."""
    from princeps.api.tune import tune_described
    from princeps.cli.exact_tables import print_report
    from princeps.cli.progress import phases
    from princeps.errors import Interrupted
    from princeps.model.description import Description

    description = Description(name, n, parameters(p or []), RunOptions(start=start, seed=seed))
    try:
        with phases(as_json) as observe:
            found = tune_described(description, hold, failure, effort, jobs, store, output, observe=observe)
    except Interrupted as error:
        if error.partial is not None:
            emit(error.partial.as_json()) if as_json else print_report(error.partial)
        raise KeyboardInterrupt from None
    if as_json:
        emit(found.as_json())
    else:
        print_report(found)
    return DONE if found.verdict == "certified" else NOT_REACHED
