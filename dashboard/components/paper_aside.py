"""Beside a paper: how our results were made, recomputing, the rules of the verdicts, what is unknown."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html

from shadowtime.dashboard.components import states, tags, visitor
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.paper_claims import mark
from shadowtime.dashboard.look import words
from shadowtime.dashboard.papers.standing import SHIPPED, Standing
from shadowtime.dashboard.papers.verdicts import ORDER, RULES, UNJUDGED, counts
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.papers.registry import SCALES
from shadowtime.workers.records.papers import DAMAGED
from shadowtime.workers.version import engine_version


def aside(here: Standing, scales: dict[str, Standing], workers: int) -> list[html.Section]:
    """All sections; `scales` are the standings of each scale."""
    first = [made(here, scales, workers), agreement(here), *authors(here)]
    return first if here.page.caveats_first else [*first, unknown(here)]


def made(here: Standing, scales: dict[str, Standing], workers: int) -> html.Section:
    """Return how the results were made, and the button that recomputes them."""
    facts: list[tuple[str, Any]] = [("runs", here.page.runs[here.scale]), ("scale", here.scale)]
    if here.shown:
        facts += [
            ("engine", tags.span("", html.Code(here.shown["engine_version"]), note_of_engine(here))),
            ("made", when(here)),
        ]
    facts.append(("platform", here.page.platform))
    return html.Section(
        [
            html.H2("How these results were made"),
            html.Dl([part for name, value in facts for part in (html.Dt(name), html.Dd(value))], className="st-facts"),
            choice(here, scales, workers),
            html.Button(
                said(here, workers), id="paper-recompute", className="st-button st-primary st-wide",
                **attributes({"data-paper": here.page.name, "data-scale": here.scale}),
            ),
            visitor.note("have it recomputed"),
            damage(here),
            html.Div(going_on(here), id="paper-progress", role="status"),
            html.Div([others(here), copy(here)], className="st-paperlinks"),
            needs(here),
        ]
    )  # fmt: skip


def note_of_engine(here: Standing) -> Any:
    """Return whether this server has the engine that made the result."""
    if here.is_of_this_engine:
        return html.Div("the engine of this server", className="st-caption")
    return tags.div("st-caption", "this server has ", html.Code(engine_version()))


def when(here: Standing) -> html.Span:
    """Return the day, and how long it took."""
    assert here.shown is not None
    day = datetime.fromisoformat(here.shown["made"])
    took = words.duration(float(here.shown["seconds"]))
    source = "shipped with the package" if here.shown["shipped"] else "computed on this server"
    if used := here.shown.get("processor_seconds"):
        source += f"; {words.duration(float(used))} of processor time"
    return tags.span("", f"{day:%a} {day.day} {day:%b} {day.year}, in {took}", html.Div(source, className="st-caption"))


def choice(here: Standing, scales: dict[str, Standing], workers: int) -> html.Div:
    """Return the choice of quick or full, each with its time."""
    links = []
    for scale in SCALES:
        seconds = scales[scale].seconds(workers)
        text = [scale.capitalize(), html.Span(f" · {words.seconds_about(seconds)}") if seconds else None]
        current = attributes({"aria-current": "true"} if scale == here.scale else {})
        links.append(dcc.Link(html.Span(text, **current), href=urls.paper(here.page.name, scale), className="st-scale"))
    return html.Div(links, className="st-scales", role="group", **attributes({"aria-label": "Scale"}))


def said(here: Standing, workers: int) -> str:
    """Return what the button does, how much of it, and how long it takes."""
    seconds = here.seconds(workers)
    cells = max((int(one["cells"]) for one in here.results), default=0)
    verb = "Recompute" if here.results else "Compute"
    what = words.count(cells, here.page.unit) if cells else f"at {here.scale} scale"
    return f"{verb} {what}" + (f" · about {words.seconds_about(seconds)}" if seconds else "")


def going_on(here: Standing) -> Any:
    """Return how the last recomputation ended, until the browser has loaded its progress."""
    status = here.status
    if status is None or status.status in ("finished", DAMAGED):
        return None
    if status.is_unfinished:
        return html.Div("Loading the progress", className="st-small st-ink2", **attributes({"data-unfinished": "true"}))
    if status.status == "failed":
        return states.notice("bad", "circle-x", "Recomputing failed.", f"{status.error}.")
    return html.P("Stopped. Finished runs are kept for the next time.", className="st-small st-ink2")


def damage(here: Standing) -> Any:
    """Return which results are damaged, where there are any."""
    if not here.damaged:
        return None
    versions = [part for version in here.damaged for part in (html.Code(version), ", ")][:-1]
    text = ["What was stored of engine ", *versions, " is not what was written, and is not shown. Recompute it."]
    return states.notice("bad", "circle-x", "Damaged.", text)


def others(here: Standing) -> Any:
    """Return a link to the other result, where there are two."""
    if len(here.results) < 2 or here.shown is None:
        return None
    if here.shown["shipped"]:
        return dcc.Link("Show the local result", href=urls.paper(here.page.name, here.scale), className="st-link")
    if any(one["shipped"] for one in here.results):
        address = urls.paper(here.page.name, here.scale, SHIPPED)
        return dcc.Link("Show the shipped result", href=address, className="st-link")
    return None


def copy(here: Standing) -> dmc.CopyButton:
    """Return the button that copies the command of the whole study."""
    return dmc.CopyButton(
        [icon("copy", 15), "Copy as a command"],
        value=f"shadowtime paper {here.page.name} --scale {here.scale} --keep",
        copiedChildren=[icon("check", 15), "Copied"],
        variant="transparent",
        size="compact-sm",
        className="st-copy",
        timeout=2000,
    )


def needs(here: Standing) -> Any:
    """Return which log is needed, where this server lacks it."""
    logs = here.page.logs or ((here.page.needs,) if here.page.needs else ())
    folder = os.environ.get("SHADOWTIME_TRACES")
    if not logs or (folder and any((Path(folder) / name).is_file() for name in logs)):
        return None
    names = [part for name in logs for part in (html.Code(name), " or ")][:-1]
    effect = "it cannot be recomputed." if here.page.logs else "the claims that rest on it are left out."
    return html.P(
        ["Recomputing needs ", *names, " of the Parallel Workloads Archive in the folder that ",
         html.Code("SHADOWTIME_TRACES"), f" names, for the workers. Without it {effect} The shipped result has it."],
        className="st-caption",
    )  # fmt: skip


def agreement(here: Standing) -> html.Section:
    """Return the rules, with how often each was met."""
    met = counts(here.studies)
    lines = [
        tags.p("st-legend", mark(word), html.Span(f" {met[word]} · ", className="st-ink3"), RULES[word])
        for word in ORDER
        if met[word] or word != UNJUDGED
    ]
    note = "A click on a claim shows its rule. Nothing was tuned towards the paper's numbers."
    return tags.section("", html.H2("Verdicts"), *lines, html.P(note, className="st-caption"))


def authors(here: Standing) -> list[html.Section]:
    """Return links to what an author takes along: tables, the reference, and a paragraph on the methods."""
    if here.shown is None:
        return []
    shipped = bool(here.shown["shipped"])
    names = {"All files (ZIP)": f"{here.page.name}.zip", "Methods, a paragraph": "methods.txt"}
    names |= {"BibTeX": "reference.bib"} if here.page.bibtex else {}
    links = [
        html.Div(
            html.A(word, href=urls.api_paper_file(here.page.name, file, here.scale, shipped), className="st-link"),
            className="st-paperfile",
        )
        for word, file in names.items()
    ]
    note = "Figures as SVG and PDF, tables as CSV and LaTeX (booktabs)."
    return [tags.section("", html.H2("For a paper of your own"), html.P(note, className="st-ink2"), *links)]


def unknown(here: Standing) -> html.Section:
    """Places where the text is silent or lost, or what is assumed."""
    places = words.count(len(here.page.unknown), "place")
    link = urls.algorithm(here.page.algorithms) if here.page.algorithms else urls.ALGORITHMS
    return tags.section(
        "",
        html.H2(here.page.unknown_title),
        html.P(here.page.unknown_lead.format(places=places), className="st-ink2"),
        html.Ul([html.Li(one) for one in here.page.unknown], className="st-unknown"),
        dcc.Link("The algorithms and their options", href=link, className="st-link"),
    )
