"""The first minute: what this is, a small comparison that plays, and the one button that runs it."""

from __future__ import annotations

from dash import dcc, html
from dash.development.base_component import Component

from shadowtime.dashboard.components import tags, visitor
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.look import theme, words
from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.sharing.example import END, JOBS, MINUTE, PROCESSORS, SCHEDULES

WHAT_THIS_IS = (
    "Shadowtime replays the jobs of a cluster under different schedulers and shows who waited, why, and what it cost."
)
NAMES = {"fcfs": "FCFS: strictly in order", "easy": "EASY: small jobs fill the gaps"}
HOURS = (0, 2, 4, 6, 8)


def nothing_has_run(max_upload: int) -> html.Div:
    """The page of runs before there are any."""
    more = [drop_zone(max_upload), visitor.note("send a file or queue runs")]
    return tags.div("st-column", html.H1("Runs"), first_minute("Nothing has run yet", *more))


def first_minute(title: str, *more: Component) -> html.Section:
    """One sentence, the example as it plays, and the buttons to begin with."""
    actions = tags.div(
        "st-empty-actions",
        html.Button("Run the example", id="run-example", className="st-button st-primary st-writes"),
        dcc.Link("Use a generator", href=urls.new(generator="lublin"), className="st-button"),
    )
    said = tags.div(
        "",
        html.H2(title, className="st-empty-title"),
        html.P(WHAT_THIS_IS, className="st-empty-text"),
        actions,
        html.Div(id="example-words", className="st-small st-ink3", role="status"),
        *more,
    )
    return tags.section("st-empty", said, example(), **attributes({"aria-label": "First steps"}))


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
    """The same jobs under two schedulers: a line moves along the time, and what lies behind it is drawn."""
    ticks = [
        html.Span(
            f"{hour}{f'{words.GAP}h' if hour == HOURS[-1] else ''}",
            className="st-example-tick",
            style={"left": share(60 * hour / END)},
        )
        for hour in HOURS
    ]
    waits = {slug: words.duration(mean_wait(slug)) for slug in SCHEDULES}
    panes = [
        tags.div(
            "",
            tags.div(
                "st-example-head",
                html.Span(NAMES[slug], className="st-strong"),
                html.Span(f"mean wait {waits[slug]}", className="st-ink2"),
            ),
            tags.div(
                "st-example-pane",
                *(job_box(*box) for box in boxes),
                html.Span(className="st-example-veil"),
            ),
        )
        for slug, boxes in SCHEDULES.items()
    ]
    pause = html.Button("Pause", id="example-pause", className="st-link", **attributes({"aria-pressed": "false"}))
    foot = tags.div(
        "st-example-head", html.Span(f"{len(JOBS)} jobs on {PROCESSORS} processors", className="st-ink3"), pause
    )
    picture = tags.div(
        "",
        *panes,
        html.Div(ticks, className="st-example-axis"),
        role="img",
        **attributes(
            {
                "aria-label": f"{len(JOBS)} jobs on {PROCESSORS} processors. FCFS: mean wait {waits['fcfs']}, the last "
                f"job ends after {words.duration(end_of('fcfs'))}. EASY: mean wait {waits['easy']}, the last job ends "
                f"after {words.duration(end_of('easy'))}."
            }
        ),
    )
    return tags.div("st-example", picture, foot)


def mean_wait(slug: str) -> float:
    """Mean wait of the example's jobs [s]."""
    starts = {job: start for job, _, _, start, _ in SCHEDULES[slug]}
    return MINUTE * sum(starts[number] - job[0] for number, job in enumerate(JOBS, start=1)) / len(JOBS)


def end_of(slug: str) -> float:
    """When the last of the example's jobs ends [s]."""
    return float(MINUTE * max(end for *_, end in SCHEDULES[slug]))


def job_box(job: int, first: int, last: int, start: float, end: float) -> html.Span:
    """One rectangle of the picture, in percent of it."""
    place = {
        "left": share(start / END),
        "width": share((end - start) / END),
        "top": share(first / PROCESSORS),
        "height": share((last + 1 - first) / PROCESSORS),
        "background": theme.var(f"job-{theme.job_hue(job)}"),
    }
    return html.Span(html.Span(str(job)), className="st-example-job", style=place)


def share(part: float) -> str:
    """A share as CSS writes it."""
    return f"{100 * part:.3f}%"
