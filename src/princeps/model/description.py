"""A run as a user describes it: the one thing that Python, the command line, sweeps, papers and workers hand over.

Whether it is about a population protocol or a ring algorithm is decided here and nowhere else. `read` turns a
description into a `Run` or a `RingRun`, in which every number is read and everything that could be wrong is refused.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from princeps.errors import ParameterError, RunError
from princeps.model import registry
from princeps.model.carried import Carried
from princeps.model.naming import Name
from princeps.model.numbers import read_integer
from princeps.model.options import POPULATION, Count, RunOptions, options_of, read_texts, refuse_other_kinds, split
from princeps.model.parameters import Parametrised
from princeps.model.python_values import in_words

if TYPE_CHECKING:
    from princeps.model.rings.run import RingRun
    from princeps.model.run import Run

Named = registry.Named
FILES = ("start", "scheduler", "pairs", "graph", "ring")  # options that may name one, some before or after a colon


@dataclass(frozen=True)
class Description:
    """Protocol, size, parameters and options, unread."""

    protocol: Named
    n: Count | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    options: RunOptions = field(default_factory=RunOptions)

    def __getstate__(self) -> dict[str, Any]:
        """Without what is cached: a worker finds the class by its name, and could not unpickle that of a user's file."""
        return {name: vars(self)[name] for name in self.__dataclass_fields__}

    @cached_property
    def cls(self) -> type[Parametrised]:
        return registry.find_any(self.protocol)

    @cached_property
    def kind(self) -> str:
        """ "population" or "ring"."""
        return registry.kind_of(self.cls)

    @property
    def spec(self) -> str:
        """How the protocol is named on the command line."""
        return self._name.spec

    @property
    def no_command(self) -> str:
        """Why no command can name the protocol; empty where one can."""
        return self._name.no_command

    @cached_property
    def _name(self) -> Name:
        if isinstance(self.protocol, Carried):
            return Name(self.protocol.spec, self.protocol.no_command)
        found = registry.name_of(self.cls)
        return Name(self.protocol, found.no_command) if isinstance(self.protocol, str) else found

    @property
    def inputs(self) -> list[str]:
        """The files that the run reads: that of its protocol, and those that its options name."""
        texts = [text for name in FILES if isinstance(text := getattr(self.options, name), str)]
        parts = [part for text in texts for part in (text, text.partition(":")[2], text.rpartition(":")[0])]
        return [
            *filter(None, [self.cls.file()]),
            *(part for part in map(os.path.expanduser, parts) if os.path.isfile(part)),
        ]

    def with_options(self, **changes: Any) -> Description:
        return replace(self, options=replace(self.options, **changes))

    def sendable(self) -> Description:
        """The same for another process, which finds the protocol by its name, or gets it as text."""
        return replace(self, protocol=registry.sendable(self.protocol))


def describe(name: Named, n: Count | None = None, **given: Any) -> Description:
    """Keyword arguments as `princeps.run` takes them: options by their names, all others are parameters.

    `params` may hold parameters too, by whatever name.
    """
    if hasattr(name, "__fspath__"):
        name = os.fspath(name)
    options, params = split({key: in_words(key, value) for key, value in given.items()}, RunOptions)
    more = params.pop("params", None)
    if more is None:
        more = {}
    if not isinstance(more, Mapping) or not all(isinstance(name, str) for name in more):
        raise ParameterError(f"params {more!r} is not understood: give a mapping of parameters, like {{'N': 8}}.")
    return Description(name, n, {**params, **more}, RunOptions(**read_texts(options, RunOptions)))


def read(description: Description, trial: int | None = None) -> Run | RingRun:
    """The run that is described; `trial` replaces the one that the description names."""
    refuse_other_kinds(description.options, description.kind, description.cls.name)
    if trial is not None:
        description = description.with_options(trial=trial)
    if description.options.seed is None:
        description = description.with_options(seed=0)
    return _reader(description.kind)(description)


def _reader(kind: str) -> Callable[[Description], Run | RingRun]:
    if kind == POPULATION:
        from princeps.model.reading import read_run

        return read_run
    from princeps.model.rings.reading import read_ring_run

    return read_ring_run


def reader_of_trials(description: Description) -> Callable[[int], Run | RingRun]:
    """Any trial of one description; what does not differ between trials is read and checked once (0.3 ms each)."""
    from princeps.model.run import Run
    from princeps.model.topology import is_drawn

    first = None if is_drawn(description.options.graph or "") else read(description, 0)
    if not isinstance(first, Run) or first.ids is not None:
        return lambda trial: read(description, trial)
    if first.lists_states:
        from princeps.model.starts import listed_states

        object.__setattr__(first, "states", tuple(listed_states(first)))

    first.goal, first.words()  # read once for all trials, which are copies of this one

    def another(trial: int) -> Run:
        twin = copy(first)
        object.__setattr__(twin, "trial", trial)
        return twin

    return another


def with_seed(description: Description) -> Description:
    """The same with its seed as a number: without one, one is chosen, and the result names it."""
    given = description.options.seed
    return description.with_options(seed=chosen_seed() if given is None else read_integer(given, "seed"))


def chosen_seed() -> int:
    """The seed of a run that is given none: PRINCEPS_SEED, so that a whole script or suite can be repeated, or a random one."""
    import secrets

    given = os.environ.get("PRINCEPS_SEED")
    return read_integer(given, "PRINCEPS_SEED") if given else secrets.randbits(32)


def read_command(command: str) -> Description:
    """The description that a command line `princeps run ...` gives: what `Run.command` and `RingRun.command` write."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise RunError(f"the command {command!r} cannot be read ({error}).") from None
    if words[:2] != ["princeps", "run"] or len(words) < 3:
        raise RunError(f"the command {command!r} is no run: it must begin with `princeps run PROTOCOL`.")
    flags = {flag: option for option in options_of(RunOptions).values() for flag in option.flags}
    name, rest = words[2], words[3:]
    n: str | None = None
    params: dict[str, str] = {}
    given: dict[str, Any] = {}
    while rest:
        word = rest.pop(0)
        option = flags.get(word)
        if option is not None and option.is_flag:
            given[option.name] = True
        elif rest and word == "-p" and "=" in rest[0]:
            key, _, value = rest.pop(0).partition("=")
            params[key] = value
        elif rest and word == "-n":
            n = rest.pop(0)
        elif rest and option is not None:
            value = rest.pop(0)
            given[option.name] = [*given.get(option.name, []), value] if option.repeated else value
        else:
            raise RunError(f"the command has {word!r}, which no run knows: remove it.")
    return Description(name, n, params, RunOptions(**given))
