"""Small populations exactly: what the verb `exact` does, from Python.

Like api.py it stands above the rooms: exact analyses, and the engines that simulate the same, meet here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

from princeps.errors import ParameterError, RunError
from princeps.model import registry
from princeps.model.modules import refuse_while_loading
from princeps.model.numbers import read_count
from princeps.model.protocol import PopulationProtocol
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.rings.ring import Ring

_EXACT_RING_OPTIONS = ("labels", "random", "ring", "force", "seed", "observer", "params")


def exact(
    name: str | type[PopulationProtocol],
    n: int | str | float | None = None,
    *,
    start: str | None = None,
    target: str | None = None,
    rational: bool = False,
    variance: bool = False,
    distribution: bool = False,
    leaders: bool = False,
    hold: bool = False,
    sets: bool = False,
    lemmas: bool = False,
    reduce: bool = True,
    past_target: bool = False,
    graph: str | None = None,
    automorphisms: str | None = None,
    ids: str | Sequence[int] | None = None,
    force: bool = False,
    export: str | None = None,
    check: str | None = None,
    against_simulation: int | str | float = 0,
    seed: int | None = None,
    jobs: int = 1,
    labels: str | Sequence[Any] | Ring | None = None,
    random: str | None = None,
    ring: str | None = None,
    observer: Callable[[str, int, int], None] | None = None,
    params: Mapping[str, Any] | None = None,
    **more: Any,
) -> Any:
    """Everything about a small population, exactly: an Exact. Of a ring algorithm, all interleavings: an ExactRing.

    `start` is "all" (every configuration; the default of protocols that recover from any) or a start of the protocol.
    Parameters are given by name; in `params` where one is called like an argument of this function.
    """
    refuse_while_loading("princeps.exact")
    params = {**(params or {}), **more}
    given = dict(locals())
    cls = registry.find_any(name) if isinstance(name, str) else name
    if issubclass(cls, RingAlgorithm):
        from princeps.analysis.rings.report import exact_ring

        _refuse_for_rings(cls, given)
        given_ring = {"labels": labels, "random": random, "ring": ring, "force": force, "seed": seed or 0}
        return exact_ring(name, n, **given_ring, params=params, progress=observer)
    if any(value is not None for value in (labels, random, ring)):
        raise RunError(f"{cls.name} is a population protocol: labels, random and ring are for ring algorithms.")
    from princeps.analysis.analysis import analyse, prepare
    from princeps.analysis.options import ExactOptions
    from princeps.analysis.progress import no_progress

    prepared, which = prepare(name, n, start=start, graph=graph, ids=ids, force=force, params=params)
    trials = read_count(against_simulation, "against-simulation")
    if trials < 0 or trials == 1:
        raise RunError(f"against-simulation = {trials} is too small: give at least 2 runs, or leave it out.")
    if read_count(jobs, "jobs") < 1:
        raise ParameterError(f"jobs = {jobs} is too small: give at least 1.")
    if trials:
        from princeps.analysis.targets import find_target
        from princeps.api.compare import refuse_simulation

        refuse_simulation(prepared, which, find_target(prepared.protocol, target).name)
    options = ExactOptions(
        rational=rational,
        variance=variance,
        distribution=distribution,
        leaders=leaders,
        hold=hold,
        sets=sets,
        lemmas=lemmas,
        reduce=reduce,
        past_target=past_target,
        stated=trials > 0,
        automorphisms=automorphisms,
        export=export,
        check=check,
        progress=observer or no_progress,
    )
    result, problem = analyse(prepared, which, target, options)
    if trials:
        from princeps.api.compare import simulated

        result.simulation = simulated(problem, result, trials, seed, jobs)
    return result


def _refuse_for_rings(cls: type[RingAlgorithm], given: Mapping[str, Any]) -> None:
    for name, parameter in signature(exact).parameters.items():
        optional = parameter.kind is parameter.KEYWORD_ONLY and name not in _EXACT_RING_OPTIONS
        if optional and given[name] != parameter.default:
            word = "--no-reduce" if name == "reduce" else f"--{name.replace('_', '-')}"
            raise RunError(
                f"{cls.name} is a ring algorithm, of which all interleavings are explored: {word} is for population "
                f"protocols, so leave it out."
            )
