"""What is known of a question before anything runs: jobs, machine, proven bounds, algorithms that accept it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shadowtime.dashboard.intake.questions import Desk, stored_columns, workload_of
from shadowtime.dashboard.sharing import urls
from shadowtime.engine import registry as policies
from shadowtime.engine.bounds.registry import Bounds, lower_bounds
from shadowtime.engine.errors import InvalidParameter, InvalidPlatform, QuestionError, UnsupportedWorkload
from shadowtime.engine.metrics.jobs import tau_of
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import conversions
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.preview import preview as preview_of
from shadowtime.engine.workload.sites.site_log import most_recorded
from shadowtime.workers import submit
from shadowtime.workers.errors import NotFound
from shadowtime.workers.estimates import expected_seconds
from shadowtime.workers.private import salted
from shadowtime.workers.spec import RunSpec

MOST_TASKS = 5_000_000
"""Tasks of a generated workload that a preview draws, in about 4 s."""


def preview(desk: Desk, question: Mapping[str, Any]) -> dict[str, Any]:
    """All that the page for a new run shows beside its form; where an `owner` is named, of their private runs. With
    `columns`, only how a stored table is read.

    Raises QuestionError: when the workload itself cannot be had; what is wrong with the machine or with a single
        algorithm is stated in its own place.
    """
    if question.get("columns"):
        return {"columns": stored_columns(desk, str(question.get("workload") or ""))}
    _refuse_many_tasks(question)
    workload, key = workload_of(desk, question)
    platform, trouble = _platform(workload, question.get("platform"))
    are_later = len(workload) > policies.find_family(workload.kind).quick_bounds
    are_asked = question.get("bounds", True) and not are_later
    bounds = _bounds(desk, workload, key, platform) if platform and are_asked else None
    return {
        "workload": preview_of(workload, platform.lanes if platform else None),
        "conversions": [dict(conversion) for conversion in workload.conversions],
        "platform": platform.as_dict() if platform else None,
        "platform_error": trouble,
        "most_in_use": most_recorded(workload) if trouble and not question.get("platform") else None,
        "bounds": dict(bounds.values) if bounds else {},
        "bound_names": dict(bounds.names) if bounds else {},
        "bounds_are_later": are_later,
        "algorithms": {entry.slug: _accepts(entry, workload) for entry in policies.algorithms().values()},
        "runs": [_run(desk, workload, question, asked) for asked in question.get("algorithms") or ()],
    }


def _refuse_many_tasks(question: Mapping[str, Any]) -> None:
    """Raise InvalidParameter for a generated workload of more tasks than a preview draws."""
    if not question.get("generator"):
        return
    entry = policies.find_generator(question["generator"])
    tasks = entry.tasks(entry.resolve(question.get("parameters"), 0)[0])
    if tasks > MOST_TASKS:
        raise InvalidParameter(
            f"these parameters give about {tasks:,.0f} tasks, but a preview draws at most {MOST_TASKS:,}: "
            "generate and store the workload instead (POST /api/workloads)"
        )


def _platform(workload: Workload, given: Any) -> tuple[Platform | None, str | None]:
    try:
        return Platform.of(workload, given), None
    except InvalidPlatform as error:
        return None, str(error)


def _bounds(desk: Desk, workload: Workload, key: str, platform: Platform) -> Bounds:
    """Kept for the last few questions: they change neither with algorithms nor with their parameters."""
    tau = tau_of(workload)
    return desk.bounds.get(f"{key} {platform} {tau}", lambda: lower_bounds(workload, platform, tau))


def _accepts(entry: policies.Algorithm, workload: Workload) -> dict[str, Any]:
    """Whether an algorithm takes these jobs; else why not, and which conversions help."""
    try:
        entry.parameters_for(workload)
    except UnsupportedWorkload as error:
        return {"accepted": False, "error": str(error), "conversions": _helping(entry, workload.kind)}
    return {"accepted": True, "error": None, "conversions": []}


def _helping(entry: policies.Algorithm, kind: str) -> Sequence[str]:
    known = conversions().values()
    return sorted(one.slug for one in known if one.makes in entry.kinds and kind in one.takes)


def _run(desk: Desk, workload: Workload, question: Mapping[str, Any], asked: Any) -> dict[str, Any]:
    """What would be queued for one algorithm: its id, its state if it was accepted before, and how long it takes."""
    one = asked if isinstance(asked, Mapping) else {"algorithm": asked}
    slug, estimates = str(one.get("algorithm"))[:80], one.get("estimates", question.get("estimates"))
    try:
        if set(one) - {*submit.OWN}:
            raise InvalidParameter(f"each of the algorithms is an object with {', '.join(submit.OWN)}")
        spec = RunSpec.of(
            workload, slug, one.get("parameters"), question.get("platform"), estimates, question.get("seed") or 0
        )
        if question.get("owner"):
            spec = salted(spec, question["owner"], desk.store.key())
    except QuestionError as error:
        return {"algorithm": slug, "id": None, "url": None, "status": None, "seconds": None, "error": str(error)}
    return {
        "algorithm": spec.algorithm,
        "id": spec.id,
        "url": urls.run(spec.id),
        "status": _status(desk, spec),
        "seconds": expected_seconds(desk.store, spec.algorithm, len(workload), spec.parameters),
        "error": None,
    }


def _status(desk: Desk, spec: RunSpec) -> str | None:
    try:
        return desk.store.runs.get(spec.digest).status.status
    except NotFound:
        return None
