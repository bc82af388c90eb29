"""What is remembered of a protocol's class, bounded, and forgotten with the class.

A notebook may define the same class a thousand times. What was worked out for one of them lies in the class itself: a
dictionary elsewhere that is keyed by classes or functions would keep all of them alive, a weak one too, because the
answers refer to the functions of the class.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from princeps.model.reached import Reach

MAX_ANSWERS = 256  # on one topic
ATTRIBUTE = "what is remembered"  # no name that a class of a user's could have


class Remembered(dict[Hashable, Any]):
    """A dictionary that drops its oldest entry when it is full."""

    def __init__(self, limit: int = MAX_ANSWERS) -> None:
        super().__init__()
        self.limit = limit

    def keep(self, key: Hashable, value: Any) -> None:
        if key not in self and len(self) >= self.limit:
            del self[next(iter(self))]
        self[key] = value


def remembered(cls: type, topic: str) -> Remembered:
    """What is remembered of this class (not of those it derives from) on a topic.

    In a notebook a constant, or a function that the rule calls, may be given another value in a later cell. Everything is
    forgotten then: it was worked out from what the class reached before. Classes of ours reach what does not change.
    """
    known: tuple[Reach, dict[str, Remembered]] | None = vars(cls).get(ATTRIBUTE)
    if known is None or not known[0].is_current():
        known = (Reach([cls]), {})
        setattr(cls, ATTRIBUTE, known)
    return known[1].setdefault(topic, Remembered())
