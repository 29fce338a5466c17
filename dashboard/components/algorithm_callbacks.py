"""The form of an algorithm of a new run: made when it is opened, reset, checked, and changed with the jobs."""

from __future__ import annotations

from typing import Any

from dash import ALL, MATCH, Input, Output, State, no_update

from shadowtime.dashboard.components import form_answers, question_rows
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.components.stated import restated, stated_by
from shadowtime.dashboard.context import Context
from shadowtime.engine import registry as policies

callbacks = Callbacks()


@callbacks(
    Output({"part": "collapse", "of": MATCH}, "children"),
    Input({"part": "collapse", "of": MATCH}, "opened"),
    State({"part": "collapse", "of": MATCH}, "id"),
    State({"form": "algorithm", "of": MATCH, "name": ALL}, "id"),
    State("new-stated", "data"),
)
def opened(_: Context, is_opened: bool, part: dict[str, str], inputs: list[dict[str, str]], stated: dict) -> Any:
    """The form of an algorithm, made when it is opened first."""
    algorithm = policies.algorithms().get(part["of"])
    return question_rows.algorithm_form(algorithm, stated) if is_opened and algorithm and not inputs else no_update


@callbacks(
    output={
        "stated": Output("new-stated", "data"),
        "values": Output({"form": "algorithm", "of": ALL, "name": ALL}, "value", allow_duplicate=True),
    },
    inputs={
        "trace": Input("new-trace", "data"),
        "kind": Input("new-kind", "value"),
        "before": State("new-stated", "data"),
        "values": State({"form": "algorithm", "of": ALL, "name": ALL}, "value"),
        "ids": State({"form": "algorithm", "of": ALL, "name": ALL}, "id"),
    },
)
def restate(
    context: Context, trace: dict | None, kind: str, before: dict, values: list[Any], ids: list[dict[str, str]]
) -> dict[str, Any]:
    """What the jobs that were chosen state, in the forms of algorithms, too."""
    now = stated_by(context, kind, trace)
    if now == before:
        return {"stated": no_update, "values": [no_update] * len(ids)}
    known = [form_answers.parameters_of(one["of"]) for one in ids]
    held = [restated(*of, before, now) for of in zip(known, [one["name"] for one in ids], values, strict=True)]
    return {"stated": now, "values": held}


@callbacks(
    Output({"form": "algorithm", "of": MATCH, "name": ALL}, "value"),
    Input({"part": "reset", "of": MATCH}, "n_clicks"),
    State({"form": "algorithm", "of": MATCH, "name": ALL}, "id"),
    State("new-stated", "data"),
)
def reset(_: Context, clicks: int | None, ids: list[dict[str, str]], stated: dict) -> Any:
    """The values of the paper or of the log in the form of an algorithm."""
    return form_answers.defaults(ids, stated) if clicks else no_update


@callbacks(
    Output({"part": "mistake", "of": MATCH, "name": MATCH}, "children"),
    Input({"form": "algorithm", "of": MATCH, "name": MATCH}, "value"),
    State({"form": "algorithm", "of": MATCH, "name": MATCH}, "id"),
    prevent_initial_call=True,
)
def mistake(_: Context, value: Any, identity: dict[str, str]) -> str:
    """What is wrong with a text that was typed."""
    return form_answers.mistake(identity, value)
