"""Named tuples of arrays as compiled functions see them: by their address.

The compiler's own way is to hand over every array in them at every call, each as seven numbers: 60 arrays for
a decision. Here they are written down once, where Python calls, and only the address of that is handed on.
It is smaller code, which takes half of the time to compile, and calls that cost next to nothing.

Of an array, only data, shape and what follows from them are there: nothing that is needed to free it or to
hand it back to Python, which compiled functions of the kernel never do. Python holds the tuples, and so the
arrays, for as long as a call takes. How arrays lie in memory is asked of numba, by the names of their parts:
one that arranges these otherwise is served as well, and one that names them otherwise raises.
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

_ADDRESS = ir.IntType(8).as_pointer()


class Handle(types.Type):
    """The type of a named tuple of arrays, numbers and other such tuples, none of which is ever replaced."""

    def __init__(self, name: str, fields: dict[str, Any]) -> None:
        super().__init__(name)
        self.fields = fields


@register_model(Handle)
class _Address(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Handle) -> None:
        super().__init__(manager, kind, _ADDRESS)


def handle(example: Any) -> Handle:
    """Return the type of named tuples of the class of ``example``; with parts of its types."""
    fields = {name: numba.typeof(part) for name, part in example._asdict().items()}
    kind = Handle(type(example).__name__, fields)
    typeof_impl.register(type(example))(lambda *_: kind)
    return kind


def _stored(context: Any, kind: Any) -> Any:
    """Return how a value of a type lies in memory: handles with all that they stand for."""
    if isinstance(kind, Handle):
        return ir.LiteralStructType([_stored(context, field) for field in kind.fields.values()])
    return context.get_value_type(kind)


@infer_getattr
class _Fields(AttributeTemplate):
    key = Handle

    def generic_resolve(self, kind: Handle, name: str) -> Any:
        return kind.fields.get(name)


def _load(builder: Any, place: Any, *indices: int) -> Any:
    """Load a number, and say that it never changes."""
    loaded = builder.load(cgutils.gep_inbounds(builder, place, 0, *indices))
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded


def _load_array(context: Any, builder: Any, kind: Any, place: Any) -> Any:
    """Load an array without gaps: only where it lies and its shape, from which all else follows."""
    at = context.data_model_manager[kind].get_field_position
    array = ir.Constant(context.get_value_type(kind), None)
    array = builder.insert_value(array, _load(builder, place, at("data")), at("data"))
    stride = itemsize = context.get_constant(
        types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype))
    )
    items = context.get_constant(types.intp, 1)
    for axis in reversed(range(kind.ndim)):
        length = _load(builder, place, at("shape"), axis)
        array = builder.insert_value(array, length, (at("shape"), axis))
        array = builder.insert_value(array, stride, (at("strides"), axis))
        items = builder.mul(items, length) if axis < kind.ndim - 1 else length
        stride = builder.mul(items, itemsize) if axis else stride
    array = builder.insert_value(array, items, at("nitems"))
    return builder.insert_value(array, itemsize, at("itemsize"))


@lower_getattr_generic(Handle)
def _field(context: Any, builder: Any, kind: Handle, address: Any, name: str) -> Any:
    field = kind.fields[name]
    whole = builder.bitcast(address, _stored(context, kind).as_pointer())
    place = cgutils.gep_inbounds(builder, whole, 0, list(kind.fields).index(name))
    if isinstance(field, Handle):
        return builder.bitcast(place, _ADDRESS)
    if isinstance(field, types.Array):
        return _load_array(context, builder, field, place)
    return _load(builder, place)


def _write(kind: Handle, given: Any, place: Any, failed: Any, c: Any) -> None:
    """Write the parts of a Python tuple to a place in memory; set ``failed`` if one is not of its type."""
    for index, field in enumerate(kind.fields.values()):
        part = c.pyapi.tuple_getitem(given, index)
        there = cgutils.gep_inbounds(c.builder, place, 0, index)
        if isinstance(field, Handle):
            _write(field, part, there, failed, c)
            continue
        native = c.unbox(field, part)
        c.builder.store(native.value, there)
        c.builder.store(c.builder.or_(native.is_error, c.builder.load(failed)), failed)


@unbox(Handle)
def _unbox(kind: Handle, given: Any, c: Any) -> Any:
    # on the stack of the wrapper that Python calls: it is there until the compiled function has returned
    failed = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    place = cgutils.alloca_once(c.builder, _stored(c.context, kind))
    _write(kind, given, place, failed, c)
    return NativeValue(c.builder.bitcast(place, _ADDRESS), is_error=c.builder.load(failed))
