"""Decorators of compiled functions that own memory: planners and orders."""

from __future__ import annotations

from shadowtime.engine.kernel.cache import numba

__all__ = ["compiled", "inner"]

compiled = numba.njit(cache=True, error_model="numpy")
"""For functions that Python calls."""

inner = numba.njit(cache=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""For helpers that only compiled code calls."""
