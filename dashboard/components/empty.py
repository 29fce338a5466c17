"""The first minute: nothing has run yet. What to do, beside the smallest schedule that shows why it is worth it."""

from __future__ import annotations

from dash import dcc, html

from shadowtime.dashboard.components import tags, visitor
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.look import theme, words
from shadowtime.dashboard.sharing import urls
from shadowtime.engine.workload.samples import find_sample

EXAMPLE = ((1, 0, 100, 0, 5), (4, 3, 53, 6, 9), (2, 100, 110, 0, 9), (3, 110, 1110, 0, 3))
"""EASY on the four-job example: job, start, end [s], first and last processor."""
SHOWN = 172.0
"""Seconds of it that the picture has room for."""
PROCESSORS = 10


def nothing_has_run(max_upload: int) -> html.Div:
    """The page of runs before there are any."""
    return tags.div(
        "st-column",
        html.H1("Runs"),
        tags.div(
            "st-empty",
            tags.div(
                "",
                html.H2("Nothing has run yet", className="st-empty-title"),
                html.P(
                    "Drop the log of a cluster, choose schedulers, and see when its jobs would have ended: "
                    "node by node, and at most how far from the optimum.",
                    className="st-empty-text",
                ),
                drop_zone(max_upload),
                visitor.note("send a file or queue runs"),
                tags.div(
                    "st-empty-actions",
                    run_example(),
                    dcc.Link("Use a generator", href=urls.new(generator="lublin"), className="st-button"),
                ),
            ),
            example(),
        ),
    )


def run_example() -> html.Button:
    """Sends the four jobs, queues EASY on them and opens the run."""
    sample = find_sample("four")
    data = attributes({"data-workload": sample.content().decode(), "data-name": sample.file})
    return html.Button("Run the four-job example", id="run-example", className="st-button st-primary", **data)


def drop_zone(max_upload: int) -> html.Button:
    """Where a file is dropped, or chosen: `upload.js` opens the dialog, sends the file and shows how far it is."""
    lines = [
        tags.span(
            "",
            html.Span("Drop a trace here", className="st-strong"),
            " or ",
            html.Span("choose a file", className="st-accent"),
        ),
        html.Span(
            f"SWF, sacct -P with slurm.conf, CSV, Parquet or JSON, gzip too, up to {words.size(max_upload)}",
            className="st-small st-ink3",
        ),
    ]
    return tags.button(
        "st-drop",
        icon("upload", 22),
        html.Span(lines, className="st-drop-words"),
        **attributes({"data-choose": "file"}),
    )


def example() -> html.Div:
    """EASY on four jobs and ten processors, drawn with boxes."""
    boxes = [job_box(*job) for job in EXAMPLE]
    ticks = [
        html.Span(
            f"{at}{f'{words.GAP}s' if at == 150 else ''}",
            className="st-example-tick",
            style={"left": share(at / SHOWN)},
        )
        for at in (0, 50, 100, 150)
    ]
    return tags.div(
        "st-example",
        html.Div("job 4 is backfilled at 3: it ends before job 2 can start at 100", className="st-example-why"),
        tags.div(
            "st-example-pane",
            html.Span("0", className="st-example-lane", style={"top": 0}),
            html.Span("9", className="st-example-lane", style={"bottom": 0}),
            *boxes,
            html.Span(className="st-example-cursor", style={"left": share(3 / SHOWN)}),
            html.Span(f"job 3 runs on to 1,110{words.GAP}s", className="st-example-note"),
        ),
        html.Div(ticks, className="st-example-axis"),
        html.Div("EASY on four jobs and ten processors", className="st-ink3"),
        role="img",
        **attributes(
            {
                "aria-label": "Schedule of EASY on four jobs: job 1 from 0 to 100 s, job 4 beside it from 3 to 53 s, "
                "job 2 on all ten processors from 100 to 110 s, job 3 from 110 to 1,110 s."
            }
        ),
    )


def job_box(job: int, start: float, end: float, first: int, last: int) -> html.Span:
    """One rectangle of the picture, in percent of it."""
    end = min(end, SHOWN)
    place = {
        "left": share(start / SHOWN),
        "width": share((end - start) / SHOWN),
        "top": share(first / PROCESSORS),
        "height": share((last + 1 - first) / PROCESSORS),
        "background": theme.var(f"job-{theme.job_hue(job)}"),
    }
    reserved = " st-example-reserved" if job == 2 else ""
    return html.Span(html.Span(str(job)), className=f"st-example-job{reserved}", style=place)


def share(part: float) -> str:
    """A share as CSS writes it."""
    return f"{100 * part:.3f}%"
