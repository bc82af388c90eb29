"""Temporal questions as a user writes them: `F<=1000 leader`, `leaders == 1 before leaders == 0`, `!none U<=50 leader`.

They are the path formulas of PCTL with goals as propositions. `F A`: a configuration in A is visited, the first one
included; `F<=k A`: within k steps. `A U B`: B is visited, and every configuration before is in A; `A U<=k B`: B within k
steps. `A before B` is `!B U A`: a configuration in both counts as A.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from princeps.analysis.targets import Target, find_target
from princeps.errors import RunError
from princeps.model.ad_hoc_goals import MAX_LENGTH, is_name
from princeps.model.numbers import read_count
from princeps.model.protocol import PopulationProtocol
from princeps.model.values import shown

EXAMPLES = "'F<=1000 leader', 'F leader', 'leaders == 1 before leaders == 0', '!leader U<=50 (leaders == 0)'"
BOUND = r"(?:\s*<=\s*(?P<bound>[\w.+^]+))?"
EVENTUALLY = re.compile(rf"F{BOUND}(?=[\s(!\"'])")
BETWEEN = re.compile(rf"(?P<word>U|before)\b{BOUND}(?=[\s(!\"'])")
NEXT_TO = re.compile(r"[\w.]")  # what a word must not stand right after


@dataclass(frozen=True)
class Set:
    """The members of a target, or all configurations that are not."""

    target: Target
    negated: bool = False

    @property
    def text(self) -> str:
        name = self.target.name if is_name(self.target.name) else f"({self.target.name})"
        return f"!{name}" if self.negated else name


@dataclass(frozen=True)
class Question:
    """Is `reach` visited, within so many steps, and everything before it in `hold`?"""

    reach: Set
    hold: Set | None = None  # None: all configurations
    steps: int | None = None  # None: however long it takes

    @property
    def text(self) -> str:
        """The canonical spelling."""
        bound = "" if self.steps is None else f"<={self.steps}"
        return f"F{bound} {self.reach.text}" if self.hold is None else f"{self.hold.text} U{bound} {self.reach.text}"

    @property
    def ends(self) -> list[Set]:
        """Sets in which the question is answered: no step from there matters."""
        if self.hold is None:
            return [self.reach]
        return [self.reach, Set(self.hold.target, not self.hold.negated)]

    @property
    def targets(self) -> list[Target]:
        return [one.target for one in self.ends]


def read_question(protocol: PopulationProtocol, text: str) -> Question:
    what = f"probability {shown(text)}"
    if len(text) > 3 * MAX_LENGTH:
        raise RunError(f"{what} has {len(text):,} characters: write a question of at most {3 * MAX_LENGTH:,}.")
    text = " ".join(text.split())
    words = _words_between(text, what)
    if len(words) > 1:
        raise RunError(f"{what} has more than one U or before: ask one question at a time.")
    if words:
        word = words[0]
        left, right = _set(protocol, text[: word.start()], what), _set(protocol, text[word.end() :], what)
        if word["word"] == "U":
            return Question(right, left, _bound(word["bound"], what))
        if word["bound"] is not None:
            raise RunError(f"{what}: `before` has no bound: write it as '!B U<={word['bound']} A'.")
        return Question(left, Set(right.target, not right.negated))
    first = EVENTUALLY.match(text)
    if first is None:
        raise RunError(f"{what} is no question about time: write one like {EXAMPLES}.")
    return Question(_set(protocol, text[first.end() :], what), None, _bound(first["bound"], what))


def _words_between(text: str, what: str) -> Sequence[re.Match[str]]:
    """`U` and `before` outside of parentheses and quotation marks."""
    found, depth, quote, at = [], 0, "", 0
    while at < len(text):
        char = text[at]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        else:
            depth += (char == "(") - (char == ")")
            word = BETWEEN.match(text, at) if depth == 0 and at and not NEXT_TO.match(text[at - 1]) else None
            if word is not None:
                found.append(word)
                at = word.end() - 1
        at += 1
    if depth or quote:
        raise RunError(f"{what} has {'a quotation mark' if quote else 'a parenthesis'} without the other one: add it.")
    return found


def _bound(text: str | None, what: str) -> int | None:
    if text is None:
        return None
    steps = read_count(text, f"the bound of {what}")
    if steps < 0:
        raise RunError(f"{what}: the bound {steps} is negative: give 0 steps or more.")
    return steps


def _set(protocol: PopulationProtocol, text: str, what: str) -> Set:
    """A goal, by its name or as a condition, perhaps in parentheses or quotation marks, with `!` for its complement."""
    text, negated = text.strip(), False
    while True:
        if text.startswith("!"):
            text, negated = text[1:].strip(), not negated
        elif text.startswith("not ") and is_name(text[4:]):
            text, negated = text[4:].strip(), not negated
        elif _closes_last(text):
            text = text[1:-1].strip()
        else:
            break
    if not text:
        raise RunError(f"{what} has no goal where one is needed: write it like {EXAMPLES}.")
    return Set(find_target(protocol, text), negated)


def _closes_last(text: str) -> bool:
    """The quotation mark or parenthesis that the text begins with is closed by its last character."""
    if text[:1] in ("'", '"'):
        return text.find(text[0], 1) == len(text) - 1
    if not text.startswith("("):
        return False
    depth = 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return place == len(text) - 1
    return False
