"""`princeps.warm`: what the library's protocols need is compiled ahead, for containers and clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

from princeps.api.arguments import a_function_of, named_protocols, or_none, reads
from princeps.api.library import library
from princeps.errors import PrincepsError
from princeps.model import registry
from princeps.model.announcing import announces
from princeps.model.options import POPULATION, explained

# Agents of the short runs: the words that hold an agent are wider where parameters grow with n.
SIZES = (100, 1_000_000)
STEPS = 20_000  # of each: an engine passes from one form of its agents to the other on the way
EXACT_SIZE = 2


@dataclass(frozen=True)
class Warmed:
    """One short run or analysis that has left its machine code in the cache."""

    protocol: str
    what: str  # the engine, or "exact"
    n: int
    seconds: float
    refused: str | None = None  # why it was not carried out


@announces("princeps.warm", observer="observer")
@explained
@reads(what=named_protocols, observer=or_none(a_function_of("warmed")))
def warm(what: Sequence[str] = (), *, observer: Callable[[Warmed], None] | None = None) -> list[Warmed]:
    """Compile ahead what runs of these protocols need, and keep it in the cache: by short runs on every engine.

    A run whose parameters need wider words than those of n = 100 and n = 10^6 still compiles something of its own.
    """
    done = []
    for name in what or library():
        for engine, n, work in _works(name):
            began = perf_counter()
            refused = None
            try:
                work()
            except PrincepsError as error:  # an engine that does not take this protocol
                refused = str(error)
            done.append(Warmed(name, engine, n, perf_counter() - began, refused))
            if observer is not None:
                observer(done[-1])
    return done


def _works(name: str) -> Iterator[tuple[str, int, Callable[[], Any]]]:
    from princeps.api.exact import exact
    from princeps.api.run import run
    from princeps.engines.registry import ENGINES, REFERENCE
    from princeps.engines.rings.registry import RING_ENGINES

    cls = registry.find_any(name)
    if registry.kind_of(cls) != POPULATION:
        given: dict[str, Any] = {"labels": "1,2,2", "k": 2} if "k" in cls.params_ else {"n": 3}
        for engine in RING_ENGINES:
            if engine != REFERENCE:
                yield engine, 3, partial(run, name, engine=engine, seed=0, progress=False, **given)
        return
    for engine in (one for one in ENGINES if one != REFERENCE):
        for n in SIZES:
            short = partial(run, name, n=n, engine=engine, max_steps=STEPS, seed=0, progress=False)
            yield engine, n, short
    yield "exact", EXACT_SIZE, partial(exact, name, n=EXACT_SIZE, progress=False)
