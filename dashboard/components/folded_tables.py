"""Tables of numbers that are folded away; the browser builds them when they are opened (`pages/paper/tables.js`)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from dash import html

from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.look import words


class NumberTable(NamedTuple):
    """A table whose rows have a name and numbers."""

    title: str
    head: Sequence[str]
    """The names of all columns, that of the rows' names first."""
    rows: Sequence[tuple[str, Sequence[Any]]]


def folded(summary: str, tables: Sequence[NumberTable], className: str = "", *, is_open: bool = False) -> html.Details:
    """Return tables below a line that opens them.

    As components they were nine in ten of a page with many figures, and each change of one component took Dash a look
    at all of them: the page of PJS was drawn after 28 s.
    """
    written = [
        [table.title, list(table.head), [[name, *map(words.number, values)] for name, values in table.rows]]
        for table in tables
    ]
    return tags.details(
        f"st-astable {className}".strip(),
        html.Summary(summary),
        html.Div(className="st-papertables"),
        open=is_open,
        **attributes({"data-tables": json.dumps(written, ensure_ascii=False, separators=(",", ":"))}),
    )
