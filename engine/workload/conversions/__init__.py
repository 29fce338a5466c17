"""Steps from one workload to another: one file a step, one entry in the registry."""

from shadowtime.engine.workload.conversions.conversion import SAME, Conversion
from shadowtime.engine.workload.conversions.registry import (
    conversions,
    convert,
    find_conversion,
    register,
    resolve_conversion,
)

__all__ = ["SAME", "Conversion", "conversions", "convert", "find_conversion", "register", "resolve_conversion"]
