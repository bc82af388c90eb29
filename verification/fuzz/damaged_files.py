"""Plans, graphs, schedules, starts, recordings, scripts, clusters and logs in which something was changed."""

from __future__ import annotations

import shlex
from random import Random

from fuzz.calling import BAD_INPUT, Called, call, objects, troubles
from fuzz.good_files import LOG, TEXTS
from fuzz.inputs import Category, Input, Trouble, wrong

READERS: dict[str, tuple[list[str], ...]] = {
    "plan.toml": (["sweep", "FILE", "--jobs", "1", "--trials", "1", "--store", "new.db"],),
    "graph.txt": (
        ["run", "epidemic", "--graph", "FILE", "--force", "--engine", "reference", "--seed", "1", "--max-steps", "300"],
        ["exact", "fratricide", "--graph", "FILE", "--force"],
    ),
    "weights.txt": (
        ["run", "veterans.py", "-n", "4", "--scheduler", "weighted:FILE", "--force", "--seed", "1", "--max-steps", "300", "--json"],
    ),
    "pairs.txt": (["run", "fratricide", "-n", "4", "--pairs", "FILE", "--seed", "1", "--json"],),
    "labels.txt": (["run", "b_k", "--ring", "FILE", "-p", "k=3", "--force", "--max-steps", "500"], ["ring", "--ring", "FILE"]),
    "start.json": (["run", "fratricide", "-n", "4", "--start", "file:FILE", "--seed", "1", "--max-steps", "300", "--json"],),
    "run.jsonl": (["plot", "FILE", "-o", "new.svg"],),
    "attack.script": (["run", "--script", "FILE", "--json"],),
    "ring.script": (["run", "--script", "FILE"],),
    "greedy.py": (["run", "duel.py", "-n", "4", "--scheduler", "FILE", "--seed", "1", "--max-steps", "100"],),
    "cluster.toml": (["net", "node", "--join", "FILE", "--agent", "0", "--agent", "1", "--for", "0.1s"], ["net", "node", "--join", "FILE", "--for", "0.1s"]),
    LOG: (["net", "judge", "FILE"], ["net", "judge", "FILE", "--json"]),
}  # fmt: skip
OF_THE_ENGINE = ("engine", "why", "events", "command", "seconds")  # what two engines may say differently
TOKENS = (
    *(
        "",
        "0",
        "-1",
        "1e400",
        "nan",
        "9" * 400,
        "null",
        "true",
        "[]",
        "{}",
        '""',
        "''",
        "1979-05-27",
        "07:32:00",
        "[1, [2]]",
    ),
    *(
        "{ a = 1 }",
        "inf",
        "0x1F",
        '"\\u0000"',
        "[[sweep]]",
        "[x]",
        "=",
        ",",
        "\x00",
        "\ufeff",
        "é",
        "\r",
        "\n\n",
        "#",
        '"""',
    ),
    *(
        '"steps"',
        '"pair"',
        '"set"',
        '"torn"',
        '"deliver"',
        "1.5",
        "1e3",
        '"x"',
        "99",
        "10000000000000000000000",
        "[[[[[[",
        "-",
    ),
)


def damaged(rng: Random, content: bytes) -> bytes:
    """A few bytes, words or lines are changed."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        content = rng.choice((_bytes, _word, _word, _word, _lines, _cut))(rng, content)
    return content


def _bytes(rng: Random, content: bytes) -> bytes:
    k = rng.randrange(len(content) + 1)
    return (
        content[:k] + rng.choice((b"", b"\xff", b"\x00", bytes([rng.randrange(256)]))) + content[k + rng.randrange(2) :]
    )


def _word(rng: Random, content: bytes) -> bytes:
    """A number, a name or a quoted text becomes something else."""
    import re

    found = list(re.finditer(rb'"[^"]*"|[\w.+-]+|\[[^\]]*\]', content))
    if not found:
        return content
    one = rng.choice(found)
    return content[: one.start()] + rng.choice(TOKENS).encode() + content[one.end() :]


def _lines(rng: Random, content: bytes) -> bytes:
    lines = content.splitlines(keepends=True) or [b""]
    k, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(3)
    if kind == 0:
        del lines[k]
    elif kind == 1:
        lines.insert(other, lines[k])
    else:
        lines[k], lines[other] = lines[other], lines[k]
    return b"".join(lines)


def _cut(rng: Random, content: bytes) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def make(rng: Random) -> Input:
    name = rng.choice(list(READERS))
    line = [word.replace("FILE", f"./{name}") for word in rng.choice(READERS[name])]
    state = rng.getstate()

    def content() -> bytes:
        fresh = Random()
        fresh.setstate(state)
        with open(name, "rb") as file:
            return damaged(fresh, file.read())

    def run() -> list[Trouble]:
        with open(name, "wb") as file:
            file.write(spoilt)
        return _carried_out(line)

    spoilt = content()
    return Input(
        f"open({name!r}, 'wb').write({spoilt!r})\n# {shlex.join(['princeps', *line])}  (force: the file is ours)", run
    )


def _carried_out(line: list[str]) -> list[Trouble]:
    called = call(line)
    found = troubles(line, called)
    if (
        "--json" in line and line[0] != "net" and not found and called.code != BAD_INPUT
    ):  # whatever the file says now, engines agree about it
        found += _agreement(line, called)
    return found


def _agreement(line: list[str], called: Called) -> list[Trouble]:
    other = call([*line, "--engine", "reference"])
    found = troubles(line, other)
    if found or other.code == BAD_INPUT:
        return found
    one, two = (
        [{key: value for key, value in item.items() if key not in OF_THE_ENGINE} for item in objects(both)]
        for both in (called, other)
    )
    return [] if one == two else wrong(f"the engines differ: {one} and {two}")


CATEGORY = Category(
    "files", "damaged plans, graphs, schedules, starts, recordings, scripts, clusters and logs", make, share=0.09
)
assert set(READERS) - {"run.jsonl", "attack.script", "ring.script", LOG} <= set(TEXTS)
