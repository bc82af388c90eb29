"""princeps sweep NAME"""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from princeps.cli.frame import BAD_INPUT, DONE, INTERRUPTED, NOT_REACHED, complain, emit, parameters, verb


@verb
def command(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Protocols, or a plan: plan.toml.")],
    n: Annotated[str | None, typer.Option("-n", metavar="N,...", help="How many agents: 1e3,1e4,1e5.")] = None,
    p: Annotated[
        list[str] | None, typer.Option("-p", metavar="NAME=VALUE,...", help="A parameter: 1,2,4 or n,2n or auto.")
    ] = None,
    trials: Annotated[str | None, typer.Option(help="Trials of each point (100).")] = None,
    store: Annotated[str | None, typer.Option(help="The file that keeps the results (results.db).")] = None,
    precision: Annotated[
        str | None, typer.Option(help="Stop at this precision of the mean, like 1%; --trials is the most.")
    ] = None,
    seed: Annotated[str | None, typer.Option(help="Of the campaign (0).")] = None,
    jobs: Annotated[str | None, typer.Option(help="Worker processes (all processors).")] = None,
    cluster: Annotated[str | None, typer.Option(help="Use a Dask cluster: tcp://host:8786.")] = None,
    start: Annotated[str | None, typer.Option(help="Starts: random,all_leaders.")] = None,
    until: Annotated[str | None, typer.Option(help="Goals.")] = None,
    graph: Annotated[str | None, typer.Option(help="Graphs.")] = None,
    engine: Annotated[str | None, typer.Option(help="auto, reference, agents, events or counts.")] = None,
    max_steps: Annotated[
        str | None, typer.Option(help="Give up a trial after this many steps: it is censored.")
    ] = None,
    fault: Annotated[list[str] | None, typer.Option(help="STEP:K or every:STEPS:K; repeatable.")] = None,
    hold: Annotated[bool, typer.Option("--hold", help="Go on until the unique leader is lost.")] = False,
    ids: Annotated[str | None, typer.Option(help="Identifiers: a list like 3,1,2 or random:MAX.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Run on a graph the protocol is not made for.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One object a point on stdout.")] = False,
) -> int:
    """Run many trials of many points into a store; the same command again goes on where it stopped."""
    from princeps.campaign.campaign import Campaign, describe_failures
    from princeps.campaign.plan import make_plan
    from princeps.cli.campaign_tables import print_summaries
    from princeps.cli.sweep_progress import watching_sweep

    options: dict[str, Any] = {"n": n, "start": start, "until": until, "graph": graph, "engine": engine}
    options |= {"max_steps": max_steps, "faults": fault or None, "ids": ids}
    options |= {"hold": hold or None, "force": force or None}  # flags that were left out
    plan = make_plan(names, parameters(p or []), options)
    campaign = Campaign(plan, store=store, trials=trials, seed=seed, precision=precision, jobs=jobs, cluster=cluster)
    code, sentence = DONE, ""
    try:
        with watching_sweep() as watch:
            found = campaign.run(watch)
        if found.troubles:
            code, sentence = BAD_INPUT, describe_failures(found)
    except KeyboardInterrupt:
        code = INTERRUPTED
        sentence = f"interrupted; the store {campaign.store!r} holds what was finished, the same command goes on."
    if not os.path.exists(campaign.store):  # no trial had come to its end
        complain(sentence)
        return code
    results = campaign.results()
    if as_json:
        for summary in results:
            emit(summary.as_json())
    elif len(results):
        print_summaries(results, campaign.store)
    if sentence:
        complain(sentence)
        return code
    steady = {point.id for point in results.points if point.has_steady_faults}  # which always end at the limit
    unreached = any(
        summary.measure in ("steps", "recovery_steps")
        and summary.censored + summary.never
        and summary.point not in steady
        for summary in results
    )
    return NOT_REACHED if unreached else DONE
