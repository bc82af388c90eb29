"""What the shell offers when Tab is pressed: names of protocols, and what the chosen protocol has to choose from.

Whatever goes wrong offers nothing: a shell has no place for a message. Neither numpy nor numba is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from princeps.errors import PrincepsError
from princeps.model import registry
from princeps.model.given_starts import COUNTS
from princeps.model.goals import LISTING_STARTS
from princeps.model.options import POPULATION, RING
from princeps.model.options.explaining import MEASURES as MEASURES_IN_WORDS
from princeps.model.predicates import STATES

MEASURES = (*MEASURES_IN_WORDS.split(", "), "seconds", "time", "messages", "bits")

Completion = Callable[[Any, str], list[str]]
Candidates = Callable[[Any], Iterable[str]]  # of the chosen protocol's class, None if there is none yet


def protocols(ctx: Any, incomplete: str) -> list[str]:
    return _beginning(registry.names(), incomplete)


def ring_algorithms(ctx: Any, incomplete: str) -> list[str]:
    return _beginning(registry.names(RING), incomplete)


def parameter_names(ctx: Any, incomplete: str) -> list[str]:
    """`-p N=`"""
    cls = _chosen(ctx)
    return [] if cls is None else _beginning((f"{name}=" for name in cls.choosable()), incomplete)


def papers(ctx: Any, incomplete: str) -> list[str]:
    """By their numbers; a file is the shell's to complete."""
    from princeps.api.paper import paper_ids

    return _beginning(paper_ids(), incomplete)


def tables(ctx: Any, incomplete: str) -> list[str]:
    from princeps.api.table import table_ids

    return _beginning(table_ids(), incomplete)


def among(words: Sequence[str]) -> Completion:
    def complete(ctx: Any, incomplete: str) -> list[str]:
        return _beginning(words, incomplete)

    return complete


def of_option(name: str) -> Completion | None:
    """For an option of a run or an analysis, by its name."""
    if name not in _CANDIDATES:
        return None

    def complete(ctx: Any, incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")  # a sweep takes several
        with suppress(PrincepsError):
            return [before + comma + word for word in _beginning(_CANDIDATES[name](_chosen(ctx)), last)]
        return []

    return complete


def _beginning(words: Iterable[str], incomplete: str) -> list[str]:
    return [word for word in dict.fromkeys(words) if word.startswith(incomplete)]


def _chosen(ctx: Any) -> Any:
    """The class that the words so far name; a user's file is loaded only if that does nothing but define things."""
    given = ctx.params.get("name") or ctx.params.get("names") or ctx.args  # where the last option has no value yet
    for name in [given] if isinstance(given, str) else given:
        with suppress(PrincepsError, OSError, SyntaxError, ValueError):
            if name in registry.names() or _is_safe(name):
                return registry.find_any(name)
    return None


def _is_safe(spec: str) -> bool:
    from princeps import model
    from princeps.model.safe_files import effect_of_loading

    path = Path(spec.rpartition(":")[0] if ".py:" in spec else spec).expanduser()
    names = {name: getattr(model, name) for name in model.__all__}
    return path.suffix == ".py" and effect_of_loading(path.read_text(encoding="utf-8"), names) is None


def _is_population(cls: Any) -> bool:
    return cls is not None and registry.kind_of(cls) == POPULATION


def _starts(cls: Any) -> Iterable[str]:
    own = (*cls.starts, *cls.state_names_, COUNTS) if _is_population(cls) else ()
    return [*dict.fromkeys(own), *LISTING_STARTS]


def _goals(cls: Any) -> Iterable[str]:
    return list(cls.all_goals()) if _is_population(cls) else []


def _targets(cls: Any) -> Iterable[str]:
    return [*_goals(cls), "safe", "some:", "all:", "none:"]


def _predicates(cls: Any) -> Iterable[str]:
    return [*cls.all_predicates(), *cls.fields_, STATES] if _is_population(cls) else []


def _engines(cls: Any) -> Iterable[str]:
    from princeps.api.engines import engine_choices

    kinds = (POPULATION, RING) if cls is None else (registry.kind_of(cls),)
    return [engine for kind in kinds for engine in engine_choices(kind)]


def _graphs(cls: Any) -> Iterable[str]:
    from princeps.model.graphs import NAMED

    return _without_gaps(NAMED)


def _schedulers(cls: Any) -> Iterable[str]:
    from princeps.model.reading_schedulers import NAMES
    from princeps.model.rings.scheduler import scheduler_forms

    of_kind = {POPULATION: NAMES, RING: scheduler_forms()}
    kinds = (POPULATION, RING) if cls is None else (registry.kind_of(cls),)
    return _without_gaps([form for kind in kinds for form in of_kind[kind]])


def _ring_schedules(cls: Any) -> Iterable[str]:
    from princeps.model.rings.scheduler import scheduler_forms

    return _without_gaps(scheduler_forms())


def _without_gaps(forms: Iterable[str]) -> list[str]:
    """`grid:RxC` is offered as `grid:`; what is only a gap is not offered."""
    return [form.partition(":")[0] + (":" if ":" in form else "") for form in forms if not form.startswith("FILE")]


_CANDIDATES: dict[str, Candidates] = {
    "start": _starts,
    "until": _goals,
    "target": _targets,
    "engine": _engines,
    "graph": _graphs,
    "scheduler": _schedulers,
    "schedule": _ring_schedules,
    "record": _predicates,
}
