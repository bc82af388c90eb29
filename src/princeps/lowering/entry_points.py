"""Calling object code from Python: what an argument is, how it is handed over, what comes back.

The machine code of a kernel begins with an entry (compiling.py) that takes the address of a buffer for the results, then
an argument for each array (the address of the Python object, whose fields the entry reads) and for each number. Tuples are
handed over element by element.
"""

from __future__ import annotations

import ctypes
import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from princeps.lowering.object_code import Loaded

Shape: TypeAlias = tuple[Any, ...]  # what calls of one signature have in common, found fast
Kind: TypeAlias = Any  # of an argument: the name of a number's type; ("array", ...); ("tuple", ...)

HALF, WHOLE = 1 << 63, 1 << 64
C_ORDER, F_ORDER, ALIGNED, WRITEABLE = 0x1, 0x2, 0x100, 0x400  # bits of numpy's flags
FLAGS = C_ORDER | F_ORDER | ALIGNED | WRITEABLE
ELEMENTS = frozenset(
    f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)
) | {"float32", "float64", "bool"}  # fmt: skip
HEAD = object.__basicsize__  # where the fields of an array begin in it: data, number of axes, lengths, strides
DATA, AXES, LENGTHS, STRIDES = HEAD, HEAD + 8, HEAD + 16, HEAD + 24

_array = np.ndarray


def shape_of(args: Sequence[Any]) -> Shape:
    """Equal for two calls only if they have the same signature."""
    out: list[Any] = []
    for value in args:
        kind: Any = type(value)
        if kind is _array:
            out.append((value.dtype, value.ndim, value.flags.num & FLAGS))
        elif kind is int:
            out.append(kind if -HALF <= value < HALF else WHOLE if 0 <= value < WHOLE else None)
        elif kind is tuple:
            out.append((kind, *shape_of(value)))
        else:
            out.append(kind)
    return tuple(out)


def kinds_of(args: Sequence[Any]) -> tuple[Kind, ...] | None:
    """The signature of a call as numba would see it; None if it has something that cannot be handed over here."""
    kinds = tuple(_kind(value) for value in args)
    return kinds if None not in kinds and _fields_are_where_they_should_be() else None


def _kind(value: Any) -> Kind | None:
    kind = type(value)
    if kind is _array:
        if value.dtype.name not in ELEMENTS or not value.dtype.isnative:
            return None
        flags = value.flags
        order = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        return "array", value.dtype.name, value.ndim, order, flags.writeable, flags.aligned
    if kind is tuple:
        kinds = tuple(_kind(element) for element in value)
        return None if None in kinds else ("tuple", *kinds)
    if kind is int:
        return "int64" if -HALF <= value < HALF else "uint64" if 0 <= value < WHOLE else None
    if kind in (bool, float):
        return "bool" if kind is bool else "float64"
    if isinstance(value, np.generic) and value.dtype.name in ELEMENTS:
        return value.dtype.name
    return None


def are_plain(args: Sequence[Any]) -> bool:
    """ctypes takes them as they are."""
    return all(type(value) in (_array, int, bool, float) for value in args)


@cache
def _fields_are_where_they_should_be() -> bool:
    """Every extension module that uses numpy relies on it; a build of Python or numpy without it would be a new one."""
    probe = np.zeros((3, 5, 7), np.int16)[:, ::2, 1:]
    at = id(probe)
    lengths, strides = (ctypes.c_void_p.from_address(at + place).value or 0 for place in (LENGTHS, STRIDES))
    if not lengths or not strides:
        return False
    return (
        ctypes.c_void_p.from_address(at + DATA).value == probe.__array_interface__["data"][0]
        and ctypes.c_int.from_address(at + AXES).value == 3
        and tuple((ctypes.c_ssize_t * 3).from_address(lengths)) == probe.shape
        and tuple((ctypes.c_ssize_t * 3).from_address(strides)) == probe.strides
    )


def entry(loaded: Loaded, kinds: Sequence[Kind], is_plain: bool) -> Callable[..., Any]:
    """The kernel as a function of its arguments, which are plain if there are none but arrays and Python's own numbers.

    Other threads go on while it runs.
    """
    leaves = list(_leaves(kinds))
    prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, *(_c_type(kind) for kind in leaves))
    function = prototype(loaded.address)
    buffer = ctypes.c_int64 * (len(loaded.results) + 1)
    last = len(loaded.results)
    readers = [_READERS.get(kind) for kind in loaded.results]
    plain = all(reader is None for reader in readers)
    returns = loaded.returns

    def call(*args: Any) -> Any:
        out = buffer()
        if function(out, *args) != 0:
            raise _error_at(out[last])
        if returns == "number":
            return out[0] if plain else _read(out[0], readers[0])
        if returns == "tuple":
            words = out[:last]
            return tuple(words if plain else map(_read, words, readers))
        return None

    return call if is_plain else lambda *args: call(*_handed_over(args))


def _leaves(kinds: Sequence[Kind]) -> Iterator[Kind]:
    for kind in kinds:
        if type(kind) is tuple and kind[0] == "tuple":
            yield from _leaves(kind[1:])
        else:
            yield kind


def _handed_over(args: Sequence[Any]) -> Iterator[Any]:
    for value in args:
        if type(value) is tuple:
            yield from _handed_over(value)
        else:
            yield value if type(value) is _array else value.item() if isinstance(value, np.generic) else value


def _c_type(kind: Kind) -> Any:
    if type(kind) is tuple:
        return ctypes.py_object
    return ctypes.c_double if kind.startswith("float") else ctypes.c_uint64 if kind == "uint64" else ctypes.c_int64


def _read(word: int, reader: Callable[[int], Any] | None) -> Any:
    return word if reader is None else reader(word)


_READERS: dict[str, Callable[[int], Any]] = {
    "bool": bool,
    "uint64": lambda word: word % WHOLE,
    "float64": lambda word: ctypes.c_double.from_buffer(ctypes.c_int64(word)).value,
}


class _Raised(ctypes.Structure):
    """What numba writes when a kernel raises: the pickled exception, its arguments and the place in the source."""

    _fields_ = [
        ("pickled", ctypes.c_void_p),
        ("length", ctypes.c_int32),
        ("rest", ctypes.c_void_p * 2),
        ("values", ctypes.c_int32),
    ]


def _error_at(address: int) -> BaseException:
    raised = _Raised.from_address(address)
    kind, args, _ = pickle.loads(ctypes.string_at(raised.pickled, raised.length))
    error: BaseException = kind(*(args or ()))
    return error
