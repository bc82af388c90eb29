"""Protocol files in which a line or a word was changed: they work, or are refused in a sentence."""

from __future__ import annotations

import io
import re
import shlex
import tokenize
from functools import cache
from pathlib import Path
from random import Random

from fuzz.calling import carried_out
from fuzz.good_files import DUEL, EXAMPLES, ROOT
from fuzz.inputs import Category, Input, Trouble
from fuzz.values import RINGS

LIBRARY = ROOT / "src" / "princeps" / "protocols"
NAMES = ("values", "step", "name", "params", "as_dict", "leads", "ask", "topology", "n", "self", "leader", "leaders", "agent",
         "space", "p", "a", "b", "i", "class_", "__init__", "__class__", "x", "é", "fields", "delta", "output", "constants")  # fmt: skip
CONSTANTS = (
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "64",
    "2**63",
    "2**64",
    "10**30",
    "1.5",
    "None",
    "True",
    "'x'",
    "[]",
    "{}",
    "1e3",
    "()",
)
# A power of a power: Python computes it in one instruction for hours, and hears neither Ctrl-C nor another thread.
ENDLESS = re.compile(r"\*\*\s*(2\*\*6|10\*\*30)")
OPERATORS = (
    "+",
    "-",
    "*",
    "//",
    "/",
    "%",
    "**",
    "<<",
    ">>",
    "&",
    "|",
    "^",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "and",
    "or",
    "=",
    "is",
    "in",
)
SURPRISES = (
    *(
        "raise ValueError('x')",
        "raise SystemExit",
        "raise KeyboardInterrupt",
        "import sys; sys.exit()",
        "1 / 0",
        "assert 0",
    ),
    *(
        "del a",
        "return",
        "return 1",
        "pass",
        "global x",
        "yield 1",
        "print('x')",
        "a.leader = None",
        "a.leader = -1",
        "a = b",
    ),
    *(
        "topology = 3",
        "starts = [1]",
        "starts = {}",
        "goals = None",
        "predicates = {'leaders': lambda a, p: 1}",
        "name = 5",
    ),
    *(
        "leader = Range(0)",
        "leader = Range(10**30)",
        "N = Param(default=None)",
        "N = Param(min='x')",
        "values = Bit()",
        "step = Bit()",
    ),
    *(
        "default_goal = 'x'",
        "default_start = 3",
        "guarantee = 1",
        "goals = {'leader': 5}",
        "starts = {'initial': 3}",
        "import missing",
    ),
)


@cache
def sources() -> dict[str, str]:
    files = {path.stem: path for path in sorted(LIBRARY.glob("*.py")) if path.stem != "__init__"}
    known = {name: path.read_text(encoding="utf-8") for name, path in files.items()}
    known |= {Path(name).stem: (ROOT / "examples" / name).read_text(encoding="utf-8") for name in EXAMPLES}
    return known | {"duel": DUEL, "duel2": DUEL, "duel3": DUEL}


def mutated(rng: Random, text: str) -> str:
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        changed = rng.choice((_line, _token, _token, _token, _surprise))(rng, text)
        text = text if ENDLESS.search(changed) else changed
    return text


def _line(rng: Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    k, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(4)
    if kind == 0:
        del lines[k]
    elif kind == 1:
        lines.insert(other, lines[k])
    elif kind == 2:
        lines[k], lines[other] = lines[other], lines[k]
    else:
        lines[k] = rng.choice(("    ", "")) + lines[k].lstrip(" ") if rng.random() < 0.3 else lines[k][:-1] + "  # x\n"
    return "".join(lines)


def _token(rng: Random, text: str) -> str:
    """A name, a number or an operator becomes another one."""
    try:
        tokens = [one for one in tokenize.generate_tokens(io.StringIO(text).readline) if one.string.strip()]
    except (tokenize.TokenError, SyntaxError):
        return text
    kinds = {
        tokenize.NAME: NAMES,
        tokenize.NUMBER: CONSTANTS,
        tokenize.OP: OPERATORS,
        tokenize.STRING: ("''", "'x'", "3", "'n'"),
    }
    usable = [one for one in tokens if one.type in kinds]
    if not usable:
        return text
    one = rng.choice(usable)
    names = [other.string for other in usable if other.type == one.type]
    new = rng.choice(names) if rng.random() < 0.5 else rng.choice(kinds[one.type])
    if one.type == tokenize.NAME and rng.random() < 0.2:  # everywhere: a field or a parameter is renamed
        return text.replace(one.string, new)
    lines = text.splitlines(keepends=True)
    row = lines[one.start[0] - 1]
    lines[one.start[0] - 1] = row[: one.start[1]] + new + row[one.end[1] :]
    return "".join(lines)


def _surprise(rng: Random, text: str) -> str:
    """A statement that nobody expects, indented like the line before which it stands."""
    lines = text.splitlines(keepends=True)
    k = rng.randrange(len(lines))
    indent = lines[k][: len(lines[k]) - len(lines[k].lstrip(" "))]
    lines.insert(k, f"{indent}{rng.choice(SURPRISES)}\n")
    return "".join(lines)


def _line_for(rng: Random, name: str) -> list[str]:
    engine = "agents" if rng.random() < 0.03 else "reference"
    lines: tuple[list[str], ...]
    if name in RINGS or name == "listeners":
        lines = (
            ["run", "FILE", "--labels", "3,1,1,2", "--engine", "reference", "--max-steps", "2000", "--force"],
            ["show", "FILE"],
            ["exact", "FILE", "--labels", "2,1,1", "--force"],
        )
    else:
        lines = (
            ["run", "FILE", "-n", "5", "--engine", engine, "--seed", "1", "--max-steps", "300", "--force"],
            ["run", "FILE", "-n", "4", "--check", "--seed", "1", "--max-steps", "100", "--start", "random"],
            ["show", "FILE"],
            ["run", "FILE", "-n", "1e6", "--dry-run"],
            ["exact", "FILE", "-n", "2"],
        )
    return [word.replace("FILE", "./mutant.py") for word in rng.choice(lines)]


def make(rng: Random) -> Input:
    name = rng.choice(list(sources()))
    text = mutated(rng, sources()[name])
    line = _line_for(rng, name)

    def run() -> list[Trouble]:
        Path("mutant.py").write_text(text, encoding="utf-8", errors="surrogateescape")
        return carried_out(line)

    return Input(
        f"{shlex.join(['princeps', *line])}\n# mutant.py is {name}.py, changed:\n{_changes(sources()[name], text)}", run
    )


def _changes(before: str, after: str) -> str:
    import difflib

    return "\n".join(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1))


CATEGORY = Category("mutants", "protocol files in which something was changed", make, share=0.05, batch=100)
