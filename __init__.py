"""Shadowtime: simulate parallel-job schedulers, measure their schedules and bound them from below.

    import shadowtime as st

    workload = st.generate("lublin", {"jobs": 200, "load": 0.8}, seed=7)
    schedule = st.simulate(workload, "easy")
    schedule.metrics(), schedule.bounds(), schedule.gantt()

Each name is imported at its first use (PEP 562), so that `import shadowtime` loads neither numpy nor numba.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shadowtime.dashboard.face.catalogue import algorithms, conversions, generators
    from shadowtime.dashboard.face.comparison import Comparison, compare
    from shadowtime.dashboard.face.gantt import Gantt
    from shadowtime.dashboard.face.policy import Policy, register
    from shadowtime.dashboard.face.schedule import Schedule, bounds, simulate
    from shadowtime.dashboard.face.sweep import Sweep, sweep
    from shadowtime.dashboard.face.table import Figures, Table
    from shadowtime.dashboard.face.workload import Workload, convert, generate, read
    from shadowtime.engine.desk import Desk
    from shadowtime.engine.errors import (
        EngineError,
        InvalidParameter,
        InvalidPlatform,
        InvalidWorkload,
        PolicyError,
        QuestionError,
        SimulationError,
        Stalled,
        UnknownName,
        UnsupportedWorkload,
    )
    from shadowtime.engine.platform import Platform

    __version__: str

_MODULES = {
    "shadowtime.dashboard.face.catalogue": ("algorithms", "conversions", "generators"),
    "shadowtime.dashboard.face.comparison": ("Comparison", "compare"),
    "shadowtime.dashboard.face.gantt": ("Gantt",),
    "shadowtime.dashboard.face.policy": ("Policy", "register"),
    "shadowtime.dashboard.face.schedule": ("Schedule", "bounds", "simulate"),
    "shadowtime.dashboard.face.sweep": ("Sweep", "sweep"),
    "shadowtime.dashboard.face.table": ("Figures", "Table"),
    "shadowtime.dashboard.face.workload": ("Workload", "convert", "generate", "read"),
    "shadowtime.engine.desk": ("Desk",),
    "shadowtime.engine.errors": (
        "EngineError", "InvalidParameter", "InvalidPlatform", "InvalidWorkload", "PolicyError", "QuestionError",
        "SimulationError", "Stalled", "UnknownName", "UnsupportedWorkload",
    ),
    "shadowtime.engine.platform": ("Platform",),
}  # fmt: skip
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Comparison", "Desk", "EngineError", "Figures", "Gantt", "InvalidParameter", "InvalidPlatform", "InvalidWorkload",
    "Platform", "Policy", "PolicyError", "QuestionError", "Schedule", "SimulationError", "Stalled", "Sweep", "Table",
    "UnknownName", "UnsupportedWorkload", "Workload", "algorithms", "bounds", "compare", "conversions", "convert",
    "generate", "generators", "read", "register", "simulate", "sweep",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a public name at its first use and keep it.

    Raises
    ------
    AttributeError
        For a name that the package does not have.
    """
    if name == "__version__":
        found: Any = import_module("shadowtime.workers.version").package_version()
    elif name in _HOMES:
        found = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'shadowtime' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List the public names beside those of the module."""
    return sorted({*globals(), *__all__, "__version__"})
