"""A goal on whole configurations, asked of very many of them at once."""

from __future__ import annotations

import re

from princeps.lowering.codegen import Writer
from princeps.model.protocol import Closed

JUDGE = """
from numpy import empty

@njit(cache=True)
def judge_rows(rows, words, constants, out, first, last):
    n = rows.shape[1]
    agents = empty({shape}, words.dtype)
    for x in range(first, last):
        for i in range(n):
            agents[i] = words[rows[x, i]]
        out[x] = goal_holds(agents, n, constants) != 0

@njit(cache=True)
def judge_codes(n, words, constants, out, first, last):
    q = words.shape[0]
    agents = empty({shape}, words.dtype)
    for code in range(first, last):
        rest = code
        for i in range(n - 1, -1, -1):
            agents[i] = words[rest % q]
            rest //= q
        out[code] = goal_holds(agents, n, constants) != 0
"""


def judge_source(writer: Writer, goal: Closed) -> str:
    """`judge_rows`: rows of numbers into `words`; `judge_codes`: numbers with a digit an agent, agent 0 first."""
    shape = "n" if writer.layout.words == 1 else f"(n, {writer.layout.words})"
    return writer.holds(goal) + JUDGE.format(shape=shape)


def fields_read(writer: Writer, goal: Closed) -> list[str]:
    """The fields that a goal looks at, in the functions it calls too."""
    called = set(re.findall(r"(?<!def )\bget_(\w+)\(agents", writer.holds(goal)))
    return [name for name in writer.words.fields if name in called]
