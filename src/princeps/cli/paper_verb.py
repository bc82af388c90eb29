"""princeps paper [003 ...]"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from princeps.cli.completing import papers
from princeps.cli.frame import DONE, INTERRUPTED, NOT_REACHED, complain, emit, verb
from princeps.cli.options import Force
from princeps.model.options import HOW, OUTPUT, WHAT, said_of

EXAMPLES = (
    "princeps paper 003",
    "princeps paper 003.L9 --full --jobs 4",
    "princeps paper ./claims.py --html out.html",
)


@verb
def command(
    what: Annotated[
        list[str] | None, typer.Argument(metavar="[WHAT]...", help=said_of("paper", "what"), autocompletion=papers)
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Small samples: minutes (the default).", rich_help_panel=HOW)
    ] = False,
    full: Annotated[bool, typer.Option("--full", help=said_of("paper", "full"), rich_help_panel=HOW)] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="All papers (as without WHAT).", rich_help_panel=WHAT)
    ] = False,
    html: Annotated[
        str | None, typer.Option(help=said_of("paper", "html"), rich_help_panel=OUTPUT, metavar="FILE")
    ] = None,
    store: Annotated[
        str, typer.Option(help=said_of("paper", "store"), rich_help_panel=OUTPUT, metavar="FILE")
    ] = "papers.db",
    seed: Annotated[str, typer.Option(help=said_of("paper", "seed"), rich_help_panel=HOW, metavar="INTEGER")] = "0",
    jobs: Annotated[
        str | None, typer.Option(help=said_of("paper", "jobs"), rich_help_panel=HOW, metavar="NUMBER")
    ] = None,
    planted: Annotated[bool, typer.Option("--planted", help=said_of("paper", "planted"), rich_help_panel=HOW)] = False,
    force: Force = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="One object a claim on stdout.", rich_help_panel=OUTPUT)
    ] = False,
) -> int:
    """A verdict for every claim of the papers; exit code 0 if and only if every verdict is the recorded one."""
    from princeps.api.paper import examine
    from princeps.cli.paper_progress import watching_papers
    from princeps.cli.paper_tables import print_finding, print_sum
    from princeps.errors import RunError
    from princeps.model.interruptions import require_interruption
    from princeps.model.limits import read_jobs
    from princeps.model.machine import processors

    if quick and full:
        raise RunError("--quick and --full are given together: choose one of them.")
    if everything and what:
        raise RunError(f"--all is given beside {what[0]!r}: leave one of them out.")
    if html is not None and planted:
        raise RunError("--html shows the papers as they are: leave --planted out.")
    workers = processors() if jobs is None else read_jobs(jobs)
    findings: list[Any] = []

    def show(finding: Any) -> None:
        findings.append(finding)
        emit(finding.as_json()) if as_json else print_finding(finding, planted)

    interrupted = False
    try:
        with watching_papers(as_json) as watch:
            how: dict[str, Any] = {"full": full, "store": store, "seed": seed, "jobs": workers, "planted": planted}
            examine(what or [], **how, html=html, force=force, watch=watch, show=show)
    except KeyboardInterrupt as error:
        require_interruption(error)
        interrupted = True
        complain(f"interrupted; the store {store!r} holds what was finished, the same command goes on.")
    if not as_json and findings:
        print_sum(findings, planted)
    if interrupted:
        return INTERRUPTED
    good = all(finding.changed for finding in findings) if planted else all(one.as_recorded for one in findings)
    return DONE if good else NOT_REACHED
