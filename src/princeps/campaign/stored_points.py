"""The points of a store, as it describes them."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any

from princeps.campaign.holdings import holdings_of
from princeps.campaign.network_point import NETWORK, network_of, network_words, where_of
from princeps.campaign.rows import OF_RINGS
from princeps.campaign.sample import measures_of
from princeps.campaign.store import Store
from princeps.campaign.stored_values import damage_in_words, read_description, read_object
from princeps.model.faults import is_steady
from princeps.model.naming import Name, command_or_reason
from princeps.model.options import RING


@dataclass(frozen=True)
class StoredPoint:
    """A point as its store describes it."""

    number: int
    id: str
    rule: str
    protocol: str
    n: int
    params: dict[str, int]
    constants: dict[str, int]
    asked: tuple[dict[str, str], ...]  # the parameters as they were typed, each time otherwise
    graph: str
    start: str
    until: str
    description: dict[str, Any]
    holding: dict[str, Any] | None = None  # estimated by splitting, if it was: mean, interval, verdict

    @property
    def measures(self) -> list[str]:
        """What is shown of it unless something else is asked for."""
        if self.is_ring:
            return list(OF_RINGS)
        more = ["held_steps"] if self.description.get("hold") else []
        hit = self.description.get("faults") or "kill" in network_of(self.description).get("chaos", "")
        return ["steps", *more, *(["recovery_steps"] if hit else [])]

    @property
    def where(self) -> str:
        """ "simulation" or "network"."""
        return where_of(self.description)

    @property
    def is_ring(self) -> bool:
        return self.description.get("kind") == RING

    @property
    def possible_measures(self) -> tuple[str, ...]:
        return measures_of(self.is_ring)

    @property
    def has_steady_faults(self) -> bool:
        return any(is_steady(fault) for fault in self.description.get("faults") or ())

    def command(self, name: Name, seed: int, engine: str, limit: int | None) -> str:
        """Repeats trial i of this seed, once i is filled in; `name` is the protocol's."""
        options = self.description
        where = options["ring_words"] if self.is_ring else ["-n", str(self.n)]
        verb = "net" if self.where == NETWORK else "run"
        words = ["princeps", verb, name.spec, *where]
        for param, value in self.params.items():
            words += ["-p", f"{param}={value}"]
        words += [] if self.is_ring else ["--start", self.start, "--until", self.until]
        for option in ("graph", "ids", "scheduler"):
            if options.get(option) is not None:
                words += [f"--{option}", str(options[option])]
        words += network_words(network_of(options)) if self.where == NETWORK else ["--engine", engine]
        words += ["--max-steps", str(limit)] if limit is not None else []
        for fault in options.get("faults") or ():
            words += ["--fault", fault]
        words += [flag for flag, key in (("--hold", "hold"), ("--force", "force")) if options.get(key)]
        return command_or_reason(shlex.join([*words, "--seed", str(seed), "--trial"]) + " i", name.no_command)


def read_points(store: Store) -> list[StoredPoint]:
    """Those that have trials, in the order in which they were entered."""
    asked: dict[int, list[dict[str, str]]] = {}
    for number, typed in store.select("SELECT point, typed FROM asked ORDER BY point, typed"):
        with damage_in_words(store.path, "asked", (number, typed)):
            asked.setdefault(number, []).append(read_object(typed, str))
    rows = store.select(
        "SELECT number, id, rule, protocol, n, params, constants, graph, start, until, description FROM points"
        " WHERE EXISTS (SELECT 1 FROM trials WHERE point = number) ORDER BY number"
    )
    found = []
    holdings = holdings_of(store)
    for number, id, rule, protocol, n, params, constants, graph, start, until, description in rows:
        with damage_in_words(store.path, "points", (number,)):
            found.append(
                StoredPoint(
                    *(number, id, rule, protocol, n, read_object(params, int), read_object(constants, int)),
                    *(tuple(asked.get(number, [{}])), graph, start, until, read_description(description)),
                    holding=holdings.get(id),
                )
            )
    return found
