"""The right answers to what the operations ask, computed apart from any store."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest import mock

import numpy as np

from shadowtime.engine.bounds import fluid
from shadowtime.engine.workload import reading
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.workers.conversions import convert_all
from shadowtime.workers.execute import Outcome, execute
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store.base import EXTRA_TABLES, TABLES, Run
from tests.conftest import FOUR_SWF

FEW, MANY = 30, 40
"""Jobs of a run whose exact bound is proven at once, and of one for which a worker proves it apart."""
EXACT = fluid.EXACT
WHY = "it did not work"
"""Why some runs fail."""


@cache
def outcome(text: str) -> Outcome:
    """The answer to a question, computed apart from any store."""
    spec = RunSpec.from_json(text)
    source = spec.workload
    if "generator" in source:
        workload = generate(source["generator"], source["parameters"], source["seed"])
    else:
        workload = reading.read(io.BytesIO(FOUR_SWF.encode()), "four.swf", None)
    with all_at_once():
        return execute(spec, convert_all(workload, spec.conversions, spec.seed))


@contextmanager
def bounds_apart() -> Iterator[None]:
    """The exact bounds of runs of more than FEW jobs are proven apart."""
    with (
        mock.patch.object(fluid, "EXACT", FEW),
        mock.patch.object(fluid, "cut_window", lambda work, scale, start, piles: 1.0001 * start),
    ):
        yield


@contextmanager
def all_at_once() -> Iterator[None]:
    """They are not."""
    with mock.patch.object(fluid, "EXACT", EXACT):
        yield


def tables_of(found: Outcome) -> dict[str, Any]:
    return {name: getattr(found.schedule, name) for name in (*TABLES, *EXTRA_TABLES)}


def is_right(run: Run) -> bool:
    """Whether a run that ended has the tables and figures that its question gives."""
    assert run.spec.digest == run.digest
    if run.status.status == "cancelled" or (run.status.status == "failed" and run.status.error == WHY):
        return run.summary is None
    assert run.status.status == "finished", run.status
    right = outcome(run.spec.json)
    for name, table in tables_of(right).items():
        found = run.table(name)
        assert found.keys() == table.keys()
        assert all(np.array_equal(found[key], table[key], equal_nan=table[key].dtype.kind == "f") for key in table)
    said = dict(run.summary or {})
    if said.pop("exact_bound", {}).get("status") == "queued":
        assert said["bound_names"]["max_bounded_stretch"] == "cut_window"
        return said["metrics"]["mean_flow"] == right.summary["metrics"]["mean_flow"]
    return _figures(said) == _figures(right.summary)


def _figures(summary: Mapping[str, Any]) -> str:
    return repr({key: value for key, value in summary.items() if key not in ("timing", "workload", "report")})
