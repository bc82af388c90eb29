"""princeps exact NAME"""

from __future__ import annotations

from typing import Annotated, Any

from princeps.cli.ending import leaving_others_behind
from princeps.cli.frame import DONE, NOT_REACHED, complain, emit, parameters, verb
from princeps.cli.options import Name, Parameters, given_to, json_option, own, takes
from princeps.model.options import HOW, OF_RUNS_ONLY, OUTPUT, RING, ExactOptions, RunOptions

# What is said otherwise here than in `run`.
SAID_HERE = {
    "start": "all (every configuration), or a start of the protocol as in run.",
    "until": "The same as --target.",
    "graph": "As in run.",
    "ids": "Identifiers, as in run.",
    "force": "A graph or ring the protocol is not made for; replace a file that princeps did not write.",
    "seed": "Of the simulation, or of a random ring.",
    "labels": "Ring: labels clockwise; all interleavings are explored.",
    "random": "Ring: n=5,labels=3,max=2, asymmetric.",
}

EXAMPLES = (
    "princeps exact fratricide -n 5 --rational",
    "princeps exact p_rl -n 3 -p N=4 --target safe --variance",
    "princeps exact a_k --labels 1,2,2 -p k=2",
)


@verb
@takes(RunOptions, without=OF_RUNS_ONLY, help=SAID_HERE)
@takes(ExactOptions)
def command(
    name: Name,
    n: Annotated[str | None, own("-n", metavar="NUMBER", help="How many agents.")] = None,
    p: Parameters = None,
    watch: Annotated[
        bool,
        own("--watch", help="Open what was found in the browser: a counterexample, or a worst start.", group=OUTPUT),
    ] = False,
    no_browser: Annotated[
        bool, own("--no-browser", help="With --watch: open no browser, print the address with its token.", group=HOW)
    ] = False,
    as_json: Annotated[bool, json_option("One object on stdout.")] = False,
    **given: Any,
) -> int:
    """Know everything about a small population: what is safe, what is reachable, exact expected times."""
    from princeps.api.exact import exact_described
    from princeps.cli.exact_tables import print_exact, print_report
    from princeps.cli.progress import phases
    from princeps.model.description import Description

    if watch:
        from princeps.api.watch import refuse_without_extra, serve_example

        refuse_without_extra()
    description = Description(name, n, parameters(p or []), given_to(RunOptions, {**given, "scheduler": None}))
    is_ring, asks_one_question = description.kind == RING, given["probability"] is not None
    about_fairness = given["scheduler"] == "weakly-fair" and not is_ring
    with phases(as_json) as observer:
        found: Any = exact_described(description, given_to(ExactOptions, given), observer)
    if as_json:
        emit(found.as_json())
    else:
        (print_report if is_ring or asks_one_question or about_fairness else print_exact)(found)
    if watch:
        say, tell = (emit_address, complain) if as_json else (print_at_once, print_at_once)
        with leaving_others_behind():
            serve_example(found, description, browser=not no_browser, say=say, tell=tell)
    if about_fairness:
        return NOT_REACHED if found.adversary_wins else DONE
    if asks_one_question:
        return DONE
    if is_ring:
        return DONE if found.agreed else NOT_REACHED
    refuted = any(finding.verdict == "refuted" for finding in found.lemmas or ())
    disagrees = found.is_contradicted or (found.check is not None and not found.check.agrees)
    dies = found.torn is not None and not found.torn.recovers
    return DONE if found.reachable and not refuted and not disagrees and not dies else NOT_REACHED


def print_at_once(text: str) -> None:
    print(text, flush=True)


def emit_address(address: str) -> None:
    emit({"address": address})
