"""What a store holds, as a table: a line for each point, or for each trial."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from os import fspath
from typing import TYPE_CHECKING, Any, NoReturn, overload

from princeps.campaign.frames import as_frame, pandas_frame, parquet_bytes, polars_frame
from princeps.campaign.network_point import ALWAYS, NETWORK, network_of
from princeps.campaign.other_seeds import other_seeds_in_words
from princeps.campaign.point_names import PointNames
from princeps.campaign.rows import COLUMN, IS_DATA, NETWORK_COLUMN, OF_NETWORKS, OF_RINGS, Row
from princeps.campaign.sample import MEASURES, Sample, measures_of, read_sample
from princeps.campaign.store import Store, read_store
from princeps.campaign.stored_points import StoredPoint, read_points
from princeps.campaign.summary_table import summary_table
from princeps.errors import StoreError
from princeps.model.files import TABLE, FilePath, Output, store_files
from princeps.model.naming import Name
from princeps.model.options import check_choice
from princeps.model.report import Table

if TYPE_CHECKING:
    from princeps.model.frames import Columns, PandasFrame, PolarsFrame

QUANTILES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}
ABOUT_POINT = ("protocol", "n", "params", "graph", "start", "until")


@dataclass(frozen=True)
class Summary:
    """One measure of one point; its attributes are the keys of `results --json`."""

    point: str
    protocol: str
    params: dict[str, int]
    given: dict[str, str]  # the parameters that were not left at their defaults, as they were typed
    n: int
    graph: str
    start: str
    until: str
    where: str  # "simulation" or "network"
    network: dict[str, str]  # how the network was, by the options of net; empty of simulations
    measure: str
    trials: int
    censored: int  # of these, cut off by the step limit
    never: int  # of these, without end
    without: int  # further trials, to which the measure does not apply: nobody was elected, or nobody counted
    disagreeing: int  # further network runs, whose replay disagrees: they are no data
    mean: float | None  # None if some trial was cut off
    interval: tuple[float, float] | None
    sd: float | None
    restricted_mean: float | None  # a lower bound of the mean, where that is unknown
    minimum: float | None
    q05: float | None
    q25: float | None
    median: float | None
    q75: float | None
    q95: float | None
    maximum: float | None
    seconds: float  # of all trials together
    command: str

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))


class Results:
    """The points of a store, with their trials. Iterating gives a Summary for each point and measure.

    `seed` is the one that a sweep has asked for: its table says how many of the trials are of others.
    """

    def __init__(
        self,
        path: str,
        *,
        measure: str | None = None,
        protocol: str | None = None,
        points: Sequence[str] | None = None,
        seed: int | None = None,
    ) -> None:
        if measure is not None:
            check_choice(measure, "measure", MEASURES)
        self.path, self.measure, self.seed = path, measure, seed
        wanted = None if points is None else set(points)
        with read_store(path) as store:
            self.points = [point for point in read_points(store) if wanted is None or point.id in wanted]
            self.names = PointNames(store)
        if protocol is not None:
            known = self.names.labels(point.number for point in self.points)
            found = [point for point in self.points if self.names.is_called(point.number, protocol)]
            if not found:
                names = ", ".join(sorted(set(known.values()))) or "none"
                raise StoreError(f"store {path!r} has no trials of {protocol!r}: it has {names}.")
            wanted_hash = self.names.hash_of(protocol, (point.number for point in found))
            if wanted_hash is not None:
                found = [point for point in found if wanted_hash in self.names.versions[point.number].hashes]
            self.points = found
        labels = self.names.labels(point.number for point in self.points)
        self.points = [replace(point, protocol=labels[point.number]) for point in self.points]
        if measure is not None and self.points:
            self.points = [point for point in self.points if measure in point.possible_measures]
            if not self.points:
                self.refuse_measure(measure)

    @classmethod
    def nothing(cls, path: str) -> Results:
        """Of a store that was not made, since no trial had come to its end."""
        found = object.__new__(cls)
        found.path, found.measure, found.seed, found.points, found.summaries = path, None, None, [], []
        return found

    def refuse_measure(self, measure: str) -> NoReturn:
        """No point of this store has it."""
        others = measures_of(measure not in OF_RINGS)
        kinds = ("population protocols", "ring algorithms")[:: 1 if measure in OF_RINGS else -1]
        raise StoreError(
            f"store {self.path!r} has trials of {kinds[0]}, and {measure} is of {kinds[1]}: choose {', '.join(others)}."
        )

    def table(self) -> Table:
        """What the command line prints."""
        return summary_table(self.summaries, self.path, self._of_other_seeds())

    def _of_other_seeds(self) -> str:
        if self.seed is None or not self.points:
            return ""
        with read_store(self.path, check=False) as store:
            return other_seeds_in_words(store, [(point.number, point.id) for point in self.points], self.seed)

    def __repr__(self) -> str:
        return self.table().text()

    def _repr_html_(self) -> str:
        return self.table().html()

    def of(self, protocol: str | None) -> Results:
        """Only those of one protocol."""
        if protocol is None:
            return self
        points = [one.id for one in self.points]
        return Results(self.path, measure=self.measure, protocol=protocol, points=points, seed=self.seed)

    def __iter__(self) -> Iterator[Summary]:
        return iter(self.summaries)

    @overload
    def __getitem__(self, which: int) -> Summary: ...

    @overload
    def __getitem__(self, which: slice) -> list[Summary]: ...

    def __getitem__(self, which: int | slice) -> Summary | list[Summary]:
        return self.summaries[which]

    def __len__(self) -> int:
        return len(self.summaries)

    @cached_property
    def summaries(self) -> list[Summary]:
        with read_store(self.path, check=False) as store:  # it was checked when it was first opened
            return [
                summarise(store, point, measure, self.names.in_command(point.number, point.description))
                for point in self.points
                for measure in ([self.measure] if self.measure else point.measures)
            ]

    def sample(self, point: StoredPoint, measure: str) -> Sample:
        with read_store(self.path, check=False) as store:
            return read_sample(store, point.number, measure, point.n)

    # -- as a frame -------------------------------------------------------------------------------------------------

    def to_pandas(self, rows: str = "points") -> PandasFrame:
        """A frame of pandas: a line for each point and measure, or for each of the "trials"."""
        return pandas_frame(self.columns(rows))

    def to_polars(self, rows: str = "points") -> PolarsFrame:
        """The same as a frame of polars."""
        return polars_frame(self.columns(rows))

    def frame(self, rows: str = "points") -> PandasFrame | PolarsFrame | Columns:
        """A pandas or polars frame, whichever is installed; else plain columns, a dictionary of lists."""
        return as_frame(self.columns(rows))

    def columns(self, rows: str = "points") -> Columns:
        """One list a column; parameters have columns of their own."""
        names, values = self._table(rows)
        table = list(values)
        return {name: _integers([row[k] for row in table]) for k, name in enumerate(names)}

    def write_csv(self, path: FilePath, rows: str = "trials", *, force: bool = False) -> int:
        """Returns how many lines were written below the heading. `force` replaces a file that is no such table."""
        count, line = -1, io.StringIO(newline="")
        writer = csv.writer(line, lineterminator="\n")
        with self._output(path, force).replacing() as write:
            names, values = self._table(rows)
            for row in chain([names], values):
                writer.writerow(["" if value is None else value for value in row])
                write(line.getvalue().encode("utf-8", "surrogateescape"))
                line.seek(0)
                line.truncate()
                count += 1
        return count

    def write_parquet(self, path: FilePath, rows: str = "trials", *, force: bool = False) -> int:
        """The same as Parquet."""
        output = self._output(path, force)
        output.check()
        columns = self.columns(rows)
        with output.replacing() as write:
            write(parquet_bytes(columns))
        return len(next(iter(columns.values()), []))

    def _output(self, path: FilePath, force: bool) -> Output:
        return Output(fspath(path), TABLE, store_files(self.path), force)

    def _table(self, rows: str) -> tuple[list[str], Iterator[Sequence[Any]]]:
        check_choice(rows, "kind of rows", ("points", "trials"))
        params = sorted({name for point in self.points for name in point.params})
        columns = {*Summary.__dataclass_fields__, *Row._fields, *self._told, *self._known}
        taken = {name for name in params if name in columns}
        headings = [f"param_{name}" if name in taken else name for name in params]
        return self._point_rows(params, headings) if rows == "points" else self._trial_rows(params, headings)

    @property
    def _is_networked(self) -> bool:
        return any(point.where == NETWORK for point in self.points)

    @property
    def _known(self) -> tuple[str, ...]:
        """What is known of a network before it is run."""
        return ("where", *ALWAYS) if self._is_networked else ()

    @property
    def _told(self) -> tuple[str, ...]:
        """What a row tells of its network run."""
        return OF_NETWORKS if self._is_networked else ()

    def _point_rows(self, params: list[str], headings: list[str]) -> tuple[list[str], Iterator[Sequence[Any]]]:
        names = [
            name
            for name in Summary.__dataclass_fields__
            if name not in ("params", "given", "interval", "command", "network")
        ]
        table = (
            [*(getattr(one, name) for name in names), *(one.interval or (None, None)), *map(one.params.get, params)]
            for one in self.summaries
        )
        return [*names, "interval_low", "interval_high", *headings], table

    def _trial_rows(self, params: list[str], headings: list[str]) -> tuple[list[str], Iterator[Sequence[Any]]]:
        about = ("protocol", "n", "graph", "start", "until")
        own = Row._fields[1:]
        costs = OF_RINGS if any(point.is_ring for point in self.points) else ()
        told, known = self._told, self._known
        asked = ", ".join([*own, *(COLUMN[name] for name in costs), *(NETWORK_COLUMN[name] for name in told)])

        def table() -> Iterator[Sequence[Any]]:
            if not self.points:
                return
            with read_store(self.path, check=False) as store:
                for point in self.points:
                    facts = [point.id, *(getattr(point, name) for name in about), *map(point.params.get, params)]
                    facts += [{"where": point.where, **network_of(point.description)}.get(name) for name in known]
                    for row in store.select(f"SELECT {asked} FROM trials WHERE point = ?", (point.number,)):
                        yield [*facts, *row]

        return ["point", *about, *headings, *known, *own, *costs, *told], table()


def _integers(values: list[Any]) -> list[Any]:
    """Steps are kept as text; where all of a column fit into 64 bits they are numbers again, and only there."""
    if any(isinstance(value, int) and abs(value) >= 1 << 63 for value in values):
        return [str(value) if isinstance(value, int) else value for value in values]
    texts = [value for value in values if isinstance(value, str)]
    if not texts or not all(text.isdigit() and len(text) < 19 for text in texts):
        return values
    return [int(value) if isinstance(value, str) else value for value in values]


def summarise(store: Store, point: StoredPoint, measure: str, name: Name) -> Summary:
    sample = read_sample(store, point.number, measure, point.n)
    seconds, seed, trials, cut, disagreeing, engine, last_engine = store.one(
        f"SELECT sum(seconds), min(seed), count(*), sum(censored), sum(NOT {IS_DATA}), min(engine), max(engine)"
        " FROM trials WHERE point = ?",
        (point.number,),
    )
    if engine != last_engine:  # otherwise SQLite would sort all rows by it: 1.3x on the whole
        (engine,) = store.one(
            "SELECT engine FROM trials WHERE point = ? GROUP BY engine ORDER BY count(*) DESC, engine", (point.number,)
        )
    limit = None
    if cut or point.description.get("hold") or point.description.get("faults"):
        limits = store.select("SELECT DISTINCT max_steps FROM trials WHERE point = ?", (point.number,))
        limit = max((int(text) for (text,) in limits if text is not None), default=None)
    everything = sample.ended if sample.is_complete else None
    about: dict[str, Any] = {name: getattr(point, name) for name in ABOUT_POINT}
    quantiles: dict[str, Any] = {name: sample.quantile(q) for name, q in QUANTILES.items()}
    return Summary(
        point=point.id,
        given=point.asked[0],
        **about,
        where=point.where,
        network=network_of(point.description),
        measure=measure,
        trials=sample.trials,
        censored=len(sample.cut),
        never=sample.never,
        without=trials - sample.trials - disagreeing,
        disagreeing=disagreeing,
        mean=sample.mean,
        interval=sample.interval,
        sd=sample.sd,
        restricted_mean=None if sample.is_complete or sample.never else sample.survival.restricted_mean,
        minimum=float(sample.ended.min()) if len(sample.ended) else None,
        **quantiles,
        maximum=float(everything.max()) if everything is not None and len(everything) else None,
        seconds=seconds,
        command=point.command(name, seed, engine, limit),
    )
