"""What a sweep says of trials that its store held already, of the same points and of other seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from princeps.campaign.store import Store
from princeps.model.formatting import counted

MAX_SEEDS = 3  # that are named


def other_seeds_in_words(store: Store, points: Iterable[int], seed: int) -> str:
    """How many trials are of seeds that were not asked for; empty if there are none."""
    found: Counter[int] = Counter()
    for point in points:
        rows = store.select("SELECT seed, count(*) FROM trials WHERE point = ? GROUP BY seed", (point,))
        found.update({int(one): count for one, count in rows})
    others = [(one, count) for one, count in sorted(found.items()) if one != seed]
    if not others:
        return ""
    listed = [f"{count:,} of them of seed {one}" for one, count in others[:MAX_SEEDS]]
    listed += [f"more of {counted(len(others) - MAX_SEEDS, 'other seeds')}"] if len(others) > MAX_SEEDS else []
    return f"{counted(found.total(), 'trials')}, {', '.join(listed)}, which the store holds of the same points."
