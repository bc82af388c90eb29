"""Functions that only kernels call: they become machine code once, inside the kernel, and never by themselves.

numba optimises every function with all that it calls, translates the whole to machine code, and wraps it for calls from
Python and from C, before a caller does the same again with the function in it. A part stops after its own LLVM code; a
kernel links the parts that it reaches, and all of them are optimised and translated together. The counts kernel takes 40 %
less processor time so. The machine code does the same: no part is compiled with other rules for floating point.
"""
# mypy: disallow-untyped-calls=False

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from types import CodeType
from typing import Any

from numba.core import sigutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typed_passes import NativeLowering, NopythonTypeInference
from numba.core.untyped_passes import InlineClosureLikes

from princeps.lowering.operator_types import RememberingTypeInference

WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


class PartLibrary(JITCodeLibrary):
    """The LLVM code of one part, without that of the parts that it calls."""

    _whole: Any = None

    def finalize(self) -> None:
        """Nothing is optimised or translated here."""
        for function in self._final_module.functions:
            if not function.is_declaration:
                function.linkage = "linkonce_odr"
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """For a caller of numba's own, which expects everything that this one calls."""
        if self._whole is None:
            self._ensure_finalized()
            self._whole = self._final_module.clone()
            link_parts(self, self._whole)
        return self._whole


class KernelLibrary(JITCodeLibrary):
    """The code of a kernel and of all parts that it reaches; finalized only where numba itself calls it."""

    def finalize(self) -> None:
        link_parts(self, self._final_module)
        self._linking_libraries = []
        super().finalize()
        for variable in self._final_module.global_variables:  # those of the parts, too
            environment = lookup_environment(variable.name)
            if environment is not None:
                self.codegen.set_env(variable.name, environment)


def link_parts(library: Any, module: Any) -> None:
    """Into the module of a library: all that it calls, directly or not."""
    for linked in _callers_first(library):
        library._reload_init.update(linked._reload_init)
        is_part = isinstance(linked, PartLibrary)
        module.link_in(linked._final_module if is_part else linked._get_module_for_linking(), preserve=True)


def _callers_first(library: Any) -> list[Any]:
    """What LLVM has not seen a call of when it is linked, it leaves out."""
    finished: list[Any] = []
    seen = set()

    def visit(caller: Any) -> None:
        for called in caller._linking_libraries:
            if called not in seen:
                seen.add(called)
                if isinstance(called, PartLibrary):  # others hold what they call
                    visit(called)
                finished.append(called)

    visit(library)
    return finished[::-1]


def _new_library(kind: type[JITCodeLibrary], state: Any) -> Any:
    library: Any = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    library.enable_object_caching()
    return library


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.flags.no_compile = True
        state.library = _new_library(PartLibrary, state)
        super().run_pass(state)
        lowered = state["cr"]
        name = object()  # by which callers find it, where others have their wrapper for Python
        state.targetctx.insert_user_function(name, lowered.fndesc, [state.library])
        state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, cfunc=name, env=lowered.env)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(NativeLowering):
    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _new_library(KernelLibrary, state)
        return bool(super().run_pass(state))


class _PartCompiler(Compiler):
    lowering: type[NativeLowering] = PartLowering

    def define_pipelines(self) -> list[Any]:
        replaced = {NativeLowering: self.lowering, NopythonTypeInference: RememberingTypeInference}
        passes: Any = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [
            (replaced.get(kind, kind), purpose)
            for kind, purpose in passes.passes
            if kind is not InlineClosureLikes or _has_closures(self.state.func_id.code)
        ]
        passes.finalize()
        return [passes]


def _has_closures(code: Any) -> bool:
    return bool(code.co_freevars) or any(isinstance(constant, CodeType) for constant in code.co_consts)


class KernelCompiler(_PartCompiler):
    lowering = KernelLowering


@contextmanager
def compiling_parts() -> Iterator[None]:
    """numba imports the modules of its library anew at each of hundreds of looks at what has been declared meanwhile."""
    context: Any = cpu_target.target_context
    if "load_additional_registries" in vars(context):  # one kernel needs another
        yield
        return
    load = context.load_additional_registries
    is_loaded = False

    def load_once() -> None:
        nonlocal is_loaded
        if is_loaded:
            for registry in list(context._registries):
                context.install_registry(registry)
        else:
            is_loaded = True
            load()

    context.load_additional_registries = load_once
    try:
        yield
    finally:
        vars(context).pop("load_additional_registries", None)


def kernel_of(function: Any, options: dict[str, Any]) -> Any:
    """A function that Python calls."""
    return CPUDispatcher(function, targetoptions=options, pipeline_class=KernelCompiler)


class PartDispatcher(CPUDispatcher):
    """What numba makes of a part; Python may call it, too, as tests do: then it becomes a kernel of its own."""

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        self.options = options
        super().__init__(function, targetoptions={**options, **WITHOUT_WRAPPERS}, pipeline_class=_PartCompiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Without compiling anew for every constant that is handed over: LLVM does that where it is worth it."""
        plain = tuple(types.unliteral(kind) for kind in args)
        named = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(plain, named)

    def compile(self, sig: Any) -> Any:
        """Without the two clocks of numba, which look at every event within, through all levels of calls."""
        args, result = sigutils.normalize_signature(sig)
        if args not in self.overloads:
            with self._compiling_counter:
                self.overloads[args] = self._compiler.compile(args, result)  # type: ignore[attr-defined]
        compiled: Any = self.overloads[args]
        return compiled.entry_point

    @cached_property
    def as_kernel(self) -> Any:
        return kernel_of(self.py_func, self.options)

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """What Python calls instead of this."""
        return self.as_kernel
