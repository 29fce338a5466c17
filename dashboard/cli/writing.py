"""Workloads written to files by the commands `generate` and `convert`."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable
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
    """Write a workload in the format that the ending names."""
    text = io.BytesIO()
    _writer(target.name.lower() if target else "")(workload, text)
    if target is None:
        sys.stdout.buffer.write(text.getbuffer())
        return
    from shadowtime.engine.workload.words import count
    from shadowtime.workers import files

    # No date in the archive: equal jobs give equal bytes.
    is_packed = target.suffix.lower() == ".gz"
    files.write(target, gzip.compress(text.getvalue(), mtime=0) if is_packed else text.getvalue())
    print(f"{workload.name}: {count(len(workload), 'job')} in {target}")
    if workload.kind == "rigid" and (lost := _lost(workload, target.name.lower())):
        print(f"{target.name} has no place for: {', '.join(lost)}")


def _lost(workload: Workload, name: str) -> list[str]:
    from shadowtime.engine.workload.writers import IN_BATSIM, IN_JSON, IN_SWF, not_written

    stem = name.removesuffix(".gz")
    is_batsim = stem.endswith((".batsim.json", ".batsim4.json"))
    return not_written(workload, IN_BATSIM if is_batsim else IN_JSON if stem.endswith(".json") else IN_SWF)


def _writer(name: str) -> Callable[[Workload, BinaryIO], None]:
    from shadowtime.engine.workload.writers import write_batsim, write_json, write_swf

    name = name.removesuffix(".gz")
    if name.endswith((".batsim.json", ".batsim4.json")):
        return partial(write_batsim, version=5 if name.endswith(".batsim.json") else 4)
    return write_json if name.endswith(".json") else write_swf
