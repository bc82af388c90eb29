"""princeps sweep NAME"""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from princeps.cli import completing
from princeps.cli.frame import BAD_INPUT, DONE, FAULT, INTERRUPTED, NOT_REACHED, complain, emit, parameters, verb
from princeps.cli.options import engine_help, given_to, json_option, own, takes
from princeps.model.options import OF_ONE_RUN, RunOptions, SweepOptions

# A sweep takes lists where a run takes one value.
SAID_HERE = {
    "start": "Starts: random,all_leaders.",
    "until": "Goals, or conditions on counts.",
    "graph": "Graphs.",
    "max_steps": "Give up a trial after this many steps: it is censored.",
    "force": "Run on a graph the protocol is not made for.",
    "random": "Ring: n=1000,labels=50,max=20, asymmetric; without n beside -n, and with formulas in it: labels=n/2,max=2.",
}

EXAMPLES = (
    "princeps sweep fratricide -n 1e3,1e4,1e5 --trials 100 --store growth.db",
    "princeps sweep p_rl -n 50,100,200 -p N=n,2n --precision 5% --trials 10000",
    "princeps sweep a_k -n 8,16 -p k=2 --random labels=n/2,max=2 --trials 20",
)


@verb
@takes(SweepOptions)
@takes(RunOptions, without=OF_ONE_RUN, help=SAID_HERE | engine_help())
def command(
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME...", help="Protocols, or a plan: plan.toml.", autocompletion=completing.protocols),
    ],
    n: Annotated[str | None, own("-n", metavar="N,...", help="How many agents: 1e3,1e4,1e5.")] = None,
    p: Annotated[
        list[str] | None,
        own(
            "-p",
            metavar="NAME=VALUE,...",
            help="A parameter: 1,2,4 or n,2n or auto.",
            completes=completing.parameter_names,
        ),
    ] = None,
    as_json: Annotated[bool, json_option("One object a point on stdout.")] = False,
    **given: Any,
) -> int:
    """Run many trials of many points into a store; the same command again goes on where it stopped."""
    from princeps.api.sweep import SWEPT, campaign_of, estimate_holdings, refuse_rare
    from princeps.cli.campaign_tables import print_holdings, print_summaries
    from princeps.cli.progress import phases
    from princeps.cli.sweep_progress import watching_sweep
    from princeps.model.interruptions import require_interruption

    options = {"n": n, **{name: given[name] for name in SWEPT}}
    campaign = campaign_of(names, parameters(p or []), options, given_to(SweepOptions, given))
    code, sentence = DONE, ""
    holdings: list[dict[str, Any]] = []
    if given["rare"]:
        refuse_rare(campaign)
    try:
        with watching_sweep() as watch:
            found = campaign.run(watch)
        if given["rare"] and not found.failures:
            with phases(as_json) as observe:
                holdings = estimate_holdings(campaign, observe)
        if found.failures:
            code = FAULT if any(failure.is_fault for failure in found.failures) else BAD_INPUT
            sentence = found.failures_in_words()
    except KeyboardInterrupt as error:
        require_interruption(error)
        code = INTERRUPTED
        sentence = f"interrupted; the store {campaign.store!r} holds what was finished, the same command goes on."
    if sentence and not os.path.exists(campaign.store):  # no trial had come to its end
        complain(sentence)
        return code
    results = campaign.results()
    if as_json:
        for summary in results:
            emit(summary.as_json())
        for holding in holdings:
            emit(holding)
    elif len(results):
        print_summaries(results)
        if holdings:
            print_holdings(holdings)
    if sentence:
        complain(sentence)
        return code
    steady = {point.id for point in results.points if point.has_steady_faults}  # which always end at the limit
    unreached = any(
        summary.measure in ("steps", "recovery_steps", "time")
        and summary.censored + summary.never
        and summary.point not in steady
        for summary in results
    )
    return NOT_REACHED if unreached else DONE
