"""Decorators that compile functions with numba; `object_code` stores the results on disk.

A `compiled` function becomes a C function with the types of its annotations, which other functions call by
its symbol. A `helper` is inlined into each compiled function that calls it. A `callback` stays a Python
function that compiled functions can call.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from inspect import Signature
from operator import index
from threading import RLock
from typing import Any, TypeVar, cast, get_type_hints

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba.extending import lower_builtin, type_callable

from bot.solver.kernel.build.object_code import folders, load_or_compile, symbol_of
from bot.solver.kernel.build.structs import address_of, struct_at, type_of

Function = TypeVar("Function", bound=Callable[..., Any])

_KERNEL, _PLACES = "bot.solver.kernel.", folders()
_LOCK = RLock()  # numba and LLVM keep tables for all threads, and any thread may import the kernel

_C_TYPES: dict[Any, Any] = {
    int: ctypes.c_int64,
    bool: ctypes.c_int64,
    float: ctypes.c_double,
    type(None): None,
}


class _Declared:
    """A function with the types of its annotations, which compiled functions call by its symbol."""

    def __init__(self, function: Callable[..., Any]) -> None:
        hints = get_type_hints(function, include_extras=True)
        self._returned = hints.pop("return")
        self._kinds = list(hints.values())
        self.types = _c_type(self._returned)(*map(_c_type, self._kinds))
        arguments = [_C_TYPES.get(kind, ctypes.c_void_p) for kind in self._kinds]
        self._prototype = ctypes.CFUNCTYPE(_C_TYPES[self._returned], *arguments)
        function.__globals__[function.__name__] = self  # so that a function can call itself
        self._let_compiled_call(function)

    def _let_compiled_call(self, function: Callable[..., Any]) -> None:
        def typer(*_: Any) -> Any:
            return self.types

        typer.__signature__ = Signature.from_callable(function)  # type: ignore[attr-defined]
        called: Any = self  # Any, because only subclasses have __call__
        type_callable(called)(lambda _context: typer)
        symbol, nothing = symbol_of(function), self._returned is type(None)

        @lower_builtin(called, *self.types.args)
        def call(context: Any, builder: Any, types: Any, args: Any) -> Any:
            returned = ir.VoidType() if nothing else context.get_value_type(types.return_type)
            kind = ir.FunctionType(returned, [each.type for each in args])
            try:
                named = builder.module.get_global(symbol)
            except KeyError:
                named = ir.Function(builder.module, kind, symbol)
            result = builder.call(named, args)
            return context.get_dummy_value() if nothing else result


def _c_type(kind: Any) -> Any:
    return type_of(int if kind is bool else kind)  # C has no boolean of one bit


class Compiled(_Declared):
    """A compiled function that Python and other compiled functions can call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        of_kernel = function.__module__.startswith(_KERNEL)  # the folders are those of exactly its sources
        address, _ = load_or_compile(function, self.types, _PLACES if of_kernel else ())
        self._call = self._prototype(address)

    def __call__(self, *args: Any) -> Any:
        """Call the function. Raises TypeError or ValueError if the arguments do not match the annotations."""
        result = self._call(*(_given(*each) for each in zip(args, self._kinds, strict=True)))
        return bool(result) if self._returned is bool else result


def _given(value: Any, kind: Any) -> Any:
    """Convert an argument to what the C function takes: a number or an address."""
    if kind is float:
        return float(value)
    return index(value) if kind in _C_TYPES else address_of(value, kind)


class Callback(_Declared):
    """A Python function that compiled functions can call; its only argument is a struct."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        super().__init__(function)
        self._callback = self._prototype(lambda address: function(struct_at(address)))
        address = ctypes.cast(self._callback, ctypes.c_void_p).value
        llvm.add_symbol(symbol_of(function), address)

    def __call__(self, *args: Any) -> Any:
        """Call the function."""
        return self._function(*args)


def compiled(function: Function) -> Function:
    """Compile ``function`` for the types of its annotations."""
    with _LOCK:
        return cast(Function, Compiled(function))


def callback(function: Function) -> Function:
    """Let compiled functions call ``function``, which stays a Python function."""
    with _LOCK:
        return cast(Function, Callback(function))


def helper(function: Function) -> Function:
    """Inline ``function`` into the compiled functions that call it."""
    return cast(Function, numba.njit(inline="always", error_model="numpy")(function))
