"""princeps exact NAME"""

from __future__ import annotations

from typing import Annotated, Any

import typer

from princeps.cli.frame import DONE, NOT_REACHED, emit, parameters, verb


@verb
def command(
    name: Annotated[str, typer.Argument(help="A protocol's name, or ./mine.py:Mine.")],
    n: Annotated[str | None, typer.Option("-n", metavar="N", help="How many agents.")] = None,
    p: Annotated[list[str] | None, typer.Option("-p", metavar="NAME=VALUE", help="A parameter; repeatable.")] = None,
    target: Annotated[
        str | None,
        typer.Option(
            help="A goal of the protocol; safe, the largest safe set; or some:PREDICATE, all:PREDICATE, none:PREDICATE."
        ),
    ] = None,
    start: Annotated[
        str | None, typer.Option(help="all (every configuration), or a start of the protocol as in run.")
    ] = None,
    rational: Annotated[bool, typer.Option("--rational", help="Exact fractions.")] = False,
    variance: Annotated[bool, typer.Option("--variance", help="The variance of the steps too.")] = False,
    distribution: Annotated[
        bool, typer.Option("--distribution", help="By which step the target is reached with 0.5, 0.9, 0.99.")
    ] = False,
    leaders: Annotated[
        bool, typer.Option("--leaders", help="With how many leaders the target is first reached.")
    ] = False,
    hold: Annotated[bool, typer.Option("--hold", help="How long the target's unique leader is held.")] = False,
    sets: Annotated[bool, typer.Option("--sets", help="Every set that the protocol names: closed? safe?")] = False,
    lemmas: Annotated[bool, typer.Option("--lemmas", help="Prove or refute the lemmas its file states.")] = False,
    no_reduce: Annotated[bool, typer.Option("--no-reduce", help="Merge nothing.")] = False,
    past_target: Annotated[bool, typer.Option("--past-target", help="From a start: explore past the target.")] = False,
    graph: Annotated[str | None, typer.Option(help="As in run.")] = None,
    automorphisms: Annotated[str | None, typer.Option(help="Symmetries of the graph, like '0 2 1 3; 3 1 2 0'.")] = None,
    ids: Annotated[str | None, typer.Option(help="Identifiers, as in run.")] = None,
    force: Annotated[bool, typer.Option("--force", help="A graph or ring the protocol is not made for.")] = False,
    export: Annotated[str | None, typer.Option(help="Write the chain to FILE.drn (Storm) or FILE.prism.")] = None,
    check: Annotated[
        str | None, typer.Option(help="storm: compare with Storm (pip install 'princeps\\[storm]').")
    ] = None,
    against_simulation: Annotated[
        str | None, typer.Option(help="Draw so many runs with the fast engines and compare.", metavar="RUNS")
    ] = None,
    seed: Annotated[str | None, typer.Option(help="Of the simulation, or of a random ring.")] = None,
    jobs: Annotated[str, typer.Option(help="Processes of the simulation.")] = "1",
    labels: Annotated[str | None, typer.Option(help="Ring: labels clockwise; all interleavings are explored.")] = None,
    random: Annotated[str | None, typer.Option(help="Ring: n=5,labels=3,max=2, asymmetric.")] = None,
    ring: Annotated[str | None, typer.Option(help="Ring: a file of labels.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One object on stdout.")] = False,
) -> int:
    """Know everything about a small population: what is safe, what is reachable, exact expected times."""
    from princeps.api.exact import exact
    from princeps.cli.exact_tables import far_off, print_exact, print_exact_ring
    from princeps.cli.progress import phases
    from princeps.model import registry
    from princeps.model.numbers import read_count, read_integer
    from princeps.model.rings.algorithm import RingAlgorithm

    params: dict[str, Any] = parameters(p or [])
    is_ring = issubclass(registry.find_any(name), RingAlgorithm)
    with phases(as_json) as observer:
        found = exact(
            name,
            n,
            start=start,
            target=target,
            rational=rational,
            variance=variance,
            distribution=distribution,
            leaders=leaders,
            hold=hold,
            sets=sets,
            lemmas=lemmas,
            reduce=not no_reduce,
            past_target=past_target,
            graph=graph,
            automorphisms=automorphisms,
            ids=ids,
            force=force,
            export=export,
            check=check,
            against_simulation=0 if against_simulation is None else against_simulation,
            seed=None if seed is None else read_integer(seed, "seed"),
            jobs=read_count(jobs, "jobs"),
            labels=labels,
            random=random,
            ring=ring,
            observer=observer,
            params=params,
        )
    if as_json:
        emit(found.as_json())
    else:
        (print_exact_ring if is_ring else print_exact)(found)
    if is_ring:
        return DONE if found.agreed else NOT_REACHED
    refuted = any(finding.verdict == "refuted" for finding in found.lemmas or ())
    disagrees = far_off(found.simulation) or (found.check is not None and not found.check.agrees)
    return DONE if found.reachable and not refuted and not disagrees else NOT_REACHED
