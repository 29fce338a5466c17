"""Workloads as JSON instances, the native format of their kind."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, BinaryIO

from shadowtime.engine.errors import UnsupportedWorkload
from shadowtime.engine.families.classed import workload as classed
from shadowtime.engine.families.fractional import workload as fractional
from shadowtime.engine.families.moldable import workload as moldable
from shadowtime.engine.families.multitask import workload as multitask
from shadowtime.engine.families.rigid import workload as rigid
from shadowtime.engine.families.two_tier import workload as two_tier
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits, bytes_in_words

DOCUMENTS: dict[str, Callable[[Workload], dict[str, Any]]] = {
    "rigid": rigid.document,
    "two_tier": two_tier.document,
    "fractional": fractional.document,
    "moldable": moldable.document,
    "multitask": multitask.document,
    "classed": classed.document,
}


def write_json(workload: Workload, stream: BinaryIO) -> None:
    """Write a workload so that reading gives it back exactly; its report and conversions stay behind.

    Raises
    ------
    UnsupportedWorkload
        For a kind that is not written, or a text larger than an instance may be.
    """
    if workload.kind not in DOCUMENTS:
        known = ", ".join(DOCUMENTS)
        raise UnsupportedWorkload(f"JSON is written of {known} workloads; {workload.name} is a {workload.kind} one.")
    text = json.dumps(DOCUMENTS[workload.kind](workload), allow_nan=False).encode() + b"\n"
    if len(text) > (most := Limits().json):
        raise UnsupportedWorkload(
            f"{workload.name} would take {len(text) / 1e6:,.1f} MB as JSON; an instance has at most "
            f"{bytes_in_words(most)} here."
        )
    stream.write(text)
