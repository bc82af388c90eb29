"""What pages of papers say, before it becomes HTML or Markdown."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from html import escape
from math import isinf, isnan
from typing import Any, NamedTuple

TITLE = "Claims of papers, examined"
# In the order in which they are counted, with their name in the style sheet.
VERDICTS = {
    "proved": (
        "proved",
        "all cases at the sizes given were looked at, and none of them breaks the claim; or, where it is said, for every n",
    ),
    "supported": (
        "supported",
        "no case of a sample breaks the claim, and the sample would have noticed the fault named",
    ),
    "demonstrated": (
        "demonstrated",
        "a statement about all algorithms, which holds on those that were run; the line says which",
    ),
    "violated as printed": ("printed", "the text as printed is wrong; the repaired reading holds"),
    "violated": ("violated", "there is a counterexample, or a sample that the claim cannot explain"),
    "inconclusive": ("open", "this sample does not decide"),
    "not testable at this size": ("beyond", "no sample that can be had would decide; the line says what is excluded"),
}
MEASURED_NOTE = (
    "Where the sample consists of configurations, cases or values, the number measured is that of those which break "
    "the claim, and the bound is 0."
)
VERBS = ("run", "exact", "sweep", "fit", "ring", "rings", "impossible", "paper")  # that claims name as commands
CODE = re.compile(rf"`[^`]+`|\bprinceps (?:{'|'.join(VERBS)}) .*?(?=; |\. |\.$| \(|$)")
JOINED = str.maketrans({" ": "\N{NO-BREAK SPACE}", "-": "\N{MINUS SIGN}"})
UNBROKEN = re.compile(r"(?<=\w) ([-+±=≤≥×] (?=[\d.-])|%)")  # noqa: RUF001 - a sign of multiplication


class PaperReport(NamedTuple):
    """What was found out about a paper, and the command that did it."""

    paper: Any
    findings: Sequence[Any]
    exhibits: Sequence[Any]
    command: str
    effort: str


def command_of(words: Sequence[str], output: str, *, full: bool, seed: int) -> str:
    """Without the folder of the output: the same evidence gives the same page, wherever it is put."""
    options = [*(["--full"] if full else []), *(["--seed", str(seed)] if seed else []), "--html", output]
    return shlex.join(["princeps", "paper", *words, *options])


def effort_text(full: bool, seconds: float | None) -> str:
    """How large the samples are, and how long they took together, on however many processors and in how many sessions."""
    size = "large (--full)" if full else "small (--quick)"
    if seconds is None:
        return size
    return f"{size}; one after the other they took {duration(seconds)}"


def duration(seconds: float) -> str:
    """In whole minutes, or seconds where it is less than two of them."""
    return f"{seconds / 60:,.0f} minutes" if seconds >= 120 else f"{seconds:.0f} seconds"


def verdict_counts(findings: Sequence[Any]) -> list[tuple[str, int]]:
    """Verdicts that occur."""
    counts = Counter(finding.verdict for finding in findings)
    return [(verdict, counts[verdict]) for verdict in VERDICTS if counts[verdict]]


def as_recorded(findings: Sequence[Any]) -> int:
    return sum(finding.as_recorded for finding in findings)


def claims_text(findings: Sequence[Any]) -> str:
    return "1 claim" if len(findings) == 1 else f"{len(findings)} claims"


def record_note(finding: Any) -> str:
    """What stands in the record, if it is something else."""
    return "" if finding.as_recorded else f"the record says: {finding.recorded or 'that it holds'}"


def value_text(value: Any) -> str:
    """A number in four digits, and words as they are printed."""
    from princeps.figures.unicode_text import with_unicode_signs
    from princeps.papers.judging import number

    if value is None or (isinstance(value, float) and isnan(value)):
        return "–"  # noqa: RUF001 - a dash for nothing
    if isinstance(value, str):
        return with_unicode_signs(value)
    if isinstance(value, float) and isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:,}" if isinstance(value, int) else with_unicode_signs(number(value))


def prose(text: str) -> str:
    """A sentence as HTML: what is within backquotes, and a command, stays as it was typed."""
    from princeps.figures.unicode_text import with_unicode_signs

    parts, at = [], 0
    for found in CODE.finditer(text):
        typed = found[0].strip("`")
        if found[0][0] != "`" and " -" not in typed:
            continue  # no command, but the word princeps in a sentence
        parts += [_sentence(with_unicode_signs(text[at : found.start()])), f"<code>{escape(typed)}</code>"]
        at = found.end()
    return "".join([*parts, _sentence(with_unicode_signs(text[at:]))])


def _sentence(text: str) -> str:
    """Exponents for which there are no letters are raised; a line does not end within 1 - 2 or 95 %."""
    joined = UNBROKEN.sub(lambda found: found[0].translate(JOINED), escape(text))
    return re.sub(r"\^(-?\d+\.\d+)", r"<sup>\1</sup>", joined)
