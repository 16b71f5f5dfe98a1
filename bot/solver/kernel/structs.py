"""Structs: named numbers and arrays that compiled functions reach through a single address.

A `Struct` is a row of 64-bit words, one for each name: a number, or the address of an array or of another
struct. Compiled functions get the address of that row. numba would normally pass every array with every call
and count references to it, which is too slow for the 200 arrays of a decision. Python owns all arrays, and
keeps them as long as it keeps the struct.

Compiled functions read integers of any size as 64-bit integers. For them an array has no length, and indices
are not checked.

The first word of every struct is the address of `TABLE`, which holds the addresses of compiled functions.
"""

from __future__ import annotations

from functools import cache
from operator import getitem, setitem
from typing import Annotated, Any, ClassVar, get_args, get_type_hints
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import from_dtype, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    type_callable,
)

Ints = Annotated[npt.NDArray[Any], np.dtype(np.int64)]
Small = Annotated[npt.NDArray[Any], np.dtype(np.int32)]
Short = Annotated[npt.NDArray[Any], np.dtype(np.int16)]
Bytes = Annotated[npt.NDArray[Any], np.dtype(np.int8)]
Floats = Annotated[npt.NDArray[Any], np.dtype(np.float64)]

# The functions that other compiled functions call, in the order of their addresses in `TABLE`.
CALLED = (
    "settle", "find_groups", "order_groups", "forget_one", "sweep_all", "sweep_back", "combine", "count",
    "grow", "analyse", "log_solutions", "mark_proven", "suppose_mine", "list_solutions", "draw", "prepare",
    "wins", "wins_of_list", "best_of_listed", "best_of_few", "best_of_some", "in_fifty_fifty",
    "unavoidable", "suppose", "gives_information", "begin", "worth", "judge", "choose",
    "apply_winmine_rule", "choose_under_winmine_rule", "proceed", "draw_safe",
)  # fmt: skip
TABLE = np.zeros(len(CALLED), np.int64)

_WORD = ir.IntType(64)
_ADDRESS = ir.IntType(8).as_pointer()


class Struct:
    """A base class; subclasses annotate their fields: int, float, one of the arrays above, or another struct.

    Both Python and compiled functions set numbers. Only Python sets arrays and structs, and never during a
    call of a compiled function that reads them itself, instead of only passing the struct to others.
    """

    layout: ClassVar[dict[str, tuple[int, Any]]]  # for each field its place in the row, and its annotation

    def __init_subclass__(cls) -> None:
        hints = get_type_hints(cls, include_extras=True)
        cls.layout = {name: (place, hints[name]) for place, name in enumerate(cls.__annotations__, 1)}

    def __init__(self, **fields: Any) -> None:
        self.__dict__["memory"] = memory = np.zeros(1 + len(self.layout), np.int64)
        memory[0] = TABLE.ctypes.data
        self.__dict__["address"] = memory.ctypes.data
        _STRUCTS[self.address] = self
        for name, value in fields.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field. Raises TypeError if an array or a struct is not of the declared type."""
        place, kind = self.layout[name]
        if kind is float:
            self.memory.view(np.float64)[place] = value
        elif kind is int:
            self.memory[place] = value
        else:
            self.memory[place] = address_of(value, kind)
            self.__dict__[name] = value

    def allocate(self, length: int, *names: str) -> None:
        """Set each of the arrays ``names`` to a new array of ``length`` zeros."""
        for name in names:
            setattr(self, name, np.zeros(length, get_args(self.layout[name][1])[1]))

    def __getattr__(self, name: str) -> Any:
        """Return the value of a number; arrays and structs are ordinary attributes."""
        try:
            place, kind = self.layout[name]
        except KeyError:
            raise AttributeError(name) from None
        return (self.memory.view(np.float64) if kind is float else self.memory)[place].item()


_STRUCTS: WeakValueDictionary[int, Struct] = WeakValueDictionary()


def struct_at(address: int) -> Struct:
    """Return the struct at ``address``, the form in which compiled functions pass it."""
    return _STRUCTS[address]


def address_of(value: Any, kind: Any) -> int:
    """Return the address of an array or a struct. Raises TypeError if it is not of the declared ``kind``."""
    if isinstance(value, Struct) and type(value) is kind:
        return value.address
    if isinstance(value, np.ndarray) and value.flags.c_contiguous and value.dtype in get_args(kind)[1:]:
        return value.ctypes.data
    raise TypeError(f"{kind} was declared, not {type(value).__name__}")


class ArrayType(types.Type):
    """The type of an array in compiled functions."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        super().__init__(f"{dtype}s")
        self.item = from_dtype(dtype)
        self.seen = types.float64 if dtype.kind == "f" else types.int64


class StructType(types.Type):
    """The type of a struct in compiled functions."""

    def __init__(self, struct: type[Struct]) -> None:
        super().__init__(struct.__name__)
        self.fields = {name: (place, type_of(kind)) for name, (place, kind) in struct.layout.items()}


@cache
def type_of(kind: Any) -> Any:
    """Return the numba type for the annotation ``kind``."""
    plain = {int: types.int64, float: types.float64, bool: types.boolean, type(None): types.void}
    if kind in plain:
        return plain[kind]
    return ArrayType(get_args(kind)[1]) if get_args(kind) else StructType(kind)


@register_model(ArrayType)
@register_model(StructType)
class _AddressModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _ADDRESS)


def load_constant(builder: Any, place: Any) -> Any:
    """Load a word that never changes while compiled functions run, so LLVM may load it only once."""
    loaded = builder.load(place)
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded


@infer_getattr
class _Fields(AttributeTemplate):
    key = StructType

    def generic_resolve(self, kind: StructType, name: str) -> Any:
        return kind.fields[name][1] if name in kind.fields else None


def _field(context: Any, builder: Any, kind: StructType, address: Any, name: str) -> tuple[Any, Any]:
    """Return the address of a field, and its type."""
    place, field = kind.fields[name]
    whole = builder.bitcast(address, context.get_value_type(field).as_pointer())
    return builder.gep(whole, [_WORD(place)]), field


@lower_getattr_generic(StructType)
def _get_field(context: Any, builder: Any, kind: StructType, address: Any, name: str) -> Any:
    place, field = _field(context, builder, kind, address, name)
    constant = isinstance(field, ArrayType | StructType)
    return load_constant(builder, place) if constant else builder.load(place)


@lower_setattr_generic(StructType)
def _set_field(context: Any, builder: Any, signature: Any, args: Any, name: str) -> None:
    (address, value), kind = args, signature.args[0]
    place, field = _field(context, builder, kind, address, name)
    builder.store(context.cast(builder, value, signature.args[1], field), place)


@type_callable(getitem)
def _type_getitem(_context: Any) -> Any:
    def typer(array: Any, index: Any) -> Any:
        if isinstance(array, ArrayType) and isinstance(index, types.Integer):
            return array.seen(array, types.int64)
        return None

    return typer


@type_callable(setitem)
def _type_setitem(_context: Any) -> Any:
    def typer(array: Any, index: Any, _value: Any) -> Any:
        if isinstance(array, ArrayType) and isinstance(index, types.Integer):
            return types.none(array, types.int64, array.seen)
        return None

    return typer


def _item(context: Any, builder: Any, array: ArrayType, args: Any) -> Any:
    """Return the address of an array item."""
    item = context.get_value_type(array.item)
    return builder.gep(builder.bitcast(args[0], item.as_pointer()), [args[1]])


@lower_builtin(getitem, ArrayType, types.Integer)
def _get_item(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    array = signature.args[0]
    return context.cast(builder, builder.load(_item(context, builder, array, args)), array.item, array.seen)


@lower_builtin(setitem, ArrayType, types.Integer, types.Any)
def _set_item(context: Any, builder: Any, signature: Any, args: Any) -> None:
    array = signature.args[0]
    value = context.cast(builder, args[2], signature.args[2], array.item)
    builder.store(value, _item(context, builder, array, args))
