"""Workloads written to files by the commands `generate` and `convert`."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from shadowtime.dashboard.cli import question
from shadowtime.dashboard.cli.parser import Refusal

if TYPE_CHECKING:
    from shadowtime.engine.workload.job import Workload

HELP = (
    "output file; its ending is its format: .swf, .json, .batsim.json or .batsim4.json (Batsim before 5), "
    "and .gz after it compresses; - is standard output, as SWF"
)


def check_output(path: str) -> Path | None:
    """Return the file that is to be written, None for standard output; refuse other endings before any work."""
    if path == "-":
        return None
    target = question.output(path)
    if not path.lower().removesuffix(".gz").endswith((".swf", ".json")):
        raise Refusal(f"-o {path}: the name must end in .swf or .json, and .gz after it to compress")
    return target


def write(workload: Workload, target: Path | None) -> None:
    """Write a workload in the format that the ending names, and say what the format has no place for."""
    from shadowtime.engine.workload.words import count
    from shadowtime.engine.workload.writers import not_written
    from shadowtime.workers import outputs

    writer, columns = _form(target.name.lower() if target else "")
    text = io.BytesIO()
    writer(workload, text)
    if target is None:
        sys.stdout.buffer.write(text.getbuffer())
    else:
        # No date in the archive: equal jobs give equal bytes.
        is_packed = target.suffix.lower() == ".gz"
        outputs.write(target, gzip.compress(text.getvalue(), mtime=0) if is_packed else text.getvalue())
        print(f"{workload.name}: {count(len(workload), 'job')} in {target}")
    if workload.kind == "rigid" and (lost := not_written(workload, columns)):
        place, stream = (target.name, sys.stdout) if target else ("SWF", sys.stderr)
        print(f"{place} has no place for: {', '.join(lost)}", file=stream)


def _form(name: str) -> tuple[Callable[[Workload, BinaryIO], None], Sequence[str]]:
    """Return what writes a file of this name, and the columns of rigid jobs that it keeps."""
    from shadowtime.engine.workload import writers

    name = name.removesuffix(".gz")
    if name.endswith((".batsim.json", ".batsim4.json")):
        version = 5 if name.endswith(".batsim.json") else 4
        return partial(writers.write_batsim, version=version), writers.IN_BATSIM
    if name.endswith(".json"):
        return writers.write_json, writers.IN_JSON
    return writers.write_swf, writers.IN_SWF
