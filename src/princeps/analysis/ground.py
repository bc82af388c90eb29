"""The ground on which questions are asked: configurations, the chain between them, and named sets of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from princeps.analysis import alphabet as alphabets
from princeps.analysis import targets
from princeps.analysis.alphabet import Alphabet
from princeps.analysis.chain import Bits, Chain
from princeps.analysis.components import Components, components
from princeps.analysis.configurations import Configurations
from princeps.analysis.merging import Classes, merge, unmerged
from princeps.analysis.progress import Observer, silence
from princeps.analysis.symmetry import Permutation, group_of
from princeps.analysis.targets import Target
from princeps.errors import RunError, TooLarge
from princeps.model.numbers import in_words
from princeps.model.protocol import Closed
from princeps.model.run import Run
from princeps.model.starts import starting_states
from princeps.model.states import State

MOST_PLACED = 10_000  # orders of the agents at a start, if nothing is merged


class Ground:
    """All configurations, or those that can be reached from a start; with every set whose members were asked for."""

    def __init__(
        self,
        run: Run,
        space: Configurations,
        chain: Chain,
        members: Mapping[str, Bits],
        starts: Sequence[int] = (),
        whole: bool = True,
    ) -> None:
        self.run, self.space, self.chain = run, space, chain
        self.members = dict(members)
        self.starts = starts  # the number of the start, then of its other placements; empty: all configurations
        self.whole = whole  # nothing that can be reached was left out

    @property
    def start(self) -> int | None:
        return self.starts[0] if self.starts else None

    @property
    def size(self) -> int:
        return self.space.size

    @cached_property
    def multiplicity(self) -> NDArray[Any]:
        return self.space.multiplicities()

    @cached_property
    def leaders(self) -> NDArray[np.int32]:
        return self.space.leaders()

    @cached_property
    def uncut(self) -> Components:
        """Components of the chain as it is."""
        return components(self.chain, None, self.space.observe)

    @cached_property
    def safe(self) -> Bits:
        """The largest set in which exactly one agent leads that no step leaves and in which no output ever changes."""
        return self.uncut.settled(self.leaders == 1)

    def set(self, name: str) -> Bits:
        return self.safe if name == targets.SAFE else self.members[name]

    def originals(self, chosen: Bits) -> int:
        """How many configurations of the original space a set has."""
        picked = self.multiplicity[chosen]
        return int(picked.sum()) if len(picked) else 0

    @cached_property
    def configurations(self) -> int:
        return int(self.multiplicity.sum())


def placements(states: Sequence[State], group: Sequence[Permutation] | None) -> Iterator[list[State]]:
    """A start with its agents placed in every way that the graph cannot tell from the given one."""
    if group is not None:
        yield from ([states[i] for i in permutation] for permutation in group)
        return
    left = Counter(states)
    ways = factorial(len(states)) // prod(factorial(copies) for copies in left.values())
    if ways > MOST_PLACED:
        raise TooLarge(
            f"{len(states)} agents can stand in {in_words(ways)} orders at the start, too many to be told apart: "
            f"leave --no-reduce out, or lower -n."
        )

    def place(so_far: list[State]) -> Iterator[list[State]]:
        if len(so_far) == len(states):
            yield so_far
        for state in [state for state, copies in left.items() if copies]:
            left[state] -= 1
            yield from place([*so_far, state])
            left[state] += 1

    yield from place([])


def whole_ground(
    run: Run,
    sets: Sequence[Target],
    reduce: bool = True,
    automorphisms: Sequence[Permutation] = (),
    observer: Observer = silence,
) -> Ground:
    """All configurations of legal states, with these sets."""
    protocol = run.protocol
    endless = next((name for name, size in protocol.fields.items() if size is None), None)
    if endless is not None:
        raise RunError(
            f"{protocol.name} has infinitely many configurations (its field {endless!r} is unbounded): "
            f"explore those that can be reached, with --start {type(protocol).default_start}."
        )
    alphabet = alphabets.all_legal(protocol)
    group = group_of(run.topology, automorphisms) if reduce else [tuple(range(run.n))]
    for target in sets if reduce else ():
        if isinstance(target.goal, Closed) and alphabet.size**run.n > targets.MOST_JUDGED:
            targets.refuse_if_too_many_places(target.goal, run.n, group)
    try:
        colours = [targets.colours(target, alphabet, run.n, True, observer) for target in sets] if reduce else []
        classes = merge(alphabet, np.concatenate([alphabet.leads()[:, None], *colours], axis=1)) if reduce else None
        space = _reduced(run, alphabet, classes, group, sets, observer)
    finally:
        targets.forget()
    space.list_all()
    chain = space.expand()
    found = {target.name: targets.members(target, space, 0, space.size) for target in sets if target.goal is not None}
    if reduce:
        for target in sets:
            if isinstance(target.goal, Closed) and alphabet.size**run.n > targets.MOST_JUDGED:
                targets.refuse_if_places_matter(target.goal, space)
    return Ground(run, space, chain, found)


def _reduced(
    run: Run,
    alphabet: Alphabet,
    classes: Classes | None,
    group: Sequence[Permutation] | None,
    sets: Sequence[Target],
    observer: Observer,
) -> Configurations:
    """The space with merged states, once it is certain that it fits and that no set tells them apart."""
    space = Configurations(alphabet, classes or unmerged(alphabet), run.topology, group, observer)
    space.refuse_if_too_large(alphabet.size**run.n)
    observer(f"{in_words(alphabet.size**run.n)} configurations, {in_words(space.how_many())} after reduction", 0, 0)
    if classes is not None:
        for target in sets:
            if isinstance(target.goal, Closed) and alphabet.size**run.n <= targets.MOST_JUDGED:
                if not targets.reduction_holds(target.goal, space, observer):
                    return _reduced(run, alphabet, None, group, sets, observer)
    return space


def ground_from_start(
    run: Run,
    sets: Sequence[Target],
    reduce: bool = True,
    automorphisms: Sequence[Permutation] = (),
    past: bool = False,
    observer: Observer = silence,
) -> Ground:
    """What can be reached from the start; members of the first set are not left, unless `past`."""
    states = starting_states(run)
    alphabet = Alphabet(run.protocol, states)
    if not alphabet.close(most=min(run.n, alphabets.MOST)):  # fewer states than agents: numbers of agents are short
        alphabet = Alphabet(run.protocol, states)
    group = group_of(run.topology, automorphisms) if reduce else [tuple(range(run.n))]
    for target in sets if reduce else ():
        if isinstance(target.goal, Closed):
            targets.refuse_if_too_many_places(target.goal, run.n, group)
    space = Configurations(alphabet, unmerged(alphabet), run.topology, group, observer)
    starts = [space.begin(states)]
    if not reduce:  # all that the reduction takes for the same start, so that both count the same
        starts += [space.begin(placed) for placed in placements(states, group_of(run.topology, automorphisms))]
    first = sets[0]
    cut = not past and first.goal is not None

    def absorbing(begin: int, end: int) -> Bits:
        return targets.members(first, space, begin, end)

    chain = space.expand(absorbing if cut else None)
    found = {target.name: targets.members(target, space, 0, space.size) for target in sets if target.goal is not None}
    if reduce:
        for target in sets:
            if isinstance(target.goal, Closed):
                targets.refuse_if_places_matter(target.goal, space)
    return Ground(run, space, chain, found, starts, not cut)
