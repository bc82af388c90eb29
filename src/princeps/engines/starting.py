"""Where agents begin: the start of a run as packed words or ids, worked out in plain Python or compiled."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from princeps.engines.forms import Form, Interned, Packed, in_blocks, interned, new_table
from princeps.errors import ProtocolError, TooLarge
from princeps.lowering.interning import MAX_STATES
from princeps.lowering.kernels import LARGEST, Kernels, shuffled_identifiers
from princeps.lowering.memory import remembered
from princeps.model.protocol import Blocks, PopulationProtocol, Predicate, Uniform
from princeps.model.run import Run
from princeps.model.starts import listed_states, starting_blocks, starting_states
from princeps.model.states import State

IN_PYTHON = 20_000  # agents that a process visits in plain Python before it compiles the same question
SHORT = 4096  # agents of a trial that is over in less than a millisecond or two
CROWD = 256  # agents that may all be in different states before they are packed


def in_python(protocol: PopulationProtocol, question: Hashable, n: int) -> bool:
    """Starts, censuses and goal tests of small populations are not worth compiling, until they have been asked often.

    The answers are the same; only the time differs (a second to compile against microseconds an agent).
    """
    visited = remembered(type(protocol), "visited")
    total: int = visited.get(question, 0) + n
    visited.keep(question, total)
    return total <= IN_PYTHON


def is_crowded(agents: Any, states: int) -> bool:
    """Nearly everybody is in a state of its own."""
    return 4 * states > max(len(agents), CROWD)


def has_a_crowd(words: Any) -> bool:
    """Whether these agents are crowded. One word of the states tells it mostly: sorting whole rows takes longer than
    a trial of a thousand agents with identifiers, and twenty times as long as sorting numbers."""
    words_apart = words.reshape(len(words), -1).T
    return any(is_crowded(words, len(np.unique(word))) for word in words_apart) or (
        len(words_apart) > 1 and is_crowded(words, len(np.unique(words, axis=0)))
    )


def blocks_of(run: Run, kernels: Kernels) -> list[tuple[int, State]] | None:
    """The start as numbers of agents in one state after the other, if it is declared so or all agents are alike."""
    rule = None if run.lists_states else type(run.protocol).start_rule(run.start)
    if isinstance(rule, Blocks):
        return starting_blocks(run, rule)
    if rule is None or isinstance(rule, Uniform) or not kernels.is_uniform(rule):
        return None
    one: Any = run.protocol.agent([0] * len(run.protocol.space.names))  # type: ignore[call-arg]
    run.protocol.ask(rule, one, 0, run.n, run.protocol.constants)
    return [(run.n, run.protocol.values_of(one))]


def starting_form(
    run: Run, kernels: Kernels, predicates: Sequence[Predicate], given: Sequence[tuple[int, State]] | None
) -> Form:
    """The agents at the start, or in the given blocks, in the form that suits them."""
    blocks = blocks_of(run, kernels) if given is None else given
    if blocks is None:
        words = starting_words(run, kernels)
    elif not run.protocol.has_choices and len(blocks) <= MAX_STATES // 2:
        checked([state for _, state in blocks])
        return in_blocks(kernels, blocks, predicates)
    else:
        packed = kernels.pack(checked([state for _, state in blocks]))
        words = np.repeat(packed, [size for size, _ in blocks], axis=0)
    return form_of(words, kernels, predicates)


def form_of(words: Any, kernels: Kernels, predicates: Sequence[Predicate]) -> Form:
    """The form in which agents begin that are given as packed words."""
    if kernels.protocol.has_choices or has_a_crowd(words[:MAX_STATES]):
        return Packed(kernels, words)
    form = interned(kernels, words, new_table(kernels, predicates))
    return Packed(kernels, words) if form is None or is_crowded(words, form.state_table.size) else form


def kept_start(run: Run, kernels: Kernels, predicates: Sequence[Predicate]) -> tuple[Form, Any] | None:
    """Agents and counts as an earlier trial found them: where nothing is random, short trials need not work it out."""
    kept = kernels.starting_configurations.get((run.start, run.n, *predicates))
    if kept is None:
        return None
    table, ids, counts = kept
    current = kernels.state_tables.get(tuple(predicates))
    if current is None or current is not table or 2 * current.size > current.capacity:
        return None
    return Interned(kernels, ids.copy(), current), counts.copy()


def keep_start(run: Run, kernels: Kernels, predicates: Sequence[Predicate], form: Form, counts: Any) -> None:
    if (
        run.n <= SHORT
        and isinstance(form, Interned)
        and form.state_table is kernels.state_tables.get(tuple(predicates))
    ):
        kept = form.state_table, form.agents.copy(), counts.copy()
        kernels.starting_configurations.keep((run.start, run.n, *predicates), kept)


def starting_words(run: Run, kernels: Kernels) -> Any:
    protocol = run.protocol
    if run.lists_states:
        return kernels.pack(checked(listed_states(run)))
    rule = type(protocol).start_rule(run.start)
    assert not isinstance(rule, Blocks)
    undrawable = isinstance(rule, Uniform) and not kernels.can_draw()
    if in_python(protocol, ("start", rule), run.n) or undrawable:
        return kernels.pack(checked(starting_states(run)))
    ids = identifiers(run)
    if isinstance(rule, Uniform):
        return kernels.random_agents(run.n, run.seed, run.trial, ids)
    agents, wrong = kernels.fill(rule, run.n, ids)
    if wrong >= 0:  # do it in Python to learn in which line
        names = protocol.space.names
        blank = [int(ids[wrong]) if name == protocol.input_field else 0 for name in names]
        protocol.ask(rule, protocol.agent(blank), wrong, run.n, protocol.constants)  # type: ignore[call-arg]
        raise ProtocolError(f"start {run.start!r} gives agent {wrong} a value outside its domain.", protocol.file())
    return agents


def identifiers(run: Run) -> Any:
    if run.ids is None:
        return np.zeros(0, dtype=np.int64)
    if run.ids.is_shuffle:
        return shuffled_identifiers(run.n, run.seed, run.trial)
    ids = run.ids.values(run.stream("ids"))
    if max(ids) > LARGEST:
        raise TooLarge(f"id {max(ids)} exceeds 2^63 - 1, the largest the agents engine holds: use --engine reference.")
    return np.array(ids, dtype=np.int64)


def checked(states: list[State]) -> list[State]:
    for state in states:
        if max(state) > LARGEST:
            raise TooLarge(
                f"{max(state)} exceeds 2^63 - 1, the largest number the agents engine holds: use --engine reference."
            )
    return states
