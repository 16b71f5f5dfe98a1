"""Functions and structs of compiled code, by numba; `object_code` stores the machine code on disk.

A `compiled` function becomes a C function with the types of its annotations, which other functions call by
its symbol. A `helper` is inlined into each compiled function that calls it. A `callback` stays a Python
function that compiled functions can call.

A `Struct` holds named numbers and arrays that compiled functions reach through a single address. It is a row
of 64-bit words, one for each field: a number, or the address of an array or of another struct. Python owns
all arrays, and keeps them as long as it keeps the struct. For compiled functions an array has no length, and
indices are not checked.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from inspect import Signature
from operator import index
from threading import RLock
from typing import Annotated, Any, ClassVar, NoReturn, TypeVar, cast, get_args, get_type_hints
from weakref import WeakValueDictionary

import llvmlite.binding as llvm
import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import from_dtype, types
from numba.extending import lower_builtin, models, register_model, type_callable

from bot.solver.kernel.build.object_code import folders, load_or_compile, symbol_of

Function = TypeVar("Function", bound=Callable[..., Any])

_KERNEL, _PLACES = "bot.solver.kernel.", folders()
_LOCK = RLock()  # numba and LLVM keep tables for all threads, and any thread may import the kernel

_C_TYPES: dict[Any, Any] = {
    int: ctypes.c_int64,
    bool: ctypes.c_int64,
    float: ctypes.c_double,
    type(None): None,
}

Ints = Annotated[npt.NDArray[Any], np.dtype(np.int64)]
Small = Annotated[npt.NDArray[Any], np.dtype(np.int32)]
Short = Annotated[npt.NDArray[Any], np.dtype(np.int16)]
Bytes = Annotated[npt.NDArray[Any], np.dtype(np.int8)]
Floats = Annotated[npt.NDArray[Any], np.dtype(np.float64)]


class Struct:
    """A base class; subclasses annotate their fields: int, float, one of the arrays above, or another struct.

    Both Python and compiled functions set numbers. Only Python sets arrays and structs, and never during a
    call of a compiled function that reads them itself, instead of only passing the struct to others.
    """

    fields: ClassVar[dict[str, Any]]  # the annotation of each field

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        """Refuse to be copied or pickled: a copy would keep the addresses of memory that is freed."""
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled: make a new one")

    layout: ClassVar[np.dtype[np.void]]  # of the row

    def __init_subclass__(cls) -> None:
        hints = get_type_hints(cls, include_extras=True)
        cls.fields = {name: hints[name] for name in cls.__annotations__}
        cls.layout = np.dtype([(name, "f8" if kind is float else "i8") for name, kind in cls.fields.items()])

    def __init__(self, **fields: Any) -> None:
        self.__dict__["memory"] = memory = np.zeros((), self.layout)
        self.__dict__["address"] = memory.ctypes.data
        _STRUCTS[self.address] = self
        for name, value in fields.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field. Raises TypeError if an array or a struct is not of the declared type."""
        kind = self.fields[name]
        if kind in (int, float):
            self.memory[name] = value
        else:
            self.memory[name] = address_of(value, kind)
            self.__dict__[name] = value

    def allocate(self, length: int, *names: str) -> None:
        """Set each of the arrays ``names`` to a new array of ``length`` zeros."""
        for name in names:
            setattr(self, name, np.zeros(length, get_args(self.fields[name])[1]))

    def __getattr__(self, name: str) -> Any:
        """Return the value of a number; arrays and structs are ordinary attributes."""
        if name not in self.fields:
            raise AttributeError(name)
        return self.memory[name].item()


_STRUCTS: WeakValueDictionary[int, Struct] = WeakValueDictionary()  # by the address that functions pass


def address_of(value: Any, kind: Any) -> int:
    """Return the address of an array or a struct. Raises TypeError if it is not of the declared ``kind``."""
    if isinstance(value, Struct) and type(value) is kind:
        return value.address
    if isinstance(value, np.ndarray) and value.flags.c_contiguous and value.dtype in get_args(kind)[1:]:
        return value.ctypes.data
    raise TypeError(f"{kind} was declared, not {type(value).__name__}")


class ArrayType(types.CPointer):
    """The type of an array in compiled functions: the address of its first item."""


class StructType(types.Record):
    """The type of a struct in compiled functions: its address, and where its fields are."""

    dtype = np.dtype((np.void, 8))  # of the address

    def __init__(self, struct: type[Struct]) -> None:
        fields: Any = [
            (name, {"type": type_of(kind), "offset": 8 * place})
            for place, (name, kind) in enumerate(struct.fields.items())
        ]
        super().__init__(fields, struct.layout.itemsize, aligned=True)


@cache
def type_of(kind: Any) -> Any:
    """Return the numba type for the annotation ``kind``."""
    plain = {int: types.int64, float: types.float64, bool: types.boolean, type(None): types.void}
    if kind in plain:
        return plain[kind]
    return ArrayType(from_dtype(get_args(kind)[1])) if get_args(kind) else StructType(kind)


@register_model(ArrayType)
@register_model(StructType)
class _AddressModel(models.PrimitiveModel):
    """An address, which never changes while compiled functions run, so LLVM may load it only once."""

    def __init__(self, manager: Any, kind: Any) -> None:
        row = isinstance(kind, StructType)
        there = ir.ArrayType(ir.IntType(8), kind.size) if row else manager[kind.dtype].get_data_type()
        super().__init__(manager, kind, there.as_pointer())

    def load_from_data_pointer(self, builder: Any, place: Any, align: int | None = None) -> Any:
        loaded = builder.load(place, align=align)
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded


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
        def call(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            returned = ir.VoidType() if nothing else context.get_value_type(signature.return_type)
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
        self._callback = self._prototype(lambda address: function(_STRUCTS[address]))
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
