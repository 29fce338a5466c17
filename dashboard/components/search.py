"""The search of the header: runs by algorithm, workload or id; beside schedules, jobs by number, user or size."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from dash import Input, Output, State, no_update

from shadowtime.dashboard.components import naming, states
from shadowtime.dashboard.components.callbacks import Callbacks
from shadowtime.dashboard.components.run_view import view
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.errors import NotFound

MOST = 8


callbacks = Callbacks()


@callbacks(
    Output("search", "data"),
    Input("search", "searchValue"),
    State("url", "pathname"),
    State("url", "search"),
    State("search", "data"),
    waits=False,
)
def look(context: Context, text: str | None, pathname: str | None, query: str | None, shown: list[dict] | None) -> Any:
    """What is found for the text that stands in the field."""
    is_chosen = any(entry["label"] == text for entry in shown or [])
    return no_update if is_chosen else found(context, text or "", pathname, query)


callbacks.browser("goTo", Output("search", "value"), Input("search", "value"), State("url", "pathname"))


def found(context: Context, text: str, pathname: str | None, query: str | None = None) -> list[dict[str, Any]]:
    """Entries for a list: `value` is where they lead, `query` what they were found for."""
    entries: list[dict[str, Any]] = []
    here = urls.place(pathname)
    if here.page in ("run", "compare"):
        entries += jobs(text.strip().lower(), _users(context, here, query))
    for run in context.store.runs.list(text=text, limit=MOST).rows:
        spec = run.spec
        title = f"{naming.run_words(spec)} on {naming.workload_words(context.store, spec)}"
        state = "" if run.status.is_finished else f" ({states.WORDS[run.status.status].lower()})"
        entries.append({"value": urls.run(run.id), "label": f"{title}{state} · {run.id[:8]}"})
    return [{**entry, "query": text.strip()} for entry in entries]


def _users(context: Context, here: urls.Place, query: str | None) -> Sequence[str]:
    """Names of the users of the run on a page, of the first of several; none where its log has only numbers."""
    asked = [here.item] if here.page == "run" else urls.Comparison.parse(urls.query(query or "")).runs
    try:
        return view(context, asked[0]).users if asked else ()
    except NotFound:
        return ()


def jobs(text: str, users: Sequence[str] = ()) -> list[dict[str, Any]]:
    """What `text` may select in the schedules on the page: `7`, `user 15`, `size 32-64`, `size > 64`, `32 processors`.

    users: names by number, where the log has names; a user is searched by name then. A value `find:` holds the words
    that `assets/gantt/model/search.js` reads.
    """
    job = re.fullmatch(r"(?:job|#)?\s*(\d{1,12})", text)
    user = None if users else re.fullmatch(r"(?:u|user)?\s*(\d{1,12})", text)
    sought = (text, text.removeprefix("user").lstrip())
    named = [(number, name) for number, name in enumerate(users) if text and name.lower() in sought]
    size = re.fullmatch(
        r"(?:size)?\s*(\d{1,12}(?:\s*[-–]\s*\d{1,12})?|[<>]\s*\d{1,12})\s*(?:proc\w*|nodes?|tasks?)?", text
    )
    entries = []
    if job:
        entries.append({"value": f"job:{int(job[1])}", "label": f"Job {int(job[1])} in this run"})
    if user:
        entries.append({"value": f"find:user {int(user[1])}", "label": f"Jobs of user {int(user[1])}"})
    for number, name in named:
        entries.append({"value": f"find:user {number}", "label": f"Jobs of user {name}"})
    if size:
        sizes = re.sub(r"\s+", "", size[1]).replace("–", "-")
        sizes = f"{sizes[0]} {sizes[1:]}" if sizes[0] in "<>" else sizes
        entries.append({"value": f"find:size {sizes}", "label": f"Jobs of size {sizes}"})
    return entries
