"""The engines in words, for the help of options: from the registries, so that a new engine is named everywhere."""

from __future__ import annotations

from princeps.engines.dispatch import engine_choices
from princeps.model.options import POPULATION, RING

__all__ = ["ENGINE_HELP", "all_engines", "engine_choices", "population_engines"]


def population_engines() -> str:
    *names, last = engine_choices(POPULATION)
    return f"{', '.join(names)} or {last}"


def all_engines() -> str:
    return f"{population_engines()}; for ring algorithms {', '.join(engine_choices(RING))}"


ENGINE_HELP = {"engine": f"{all_engines()}."}
