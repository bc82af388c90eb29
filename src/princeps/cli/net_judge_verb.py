"""princeps net judge LOGS"""

from __future__ import annotations

from typing import Annotated

import typer

from princeps.cli.frame import DONE, NOT_REACHED, emit, verb
from princeps.cli.options import json_option

EXAMPLES = ("princeps net judge logs/", "princeps net judge logs/agent-0.1.log logs/agent-1.1.log --json")


@verb
def command(
    logs: Annotated[list[str], typer.Argument(help="Logs of the agents of a cluster, or directories of them.")],
    as_json: Annotated[bool, json_option("One object on stdout.")] = False,
) -> int:
    """Put the logs of a cluster into one order of interactions, and replay it by the reference engine."""
    from princeps.api.member import judge

    result = judge(logs)
    if as_json:
        emit(result.as_json())
    else:
        print(result.report().text())
    return DONE if result.succeeded else NOT_REACHED
