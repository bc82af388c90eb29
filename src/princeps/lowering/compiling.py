"""From a function to object code that stands alone: the only place, with parts.py, where numba compiles anything.

numba compiles the function and everything it calls (parts.py); the entry that entry_points.py calls is written here. What
numba would add, wrappers that take and return Python objects, is left out, and with it everything that needs its runtime.
"""
# mypy: disallow-untyped-calls=False

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils, sigutils, types
from numba.core.ccallback import CFunc
from numba.core.registry import cpu_target
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype

from princeps.lowering.entry_points import DATA, LENGTHS, STRIDES, Kind
from princeps.lowering.jit import Callback, Kernel
from princeps.lowering.kernel_key import settings_are_those_of_the_key
from princeps.lowering.object_code import ENTRY, Loaded, ObjectCode, symbols_of
from princeps.lowering.parts import KernelCompiler, KernelLibrary, compiling_parts, link_parts

# What kernels need of numba's runtime, written as it is there: arrays that a kernel makes for itself, with numba's
# reference counts, and two functions that differ from those of the C library only where they are not defined.
RUNTIME = """
declare ptr @malloc(i64)
declare void @free(ptr)
declare double @frexp(double, ptr)
declare double @ldexp(double, i32 signext)
declare i1 @llvm.is.fpclass.f64(double, i32 immarg)

define linkonce_odr double @numba_frexp(double %x, ptr %exponent) {
  %usual = call i1 @llvm.is.fpclass.f64(double %x, i32 408)
  br i1 %usual, label %split, label %whole
split:
  %fraction = call double @frexp(double %x, ptr %exponent)
  ret double %fraction
whole:
  store i32 0, ptr %exponent
  ret double %x
}

define linkonce_odr double @numba_ldexp(double %x, i32 signext %exponent) {
  %usual = call i1 @llvm.is.fpclass.f64(double %x, i32 408)
  %moves = icmp ne i32 %exponent, 0
  %both = and i1 %usual, %moves
  br i1 %both, label %scale, label %whole
scale:
  %scaled = call double @ldexp(double %x, i32 signext %exponent)
  ret double %scaled
whole:
  ret double %x
}

define linkonce_odr ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %alignment) {
  %step = zext i32 %alignment to i64
  %head = add i64 %step, 48
  %total = add i64 %head, %size
  %wraps = icmp ult i64 %total, %size
  br i1 %wraps, label %none, label %ask
ask:
  %block = call ptr @malloc(i64 %total)
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %none, label %made
made:
  call void @llvm.memset.p0.i64(ptr %block, i8 0, i64 48, i1 false)
  store i64 1, ptr %block
  %end = getelementptr i8, ptr %block, i64 %head
  %address = ptrtoint ptr %end to i64
  %rest = urem i64 %address, %step
  %back = sub i64 0, %rest
  %data = getelementptr i8, ptr %end, i64 %back
  %data.at = getelementptr i8, ptr %block, i64 24
  store ptr %data, ptr %data.at
  %size.at = getelementptr i8, ptr %block, i64 32
  store i64 %size, ptr %size.at
  ret ptr %block
none:
  ret ptr null
}

define linkonce_odr void @NRT_MemInfo_call_dtor(ptr %block) {
  call void @free(ptr %block)
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""
DEFINED_HERE = {"NRT_MemInfo_alloc_aligned", "NRT_MemInfo_call_dtor", "numba_frexp", "numba_ldexp"}

WORD, BYTES = ir.IntType(64), ir.IntType(8).as_pointer()


def kernel_code(kernel: Kernel, kinds: Sequence[Kind]) -> ObjectCode | None:
    """None if it returns something other than numbers."""
    args = tuple(_type(kind) for kind in kinds)
    with compiling_parts():
        compiled = _compiled(kernel, args)
        returned = types.unliteral(compiled.signature.return_type)
        results = _results(returned)
        if results is None:
            return None
        library, module, builder_of, context = _begin(compiled)
        leaves = [kind for arg in args for kind in _leaf_types(arg)]
        builder, function = builder_of(ir.IntType(32), [BYTES, *leaves])
        given = iter(function.args[1:])
        values = [_value(context, builder, arg, given) for arg in args]
        callee = context.declare_function(module, compiled.fndesc)
        status, result = context.call_conv.call_function(builder, callee, returned, args, values)
        out = builder.bitcast(function.args[0], WORD.as_pointer())
        numbers = [] if results == () else cgutils.unpack_tuple(builder, result) if _is_tuple(returned) else [result]
        for k, (number, kind) in enumerate(zip(numbers, _number_types(returned), strict=True)):
            builder.store(_word(context, builder, number, kind), builder.gep(out, [WORD(k)]))
        builder.store(builder.ptrtoint(status.excinfoptr, WORD), builder.gep(out, [WORD(len(results))]))
        builder.ret(builder.zext(status.is_error, ir.IntType(32)))
        code = _object_code(library, module, compiled)
    returns = "nothing" if returned is types.none else "tuple" if _is_tuple(returned) else "number"
    return ObjectCode(code, returns, results, symbols_of(code), _lasts(library))


def callback_code(callback: Callback) -> ObjectCode:
    """A C function of the given signature; whatever it raises ends it with 0."""
    args, returned = sigutils.normalize_signature(callback.signature)
    with compiling_parts():
        compiled = _compiled(callback, callback.signature)
        library, module, builder_of, context = _begin(compiled)
        builder, function = builder_of(context.get_value_type(returned), [context.get_value_type(arg) for arg in args])
        callee = context.declare_function(module, compiled.fndesc)
        _, result = context.call_conv.call_function(builder, callee, returned, args, list(function.args))
        builder.ret(result)
        code = _object_code(library, module, compiled)
    return ObjectCode(code, "number", (), symbols_of(code), _lasts(library))


def loaded_callback(callback: Callback) -> Loaded:
    """In memory, by numba alone: where object code refers to what only numba can find."""
    signature = sigutils.normalize_signature(callback.signature)
    found: Any = CFunc(callback.py_func, signature, locals={}, options={}, pipeline_class=KernelCompiler)
    found.compile()
    return Loaded(found.address, "number", (), found)


def _compiled(part: Any, signature: Any) -> Any:
    dispatcher = part.dispatcher
    dispatcher.compile(signature)
    return dispatcher.overloads[sigutils.normalize_signature(signature)[0]]


def _begin(compiled: Any) -> tuple[Any, Any, Any, Any]:
    """A library with an empty module, and how its entry begins."""
    context = cpu_target.target_context
    library: Any = KernelLibrary(context.codegen(), compiled.fndesc.qualname)
    module = library.create_ir_module(ENTRY)

    def builder_of(returned: Any, args: list[Any]) -> tuple[Any, Any]:
        function = ir.Function(module, ir.FunctionType(returned, args), ENTRY)
        return ir.IRBuilder(function.append_basic_block()), function

    return library, module, builder_of, context


def _object_code(library: Any, module: Any, compiled: Any) -> bytes:
    """The entry, the function and all that it calls, optimised together and translated."""
    library.add_ir_module(module)
    library.add_linking_library(compiled.library)
    whole = library._final_module
    link_parts(library, whole)
    runtime = _runtime_of_numba(whole)
    if runtime and runtime <= DEFINED_HERE:
        whole.link_in(binding.parse_assembly(f'target triple = "{whole.triple}"\n{RUNTIME}'))
    for function in whole.functions:
        if not function.is_declaration and function.name != ENTRY:
            function.linkage = "internal"
    library._optimize_final_module()
    whole.verify()
    return bytes(library.codegen._tm.emit_object(whole))


def _runtime_of_numba(module: Any) -> set[str]:
    """The functions of it that are called here; if there is one that is not defined here, none of them is."""
    called = {function.name for function in module.functions if function.is_declaration}
    return {name for name in called if name.startswith(("NRT_", "numba_"))}


def _lasts(library: Any) -> bool:
    """It holds no address of this process, and was compiled as its key says."""
    names = [variable.name for variable in library._final_module.global_variables]
    return not any(name.startswith("numba.dynamic.globals") for name in names) and settings_are_those_of_the_key()


def _type(kind: Kind) -> Any:
    if isinstance(kind, str):
        return from_dtype(np.dtype(kind))
    if kind[0] == "tuple":
        return types.BaseTuple.from_types([_type(element) for element in kind[1:]])
    _, element, axes, order, is_writeable, is_aligned = kind
    return types.Array(_type(element), axes, order, readonly=not is_writeable, aligned=is_aligned)


def _leaf_types(kind: Any) -> Iterator[Any]:
    if _is_tuple(kind):
        for element in kind.types:
            yield from _leaf_types(element)
    else:
        yield BYTES if isinstance(kind, types.Array) else ir.DoubleType() if isinstance(kind, types.Float) else WORD


def _value(context: Any, builder: Any, kind: Any, given: Iterator[Any]) -> Any:
    """An argument as numba has it, from what the caller gave."""
    if _is_tuple(kind):
        return context.make_tuple(builder, kind, [_value(context, builder, element, given) for element in kind.types])
    word = next(given)
    if isinstance(kind, types.Array):
        return _array(context, builder, kind, word)
    wanted = context.get_value_type(kind)
    if isinstance(kind, types.Float):
        return word if wanted == word.type else builder.fptrunc(word, wanted)
    return word if wanted == word.type else builder.trunc(word, wanted)


def _array(context: Any, builder: Any, kind: Any, address: Any) -> Any:
    """From the fields of the Python object. It belongs to the caller: nobody counts references to it."""
    array = context.make_array(kind)(context, builder)

    def field(offset: int) -> Any:
        at = builder.gep(address, [WORD(offset)])
        return builder.load(builder.bitcast(at, BYTES.as_pointer()))

    lengths, strides = (builder.bitcast(field(place), WORD.as_pointer()) for place in (LENGTHS, STRIDES))
    populate_array(
        array,
        data=builder.bitcast(field(DATA), array.data.type),
        shape=[builder.load(builder.gep(lengths, [WORD(axis)])) for axis in range(kind.ndim)],
        strides=[builder.load(builder.gep(strides, [WORD(axis)])) for axis in range(kind.ndim)],
        itemsize=context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype))),
        meminfo=None,
    )
    return array._getvalue()


def _is_tuple(kind: Any) -> bool:
    return isinstance(kind, types.BaseTuple)


def _number_types(returned: Any) -> list[Any]:
    if returned is types.none:
        return []
    return [types.unliteral(kind) for kind in returned.types] if _is_tuple(returned) else [returned]


def _results(returned: Any) -> tuple[str, ...] | None:
    """How each number is read from its word; None if something is not a number."""
    names: list[str] = []
    for kind in _number_types(returned):
        if isinstance(kind, types.Boolean):
            names.append("bool")
        elif isinstance(kind, types.Float) or kind == types.uint64:
            names.append("float64" if isinstance(kind, types.Float) else "uint64")
        elif isinstance(kind, types.Integer) and not isinstance(kind, types.IntegerLiteral):
            names.append("int64")
        else:
            return None
    return tuple(names)


def _word(context: Any, builder: Any, number: Any, kind: Any) -> Any:
    if isinstance(kind, types.Float):
        wide = number if isinstance(number.type, ir.DoubleType) else builder.fpext(number, ir.DoubleType())
        return builder.bitcast(wide, WORD)
    if number.type == WORD:
        return number
    signed = getattr(kind, "signed", False)  # a truth value has no sign
    return (builder.sext if signed else builder.zext)(number, WORD)
