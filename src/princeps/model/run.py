"""A run: protocol + n + topology + start + faults + goal + seed. Everything that could be wrong is told here."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from math import inf
from operator import index
from typing import Any

from princeps.errors import GraphError, ParameterError, RunError, TooLarge, UnknownName
from princeps.model import registry
from princeps.model.faults import Fault, read_fault
from princeps.model.identifiers import Identifiers, read_identifiers
from princeps.model.numbers import natural, read_count, read_integer
from princeps.model.predicates import read_predicates
from princeps.model.protocol import Goal, PopulationProtocol, Predicate
from princeps.model.randomness import Stream
from princeps.model.states import State
from princeps.model.topology import Topology, is_drawn, make_topology

ENGINES = ("auto", "reference", "agents", "events", "counts")
ARBITRARY_STARTS = ("random", "all_leaders", "no_leader")
LISTING_STARTS = ("file:", "json:", "states:")  # a state for each agent, in a file or on the command line
AUTO = "auto"  # as a parameter's value: its default
MOST_AGENTS = 10**15
SMALL_ENOUGH_TO_WAIT = 10_000  # where nobody may recover, a larger population needs a limit
MOST_LISTED_AGENTS = 2**32 - 1


@dataclass(frozen=True)
class Run:
    """One run, fully determined: the same Run gives the same Result on any machine."""

    protocol: PopulationProtocol
    spec: str  # how the user named the protocol
    n: int
    topology: Topology
    start: str
    until: str
    seed: int
    trial: int
    engine: str
    max_steps: int | None = None
    faults: tuple[Fault, ...] = ()
    hold: bool = False
    check: bool = False
    pairs: tuple[tuple[int, int], ...] | None = None
    pairs_text: str = ""
    ids: Identifiers | None = None
    ids_text: str = ""
    record: tuple[tuple[str, Predicate], ...] = ()
    record_texts: tuple[str, ...] = ()
    every: float = 0.0
    force: bool = False
    states: tuple[State, ...] | None = None  # of a listing start, once they have been read

    @cached_property
    def goal(self) -> Goal:
        return type(self.protocol).all_goals()[self.until]

    @property
    def keeps_promises(self) -> bool:
        """The graph is the one for which the protocol promises that closed goals are closed."""
        cls = type(self.protocol)
        made_for = cls.topology == "any" or self.topology.kind == demanded_graph(cls)
        return made_for and not (self.force and self.pairs is not None)

    @property
    def lists_states(self) -> bool:
        """The start gives the state of each agent, in a file or inline: no rule of the protocol makes it."""
        return self.start.startswith(LISTING_STARTS)

    def stream(self, purpose: str) -> Stream:
        return Stream.of(self.seed, self.trial, purpose)

    def command(self) -> str:
        """The command line that repeats exactly this run; empty where none can (a schedule given as a sequence)."""
        if self.pairs is not None and not self.pairs_text:
            return ""
        before, after = self._words
        return f"{before} --trial {self.trial}{after}" if self.trial else before + after

    @cached_property
    def _words(self) -> tuple[str, str]:
        """What the command says before and after the number of the trial; the same for all trials (25 microseconds)."""
        words = ["princeps", "run", self.spec, "-n", str(self.n)]
        for name, value in self.protocol.given.items():
            words += ["-p", f"{name}={value}"]
        words += ["--start", self.start, "--until", self.until, "--seed", str(self.seed)]
        before, words = shlex.join(words), []
        words += ["--engine", self.engine] if self.engine != "auto" else []
        words += ["--graph", self.topology.text] if self.topology.text != demanded_graph(type(self.protocol)) else []
        words += ["--max-steps", str(self.max_steps)] if self.max_steps is not None else []
        for fault in self.faults:
            words += ["--fault", fault.text]
        words += ["--ids", self.ids_text] if self.ids_text else []
        words += ["--pairs", self.pairs_text] if self.pairs_text else []
        for flag, on in (("--hold", self.hold), ("--check", self.check), ("--force", self.force)):
            words += [flag] if on else []
        for text in self.record_texts:
            words += ["--record", text]
        words += ["--every", repr(self.every)] if self.record else []
        return before, f" {shlex.join(words)}" if words else ""


def make_run(
    name: str | type[PopulationProtocol],
    n: int | str | float | None = None,
    *,
    start: str | None = None,
    until: str | None = None,
    seed: int | str = 0,
    engine: str = "auto",
    trial: int | str = 0,
    graph: str | None = None,
    max_steps: int | str | float | None = None,
    faults: Sequence[str] = (),
    hold: bool = False,
    check: bool = False,
    pairs: str | Sequence[tuple[int, int]] | None = None,
    ids: str | Sequence[int] | None = None,
    record: Sequence[str] | Mapping[str, str] = (),
    every: float | str = 0.1,
    force: bool = False,
    params: Mapping[str, Any] | None = None,
) -> Run:
    """Read and check a run as a user describes it."""
    faults = [faults] if isinstance(faults, str) else faults
    record = [record] if isinstance(record, str) else record
    cls = registry.find(name) if isinstance(name, str) else name
    seed_number = read_integer(seed, "seed")
    trial_number = read_integer(trial, "trial")
    if trial_number < 0:
        raise ParameterError(f"trial = {trial_number} is negative: trials are numbered from 0.")
    if engine not in ENGINES:
        raise UnknownName("engine", engine, ENGINES)
    size = None if n is None else read_count(n, "n")
    if size is not None:
        check_size(size)
    topology = _topology(cls, graph, size, force, Stream.of(seed_number, trial_number, "graph"))
    size = topology.n
    protocol = cls(size, **_parameters(cls, params or {}))
    identifiers = None
    if protocol.input_field is not None:
        if size > MOST_LISTED_AGENTS:
            raise TooLarge(
                f"n = {size} is too large for {cls.name}, whose agents have ids: at most {MOST_LISTED_AGENTS}. Lower -n."
            )
        identifiers = read_identifiers(ids, size)
        protocol = protocol.with_inputs(identifiers.unordered(Stream.of(seed_number, trial_number, "ids")))
        complaint = protocol.demands(size, protocol.constants)
        if complaint:
            raise RunError(complaint)
    elif ids is not None:
        raise RunError(f"ids {ids!r} are given, but {cls.name} is for anonymous agents: leave --ids out.")
    goal_name = until or cls.default_goal
    if goal_name not in cls.all_goals():
        raise UnknownName("goal", goal_name, cls.all_goals())
    start_name = _start(cls, start)
    limit = None if max_steps is None else read_count(max_steps, "max-steps")
    if limit is not None and limit < 0:
        raise ParameterError(f"max-steps = {limit} is negative: give 0 or more.")
    found = tuple(
        sorted((read_fault(text, size) for text in faults), key=lambda fault: (fault.every, fault.step, fault.agents))
    )
    steady = next((fault for fault in found if fault.every), None)
    if steady is not None and limit is None:
        raise RunError(f"fault {steady.text!r} is a steady rate that never ends: give --max-steps with it.")
    late = next((fault for fault in found if limit is not None and fault.step >= limit), None)
    if late is not None:
        raise RunError(f"fault {late.text!r} never strikes: the run ends at max-steps = {limit}. Raise --max-steps.")
    if found and limit is None and not protocol.recovers and size > SMALL_ENOUGH_TO_WAIT:
        raise RunError(f"{cls.name} may never recover from a fault: say with --max-steps when to give up.")
    if hold:
        _check_hold(cls, found, limit)
    if check and engine not in ("auto", "reference"):
        raise RunError(f"--check asserts every step in plain Python: leave out --engine {engine}.")
    schedule = None if pairs is None else _pairs(pairs, topology, force)
    predicates = tuple(read_predicates(protocol, record).items())
    return Run(
        protocol=protocol,
        spec=name if isinstance(name, str) else registry.spec(cls),
        n=size,
        topology=topology,
        start=start_name,
        until=goal_name,
        seed=seed_number,
        trial=trial_number,
        engine=engine,
        max_steps=limit,
        faults=found,
        hold=hold,
        check=check,
        pairs=schedule,
        pairs_text=pairs if isinstance(pairs, str) else "",
        ids=identifiers,
        ids_text="" if ids is None else ids if isinstance(ids, str) else ",".join(map(str, ids)),
        record=predicates,
        record_texts=tuple(record.values() if isinstance(record, Mapping) else record),
        every=_spacing(every),
        force=force,
    )


def repeated(description: Mapping[str, Any]) -> Callable[[int], Run]:
    """Any trial of one description; what does not differ between trials is read and checked once (0.3 ms each)."""
    first = None if is_drawn(description.get("graph") or "") else make_run(**description, trial=0)
    if first is None or first.ids is not None:
        return lambda trial: make_run(**description, trial=trial)
    if first.lists_states:
        from princeps.model.starts import listed_states

        object.__setattr__(first, "states", tuple(listed_states(first)))

    def another(trial: int) -> Run:
        twin = copy(first)
        object.__setattr__(twin, "trial", trial)
        return twin

    return another


def _spacing(every: float | str) -> float:
    try:
        number = float(every)
    except ValueError:
        number = -1.0
    if not 0 < number < inf:
        raise ParameterError(f"every = {str(every)!r} is not a parallel time: give a positive number, like 0.1.")
    return number


def check_size(n: int) -> None:
    if n < 2:
        raise ParameterError(f"n = {n} is too small: an interaction needs two agents, so n >= 2.")
    if n > MOST_AGENTS:
        raise ParameterError(f"n = {n} is too large: give at most {MOST_AGENTS} agents.")


def _parameters(cls: type[PopulationProtocol], given: Mapping[str, Any]) -> dict[str, int]:
    return {
        name: read_count(value, name) if isinstance(value, str) and name in cls.params_ else value
        for name, value in given.items()
        if value != AUTO
    }


def demanded_graph(cls: type[PopulationProtocol]) -> str:
    return "complete" if cls.topology == "any" else cls.topology


def _topology(cls: type[PopulationProtocol], graph: str | None, n: int | None, force: bool, stream: Stream) -> Topology:
    demanded = demanded_graph(cls)
    if graph is None and n is None:
        raise RunError("how many agents? Give -n, like -n 1000.")
    if graph is not None and n is not None and n > MOST_LISTED_AGENTS:
        raise GraphError(f"n = {n} is too large for a graph given by its edges: at most {MOST_LISTED_AGENTS}.")
    topology = make_topology(graph or demanded, n, stream)
    check_size(topology.n)
    if cls.topology != "any" and topology.kind != demanded and not force:
        article = {"complete": "complete graphs", "ring": "directed rings"}.get(demanded, f"the graph {demanded}")
        raise GraphError(
            f"{cls.name} is made for {article}, not for {topology.text!r}: nothing is guaranteed there. "
            f"Leave --graph out, or insist with --force."
        )
    return topology


def _start(cls: type[PopulationProtocol], start: str | None) -> str:
    name = start or cls.default_start
    if name.startswith(LISTING_STARTS) or name in cls.starts:
        return name
    if not cls.starts:
        raise RunError(f"{cls.name} declares no start: add starts = {{...}} to its file, or give --start file:PATH.")
    if name in ARBITRARY_STARTS and cls.guarantee not in ("self-stabilizing", "loosely-stabilizing"):
        raise RunError(
            f"start {name!r} makes no sense for {cls.name}, which is {cls.guarantee}, not self-stabilizing: "
            f"it works only from {', '.join(cls.starts)}."
        )
    raise UnknownName("start", name, [*cls.starts, "file:PATH"])


def _check_hold(cls: type[PopulationProtocol], faults: Sequence[Fault], limit: int | None) -> None:
    if cls.guarantee == "self-stabilizing":
        raise RunError(
            f"{cls.name} is self-stabilizing: it never loses its leader. --hold is for loosely-stabilizing ones."
        )
    if cls.guarantee != "loosely-stabilizing" and limit is None:
        raise RunError(f"{cls.name} is {cls.guarantee}: --hold may never end. Give --max-steps with it.")
    if faults:
        raise RunError(f"--hold and --fault {faults[0].text} do not go together: measure one at a time.")


def _pairs(given: str | Sequence[tuple[int, int]], topology: Topology, force: bool) -> tuple[tuple[int, int], ...]:
    if isinstance(given, str):
        rows = _listed_pairs(given) if given.startswith("list:") else _read_pairs(given)
    else:
        try:
            rows = [(f"pair {k} of the schedule", index(i), index(j)) for k, (i, j) in enumerate(given, 1)]
        except (TypeError, ValueError) as error:
            raise RunError(f"the schedule is not a list of pairs of agents ({error}): give [(0, 1), ...].") from None
    arcs = None
    if topology.kind == "arcs" and not force:
        arcs = set(zip(topology.sources, topology.targets, strict=True))
    for where, i, j in rows:
        if not (0 <= i < topology.n and 0 <= j < topology.n and i != j):
            raise RunError(f"{where}: ({i}, {j}) is no pair of agents: give two different ones of 0..{topology.n - 1}.")
        if not (force or ((i, j) in arcs if arcs is not None else topology.has_arc(i, j))):
            raise RunError(f"{where}: ({i}, {j}) is no arc of {topology.text!r}: remove it, or insist with --force.")
    return tuple((i, j) for _, i, j in rows)


def _read_pairs(path: str) -> list[tuple[str, int, int]]:
    """Where each pair stands, and its two agents."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"schedule file {path!r} cannot be read ({error}): give a text file of pairs.") from None
    rows = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        numbers = [natural(word) for word in words]
        if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
            raise RunError(f"{path}:{number}: {line.strip()!r} is not an ordered pair of agents: write it like `0 1`.")
        rows.append((f"{path}:{number}", numbers[0], numbers[1]))
    return rows


def _listed_pairs(given: str) -> list[tuple[str, int, int]]:
    """The same from list:0-1,1-2,2-0."""
    text = given.removeprefix("list:")
    rows = []
    for k, word in enumerate(text.split(",") if text.strip() else [], 1):
        numbers = [natural(part.strip()) for part in word.split("-")]
        if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
            raise RunError(
                f"--pairs list: pair {k}: {word.strip()!r} is not an ordered pair of agents: write it like 0-1, "
                f"and a comma between two of them."
            )
        rows.append((f"--pairs list: pair {k}", numbers[0], numbers[1]))
    return rows
