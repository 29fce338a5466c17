"""A new run: which jobs, on which machine, under which schedulers; and what is known before any of them runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dash import ALL, MATCH, ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from dashboard.components import asking, naming, question_rows, to_be_queued
from dashboard.components.chart import as_table, plain, source
from dashboard.components.parameter_form import by_owner, shown
from dashboard.components.preview import generated, weeks
from dashboard.components.question import GENERATOR, TRACE, Form, initial, machine
from dashboard.context import Context, Shown
from dashboard.figures import shape
from dashboard.refusal import Refusal
from engine import policies
from engine.errors import QuestionError
from workers.errors import NotFound
from workers.store import WorkloadEntry

LATEST, LOOKED_AT = 4, 40
"""Stored files that the empty card offers, of so many latest workloads."""

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
    "parameters": Input({"form": "algorithm", "of": ALL, "name": ALL}, "value"),
}
"""All that a question depends on."""


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The form, as a link may have filled it in: with a workload, a generator, or another run's question."""
    form = form_of(context, query)
    rows = [
        question_rows.workload_row(form, latest_traces(context), context.settings.max_upload),
        question_rows.conversions_row(form),
        question_rows.platform_row(form),
        question_rows.algorithms_row(form),
    ]
    title = html.Div(
        [html.H1("New run"), html.Span("Which jobs, on which machine, under which schedulers?", className="st-ink2")],
        className="st-headline",
    )
    page = html.Div(
        [
            html.Div([title, *rows], className="st-column"),
            html.Aside(html.Div(to_be_queued.panel(), className="st-asidebody"), className="st-aside st-newaside"),
            dcc.Store(id="new-trace", data=dict(form.trace) if form.trace else None),
            dcc.Store(id="new-steps", data=[dict(step) for step in form.steps]),
            dcc.Store(id="new-question"),
            dcc.Store(id="new-looks"),
            dcc.Store(id="new-sent"),
        ],
        className="st-columns st-new",
    )
    return Shown("New run", page)


def latest_traces(context: Context) -> list[WorkloadEntry]:
    """The latest files that were sent."""
    latest = context.store.workloads.list(limit=LOOKED_AT).rows
    return [entry for entry in latest if "digest" in entry.source][:LATEST]


def form_of(context: Context, query: Mapping[str, str]) -> Form:
    """What a link says of the form."""
    try:
        if query.get("run"):
            return form_of_run(context, query["run"])
        if query.get("workload"):
            entry = context.store.workloads.get(query["workload"])
            return Form(trace={"id": entry.id, "name": entry.name, "case": query.get("case")}, chosen=("fcfs", "easy"))
    except NotFound:
        return Form(chosen=("fcfs", "easy"))
    kind = GENERATOR if query.get("generator") else TRACE
    return Form(kind=kind, generator=query.get("generator", ""), chosen=("fcfs", "easy"))


def form_of_run(context: Context, run_id: str) -> Form:
    """The question of a run, to be changed."""
    spec = context.store.runs.get(run_id).spec
    said = spec.workload
    jobs: dict[str, Any] = {"kind": GENERATOR, "generator": said.get("generator", "")}
    if "digest" in said:
        entry = context.store.workloads.get(said["digest"])
        jobs = {"trace": {"id": entry.id, "name": entry.name, "case": said.get("case")}}
    else:
        jobs["drawn"] = {**said["parameters"], "seed": said["seed"]}
    known = spec.algorithm in policies.algorithms()
    return Form(
        **jobs,
        steps=[dict(step) for step in spec.conversions],
        machine=dict(spec.platform),
        estimates=spec.estimates,
        seed=spec.seed,
        chosen=(spec.algorithm,) if known else (),
        parameters={spec.algorithm: dict(spec.parameters)},
    )


def register(app: Dash, context: Context) -> None:
    """Cards, steps, and the question that they make."""

    @app.callback(
        Output("trace-body", "children"),
        Output("trace-choose", "children"),
        Input("new-trace", "data"),
        Input("new-kind", "value"),
    )
    def trace(chosen: Mapping[str, Any] | None, kind: str) -> tuple[Any, str]:
        return trace_card(context, chosen, "accent" if kind == TRACE else "bar")

    @app.callback(Output("generator-form", "children"), Input("new-generator", "value"), prevent_initial_call=True)
    def generator(slug: str) -> Any:
        return question_rows.generator_form(slug, {})

    @app.callback(
        Output(source("generator-shape"), "data"),
        Output("generator-shape-table", "children"),
        Output("generator-words", "children"),
        Input("new-generator", "value"),
        Input({"form": "generator", "of": ALL, "name": ALL}, "value"),
        Input("new-kind", "value"),
    )
    def drawn(slug: str, _: Any, kind: str) -> tuple[Any, ...]:
        return generator_card(context, slug, by_owner(ctx.inputs_list[1]).get(slug, {}), kind)

    @app.callback(
        Output("new-steps", "data"),
        Input({"add": ALL, "of": ALL}, "n_clicks"),
        Input({"remove": ALL}, "n_clicks"),
        Input({"form": "conversion", "of": ALL, "name": ALL}, "value"),
        State("new-steps", "data"),
        State("new-looks", "data"),
        prevent_initial_call=True,
    )
    def steps(_: Any, __: Any, ___: Any, known: list[dict] | None, looks: dict | None) -> Any:
        return changed_steps(
            ctx.triggered_id, ctx.triggered[0]["value"], known or [], by_owner(ctx.inputs_list[2]), looks
        )

    @app.callback(Output("new-stepforms", "children"), Input("new-steps", "data"), State("new-stepforms", "children"))
    def step_forms(known: list[dict] | None, shown: list | None) -> Any:
        """Drawn anew only when steps come or go: who types in one must not lose it."""
        return no_update if len(shown or []) == len(known or []) and shown else question_rows.step_forms(known or [])

    @app.callback(
        output={
            "question": Output("new-question", "data"),
            "looks": Output("new-looks", "data"),
            "queue": Output("new-queue", "children"),
            "jobs": Output("new-jobs", "children"),
            "refusal": Output("new-refusal", "children"),
            "chips": Output("new-chips", "children"),
            "platform": Output("platform-words", "children"),
            "command": Output("new-command", "children"),
            "copy": Output("new-copy", "value"),
            "chosen": Output("new-chosen", "children"),
            "disabled": Output({"pick": ALL}, "disabled"),
            "notes": Output({"note": ALL}, "children"),
        },
        inputs={"values": INPUTS},
        running=[(Output("new-queue", "className"), "st-busy", "")],
    )
    def answer(values: dict[str, Any]) -> dict[str, Any]:
        given = {entry["id"]["pick"]: entry.get("value") for entry in ctx.args_grouping["values"]["picked"]}
        form = read_form(values, given, grouped("drawn"), grouped("parameters"))
        return answered(context, form, list(given))

    @app.callback(
        Output("new-bounds", "children"),
        Input("new-question", "data"),
        running=[(Output("new-bounds", "className"), "st-busy", "")],
    )
    def bounds(question: dict | None) -> Any:
        return known_bounds(context, question)

    @app.callback(
        Output({"form": "algorithm", "of": MATCH, "name": ALL}, "value"),
        Input({"part": "reset", "of": MATCH}, "n_clicks"),
        prevent_initial_call=True,
    )
    def reset(clicks: int | None) -> Any:
        return defaults([entry["id"] for entry in ctx.outputs_list]) if clicks else no_update

    for function, output, given in (
        ("unitOf", Output("box-processors", "className"), [Input("new-unit", "value")]),
        ("queueRuns", Output("new-sent", "data"), [Input("queue", "n_clicks"), State("new-question", "data")]),
        ("chooseStored", Output("new-trace", "data"), [Input({"stored": ALL}, "n_clicks")]),
        (
            "chooseCase",
            Output("new-trace", "data", allow_duplicate=True),
            [Input({"case": ALL}, "value"), State("new-trace", "data")],
        ),
        (
            "toggle",
            Output({"part": "collapse", "of": MATCH}, "opened"),
            [Input({"part": "toggle", "of": MATCH}, "n_clicks")],
        ),
    ):
        app.clientside_callback(ClientsideFunction("shadowtime", function), output, *given, prevent_initial_call=True)


def grouped(name: str) -> dict[str, dict[str, Any]]:
    """Values of a pattern's inputs by owner, of the callback that runs now."""
    return by_owner(ctx.args_grouping["values"][name])


def read_form(
    values: Mapping[str, Any], picked: Mapping[str, Any], drawn: Mapping[str, Any], parameters: Mapping[str, Any]
) -> Form:
    """The form out of the values of its inputs."""
    slug = values["generator"] or ""
    return Form(
        kind=values["kind"] or TRACE,
        trace=values["trace"],
        generator=slug,
        drawn=drawn.get(slug, {}),
        steps=values["steps"] or [],
        machine=machine(values["unit"], values["processors"], values["nodes"], values["cores"]),
        estimates=None if values["estimates"] == "requested" else values["estimates"],
        seed=int(values["seed"] or 0),
        chosen=tuple(name for name, checked in picked.items() if checked),
        parameters=parameters,
    )


def defaults(inputs: Sequence[Mapping[str, str]]) -> list[Any]:
    """The paper's values for the inputs of an algorithm's form, given by their ids."""
    values = []
    for identity in inputs:
        known = {parameter.name: parameter for parameter in policies.find(identity["of"]).parameters}
        values.append(shown(known[identity["name"]], None))
    return values


def trace_card(context: Context, chosen: Mapping[str, Any] | None, colour: str = "accent") -> tuple[Any, str]:
    """The card's body and the word on its button."""
    latest = latest_traces(context)
    if not chosen or not chosen.get("id"):
        return question_rows.no_trace(latest, context.settings.max_upload), "Choose a file"
    try:
        entry = context.store.workloads.get(chosen["id"])
        case = chosen.get("case") or (entry.cases[0] if entry.cases else None)
        looks = asking.preview(context, f"{entry.digest}#{case}" if case else entry.digest)
    except (Refusal, NotFound) as refusal:
        again = question_rows.no_trace(latest, context.settings.max_upload)
        return [to_be_queued.refused(str(refusal)), *again], "Choose a file"
    return question_rows.read_trace(entry, case, looks, chosen.get("size"), colour), "Replace or drop another"


def generator_card(context: Context, slug: str, values: Mapping[str, Any], kind: str) -> tuple[Any, ...]:
    """What this seed makes: figure, table, words."""
    form = Form(kind=GENERATOR, generator=slug, drawn=values)
    try:
        looks = asking.ask(context, {**form.workload(), "bounds": False})["workload"]
    except (Refusal, QuestionError) as refusal:
        return None, None, html.Span(to_be_queued.sentence(str(refusal)), className="st-bad")
    colour = "accent" if kind == GENERATOR else "bar"
    figure = plain(shape.figure(looks, colour))
    table = as_table(["What", "Range", "Jobs"], shape.rows(looks))
    return figure, table, f"Preview of what this seed makes: {generated(looks)}"


def changed_steps(
    what: Any, value: Any, steps: list[dict], forms: Mapping[str, Mapping[str, Any]], looks: Mapping[str, Any] | None
) -> Any:
    """The conversions after something was added, removed or set."""
    if not isinstance(what, Mapping):
        return no_update
    if "add" in what:
        span = weeks(looks) if looks else None
        return [*steps, {"name": what["add"], "parameters": initial(what["add"], span)}] if value else no_update
    if "remove" in what:
        return [step for at, step in enumerate(steps) if at != what["remove"]] if value else no_update
    fresh = [
        {"name": step["name"], "parameters": {**step["parameters"], **forms.get(str(at), {})}}
        for at, step in enumerate(steps)
    ]
    return fresh if fresh != steps else no_update


def answered(context: Context, form: Form, slugs: Sequence[str]) -> dict[str, Any]:
    """Everything that the page says about the form as it stands."""
    nothing: dict[str, Any] = {
        "question": None,
        "looks": None,
        "queue": html.P("Drop a trace, or choose the generator.", className="st-ink3"),
        "jobs": "",
        "refusal": None,
        "chips": question_rows.chips(form.steps, ""),
        "platform": "",
        "command": "",
        "copy": "",
        "chosen": f"{len(form.chosen)} chosen",
        "disabled": [False] * len(slugs),
        "notes": [question_rows.algorithm_note(policies.find(slug), None) for slug in slugs],
    }
    if not form.has_workload:
        return nothing
    shown, copied = to_be_queued.commands(form)
    written = {**nothing, "command": shown, "copy": copied}
    base = form.base()
    try:
        known = asking.ask(context, {**base, "algorithms": form.asked(), "bounds": False})
    except Refusal as refusal:
        return {**written, "queue": None, "refusal": to_be_queued.refused(refusal.sentence)}
    accepts = known["algorithms"]
    facts = known["workload"]["facts"]
    load = f", load {question_rows.words.number(facts['offered_load'])}" if facts["offered_load"] is not None else ""
    health = context.queue.health()
    return {
        **written,
        "question": {**base, "algorithms": form.asked(), "runs": known["runs"]},
        "looks": known["workload"],
        "queue": to_be_queued.queue(known, health.workers),
        "jobs": jobs_words(form),
        "chips": question_rows.chips(form.steps, f"· {question_rows.words.count(facts['jobs'], 'job')}{load}"),
        "platform": platform_words(form, known),
        "disabled": [not accepts[slug]["accepted"] for slug in slugs],
        "notes": [question_rows.algorithm_note(policies.find(slug), accepts[slug]) for slug in slugs],
    }


def jobs_words(form: Form) -> str:
    """What the jobs are called."""
    if form.kind == GENERATOR:
        seed = form.drawn.get("seed") or 0
        name = f"{naming.generator_words({'generator': form.generator, 'seed': seed})}"
    else:
        trace = form.trace or {}
        name = naming.file_words(
            f"{trace.get('name', '')}#{trace['case']}" if trace.get("case") else trace.get("name", "")
        )
    return ", ".join([name, *map(naming.conversion_words, form.steps)])


def platform_words(form: Form, known: Mapping[str, Any]) -> str:
    """Where the size of the machine comes from."""
    if form.machine or not known["platform"]:
        return ""
    said = "the generator's machine" if form.kind == GENERATOR else "from the trace"
    return f"{naming.platform_words(known['platform'])}, {said}"


def known_bounds(context: Context, question: Mapping[str, Any] | None) -> Any:
    """What is proven before any run."""
    if not question:
        return html.P("Choose a workload first.", className="st-caption")
    asked = {name: value for name, value in question.items() if name not in ("algorithms", "runs")}
    try:
        known = asking.ask(context, {**asked, "bounds": True})
    except Refusal as refusal:
        return html.P(refusal.sentence, className="st-caption")
    return to_be_queued.bounds(known["bounds"])
