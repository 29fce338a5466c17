"""The story of a short run beside its schedule: every decision, when, and why."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
from dash import html

from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.run_panels import section_title
from shadowtime.dashboard.components.run_view import RunView
from shadowtime.engine.tables import EVENT_KINDS, SUBMIT

RANGE = re.compile(r"(?<=\d)-(?=\d)")
"""The hyphen of a range of lanes."""
LONGEST = 250
"""Events up to which a run is listed whole; the table under the schedule has those of any run."""


def story(view: RunView) -> list[Any]:
    """The panel's content: a line an event, by instant; nothing for long runs and those that have not ended.

    Submissions are left out: they stand in the table of jobs.
    """
    if not view.is_finished:
        return []
    events = view.run.table("events")
    listed = np.flatnonzero(events["kind"] != SUBMIT)
    if not 0 < len(listed) <= LONGEST:
        return []
    notes = view.notes()
    lines = []
    for event in listed.tolist():
        job = int(view.jobs["job_id"][events["job"][event]])
        kind = EVENT_KINDS[events["kind"][event]]
        lines.append(line(float(events["time"][event]), job, kind, notes.of(event, events)))
    context = json.dumps({"clock": view.asked["clock"], "span": view.span})
    return [
        section_title("Events in order", f"{len(listed):,} events"),
        html.Ol(lines, className="st-story", **attributes({"data-context": context})),
    ]


def line(time: float, job: int, kind: str, note: str) -> html.Li:
    """One event; a click moves the cursor there and selects the job. The browser writes the time."""
    note = RANGE.sub("–", note)
    said: list[Any] = [html.Strong(f"{job}"), f" {kind}", html.Span(f" {note}", className="st-ink3") if note else ""]
    button = tags.button(
        "",
        html.Span(className="st-storytime"),
        html.Span(said),
        type="button",
        **attributes({"data-at": repr(time), "data-job": str(job)}),
    )
    return html.Li(button)
