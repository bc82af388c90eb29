"""princeps hold NAME"""

from __future__ import annotations

from typing import Annotated

from princeps.cli.frame import DONE, NOT_REACHED, emit, parameters, verb
from princeps.cli.options import Name, Parameters, json_option, own
from princeps.model.options import HOW, OUTPUT, WHERE, RunOptions, said_of

EXAMPLES = (
    "princeps hold timer -n 100 -p t_max=20",
    "princeps hold p_pl -n 100 -p t_virus=10 -p t_max=20 -p t_emit=50 --precision 10%",
    "princeps hold ./mine.py:Mine -n 50 --store held.db --json",
)


@verb
def command(
    name: Name,
    n: Annotated[str | None, own("-n", metavar="NUMBER", help="How many agents.")] = None,
    p: Parameters = None,
    precision: Annotated[str, own("--precision", metavar="SHARE", help=said_of("hold", "precision"), group=HOW)] = "5%",
    effort: Annotated[str, own("--effort", metavar="TRIALS", help=said_of("hold", "effort"), group=HOW)] = "2000",
    start: Annotated[str | None, own("--start", metavar="START", help=said_of("hold", "start"))] = None,
    graph: Annotated[str | None, own("--graph", metavar="GRAPH", help=said_of("hold", "graph"), group=WHERE)] = None,
    seed: Annotated[str | None, own("--seed", metavar="INTEGER", help=said_of("hold", "seed"), group=HOW)] = None,
    jobs: Annotated[str | None, own("--jobs", metavar="NUMBER", help=said_of("hold", "jobs"), group=HOW)] = None,
    store: Annotated[str | None, own("--store", metavar="FILE", help=said_of("hold", "store"), group=OUTPUT)] = None,
    compare: Annotated[bool, own("--compare/--no-compare", help=said_of("hold", "compare"), group=HOW)] = True,
    as_json: Annotated[bool, json_option("One object on stdout.")] = False,
) -> int:
    """Estimate how long a unique leader is held, where no simulation sees it lost: rare events, by splitting."""
    from princeps.api.hold import hold_described
    from princeps.cli.exact_tables import print_report
    from princeps.cli.progress import phases
    from princeps.errors import Interrupted
    from princeps.model.description import Description

    description = Description(name, n, parameters(p or []), RunOptions(start=start, graph=graph, seed=seed))
    try:
        with phases(as_json) as observe:
            found = hold_described(description, precision, effort, jobs, store, compare=compare, observe=observe)
    except Interrupted as error:
        if error.partial is not None:
            emit(error.partial.as_json()) if as_json else print_report(error.partial)
        raise KeyboardInterrupt from None
    if as_json:
        emit(found.as_json())
    else:
        print_report(found)
    return DONE if found.mean is not None else NOT_REACHED
