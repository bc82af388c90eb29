"""A point of a campaign: one law, of which trials are samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from princeps.campaign.identity import content_of, point_id, point_seed
from princeps.campaign.tasks import DescribedTrials
from princeps.engines.dispatch import check_engine
from princeps.engines.fault_times import default_limit
from princeps.errors import GraphError, RunError
from princeps.model.carried import Carried
from princeps.model.description import Description, read
from princeps.model.fields import constants_of
from princeps.model.keeping import kept_of
from princeps.model.options import RING, RunOptions
from princeps.model.run import Run
from princeps.model.topology import is_drawn

MAX_DRAWINGS = 50  # of a random graph


@dataclass(frozen=True)
class Point:
    """`id` is the hash of `content`; `options` are the axes and fixed options as the store keeps them."""

    id: str
    content: dict[str, Any]
    description: Description  # without seed and trial
    options: dict[str, Any]
    typed: dict[str, str]  # the parameters as the user wrote them, without those that are said to be their default
    protocol: str
    n: int
    params: dict[str, int]
    constants: dict[str, int]  # the parameters and what derives from them
    graph: str
    start: str
    until: str
    limit: int | None  # of the steps; trials that reach it are censored
    also: tuple[dict[str, str], ...] = ()  # otherwise typed: at n = 64, N=64 is also N=n

    @property
    def measure(self) -> str:
        """What the campaign is about: the time to the goal, or how long it is held."""
        return "held_steps" if self.description.options.hold else "steps"

    @property
    def rule(self) -> str:
        """The same for all sizes and parameters of one protocol from one start to one goal."""
        start = self.content["start"]
        listed = isinstance(start, str) and start.startswith("states:")  # such a start is of one size only
        parts = {key: self.content[key] for key in ("interact", "leads", "goal", "derived", "of_inputs")}
        return point_id({**parts, "start": None if listed else start})

    def seed(self, campaign_seed: int) -> int:
        return point_seed(campaign_seed, self.id)

    def trials(self, campaign_seed: int, engine: str | None = None) -> DescribedTrials:
        """For a worker: everything but the number of the trial, and what it must still mean when it is run."""
        changes = {"seed": self.seed(campaign_seed), **({} if engine is None else {"engine": engine})}
        return DescribedTrials(self.description.with_options(**changes), self.id)

    def command(self, campaign_seed: int, trial: int, store: str) -> str:
        """Runs one trial alone; a protocol that no name leads to is taken from the store."""
        description, carried = self.description, self.description.protocol
        if isinstance(carried, Carried) and carried.no_command:
            kept = replace(carried, spec=f"{store}:{carried.class_name}", no_command="")
            description = replace(description, protocol=kept)
        return read(description.with_options(seed=self.seed(campaign_seed)), trial).command()

    @property
    def stored(self) -> dict[str, Any]:
        """The description as a store keeps it, with the text of a protocol that is not in the library."""
        named = self.description.protocol
        assert isinstance(named, str | Carried)  # it is sendable
        return {
            "name": named.class_name if isinstance(named, Carried) else named,
            **kept_of(named),
            **self.options,
            "n": self.description.n,
            "params": dict(self.description.params),
        }

    @property
    def label(self) -> str:
        typed = "".join(f", {name}={value}" for name, value in self.typed.items())
        return f"{self.protocol}, n = {self.n:,}{typed}"


def make_point(
    name: Any, n: int | None, params: Mapping[str, int], options: Mapping[str, Any], typed: Mapping[str, str]
) -> Point:
    """Read and check one point; whatever is wrong with it is refused before anything is run."""
    given = {key: value for key, value in options.items() if value is not None}
    if not isinstance(given.get("scheduler", ""), str):
        raise RunError("a sweep needs a scheduler that a command can name: give its name, or weighted:FILE.")
    description = Description(name, n, dict(params), RunOptions(**given)).sendable()
    check_engine(description)
    if description.kind == RING:
        from princeps.campaign.ring_point import make_ring_point

        return make_ring_point(description, options, typed, n)
    run = _some_run(description)
    content = content_of(run)
    return Point(
        id=point_id(content),
        content=content,
        description=description,
        options=dict(options),
        typed={key: text for key, text in typed.items() if not is_default(description.cls, key, text)},
        protocol=run.protocol.name,
        n=run.n,
        params=run.protocol.params,
        constants=constants_of(run.protocol.constants),
        graph=run.topology.text,
        start=run.start,
        until=run.until,
        limit=default_limit(run),
    )


def _some_run(description: Description) -> Run:
    """Where each trial draws its own graph, some graphs may be refused: the first that is not is used."""
    tries = MAX_DRAWINGS if is_drawn(description.options.graph or "") else 1
    for trial in range(tries):
        try:
            return cast(Run, read(description, trial))
        except GraphError:
            if trial == tries - 1:
                raise
    raise AssertionError


def is_default(cls: Any, name: str, text: str) -> bool:
    param = cls.params_.get(name)
    return param is not None and not callable(param.default) and text == str(param.default)
