"""princeps paper [003 ...]"""

from __future__ import annotations

from typing import Annotated

import typer

from princeps.cli.frame import DONE, INTERRUPTED, NOT_REACHED, complain, emit, verb


@verb
def command(
    what: Annotated[
        list[str] | None, typer.Argument(metavar="[WHAT]...", help="Papers (003), claims (003.L9), or ./claims.py.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Small samples: minutes (the default).")] = False,
    full: Annotated[bool, typer.Option("--full", help="Large samples: an hour.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="All papers (as without WHAT).")] = False,
    html: Annotated[str | None, typer.Option(help="Write pages: a folder, or out.html for one paper.")] = None,
    store: Annotated[str, typer.Option(help="The file that keeps the evidence.")] = "papers.db",
    seed: Annotated[str, typer.Option(help="Of the whole examination.")] = "0",
    jobs: Annotated[str | None, typer.Option(help="Worker processes (all processors).")] = None,
    planted: Annotated[
        bool, typer.Option("--planted", help="Plant each claim's fault: all verdicts must change.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One object a claim on stdout.")] = False,
) -> int:
    """A verdict for every claim of the papers; exit code 0 if and only if every verdict is the recorded one."""
    from princeps.campaign.evidence import discard_if_empty
    from princeps.campaign.store import open_store
    from princeps.cli.paper_progress import watching_papers
    from princeps.cli.paper_tables import print_finding, print_sum
    from princeps.errors import ParameterError, RunError
    from princeps.model.machine import processors
    from princeps.model.numbers import read_count, read_integer
    from princeps.papers.examining import Examination
    from princeps.papers.shelf import find_papers
    from princeps.reports.pages import refuse_pages, write_pages

    if quick and full:
        raise RunError("--quick and --full are given together: choose one of them.")
    if everything and what:
        raise RunError(f"--all is given beside {what[0]!r}: leave one of them out.")
    if html is not None and planted:
        raise RunError("--html shows the papers as they are: leave --planted out.")
    workers = processors() if jobs is None else read_count(jobs, "jobs")
    if workers < 1:
        raise ParameterError(f"jobs = {workers} is too small: give at least 1.")
    seed_number = read_integer(seed, "seed")
    papers = find_papers(what or [])
    if html is not None:
        refuse_pages(html, papers)
    findings, pages, code = [], [], DONE
    try:
        with open_store(store) as opened, watching_papers(as_json) as watch:
            examination = Examination(
                *(opened,),
                effort="full" if full else "quick",
                seed=seed_number,
                jobs=workers,
                plant=planted,
            )
            for paper in papers:
                own = []
                for finding in examination.findings(paper, watch):
                    own.append(finding)
                    emit(finding.as_json()) if as_json else print_finding(finding, planted)
                findings += own
                if html is not None:
                    pages.append((paper, own, examination.exhibits(paper, watch)))
    except KeyboardInterrupt:
        code = INTERRUPTED
        complain(f"interrupted; the store {store!r} holds what was finished, the same command goes on.")
    finally:
        discard_if_empty(store)
    if not as_json and findings:
        print_sum(findings, planted)
    if code == INTERRUPTED:
        return code
    if html is not None:
        write_pages(html, pages, what=what or [], full=full, seed=seed_number)
    good = all(finding.changed for finding in findings) if planted else all(one.as_recorded for one in findings)
    return DONE if good else NOT_REACHED
