"""What asks: workloads read from files, drawn by generators, changed by conversions."""

from engine.workload.job import COLUMNS, KINDS, Clock, Workload, job_table
from engine.workload.limits import Limits
from engine.workload.reading import Format, cases, formats, read
from engine.workload.rigid import write_json
from engine.workload.swf_writer import write_swf

__all__ = [
    "COLUMNS",
    "KINDS",
    "Clock",
    "Format",
    "Limits",
    "Workload",
    "cases",
    "formats",
    "job_table",
    "read",
    "write_json",
    "write_swf",
]
