"""Shadowtime's engine: workloads, machines, policies, schedules, metrics and proven bounds.

It needs no web, no queue and no disk, and works in a notebook.
"""

from shadowtime.engine.platform import Platform
from shadowtime.engine.schedule import Schedule, Slice
from shadowtime.engine.simulation import Simulation, simulate
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.reading import read

__all__ = ["Platform", "Schedule", "Simulation", "Slice", "Workload", "generate", "read", "simulate"]
