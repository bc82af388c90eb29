"""Stores in which bytes or values were changed: refused, or read as they were; never another result."""

from __future__ import annotations

import shlex
import sqlite3
from contextlib import suppress
from functools import cache
from random import Random

from fuzz.calling import BAD_INPUT, Called, call, troubles
from fuzz.inputs import Category, Input, Trouble, wrong

STORE = "results.db"
READERS = (
    ["results", STORE, "--json"],
    ["results", STORE, "--json", "--measure", "events"],
    ["fit", STORE, "--json"],
    ["results", STORE, "--csv", "new.csv", "--rows", "trials"],
    ["merge", STORE, "held.db", "-o", "new.db", "--json"],
    ["sweep", "fratricide", "epidemic", "-n", "4,8,16,32", "--trials", "5", "--jobs", "1", "--store", STORE, "--json"],
)
TRIALS = ("point", "seed", "trial", "steps", "converged", "censored", "silent", "leaders", "leader", "events", "held_steps",
          "total_steps", "max_steps", "more", "engine", "version", "seconds")  # fmt: skip
POINTS = ("id", "rule", "protocol", "n", "params", "constants", "graph", "start", "until", "description", "content")
HOSTILE = ("''", "'x'", "'-1'", "'nan'", "'9' || '9'", "-1", "0", "7", "1e300", "NULL", "'[]'", "'{}'", "'null'", "'[[[[['",
           "x'ff'", "'1e400'", "9223372036854775807", "'{\"a\": 1}'", "hex(zeroblob(2000))", "'[1, 2'", "'5'", "1")  # fmt: skip


@cache
def _good(number: int) -> tuple[str, str]:
    """What this reader says of the good store."""
    return _said(call(READERS[number]))


def _said(called: Called) -> tuple[str, str]:
    try:
        with open("new.csv") as file:
            return called.out, file.read()
    except OSError:
        return called.out, ""


def _flipped(rng: Random) -> bool:
    """Some bits of the file; its end or a stretch of it may be lost."""
    with open(STORE, "rb") as file:
        content = bytearray(file.read())
    kind = rng.randrange(6)
    if kind == 0:
        del content[rng.randrange(len(content)) :]
    elif kind == 1:
        k = rng.randrange(len(content))
        content[k : k + 200] = bytes(min(200, len(content) - k))
    else:
        for _ in range(1 if kind < 5 else 20):
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    with open(STORE, "wb") as file:
        file.write(content)
    return True


def _altered(rng: Random) -> bool:
    """One column of some rows, as a program that knows SQLite would; False if SQLite itself refuses."""
    table, columns = rng.choice((("trials", TRIALS), ("points", POINTS), ("asked", ("point", "typed"))))
    column, value = rng.choice(columns), rng.choice(HOSTILE)
    with suppress(sqlite3.Error):
        connection = sqlite3.connect(STORE, isolation_level=None)
        try:
            connection.execute("PRAGMA ignore_check_constraints = 1")
            which = f" LIMIT 1 OFFSET {rng.randrange(8)}" if rng.random() < 0.7 else ""
            keys = {"trials": "point, seed, trial", "points": "number", "asked": "point, typed"}[table]
            connection.execute(
                f"UPDATE {table} SET {column} = {value} WHERE ({keys}) IN (SELECT {keys} FROM {table}{which})"
            )
        finally:
            connection.close()
        return True
    return False


def make(rng: Random) -> Input:
    number = rng.randrange(len(READERS))
    line, state, damage = READERS[number], rng.getstate(), rng.choice((_flipped, _altered))

    def run() -> list[Trouble]:
        good = _good(number)
        for name in ("new.csv", "new.db"):
            with suppress(OSError):
                import os

                os.unlink(name)
        fresh = Random()
        fresh.setstate(state)
        if not damage(fresh):
            return []
        called = call(line)
        found = troubles(line, called)
        if found or called.code == BAD_INPUT:
            return found
        said = _said(called)
        if said == good or (line[0] == "sweep" and _same_without_times(said[0], good[0])):
            return []
        return wrong(
            f"other results than those of the good store, without a word:\n{_difference(said, good)}\n{called.err[-300:]}"
        )

    return Input(f"# {damage.__name__[1:]} {STORE}: see damaged_stores.py\n# {shlex.join(['princeps', *line])}", run)


def _same_without_times(one: str, other: str) -> bool:
    import re

    return re.sub(r'"seconds": [^,}]*', "", one) == re.sub(r'"seconds": [^,}]*', "", other)


def _difference(said: tuple[str, str], good: tuple[str, str]) -> str:
    for one, other in zip(said, good, strict=True):
        pairs = zip([*one.splitlines(), ""], [*other.splitlines(), ""], strict=False)
        for mine, theirs in pairs:
            if mine != theirs:
                return f"{mine[:600]}\ninstead of\n{theirs[:600]}"
    return ""


CATEGORY = Category("stores", "stores with changed bits or values", make, share=0.03)
