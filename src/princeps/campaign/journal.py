"""What was handed to a store since it was opened, so that it is not lost with the file.

Rows go to a temporary file that has no name, so that nobody can remove it; the memory of a sweep does not grow.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from tempfile import SpooledTemporaryFile
from typing import Any

from princeps.campaign.point import Point
from princeps.campaign.rows import Row

IN_MEMORY = 1 << 20  # bytes; more of them are written to the disk
TRIALS, EVIDENCE = "trials", "evidence"


class Journal:
    """If the disk for temporary files is full the journal ends there: what the store's own file holds is still kept."""

    def __init__(self) -> None:
        self.points: dict[int, Point] = {}  # by their number in the store
        self.is_complete = True
        self._file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115

    def note_points(self, numbers: Sequence[int], points: Sequence[Point]) -> None:
        self.points.update(zip(numbers, points, strict=True))

    def note_rows(self, rows: Sequence[Row]) -> None:
        self._write(TRIALS, [tuple(row) for row in rows])

    def note_evidence(self, row: tuple[Any, ...]) -> None:
        self._write(EVIDENCE, [row])

    def _write(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        if not self.is_complete:
            return
        try:
            pickle.dump((table, rows), self._file, protocol=pickle.HIGHEST_PROTOCOL)
        except OSError:
            self.is_complete = False

    def entries(self) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
        """The tables and their rows, in the order in which they came."""
        self._file.seek(0)
        try:
            while True:
                yield pickle.load(self._file)
        except (EOFError, pickle.UnpicklingError):  # the end, or where the disk was full
            return

    def close(self) -> None:
        self._file.close()
