"""The columns of the list of runs: what each shows, and which a visitor chose."""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc

from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.icons import icon

RIGHT = "ag-right-aligned-cell"

SPARK = "[params.data.state, params.data.fraction, params.data.sentence, params.data.spark].join()"
"""What the picture of a row depends on: the grid redraws a cell only when its value is another."""
NAME = "[params.data.algorithm, params.data.title, params.data.tags, params.data.notes].join()"
RESULT = "params.data.left || [params.data.criterion, params.data.result].join(' ').trim()"
RATIO = "Result over its proven lower bound: it is at most so many times the optimum"

COLUMNS: list[dict[str, Any]] = [
    {"field": "starred", "headerName": "★", "headerTooltip": "Star", "width": 44, "cellRenderer": "RunStar",
     "cellDataType": False, "cellClass": "st-starcell"},
    {"field": "state", "headerName": "State", "width": 108, "cellRenderer": "RunState"},
    {"field": "algorithm", "headerName": "Run", "minWidth": 150, "flex": 2, "cellRenderer": "RunName",
     "cellDataType": False, "valueGetter": {"function": NAME}},
    {"field": "workload", "headerName": "Workload", "minWidth": 150, "flex": 5, "tooltipField": "workload"},
    {"field": "load", "headerName": "Load", "width": 68, "type": "rightAligned",
     "headerTooltip": "Offered load: work of all jobs per processor and second of the span of submissions",
     "valueFormatter": {"function": "shadowtime.grid.real(params.value)"}},
    {"field": "seed", "headerName": "Seed", "width": 72, "type": "rightAligned"},
    {"field": "jobs", "headerName": "Jobs", "width": 80, "type": "rightAligned",
     "valueFormatter": {"function": "shadowtime.grid.number(params.value)"}},
    {"field": "spark", "headerName": "Useful CPU over time", "width": 150, "cellRenderer": "RunSpark",
     "cellDataType": False, "sortable": False, "valueGetter": {"function": SPARK},
     "cellClassRules": {"st-spanning": "params.data.sentence"}},
    {"field": "result", "headerName": "Result", "minWidth": 210, "maxWidth": 240, "flex": 1, "type": "rightAligned",
     "cellRenderer": "RunResult", "valueGetter": {"function": "params.data.left || params.data.value"},
     "cellDataType": False, "tooltipValueGetter": {"function": RESULT}},
    {"field": "ratio", "headerName": "At most × optimal", "headerTooltip": RATIO, "width": 126, "type": "rightAligned",
     "cellClass": f"{RIGHT} st-strong", "valueFormatter": {"function": "shadowtime.grid.ratio(params.value)"}},
    {"field": "took", "headerName": "Took", "width": 84, "type": "rightAligned",
     "valueFormatter": {"function": "shadowtime.grid.duration(params.value)"}},
    {"field": "accepted", "headerName": "When", "width": 112, "type": "rightAligned",
     "cellClass": f"{RIGHT} st-ink3", "valueFormatter": {"function": "params.data.when"}},
]  # fmt: skip

NAMES = tuple(column["field"] for column in COLUMNS)
FIXED = "algorithm"
"""The column that is always shown: it holds the link to the run."""
DEFAULT = tuple(name for name in NAMES if name != "seed")
OF_STORE = {
    "state": "status", "algorithm": "algorithm", "workload": "workload", "jobs": "jobs", "took": "seconds",
    "accepted": "accepted",
}  # fmt: skip
"""Columns by which the store sorts all runs; by the others, those that are listed are sorted."""


def definitions(chosen: list[str], sort: str) -> list[dict[str, Any]]:
    """Return the columns for the grid; `sort` is a field, with a minus for the largest first."""
    field, way = sort.removeprefix("-"), "desc" if sort.startswith("-") else "asc"
    return [
        {
            **column,
            "hide": column["field"] not in (*chosen, FIXED),
            **({"sort": way} if column["field"] == field else {}),
        }
        for column in COLUMNS
    ]


def chosen_columns(text: str | None) -> list[str]:
    """Return the columns that an address names; without one, those shown by default."""
    return list(DEFAULT) if text is None else [name for name in text.split(",") if name in NAMES]


def known_sort(text: str) -> str:
    """Return the order that an address names; empty for none that is known."""
    return text if text.removeprefix("-") in NAMES and text.removeprefix("-") != "spark" else ""


def picker(chosen: list[str]) -> dmc.Popover:
    """Which columns are shown."""
    titles = {"starred": "Star"}
    boxes = dmc.CheckboxGroup(
        [
            dmc.Checkbox(label=titles.get(column["field"], column["headerName"]), value=column["field"], size="xs")
            for column in COLUMNS
            if column["field"] != FIXED
        ],
        id="runs-columns",
        value=chosen,
        className="st-columnlist",
    )
    button = tags.button("st-link", icon("columns-2"), "Columns", id="runs-columns-button")
    return dmc.Popover([dmc.PopoverTarget(button), dmc.PopoverDropdown(boxes)], position="bottom-end", shadow="md")
