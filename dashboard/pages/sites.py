"""A site of machines that differ: two tables to paste, their facts, files in and out, and a workload of its jobs.

The page itself is empty; `assets/pages/sites/sites.js` requests from `POST /api/sites` every form of
what stands in it.
"""

from __future__ import annotations

from collections.abc import Mapping

from dash import dcc, html

from shadowtime.dashboard.components import tags, visitor
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.sharing import urls

JOBS = 20
TABLES = (
    ("machines", "Machines", "machine, class, cluster; a machine of two clusters has two rows"),
    ("experience", "Experience", "job_class, resource, mean, sd, count; resource is a machine, a class or a cluster"),
)
SAMPLES = (("bench3", "three machines"), ("site142", "142 machines"))


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The editor with the site of a workload or a sample in it; the small sample where nothing is named."""
    named = {name: query[name][:80] for name in ("workload", "sample") if query.get(name)} or {"sample": SAMPLES[0][0]}
    kind, first = next(iter(named.items()))
    title = tags.div(
        "st-headline",
        html.H1("Site"),
        html.Span("Which machines, in which clusters, and how long each class of job takes", className="st-ink2"),
    )
    page = tags.div(
        "st-columns st-site",
        tags.div("st-column", title, files(), *map(table, TABLES), said()),
        html.Aside(html.Div(aside(), className="st-asidebody"), className="st-aside"),
        id="site-editor",
        **attributes({"data-first": kind, "data-name": first}),
    )
    return Shown("Site", page)


def files() -> html.Div:
    """Ways in and out."""
    samples = [
        html.Button(word, className="st-link", **attributes({"data-site-sample": slug})) for slug, word in SAMPLES
    ]
    return tags.div(
        "st-inline st-sitefiles",
        tags.button("st-button", icon("upload"), "Import JSON or CSV", **attributes({"data-site": "import"})),
        *(
            tags.button("st-button", icon("download"), word, **attributes({"data-site-export": name}))
            for name, word in (("site", "JSON"), ("machines", "Machines"), ("experience", "Experience"))
        ),
        tags.span("st-small st-ink2", "or begin with ", samples[0], " or ", samples[1]),
    )


def table(entry: tuple[str, str, str]) -> html.Div:
    """One of the two tables as text: what a spreadsheet copies can be pasted over it."""
    name, title, hint = entry
    return html.Div(
        [
            html.Div([html.Label(title, htmlFor=f"site-{name}", className="st-strong"),
                      html.Span(hint, className="st-small st-ink3")], className="st-sitehead"),
            dcc.Textarea(id=f"site-{name}", value="", spellCheck=False, className="st-sitetext st-mono"),
        ],
        className="st-sitetable",
    )  # fmt: skip


def said() -> html.Section:
    """What the tables hold: least time of each job class by class of machine and by cluster."""
    return html.Section(
        [
            html.Div([html.H2("Least times"), html.Span("mean seconds; empty = not allowed there",
                                                        className="st-small st-ink3")], className="st-sitehead"),
            html.Div(id="site-times", className="st-scroll"),
        ],
        className="st-sitesaid",
    )  # fmt: skip


def aside() -> list:
    """How it was read, and the workload that is made of it."""
    name = dcc.Input(id="site-name", value="my site", maxLength=60, debounce=False, className="st-textinput")
    jobs = dcc.Input(id="site-jobs", type="text", value=str(JOBS), inputMode="numeric", className="st-textinput")
    return [
        html.Section([html.H2("How it is read"), html.Div(id="site-said", role="status")]),
        html.Section(
            [
                html.H2("A workload from it"),
                html.Label(["Name", name], className="st-sitefield"),
                html.Label(["Jobs", jobs], className="st-sitefield"),
                html.P("Class after class, all at second 0.", className="st-small st-ink3"),
                html.Button(
                    f"Store {JOBS} jobs", id="site-store", className="st-button st-primary st-wide", disabled=True
                ),
                visitor.note("store them"),
                html.Div(id="site-refusal"),
                html.P(
                    ["Arrivals, priorities and random times: the generator ",
                     dcc.Link("Job classes", href=urls.new(generator="classed"), className="st-link"), "."],
                    className="st-small st-ink3",
                ),
            ]
        ),
    ]  # fmt: skip
