"""The only place where these tests touch the product: when modules move, only the imports below change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from shadowtime.engine import Platform, generate, read, simulate
from shadowtime.engine.bounds.registry import lower_bounds
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.registry import algorithms, find
from shadowtime.engine.tables import REJECT
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.references import parse_conversion, parse_reference
from shadowtime.workers.spec import RunSpec

TESTS = Path(__file__).parents[1]
TAU = 10.0
"""Floor of the bounded stretch [s] where the workload does not give one."""
FIXED_VERSION = "0.0.0+identity"
"""Stands for the engine version, which changes with each edit of the engine's sources."""

Table = Mapping[str, Any]


def slugs() -> list[str]:
    """Return the slugs of all registered algorithms, variants included."""
    return list(algorithms(variants=True))


def kinds(slug: str) -> tuple[str, ...]:
    """Return the kinds of workload that an algorithm takes."""
    return tuple(find(slug).kinds)


def load(reference: str, conversions: Iterable[str], seed: int) -> Workload:
    """Return a generated workload, or one read from a file below `tests/`, with its conversions applied."""
    what, rest = parse_reference(reference)
    if isinstance(rest, dict):
        workload = generate(what, rest, seed=seed)
    else:
        with (TESTS / what).open("rb") as stream:
            workload = read(stream, Path(what).name, rest)
    for text in conversions:
        workload = convert(workload, *parse_conversion(text), seed)
    return workload


def answer(workload: Workload, question: Any) -> tuple[dict[str, Table], dict[str, Any], dict[str, Any]]:
    """Return the six tables of a run, its metrics, and the lower bounds that hold for it.

    The bounds are those of each metric by name (`metric/bound`), the best (`metric`) and which one that is
    (`metric is`).
    """
    platform = Platform.of(workload, question.platform)
    schedule = simulate(
        workload,
        question.algorithm,
        question.parameters,
        platform=platform,
        estimates=question.estimates,
        seed=question.seed,
    )
    tables = {
        "jobs": schedule.jobs,
        "segments": schedule.segments,
        "events": without_reasons(schedule.events),
        "series": schedule.series,
        "rates": schedule.rates,
        "bands": schedule.bands,
    }
    tau = float(workload.machine.get("tau", TAU))
    migrates = find(question.algorithm).migrates
    proven = lower_bounds(workload, platform, tau, jobs=schedule.jobs, migrates=migrates)
    bounds: dict[str, Any] = {f"{metric}/{name}": v for metric, of in proven.all.items() for name, v in of.items()}
    bounds |= proven.values
    bounds |= {f"{metric} is": name for metric, name in proven.names.items()}
    metrics = summarize(schedule, workload, platform, tau)
    if "preemptions" in metrics:  # `kills` beside it, a second name for the same count, is newer than the digests
        metrics.pop("kills", None)
    return tables, metrics, bounds


def without_reasons(events: Table) -> Table:
    """Return events as they were before rejections recorded a reason: `other` -1, `value` NaN."""
    is_rejection = events["kind"] == REJECT
    other, value = np.where(is_rejection, -1, events["other"]), np.where(is_rejection, np.nan, events["value"])
    return {**events, "other": other.astype(events["other"].dtype), "value": value}


def spec(workload: Workload, question: Any) -> tuple[str, str]:
    """Return the id and the canonical text of a question, under a fixed engine version."""
    made = RunSpec.of(
        workload, question.algorithm, question.parameters, question.platform, question.estimates, question.seed
    )
    fixed = replace(made, engine_version=FIXED_VERSION)
    return fixed.id, fixed.json


def id_of_text(text: str) -> str:
    """Return the id of a spec read back from its canonical text."""
    return RunSpec.from_json(text).id
