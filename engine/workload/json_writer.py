"""Write workloads as JSON instances, the native format of their kind."""

from __future__ import annotations

import json
from typing import BinaryIO

from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.registry import find_family
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits, bytes_in_words


def write_json(workload: Workload, stream: BinaryIO) -> None:
    """Write a workload so that reading returns it exactly; its report and conversions are not written.

    Raises
    ------
    UnsupportedWorkload
        If the family has no such form, or the text is larger than readers allow.
    """
    text = json.dumps(find_family(workload.kind).document(workload), allow_nan=False).encode() + b"\n"
    if len(text) > (most := Limits().json):
        raise UnsupportedWorkload(
            f"{workload.name} would take {len(text) / 1e6:,.1f} MB as JSON; an instance has at most "
            f"{bytes_in_words(most)} here."
        )
    stream.write(text)
