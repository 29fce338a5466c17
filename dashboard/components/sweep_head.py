"""The head and the side of a sweep's page: state, actions, question and files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import dcc, html

from shadowtime.dashboard.components import notices, sweep_answers, tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.states import AT, pill, ring
from shadowtime.dashboard.components.sweep_view import SweepView
from shadowtime.dashboard.look import words
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.records.sweeps import UNFINISHED
from shadowtime.workers.sweeps import report

MARKS = {"running": "loader-2", "paused": "player-pause", "finished": "circle-check", "cancelled": "ban"}
LINKED = 3
"""Most links to failed runs beside a reason."""


def standing(view: SweepView) -> Mapping[str, Any]:
    """What changes while it goes on, as in the API."""
    return sweep_answers.standing(view.context.store, view.context.queue, view.sweep, view.outcomes)


def state_pill(now: Mapping[str, Any]) -> html.Span:
    """`Running · 62 % · about 40 s left`."""
    state, fraction = now["status"], now["progress"]["fraction"]
    said = [state.capitalize()]
    if state in ("running", "paused", "cancelled") and fraction < 1:
        said.append(f"{int(100 * fraction)}{words.GAP}%")
    left = now["progress"]["seconds_left"]
    if state == "running" and left and now["finished"] + now["failed"]:
        said.append(f"about {words.seconds_about(left)} left")
    mark = ring(fraction) if state == "running" and fraction else icon(MARKS[state])
    kind = {"paused": "queued"}.get(state, state)
    if state == "finished" and now["failed"]:
        kind, said = "failed", [f"Finished, {words.count(now['failed'], 'run')} failed"]
    elif state == "finished" and now["pending"]:
        kind, said = "failed", [f"Finished, {words.count(now['pending'], 'run')} damaged"]
    return pill(kind, mark, " · ".join(said))


def progress(now: Mapping[str, Any]) -> html.Div:
    """The bar and its words."""
    done, total = now["finished"] + now["failed"], now["runs_total"]
    parts = [html.Span(f"{now['finished']:,} of {words.count(total, 'run')} finished")]
    if now["failed"]:
        parts.append(html.Span(f"{now['failed']:,} failed", className="st-bad"))
    if now["pending"] and now["status"] == "finished":
        parts.append(html.Span(f"{now['pending']:,} damaged, left out of all figures", className="st-bad"))
    if now["status"] == "running" and not done:
        parts.append(html.Span("no run has ended yet", className="st-ink3"))
    bar = html.Div(html.Div(style={"width": f"{100 * done / total:.2f}%"}), className="st-sweepbar")
    return tags.div("", bar, html.Div(parts, className="st-sweepcounts"), role="status")


def actions(now: Mapping[str, Any]) -> list[html.Button]:
    """What may be done with it in this state."""
    offers = {
        "running": [("pause", "Pause"), ("cancel", "Cancel")],
        "paused": [("resume", "Resume"), ("cancel", "Cancel")],
        "cancelled": [("resume", "Resume"), ("delete", "Delete")],
        "finished": [("delete", "Delete")],
    }[now["status"]]
    if now["failed"] and now["status"] != "cancelled":
        offers = [("retry", f"Retry {words.count(now['failed'], 'failed run')}"), *offers]
    elif now["pending"] and now["status"] == "finished":
        offers = [("retry", f"Recompute {words.count(now['pending'], 'damaged run')}"), *offers]
    acts = [
        html.Button(word, className="st-button", **attributes({"data-sweep-act": act, "data-sweep-id": now["id"]}))
        for act, word in offers
    ]
    return [*([notices.notify("sweep", now["id"])] if now["status"] in UNFINISHED else []), *acts]


def reasons(view: SweepView) -> html.Details | None:
    """Why runs failed: each sentence once."""
    found = report.reasons(view.outcomes)
    if not found:
        return None
    lines = [_reason(view, one) for one in found[:20]]
    title = f"Why {words.count(sum(one['runs'] for one in found), 'run')} failed"
    return tags.details("st-reasons", html.Summary(title), html.Ul(lines), open=True)


def _reason(view: SweepView, one: Mapping[str, Any]) -> html.Li:
    """A reason, with the algorithms of its runs and links to some of them."""
    variants = dict.fromkeys(index % len(view.spec.variants) for index in one["first"])
    names = ", ".join(view.variant_names[variant] for variant in variants)
    who = f"{words.count(one['runs'], 'run')} of {names}"
    at = AT.match(one["error"])
    where = f" at {words.duration(float(at[1]))}" if at else ""
    runs = [str(run) for index in one["first"][:LINKED] if (run := view.outcomes.run[index])]
    links = [part for run in runs for part in (" ", html.A(run, href=urls.run(run), className="st-mono"))]
    return tags.li("", html.Span(who, className="st-strong"), f"{where}: {AT.sub('', one['error'])}", *links)


def asked(view: SweepView) -> list[Any]:
    """The question in the side panel."""
    spec, names = view.spec, view.grid
    seeds, workloads, loads, variants = spec.shape
    grid = [(seeds, "seed"), (workloads, "workload"), (variants, "variant")]
    grid += [(loads, "load")] if spec.loads else []
    facts = [
        ("runs", f"{len(spec):,}: " + " × ".join(words.count(n, word) for n, word in grid)),
        ("workloads", ", ".join(names["workloads"])),
        ("convert", ", ".join(one["name"] for one in spec.conversions)),
        ("loads", ", ".join(f"{load:g}" for load in spec.loads)),
        ("machine", ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in spec.platform.items())),
        ("engine", spec.engine_version),
        ("notices", "" if view.sweep.status.is_unfinished else notices.listed("sweep", view.sweep.id)),
    ]
    return [
        html.Dl([part for name, text in facts if text for part in (html.Dt(name), html.Dd(text))], className="st-facts")
    ]


def files(view: SweepView) -> html.Div:
    """The sweep and its results as files and as a command."""
    base = f"/api/sweeps/{view.sweep.id}"
    links = [("Runs CSV", "runs.csv"), ("Runs Parquet", "runs.parquet"), ("Points CSV", "points.csv"),
             ("Points Parquet", "points.parquet")]  # fmt: skip
    command = f"curl -O {{host}}{base}.toml && shadowtime sweep {view.sweep.id}.toml"
    return tags.div(
        "st-sweepfiles",
        *(html.A(word, href=f"{base}/{name}", className="st-link") for word, name in links),
        html.A("Configuration as TOML", href=f"{base}.toml", className="st-link"),
        html.Button("Copy as a command", className="st-link", **attributes({"data-copy-command": command})),
        html.Button("Copy the link", className="st-link", **attributes({"data-copy-link": "true"})),
        dcc.Link("Copy to a new experiment", href=f"{urls.EXPERIMENTS}/new?like={view.sweep.id}", className="st-link"),
    )
