"""One check on every row of a table is one test, which reports every row that fails."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

FAILURES = (Exception, pytest.fail.Exception)


def in_one_test(
    names: str | Sequence[str], rows: Iterable[Any], ids: Iterable[str] | Callable[[Any], str] = repr
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As pytest.mark.parametrize, but one test: a row that fails does not stop those after it.

    The rows share the test's fixtures, but each has a folder of its own, and what it patches is put back after it.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [row.values if isinstance(row, ParameterSet) else row for row in rows]
    labels = [ids(row) for row in table] if callable(ids) else list(ids)
    assert table, "a test of no rows cannot fail"

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(check)
        others = [each for name, each in signature.parameters.items() if name not in names]

        @functools.wraps(check)
        def test(**fixtures: Any) -> None:
            failed: list[BaseException] = []
            for number, (label, row) in enumerate(zip(labels, table, strict=True)):
                values = [row] if len(names) == 1 else row
                with pytest.MonkeyPatch.context() as patch:
                    own = {name: patch if name == "monkeypatch" else value for name, value in fixtures.items()}
                    if "tmp_path" in own:
                        own["tmp_path"] = own["tmp_path"] / f"row-{number}"
                        own["tmp_path"].mkdir()
                    try:
                        check(**dict(zip(names, values, strict=True)), **own)
                    except FAILURES as error:
                        error.add_note(f"in the row {label}")
                        failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(table)} rows failed", failed)

        vars(test)["__signature__"] = signature.replace(parameters=others)
        return test

    return decorate
