"""The answer to a temporal question: from the start, or over all configurations; attributes here, keys in JSON."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis import rational
from princeps.analysis.additional_results import refuse_many_fractions
from princeps.analysis.chain import Bits
from princeps.analysis.exact_report import WIDEST, enclosed, fraction_in_short, listed_text, states_text, title_of
from princeps.analysis.hitting_problem import normalised
from princeps.analysis.hitting_times import Interval
from princeps.analysis.options import AnalysisOptions
from princeps.analysis.probabilities import SMALLEST_FLOAT, Bounded, VisitProblem
from princeps.analysis.questions import Question, Set
from princeps.analysis.report import subject
from princeps.analysis.state_space import StateSpace
from princeps.errors import RunError
from princeps.model.formatting import fraction_text, json_integer
from princeps.model.options import ExactOptions, is_given, options_of
from princeps.model.report import Report
from princeps.model.states import State

ALSO_TAKEN = ("probability", "rational", "reduce", "automorphisms", "limit", "jobs")


def refuse_other_questions(options: AnalysisOptions) -> None:
    """A question about time has an answer of its own: what is asked about hitting times beside it is refused."""
    given = (o for o in options_of(ExactOptions).values() if is_given(getattr(options, o.name), o))
    other = next((o for o in given if o.name not in ALSO_TAKEN), None)
    if other is not None:
        raise RunError(f"--probability is a question of its own: leave {other.flag} out, or ask for it without.")


@dataclass(frozen=True)
class Extreme:
    """The smallest or the largest probability of all configurations, and one that has it."""

    probability: float
    interval: Interval
    start: list[dict[str, int]]
    states: tuple[State, ...]  # the same as tuples
    probability_exact: Fraction | None = None

    def as_json(self) -> dict[str, Any]:
        exact = self.probability_exact
        more = {} if exact is None else {"probability_exact": fraction_text(exact)}
        return {"probability": self.probability, "interval": list(self.interval), **more, "start": self.start}


@dataclass(frozen=True)
class ExactProbability:
    """`probability` is that from the start; with start "all" the mean over all configurations, of which the `smallest` and
    the `largest` are given, too. `steps` is the bound of the question, None if it has none."""

    protocol: str
    params: dict[str, int]
    n: int
    graph: str
    start: str
    question: str
    steps: int | None
    configurations: int
    reduced: int
    probability: float
    interval: Interval
    probability_exact: Fraction | None = None
    smallest: Extreme | None = None
    largest: Extreme | None = None
    seconds: float = 0.0

    def report(self) -> Report:
        rows = [
            ("configurations", listed_text(self)),
            ("question", self.question),
            ("probability" if self.smallest is None else "mean", _certified(self.probability, self.interval)),
        ]
        if self.probability_exact is not None:
            rows.append(("exactly", fraction_in_short(self.probability_exact)))
        for name, one in (("smallest", self.smallest), ("largest", self.largest)):
            if one is not None:
                rows.append((name, _certified(one.probability, one.interval)))
                exact = one.probability_exact
                rows += [] if exact is None else [("exactly", fraction_in_short(exact))]
                rows += [("from", states_text(agent.values() for agent in one.start))] if self.n <= WIDEST else []
        rows.append(("seconds", f"{self.seconds:.2f}"))
        return Report(title_of(self), rows)

    def __repr__(self) -> str:
        return self.report().text()

    def _repr_html_(self) -> str:
        return self.report().html()

    def as_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            **subject(self),
            "question": self.question,
            "steps": None if self.steps is None else json_integer(self.steps),
            "configurations": json_integer(self.configurations),
            "reduced": self.reduced,
            "probability": self.probability,
            "interval": list(self.interval),
        }
        if self.probability_exact is not None:
            out["probability_exact"] = fraction_text(self.probability_exact)
        for name, one in (("smallest", self.smallest), ("largest", self.largest)):
            if one is not None:
                out[name] = one.as_json()
        return {**out, "seconds": self.seconds}


def _certified(value: float, interval: Interval) -> str:
    low, high = interval
    return f"{value:.12g}" if low == high else enclosed(f"{value:.12g}", interval)


def probability_of(question: Question, space: StateSpace, start: str, as_fractions: bool) -> ExactProbability:
    yes = _members(space, question.reach)
    no = np.zeros(space.size, np.bool_) if question.hold is None else ~_members(space, question.hold)
    problem = VisitProblem(space, yes, no, question.steps)
    found, exact = problem.answer(), None
    if as_fractions:
        refuse_many_fractions(space)
        exact = problem.fractions()
    run, everywhere = space.run, space.start is None
    value, interval = _average(space, found)
    mean: Fraction | None = None
    if exact is not None:
        mean = rational.weighted_mean(exact, space.multiplicity) if space.start is None else exact[space.start]
        value = float(mean)
    return ExactProbability(
        protocol=run.protocol.name,
        params=run.protocol.params,
        n=run.n,
        graph=run.topology.text,
        start=start,
        question=question.text,
        steps=question.steps,
        configurations=space.original_size,
        reduced=space.size,
        probability=value,
        interval=interval,
        probability_exact=mean,
        smallest=_extreme(space, found, exact, -1) if everywhere else None,
        largest=_extreme(space, found, exact, 1) if everywhere else None,
    )


def _members(space: StateSpace, asked: Set) -> Bits:
    found = space.members(asked.target.name)
    return np.asarray(~found if asked.negated else found)


def _average(space: StateSpace, found: Bounded) -> tuple[float, Interval]:
    """At the start, or over all configurations, whose weighted sum is rounded, too."""
    if space.start is not None:
        x = space.start
        return float(found.values[x]), (float(found.low[x]), float(found.high[x]))
    share = normalised(space.multiplicity)
    slack = 2.0**-52 * (space.size.bit_length() + 8)  # numpy adds in pairs
    underflow = space.size * SMALLEST_FLOAT  # of the shares of single configurations
    low, value, high = (float((each * share).sum()) for each in (found.low, found.values, found.high))
    if _all_equal(found.low) and _all_equal(found.high) and found.low[0] == found.high[0]:
        return float(found.low[0]), (float(found.low[0]), float(found.low[0]))
    return min(value, 1.0), (max(0.0, low * (1 - slack)), min(1.0, high * (1 + slack) + underflow))


def _all_equal(values: NDArray[np.float64]) -> bool:
    return bool((values == values[0]).all())


def _extreme(space: StateSpace, found: Bounded, exact: list[Fraction] | None, sign: int) -> Extreme:
    """The smallest (sign -1) or largest (sign 1), with the configuration that certainly comes nearest to it."""
    outer, inner = (found.high, found.low) if sign > 0 else (found.low, found.high)
    x, fraction = int((sign * inner).argmax()), None
    if exact is not None:
        candidates = np.flatnonzero(sign * outer >= sign * inner[x]).tolist()
        x = max(candidates, key=lambda y: sign * exact[y])
        fraction = exact[x]
    bounds = float((sign * inner).max()) * sign, float((sign * outer).max()) * sign
    value = float(found.values[x]) if fraction is None else float(fraction)
    states, named = tuple(space.configurations.states_of(x)), space.run.protocol.space.name_values
    return Extreme(value, (min(bounds), max(bounds)), [named(state) for state in states], states, fraction)
