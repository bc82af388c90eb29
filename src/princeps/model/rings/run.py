"""A run of a ring algorithm: algorithm + ring + schedule + seed. Everything that could be wrong is told here."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from princeps.errors import ParameterError, RingError, RunError, UnknownName
from princeps.model import registry
from princeps.model.numbers import natural, read_count, read_integer
from princeps.model.randomness import Stream
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.rings.ring import Ring, check_ring_size, numbered_ring, random_ring, read_ring, read_ring_file
from princeps.model.rings.specification import Violation

ENGINES = ("auto", "reference", "compiled")
SCHEDULES = ("synchronous", "random", "slow:EDGE", "adversarial", "order:0,1,...")
SHOWN = (
    *("protocol", "params", "n", "labels", "schedule", "seed", "trial", "engine", "why", "converged", "leaders"),
    *("leader", "leader_label", "time", "steps", "messages", "kinds", "max_bits", "bounds"),
)
PATIENCE = 100  # a forced run may never end: it is given up after so many times the promised messages


@dataclass(frozen=True)
class Schedule:
    """Who acts next. `slow` and `adversarial` keep a message waiting while anything else can happen."""

    kind: str
    edge: int | None = None  # of slow: the link from this process to the next
    order: tuple[int, ...] = ()  # of order: who acts first, one after the other; then whoever can, by number

    @property
    def text(self) -> str:
        if self.kind == "order":
            return f"order:{','.join(map(str, self.order))}"
        return self.kind if self.edge is None else f"{self.kind}:{self.edge}"

    def slow_ports(self, n: int) -> tuple[int, ...]:
        """The slow link's receiving ends: port i is process i's left side, n+i its right side."""
        return () if self.edge is None else ((self.edge + 1) % n, n + self.edge)


def read_schedule(text: str, n: int) -> Schedule:
    if not isinstance(text, str):
        raise RunError(f"schedule {text!r} is not understood: the schedules are {', '.join(SCHEDULES)}.")
    kind, colon, edge = text.partition(":")
    if kind == "slow" and colon:
        number = natural(edge)
        if number is None or number >= n:
            raise RunError(f"schedule {text!r}: {edge!r} is no link of the ring: slow:0 to slow:{n - 1} delay one.")
        return Schedule(kind, number)
    if kind == "order" and colon:
        numbers = [natural(word.strip()) for word in edge.split(",")]
        order = tuple(number for number in numbers if number is not None and number < n)
        if len(order) < len(numbers):
            raise RunError(f"schedule {text!r} is not understood: list processes of 0..{n - 1}, like order:0,1,1,0.")
        return Schedule(kind, order=order)
    if text not in ("synchronous", "random", "adversarial"):
        raise UnknownName("schedule", text, SCHEDULES)
    return Schedule(text)


@dataclass(frozen=True)
class RingRun:
    """One run, fully determined."""

    algorithm: RingAlgorithm
    spec: str
    ring: Ring
    ring_words: tuple[str, ...]  # how the ring was given on the command line
    schedule: Schedule
    seed: int
    trial: int = 0
    engine: str = "auto"
    max_steps: int | None = None
    force: bool = False

    def stream(self, purpose: str) -> Stream:
        return Stream.of(self.seed, self.trial, purpose)

    def command(self) -> str:
        words = ["princeps", "run", self.spec, *self.ring_words]
        for name, value in self.algorithm.given.items():
            words += ["-p", f"{name}={value}"]
        words += ["--schedule", self.schedule.text, "--seed", str(self.seed)]
        words += ["--trial", str(self.trial)] if self.trial else []
        words += ["--engine", self.engine] if self.engine != "auto" else []
        words += ["--max-steps", str(self.max_steps)] if self.max_steps is not None else []
        words += ["--force"] if self.force else []
        return shlex.join(words)


@dataclass(frozen=True)
class RingResult:
    """What happened. `time` is in units of the longest message delay; `leader` is a process, counted from 0."""

    protocol: str
    params: dict[str, int]
    ring: Ring
    schedule: str
    seed: int
    trial: int
    engine: str
    converged: bool
    leader: int | None
    leaders: int
    time: int
    steps: int
    messages: int
    kinds: dict[str, int]
    max_bits: int
    bounds: dict[str, float]
    violations: tuple[Violation, ...]
    seconds: float
    why: str = ""
    limited: bool = False
    interrupted: bool = False
    command: str = ""
    elects_true_leader: bool = False  # the algorithm promises to

    @property
    def n(self) -> int:
        return self.ring.n

    @property
    def labels(self) -> list[int] | list[str]:
        return list(self.ring.labels)  # type: ignore[return-value]

    @property
    def leader_label(self) -> int | str | None:
        return None if self.leader is None else self.ring.labels[self.leader]

    @property
    def label_bits(self) -> int:
        return self.ring.label_bits

    def as_json(self) -> dict[str, Any]:
        out = {name: getattr(self, name) for name in SHOWN}
        out["label_bits"] = self.label_bits
        out["violations"] = [violation.as_json() for violation in self.violations]
        out["seconds"] = round(self.seconds, 6)
        out |= {name: True for name in ("limited", "interrupted") if getattr(self, name)}
        out["command"] = self.command
        return out


def make_ring_run(
    name: str | type[RingAlgorithm],
    n: int | str | float | None = None,
    *,
    labels: str | Sequence[Any] | Ring | None = None,
    random: str | None = None,
    ring: str | None = None,
    schedule: str = "synchronous",
    seed: int | str = 0,
    trial: int | str = 0,
    engine: str = "auto",
    max_steps: int | str | float | None = None,
    force: bool = False,
    params: Mapping[str, Any] | None = None,
) -> RingRun:
    """Read and check a run as a user describes it; the ring is given in exactly one of four ways."""
    cls = registry.find_ring(name) if isinstance(name, str) else name
    seed_number, trial_number = read_integer(seed, "seed"), read_integer(trial, "trial")
    if trial_number < 0:
        raise ParameterError(f"trial = {trial_number} is negative: trials are numbered from 0.")
    if engine not in ENGINES:
        raise UnknownName("engine", engine, ENGINES)
    given = {key: read_count(value, key) for key, value in (params or {}).items()}
    stream = Stream.of(seed_number, trial_number, "ring")
    the_ring, words = _ring(cls, n, labels, random, ring, given.get("k"), stream)
    plan = read_schedule(schedule, the_ring.n)
    algorithm = cls(the_ring, **given)
    complaint = algorithm.ask(algorithm.demands, the_ring, algorithm.constants)
    if complaint and not force:
        raise RingError(f"{complaint} To see what goes wrong, insist with --force.")
    if plan.kind == "order" and engine == "compiled":
        raise RunError("--schedule order:... is followed in plain Python: leave out --engine compiled.")
    limit = None if max_steps is None else read_count(max_steps, "max-steps")
    if limit is not None and limit < 0:
        raise ParameterError(f"max-steps = {limit} is negative: give 0 or more.")
    if limit is None and complaint:
        promised = algorithm.promised(the_ring).get("messages", the_ring.n**2)
        limit = 10_000 + PATIENCE * int(promised)
    spec = name if isinstance(name, str) else registry.spec(cls)
    return RingRun(
        algorithm, spec, the_ring, words, plan, seed_number, trial_number, engine, limit, force and bool(complaint)
    )


def _ring(
    cls: type[RingAlgorithm],
    n: int | str | float | None,
    labels: str | Sequence[Any] | Ring | None,
    random: str | None,
    file: str | None,
    k: int | None,
    stream: Stream,
) -> tuple[Ring, tuple[str, ...]]:
    ways = [
        way
        for way, given in (("-n", n), ("--labels", labels), ("--random", random), ("--ring", file))
        if given is not None
    ]
    if len(ways) != 1:
        found = " and ".join(ways) + " are given" if ways else "none of them is given"
        raise RingError(f"{cls.name} needs one ring, by --labels, --random, --ring or -n; {found}.")
    if labels is not None:
        found_ring = read_ring(labels)
        return found_ring, ("--labels", found_ring.text)
    if random is not None:
        return random_ring(random, stream, k), ("--random", random)
    if file is not None:
        return read_ring_file(file), ("--ring", file)
    assert n is not None
    size = read_count(n, "n")
    if cls.anonymous:
        check_ring_size(size)
        return Ring((0,) * size), ("-n", str(size))
    return numbered_ring(size, stream), ("-n", str(size))
