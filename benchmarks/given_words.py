"""The agents engine from a given configuration in packed words."""

from __future__ import annotations

from typing import Any

from princeps.engines.agents import Agents
from princeps.engines.starting import form_of
from princeps.engines.switching import FormSwitch


def begin_with(population: Agents, words: Any) -> None:
    """As if it had started so, in the form that an engine chooses for such agents."""
    kernels, predicates = population.kernels, population.predicates
    population.form = form_of(words, kernels, predicates)
    population.switch = FormSwitch.at_start(kernels, predicates, population.form, population.run.n, 0)
    population._count()
