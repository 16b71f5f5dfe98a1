"""Compiling each function once, for the types that it declares.

The compiler's own way is to copy all functions that are called into the caller, with those that they call,
and to improve the whole anew at each level. Here the caller only names them. A name says from which sources
of the kernel a function was made, and is the same in every process: so whatever of it is found on disk fits
together, and what is not found can be compiled alone. Only *parts*, small functions, are copied into their
callers, before anything is improved; nobody else can call them, but Python, which runs their source.

All this leans on insides of numba that it does not promise to keep: `_Library`, `_Part` and `_MakeLibrary`
say on which. Where a name is missing, or a method takes something else, importing the kernel raises; a
function that is not found by its name ends the program, with words of LLVM that name it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite.binding import parse_assembly
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import IRLegalization
from numba.core.typeinfer import register_dispatcher

_APART = "apart: "  # with this the names of libraries begin that are not to be copied

# Nothing is allocated in the kernel, so that nothing has to be counted either: half of the time went there.
_OPTIONS = {
    "nopython": True,
    "error_model": "numpy",
    "nogil": True,
    "_nrt": False,
    "no_cfunc_wrapper": True,
}


class _Library(JITCodeLibrary):
    """A function, and what it needs of those that it calls.

    numba gives a library all those that it calls, to copy them in. What is not copied stays a declaration,
    and the machine code is completed from all libraries that were made ready before, by name: they share one
    engine in a process, and the dispatchers, which modules hold, keep them alive.
    """

    def add_linking_library(self, library: Any) -> None:
        if not library.name.startswith(_APART):
            super().add_linking_library(library)

    def add_ir_module(self, ir_module: Any) -> None:
        # What a handle stands for is written where Python calls, and constant everywhere else.
        for function in ir_module.functions:
            if not function.is_declaration and "alwaysinline" not in function.attributes:
                function.attributes.add("noinline")
        super().add_ir_module(ir_module)

    def serialize_using_object_code(self) -> Any:
        """Return the machine code, and what is enough to know which functions it defines.

        numba keeps all that others could copy, several times as much, and of that reads nothing but the names
        where nobody copies it.
        """
        self._ensure_finalized()
        empty = "".join(
            f'define void @"{function.name}"() {{ ret void }}\n' for function in self.get_defined_functions()
        )
        return self.name, "object", (self._get_compiled_object(), parse_assembly(empty).as_bitcode())


class _Part(_Library):
    """A function that is never run, only copied: no machine code is made of it.

    Callers take its module as it is after `finalize`, which would improve it and make it ready otherwise. A
    compilation that is complete asks where the function lies, and sets what it would need for exceptions:
    both are answered, and the answers never used, since no wrapper for Python is made of it either.
    """

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        return self  # is asked to set the environment of the machine code that there is not

    def set_env(self, _name: str, _environment: Any) -> None:
        pass


@register_pass(mutates_CFG=False, analysis_only=False)
class _MakeLibrary(LoweringPass):
    """Give a function its library here, since numba's lowering makes one only where there is none."""

    _name = "make_library"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        codegen, name = state.targetctx.codegen(), state.func_id.func_qualname
        if state.flags.forceinline:
            state.library = _Part(codegen, name)
        else:
            state.library = _Library(codegen, _APART + name)
            state.library.enable_object_caching()
        return False


def _compiler(sources: str) -> type[Compiler]:
    """Return the compiler for functions of these ``sources``, by which their names are told apart."""

    class Separate(Compiler):
        def define_pipelines(self) -> Any:
            self.state.func_id.unique_id = sources
            (pipeline,) = super().define_pipelines()
            pipeline.add_pass_after(_MakeLibrary, IRLegalization)
            pipeline.finalize()
            return [pipeline]

    return Separate


class Declared(CPUDispatcher):
    """A function that is compiled for one signature. Those that it calls have to be compiled before."""

    def __init__(
        self, function: Callable[..., Any], signature: Any, sources: str, cache: Any, **options: bool
    ) -> None:
        super().__init__(function, targetoptions=_OPTIONS | options, pipeline_class=_compiler(sources))
        self._cache = cache
        self._declared = signature

    def make(self) -> None:
        """Compile the function, or load it."""
        with register_dispatcher(self):  # so that a function finds itself by its name, and may call itself
            self.compile(self._declared)
        self.disable_compile()


class Part(Declared):
    """A small function that becomes part of those that call it."""

    def __init__(self, function: Callable[..., Any], signature: Any, sources: str) -> None:
        options = {"forceinline": True, "no_cpython_wrapper": True}
        super().__init__(function, signature, sources, NullCache(), **options)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return how the function is called, compiled."""
        if not self.overloads:  # not before something that calls it is compiled
            self.make()
        return super().get_call_template(args, kws)

    def __call__(self, *args: Any) -> Any:
        """Run the source of the function."""
        return self.py_func(*args)
