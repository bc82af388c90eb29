"""Every asymmetric ring of a size over a small alphabet, under every schedule: worst and mean costs beside the bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from princeps.engines.rings.simulate import simulate_ring
from princeps.errors import ParameterError
from princeps.model import limits, registry
from princeps.model.limits import refuse_beyond
from princeps.model.numbers import in_words, rounded_up
from princeps.model.parameters import complaint_of
from princeps.model.rings.algorithm import RingAlgorithm
from princeps.model.rings.reading import make_ring_run
from princeps.model.rings.result import RingResult
from princeps.model.rings.ring import Ring
from princeps.model.rings.run import RingRun
from princeps.model.rings.words import lyndon_count, lyndon_words

RING_COSTS = ("time", "messages", "max_bits")
MESSAGES_OF_A_RUN = 10_000  # that take as long as to begin and to end a run


@dataclass(frozen=True)
class Cost:
    """`worst` is over all rings and schedules, `mean` over the rings in the synchronous one."""

    worst: int
    mean: float
    ring: str  # that attains the worst
    bound: float | None  # the paper's, where it has one, on that ring
    tightest: float | None  # the largest share of its own ring's bound that any run takes

    def as_json(self) -> dict[str, Any]:
        return dict(self.__dict__)


@dataclass(frozen=True, repr=False)
class Survey:
    """What all rings with n processes do for one k."""

    protocol: str
    n: int
    k: int | None
    alphabet: int
    rings: int
    runs: int
    elected: int  # runs that kept the whole specification
    failures: tuple[RingResult, ...]
    schedule_free: bool  # messages and bits did not depend on the schedule, on any ring
    costs: dict[str, Cost]
    bidirectional: bool = False
    slower: int = 0  # runs that took longer than the synchronous one on the same ring
    configurations: int | None = None  # of all interleavings on all rings, if they were explored
    breaches: tuple[str, ...] = ()  # what some interleaving breaks, with the command that shows it

    def __getattr__(self, name: str) -> Cost:
        """Costs read like attributes: `survey.time.worst`."""
        costs = self.__dict__.get("costs", {})
        if name in costs:
            return costs[name]  # type: ignore[no-any-return]
        raise AttributeError(name)

    def __repr__(self) -> str:
        k = "" if self.k is None else f", k = {self.k}"
        elected = "all" if self.elected == self.runs else f"{self.elected:,}"
        costs = ", ".join(f"{name.removeprefix('max_')} {cost.worst:,}" for name, cost in self.costs.items())
        return f"{self.protocol}, n = {self.n}{k}: {self.rings:,} rings, {self.runs:,} runs, {elected} elected; worst {costs}"

    @property
    def fine(self) -> bool:
        fixed = self.bidirectional or (self.schedule_free and not self.slower)  # two input links: the order may matter
        return self.elected == self.runs and fixed and not self.breaches

    def failures_text(self) -> list[str]:
        return [*self.breaches, *(f"{failure.violations[0]}: {failure.command}" for failure in self.failures)]

    def as_json(self) -> dict[str, Any]:
        names = (
            "protocol",
            "n",
            "k",
            "alphabet",
            "rings",
            "runs",
            "elected",
            "schedule_free",
            "slower",
            "configurations",
        )
        out = {name: getattr(self, name) for name in names}
        out["failures"] = self.failures_text()
        out |= {name: cost.as_json() for name, cost in self.costs.items()}
        return out


def asymmetric_rings(n: int, alphabet: int) -> list[Ring]:
    """One ring of every class of rotations: its clockwise labels are a Lyndon word."""
    return [Ring(word) for word in lyndon_words(n, alphabet)]


def schedules(n: int) -> list[str]:
    """Every kind of schedule; each link is the slow one once."""
    return ["synchronous", "random", "adversarial", *(f"slow:{edge}" for edge in range(n))]


def survey(
    name: registry.Named,
    sizes: Sequence[int],
    alphabet: int,
    most_k: int,
    seed: int = 0,
    engine: str = "compiled",
    limit: int = limits.SURVEYED_MESSAGES,
) -> Iterator[Survey]:
    """A Survey for every n, and every k for which there is a ring in the class; `limit`: of the messages of all runs."""
    cls = registry.find_ring(name)
    if alphabet < 1:
        raise ParameterError(
            f"alphabet = {alphabet} is too small: give at least 1 label (2, to have asymmetric rings)."
        )
    if not sizes or min(sizes) < 2:
        raise ParameterError(f"n = {min(sizes, default=0)} is too small: a ring has at least 2 processes.")
    limits.refuse_long_survey(max(sizes))
    smallest = cls.params_["k"].min if "k" in cls.params_ else 1
    if "k" in cls.params_ and most_k < smallest:
        raise ParameterError(f"max-k = {most_k} is too small: {cls.name} needs k >= {smallest}.")
    _refuse_if_too_many(cls, sizes, alphabet, most_k if "k" in cls.params_ else None, limit)
    for n in sizes:
        rings = asymmetric_rings(n, alphabet)
        for k in range(smallest, most_k + 1) if "k" in cls.params_ else (None,):
            given = {} if k is None else {"k": k}
            legal = [ring for ring in rings if _is_legal(cls(ring, **given), ring)]
            if legal:
                yield _survey(cls, n, k, alphabet, legal, given, seed, engine)


def _is_legal(algorithm: RingAlgorithm, ring: Ring) -> bool:
    return complaint_of(algorithm, algorithm.demands, ring) is None


def _refuse_if_too_many(
    cls: type[RingAlgorithm], sizes: Sequence[int], alphabet: int, most_k: int | None, limit: int
) -> None:
    """All rings, under all schedules, for every k; each with the messages that the largest k allows."""
    runs = messages = 0
    for n in sizes:
        ring = Ring(tuple(range(1, n + 1)))
        algorithm = cls(ring, **({} if most_k is None else {"k": most_k}))
        of_size = lyndon_count(n, alphabet) * len(schedules(n)) * (most_k or 1)
        runs += of_size
        messages += of_size * max(MESSAGES_OF_A_RUN, int(algorithm.promised(ring).get("messages", n * n)))
    refuse_beyond(
        limit,
        messages,
        f"every ring of these sizes means up to {in_words(runs)} runs with {{}} messages",
        f"lower -n, --alphabet{'' if most_k is None else ' or --max-k'}, or raise the limit: --limit {rounded_up(messages)}.",
    )


def _survey(
    cls: type[RingAlgorithm],
    n: int,
    k: int | None,
    alphabet: int,
    rings: list[Ring],
    given: dict[str, int],
    seed: int,
    engine: str,
) -> Survey:
    results: list[list[RingResult]] = []
    for ring in rings:
        arguments: dict[str, Any] = {"labels": ring, "seed": seed, "engine": engine, "params": given}
        runs = [make_ring_run(cls, schedule=schedule, **arguments) for schedule in schedules(n)]
        results.append([_finished(run) for run in runs])
    everything = [result for of_ring in results for result in of_ring]
    return Survey(
        protocol=cls.name,
        n=n,
        k=k,
        alphabet=alphabet,
        rings=len(rings),
        runs=len(everything),
        elected=sum(result.converged for result in everything),
        failures=tuple(result for result in everything if not result.converged),
        schedule_free=all(
            len({(tuple(result.kinds.items()), result.max_bits, result.leader) for result in of_ring}) == 1
            for of_ring in results
        ),
        bidirectional=cls.bidirectional,
        slower=sum(result.time > of_ring[0].time for of_ring in results for result in of_ring),
        costs={what: _cost(what, everything, [of_ring[0] for of_ring in results]) for what in RING_COSTS},
    )


def _finished(run: RingRun) -> RingResult:
    result = simulate_ring(run)
    if result.interrupted:  # an unfinished run is no failure of the algorithm
        raise KeyboardInterrupt
    return result


def _cost(what: str, everything: list[RingResult], synchronous: list[RingResult]) -> Cost:
    worst = max(everything, key=lambda result: int(getattr(result, what)))
    bound = worst.bounds.get(what)
    return Cost(
        worst=getattr(worst, what),
        mean=sum(getattr(result, what) for result in synchronous) / len(synchronous),
        ring=worst.ring.text,
        bound=bound,
        tightest=None if bound is None else max(getattr(r, what) / r.bounds[what] for r in everything),
    )
