"""A million agents as pixels: one colour class an agent, two in a byte. Fast, and without a number for every state.

The compiled engines hold an agent as an interned id or as packed words. The classes of all ids of a table are kept, and
looked up for all agents at once; of packed words the bits of the field are read, or the compiled predicate is asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from princeps.engines.forms import Interned, Packed, columns, parts
from princeps.engines.session import Session
from princeps.lowering.cache import kernel_module
from princeps.web.bound_look import Choice
from princeps.web.sole_field import sole_field
from princeps.web.state_table import MAX_CLASSES, StateTable, states_of

LOOKED_UP = 1 << 16  # values of a field whose classes are looked up


def pixels_kernel() -> Any:
    return kernel_module("princeps.web.pixels_kernel")


class Pixels:
    """The classes of a run's agents by one choice of colours after the other."""

    def __init__(self, table: StateTable) -> None:
        self.table = table
        self._known: dict[str, tuple[Any, Any]] = {}  # a table of the engine, and the class of each of its ids
        self._by_bits: dict[str, tuple[str, Any] | None] = {}  # a field, and the class of each of its values
        self._out = np.empty(0, np.uint8)

    def classes(self, session: Session, name: str | None) -> Any:
        """One class an agent, uint8."""
        choice = self.table.look.choice(name)
        form = getattr(session.population, "form", None)
        if isinstance(form, Interned):
            return np.take(self._of_ids(form, choice), form.agents, mode="clip")
        if isinstance(form, Packed) and choice.by == "field":
            return self._of_field(form, choice)
        if isinstance(form, Packed) and (asked := self._of_predicate(form, choice)) is not None:
            return asked
        states = [session.population.state(agent) for agent in range(session.n)]
        return np.array([self.table._class_of(choice, state) for state in states], np.uint8)

    def packed(self, session: Session, name: str | None) -> bytes | memoryview:
        """The same, two in a byte. To be copied before the next ones are asked for: fresh memory for each takes longer than
        the pixels."""
        form, choice = getattr(session.population, "form", None), self.table.look.choice(name)
        if len(self._out) != (session.n + 1) // 2:
            self._out = np.empty((session.n + 1) // 2, np.uint8)
        out = self._out
        if isinstance(form, Interned):
            pixels_kernel().pack_ids(form.agents, self._of_ids(form, choice), out)
        elif isinstance(form, Packed) and (by_bits := self._of_bits(form, choice)) is not None:
            place, classes = by_bits
            words = form.agents.reshape(session.n, -1)[:, place.word]
            pixels_kernel().pack_bits(words, place.shift, place.mask, classes, out)
        else:
            return nibbles(self.classes(session, name))
        pixels: memoryview = out.data
        return pixels

    def _of_bits(self, form: Packed, choice: Choice) -> tuple[Any, Any] | None:
        """Where the one field lies that says the class of an agent, and the class of every value of its bits."""
        if choice.name not in self._by_bits:
            self._by_bits[choice.name] = self._looked_up(choice)
        found = self._by_bits[choice.name]
        if found is None:
            return None
        field, classes = found
        place = form.kernels.layout.bit_fields[field]
        return place, np.pad(classes, (0, place.mask + 1 - len(classes)), mode="edge")

    def _looked_up(self, choice: Choice) -> tuple[str, Any] | None:
        """The field, and the class of each of its values; None where more than one field is asked, or they are too many."""
        protocol = self.table.protocol
        if choice.by == "predicate":
            read = sole_field(protocol, type(protocol).all_predicates()[choice.name])
            return None if read is None else (read[0], np.array(read[1], np.uint8))
        size = protocol.fields[choice.name]
        if size is None or size > LOOKED_UP:
            return None
        return choice.name, self._of_values(np.arange(size), choice)

    def _of_ids(self, form: Interned, choice: Choice) -> Any:
        table = form.state_table
        held, classes = self._known.get(choice.name, (None, np.zeros(0, np.uint8)))
        if held is not table:
            classes = np.zeros(0, np.uint8)
        if len(classes) < table.size:
            new = self._of_words(form.kernels, table.words[len(classes) : table.size], choice)
            classes = np.concatenate([classes, new])
            self._known[choice.name] = (table, classes)
        return classes

    def _of_words(self, kernels: Any, words: Any, choice: Choice) -> Any:
        """Of states given as packed words."""
        if choice.by == "field":
            return self._of_values(columns(kernels, words)[choice.name], choice)
        return np.array([self.table._class_of(choice, state) for state in states_of(kernels, words)], np.uint8)

    def _of_field(self, form: Packed, choice: Choice) -> Any:
        """Part by part: arrays that fit into the cache."""
        place = form.kernels.layout.bit_fields[choice.name]
        words = form.agents.reshape(len(form.agents), -1)[:, place.word]
        out, kind = np.empty(len(words), np.uint8), words.dtype.type
        for part, there in zip(parts(words), parts(out), strict=True):
            values = part.astype(np.int64) if place.width == 64 else (part >> kind(place.shift)) & kind(place.mask)
            there[:] = self._of_values(values, choice)
        return out

    def _of_predicate(self, form: Packed, choice: Choice) -> Any:
        """By the compiled predicate; None where it fails for an agent, of which Python then says why."""
        kernels, rows = form.kernels, form.agents.reshape(len(form.agents), -1)
        predicate = type(self.table.protocol).all_predicates()[choice.name]
        cell, out = np.zeros(rows.shape[1], np.int64), np.empty(len(rows), np.uint8)
        where = cell.ctypes.data, kernels.constants.ctypes.data, kernels.tops.ctypes.data
        return out if pixels_kernel().mark_all(kernels.marks_at([predicate]), rows, cell, *where, out) else None

    def _of_values(self, values: Any, choice: Choice) -> Any:
        """As StateTable's classes of single states."""
        size = self.table.protocol.fields[choice.name]
        if size is not None and size <= LOOKED_UP:
            every = np.arange(size)
            few = choice.values is not None or size <= MAX_CLASSES
            classes = np.minimum(every, MAX_CLASSES - 1) if few else every * MAX_CLASSES // size
            return np.take(classes.astype(np.uint8), values, mode="clip")
        if size is None:
            exponents = np.frexp(values.astype(np.float64))[1]
            return np.minimum(exponents, MAX_CLASSES - 1).astype(np.uint8)
        return (values.astype(np.float64) * MAX_CLASSES / size).astype(np.uint8)


def nibbles(classes: Any) -> bytes:
    """Two classes a byte, the first in the low half."""
    even = classes if len(classes) % 2 == 0 else np.append(classes, np.uint8(0))
    both = np.ascontiguousarray(even).view("<u2")
    packed: bytes = (both | (both >> 4)).astype(np.uint8).tobytes()
    return packed


def from_nibbles(payload: bytes | memoryview, n: int) -> Any:
    """The classes again."""
    packed = np.frombuffer(payload, np.uint8)
    out = np.empty(2 * len(packed), np.uint8)
    out[0::2], out[1::2] = packed & 15, packed >> 4
    return out[:n]
