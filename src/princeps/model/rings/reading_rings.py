"""Rings as a user gives them: a list of labels, a file, or a random ring; all but the last are checked by read_ring."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex

from princeps.errors import RingError
from princeps.model.input_files import opened_text
from princeps.model.listing import as_list
from princeps.model.numbers import MAX_INPUT_DIGITS, read_count
from princeps.model.randomness import Stream
from princeps.model.rings.ring import Ring

INTEGER = re.compile(r"[+-]?[0-9]+")
MAX_PROCESSES = 10**7
MAX_REDRAWS = 1000  # a random ring that is symmetric is drawn again


def read_ring(given: str | Sequence[Any] | Ring) -> Ring:
    """`1,2,2`, `1 2 2`, `ABAAB`, or a list of labels; labels that are all integers compare as numbers."""
    if isinstance(given, Ring):
        return given
    if hasattr(given, "tolist"):  # an array
        given = given.tolist()
    if isinstance(given, Sequence) and not isinstance(given, str):
        given = as_list(given, "labels", MAX_PROCESSES)
    if not isinstance(given, (str, list)) or not all(_is_label(item) for item in given):
        raise RingError(f"labels {given!r} are no list of integers or texts: give them like [1, 2, 2] or 'ABAAB'.")
    if isinstance(given, str):
        words = [word.strip() for word in given.split(",")] if "," in given else given.split()
        words = list(words[0]) if len(words) == 1 else words
    else:
        words = [str(item).strip() for item in given]
    if not any(words):
        raise RingError("the ring has no labels: give them clockwise, like --labels 1,2,2 or --labels ABAAB.")
    if "" in words:
        empty = words.index("")
        raise RingError(f"label {empty} of {given!r} is empty: give every process a label, like --labels 1,2,2.")
    for word in words:
        if not word.isprintable():
            raise RingError(f"label {word!r} holds characters that cannot be shown: use letters, digits and signs.")
        if "," in word:
            raise RingError(f"label {word!r} holds a comma, which separates labels: leave it out.")
        if len(word) > MAX_INPUT_DIGITS:
            raise RingError(f"label {word[:10] + '...'!r} has {len(word)} characters: give at most {MAX_INPUT_DIGITS}.")
    if len(words) < 2:
        raise RingError(f"a ring of {len(words)} process ({words[0]}) is too small: give at least two labels.")
    if len(words) > MAX_PROCESSES:
        raise RingError(f"a ring of {len(words)} processes is too large: give at most {MAX_PROCESSES} labels.")
    if all(INTEGER.fullmatch(word) for word in words):
        return Ring(tuple(int(word) for word in words))
    return Ring(tuple(words))


def _is_label(item: object) -> bool:
    return isinstance(item, str) or (isinstance(item, SupportsIndex) and not isinstance(item, bool))


def read_ring_file(path: str) -> Ring:
    """Labels separated by blanks, commas or line ends; # begins a comment."""
    try:
        with opened_text(path) as file:
            text = "\n".join(line.partition("#")[0] for line in file)
    except (OSError, UnicodeDecodeError) as error:
        raise RingError(f"ring file {path!r} cannot be read ({error}): give a text file of labels.") from None
    words = text.replace(",", " ").split()
    if not words:
        raise RingError(f"ring file {path!r} holds no labels: write them clockwise, separated by blanks.")
    return read_ring(words)


def numbered_ring(n: int, stream: Stream) -> Ring:
    """The distinct labels 1..n in random order."""
    check_ring_size(n)
    labels = list(range(1, n + 1))
    stream.shuffle(labels)
    return Ring(tuple(labels))


def random_ring(text: str, stream: Stream, k: int | None = None) -> Ring:
    """`n=1000,labels=50,max=20`: n labels drawn without replacement from `max` copies of each; asymmetric."""
    given = random_parts(text)
    if "n" not in given:
        raise RingError(f"random ring {text!r} lacks n: write it like n=1000,labels=50,max=20.")
    n = read_count(given["n"], "n")
    check_ring_size(n)
    if "labels" not in given and "max" not in given:
        return numbered_ring(n, stream)
    limit = _count(given["max"], "max", k) if "max" in given else None
    distinct = _count(given["labels"], "labels", None) if "labels" in given else -(-n // (limit or 1))
    copies = -(-n // distinct) if limit is None else limit
    if distinct * copies < n:
        raise RingError(
            f"{distinct} labels at most {copies} times each are too few for n = {n} processes: "
            f"raise labels or max (labels * max >= n)."
        )
    if distinct == 1:
        raise RingError("a ring with one label is symmetric: give labels=2 or more.")
    for _ in range(MAX_REDRAWS):
        ring = Ring(tuple(copy // copies + 1 for copy in stream.sample(distinct * copies, n)))
        if not ring.symmetric:
            return ring
    raise RingError(f"every ring drawn for {text!r} is symmetric: raise labels, or choose another n.")


def check_ring_size(n: int) -> None:
    if n < 2:
        raise RingError(f"a ring of n = {n} processes is too small: give at least two.")
    if n > MAX_PROCESSES:
        raise RingError(f"a ring of n = {n} processes is too large: give at most {MAX_PROCESSES}.")


def random_parts(text: str) -> Mapping[str, str]:
    """The parts of a text that describes a random ring, by their names."""
    found: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or name not in ("n", "labels", "max"):
            raise RingError(f"random ring {text!r} is not understood at {part!r}: write n=1000,labels=50,max=20.")
        if name in found:
            raise RingError(f"random ring {text!r} gives {name} twice: once is enough.")
        found[name] = value
    return found


def _count(text: str, what: str, k: int | None) -> int:
    if text == "k":
        if k is None:
            raise RingError(f"{what}=k needs a parameter k: give it with -p k=3, or write a number.")
        return k
    number = read_count(text, what)
    if number < 1:
        raise RingError(f"{what} = {number} is too small: give at least 1.")
    return number
