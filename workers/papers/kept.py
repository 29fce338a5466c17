"""Find the results of papers: those shipped with the package, and those computed here (`records.papers`)."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from shadowtime.workers.papers.registry import SCALES
from shadowtime.workers.papers.report import FORMAT
from shadowtime.workers.records.papers import Papers, Study, StudyStatus
from shadowtime.workers.version import engine_version, studies_version


def shipped(name: str, scale: str) -> dict[str, Any] | None:
    """Return the result shipped with the package; None without one."""
    source = files("shadowtime.workers.papers.shipped").joinpath(f"{name}-{scale}.json")
    return json.loads(source.read_text(encoding="utf-8")) if source.is_file() else None


def study_of(papers: Papers, name: str, scale: str) -> Study:
    """Return a study at a scale, recomputed by this engine with the studies' sources as they are now."""
    return papers.study(name, scale, engine_version(), studies_version())


def unfinished(papers: Papers) -> list[tuple[str, str, StudyStatus]]:
    """Return name, scale and status of the studies that this engine is to recompute."""
    return [found for found in papers.unfinished(engine_version()) if found[1] in SCALES]


def results(papers: Papers, name: str, scale: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return all results of a study at a scale, newest first, and the engine versions whose results are damaged.

    "shipped" is true for results of the package. Results whose format an older version wrote are left out: their
    verdicts had other grades.
    """
    computed, damaged = papers.results(name, scale)
    found = [{**one, "shipped": True} for one in [shipped(name, scale)] if one]
    found += [{**one, "shipped": False} for one in computed if one.get("format") == FORMAT]
    return sorted(found, key=lambda one: one["made"], reverse=True), damaged
