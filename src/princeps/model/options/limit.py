"""The limit of work that nobody can foresee: how far it goes before it is refused."""

from __future__ import annotations

from dataclasses import dataclass

from princeps.model.numbers import Count
from princeps.model.options.declaring import EVERY_KIND, HOW, option


@dataclass(frozen=True, kw_only=True)
class LimitOptions:
    limit: Count | None = option(
        None,
        "Refuse more work than this: configurations, messages or actions.",
        kinds=EVERY_KIND,
        metavar="NUMBER",
        group=HOW,
    )
