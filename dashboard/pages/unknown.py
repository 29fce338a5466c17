"""Pages that do not exist, and runs that were deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dash import dcc, html

from shadowtime.dashboard.components import naming, tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.errors import Damaged, NotFound
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import WorkloadEntry


def layout(context: Context, path: str, _: Mapping[str, str]) -> Shown:
    """No page has this address."""
    return Shown(
        "Page not found",
        message(
            "Page not found",
            [html.Span(path, className="st-mono"), " is not an address of this site."],
            [
                dcc.Link("All runs", href=urls.RUNS, className="st-button"),
                dcc.Link("New run", href=urls.NEW, className="st-button"),
            ],
        ),
        "unknown",
    )


def no_run(context: Context, run_id: str) -> Shown:
    """The run of a link is not in the store: deleted, or kept by another laboratory."""
    try:
        return deleted(context, context.store.runs.question(run_id))
    except NotFound:
        text = [
            "Run ",
            html.Span(run_id, className="st-mono"),
            " is not stored here. The same configuration gives the same run with the same id: choose its workload, "
            "machine and scheduler on New run.",
        ]
        return Shown("Run not found", message("Run not found", text, leave()), "unknown")


def no_runs(context: Context, run_ids: Sequence[str]) -> Shown:
    """Several runs of a link are not in the store: each by its name, and those that were deleted can be run again."""
    if len(run_ids) == 1:
        return no_run(context, run_ids[0])
    lines, unknown = [], 0
    for run_id in run_ids:
        try:
            spec = context.store.runs.question(run_id)
        except NotFound:
            unknown += 1
            lines.append(html.Li([html.Span(run_id, className="st-mono"), " is not stored here"]))
        else:
            lines.append(html.Li([f"{_title(context, spec)}, on {naming.platform_words(spec.platform)} ", again(spec)]))
    said = ["The link works again when all of its runs are here: the same configuration gives the same run."]
    title = f"{len(run_ids)} runs of this comparison {'are not stored here' if unknown else 'were deleted'}"
    return Shown("Runs not found", message(title, said, leave(), html.Ul(lines, className="st-groups")), "unknown")


def again(spec: RunSpec) -> html.Button:
    """Queue the question of a run that was deleted, and open it."""
    return html.Button(
        "Run again",
        className="st-button",
        **attributes({"data-act": "again", "data-run": spec.id, "data-spec": spec.json}),
    )


def _title(context: Context, spec: RunSpec) -> str:
    return f"{naming.run_words(spec)} on {naming.workload_words(context.store, spec)}"


def deleted(context: Context, spec: RunSpec) -> Shown:
    """A run that was deleted; its question can be queued again."""
    title = _title(context, spec)
    said = [
        "You can run it again: ",
        html.Span(title, className="st-strong"),
        f", on {naming.platform_words(spec.platform)}.",
    ]
    return Shown(title, message("This run was deleted", said, [again(spec), *leave()]), "unknown")


def damaged(run_id: str, sentence: str) -> Shown:
    """A run that is damaged, where its own page cannot show that, or is another one: a link to it."""
    named = dcc.Link(run_id, href=urls.run(run_id), className="st-mono")
    text = ["Run ", named, f" is not shown: {sentence.rstrip('.')}."]
    return Shown("Damaged run", message("This run is damaged", text, leave()), "unknown")


def leave() -> list:
    """Where else to go."""
    return [
        dcc.Link("All runs", href=urls.RUNS, className="st-button"),
        dcc.Link("New run", href=urls.NEW, className="st-button"),
    ]


def find_workload(context: Context, workload_id: str) -> WorkloadEntry | Shown:
    """Return a workload, or the page that says that it was deleted or is damaged."""
    try:
        return context.store.workloads.get(workload_id)
    except Damaged as error:
        title, said = "Damaged workload", "This workload is damaged"
        reason = str(error)[:1].upper() + str(error)[1:]
        text: list[Any] = [f"{reason}: uploading the same file restores it, with the same id and all its runs."]
        way = "Upload it again"
    except NotFound:
        title = said = "Workload not found"
        text = ["Workload ", html.Span(workload_id, className="st-mono"), " was deleted, or was never uploaded here."]
        way = "Upload a trace"
    return Shown(title, message(said, text, [dcc.Link(way, href=urls.NEW, className="st-button")]), "unknown")


def message(title: str, text: list, buttons: list, *lists: Any) -> html.Div:
    """One calm sentence in the middle of an empty page, and lists below it."""
    return html.Div(
        tags.div(
            "st-message",
            icon("search", 22, "st-ink3"),
            html.H1(title),
            html.P(text, className="st-ink2"),
            *lists,
            html.Div(buttons, className="st-empty-actions"),
        ),
        className="st-column",
    )
