"""Compiling each function by itself, to call others by their names.

The compiler's own way is to copy all functions that are called into the caller, with those that they call,
and to improve the whole anew at each level. Here the caller only names them. A name says from which sources
of the kernel a function was made, and is the same in every process: so whatever of it is found on disk fits
together, and what is not found can be compiled alone.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import IRLegalization

_APART = "apart: "  # with this the names of libraries begin that are not to be copied


class _Library(JITCodeLibrary):
    def add_linking_library(self, library: Any) -> None:
        if not library.name.startswith(_APART):
            super().add_linking_library(library)

    def add_ir_module(self, ir_module: Any) -> None:
        # What a handle stands for is written where Python calls, and constant everywhere else.
        for function in ir_module.functions:
            if not function.is_declaration and "alwaysinline" not in function.attributes:
                function.attributes.add("noinline")
        super().add_ir_module(ir_module)


@register_pass(mutates_CFG=False, analysis_only=False)
class _Apart(LoweringPass):
    _name = "apart"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        state.library = _Library(state.targetctx.codegen(), _APART + state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


def separate_compiler(sources: str) -> type[Compiler]:
    """Return the compiler for functions of these ``sources``, by which their names are told apart.

    A function has to be compiled, or loaded, before those that call it.
    """

    class Separate(Compiler):
        def define_pipelines(self) -> Any:
            self.state.func_id.unique_id = sources
            (pipeline,) = super().define_pipelines()
            pipeline.add_pass_after(_Apart, IRLegalization)
            pipeline.finalize()
            return [pipeline]

    return Separate
