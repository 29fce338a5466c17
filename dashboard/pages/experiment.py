"""One sweep: how far it is, its figures while it goes on, and the runs behind every point."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import Input, Output, State, dcc, html, no_update

from shadowtime.dashboard.components import results, sweep_figures, sweep_head, sweep_tables, tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.components.sweep_view import RATIO, Choice, SweepView, metric_text
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.pages import unknown
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.errors import NotFound

PLACE = re.compile(r"\d{1,9}", re.ASCII)
"""Of a variant, in an address."""
TICK = 2
"""Seconds between looks at a sweep that goes on."""


def layout(context: Context, sweep_id: str, query: Mapping[str, str]) -> Shown:
    """The page of a sweep; what to do where there is none."""
    try:
        view = SweepView(context, sweep_id)
    except NotFound:
        text = ["There is no experiment ", html.Span(sweep_id[:64], className="st-mono"), " here."]
        back = [dcc.Link("All experiments", href=urls.EXPERIMENTS, className="st-button")]
        return Shown("Experiment not found", unknown.message("Experiment not found", text, back), "unknown")
    return Shown(view.title, page(view, query))


def page(view: SweepView, query: Mapping[str, str]) -> html.Div:
    """Figures on the left, the question and the runs of a point on the right."""
    choice, show = chosen(view, query)
    now = sweep_head.standing(view)
    many = len(view.spec.variants) > 1
    return html.Div(
        [
            html.Div(
                [
                    html.Div(dcc.Link("Experiments", href=urls.EXPERIMENTS), className="st-small st-crumb"),
                    html.Div(head(view, now), id="sweep-head"),
                    html.Div(id="live-notice", role="status"),
                    controls(view, choice, show),
                    html.Div(sweep_figures.figure(view, choice, show), id="sweep-figure"),
                    html.Div(limits(view, choice, show), id="sweep-warnings"),
                    html.Section([html.H2("Two of them on the same instances"), against(view),
                                  html.Div(pair(view, choice, 0, 1), id="sweep-pair")], className="st-sweeppair")
                    if many else html.Div(id="sweep-pair"),
                ],
                className="st-column",
            ),
            html.Aside(
                html.Div(
                    [
                        html.Section([html.H2("Configuration"), *sweep_head.asked(view), sweep_head.files(view)]),
                        html.Section(id="sweep-behind", **attributes({"aria-live": "polite"})),
                    ],
                    className="st-asidebody",
                ),
                className="st-aside",
            ),
            dcc.Store(id="sweep-id", data=view.sweep.id),
            dcc.Store(id="sweep-point"),
            dcc.Store(id="sweep-written"),
            dcc.Store(id="sweep-seen", data=seen(view)),
            dcc.Interval(id="sweep-tick", interval=1000 * TICK, disabled=not view.sweep.status.is_unfinished),
        ],
        className="st-columns st-sweep",
    )  # fmt: skip


def head(view: SweepView, now: Mapping[str, Any]) -> list[Any]:
    """Title, state, actions, progress and what went wrong."""
    title = tags.div(
        "st-headline",
        html.H1(view.title),
        html.Span(sweep_head.state_pill(now), id="sweep-state", className="st-standing"),
        html.Div(className="st-grow"),
        html.Div(sweep_head.actions(now), className="st-actions"),
    )
    return [title, html.Div(sweep_head.progress(now), id="sweep-progress"), sweep_head.reasons(view)]


def controls(view: SweepView, choice: Choice, show: str) -> html.Div:
    """What the figure shows."""
    titles = [(name, results.titled(name)) for name in view.metric_names or [choice.metric]]
    axes = [(name, sweep_figures.axis_word(name)) for name in view.axes]
    scales = [("value", "values"), (RATIO, "At most × optimal")]
    fields = [
        select("sweep-metric", choice.metric, titles, 230, label="Metric", searchable=True),
        select("sweep-axis", choice.axis, axes, 150, label="Against"),
        select("sweep-scale", choice.scale or "value", scales, 160, label="As"),
    ]
    variants = dmc.MultiSelect(
        id="sweep-variants",
        label="Algorithms",
        value=[str(n) for n in choice.variants],
        data=[{"value": str(n), "label": name} for n, name in enumerate(view.variant_names)],
        searchable=True,
        maxDropdownHeight=360,
        className="st-sweepvariants",
    )
    kinds = dmc.SegmentedControl(
        id="sweep-show",
        value=show,
        data=[{"value": name, "label": word} for name, word in sweep_figures.SHOWS],
        size="sm",
    )
    return tags.div(
        "st-sweepcontrols",
        tags.div("st-form", *fields, variants),
        tags.div(
            "st-inline",
            kinds,
            html.Span(metric_text(choice.metric), id="sweep-said", className="st-small st-ink2"),
            html.Button(
                "SVG",
                className="st-link",
                title="The panels as one picture",
                **attributes({"data-sweep-file": "svg"}),
            ),
            html.Button("PNG", className="st-link", **attributes({"data-sweep-file": "png"})),
        ),
    )


def limits(view: SweepView, choice: Choice, show: str) -> list[Any]:
    """The limits of the statistics of a figure; a ranking states its own."""
    return [] if show == "ranking" else sweep_tables.warnings(view, choice.metric)


def against(view: SweepView) -> html.Div:
    """Which two are held against each other."""
    names = [(str(n), name) for n, name in enumerate(view.variant_names)]
    one, other = (
        select(f"sweep-{side}", str(at), names, 230, searchable=True, attributes={"input": {"aria-label": word}})
        for at, (side, word) in enumerate((("a", "One"), ("b", "The other")))
    )
    return tags.div("st-inline", one, html.Span("against", className="st-ink2"), other)


def select(identity: str, value: str, entries: Sequence[tuple[str, str]], width: int, **more: Any) -> dmc.Select:
    """One of some entries, each a value and its words."""
    data = [{"value": known, "label": word} for known, word in entries]
    return dmc.Select(id=identity, value=value, data=data, allowDeselect=False, w=width, **more)


def pair(view: SweepView, choice: Choice, a: int, b: int) -> list[Any]:
    """Nothing where there is only one."""
    return sweep_tables.paired(view, choice, a, b) if a != b else [html.P("Choose two.", className="st-ink2")]


def chosen(view: SweepView, query: Mapping[str, str]) -> tuple[Choice, str]:
    """The choice in an address; what is missing or wrong there is the default."""
    metric = query.get("metric", "")
    axis = query.get("against", "")
    variants = [int(text) for text in query.get("variants", "").split(",") if PLACE.fullmatch(text)]
    show = query.get("show", "")
    return Choice(
        metric if metric in view.metric_names else view.headline,
        axis if axis in view.axes else view.axes[0],
        view.variants(variants[:64]),
        RATIO if query.get("as") == RATIO else "",
    ), show if show in dict(sweep_figures.SHOWS) else sweep_figures.SHOWS[0][0]


STATUS, ROUND, FINISHED, FAILED = range(4)
"""Places of the values in `seen`."""
OFFERED = (STATUS, ROUND, FAILED)
"""What the buttons of the head and the reasons in it depend on."""


def seen(view: SweepView) -> list[Any]:
    """Changes whenever the figures do."""
    return [view.sweep.status.status, view.sweep.status.round, view.counts["finished"], view.counts["failed"]]


callbacks = Callbacks()


@callbacks(
    Output("sweep-head", "children"),
    Output("sweep-state", "children"),
    Output("sweep-progress", "children"),
    Output("sweep-seen", "data"),
    Output("sweep-tick", "disabled"),
    Output("sweep-metric", "data"),
    Output("sweep-figure", "children", allow_duplicate=True),
    Input("sweep-tick", "n_intervals"),
    Input("sweep-written", "data"),
    State("sweep-id", "data"),
    State("sweep-seen", "data"),
)
def follow(context: Context, _: Any, __: Any, sweep_id: str, known: Sequence[Any]) -> tuple[Any, ...]:
    """Return the head, or its state and progress alone where its buttons stay as they are; how much has finished (it
    redraws the figures), whether the sweep is over, the metrics, and a sentence in place of the first figure.

    Where a head is replaced, its buttons lose the focus, and a click that has begun is lost.
    """
    try:
        view = SweepView(context, sweep_id)
    except NotFound:
        return no_update, no_update, no_update, no_update, True, no_update, no_update
    now = seen(view)
    is_first = now[FINISHED] and not known[FINISHED]
    figure = html.P(sweep_figures.DRAWN_NOW, className="st-nothing") if is_first else no_update
    names = [{"value": name, "label": results.titled(name)} for name in view.metric_names or [view.headline]]
    is_over = not view.sweep.status.is_unfinished
    standing = sweep_head.standing(view)
    if all(now[place] == known[place] for place in OFFERED):
        top: tuple[Any, ...] = no_update, sweep_head.state_pill(standing), sweep_head.progress(standing)
    else:
        top = head(view, standing), no_update, no_update
    return *top, no_update if now == known else now, is_over, names, figure


@callbacks(
    Output("sweep-figure", "children"),
    Output("sweep-warnings", "children"),
    Output("sweep-said", "children"),
    Input("sweep-metric", "value"),
    Input("sweep-axis", "value"),
    Input("sweep-scale", "value"),
    Input("sweep-variants", "value"),
    Input("sweep-show", "value"),
    Input("sweep-seen", "data"),
    State("sweep-id", "data"),
)
def draw(
    context: Context, metric: str, axis: str, scale: str, variants: list[str], show: str, _: Any, sweep_id: str
) -> tuple[Any, ...]:
    """The figure of the chosen metric, its warnings, and what the metric is."""
    try:
        view = SweepView(context, sweep_id)
    except NotFound:
        return (no_update,) * 3
    choice, show = chosen(view, as_query(metric, axis, scale, variants, show))
    note = sweep_figures.shown_note(view, choice)
    return (
        sweep_figures.figure(view, choice, show),
        limits(view, choice, show),
        " ".join(filter(None, [metric_text(choice.metric), note])),
    )


@callbacks(
    Output("sweep-pair", "children"),
    Input("sweep-a", "value"),
    Input("sweep-b", "value"),
    Input("sweep-metric", "value"),
    Input("sweep-seen", "data"),
    State("sweep-id", "data"),
)
def compare(context: Context, a: str, b: str, metric: str, _: Any, sweep_id: str) -> Any:
    """Two algorithms on the same instances."""
    try:
        view = SweepView(context, sweep_id)
    except NotFound:
        return no_update
    choice, _show = chosen(view, {"metric": metric})
    places = [int(text) for text in (a, b) if PLACE.fullmatch(text) and int(text) < len(view.spec.variants)]
    return pair(view, choice, *places) if len(places) == 2 else no_update


@callbacks(
    Output("sweep-behind", "children"),
    Input("sweep-point", "data"),
    State("sweep-id", "data"),
)
def open_point(context: Context, point: Any, sweep_id: str) -> Any:
    """The runs behind a point of the figure."""
    try:
        return sweep_tables.behind(SweepView(context, sweep_id), int(point)) if point is not None else []
    except NotFound:
        return no_update


callbacks.browser(
    "writeSweep",
    Output("sweep-point", "data", allow_duplicate=True),
    Input("sweep-metric", "value"),
    Input("sweep-axis", "value"),
    Input("sweep-scale", "value"),
    Input("sweep-variants", "value"),
    Input("sweep-show", "value"),
)


def as_query(metric: str, axis: str, scale: str, variants: Sequence[str], show: str) -> dict[str, str]:
    """What stands in the controls, as in an address."""
    return {"metric": metric, "against": axis, "as": scale, "variants": ",".join(variants or []), "show": show}
