"""Columns as a frame of pandas or polars, neither of which is needed. The only file that knows both, and the types of
numpy, which the model does without."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from princeps.errors import RunError

Cell: TypeAlias = "int | float | str | None"
Columns: TypeAlias = "dict[str, list[Cell]]"  # of a table, by their headings

if TYPE_CHECKING:
    import numpy
    import pandas
    import polars

    IntegerArray: TypeAlias = numpy.typing.NDArray[numpy.integer[Any]]
    PandasFrame: TypeAlias = pandas.DataFrame
    PolarsFrame: TypeAlias = polars.DataFrame


def as_frame(columns: Columns) -> PandasFrame | PolarsFrame | Columns:
    """A pandas frame if there is pandas, else one of polars, else the columns."""
    for make in (pandas_frame, polars_frame):
        with suppress(RunError):
            return make(columns)
    return columns


def pandas_frame(columns: Columns) -> PandasFrame:
    try:
        import pandas
    except ImportError:
        raise RunError("a frame of pandas needs pandas: pip install 'princeps[data]'.") from None
    return pandas.DataFrame({name: _exactly(pandas, values) for name, values in columns.items()})


def polars_frame(columns: Columns) -> PolarsFrame:
    try:
        import polars
    except ImportError:
        raise RunError("a frame of polars needs polars: pip install 'princeps[data]'.") from None
    return polars.DataFrame(columns)


def _exactly(pandas: Any, values: list[Any]) -> Any:
    """Whole numbers with gaps stay whole numbers: as floats they would be rounded."""
    whole = all(value is None or (isinstance(value, int) and not isinstance(value, bool)) for value in values)
    return pandas.array(values, dtype="Int64") if whole and None in values else values
