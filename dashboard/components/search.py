"""The search of the header: runs by algorithm, workload or id; on a run's page, a job by its number."""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, State, no_update

from dashboard import urls
from dashboard.components import naming, states
from dashboard.context import Context

MOST = 8


def register(app: Dash, context: Context) -> None:
    """Look while a person types, and go where they choose."""

    @app.callback(
        Output("search", "data"),
        Input("search", "searchValue"),
        State("url", "pathname"),
        State("search", "data"),
    )
    def look(text: str | None, pathname: str | None, shown: list[dict] | None) -> Any:
        is_chosen = any(entry["label"] == text for entry in shown or [])
        return no_update if is_chosen else found(context, text or "", pathname)

    app.clientside_callback(
        ClientsideFunction("shadowtime", "goTo"),
        Output("search", "value"),
        Input("search", "value"),
        State("url", "pathname"),
        prevent_initial_call=True,
    )


def found(context: Context, text: str, pathname: str | None) -> list[dict[str, Any]]:
    """Entries for a list: `value` is where they lead, `query` what they were found for."""
    entries: list[dict[str, Any]] = []
    here = urls.place(pathname)
    if here.page == "run" and text.strip().isdigit():
        entries.append({"value": f"job:{int(text)}", "label": f"Job {int(text)} in this run"})
    for run in context.store.runs.list(text=text, limit=MOST).rows:
        spec = run.spec
        title = f"{naming.algorithm_words(spec.algorithm)} on {naming.workload_words(context.store, spec)}"
        state = "" if run.status.is_finished else f" ({states.WORDS[run.status.status].lower()})"
        entries.append({"value": urls.run(run.id), "label": f"{title}{state} · {run.id[:8]}"})
    return [{**entry, "query": text.strip()} for entry in entries]
