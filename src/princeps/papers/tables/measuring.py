"""From a row to the numbers that stand beside its claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from princeps.campaign.fit import Fit
from princeps.campaign.formula import whole_number
from princeps.campaign.law import FitInterval
from princeps.errors import RunError
from princeps.model.description import describe, read
from princeps.model.run import Run
from princeps.papers.answers import SweepTrials
from princeps.papers.judging import demonstrated, number
from princeps.papers.judging_growth import grows_at_least, grows_at_most
from princeps.papers.laboratory import Lab
from princeps.papers.measures import exact_command, exactly
from princeps.papers.tables.declarations import CITED, Comparison, Effort, Row
from princeps.papers.verdicts import Part, together

Z = 1.96
NOTHING = "-"


@dataclass(frozen=True)
class MeasuredPoint:
    """A size with the mean of its trials and a 95 % interval."""

    n: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class MeasuredRow:
    """Its attributes are the keys of `table --json`; what does not belong to a row that is only cited is None or empty."""

    table: str
    row: str
    paper: str
    status: str
    assumes: str
    claimed_time: str
    claimed_states: str
    protocol: str = ""
    measure: str = ""
    states: dict[int, int | None] = field(default_factory=dict)  # by n; None where they are unbounded
    start: str | None = None  # the worst known
    law: str | None = None
    power: float | None = None  # of n, in the law
    logs: int = 0  # the power of the logarithm in it
    coefficient: float | None = None
    interval: FitInterval | None = None
    fit: str = ""  # in words
    points: list[MeasuredPoint] = field(default_factory=list)
    worst_exact: dict[int, float] = field(default_factory=dict)  # by n: expected steps from the worst start
    exact_with: str = ""  # the parameters of that, in words
    agreement: str | None = None  # the verdict on the claimed time
    reasons: list[str] = field(default_factory=list)
    messages: str | None = None  # of ring algorithms: the law of their messages, in words
    messages_law: str | None = None
    bits: dict[int, int] = field(default_factory=dict)  # of ring algorithms: the most that a process has held, by n
    commands: list[str] = field(default_factory=list)
    remark: str = ""

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "points": [vars(point) for point in self.points]}

    @property
    def in_words(self) -> list[str]:
        """What was measured, a sentence a line; nothing of a row that is only cited."""
        if not self.points:
            return []
        last = self.points[-1]
        lines = [f"measured from {self.start or 'initial'}: {self.fit}; {last.mean:.6g} at n = {last.n:,}"]
        if self.messages is not None:
            lines.append(f"messages: {self.messages}; bits held: {by_size(self.bits)}")
        if self.states:
            lines.append(f"states: {by_size(self.states)}")
        if self.worst_exact:
            lines.append(f"exact worst case, in steps: {self.exact_text}")
        return [*lines, f"the claim: {self.agreement}" + (f" ({self.remark})" if self.remark else "")]

    @property
    def exact_text(self) -> str:
        return by_size(self.worst_exact) + (f" ({self.exact_with})" if self.exact_with else "")

    def __repr__(self) -> str:
        return f"{self.row}: claimed {self.claimed_time}; {self.fit or self.status}"


def measured_row(lab: Lab, table: Comparison, row: Row) -> MeasuredRow:
    about = (table.id, row.row, table.paper, row.status, row.assumes, row.claimed_time, row.claimed_states)
    if row.status == CITED:
        return MeasuredRow(*about, remark=row.remark)
    effort = _effort(lab, row)
    asked = asked_of(lab, row)
    worst_exact = exact_worst(lab, row)
    _, sampled = slowest(asked, table.measure)
    fit = sampled.fit(table.measure)
    outcome = together(judged(fit, row, "measured")) if row.claim is not None else None
    ring = table.measure == "time"
    messages = sampled.fit("messages") if ring else None
    return MeasuredRow(
        *about,
        protocol=row.protocol,
        measure=table.measure,
        states={} if ring else {n: _states(row, n) for n in effort.sizes},
        start=sampled.found[-1].point.start,  # the protocol's own, where the row names none
        law=fit.law,
        power=fit.best.power,
        logs=fit.best.logs,
        coefficient=fit.coefficient,
        interval=fit.interval,
        fit=fit.verdict,
        points=_points(sampled, table.measure),
        worst_exact=worst_exact,
        exact_with=parameters_text(row.exact),
        agreement=outcome.verdict if outcome is not None else None,
        reasons=[part.says for part in outcome.parts] if outcome is not None else [],
        messages=messages.verdict if messages is not None else None,
        messages_law=f"{number(messages.coefficient)} {messages.law}" if messages is not None else None,
        bits={found.n: int(found.sample("bits").ended.max()) for found in sampled} if ring else {},
        commands=[*(one.command for one in asked.values()), *exact_commands(row)],
        remark=row.remark,
    )


def asked_of(lab: Lab, row: Row) -> dict[str | None, SweepTrials]:
    """The trials of a row from each of its starts: all are asked for before any answer is read."""
    return {start: _sweep(lab, row, _effort(lab, row), start) for start in row.starts}


def slowest(asked: Mapping[str | None, SweepTrials], measure: str) -> tuple[str | None, SweepTrials]:
    """The worst known start: the one with the largest mean at the largest size."""
    return max(asked.items(), key=lambda one: _points(one[1], measure)[-1].mean)


def _effort(lab: Lab, row: Row) -> Effort:
    effort = lab.pick(row.quick, row.full, row.sketch)
    if not isinstance(effort, Effort):
        raise RunError(f"the row {row.row!r} does not say at which sizes it is measured.")
    return effort


def _sweep(lab: Lab, row: Row, effort: Effort, start: str | None) -> SweepTrials:
    return lab.sweep(
        row.protocol,
        list(effort.sizes),
        trials=effort.trials,
        start=start,
        until=row.until,
        **row.options,
        **row.params,
    )


def _points(sampled: SweepTrials, measure: str) -> list[MeasuredPoint]:
    found = []
    for one in sampled:
        sample = one.sample(measure)
        if sample.mean is None:
            raise RunError(f"not all trials of {one.point.protocol} ended at n = {one.n}: its mean is not known.")
        half = Z * (sample.sd or 0.0) / sample.trials**0.5
        found.append(MeasuredPoint(one.n, sample.mean, sample.mean - half, sample.mean + half))
    return found


def _states(row: Row, n: int) -> int | None:
    params = {name: whole_number(str(text), name, n) for name, text in row.params.items()}
    run = read(describe(row.protocol, n, params=params))
    assert isinstance(run, Run)
    return run.protocol.state_count


def exact_worst(lab: Lab, row: Row) -> dict[int, float]:
    """Expected steps from the worst start, by n; infinite where the goal may never be reached."""
    if not row.exact:
        return {}
    found = lab.measure(
        exactly,
        parts=len(row.exact),
        protocol=row.protocol,
        sizes=list(row.exact),
        target=row.target,
        start=row.exact_start,
    ).parts
    return {n: float(report["worst"]) for (n, _), report in zip(row.exact, found, strict=True)}


def exact_commands(row: Row) -> list[str]:
    words = [f"--start {row.exact_start}"] if row.exact_start else []
    words += [f"--target {row.target}"] if row.target else []
    return [exact_command(row.protocol, n, params, *words) for n, params in row.exact]


def judged(fit: Fit, row: Row, what: str, **more: Any) -> list[Part]:
    """What a row claims about growth, held to what was measured; a bound on all protocols is shown on one of them."""
    claim = row.claim
    assert claim is not None
    parts = [grows_at_most(fit, claim.power, claim.logs, what, **more)] if claim.upper else []
    parts += [grows_at_least(fit, claim.power, claim.logs, what, **more)] if claim.lower else []
    return [demonstrated(part, row.protocol) for part in parts] if row.of_all else parts


def parameters_text(sizes: Sequence[tuple[int, Mapping[str, int]]]) -> str:
    """Of an exact analysis: those that are the same at all sizes, or n at each of them; else size by size."""
    alike = {name: {params.get(name) for _, params in sizes} for _, params in sizes for name in params}
    texts = []
    for name, values in alike.items():
        if len(values) == 1:
            texts.append(f"{name} = {next(iter(values))}")
        elif all(params.get(name) == n for n, params in sizes):
            texts.append(f"{name} = n")
        else:
            texts.append(", ".join(f"{name} = {params[name]} at n = {n}" for n, params in sizes if name in params))
    return ", ".join(texts)


def by_size(values: dict[int, int] | dict[int, int | None] | dict[int, float]) -> str:
    """The first and the last, or all if they are few."""
    shown = list(values.items()) if len(values) <= 3 else [*list(values.items())[:1], *list(values.items())[-1:]]
    texts = [f"{'unbounded' if value is None else number(value)} at n = {n:,}" for n, value in shown]
    if len(set(values.values())) == 1 and len(values) > 1:
        return "unbounded" if None in values.values() else number(float(next(iter(values.values())) or 0))
    return ", ".join(texts) or NOTHING
