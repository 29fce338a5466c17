"""Twelve jobs for each family, and what its algorithms make of them: events of real schedules, kept in a file."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.dashboard.explained import others, rigid
from shadowtime.dashboard.explained.pseudocode import Explanation
from shadowtime.engine import registry, tables
from shadowtime.engine.output.notes import Notes

if TYPE_CHECKING:
    from shadowtime.dashboard.face.schedule import Schedule
    from shadowtime.dashboard.face.workload import Workload

FILE = Path(__file__).with_name("examples.json")
FRACTIONAL = "fractional"
"""Name of the page that all fractional variants share."""
VARIANT = "greedypm*/per/opt=min/minvt=600"
"""The variant whose example that page shows."""
RECORDED = "recorded"
METRICS = ("mean_flow", "max_bounded_stretch", "makespan", "weighted_completion")
"""What rivals are compared by."""

EXPLANATIONS: dict[str, Explanation] = {
    **rigid.EXPLANATIONS,
    **others.TWO_TIER,
    **others.MOLDABLE,
    **others.MULTITASK,
    **others.CLASSED,
    FRACTIONAL: others.FRACTIONAL,
}
"""By slug, or the name of the page that fractional variants share."""


@dataclass(frozen=True)
class Example:
    """A workload of twelve jobs, drawn by a generator."""

    generator: str
    parameters: Mapping[str, Any]
    seed: int
    conversions: tuple[str, ...] = ()

    def workload(self) -> Workload:
        """Return the jobs."""
        from shadowtime import convert, generate

        drawn = generate(self.generator, dict(self.parameters), seed=self.seed)
        for conversion in self.conversions:
            drawn = convert(drawn, conversion)
        return drawn


_SHORT = {"jobs": 12, "processors": 8, "load": 1.2, "max_runtime": 3600.0}
_SITE = {
    "jobs": 12, "site": "random", "machines": 6, "clusters": 2, "cluster_size": 2, "mix": "25/25/50", "rate": 0.5,
}  # fmt: skip
EXAMPLES = {
    "rigid": Example("uniform", {"jobs": 12, "processors": 8, "load": 1.0, "max_estimate": 1.3}, 96),
    "two_tier": Example("uniform", _SHORT, 0, ("two_tier",)),
    "moldable": Example("moldable", {"jobs": 12, "processors": 8}, 1),
    "multitask": Example("multitask", {"jobs": 12, "machines": 2, "mean_tasks": 3.0, "max_tasks": 5, "load": 1.0}, 0),
    "classed": Example("classed", _SITE, 18),
    FRACTIONAL: Example("fractional", {"jobs": 12, "nodes": 3, "load": 0.9}, 20),
}
"""By family."""


def names() -> Iterator[str]:
    """Yield the slugs of all algorithms with a page of their own, and the name of the fractional ones' page."""
    yield from (slug for slug, one in registry.algorithms().items() if one.family != FRACTIONAL)
    yield FRACTIONAL


def page_of(slug: str) -> str:
    """Return the name of the page of an algorithm."""
    return FRACTIONAL if registry.find(slug).family == FRACTIONAL else slug


def simulated(name: str) -> Schedule:
    """Return the schedule of the example under the algorithm of a page."""
    from shadowtime import read, simulate

    slug = VARIANT if name == FRACTIONAL else name
    family = registry.find(slug).family
    jobs = EXAMPLES[family].workload()
    if name == RECORDED:
        jobs = read(io.BytesIO(_log(simulate(jobs, "easy")).encode()))
    return simulate(jobs, slug)


def class_of(kind: str, tier: int) -> str:
    """Return the class of an event, by which lines of pseudo-code name it: its kind, or a start in the background."""
    return "background" if kind == "start" and tier else kind


def example(schedule: Schedule) -> dict[str, Any]:
    """Return what the page of an algorithm shows of a schedule, as JSON holds it."""
    jobs, segments, events = schedule.jobs, schedule.segments, schedule.events
    notes = list(Notes(jobs, segments).all(events))
    ids = jobs["job_id"]
    steps: list[list[Any]] = []
    for at in range(tables.rows(events)):
        kind = tables.EVENT_KINDS[int(events["kind"][at])]
        step = [float(events["time"][at]), class_of(kind, int(events["tier"][at])), int(ids[events["job"][at]])]
        if steps and kind == "start" and steps[-1][:3] == [step[0], "backfill", step[2]]:
            continue  # the start that its backfilling has announced
        steps.append([*step, notes[at]])
    rectangles = [
        [int(ids[job]), *map(int, lanes), float(start), float(end), float(share)]
        for job, *lanes, start, end, share in zip(
            *(segments[name] for name in ("job", "first", "last", "tier", "kind", "start", "end", "share")),
            strict=True,
        )
    ]
    known = schedule.metrics()
    metrics = {name: float(known[name]) for name in METRICS if _is_known(known.get(name))}
    lanes = int(segments["last"].max()) + 1
    return {"lanes": lanes, "steps": steps, "rectangles": rectangles, "metrics": metrics}


@cache
def held() -> dict[str, dict[str, Any]]:
    """Return the examples of all pages, as they are shipped."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def _is_known(value: Any) -> bool:
    return value is not None and bool(np.isfinite(value))


def _log(schedule: Schedule) -> str:
    """Return the log, in SWF, of a machine on which the jobs of a schedule ran."""
    columns = (schedule.jobs[name] for name in ("job_id", "release", "start", "end", "processors", "requested"))
    lines = [f"; MaxProcs: {EXAMPLES['rigid'].parameters['processors']}"]
    for job, release, start, end, size, asked in zip(*columns, strict=True):
        spans = f"{release:.0f} {start - release:.0f} {end - start:.0f}"
        lines.append(f"{job} {spans} {size} -1 -1 {size} {asked:.0f} -1 1 -1 -1 -1 -1 -1 -1 -1")
    return "\n".join([*lines, ""])
