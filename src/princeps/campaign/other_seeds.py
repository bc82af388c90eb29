"""What a sweep says of trials that its store holds of the same points and of other seeds."""

from __future__ import annotations

from collections.abc import Iterable

from princeps.campaign.identity import point_seed
from princeps.campaign.store import Store
from princeps.model.formatting import counted


def other_seeds_in_words(store: Store, points: Iterable[tuple[int, str]], seed: int) -> str:
    """How many trials are not of the seed that was asked for, empty if none; a point has a number and an id.

    A store holds the seeds of points, which do not tell from which seed of a sweep they were made.
    """
    total, own = 0, 0
    for number, id in points:
        asked = "SELECT count(*), sum(seed = ?) FROM trials WHERE point = ?"
        trials, ours = store.one(asked, (point_seed(seed, id), number))
        total, own = total + trials, own + (ours or 0)
    if own == total:
        return ""
    return f"{counted(total, 'trials')}, {total - own:,} of them of other seeds than {seed}, which the store holds of the same points."
