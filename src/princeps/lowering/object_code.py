"""Object code on disk and in memory: what is written beside it, and how llvmlite loads it without numba.

Object code that refers to a symbol which nobody defines would end the process, so the symbols are listed beside it and
looked for before it is loaded. Where one is missing, or the list is, numba is imported, which brings those of its own.
"""

from __future__ import annotations

import json
import struct
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

ENTRY = "princeps_entry"  # the name of the function in every piece of object code that Python or another kernel calls


@dataclass(frozen=True)
class ObjectCode:
    """A kernel in machine code. `results`: the types of the numbers that it returns; `returns`: how it returns them."""

    code: bytes
    returns: str  # "nothing", "number" or "tuple"
    results: tuple[str, ...]
    symbols: tuple[str, ...] | None  # that it refers to; None if they are not known
    lasts: bool = True  # it may be kept for other processes


@dataclass(frozen=True)
class Loaded:
    """Machine code in memory."""

    address: int
    returns: str
    results: tuple[str, ...]
    engine: Any


def packed(made: ObjectCode) -> bytes:
    about = {name: value for name, value in asdict(made).items() if name not in ("code", "lasts")}
    return json.dumps(about).encode() + b"\n" + made.code


def unpacked(payload: bytes) -> ObjectCode:
    about, _, code = payload.partition(b"\n")
    read = json.loads(about)
    symbols = read["symbols"]
    return ObjectCode(code, read["returns"], tuple(read["results"]), None if symbols is None else tuple(symbols))


def load(made: ObjectCode) -> Loaded | None:
    """None if there is a symbol that nobody defines."""
    from llvmlite import binding

    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _target().create_target_machine(jit=True))
    engine._owned = True  # never disposed of: engines hold addresses in it, and numba keeps machine code for ever, too
    if not _are_defined(made.symbols):  # looked for only now: the engine brings those of the C library
        _bring_symbols_of_numba()
        if made.symbols is not None and not _are_defined(made.symbols):
            return None
    engine.add_object_file(binding.ObjectFileRef.from_data(made.code))
    engine.finalize_object()
    address = engine.get_function_address(ENTRY)
    return Loaded(address, made.returns, made.results, engine) if address else None


@cache
def _target() -> Any:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.Target.from_triple(binding.get_process_triple())


def _are_defined(symbols: tuple[str, ...] | None) -> bool:
    from llvmlite import binding

    return symbols is not None and all(binding.address_of_symbol(name) for name in symbols)


def _bring_symbols_of_numba() -> None:
    from numba.core.registry import cpu_target

    cpu_target.target_context.refresh()


def symbols_of(code: bytes) -> tuple[str, ...] | None:
    """The names that this ELF file of 64 bits refers to and does not define; None if it is another kind of file."""
    if code[:6] != b"\x7fELF\x02\x01":
        return None
    (table_at,) = struct.unpack_from("<Q", code, 40)
    size, count = struct.unpack_from("<HH", code, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, table_at + k * size) for k in range(count)]
    found: set[str] = set()
    for section in sections:
        kind, at, length, link = section[1], section[4], section[5], section[6]
        if kind != 2:  # a table of symbols
            continue
        names_at = sections[link][4]
        for k in range(1, length // 24):
            name, _, _, defined_in = struct.unpack_from("<IBBH", code, at + 24 * k)
            if defined_in == 0:
                begin = names_at + name
                found.add(code[begin : code.index(b"\0", begin)].decode())
    return tuple(sorted(found))
