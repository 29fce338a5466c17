"""A new sweep: a form or a TOML file, with the number of runs and the time that they take before anything is queued.

The page is empty; `assets/pages/experiment/form.js` fills it from `POST /api/sweeps/preview`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from dash import dcc, html

from shadowtime.dashboard.components import tags, visitor
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.look import words
from shadowtime.dashboard.sharing import urls
from shadowtime.engine import registry as policies
from shadowtime.engine.registry import conversions, generators
from shadowtime.workers.errors import NotFound
from shadowtime.workers.sweeps.extension import with_seeds
from shadowtime.workers.sweeps.spec import SweepSpec
from shadowtime.workers.sweeps.writing import values_of

EXAMPLES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "load": (
        "Backfilling over the load",
        "FCFS, EASY and MEASY at five loads, five seeds each",
        {
            "name": "Backfilling over the load", "workloads": ["feitelson:jobs=1000,processors=128"],
            "seeds": [1, 2, 3, 4, 5], "convert": ["two_tier"], "loads": [0.5, 0.6, 0.7, 0.8, 0.9], "processors": 128,
            "algorithms": ["fcfs", "easy", "measy"],
        },
    ),
    "migration": (
        "What a migration may cost",
        "MEASY by migration cost, beside KEASY and EASY",
        {
            "name": "What a migration may cost", "workloads": ["feitelson:jobs=1000,processors=128"],
            "seeds": [1, 2, 3, 4, 5], "convert": ["two_tier"], "loads": [0.8], "processors": 128,
            "variants": [
                {"algorithm": "measy", "parameters": {"migration_cost": [0, 20, 120, 480, 900]}},
                {"algorithm": "keasy", "parameters": {}}, {"algorithm": "easy", "parameters": {}},
            ],
        },
    ),
    "moldable": (
        "Jobs whose size is the scheduler's choice",
        "DEMT and its rivals on two families of moldable jobs",
        {
            "name": "Moldable rivals",
            "workloads": ["moldable:family=weak,jobs=100", "moldable:family=high,jobs=100"],
            "seeds": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
            "algorithms": ["demt", "gang", "sequential", "list-shelf", "list-lptf", "list-saf"],
        },
    ),
}  # fmt: skip
"""Title, sentence and question of what one may begin with."""
USUAL = ("greedyp*/per/opt=min/minvt=600", "mcb8*/per/opt=min/minvt=600")
"""Fractional algorithms that are offered; all 116 names are known."""
COUNT = re.compile(r"[0-9]{1,4}", re.ASCII)
"""A number of seeds in an address."""
STORED = 8
"""Workloads of the store that are offered."""


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The form, empty or with another sweep or an example in it."""
    given = first(context, query)
    page = tags.div(
        "st-columns st-new st-sweepnew",
        tags.div("st-column", head(), form(context), file()),
        html.Aside(html.Div(aside(), className="st-asidebody"), className="st-aside st-newaside"),
        id="sweep-editor",
        **attributes({"data-first": json.dumps(given), "data-examples": json.dumps(questions()), "data-mode": "form"}),
    )
    return Shown("New experiment", page)


def first(context: Context, query: Mapping[str, str]) -> dict[str, Any]:
    """What the form begins with, by the keys of a sweep's file."""
    if query.get("like"):
        try:
            sweep = context.store.sweeps.get(query["like"])
            return values_of(_more_seeds(sweep.spec, query), sweep.status.name, sweep.status.workloads)
        except NotFound:
            return EXAMPLES["load"][2]
    return EXAMPLES.get(query.get("example", ""), EXAMPLES["load"])[2]


def questions() -> dict[str, Any]:
    """The question of each example, by its name in the address."""
    return {name: question for name, (_, _, question) in EXAMPLES.items()}


def _more_seeds(spec: SweepSpec, query: Mapping[str, str]) -> SweepSpec:
    """The question with as many seeds as in the address; as it is if that is no larger number, or too large."""
    text = query.get("seeds", "")
    count = int(text) if COUNT.fullmatch(text) else 0
    return with_seeds(spec, count) if count > len(spec.seeds) else spec


def head() -> html.Div:
    """Title, and the switch between the form and the file."""
    switch = tags.div(
        "st-scales",
        html.Button(
            "Form", className="st-scalebutton", **attributes({"data-sweep-mode": "form", "aria-pressed": "true"})
        ),
        html.Button(
            "TOML", className="st-scalebutton", **attributes({"data-sweep-mode": "toml", "aria-pressed": "false"})
        ),
        role="group",
        **attributes({"aria-label": "Format"}),
    )
    examples = [
        dcc.Link(title, href=f"{urls.EXPERIMENTS}/new?example={slug}", className="st-link")
        for slug, (title, _, _) in EXAMPLES.items()
    ]
    begin = tags.div("st-inline st-small", html.Span("Start from", className="st-ink3"), *examples)
    return tags.div(
        "", tags.div("st-headline", html.H1("New experiment"), html.Div(className="st-grow"), switch), begin
    )


def form(context: Context) -> html.Div:
    """Rows of the form, by the keys of the file."""
    entries = context.store.workloads.list(limit=STORED).rows
    stored = [(entry.id, entry.name) for entry in entries]
    algorithms = [(slug, slug) for slug in policies.algorithms() if "/" not in slug or slug in USUAL]
    return html.Div(
        [
            row("name", "Name", line("name", "title; does not change the results")),
            row(
                "workloads", "Workloads",
                lines("workloads", 3, "one per line: feitelson:jobs=1000"),
                chips("workloads", [(f"{name}:jobs=1000", name) for name in generators()], "generators"),
                chips("workloads", stored, "here") if stored else None,
            ),
            row("convert", "Conversions", lines("convert", 1, "one per line, in order: two_tier"),
                chips("convert", [(name, name) for name in conversions() if name != "load"], "")),
            row("loads", "Loads", line("loads", "0.5, 0.7, 0.9; empty: load unchanged")),
            row("seeds", "Seeds", line("seeds", "1-10 or 1, 2, 3: one sample per point and seed")),
            row(
                "machine", "Machine",
                html.Div([number("processors"), number("nodes"), number("cores_per_node")], className="st-form"),
            ),
            row(
                "algorithms", "Algorithms",
                lines("algorithms", 5, "one per line, with changed parameters: measy migration_cost=20,480"),
                chips("algorithms", algorithms, ""),
            ),
        ],
        className="st-sweepform",
    )  # fmt: skip


def row(name: str, title: str, *parts: Any) -> html.Div:
    """A key of the file."""
    label = html.Label(title, htmlFor=f"sweep-in-{name}", className="st-rowname st-strong")
    return tags.div("st-row", label, html.Div([part for part in parts if part is not None], className="st-rowbody"))


def line(name: str, hint: str) -> dcc.Input:
    """A line of text."""
    return dcc.Input(
        id=f"sweep-in-{name}", type="text", placeholder=hint, value="", className="st-textinput st-sweepinput"
    )


def lines(name: str, rows: int, hint: str) -> dcc.Textarea:
    """Several lines of text."""
    return dcc.Textarea(
        id=f"sweep-in-{name}",
        value="",
        rows=rows,
        placeholder=hint,
        spellCheck=False,
        className="st-sitetext st-mono",
    )


def number(name: str) -> html.Label:
    """A whole number that may be left out."""
    word = name.replace("_", " ")
    field = dcc.Input(id=f"sweep-in-{name}", type="text", value="", className="st-textinput st-sweepnumber")
    return tags.label("st-sweepnumberlabel", html.Span(word, className="st-label"), field)


def chips(target: str, entries: list[tuple[str, str]], word: str) -> html.Div:
    """Texts that a click adds to a field."""
    head = [html.Span(word, className="st-ink3 st-small")] if word else []
    buttons = [
        html.Button(
            name, className="st-addchip st-mono", **attributes({"data-sweep-add": text, "data-sweep-to": target})
        )
        for text, name in entries
    ]
    return tags.div("st-addchips", *head, *buttons)


def file() -> html.Div:
    """The same as a file."""
    return html.Div(
        dcc.Textarea(id="sweep-toml", value="", spellCheck=False, className="st-sitetext st-mono st-sweeptoml"),
        className="st-sweepfile",
    )


def aside() -> list[Any]:
    """What it comes to, and the button."""
    return [
        html.Section(
            [
                html.H2("To be queued"),
                html.Div(counts(), id="sweep-count", role="status", **attributes({"aria-live": "polite"})),
                html.Button("Queue runs", id="sweep-queue", className="st-button st-primary st-wide", disabled=True),
                visitor.note("queue a sweep"),
                html.Div(id="new-refusal"),
            ]
        ),
        html.Section(
            [
                html.Div(
                    [
                        html.H2("As a file"),
                        html.Button("Copy", className="st-link", **attributes({"data-copy-toml": "true"})),
                    ],
                    className="st-section-title",
                ),
                html.Pre("", id="sweep-as-toml", className="st-well st-command"),
                html.P(["On the command line: ", html.Code("shadowtime sweep FILE.toml")], className="st-caption"),
            ]
        ),
    ]  # fmt: skip


def counts() -> html.Dl:
    """The names of the facts, which keep the room of their values until the first answer."""
    facts = [part for name in ("runs", "points", "time") for part in (html.Dt(name), html.Dd(words.GAP))]
    return html.Dl(facts, className="st-facts")
