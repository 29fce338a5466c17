"""What asks: workloads read from files, drawn by generators, changed by conversions."""

from shadowtime.engine.workload.conversions import Conversion, conversions, convert, find_conversion, resolve_conversion
from shadowtime.engine.workload.generators import Generator, find_generator, generate, generators
from shadowtime.engine.workload.job import COLUMNS, KINDS, Clock, Workload, job_table
from shadowtime.engine.workload.json_writer import write_json
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.offered import offered_load
from shadowtime.engine.workload.preview import preview
from shadowtime.engine.workload.reading import Format, cases, formats, read
from shadowtime.engine.workload.references import parse_conversion, parse_reference
from shadowtime.engine.workload.samples import Sample, find_sample, samples
from shadowtime.engine.workload.swf_writer import write_swf

__all__ = [
    "COLUMNS",
    "KINDS",
    "Clock",
    "Conversion",
    "Format",
    "Generator",
    "Limits",
    "Sample",
    "Workload",
    "cases",
    "conversions",
    "convert",
    "find_conversion",
    "find_generator",
    "find_sample",
    "formats",
    "generate",
    "generators",
    "job_table",
    "offered_load",
    "parse_conversion",
    "parse_reference",
    "preview",
    "read",
    "resolve_conversion",
    "samples",
    "write_json",
    "write_swf",
]
