"""What an exact analysis found, as plain data: attributes here, keys in JSON."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from princeps.analysis.counterexamples import Counterexample
from princeps.analysis.hitting_times import Interval
from princeps.analysis.holding import Holding
from princeps.analysis.lemmas import LemmaResult
from princeps.analysis.noisy import Noise
from princeps.analysis.set_reports import SetReport
from princeps.analysis.torn import TornReport
from princeps.model.formatting import fraction_text, json_float, json_integer
from princeps.model.report import Report
from princeps.model.states import State

MAX_JSON_WORST_STARTS = 20


def subject(found: Any) -> dict[str, Any]:
    """What was analysed: the keys with which every answer begins."""
    return {name: getattr(found, name) for name in ("protocol", "params", "n", "graph", "start")}


@dataclass(frozen=True)
class WorstStart:
    """A listed configuration from which the target takes longest, and how many configurations it stands for."""

    states: tuple[State, ...]
    configurations: int

    def as_json(self) -> dict[str, Any]:
        return {"states": [list(state) for state in self.states], "configurations": json_integer(self.configurations)}


@dataclass(frozen=True)
class Simulated:
    """The same expectation by simulation."""

    trials: int
    mean: float
    std_error: float
    z: float
    engine: str
    seed: int

    def as_json(self) -> dict[str, Any]:
        return {**self.__dict__, "z": json_float(self.z)}


@dataclass(frozen=True)
class Checked:
    """The same number by another program."""

    by: str
    exact: bool
    value: float
    ours: float
    agrees: bool
    value_exact: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {**self.__dict__, "value": json_float(self.value), "ours": json_float(self.ours)}


@dataclass
class Exact:
    """`worst` and `mean` are expected steps to the target; `configurations` and `target_size` count the original space,
    in which states and configurations are not merged.

    The mean is over uniform starts (`start` is "all") or from the one start. What can be reached from a start is counted
    with all images of it under the symmetries of the graph. Infinite times are None in JSON.
    """

    protocol: str
    params: dict[str, int]
    n: int
    graph: str
    start: str
    target: str
    configurations: int
    reduced: int
    agent_states: int
    merged_states: int
    target_size: int
    reachable: bool
    worst: float
    worst_interval: Interval
    worst_starts: list[WorstStart]
    worst_count: int  # of the original space, also those that are not kept in `worst_starts`
    mean: float
    mean_interval: Interval
    fields: tuple[str, ...]
    target_closed: bool | None = None
    target_safe: bool | None = None
    largest_safe: int | None = None
    trap: Counterexample | None = None
    worst_exact: Fraction | None = None
    mean_exact: Fraction | None = None
    variance: float | None = None
    variance_interval: Interval | None = None
    quantiles: dict[str, dict[float, int]] | None = None
    leaders_at_target: dict[int, tuple[float, float]] | None = None
    holding: Holding | None = None
    holding_start: tuple[State, ...] | None = None
    sets: list[SetReport] | None = None
    lemmas: list[LemmaResult] | None = None
    torn: TornReport | None = None
    simulation: Simulated | None = None
    check: Checked | None = None
    exported: str | None = None
    scheduler: str | None = None  # the adversary's, as it was asked for; None: uniform
    noise: Noise | None = None
    seconds: float = 0.0

    def report(self) -> Report:
        """What the command line prints, without named sets and lemmas."""
        from princeps.analysis.exact_report import exact_report

        return exact_report(self)

    @property
    def is_contradicted(self) -> bool:
        """By the simulation that it was compared with, hardly by chance."""
        from princeps.analysis.exact_report import far_off

        return far_off(self.simulation)

    def _whole_report(self) -> Report:
        from princeps.analysis.exact_report import more_rows

        report = self.report()
        return Report(report.title, [*report.rows, *more_rows(self)])

    def __repr__(self) -> str:
        return self._whole_report().text()

    def _repr_html_(self) -> str:
        return self._whole_report().html()

    @property
    def worst_start(self) -> list[dict[str, int]]:
        """One configuration with the longest expected time."""
        return [dict(zip(self.fields, state, strict=True)) for state in self.worst_starts[0].states]

    @property
    def leaders_at_target_error(self) -> float | None:
        """A bound of the error of the probabilities in `leaders_at_target`."""
        found = self.leaders_at_target
        return None if found is None else max((error for _, error in found.values()), default=0.0)

    def as_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            **subject(self),
            "target": self.target,
            "configurations": json_integer(self.configurations),
            "reduced": self.reduced,
            "agent_states": self.agent_states,
            "merged_states": self.merged_states,
            "target_size": json_integer(self.target_size),
            "target_closed": self.target_closed,
            "target_safe": self.target_safe,
            "largest_safe": None if self.largest_safe is None else json_integer(self.largest_safe),
            "reachable": self.reachable,
            "worst": json_float(self.worst),
            "worst_interval": [json_float(value) for value in self.worst_interval],
            "worst_start": self.worst_start,
            "worst_count": json_integer(self.worst_count),
            "worst_starts": [start.as_json() for start in self.worst_starts[:MAX_JSON_WORST_STARTS]],
            "mean": json_float(self.mean),
            "mean_interval": [json_float(value) for value in self.mean_interval],
        }
        if self.worst_exact is not None and self.mean_exact is not None:
            out["worst_exact"], out["mean_exact"] = fraction_text(self.worst_exact), fraction_text(self.mean_exact)
        if self.noise is not None:
            out |= {"scheduler": self.scheduler, "noise": fraction_text(self.noise.noise), "rounds": self.noise.rounds}
            out["uniform_worst"] = json_float(self.noise.uniform_worst)
        out |= self._extras()
        out["seconds"] = self.seconds
        return out

    def _extras(self) -> dict[str, Any]:
        """Results that options ask for."""
        out: dict[str, Any] = {}
        if self.trap is not None:
            out["trap"] = self.trap.as_json(self.fields)
        if self.variance is not None and self.variance_interval is not None:
            out["variance"] = self.variance
            out["variance_interval"] = [json_float(value) for value in self.variance_interval]
        if self.quantiles is not None:
            out["quantiles"] = {who: {str(q): t for q, t in found.items()} for who, found in self.quantiles.items()}
        if self.leaders_at_target is not None:
            out["leaders_at_target"] = {str(k): chance for k, (chance, _) in self.leaders_at_target.items()}
            out["leaders_at_target_error"] = self.leaders_at_target_error
        if self.holding is not None:
            out["holding"] = self._holding(self.holding)
        for name, found in (("sets", self.sets), ("lemmas", self.lemmas)):
            if found is not None:
                out[name] = [item.as_json(self.fields) for item in found]
        if self.torn is not None:
            out["torn"] = self.torn.as_json(self.fields)
        for name, item in (("simulation", self.simulation), ("check", self.check)):
            if item is not None:
                out[name] = item.as_json()
        if self.exported is not None:
            out["exported"] = self.exported
        return out

    def _holding(self, held: Holding) -> dict[str, Any]:
        start = self.holding_start
        return {
            "starts": json_integer(held.starts),
            "shortest": json_float(held.shortest),
            "shortest_interval": [json_float(value) for value in held.shortest_interval],
            "shortest_start": None
            if start is None
            else [dict(zip(self.fields, state, strict=True)) for state in start],
            "mean": json_float(held.mean),
            "mean_interval": [json_float(value) for value in held.mean_interval],
        }
