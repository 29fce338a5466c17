"""The top of a run's page: what it is, how it stands, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.components import naming, notices, states, tags, visitor
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.export_menu import export_menu
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.run_view import RunView
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.errors import NotFound
from shadowtime.workers.store import Status

LONG, FIRST = 240, 5
"""Letters of a sentence of the report that folds, and the items of its list that are shown."""


def head(view: RunView) -> list[Any]:
    """Title, state, actions; the facts and the id."""
    run = view.run
    return [
        tags.div(
            "st-headline",
            html.H1(view.title),
            *visitor.mark(run),
            html.Span(state(view), id="run-state", className="st-standing"),
            html.Div(className="st-grow"),
            tags.div(
                "st-actions",
                compare(run.id),
                *([waits([run.id])] if run.status.is_finished else []),
                *mine(view, *([notices.notify("run", run.id)] if run.status.is_unfinished else [])),
                *mine(view, share(is_private=run.is_private)),
                exports(view),
                *mine(view, *actions(run.status), menu(view)),
            ),
        ),
        tags.facts(*view.facts(), html.Span(run.id, className="st-mono")),
    ]


def state(view: RunView) -> html.Span:
    """The state of the run, the only part of the head that changes while it goes on: its buttons stay as they are."""
    return states.run_pill(view.status, view.run.summary, view.clock, *place(view))


def mine(view: RunView, *offered: Any) -> list[Any]:
    """The buttons that change or share a run; none for another person's private run, which a link lets one read."""
    return list(offered) if visitor.owns(view.run) else []


def place(view: RunView) -> tuple[int, float]:
    """Of a queued run: its place in the queue, and about how long until it starts [s]; 0 if unknown."""
    if view.run.status.status != "queued":
        return 0, 0.0
    return view.context.place_of(view.run.digest)


def compare(run_id: str) -> html.Span:
    """To the page that holds it against other runs on the same jobs."""
    address = urls.compare(urls.Comparison(runs=(run_id,)))
    return html.Span(
        dcc.Link([icon("columns-2"), "Compare"], href=address, className="st-button"),
        **attributes({"data-compare": "true"}),
    )


def waits(run_ids: Sequence[str]) -> dcc.Link:
    """To the page that says who waited, and when the machine was busy."""
    return dcc.Link([icon("clock"), "Who waited"], href=urls.waits(run_ids), className="st-button")


def share(*, is_private: bool = False) -> html.Button:
    """Makes a short link to what is on the screen: browser code opens a form under the button.

    `data-frame` says what the form offers for a frame of another site: `code`, or why there is none.
    """
    frame = "private" if is_private else "code" if visitors.may_frame() else "off"
    return tags.button(
        "st-button",
        icon("share-2"),
        html.Span("Share"),
        id="share",
        **attributes({"data-share": "link", "data-frame": frame, "aria-haspopup": "dialog", "aria-expanded": "false"}),
    )


def exports(view: RunView) -> dmc.Menu:
    """The view as a picture, the run as files."""
    return export_menu(view.run.id, is_finished=view.run.status.is_finished)


def actions(status: Status) -> list[Any]:
    """What a run in this state offers beside sharing."""
    if status.is_unfinished:
        return [html.Button("Cancel run", id="cancel-run", className="st-button", **attributes({"data-act": "cancel"}))]
    if status.is_finished:
        return [
            html.Button("Edit and run", id="change-run", className="st-button", **attributes({"data-act": "change"}))
        ]
    return []  # the notice below has the reason, and a button to run it again


def menu(view: RunView) -> dmc.Menu:
    """The end of the run."""
    run = view.run
    return dmc.Menu(
        [
            dmc.MenuTarget(
                html.Button(icon("dots", 18), className="st-iconbutton st-writes", **attributes({"aria-label": "More"}))
            ),
            dmc.MenuDropdown(
                [
                    dmc.MenuItem(
                        "Delete this run …",
                        id="delete-run",
                        className="st-menuaction",
                        disabled=run.status.is_unfinished,
                    ),
                ]
            ),
        ],
        position="bottom-end",
        classNames={"dropdown": "st-dropdown"},
    )


def banner(view: RunView) -> Any:
    """What needs saying before the picture: a lost worker, a failure, a wait."""
    status = view.status
    if status.status == "failed":
        return failed(view)
    if status.status == "cancelled":
        again = mine(view, html.Button("Run again", className="st-button", **attributes({"data-act": "again"})))
        partial = f"Partial results: {view.ended:,} of {int(view.asked['jobs']):,} jobs had ended. "
        said = f"{partial if view.is_partial else ''}You can run it again."
        return states.notice("", "ban", f"{states.cancelled_words(status)}.", said, again)
    if status.status == "queued":
        position, _ = place(view)
        if status.attempt > 1:
            return states.started_again(status)
        text = "You can close this page; its link stays the same."
        where = f"{states.words.ordinal(position).capitalize()} in the queue." if position else "In the queue."
        return states.notice("", "clock", where, text)
    if status.status == "running" and status.attempt > 1:
        return states.started_again(status)
    return None


def failed(view: RunView) -> Any:
    """Why, in the engine's own sentence, and what now."""
    status = view.run.status
    buttons = mine(view, html.Button("Run again", className="st-button", **attributes({"data-act": "again"})))
    title = states.run_words(status, None, view.clock)
    text: Any = states.failure(status)
    if trace := visitor.traceback(view.run):
        whole = html.Pre(trace, className="st-well st-command st-traceback", tabIndex=0)
        shown = tags.details("st-astable", html.Summary("Traceback, which only you see"), whole)
        text = [text, shown]
    return states.notice("bad", "circle-x", f"{title}.", text, buttons)


def question(view: RunView) -> list[Any]:
    """All that determines the run, in words and as the canonical text whose digest is its id."""
    run, spec = view.run, view.run.spec
    source = spec.workload
    facts: list[tuple[str, Any]] = [
        ("Workload", workload_link(view)),
        ("Conversions", ", then ".join(map(naming.conversion_words, spec.conversions)) or "none"),
        ("Platform", naming.platform_words(spec.platform, view.asked["kind"])),
        ("Estimates", "as requested" if spec.estimates == "requested" else "the actual runtimes"),
        ("Algorithm", dcc.Link(naming.run_words(spec), href=urls.algorithm(spec.algorithm))),
        *((name.replace("_", " "), naming.plain(value)) for name, value in spec.parameters.items()),
        ("Seed", f"{spec.seed}" + (f", generator {source['seed']}" if "generator" in source else "")),
        ("Engine", html.Span(spec.engine_version, className="st-mono")),
        ("Digest", html.Span(run.digest, className="st-mono")),
        *([] if run.status.is_unfinished or not visitor.owns(run) else [("Notices", notices.listed("run", run.id))]),
    ]
    return [
        html.Dl([part for name, value in facts for part in (html.Dt(name), html.Dd(value))], className="st-facts"),
        tags.details(
            "st-astable", html.Summary("as canonical JSON"), html.Pre(spec.json, className="st-well st-command")
        ),
    ]


def workload_link(view: RunView) -> Any:
    """The workload's page, where it is stored."""
    said = naming.source_words(view.context.store, view.run.spec.workload)
    digest = view.workload_digest
    try:
        view.context.store.workloads.get(digest)
    except NotFound:
        return said
    return dcc.Link(said, href=urls.workload(digest))


def reading(view: RunView) -> Any:
    """What reader and conversions did to the workload, a sentence each."""
    report = view.summary.get("report") or view.asked["report"]
    if not report:
        return html.P("Nothing was left out.", className="st-ink2")
    lines = [tags.li("", icon("check", 15), folded(sentence)) for sentence in report]
    return html.Ul(lines, className="st-report")


def folded(sentence: str) -> Any:
    """A sentence; a long list in it, such as the options that a model has not, folds after its first items."""
    items = sentence.split(", ")
    if len(sentence) <= LONG or len(items) <= FIRST:
        return html.Span(sentence)
    first = f"{', '.join(items[:FIRST])} and {len(items) - FIRST:,} more"
    return html.Details([html.Summary(first), html.Span(", ".join(items[FIRST:]))], className="st-folded")
