"""What a weakly fair adversary can do, as plain data: attributes here, keys in JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from princeps.analysis.exact_report import configurations_text, listed_text, states_text, title_of
from princeps.analysis.lassos import Lasso
from princeps.analysis.report import subject
from princeps.model.formatting import json_integer
from princeps.model.report import Report
from princeps.model.states import State


@dataclass(frozen=True)
class FairAdversary:
    """`adversary_wins`: from some start it keeps the population out of the target for ever, though every arc is scheduled
    infinitely often; `certain` says if it does so surely, or with positive probability only, because the rule tosses coins.

    `winning` counts the starts from which it wins, `outside` all that are not in the target, of the original space;
    `listed_winning` and `listed_outside` those over merged states. `homes` are the components in which it may stay: their
    number, and in `home_leaders` how many leaders there are inside.
    """

    protocol: str
    params: dict[str, int]
    n: int
    graph: str
    start: str
    scheduler: str
    target: str
    configurations: int
    reduced: int
    target_size: int
    adversary_wins: bool
    certain: bool
    winning: int
    outside: int
    listed_winning: int
    listed_outside: int
    homes: int
    home_leaders: tuple[int, ...]
    winning_start: tuple[State, ...] | None
    lasso: Lasso | None
    fields: tuple[str, ...]
    seconds: float = 0.0

    def report(self) -> Report:
        rows = [
            ("configurations", listed_text(self)),
            ("target", f"{self.target}: {configurations_text(self.target_size)}"),
            ("scheduler", "weakly fair: every arc infinitely often, otherwise as an adversary likes"),
            ("verdict", self._verdict()),
        ]
        if self.adversary_wins:
            leaders = " or ".join(map(str, self.home_leaders))
            plural = "" if self.homes == 1 else "s"
            rows.append(("it stays in", f"{self.homes:,} component{plural} with every arc; {leaders} leaders there"))
        if self.lasso is not None:
            stem, cycle = len(self.lasso.stem), len(self.lasso.cycle)
            rows += [
                ("for example", states_text(self.lasso.states)),
                (
                    "lasso",
                    f"{f'{stem:,} interactions, then ' if stem else ''}{cycle:,} again and again, with every arc",
                ),
                ("replay", self.lasso.command),
            ]
        elif self.winning_start is not None:
            rows.append(("for example", states_text(self.winning_start)))
        rows.append(("seconds", f"{self.seconds:.2f}"))
        return Report(title_of(self), rows)

    def _verdict(self) -> str:
        if not self.adversary_wins:
            return "the target is reached under every weakly fair scheduler"
        surely = "" if self.certain else ", with positive probability,"
        if self.start != "all":
            return f"the adversary{surely} avoids the target for ever: a random scheduler is needed"
        of = f"{configurations_text(self.winning)} of {self.outside:,} outside the target"
        return f"the adversary{surely} avoids the target for ever from {of}: a random scheduler is needed"

    def __repr__(self) -> str:
        return self.report().text()

    def _repr_html_(self) -> str:
        return self.report().html()

    def as_json(self) -> dict[str, Any]:
        start = self.winning_start
        return {
            **subject(self),
            "scheduler": self.scheduler,
            "target": self.target,
            "configurations": json_integer(self.configurations),
            "reduced": self.reduced,
            "target_size": json_integer(self.target_size),
            "adversary_wins": self.adversary_wins,
            "certain": self.certain,
            "winning": json_integer(self.winning),
            "outside": json_integer(self.outside),
            "listed_winning": self.listed_winning,
            "listed_outside": self.listed_outside,
            "homes": self.homes,
            "home_leaders": list(self.home_leaders),
            "winning_start": None if start is None else [dict(zip(self.fields, one, strict=True)) for one in start],
            "lasso": None if self.lasso is None else self.lasso.as_json(self.fields),
            "seconds": self.seconds,
        }
