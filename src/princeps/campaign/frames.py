"""Columns as a frame or a Parquet file. The only file that knows pandas, polars and pyarrow, none of which is needed."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from typing import Any

from princeps.errors import RunError


def as_frame(columns: dict[str, list[Any]]) -> Any:
    """A pandas frame if there is pandas, else one of polars, else the columns."""
    for make in (pandas_frame, polars_frame):
        with suppress(RunError):
            return make(columns)
    return columns


def pandas_frame(columns: dict[str, list[Any]]) -> Any:
    try:
        import pandas
    except ImportError:
        raise RunError("a frame of pandas needs pandas: pip install 'princeps[data]'.") from None
    return pandas.DataFrame({name: _exactly(pandas, values) for name, values in columns.items()})


def polars_frame(columns: dict[str, list[Any]]) -> Any:
    try:
        import polars
    except ImportError:
        raise RunError("a frame of polars needs polars: pip install 'princeps[data]'.") from None
    return polars.DataFrame(columns)


def _exactly(pandas: Any, values: list[Any]) -> Any:
    """Whole numbers with gaps stay whole numbers: as floats they would be rounded."""
    whole = all(value is None or (isinstance(value, int) and not isinstance(value, bool)) for value in values)
    return pandas.array(values, dtype="Int64") if whole and None in values else values


def parquet_bytes(columns: dict[str, list[Any]]) -> bytes:
    """The content of a Parquet file; made in memory, since pyarrow takes some paths for addresses of other systems."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise RunError("--parquet needs pyarrow: pip install 'princeps[data]'.") from None
    table = pyarrow.table(columns)
    buffer = BytesIO()
    parquet.write_table(table.replace_schema_metadata({"made by": "princeps"}), buffer)
    return buffer.getvalue()
