"""The cache of machine code, damaged: what does not match is made anew, and the results are the same."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from fuzz.calling import call, objects, troubles
from fuzz.inputs import Category, Input, Trouble, wrong

LINE = ["run", "veterans.py", "-n", "9", "--seed", "5", "--engine", "agents", "--json"]
CACHE = "PRINCEPS_CACHE_DIR"


def make(rng: Random) -> Input:
    state = rng.getstate()

    def run() -> list[Trouble]:
        fresh = Random()
        fresh.setstate(state)
        folder = Path("cache").absolute()
        shutil.copytree(_filled(), folder)
        said = _damaged(fresh, folder)
        os.environ[CACHE] = str(folder)
        expected = _expected()
        called = call(LINE)
        found = troubles(LINE, called)
        if not found and objects(called) != expected:
            found = wrong(f"{said}: {objects(called)} instead of {expected}")
        return found

    return Input(f"# a damaged cache directory, then: princeps {' '.join(LINE)}", run)


def _filled() -> Path:
    """The cache of one good run, made once for all: `warming.py` has run the line."""
    return Path(os.environ["FUZZ_CACHE"])


@cache
def _expected() -> list[dict[str, Any]]:
    import json

    text = (_filled().parent / "expected.json").read_text()
    return [{key: value for key, value in json.loads(text).items() if key != "seconds"}]


def _damaged(rng: Random, folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    one = rng.choice(files)
    content = bytearray(one.read_bytes())
    kind = rng.choice(
        ("empty", "cut", "bit", "bits", "swapped", "lost", "folder", "read-only", "grown", "zeros", "garbage")
    )
    if kind == "empty":
        content.clear()
    elif kind == "cut":
        del content[rng.randrange(len(content) + 1) :]
    elif kind in ("bit", "bits"):
        for _ in range(1 if kind == "bit" else 30):
            if content:
                content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    elif kind == "swapped":
        content[:] = rng.choice(files).read_bytes()
    elif kind == "grown":
        content += b"\0" * 100
    elif kind == "zeros":
        content[:] = bytes(len(content))
    elif kind == "garbage":
        content[:] = rng.randbytes(len(content))
    one.unlink()
    if kind == "folder":
        one.mkdir()
    elif kind != "lost":
        one.write_bytes(content)
        one.chmod(0o400 if kind == "read-only" else 0o600)
    return f"{kind} {one.name}"


CATEGORY = Category(
    "cache", "damaged machine code in the cache", make, share=0.002, batch=1, cpu_seconds=60.0, is_cold=True
)
