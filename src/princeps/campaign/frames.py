"""Columns as a frame or a Parquet file. The only file that knows pyarrow, which is not needed."""

from __future__ import annotations

from io import BytesIO

from princeps.errors import RunError
from princeps.model.frames import Columns, as_frame, pandas_frame, polars_frame

__all__ = ["Columns", "as_frame", "pandas_frame", "parquet_bytes", "polars_frame"]


def parquet_bytes(columns: Columns) -> bytes:
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
