"""Where the viewer draws: a place of the page that `assets/gantt/` finds and fills."""

from __future__ import annotations

from dash import html

from shadowtime.dashboard.components.attributes import attributes


def viewer(run_id: str) -> html.Div:
    """The schedule of one run: overview, panes, areas and the scrub bar, all drawn by browser code."""
    return html.Div(id="viewer", className="st-viewer", **attributes({"data-run": run_id, "data-store": "run-view"}))


def job_panel() -> html.Section:
    """Beside the schedule: the job that is selected in it, also filled by the viewer."""
    return html.Section(
        id="job-panel", className="st-job", **attributes({"aria-label": "Selected job", "aria-live": "polite"})
    )
