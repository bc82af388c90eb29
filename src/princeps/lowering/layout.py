"""How the fields of an agent share one machine word.

Fields whose size never changes come first, each in as many bits as it needs; the others share the rest of the word
equally, so that the layout, and with it the compiled code, is the same for nearly all parameters.
Unbounded fields take a 64-bit word each. A 64-bit word uses 63 bits: it is stored signed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from princeps.errors import TooLarge
from princeps.model.protocol import PopulationProtocol


@dataclass(frozen=True)
class BitField:
    """The bits that hold a field: word, first bit and width; width 64 is the whole word."""

    word: int
    shift: int
    width: int

    @property
    def mask(self) -> int:
        return (1 << self.width) - 1


@dataclass(frozen=True)
class Layout:
    """The bits of every field; `bits` is the width of a word, less than 64 only where one word suffices."""

    bit_fields: dict[str, BitField]
    words: int
    bits: int

    @property
    def key(self) -> tuple[Hashable, ...]:
        return (*self.bit_fields.items(), self.words, self.bits)

    @property
    def bytes_per_agent(self) -> int:
        return self.words * self.bits // 8

    @property
    def dtype(self) -> str:
        return "int64" if self.bits == 64 else f"uint{self.bits}"

    def pack(self, names: Sequence[str], state: Sequence[int]) -> list[int]:
        words = [0] * self.words
        for name, value in zip(names, state, strict=True):
            place = self.bit_fields[name]
            words[place.word] |= int(value) << place.shift
        return words

    def unpack(self, names: Sequence[str], words: Sequence[int]) -> tuple[int, ...]:
        values = []
        for name in names:
            place = self.bit_fields[name]
            word = int(words[place.word])
            values.append(word if place.width == 64 else (word >> place.shift) & place.mask)
        return tuple(values)


def width_of(size: int) -> int:
    return max(1, (size - 1).bit_length())


def make_layout(protocol: PopulationProtocol) -> Layout:
    space = protocol.space
    sized = [
        (name, size, field.fixed)
        for name, size, field in zip(space.names, space.sizes, space.fields, strict=True)
        if size is not None
    ]
    unbounded = [name for name, size in zip(space.names, space.sizes, strict=True) if size is None]
    fixed = [(name, width_of(size)) for name, size, is_fixed in sized if is_fixed]
    free = [(name, width_of(size)) for name, size, is_fixed in sized if not is_fixed]
    for bits, usable in ((8, 8), (16, 16), (32, 32), (64, 63)):
        if (bits < 64 and unbounded) or (bits < 32 and free):
            continue
        left = usable - sum(width for _, width in fixed)
        share = left // len(free) if free else 0
        if left < 0 or any(width > share for _, width in free):
            continue
        return _in_one_word(fixed + [(name, share) for name, _ in free], unbounded, bits)
    if sum(width for _, width in fixed + free) <= 63:  # the equal shares were too narrow: exact widths, compiled anew
        return _in_one_word(fixed + free, unbounded, 64)
    return _first_fit(fixed + free, unbounded)


def _in_one_word(widths: Sequence[tuple[str, int]], unbounded: Sequence[str], bits: int) -> Layout:
    bit_fields: dict[str, BitField] = {}
    shift = 0
    for name, width in widths:
        bit_fields[name] = BitField(0, shift, width)
        shift += width
    first = 1 if widths else 0
    for k, name in enumerate(unbounded):
        bit_fields[name] = BitField(first + k, 0, 64)
    return Layout(bit_fields, first + len(unbounded), bits)


def _first_fit(widths: Sequence[tuple[str, int]], unbounded: Sequence[str]) -> Layout:
    """Several words, for protocols that do not fit into one."""
    bit_fields: dict[str, BitField] = {}
    word, shift = 0, 0
    for name, width in widths:
        if width > 63:
            raise TooLarge(
                f"field {name!r} needs {width} bits: compiled engines hold at most 63. Use --engine reference."
            )
        if shift + width > 63:
            word, shift = word + 1, 0
        bit_fields[name] = BitField(word, shift, width)
        shift += width
    for k, name in enumerate(unbounded):
        bit_fields[name] = BitField(word + 1 + k, 0, 64)
    return Layout(bit_fields, word + 1 + len(unbounded), 64)
