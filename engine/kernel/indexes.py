"""Compile `rows[i]` without a test for `i < 0`: the engine counts rows from the front only.

Numba lets a negative index count from the end, at the cost of a comparison, a load of the length and a choice for each
access: measured, a sixth of the time of EASY on a large log. Here an index counts as unsigned, which numba takes as it
is.
Under NUMBA_BOUNDSCHECK=1 a negative one is then an IndexError.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NoPythonSupportedFeatureValidation


@register_pass(mutates_CFG=False, analysis_only=False)
class UnsignedIndexes(FunctionPass):
    """Declare the index of each access to an element of an array as unsigned; a constant such as -1 stays as it is."""

    _name = "unsigned_indexes"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Change the signatures of the accesses; return whether there are any."""
        found = [
            inst if isinstance(inst, ir.SetItem) else inst.value
            for block in state.func_ir.blocks.values()
            for inst in block.body
            if isinstance(inst, ir.SetItem)
            or (isinstance(inst, ir.Assign) and isinstance(inst.value, ir.Expr) and inst.value.op == "getitem")
        ]
        accesses = [one for one in found if _is_signed(state.calltypes[one])]
        for one in accesses:
            signature = state.calltypes.pop(one)  # numba refuses to change one in place
            array, _, *value = signature.args
            state.calltypes[one] = signature.replace(args=(array, types.uintp, *value))
        return bool(accesses)


class Compiler(CompilerBase):
    """Numba's compiler with this one pass more."""

    def define_pipelines(self) -> list[Any]:
        """Return its passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(UnsignedIndexes, NoPythonSupportedFeatureValidation)
        passes.finalize()
        return [passes]


def _is_signed(signature: Any) -> bool:
    array, index = signature.args[:2]
    return isinstance(array, types.Array) and array.ndim == 1 and index in types.signed_domain
