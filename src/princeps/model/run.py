"""A run of a population protocol: protocol + n + topology + start + scheduler + faults + goal + seed, all of it read."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from princeps.model.ad_hoc_goals import goal_named
from princeps.model.faults import AnyFault, TornFault
from princeps.model.goals import LISTING_STARTS
from princeps.model.identifiers import Identifiers
from princeps.model.naming import command_or_reason
from princeps.model.protocol import Goal, PopulationProtocol, Predicate
from princeps.model.randomness import Stream
from princeps.model.scheduler import Drawing, Scheduler, UniformArcs
from princeps.model.states import State
from princeps.model.topology import Topology

MAX_WORD = 100_000  # characters; Linux takes 131,072 in one word of a command
LARGEST_LISTED_POPULATION = 2**32 - 1  # agents, where each of them is numbered


@dataclass(frozen=True)
class Run:
    """One run, fully determined: the same Run gives the same Result on any machine."""

    protocol: PopulationProtocol
    spec: str  # how the user named the protocol
    n: int
    topology: Topology
    start: str
    until: str  # the name of a goal, or a condition in its canonical spelling
    seed: int
    trial: int
    engine: str
    max_steps: int | None = None
    faults: tuple[AnyFault, ...] = ()
    hold: bool = False
    check: bool = False
    scheduler: Scheduler = field(default_factory=UniformArcs)
    ids: Identifiers | None = None
    ids_text: str = ""
    record: tuple[tuple[str, Predicate], ...] = ()
    record_texts: tuple[str, ...] = ()
    record_states: bool = False  # how many agents are in each state, as often
    every: float = 0.0
    snapshots: tuple[int, ...] = ()  # steps, in order, of which the whole configuration is kept
    force: bool = False
    states: tuple[State, ...] | None = None  # of a listing start, once they have been read
    no_command: str = ""  # why no command can name the protocol

    @cached_property
    def goal(self) -> Goal:
        return goal_named(self.protocol, self.until)

    @property
    def keeps_promises(self) -> bool:
        """The graph is the one for which the protocol promises that closed goals are closed."""
        cls = type(self.protocol)
        made_for = cls.topology == "any" or self.topology.kind == demanded_graph(cls)
        other_pairs = self.scheduler.listed is not None or self.scheduler.sees_configuration
        return made_for and not (self.force and other_pairs)

    @property
    def tears(self) -> bool:
        """Some of the faults are torn interactions."""
        return any(isinstance(fault, TornFault) for fault in self.faults)

    @property
    def lists_states(self) -> bool:
        """The start gives the state of each agent, in a file or inline: no rule of the protocol makes it."""
        return self.start.startswith(LISTING_STARTS)

    def stream(self, purpose: str) -> Stream:
        return Stream.of(self.seed, self.trial, purpose)

    def drawing(self) -> Drawing:
        """The pairs of the scheduler as every run of this seed and trial draws them, from the beginning."""
        return self.scheduler.drawing(self.topology, self.stream("schedule"))

    def meetings(self) -> Iterator[tuple[int, int]]:
        """The same, one after the other."""
        return self.scheduler.pairs(self.topology, self.stream("schedule"))

    def command(self) -> str:
        """The command line that repeats exactly this run; empty where none can (`why_not_repeatable`).

        Where none finds the protocol it is a comment that says why.
        """
        return command_or_reason(self.words(), self.no_command)

    def words(self) -> str:
        """The same with whatever stands for the protocol, which whoever replays a script may give instead."""
        if self.why_not_repeatable:
            return ""
        before, after = self._words
        return f"{before} --trial {self.trial}{after}" if self.trial else before + after

    @cached_property
    def why_not_repeatable(self) -> str:
        """Why no command line repeats this run; empty if one does."""
        if not self.scheduler.spelled_out().text:
            return "the scheduler is an object: no command line can name it"
        for what, text in (("start", self.start), ("graph", self.topology.text), ("ids", self.ids_text)):
            if len(text) > MAX_WORD:
                return f"the {what} is too long for a command line: write it into a file, and name that"
        long = len(self.scheduler.spelled_out().text) > MAX_WORD
        return "the list of pairs is too long for a command line: write it into a file" if long else ""

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
        scheduler = self.scheduler.spelled_out()
        if scheduler.listed is not None:
            words += ["--pairs", scheduler.text]
        elif not scheduler.draws_uniform_arcs:
            words += ["--scheduler", scheduler.text]
        for flag, on in (("--hold", self.hold), ("--check", self.check), ("--force", self.force)):
            words += [flag] if on else []
        for text in self.record_texts:
            words += ["--record", text]
        words += ["--every", repr(self.every)] if self.record or self.record_states else []
        words += ["--snapshots", ",".join(map(str, self.snapshots))] if self.snapshots else []
        return before, f" {shlex.join(words)}" if words else ""


def demanded_graph(cls: type[PopulationProtocol]) -> str:
    """The graph that the protocol is made for."""
    return "complete" if cls.topology == "any" else cls.topology
