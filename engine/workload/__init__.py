"""What asks: workloads read from files, drawn by generators, changed by conversions."""

from engine.workload.job import COLUMNS, KINDS, Clock, Workload, job_table

__all__ = ["COLUMNS", "KINDS", "Clock", "Workload", "job_table"]
