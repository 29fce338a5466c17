"""The three decorators of compiled functions; their code is kept on disk (`code`)."""

from __future__ import annotations

import os
import sys
from typing import Any

from shadowtime.engine.kernel import code

os.environ.setdefault("NUMBA_CACHE_DIR", str(code.folder()))

PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""True under NUMBA_DISABLE_JIT=1: the same source runs uncompiled, for tests that compare both and for small runs of
the command line; numba (0.2 s, and as much for each run's compiled code) is not imported."""

_BLAS = "scipy.linalg.cython_blas"


def _njit(**options: Any) -> Any:
    """Return numba's decorator, or under NUMBA_DISABLE_JIT=1 one that returns the function itself."""
    return (lambda function: function) if PLAIN else numba.njit(pipeline_class=Compiler, **options)


if not PLAIN:
    import numba  # the cache directory must be set before

    if _BLAS not in sys.modules:
        # Numba imports scipy.linalg (0.3 s) only to find out whether it can compile matrix products; the engine has
        # none.
        sys.modules[_BLAS] = None  # type: ignore[assignment]
        import numba.np.arraymath

        del sys.modules[_BLAS]

    numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]

    from shadowtime.engine.kernel.indexes import Compiler

compiled = _njit(cache=True, error_model="numpy", _nrt=False, nogil=True)
"""For functions that Python calls too. They allocate no memory (`_nrt=False`): all arrays belong to a `Struct`. They
release the interpreter's lock (`nogil`): another thread can report progress meanwhile."""

inner = _njit(cache=True, error_model="numpy", _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""For helpers that only compiled code calls: a third less time to compile. They must not return an array: under
`_nrt=False` they take no reference to it, and the caller would release one."""

allocating = _njit(cache=True, error_model="numpy", nogil=True)
"""For functions that allocate or return arrays: planners, orders and bounds. They release the interpreter's lock, too:
bounds are computed while the kernel runs."""

expanded = _njit(inline="always")
"""For helpers that take a function: their text is copied into the caller, so that the function is known there. Also for
a step of a loop over bytes, where a call costs 5 %."""
