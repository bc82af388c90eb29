"""princeps worst NAME -n NUMBER"""

from __future__ import annotations

from typing import Annotated, Any

from princeps.cli.frame import DONE, emit, parameters, verb
from princeps.cli.options import Name, Parameters, given_to, json_option, own, takes
from princeps.model.options import HOW, NOT_OF_RACES, RunOptions, said_of

EXAMPLES = (
    "princeps worst p_rl -n 64",
    "princeps worst p_pl -n 64 -p t_virus=20 -p t_max=200 -p t_emit=200",
    "princeps worst timer -n 20 -p t_max=12 --json",
)


@verb
@takes(RunOptions, without=NOT_OF_RACES)
def command(
    name: Name,
    n: Annotated[str | None, own("-n", metavar="NUMBER", help="How many agents.")] = None,
    p: Parameters = None,
    trials: Annotated[str, own("--trials", metavar="NUMBER", help=said_of("worst", "trials"), group=HOW)] = "100",
    limit: Annotated[str | None, own("--limit", metavar="STEPS", help=said_of("worst", "limit"), group=HOW)] = None,
    as_json: Annotated[bool, json_option("One object on stdout.")] = False,
    **given: Any,
) -> int:
    """Find slow starts of a population that is too large to try all: race many simple ones, and measure the slowest."""
    from princeps.api.progress import displayed
    from princeps.api.worst import worst_described
    from princeps.cli.exact_tables import print_report
    from princeps.model.description import Description, with_seed

    description = with_seed(Description(name, n, parameters(p or []), given_to(RunOptions, given)))
    with displayed("princeps worst", of_a_verb=True) as display:

        def at(text: str) -> None:
            if display is not None:
                display.show(lambda: text)

        found = worst_described(description, trials, limit, at)
    if as_json:
        emit(found.as_json())
    else:
        print_report(found)
    return DONE
