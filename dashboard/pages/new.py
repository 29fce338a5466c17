"""A new run: which jobs, on which machine, under which schedulers; and what is known before any of them runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dash import ALL, MATCH, Input, Output, State, dcc, html, no_update

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.components import (
    form_answers,
    fractional_form,
    linked_form,
    parameter_form,
    question_rows,
    tags,
    to_be_queued,
    workload_cards,
)
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.components.chart import source
from shadowtime.dashboard.components.empty import first_minute
from shadowtime.dashboard.components.parameter_form import by_owner
from shadowtime.dashboard.components.question import SIZES, TRACE, Form, machine
from shadowtime.dashboard.components.stated import stated_by
from shadowtime.dashboard.context import Context, Shown
from shadowtime.engine.workload.generators.generator import SEED
from shadowtime.workers.errors import NotFound

INPUTS = {
    "kind": Input("new-kind", "value"),
    "trace": Input("new-trace", "data"),
    "generator": Input("new-generator", "value"),
    "drawn": Input({"form": "generator", "of": ALL, "name": ALL}, "value"),
    "steps": Input("new-steps", "data"),
    "unit": Input("new-unit", "value"),
    "processors": Input("new-processors", "value"),
    "nodes": Input("new-nodes", "value"),
    "cores": Input("new-cores", "value"),
    "estimates": Input("new-estimates", "value"),
    "seed": Input("new-seed", "value"),
    "picked": Input({"pick": ALL}, "checked"),
    "variants": Input("new-variants", "value"),
    "parameters": Input({"form": "algorithm", "of": ALL, "name": ALL}, "value"),
    "private": Input("new-private", "checked"),
    "group": Input("new-group", "value"),
}
"""All that a question depends on."""
IDS = {
    "drawn": State({"form": "generator", "of": ALL, "name": ALL}, "id"),
    "picked": State({"pick": ALL}, "id"),
    "parameters": State({"form": "algorithm", "of": ALL, "name": ALL}, "id"),
}
"""Which inputs the values of a pattern belong to."""
FOLDS = {"opened": State({"fold": ALL}, "open"), "ids": State({"fold": ALL}, "id")}
"""Which folds of the two cards are open."""


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The form, as a link may have filled it in: with a workload, a generator, or another run's question."""
    form = linked_form.form_of(context, query)
    form = replace(form, stated=stated_by(context, form.kind, form.trace))
    rows = [
        question_rows.workload_row(form, form_answers.latest_traces(context), context.settings.max_upload),
        question_rows.conversions_row(form),
        question_rows.platform_row(form),
        question_rows.algorithms_row(form),
    ]
    title = tags.div(
        "st-headline",
        html.H1("New run"),
        html.Span("Choose jobs, a machine and schedulers; each scheduler is one run.", className="st-ink2"),
        html.Div(className="st-grow"),
        html.Button("Start afresh", id="new-afresh", className="st-button st-plain", title="Empty the form"),
    )
    is_first = not set(query) - {"form"} and not context.store.runs.list(limit=1).rows
    if is_first:
        context.prepare_example()
    first = [first_minute("See what a scheduler does")] if is_first else []
    page = tags.div(
        "st-columns st-new",
        tags.div("st-column", *first, title, *rows),
        html.Aside(
            html.Div(to_be_queued.panel(form), className="st-asidebody"),
            className="st-aside st-newaside",
        ),
        dcc.Store(id="new-trace", data=dict(form.trace) if form.trace else None),
        dcc.Store(id="new-steps", data=[dict(step) for step in form.steps]),
        dcc.Store(id="new-stated", data=dict(form.stated)),
        dcc.Store(id="new-question"),
        dcc.Store(id="new-first", data=form_answers.first_values(None)),
        dcc.Store(id="new-sent"),
        dcc.Store(id="new-kept"),
    )
    return Shown("New run", page)


callbacks = Callbacks()


@callbacks(
    output=(Output("trace-body", "children"), Output("trace-choose", "children")),
    inputs={"chosen": Input("new-trace", "data"), "folds": FOLDS},
    waits=False,
)
def trace(context: Context, chosen: Mapping[str, Any] | None, folds: Mapping[str, Any]) -> tuple[Any, str]:
    """The card of the trace, and the word on its button."""
    return form_answers.trace_card(context, chosen, open_folds(folds))


@callbacks(Output("generator-form", "children"), Input("new-generator", "value"))
def generator(_: Context, slug: str) -> Any:
    """The form of a generator."""
    return workload_cards.generator_form(slug, {})


@callbacks(
    output=(
        Output(source("generator-shape"), "data"),
        Output("generator-shape-table", "children"),
        Output("generator-words", "children"),
    ),
    inputs={
        "slug": Input("new-generator", "value"),
        "values": Input({"form": "generator", "of": ALL, "name": ALL}, "value"),
        "ids": State({"form": "generator", "of": ALL, "name": ALL}, "id"),
        "folds": FOLDS,
    },
    waits=False,
)
def drawn(
    context: Context, slug: str, values: list[Any], ids: list[dict[str, str]], folds: Mapping[str, Any]
) -> tuple[Any, ...]:
    """What the generator makes with these values."""
    return form_answers.generator_card(context, slug, by_owner(ids, values).get(slug, {}), open_folds(folds))


@callbacks(
    Output("new-stepforms", "children"), Input("new-steps", "data"), State("new-stepforms", "children"), waits=False
)
def step_forms(_: Context, known: list[dict] | None, shown: list | None) -> Any:
    """Redrawn only when steps come or go, so that a field keeps its focus while the user types."""
    return no_update if len(shown or []) == len(known or []) and shown else question_rows.step_forms(known or [])


@callbacks(
    output={
        "question": Output("new-question", "data"),
        "first": Output("new-first", "data"),
        "queue": Output("new-queue", "children"),
        "jobs": Output("new-jobs", "children"),
        "refusal": Output("new-refusal", "children"),
        "chips": Output("new-chips", "children"),
        "platform": Output("platform-words", "children"),
        "command": Output("new-command", "children"),
        "copy": Output("new-copy", "value"),
        "no_copy": Output("new-copy", "disabled"),
        "chosen": Output("new-chosen", "children"),
        "disabled": Output({"pick": ALL}, "disabled"),
        "notes": Output({"note": ALL}, "children"),
        "variants": Output("new-variants-note", "children"),
        "no_variants": Output("new-variants-box", "disabled"),
        "groups": Output({"group": ALL}, "className"),
        "lines": Output({"line": ALL}, "className"),
        "fold": Output("new-fold", "className"),
        "fold_words": Output("new-fold-words", "children"),
        "fold_adds": Output("new-fold-adds", "children"),
    },
    inputs={"values": INPUTS, "ids": IDS},
    running=[(Output("new-queue", "className"), "st-busy", "")],
    waits=False,
)
def answer(context: Context, values: dict[str, Any], ids: dict[str, list[dict[str, str]]]) -> dict[str, Any]:
    """Everything that the page shows for the current form."""
    form = read_form(values, ids)
    form = replace(form, stated=stated_by(context, form.kind, form.trace))
    return form_answers.answered(context, form, [one["pick"] for one in ids["picked"]])


@callbacks(
    output={
        "values": [Output(f"variant-{part}", "value") for part in fractional_form.CHOICES],
        "data": [Output(f"variant-{part}", "data") for part in fractional_form.CHOICES],
        "name": Output("variant-name", "children"),
        "words": Output("variant-words", "children"),
    },
    inputs={"chosen": [Input(f"variant-{part}", "value") for part in fractional_form.CHOICES]},
)
def compose(_: Context, chosen: list[str | None]) -> dict[str, Any]:
    """The name that the chosen parts make."""
    return fractional_form.composed(chosen)


@callbacks(
    Output("new-variants", "children"),
    Output("new-variants", "value"),
    Input("variant-add", "n_clicks"),
    State("variant-name", "children"),
    State("new-variants", "children"),
    State("new-variants", "value"),
)
def add_variant(_: Context, clicks: int | None, name: str, shown: list[Any], chosen: list[str] | None) -> Any:
    """Add the composed name to those that are chosen."""
    return fractional_form.added(name, shown, chosen or []) if clicks else (no_update, no_update)


@callbacks(
    Output("new-bounds", "children"),
    Input("new-question", "data"),
    running=[(Output("new-bounds", "className"), "st-busy", "")],
    waits=False,
)
def bounds(context: Context, question: dict | None) -> Any:
    """What is proven before any run."""
    return form_answers.known_bounds(context, question)


@callbacks(
    Output("new-processors", "value"),
    Input({"machine": ALL}, "n_clicks"),
    State({"machine": ALL}, "id"),
    prevent_initial_call=True,
)
def use_suggested(_: Context, clicks: list[int | None], ids: list[dict[str, int]]) -> Any:
    """The number of processors that the log had in use."""
    return ids[0]["machine"] if any(clicks) else no_update


@callbacks(
    Output("new-processors-mistake", "children"),
    Output("new-nodes-mistake", "children"),
    Output("new-cores-mistake", "children"),
    Output("new-seed-mistake", "children"),
    Input("new-processors", "value"),
    Input("new-nodes", "value"),
    Input("new-cores", "value"),
    Input("new-seed", "value"),
)
def wrong_sizes(_: Context, *values: Any) -> tuple[str, ...]:
    """What is wrong with the sizes of the machine and with the seed."""
    return tuple(parameter_form.mistake(one, value) for one, value in zip((*SIZES.values(), SEED), values, strict=True))


@callbacks(
    Output({"mistake": "generator", "of": ALL, "name": ALL}, "children"),
    Input({"form": "generator", "of": ALL, "name": ALL}, "value"),
    State({"form": "generator", "of": ALL, "name": ALL}, "id"),
    State({"mistake": "generator", "of": ALL, "name": ALL}, "id"),
)
def wrong_drawn(_: Context, values: list[Any], ids: list[dict[str, str]], places: list[dict[str, str]]) -> list[str]:
    """What is wrong with the numbers of the generator."""
    return form_answers.mistakes("generator", (), ids, values, places)


@callbacks(
    Output({"mistake": "conversion", "of": ALL, "name": ALL}, "children"),
    Input({"form": "conversion", "of": ALL, "name": ALL}, "value"),
    State({"form": "conversion", "of": ALL, "name": ALL}, "id"),
    State({"mistake": "conversion", "of": ALL, "name": ALL}, "id"),
    State("new-steps", "data"),
)
def wrong_steps(_: Context, values: list, ids: list, places: list, steps: list[dict] | None) -> list[str]:
    """What is wrong with the numbers of the conversions."""
    return form_answers.mistakes("conversion", steps or (), ids, values, places)


@callbacks(
    Output({"mistake": "algorithm", "of": ALL, "name": ALL}, "children"),
    Input({"form": "algorithm", "of": ALL, "name": ALL}, "value"),
    State({"form": "algorithm", "of": ALL, "name": ALL}, "id"),
    State({"mistake": "algorithm", "of": ALL, "name": ALL}, "id"),
)
def wrong_parameters(_: Context, values: list, ids: list, places: list) -> list[str]:
    """What is wrong with the numbers of the algorithms."""
    return form_answers.mistakes("algorithm", (), ids, values, places)


callbacks.browser(
    "changeSteps",
    Output("new-steps", "data"),
    Input({"add": ALL, "of": ALL}, "n_clicks"),
    Input({"remove": ALL}, "n_clicks"),
    Input({"form": "conversion", "of": ALL, "name": ALL}, "value"),
    State("new-steps", "data"),
    State("new-first", "data"),
)
callbacks.browser("unitOf", Output("box-processors", "className"), Input("new-unit", "value"))
callbacks.browser("queueRuns", Output("new-sent", "data"), Input("queue", "n_clicks"), State("new-question", "data"))
callbacks.browser("keepForm", Output("new-kept", "data"), *INPUTS.values(), waits=False)
callbacks.browser("startAfresh", Output("new-sent", "data", allow_duplicate=True), Input("new-afresh", "n_clicks"))
callbacks.browser("queueWanted", Output("new-sent", "data", allow_duplicate=True), Input("new-question", "data"))
callbacks.browser("chooseStored", Output("new-trace", "data"), Input({"stored": ALL}, "n_clicks"))
callbacks.browser(
    "chooseCase",
    Output("new-trace", "data", allow_duplicate=True),
    Input({"case": ALL}, "value"),
    State("new-trace", "data"),
)


@callbacks(
    Output("new-trace", "data", allow_duplicate=True),
    Input({"column": ALL}, "value"),
    Input({"unit": ALL}, "value"),
    State({"column": ALL}, "id"),
    State({"unit": ALL}, "id"),
    State("new-trace", "data"),
)
def columns(context: Context, names: list, units: list, of: list, units_of: list, trace: dict | None) -> Any:
    """The trace, read by the columns that are chosen."""
    if not trace or not of:
        return no_update
    by_field = {one["column"]: value for one, value in zip(of, names, strict=True)}
    their_units = {one["unit"]: value for one, value in zip(units_of, units, strict=True)}
    try:
        return form_answers.choose_columns(context, trace, by_field, their_units) or no_update
    except (Refusal, NotFound):
        return no_update


callbacks.browser(
    "sendAgain",
    Output("new-sent", "data", allow_duplicate=True),
    Input("new-trace", "data"),
)
callbacks.browser(
    "argumentsOf",
    Output({"part": "argument", "of": MATCH, "name": MATCH, "word": ALL}, "className"),
    Input({"form": "algorithm", "of": MATCH, "name": MATCH}, "value"),
    State({"part": "argument", "of": MATCH, "name": MATCH, "word": ALL}, "id"),
)
callbacks.browser(
    "toggle", Output({"part": "collapse", "of": MATCH}, "opened"), Input({"part": "toggle", "of": MATCH}, "n_clicks")
)


def open_folds(folds: Mapping[str, Any]) -> dict[str, bool]:
    """Whether each fold is open; without those that were not touched and have no state of their own."""
    pairs = zip(folds["ids"], folds["opened"], strict=True)
    return {one["fold"]: bool(opened) for one, opened in pairs if opened is not None}


def read_form(values: Mapping[str, Any], ids: Mapping[str, list[dict[str, str]]]) -> Form:
    """The form out of the values of its inputs; `ids`: those of the inputs behind the values of a pattern."""
    slug = values["generator"] or ""
    picked = [one["pick"] for one, checked in zip(ids["picked"], values["picked"], strict=True) if checked]
    return Form(
        kind=values["kind"] or TRACE,
        trace=values["trace"],
        generator=slug,
        drawn=by_owner(ids["drawn"], values["drawn"]).get(slug, {}),
        steps=values["steps"] or [],
        machine=machine(values["unit"], values["processors"], values["nodes"], values["cores"]),
        estimates=None if values["estimates"] == "requested" else values["estimates"],
        seed=values["seed"],
        chosen=(*picked, *(values["variants"] or ())),
        parameters=by_owner(ids["parameters"], values["parameters"]),
        private=bool(values["private"]),
        group=values["group"] or "",
    )
