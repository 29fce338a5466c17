"""How a table with a header is read: a list of columns a field, its unit, and the first lines as they are read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import dash_mantine_components as dmc
from dash import html

from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.to_be_queued import refused
from shadowtime.dashboard.look import words
from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.job import Clock
from shadowtime.engine.workload.sites.tables.fields import COUNT, DURATION, FIELDS, INSTANT, MEMORY, UNITS, Field
from shadowtime.engine.workload.sites.tables.mapping import Column, parse, write
from shadowtime.engine.workload.sites.tables.single import DATED

FIRST = ("submit", "start", "end", "runtime", "size")
"""Fields that always have a row; others have one where they are read, else under a fold."""


FOLDED: Mapping[str, bool] = MappingProxyType({})
"""Every fold as it is at first."""


def fold(name: str, folds: Mapping[str, bool], *, is_open: bool = False) -> dict[str, Any]:
    """Return id and state of a fold that stays as it is when the card around it is drawn again.

    The browser writes `open` of every such id; `folds` holds what it wrote, `is_open` is the state at first.
    """
    return {"id": {"fold": name}, "open": folds.get(name, is_open)}


def form(table: Mapping[str, Any], case: str | None, folds: Mapping[str, bool] = FOLDED) -> html.Details:
    """The columns of a table that was read, open at first where they were chosen."""
    fields, names = table["fields"], table["columns"]
    read = len({one["column"] for one in fields.values()})
    return tags.details(
        "st-columnsof",
        html.Summary(f"Columns: {read} of {len(names)} read"),
        *body(table, folds),
        **fold("columns", folds, is_open=bool(case)),
    )


def unread(chosen: Mapping[str, Any], folds: Mapping[str, bool] = FOLDED) -> list[Any]:
    """A table that is not read yet: why, and its columns to choose from."""
    table = chosen["table"]
    name = tags.div(
        "st-fileline",
        icon("file-text"),
        html.Span(chosen.get("name", ""), className="st-mono st-filename"),
        html.Span(words.size(chosen["size"]) if chosen.get("size") else "", className="st-ink3"),
    )
    why = re.sub(r"; add #\w+=NAME\.$", "; choose it here.", table["missing"] or chosen.get("error", ""))
    return [name, refused(why), tags.div("st-columnsof", *body(table, folds))]


def body(table: Mapping[str, Any], folds: Mapping[str, bool] = FOLDED) -> list[Any]:
    """The rows of the fields, and the first lines."""
    fields = table["fields"]
    shown = [field for name, field in FIELDS.items() if name in FIRST or name in fields]
    others = [field for field in FIELDS.values() if field not in shown]
    summary = html.Summary(words.count(len(others), "more field"))
    more = [tags.details("st-morefields", summary, _rows(others, table), **fold("fields", folds))]
    return [_rows(shown, table), *(more if others else []), *first_lines(table)]


def _rows(fields: Sequence[Field], table: Mapping[str, Any]) -> html.Div:
    return tags.div("st-columnrows", *(_row(field, table) for field in fields))


def _row(field: Field, table: Mapping[str, Any]) -> html.Div:
    """Name of the field, list of columns, list of units; columns are chosen by their position."""
    names, found = table["columns"], table["fields"].get(field.name)
    column = dmc.Select(
        id={"column": field.name},
        value=str(names.index(found["column"])) if found else None,
        data=[{"value": str(at), "label": name} for at, name in enumerate(names)],
        placeholder="not read",
        clearable=True,
        searchable=True,
        size="xs",
        attributes={"input": {"aria-label": f"Column of the {field.words}"}},
    )
    unit: Any = html.Span()
    if UNITS[field.kind] and found:
        unit = dmc.Select(
            id={"unit": field.name},
            value=found["unit"] or None,
            data=list(UNITS[field.kind]),
            allowDeselect=False,
            size="xs",
            attributes={"input": {"aria-label": f"Unit of the {field.words}"}},
        )
    label = field.words[0].upper() + field.words[1:]
    return tags.div("st-columnrow", html.Span(label, className="st-ink2"), column, unit)


def first_lines(table: Mapping[str, Any]) -> list[Any]:
    """The first lines of the file as they are read."""
    rows = table["first"]
    if not rows:
        return []
    shown = [field for name, field in FIELDS.items() if name in rows[0]]
    heads = [html.Th(field.words, scope="col", className=_side(field)) for field in shown]
    cells = [html.Tr([html.Td(_cell(field, row[field.name]), className=_side(field)) for field in shown])
             for row in rows]  # fmt: skip
    caption = "The first line as it is read" if len(rows) == 1 else f"The first {len(rows)} lines as they are read"
    instants = [field.name for field in shown if field.kind == INSTANT]
    if any(isinstance(row[name], int | float) and row[name] >= DATED for row in rows for name in instants):
        caption += "; dates are in UTC"
    scrolled = tags.scrolled("st-table st-table-dense st-firstlines", heads, cells)
    return [html.Div(caption, className="st-small st-ink3"), scrolled]


def _side(field: Field) -> str:
    return "st-right" if field.kind in (DURATION, COUNT, MEMORY) or field.name == "id" else ""


def _cell(field: Field, value: Any) -> str:
    """A value with its unit; a dash where it is unknown."""
    if value is None or value == "":
        return "\u2013"
    if isinstance(value, str):
        return value[:40]
    if field.kind == INSTANT:
        if value >= DATED:
            return words.instant(0.0, Clock(value), year=True)
        return words.instant(value, None)
    if field.kind == DURATION:
        return words.duration(value)
    if field.kind == MEMORY:
        return words.size(int(min(value, 1e15) * 1024))
    return f"{value:.0f}" if field.name == "id" else f"{value:,.15g}"


def chosen(
    table: Mapping[str, Any], case: str, columns: Mapping[str, str | None], units: Mapping[str, str | None]
) -> str | None:
    """The case for what stands in the form; None where that is how the table is read already.

    columns: position of the column by field, None for a field that is not read. units: by field, of those shown.
    """
    names, read = table["columns"], table["fields"]
    try:
        asked = dict(parse(case, names))
    except InvalidWorkload:  # the link chose columns that are not there: the form begins again
        asked = {}
    changed = False
    for field, position in columns.items():
        name = names[int(position)] if position not in (None, "") else None
        known = read.get(field)
        if name != (known["column"] if known else None):
            asked[field], changed = (Column(name) if name else None), True
        elif known and name and units.get(field) and units[field] != known["unit"]:
            asked[field], changed = Column(name, str(units[field])), True
    return write(asked) if changed else None
