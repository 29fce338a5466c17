"""The forms in which a page with schedules is saved: the view as a picture, a run as files for other programs."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import html

from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.sharing import urls

TABLES = (("jobs", "Jobs"), ("segments", "Segments"), ("events", "Events"), ("series", "Series"))
REPORT = "Offline report (HTML)"
"""The live schedule and all figures in one file."""
DOWNLOAD: dict[str, Any] = {"download": True}
"""The attribute without a name for the file; Dash's types have it with a name alone."""


def export_menu(run_id: str, *, is_finished: bool) -> dmc.Menu:
    """Everything that a run can be exported as; of one that has not finished, its question and the picture so far."""
    items: list[Any] = [*pictures()]
    if is_finished:
        items.append(item(REPORT, urls.api_report(run_id)))
        items += [dmc.MenuDivider(), dmc.MenuLabel("Tables")]
        items += [tables(run_id, name, title) for name, title in TABLES]
        items += [
            dmc.MenuDivider(),
            dmc.MenuLabel("For other programs"),
            item(
                "Trace of this window for Perfetto",
                urls.api_export(run_id, "perfetto"),
                **attributes({"data-export": "window"}),
            ),
            item("Jobs for evalys", urls.api_export(run_id, "evalys")),
        ]
    items += [
        dmc.MenuDivider(),
        dmc.MenuLabel("Configuration"),
        item("As JSON", urls.api_export(run_id, "spec")),
        item("As a command line", urls.api_export(run_id, "command")),
    ]
    if is_finished:
        items.append(item("With its figures, as JSON", urls.api_export(run_id, "json")))
    return menu(items)


def menu(items: list[Any]) -> dmc.Menu:
    """The button and what it opens."""
    button = tags.button("st-button", icon("download"), html.Span("Export"))
    return dmc.Menu(
        [dmc.MenuTarget(button), dmc.MenuDropdown(items)],
        position="bottom-end",
        classNames={"dropdown": "st-dropdown st-export"},
    )


def pictures() -> list[dmc.MenuItem]:
    """The view as it stands, drawn by the browser."""
    return [
        dmc.MenuItem(f"This view as {kind.upper()}", className="st-exportview", **attributes({"data-export": kind}))
        for kind in ("png", "svg")
    ]


def item(word: str, address: str, **more: Any) -> dmc.MenuItem:
    """A download."""
    return dmc.MenuItem(
        html.A(word, href=address, className="st-menulink", **DOWNLOAD, **more), className="st-menuitem"
    )


def tables(run_id: str, name: str, title: str) -> html.Div:
    """A table in its two forms."""
    links = [
        html.A(word, href=urls.api_export(run_id, form, name), role="menuitem", **DOWNLOAD,
               **attributes({"aria-label": f"{title} as {word}"}))
        for form, word in (("csv", "CSV"), ("parquet", "Parquet"))
    ]  # fmt: skip
    return tags.div("st-menuforms", html.Span(title), *links)
