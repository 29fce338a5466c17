"""A struct of arrays that compiled code reads as `s.name`, at the cost of two loads.

Numba's own struct type counts references, atomically, at every call and every `s.array`: measured, more than half of
the time of EASY on a large log. Here the native value is one plain pointer to a table of (address, length) pairs. The
Python object keeps the arrays alive, so compiled code counts no references. The table never changes: its loads are
marked as invariant, so that they leave loops that write to the arrays (5 % of EASY on a large log).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import OpaqueModel
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, lower_getattr_generic, register_model, typeof_impl, unbox
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype


class StructType(types.Type):
    """Numba's type of a `Struct`: names and row types of its arrays."""

    def __init__(self, fields: tuple[tuple[str, Any], ...]):
        self.fields = fields
        described = ", ".join(f"{name}: {kind}" for name, kind in fields)
        super().__init__(name=f"Struct({described})")

    def array(self, name: str) -> tuple[int, Any]:
        """Return position and numba type of the array `name`; (-1, None) if there is none."""
        for position, (field, kind) in enumerate(self.fields):
            if field == name:
                return position, kind
        return -1, None


register_model(StructType)(OpaqueModel)


class Struct:
    """Named contiguous one-dimensional arrays. In Python, `s.name` is the array itself."""

    def __init__(self, **arrays: np.ndarray):
        assert all(a.flags.c_contiguous and a.ndim == 1 for a in arrays.values()), "compiled code reads plain rows"
        # Records, so that the same source reads `s.u[i].remaining` uncompiled too.
        self.__dict__.update({name: a.view(np.recarray) if a.dtype.names else a for name, a in arrays.items()})
        self._table = np.array([[a.ctypes.data, len(a)] for a in arrays.values()], np.int64)
        self._address = self._table.ctypes.data
        self._type = _struct_type(tuple((name, a.dtype, a.flags.aligned) for name, a in arrays.items()))

    def __getattr__(self, name: str) -> Any:  # for type checkers; never called for a name that exists
        raise AttributeError(name)


@cache
def _struct_type(fields: tuple[tuple[str, np.dtype, bool], ...]) -> StructType:
    """Return the type, cached: translating the dtypes takes longer than the run of a small workload."""
    return StructType(
        tuple((name, types.Array(from_dtype(dtype), 1, "C", aligned=aligned)) for name, dtype, aligned in fields)
    )


@typeof_impl.register(Struct)
def _type_of(value: Struct, context: Any) -> StructType:
    return value._type


@unbox(StructType)
def _unbox(kind: StructType, value: Any, c: Any) -> NativeValue:
    boxed = c.pyapi.object_getattr_string(value, "_address")
    address = c.pyapi.long_as_longlong(boxed)
    c.pyapi.decref(boxed)
    return NativeValue(c.builder.inttoptr(address, cgutils.voidptr_t), is_error=c.pyapi.c_api_error())


@infer_getattr
class _StructAttributes(AttributeTemplate):
    key = StructType

    def generic_resolve(self, struct: StructType, name: str) -> Any:
        return struct.array(name)[1]


@lower_getattr_generic(StructType)
def _get_array(context: Any, builder: Any, kind: StructType, value: Any, name: str) -> Any:
    position, array_type = kind.array(name)
    word = context.get_value_type(types.intp)
    table = builder.bitcast(value, word.as_pointer())
    address = builder.load(cgutils.gep(builder, table, 2 * position))
    length = builder.load(cgutils.gep(builder, table, 2 * position + 1))
    for word in (address, length):
        word.set_metadata("invariant.load", builder.module.add_metadata([]))
    array = context.make_array(array_type)(context, builder)
    item = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(array_type.dtype)))
    populate_array(
        array,
        data=builder.inttoptr(address, array.data.type),
        shape=[length],
        strides=[item],
        itemsize=item,
        meminfo=None,
    )
    return array._getvalue()
