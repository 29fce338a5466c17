"""Beside a paper: how ours were made, recomputing, when we say that it agrees, what is unknown."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html

from shadowtime.dashboard import urls, words
from shadowtime.dashboard.components import states, visitor
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.paper_claims import mark
from shadowtime.dashboard.papers.standing import SHIPPED, Standing
from shadowtime.dashboard.papers.verdicts import ORDER, RULES, counts
from shadowtime.workers.papers.registry import SCALES
from shadowtime.workers.version import engine_version


def aside(here: Standing, scales: dict[str, Standing], workers: int) -> list[html.Section]:
    """All sections; `scales` are the standings of each scale."""
    first = [made(here, scales, workers), agreement(here)]
    return first if here.page.caveats_first else [*first, unknown(here)]


def made(here: Standing, scales: dict[str, Standing], workers: int) -> html.Section:
    """How ours were made, and the one button."""
    facts = [("runs", here.page.runs[here.scale]), ("scale", here.scale)]
    if here.shown:
        facts += [
            ("engine", html.Span([html.Code(here.shown["engine_version"]), note_of_engine(here)])),
            ("made", when(here)),
        ]
    facts.append(("platform", here.page.platform))
    return html.Section(
        [
            html.H2("How ours were made"),
            html.Dl([part for name, value in facts for part in (html.Dt(name), html.Dd(value))], className="st-facts"),
            choice(here, scales, workers),
            html.Button(
                said(here, workers), id="paper-recompute", className="st-button st-primary st-wide",
                **{"data-paper": here.page.name, "data-scale": here.scale},
            ),
            visitor.note("have it computed again"),
            html.Div(going_on(here), id="paper-progress", role="status"),
            html.Div([others(here), copy(here)], className="st-paperlinks"),
            needs(here),
        ]
    )  # fmt: skip


def note_of_engine(here: Standing) -> Any:
    """Whether it is the engine that would answer now."""
    if here.is_of_this_engine:
        return html.Div("the engine that is here", className="st-caption")
    return html.Div(["another than ", html.Code(engine_version()), ", which is here"], className="st-caption")


def when(here: Standing) -> html.Span:
    """The day, and in how long."""
    assert here.shown is not None
    day = datetime.fromisoformat(here.shown["made"])
    took = words.duration(float(here.shown["seconds"]))
    source = "shipped with the package" if here.shown["shipped"] else "here, on the workers or by a command"
    if used := here.shown.get("processor_seconds"):
        source += f"; {words.duration(float(used))} of processor time"
    return html.Span([f"{day:%a} {day.day} {day:%b} {day.year}, in {took}", html.Div(source, className="st-caption")])


def choice(here: Standing, scales: dict[str, Standing], workers: int) -> html.Div:
    """Quick or full, each with its time."""
    links = []
    for scale in SCALES:
        seconds = scales[scale].seconds(workers)
        text = [scale.capitalize(), html.Span(f" · {words.seconds_about(seconds)}") if seconds else None]
        current = {"aria-current": "true"} if scale == here.scale else {}
        links.append(dcc.Link(html.Span(text, **current), href=urls.paper(here.page.name, scale), className="st-scale"))
    return html.Div(links, className="st-scales", role="group", **{"aria-label": "Scale"})


def said(here: Standing, workers: int) -> str:
    """What the button does, how much of it, and how long."""
    seconds = here.seconds(workers)
    cells = max((int(one["cells"]) for one in here.results), default=0)
    verb = "Recompute" if here.results else "Compute"
    what = words.count(cells, here.page.unit) if cells else f"at {here.scale} scale"
    return f"{verb} {what}" + (f" · about {words.seconds_about(seconds)}" if seconds else "")


def going_on(here: Standing) -> Any:
    """What the last recomputation came to, until the browser asks for news."""
    status = here.status
    if status is None or status.status == "finished":
        return None
    if status.is_unfinished:
        return html.Div("Asking how far it is", className="st-small st-ink2", **{"data-unfinished": "true"})
    if status.status == "failed":
        return states.notice("bad", "circle-x", "Recomputing failed.", f"{status.error}.")
    return html.P("Stopped. What was answered is kept for the next time.", className="st-small st-ink2")


def others(here: Standing) -> Any:
    """The way to the other result, where there are two."""
    if len(here.results) < 2 or here.shown is None:
        return None
    if here.shown["shipped"]:
        return dcc.Link("Show what was made here", href=urls.paper(here.page.name, here.scale), className="st-link")
    if any(one["shipped"] for one in here.results):
        address = urls.paper(here.page.name, here.scale, SHIPPED)
        return dcc.Link("Show what was shipped", href=address, className="st-link")
    return None


def copy(here: Standing) -> dmc.CopyButton:
    """The whole study as a command."""
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
    """Which log is needed, where it is not here."""
    wanted = here.page.logs or ((here.page.needs,) if here.page.needs else ())
    folder = os.environ.get("SHADOWTIME_TRACES")
    if not wanted or (folder and any((Path(folder) / name).is_file() for name in wanted)):
        return None
    names = [part for name in wanted for part in (html.Code(name), " or ")][:-1]
    effect = "it cannot be recomputed." if here.page.logs else "what rests on it would be left out."
    return html.P(
        ["Recomputing needs ", *names, " of the Parallel Workloads Archive in the folder that ",
         html.Code("SHADOWTIME_TRACES"), f" names, for the workers. Without it {effect} The shipped result has it."],
        className="st-caption",
    )  # fmt: skip


def agreement(here: Standing) -> html.Section:
    """The rules, with how often each was met."""
    met = counts(here.studies)
    lines = [
        html.P([mark(word), html.Span(f" {met[word]} · ", className="st-ink3"), RULES[word]], className="st-legend")
        for word in ORDER
        if met[word] or word != "not judged"
    ]
    note = "A click on a claim shows its rule. Nothing was tuned towards the paper's numbers."
    return html.Section([html.H2("When we say that it agrees"), *lines, html.P(note, className="st-caption")])


def unknown(here: Standing) -> html.Section:
    """Places where the text is silent or lost, or what is assumed."""
    places = words.count(len(here.page.unknown), "place")
    link = urls.algorithm(here.page.algorithms) if here.page.algorithms else urls.ALGORITHMS
    return html.Section(
        [
            html.H2(here.page.unknown_title),
            html.P(here.page.unknown_lead.format(places=places), className="st-ink2"),
            html.Ul([html.Li(one) for one in here.page.unknown], className="st-unknown"),
            dcc.Link("The algorithms and their options", href=link, className="st-link"),
        ]
    )
