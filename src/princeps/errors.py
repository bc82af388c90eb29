"""Everything that princeps refuses, and why.

PrincepsError
├── UnknownName            a protocol, start, goal, engine or graph nobody has heard of
│   └── UnknownProtocol
├── ParameterError         a number outside its legal range, or missing
├── StateError             a state that the protocol does not have
├── ProtocolError          a mistake in a protocol's own file (carries file and line)
│   └── NotCompiled        Python would execute it, compiled engines cannot
├── RunError               a run that makes no sense: start, goal, fault, graph, ids, schedule
│   ├── GraphError         a graph that is malformed, not connected, or not the paper's
│   ├── RingError          a labeled ring that is malformed, or outside the algorithm's class
│   └── TooLarge           a population that does not fit
├── StoreError             a campaign's store that cannot be read, written or merged
│   ├── DamagedStore       its bytes are not those that were written
│   └── LostStore          its file was removed, replaced or cut short while it was in use
├── InvariantBroken        a checked run met a configuration that should be impossible
├── WorkerLost             worker processes died three times on the same trial
└── InternalError          a fault of princeps itself; names the file that holds the details

KeyboardInterrupt
└── Interrupted            Ctrl-C during a call from Python; carries what was finished

A message is one sentence: what happened, with the value, and what to do next. A value that would fill the screen is
shortened in the middle.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
import traceback
from collections.abc import Iterable, Sequence
from typing import Any

from princeps.wording import reworded

NEAR = 0.55  # how similar a suggestion must be; auto is no suggestion for fast (0.5)
TOLERANCE = 0.25  # how much less similar than the best a suggestion may be
MAX_VALUE, MAX_SENTENCE = 200, 1600  # characters: a screen has 24 lines of 80
_PACKAGE = os.path.dirname(__file__) + os.sep
_INSTALLED = ("site-packages", "dist-packages")
_LONG_VALUES = re.compile(rf"""'[^']{{{MAX_VALUE},}}'|"[^"]{{{MAX_VALUE},}}"|\S{{{MAX_VALUE},}}""")


class ShortInNotebooks(BaseException):
    """In IPython and Jupyter: the sentence, below the reader's own lines that led to it, without ours.

    Everything is there for `%debug`, and for whoever catches it.
    """

    def _render_traceback_(self) -> list[str]:
        """By this name IPython asks for what to show."""
        lines: list[str] = []
        for frame in traceback.extract_tb(self.__traceback__):
            if frame.filename.startswith(_PACKAGE):
                break
            if not any(folder in frame.filename for folder in _INSTALLED):  # IPython itself
                lines += [place_in_words(frame.filename, frame.lineno), f"    {frame.line}"]
        return [*lines, f"{type(self).__name__}: {self}"]


class PrincepsError(ShortInNotebooks, Exception):
    """Bad input or a broken promise; the command line shows the sentence and exits with 2."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(shortened(sentence))

    def __str__(self) -> str:
        """For whoever reads it: in Python an option is an argument."""
        return reworded(super().__str__())


def shortened(sentence: str) -> str:
    """The same if it is short; else with long values, and at last the sentence itself, cut in the middle."""
    if len(sentence) <= MAX_VALUE:
        return sentence
    cut = _LONG_VALUES.sub(lambda found: _middle(found[0], MAX_VALUE // 2), sentence)
    return _middle(cut, MAX_SENTENCE)


def _middle(text: str, length: int) -> str:
    """Both ends, and how much is not shown."""
    if len(text) <= length:
        return text
    half = length // 2
    return f"{text[:half]}...({len(text) - 2 * half:,} more)...{text[-half:]}"


def hint(name: object, known: Sequence[str], cutoff: float = NEAR) -> str:
    """What may have been meant by a name, or all that there is."""
    near = nearest(name, known, cutoff) if isinstance(name, str) else []
    if not near:
        return f"known: {', '.join(known)}."
    *others, last = near
    return f"did you mean {', '.join(others)}{' or ' if others else ''}{last}?"


def nearest(name: str, known: Sequence[str], cutoff: float = NEAR) -> list[str]:
    """At most three names that resemble it; of equally similar ones those first that begin with it: p_ll for p_l."""
    given = name.lower()
    ranked = [
        (difflib.SequenceMatcher(a=given, b=one.lower()).ratio(), one.lower().startswith(given), one) for one in known
    ]
    close = [one for one in ranked if one[0] >= cutoff]
    best = max((likeness for likeness, _, _ in close), default=0.0)
    close = [one for one in close if one[0] > best - TOLERANCE]
    return [one for _, _, one in sorted(close, key=lambda one: (-one[0], not one[1], one[2]))[:3]]


class UnknownName(PrincepsError):
    """A name that is not in its table."""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        super().__init__(f"unknown {kind} {name!r}: {hint(name, sorted(known))}")


class UnknownProtocol(UnknownName):
    """No protocol of that name."""

    def __init__(self, name: str, known: Iterable[str], beside: str = "") -> None:
        """`beside` is a file of this name."""
        super().__init__("protocol", name, known)
        if beside:
            PrincepsError.__init__(self, f"unknown protocol {name!r}: did you mean {beside}?")


class ParameterError(PrincepsError):
    """A parameter outside its legal range, or one that cannot be defaulted."""


class StateError(PrincepsError):
    """A state with a missing, unknown or illegal field."""


class ProtocolError(PrincepsError):
    """A mistake in a protocol's file."""

    def __init__(self, message: str, file: str | None = None, line: int | None = None) -> None:
        where = place_in_words(file, line)
        super().__init__(f"{where}: {message}" if where else message)
        self.file, self.line = file, line


class NotCompiled(ProtocolError):
    """Something that Python would execute and the language of compiled rules does not have."""


def place_in_words(file: str | None, line: int | None = None) -> str:
    """`mine.py:3`; of a notebook `cell In[2], line 3`, as its tracebacks say, since nobody knows the cell's file."""
    if not file:
        return ""
    cell = _cell(file)
    if cell:
        return f"cell {cell}, line {line}" if line else f"cell {cell}"
    return f"{file}:{line}" if line else file


def _cell(file: str) -> str:
    """What IPython calls the cell whose text it keeps under this name; empty if it is none."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    name_of = getattr(getattr(shell, "compile", None), "format_code_name", None)
    kind, name = (name_of(file) or ("", "")) if name_of is not None else ("", "")
    return str(name) if kind == "Cell" else ""


class RunError(PrincepsError):
    """A run that makes no sense as described."""


class GraphError(RunError):
    """A graph that is malformed, disconnected, or not the one the paper demands."""


class RingError(RunError):
    """A labeled ring that is malformed, or on which the algorithm promises nothing."""


class TooLarge(RunError):
    """A population that does not fit into memory or into the engine."""


class StoreError(PrincepsError):
    """A campaign's store that cannot be read, written or merged."""


class DamagedStore(StoreError):
    """A store whose bytes are not those that were written."""


class LostStore(StoreError):
    """A store whose file was removed, replaced or cut short while it was in use."""


class InvariantBroken(PrincepsError):
    """A checked run met a configuration that the protocol promises never to show."""


class WorkerLost(PrincepsError):
    """Worker processes died three times on the same trial."""


class InternalError(PrincepsError):
    """A fault of princeps itself; the command line exits with 70."""

    def _render_traceback_(self) -> list[str]:
        """With all of our lines: they are what is wrong."""
        return "".join(traceback.format_exception(self)).splitlines()


class Interrupted(ShortInNotebooks, KeyboardInterrupt):
    """Ctrl-C. `partial` is what there was by then.

    Of a run its result so far, of trials those that were finished, of a sweep the results in its store, of a session the
    session, which stands where it was interrupted, of papers the findings; None of an exact analysis.
    """

    def __init__(self, sentence: str = "", partial: Any = None) -> None:
        super().__init__(sentence)
        self.partial = partial
