"""From a description to a run of a population protocol: everything is read here, and what is wrong is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any

from princeps.errors import GraphError, ParameterError, RunError, TooLarge, UnknownName
from princeps.model import limits, registry
from princeps.model.ad_hoc_goals import read_goal
from princeps.model.description import Description, Named, describe
from princeps.model.faults import AnyFault, read_fault
from princeps.model.given_starts import agents_in, given_start, state_names
from princeps.model.goals import LISTING_STARTS
from princeps.model.graphs import make_topology
from princeps.model.identifiers import Identifiers, read_identifiers
from princeps.model.limits import refuse_beyond_memory
from princeps.model.numbers import Integer, read_count, read_integer
from princeps.model.options import Count
from princeps.model.parameters import complaint_of
from princeps.model.predicates import read_predicates, without_states
from princeps.model.protocol import PopulationProtocol
from princeps.model.randomness import Stream
from princeps.model.reading_schedulers import read_scheduler
from princeps.model.run import LARGEST_LISTED_POPULATION, Run, demanded_graph
from princeps.model.snapshots import read_snapshots
from princeps.model.topology import Topology

ARBITRARY_STARTS = ("random", "all_leaders", "no_leader")
AUTO = "auto"  # as a parameter's value: its default
LARGEST_POPULATION = 10**15
MAX_SIZE_WITHOUT_LIMIT = 10_000  # agents; of a run with faults from which its protocol may never recover


def make_run(name: Named, n: Count | None = None, **given: Any) -> Run:
    """A run by the arguments of `princeps.run`; the parameters may also be given as `params`."""
    description = describe(name, n, **given)
    registry.require_population(description.cls)
    return read_run(description)


def trials_of(name: Named, n: Count | None = None, **given: Any) -> Callable[[int], Run]:
    """Any trial of a run, by the arguments of `make_run`."""
    from princeps.model.description import reader_of_trials

    description = describe(name, n, **given)
    registry.require_population(description.cls)
    return reader_of_trials(description)  # type: ignore[return-value]


def read_run(description: Description) -> Run:
    """Read and check a run as a user describes it; the name of its engine is checked by engines/dispatch.py."""
    given, cls = description.options, registry.require_population(description.cls)
    seed, trial = read_seed_and_trial(given.seed, given.trial)
    size = None if description.n is None else read_count(description.n, "n")
    if size is None and given.graph is None:
        size = agents_in(given.start)
    if size is not None:
        check_size(size)
    topology = _topology(cls, given.graph, size, given.force, Stream.of(seed, trial, "graph"))
    protocol, identifiers = _protocol(cls, topology.n, description.params, given.ids, Stream.of(seed, trial, "ids"))
    limit = read_limit(given.max_steps)
    faults = _faults(protocol, [given.faults] if isinstance(given.faults, str) else given.faults, topology.n, limit)
    if given.hold:
        _check_hold(cls, faults, limit)
    goal = read_goal(protocol, cls.default_goal if given.until is None else given.until)
    record = [given.record] if isinstance(given.record, str) else given.record
    counted, record_states = without_states(protocol, record)
    return Run(
        protocol=protocol,
        spec=description.spec,
        n=topology.n,
        topology=topology,
        start=_start(cls, given.start),
        until=goal,
        seed=seed,
        trial=trial,
        engine=given.engine,
        max_steps=limit,
        faults=faults,
        hold=given.hold,
        check=given.check,
        scheduler=read_scheduler(given.scheduler, given.pairs, topology, given.force),
        ids=identifiers,
        ids_text=_ids_text(given.ids),
        record=tuple(read_predicates(protocol, counted).items()),
        record_texts=tuple(record.values() if isinstance(record, Mapping) else record),
        record_states=record_states,
        every=_spacing(given.every),
        snapshots=read_snapshots(given.snapshots),
        force=given.force,
        no_command=description.no_command,
    )


def read_seed_and_trial(seed: Integer | None, trial: Integer | None) -> tuple[int, int]:
    number = 0 if trial is None else read_integer(trial, "trial")
    if number < 0:
        raise ParameterError(f"trial = {number} is negative: trials are numbered from 0.")
    return 0 if seed is None else read_integer(seed, "seed"), number


def read_limit(max_steps: Count | None) -> int | None:
    limit = None if max_steps is None else read_count(max_steps, "--max-steps")
    if limit is not None and limit < 0:
        raise ParameterError(f"--max-steps = {limit} is negative: give 0 or more.")
    return limit


def _protocol(
    cls: type[PopulationProtocol], n: int, params: Mapping[str, Any], ids: str | Sequence[int] | None, stream: Stream
) -> tuple[PopulationProtocol, Identifiers | None]:
    """The protocol with its parameters, and the identifiers of its agents, if they have any."""
    protocol = cls(n, **_parameters(cls, params))
    if protocol.input_field is None:
        if ids is not None:
            raise RunError(f"ids {ids!r} are given, but {cls.name} is for anonymous agents: leave --ids out.")
        return protocol, None
    if n > LARGEST_LISTED_POPULATION:
        raise TooLarge(
            f"n = {n} is too large for {cls.name}, whose agents have ids: at most {LARGEST_LISTED_POPULATION}. Lower -n."
        )
    identifiers = read_identifiers(ids, n)
    protocol = protocol.with_inputs(identifiers.unordered(stream))
    complaint = complaint_of(protocol, protocol.demands, n)
    if complaint:
        raise RunError(complaint)
    return protocol, identifiers


def _ids_text(ids: str | Sequence[int] | None) -> str:
    return "" if ids is None else ids if isinstance(ids, str) else ",".join(map(str, ids))


def _faults(protocol: PopulationProtocol, texts: Sequence[str], n: int, limit: int | None) -> tuple[AnyFault, ...]:
    faults = [read_fault(text, n) for text in texts]
    found = tuple(sorted(faults, key=lambda fault: (fault.every, fault.step, fault.agents, fault.text)))
    steady = next((fault for fault in found if fault.every), None)
    if steady is not None and limit is None:
        raise RunError(f"fault {steady.text!r} is a steady rate that never ends: give --max-steps with it.")
    for fault in found:
        refuse_beyond_memory(
            fault.agents * limits.FAULT_BYTES + (n * limits.LIST_BYTES if 2 * fault.agents >= n else 0),
            f"fault {fault.text!r}, which draws a state for each of its agents,",
            "hit fewer agents.",
        )
    late = next((fault for fault in found if limit is not None and not fault.strikes_within(limit)), None)
    if late is not None:
        raise RunError(f"fault {late.text!r} never strikes: the run ends at --max-steps {limit}. Raise it.")
    if found and limit is None and not protocol.recovers and n > MAX_SIZE_WITHOUT_LIMIT:
        raise RunError(f"{protocol.name} may never recover from a fault: say with --max-steps when to give up.")
    return found


def _spacing(every: float | str) -> float:
    try:
        number = float(every)
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    if not 0 < number < inf:
        raise ParameterError(f"every = {str(every)!r} is not a parallel time: give a positive number, like 0.1.")
    return number


def check_size(n: int) -> None:
    if n < 2:
        raise ParameterError(f"n = {n} is too small: an interaction needs two agents, so n >= 2.")
    if n > LARGEST_POPULATION:
        raise ParameterError(f"n = {n} is too large: give at most {LARGEST_POPULATION} agents.")


def _parameters(cls: type[PopulationProtocol], given: Mapping[str, Any]) -> dict[str, int]:
    return {
        name: read_count(value, name) if isinstance(value, str) and name in cls.choosable() else value
        for name, value in given.items()
        if not (isinstance(value, str) and value == AUTO)
    }


def _topology(cls: type[PopulationProtocol], graph: str | None, n: int | None, force: bool, stream: Stream) -> Topology:
    demanded = demanded_graph(cls)
    if graph is None and n is None:
        raise RunError("how many agents? Give -n, like -n 1000.")
    if graph is not None and n is not None and n > LARGEST_LISTED_POPULATION:
        raise GraphError(f"n = {n} is too large for a graph given by its edges: at most {LARGEST_LISTED_POPULATION}.")
    topology = make_topology(demanded if graph is None else graph, n, stream)
    check_size(topology.n)
    if cls.topology != "any" and topology.kind != demanded and not force:
        article = {"complete": "complete graphs", "ring": "directed rings"}.get(demanded, f"the graph {demanded}")
        raise GraphError(
            f"{cls.name} is made for {article}, not for {topology.text!r}: nothing is guaranteed there. "
            f"Leave --graph out, or insist with --force."
        )
    return topology


def _start(cls: type[PopulationProtocol], start: str | None) -> str:
    name = cls.default_start if start is None else start
    if name.startswith(LISTING_STARTS) or name in cls.starts or given_start(cls, name) is not None:
        return name
    if not cls.starts:
        raise RunError(f"{cls.name} declares no start: add starts = {{...}} to its file, or give --start file:PATH.")
    if name in ARBITRARY_STARTS and cls.guarantee not in ("self-stabilizing", "loosely-stabilizing"):
        raise RunError(
            f"start {name!r} makes no sense for {cls.name}, which is {cls.guarantee}, not self-stabilizing: "
            f"it works only from {', '.join(cls.starts)}."
        )
    raise UnknownName("start", name, [*cls.starts, *state_names(cls), "file:PATH"])


def _check_hold(cls: type[PopulationProtocol], faults: Sequence[AnyFault], limit: int | None) -> None:
    if cls.guarantee == "self-stabilizing":
        raise RunError(
            f"{cls.name} is self-stabilizing: it never loses its leader. --hold is for loosely-stabilizing ones."
        )
    if cls.guarantee != "loosely-stabilizing" and limit is None:
        raise RunError(f"{cls.name} is {cls.guarantee}: --hold may never end. Give --max-steps with it.")
    if faults:
        raise RunError(f"--hold and --fault {faults[0].text} do not go together: measure one at a time.")
