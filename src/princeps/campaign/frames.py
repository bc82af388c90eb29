"""Columns as a frame or a Parquet file. The only file that knows pandas, polars and pyarrow, none of which is needed."""

from __future__ import annotations

from typing import Any

from princeps.errors import RunError
from princeps.model.files import writable


def as_frame(columns: dict[str, list[Any]]) -> Any:
    try:
        import pandas

        return pandas.DataFrame({name: _exactly(pandas, values) for name, values in columns.items()})
    except ImportError:
        pass
    try:
        import polars

        return polars.DataFrame(columns)
    except ImportError:
        return columns


def _exactly(pandas: Any, values: list[Any]) -> Any:
    """Whole numbers with gaps stay whole numbers: as floats they would be rounded."""
    whole = all(value is None or (isinstance(value, int) and not isinstance(value, bool)) for value in values)
    return pandas.array(values, dtype="Int64") if whole and None in values else values


def write_parquet(columns: dict[str, list[Any]], path: str) -> int:
    """Returns the number of rows."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise RunError("--parquet needs pyarrow: pip install 'princeps[data]'.") from None
    with writable(path):
        parquet.write_table(pyarrow.table(columns), path)
    return len(next(iter(columns.values()), []))
