"""The two cards of a new run: a trace that was sent, or a generator and what its seed makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import dash_mantine_components as dmc
from dash import dcc, html

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.components import naming, preview, states, table_columns, tags, visitor
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.chart import as_table, chart
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.parameter_form import parameter_form
from shadowtime.dashboard.components.question import TRACE, Form
from shadowtime.dashboard.components.table_columns import FOLDED, fold
from shadowtime.dashboard.figures import shape
from shadowtime.dashboard.look import words
from shadowtime.dashboard.sharing import urls
from shadowtime.engine.registry import find_generator, generators
from shadowtime.engine.workload.generators.generator import SEED
from shadowtime.engine.workload.samples import samples
from shadowtime.workers.store import WorkloadEntry

SHAPE_HEIGHT = 84
LATEST = 4
"""Stored files beside the place to drop one; older ones are folded."""
SHOWS = {
    "four": "How EASY backfills (4 jobs)",
    "figure1": "Kill, wait or migrate in two tiers (12 jobs)",
    "site142": "Job classes on 18 clusters (142 machines)",
    "bench3": "Plans that real processes can run (3 machines)",
    "takeover": "A high job takes over a cluster (3 machines)",
}
"""What each sample shows."""
WEEK_OF_LOAD = {"generator": "lublin", "jobs": "750", "processors": "100", "load": "0.7"}
"""About as many jobs, as large a machine and as much load as in a week of KTH-SP2."""
REPORT = 3
"""Sentences of the reading report on the card; the workload's page has all."""


def separated(parts: Sequence[Any]) -> list[Any]:
    """Parts of a line with commas between them."""
    return [piece for i, part in enumerate(parts) for piece in ((", ", part) if i else (part,))]


def workload_cards(form: Form, stored: Sequence[WorkloadEntry], max_upload: int) -> dmc.RadioGroup:
    """The two ways to get jobs, one of which is chosen."""
    return dmc.RadioGroup(
        tags.div("st-cards", trace_card(form, stored, max_upload), generator_card(form)),
        id="new-kind",
        value=form.kind,
        attributes={"root": {"aria-label": "Workload"}},
    )


def card(value: str, title: str, right: Any, body: Any) -> html.Div:
    """One of the two ways to get jobs; a click anywhere in it chooses it."""
    return tags.div(
        "st-card",
        tags.div(
            "st-cardhead",
            dmc.Radio(value=value, label=title, className="st-cardtitle"),
            html.Div(className="st-grow"),
            right,
        ),
        html.Div(body, className="st-cardbody"),
        **attributes({"data-choice": value}),
    )


def trace_card(form: Form, stored: Sequence[WorkloadEntry], max_upload: int) -> html.Div:
    """A file that is dropped here, or one that is here already."""
    choose = html.Button("Choose a file", id="trace-choose", className="st-link", **attributes({"data-choose": "file"}))
    renamed = [renaming()] if visitors.may_write() else []
    body = [html.Div(id="trace-progress"), html.Div(no_trace(stored, max_upload), id="trace-body"), *renamed]
    return card(TRACE, "Trace", choose, body)


def no_trace(stored: Sequence[WorkloadEntry], max_upload: int) -> list[Any]:
    """The place to drop one, the latest ones that are here, and the four-job example."""
    said = f"SWF, sacct -P with slurm.conf, CSV, Parquet or JSON, gzip too, up to {words.size(max_upload)}"
    zone = tags.button(
        "st-drop st-drop-small",
        icon("upload", 20),
        tags.span(
            "st-drop-words",
            html.Span("Drop a trace anywhere on this page", className="st-strong"),
            html.Span(said, className="st-small st-ink3"),
        ),
        **attributes({"data-choose": "file"}),
    )
    known = [
        html.Button(
            naming.file_words(entry.name),
            className="st-link",
            id={"stored": entry.id},
            title=f"{entry.name}, {words.count(entry.jobs, 'job')}",
        )
        for entry in stored
    ]
    older = [html.Li(one) for one in known[LATEST:]]
    folded = html.Details(
        [html.Summary(words.count(len(older), "older file")), html.Ul(older, className="st-samples")],
        className="st-astable",
    )
    examples = [
        html.Button(
            SHOWS.get(sample.slug, sample.title),
            className="st-link",
            title=sample.summary,
            **attributes({"data-sample": sample.content().decode(), "data-name": sample.file}),
        )
        for sample in samples().values()
        if visitors.may_write() and sample.file not in {entry.name for entry in stored}
    ]
    own = tags.div(
        "st-small st-ink2", "or describe ", dcc.Link("machines that differ", href=urls.SITES, className="st-link")
    )
    week = dcc.Link("A week of KTH-like load (750 jobs)", href=f"{urls.NEW}?{urlencode(WEEK_OF_LOAD)}", refresh=True)
    lines = [html.Li(one) for one in (*known[:LATEST], week, *examples)]
    taken = tags.div(
        "st-small st-ink2", "or take", html.Ul(lines, className="st-samples"), *([folded] if older else [])
    )
    return [zone, visitor.note("send a file"), taken, own]


def renaming() -> html.Div:
    """Whether names of users and accounts are replaced before a file is kept, and the key of their pseudonyms."""
    said = (
        "What is stored is then a table of the columns that are read; partitions, states and names of nodes stay as "
        "they are. Names of jobs, comments and paths are gone. The same key gives a name the same pseudonym; an empty "
        "one is drawn and shown once. It is never stored."
    )
    key = dmc.PasswordInput(
        id="rename-key", size="xs", placeholder="key, or empty for a random one", persistence=False,
        attributes={"input": {"aria-label": "Key of the pseudonyms", "autocomplete": "off"}},
    )  # fmt: skip
    return tags.div(
        "st-renaming",
        dmc.Checkbox(id="rename", label="Replace names of users and accounts", size="xs"),
        tags.div("st-renamingkey", key, html.Div(said, className="st-small st-ink3")),
    )


def damaged_traces(ids: Sequence[str]) -> list[Any]:
    """Name the stored workloads that cannot be offered, with the way to their pages."""
    if not ids:
        return []
    links = [dcc.Link(one, href=urls.workload(one), className="st-mono") for one in ids]
    said = [f"{words.count(len(ids), 'stored workload')} damaged, not offered: ", *separated(links)]
    return [html.Div(said, className="st-small st-bad")]


def read_trace(
    entry: WorkloadEntry,
    case: str | None,
    looks: Mapping[str, Any],
    packed: int | None,
    table: Mapping[str, Any] | None = None,
    folds: Mapping[str, bool] = FOLDED,
) -> list[Any]:
    """The file, how it was read, and what its jobs look like; of a `table` also its columns and first lines.

    folds: whether each fold of the card is open.
    """
    name = tags.div(
        "st-fileline",
        icon("file-text"),
        html.Span(entry.name, className="st-mono st-filename", title=entry.name),
        html.Span(words.size(packed or entry.size), className="st-ink3"),
        html.Div(className="st-grow"),
        states.pill("read", icon("check"), "Read"),
    )
    report, clock = list(looks["report"]), table.get("clock") if table else entry.clock
    said_first = len(report) if table else REPORT
    load = preview.load(looks)
    when = preview.dates(looks, clock) + (f", {load}" if load else "")
    lines = [("check", said) for said in report[:said_first]] + [("calendar-event", when)]
    if looks["facts"]["first_submit"] > 0:
        lines.append(("clock", preview.origin(looks)))
    said = html.Ul([tags.li("", icon(mark, 15), html.Span(text)) for mark, text in lines], className="st-report")
    more = (
        [dcc.Link(f"{len(report) - REPORT} more", href=urls.workload(entry.id), className="st-small")]
        if len(report) > said_first
        else []
    )
    cases = [case_picker(entry, case)] if len(entry.cases) > 1 else []
    chosen = [table_columns.form(table, case, folds)] if table else []
    return [name, *cases, said, *more, *chosen, shape_chart("trace-shape", looks, folds)]


def case_picker(entry: WorkloadEntry, case: str | None) -> html.Div:
    """Which case of a JSON instance."""
    cases = dmc.Select(
        id={"case": entry.id},
        value=case or entry.cases[0],
        data=list(entry.cases),
        allowDeselect=False,
        searchable=True,
        size="sm",
        w=260,
        attributes={"input": {"aria-label": "Case"}},
    )
    return tags.div("st-inline st-case", html.Span("case", className="st-ink2"), cases)


def shape_chart(name: str, looks: Mapping[str, Any] | None, folds: Mapping[str, bool] = FOLDED) -> html.Div:
    """Three small histograms, also as a table; the style sheet makes them grey in a card that is not chosen."""
    figure = shape.figure(looks, "accent") if looks else None
    return tags.div(
        "",
        chart(name, figure, "Jobs by hour of day, by size and by runtime", SHAPE_HEIGHT),
        html.Div(shape_table(name, looks, folds) if looks else None, id=f"{name}-table"),
    )


def shape_table(name: str, looks: Mapping[str, Any], folds: Mapping[str, bool] = FOLDED) -> html.Details:
    """The three histograms as a table."""
    return as_table(["What", "Range", "Jobs"], shape.rows(looks), **fold(name, folds))


def generator_card(form: Form) -> html.Div:
    """A model, its parameters, and what this seed makes."""
    slug = form.generator or "lublin"
    picker = dmc.Select(
        id="new-generator", value=slug, allowDeselect=False, w=280, size="sm",
        data=[{"value": entry.slug, "label": entry.title} for entry in generators().values()],
        attributes={"input": {"aria-label": "Generator"}},
    )  # fmt: skip
    body = [
        html.Div(generator_form(slug, form.drawn), id="generator-form"),
        html.Div("", id="generator-words", className="st-small st-ink3"),
        shape_chart("generator-shape", None),
    ]
    return card("generator", "Generator", picker, body)


def generator_form(slug: str, values: Mapping[str, Any]) -> html.Div:
    """The generator's registered parameters, and the seed."""
    return parameter_form("generator", slug, (*find_generator(slug).parameters, SEED), values)
