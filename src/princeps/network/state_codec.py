"""A state as bytes, by the declared fields of its protocol, and back; what is no legal state is not accepted."""

from __future__ import annotations

from princeps.errors import RunError
from princeps.model.states import Space, State

LARGEST_STATE = 500  # bytes: two of them fit a datagram
LARGEST_NATURAL = 64  # bytes of the value of a field without a bound
REMEMBERED = 1 << 16  # states whose bytes are kept


class StateCodec:
    """Fields with a size have a fixed width; the value of any other has its length before it."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.widths = [None if size is None else ((size - 1).bit_length() + 7) // 8 for size in space.sizes]
        self._bytes: dict[State, bytes] = {}
        self._states: dict[bytes, State] = {}
        largest = sum(LARGEST_NATURAL + 1 if width is None else width for width in self.widths)
        if largest > LARGEST_STATE:
            raise RunError(
                f"a state takes up to {largest:,} bytes, and {LARGEST_STATE} fit a datagram: choose smaller parameters."
            )

    def encode(self, state: State) -> bytes:
        known = self._bytes.get(state)
        if known is None:
            parts = [self._value(k, value) for k, value in enumerate(state)]
            if len(self._bytes) >= REMEMBERED:
                self._bytes.clear()
            known = self._bytes[state] = b"".join(parts)
        return known

    def _value(self, k: int, value: int) -> bytes:
        width = self.widths[k]
        if width is not None:
            return value.to_bytes(width, "big")
        width = (value.bit_length() + 7) // 8
        if width > LARGEST_NATURAL:
            raise RunError(
                f"{self.space.names[k]} has reached a value of {width} bytes, and {LARGEST_NATURAL} can be sent: "
                f"bound the field."
            )
        return bytes([width]) + value.to_bytes(width, "big")

    def decode(self, data: bytes) -> State | None:
        """The state, or None if the bytes are not those of a legal one."""
        known = self._states.get(data)
        if known is None:
            known = self._read(data)
            if known is not None:
                if len(self._states) >= REMEMBERED:
                    self._states.clear()
                self._states[bytes(data)] = known
        return known

    def _read(self, data: bytes) -> State | None:
        values, at = [], 0
        for fixed, size in zip(self.widths, self.space.sizes, strict=True):
            width = fixed
            if width is None:
                if at >= len(data) or data[at] > LARGEST_NATURAL:
                    return None
                width, at = data[at], at + 1
                if width and data[at : at + 1] == b"\0":  # a second spelling of the same value
                    return None
            value = int.from_bytes(data[at : at + width], "big")
            if at + width > len(data) or (size is not None and value >= size):
                return None
            values.append(value)
            at += width
        state = tuple(values)
        return state if at == len(data) and self.space.is_legal(state) else None

    def split(self, data: bytes) -> tuple[State, State] | None:
        """Two states, of which the first is preceded by its length in one byte pair."""
        if len(data) < 2:
            return None
        end = 2 + int.from_bytes(data[:2], "big")
        first, second = self.decode(data[2:end]), self.decode(data[end:])
        return None if first is None or second is None else (first, second)

    def join(self, first: State, second: State) -> bytes:
        one = self.encode(first)
        return len(one).to_bytes(2, "big") + one + self.encode(second)
