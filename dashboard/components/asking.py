"""Questions to the intake: what is known of jobs, machine and schedulers before anything runs.

The intake is a process of its own, so that a large workload never holds up the pages. It is sent the JSON of
`POST /api/preview` and answers with the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from shadowtime.dashboard.access import visibility
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.serving import cache
from shadowtime.workers.spec import RunSpec, canonical

PATIENCE = 60.0
BOUNDS = "bounds"


def ask(context: Context, question: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the intake.

    Raises Refusal: with one sentence on what is wrong with the question.
    """
    asked = {**question}
    if owner := visibility.owner_of(asked):
        asked["owner"] = owner
    return context.intake.ask("preview", question=asked, timeout=PATIENCE)


def workload_of(spec: RunSpec) -> dict[str, Any]:
    """The part of a question that names the jobs."""
    source = spec.workload
    if "generator" in source:
        named: dict[str, Any] = {
            "generator": source["generator"],
            "parameters": {**source["parameters"], "seed": source["seed"]},
        }
    else:
        case = f"#{source['case']}" if source.get("case") else ""
        named = {"workload": source["digest"] + case}
    return {**named, "conversions": [dict(step) for step in spec.conversions], "seed": spec.seed}


def bounds(context: Context, spec: RunSpec) -> Mapping[str, float]:
    """Proven lower bounds by metric of a run's jobs on its machine, which may take a while; none where the workload
    is away."""
    question, identity = bounds_question(spec)
    try:
        return cache.remembered(context.cache, identity, BOUNDS, lambda: ask(context, question)["bounds"])
    except Refusal:
        return {}


def known_bounds(context: Context, spec: RunSpec) -> Mapping[str, float] | None:
    """Return the cached answer at once; None if there is none."""
    return cache.known(context.cache, bounds_question(spec)[1], BOUNDS)


def bounds_question(spec: RunSpec) -> tuple[dict[str, Any], str]:
    """The question for the bounds of a run, and the id under which its answer is cached."""
    question = {**workload_of(spec), "platform": dict(spec.platform), "bounds": True}
    return question, hashlib.sha256(canonical(question).encode()).hexdigest()[:16]


def columns(context: Context, reference: str) -> dict[str, Any] | None:
    """How a stored table (`id` or `id#case`) is read, looked at once; None for a file that is no table.

    Raises Refusal: when it cannot be had.
    """
    identity = hashlib.sha256(reference.encode()).hexdigest()[:16]

    def make() -> dict[str, Any]:
        return ask(context, {"workload": reference, "columns": True})

    return cache.remembered(context.cache, identity, "columns", make)["columns"]


def preview(context: Context, reference: str) -> dict[str, Any]:
    """What a stored workload (`id` or `id#case`) looks like, computed once.

    Raises Refusal: when it cannot be had.
    """
    identity = hashlib.sha256(reference.encode()).hexdigest()[:16]

    def make() -> dict[str, Any]:
        return ask(context, {"workload": reference, "bounds": False})["workload"]

    return cache.remembered(context.cache, identity, "preview", make)
