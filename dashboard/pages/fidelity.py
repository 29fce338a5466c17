"""How true a simulation is: a model fitted to the first half of a stored log, tested on the second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dash import Input, Output, dcc, html, no_update

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.components import naming, tags
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.components.chart import chart
from shadowtime.dashboard.components.run_panels import definitions, section_title
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.figures import fidelity as draw
from shadowtime.dashboard.look import words
from shadowtime.dashboard.pages import unknown
from shadowtime.dashboard.serving import cache
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.errors import NotFound
from shadowtime.workers.store import WorkloadEntry
from shadowtime.workers.version import engine_version

TITLE = "How accurate is a simulation?"
LISTED = 50
ANSWER = "fidelity"
WHO = {"user": "By user", "size": "By size", "partition": "By partition"}


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The answer about a stored workload, or the list of those that are here."""
    asked = query.get("workload", "")
    if not asked:
        return Shown(TITLE, choose(context.store.workloads.list(limit=LISTED).rows))
    entry = unknown.find_workload(context, asked)
    if isinstance(entry, Shown):
        return entry
    return Shown(f"{TITLE} {naming.file_words(entry.name)}", page(entry))


def choose(entries: Sequence[WorkloadEntry]) -> html.Div:
    """The logs that may be asked about."""
    logs = [one for one in entries if one.kind == "rigid" and not one.cases]
    lines = [
        tags.tr(
            "",
            html.Td(dcc.Link(naming.file_words(one.name), href=urls.fidelity(one.id), className="st-strong")),
            html.Td(f"{one.jobs:,}", className="st-right"),
        )
        for one in logs
    ]
    heads = ["Log", html.Th("Jobs", scope="col", className="st-right")]
    listed = tags.scrolled("st-table", heads, lines) if lines else html.P("No logs yet.")
    narrow = html.Div(listed, className="st-narrow")
    return tags.div("st-column", tags.div("st-headline", html.H1(TITLE)), html.P(rule()), narrow)


def rule() -> list[Any]:
    """What the page does, and where its rules are."""
    return [
        "A few parameters of a site are fitted to the first half of a log that says when its jobs started, and tested "
        "on the second half, beside EASY. ",
        html.A("The rules, and four published logs", href=f"{urls.DOCS}explanation/fidelity/", className="st-link"),
    ]


def page(entry: WorkloadEntry) -> html.Div:
    """Where the answer comes to stand."""
    return tags.div(
        "st-column st-waits",
        tags.div("st-crumbs", dcc.Link(naming.file_words(entry.name), href=urls.workload(entry.id))),
        tags.div(
            "st-headline", html.H1(TITLE), html.Span(words.count(entry.jobs, "job"), className="st-ink2")
        ),
        html.P(rule()),
        html.Div(
            html.P("Fitting: some hundred simulations of the first half, up to half a minute.", className="st-ink2"),
            id="fidelity-answer",
            role="status",
        ),
        dcc.Store(id="fidelity-asked", data=entry.digest),
    )  # fmt: skip


callbacks = Callbacks()


@callbacks(Output("fidelity-answer", "children"), Input("fidelity-asked", "data"), waits=False)
def answer(context: Context, asked: str | None) -> Any:
    """The answer, computed in a process of the intake and kept."""
    if not asked:
        return no_update
    try:
        entry = context.store.workloads.get(asked)
        what = f"{ANSWER}-{engine_version()}"  # another engine may answer otherwise
        found = cache.remembered(
            context.cache, entry.digest, what, lambda: context.intake.ask("fidelity", workload=entry.digest)
        )
    except Refusal as refusal:
        return html.P(refusal.sentence)
    except NotFound:
        return html.P("This workload was deleted.")
    return panels(found)


def panels(found: Mapping[str, Any]) -> list[Any]:
    """Verdict, figures, fit and who is mispredicted."""
    said = found["said"]
    title = said["title"]
    return [
        tags.p("st-likeness st-strong", said["verdict"]),
        html.P(said["halves"]),
        tags.section("st-block", section_title("Second half"), table(("", "Recorded", "EASY", title), said["rows"]),
                     definitions("wait", "mean_wait", "rank_correlation", "busy_share")),
        tags.section(
            "st-block",
            section_title("Waits", "quantiles: the same share of the jobs waits at most so long"),
            chart(
                "fidelity-waits",
                draw.quantiles(found["quantiles"], title),
                "Quantiles of simulated waits over those of recorded waits; the figures are in the table above",
                draw.HEIGHT,
            ),
        ),
        *days(found, title),
        tags.section("st-block", section_title("What was fitted"), *fitted(found)),
        *[
            tags.section(
                "st-block", section_title(WHO[way], "largest sums of errors of the waits"), table(head, lines)
            )
            for way, (head, *lines) in said["missed"].items()
        ],
    ]  # fmt: skip


def fitted(found: Mapping[str, Any]) -> list[Any]:
    """What the search changed, with the distance after each change."""
    first, *_ = found["said"]["fitted"]
    if not found["fit"] or not found["fit"]["steps"]:
        return [html.P(first)]
    begin = ("EASY", words.number(found["fit"]["distance_easy"]))
    steps = [(one["said"], words.number(one["distance"])) for one in found["fit"]["steps"]]
    note = (
        f"{words.count(found['fit']['simulations'], 'simulation')} of the first half; the distance is |ln| + 1 − rank "
    )
    lacking = [html.P(f"The algorithm does not simulate {what}.") for what in found["not_simulated"]]
    return [html.P(f"{note}correlation."), table(("Change", "Distance"), [begin, *steps]), *lacking]


def days(found: Mapping[str, Any], title: str) -> list[Any]:
    """Utilization per day, where there are days."""
    if not found["days"] or len(found["days"]["recorded"]) < 2:
        return []
    return [
        tags.section(
            "st-block",
            section_title("Utilization per day"),
            chart(
                "fidelity-days",
                draw.daily(found["days"], title),
                "Share of the machine in use on each day, recorded and simulated",
                draw.DAILY_HEIGHT,
            ),
        )
    ]


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> Any:
    """Rows of text; all columns but the first are figures."""
    rows = [
        tags.tr("", html.Td(first.strip()), *[html.Td(cell, className="st-right") for cell in cells])
        for first, *cells in lines
    ]
    first, *figures = (name[:1].upper() + name[1:] for name in head)
    heads = [first, *[html.Th(name, scope="col", className="st-right") for name in figures]]
    return html.Div(tags.scrolled("st-table st-table-dense", heads, rows), className="st-narrow")
