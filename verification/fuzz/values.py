"""Values to try: good ones, those at the edge, and hostile ones."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from fuzz.good_files import EXAMPLES, SCRIPTS, STORES, TEXTS
from fuzz.workspace import PLANTED

SMALL = ("2", "3", "4", "5", "7", "10", "30")
EDGE = ("0", "1", "-1", "2.0", "1e1", "10^1", "1_0", "007", "+5", " 5 ", "1e3", "1000", "-0", "64", "65", "255", "256")
HUGE = ("1e6", "1e9", "1e12", "1e15", "1e16", "1e18", "1e20", "1e30", "1e400", "1e999", "1e1000", "1e999999999")
HOSTILE_NUMBERS = (
    *("nan", "inf", "-inf", "NaN", "-1e400", "", "٣", "\uff15", "½", "²", "1e-3", "0x10", "1e", "e5", "1,2", "1..3", "0.1"),
    *("True", "None", "1 2", "\u00a05", "1__0", "2**63", "--5", "1e1e1", "1/2", "-9" * 9, "1e-999999999", "0b1", "1j"),
    *(str(2**31), str(2**32), str(2**53 + 1), str(2**63 - 1), str(2**63), str(2**64), str(-(2**63)), str(10**25)),
    *("9" * 400, "9" * 5000, "0" * 3000 + "5", "0." + "0" * 500 + "1"),
)  # fmt: skip
HOSTILE_TEXTS = (
    *("", " ", "-", "--", "\n", "a\nb", "\t", "'", '"', "\\", "%s", "%(x)s", "{}", "{0}", "{n}", "[bold]x[/bold]", "[/]"),
    *("[red", "\x1b[31m", "é", "\U0001d538", "\udcff", "\udc80abc", "\u202e", "a" * 300, "b" * 5000, "__class__"),
    *("None", "True", "#", "=", "=5", "x=", "::", ":", "a:b", "file:", "states:", "json:", "list:", "random:", "order:"),
    *("weighted:", "some:", "all:", "none:", "json:[", "json:{}", "json:[1]", "states:;", "states:9;9;9", "every:1"),
    *(f"__import__('os').system('touch {PLANTED}')", f"$(touch {PLANTED})", f"`touch {PLANTED}`", f"; touch {PLANTED}"),
    *("../../x", "*", "?", "~", "(" * 200 + ")" * 200, "[" * 3000, "{" * 3000, "-" * 3000 + "1", "lambda: 0", "a if", "0"),
)  # fmt: skip
ODD_PATHS = (
    *("missing.db", "missing/x.db", ".", "..", "/", "folder", "folder/", "folder/inside.txt", "/dev/full", "/dev/null"),
    *("\udcff.db", "\udcfe", "empty", "binary.bin", "a:b.parquet", "s3://bucket/x.parquet", "file:///tmp/x.csv", "~"),
    *("http://127.0.0.1:1/x", "-", "x" * 300 + ".db", "results.db/", "results.db-wal", " ", "a b.svg", "new", "new.db"),
    *("new.svg", "new.pdf", "new.csv", "new.jsonl", "new.parquet", "new.html", "new.drn", "/dev/stdin", "/dev/zero"),
    *("*.db", "a\nb.db", "[x].svg", ":memory:", "file:x?mode=memory", "con", "new.SVG", "new.txt", ".svg", "/proc/self/mem"),
)  # fmt: skip
FILES = (*TEXTS, *EXAMPLES, *STORES, *SCRIPTS, "run.jsonl")
POPULATIONS = (
    *("aafj", "epidemic", "fischer_jiang", "fischer_jiang_complete", "fratricide", "infection", "known_bound", "leader_minion"),
    *("lottery", "majority", "p_rl_oracle", "tokens"),
    *("loose_ids", "michail", "michail_roles", "numbered", "optimal_silent", "p_ll", "p_ll_symmetric", "p_pl", "silent_ranking"),
    *("p_rl", "timer", "duel.py", "./duel.py:Duel", "veterans.py", "silent_ranking.py", "optimal_silent.py:OptimalSilent"),
)  # fmt: skip
RINGS = ("a_k", "b_k", "chang_roberts", "franklin", "hirschberg_sinclair", "itai_rodeh", "lelann", "peterson", "u_k", "listeners.py")  # fmt: skip
PARAMETERS = ("N", "m", "k", "c", "t_max", "most", "printed", "virus_factor", "emit_factor", "n", "self", "r_max", "x", "seed")  # fmt: skip


def number(rng: Random, good: Sequence[str] = SMALL) -> str:
    """A whole number as a user types it, or something else in its place."""
    return rng.choice(rng.choices((good, EDGE, HUGE, HOSTILE_NUMBERS), (70, 12, 6, 12))[0])


def text(rng: Random, good: Sequence[str]) -> str:
    """One of these, one that is nearly the same, or anything."""
    kind = rng.random()
    if kind < 0.75:
        return rng.choice(good)
    if kind < 0.85:
        return nearly(rng, rng.choice(good))
    return rng.choice(rng.choice((HOSTILE_TEXTS, HOSTILE_NUMBERS, FILES)))


def path(rng: Random, good: Sequence[str]) -> str:
    kind = rng.random()
    return rng.choice(good if kind < 0.65 else FILES if kind < 0.8 else ODD_PATHS)


def nearly(rng: Random, word: str) -> str:
    """A character is lost, doubled, exchanged or replaced."""
    k = rng.randrange(len(word) + 1)
    return rng.choice(
        (
            word[:k] + word[k + 1 :],
            word[:k] + word[k : k + 1] * 2 + word[k + 1 :],
            word[:k] + word[k + 1 : k + 2] + word[k : k + 1] + word[k + 2 :],
            word[:k] + rng.choice("x0_-:.é\udcff ") + word[k + 1 :],
            word.upper(),
            word + word,
        )
    )
