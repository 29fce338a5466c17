"""Draw how time and memory grow with the number of jobs (`benchmarks.scaling`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks._site import chromium

GREY = {"color": "#888", "gridcolor": "#8884", "zeroline": False}
"""Reads on light and on dark paper."""
COLOURS = ["#2563c9", "#d9822b", "#2a9d6f", "#9b59b6", "#c0392b", "#8a8f98"]


def draw(figures: Mapping[str, Any], path: Path) -> None:
    """Draw seconds over jobs, and gigabytes below, as an SVG file."""
    import plotly
    from playwright.sync_api import sync_playwright

    script = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page()
        page.add_script_tag(path=script)
        size = {"format": "svg", "width": 760, "height": 620, "imageDataOnly": True}
        svg = page.evaluate("([figure, size]) => Plotly.toImage(figure, size)", [_figure(figures), size])
        browser.close()
    path.write_text(svg, encoding="utf-8")


def _figure(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return two panels with a line for each part."""
    import plotly.graph_objects as go
    from plotly.subplots import make_subplots

    made = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.06, row_heights=[0.6, 0.4])
    parts = [name for name, one in figures.items() if isinstance(one, dict)]
    for part, colour in zip(parts, COLOURS, strict=False):
        one = figures[part]
        title = part.upper() if part in ("easy", "measy") else part.capitalize()
        name = f"{title}: jobs<sup>{one['exponent']:.2f}</sup>"
        for row, values in ((1, "seconds"), (2, "gb")):
            line = go.Scatter(
                x=figures["jobs"][: len(one[values])],
                y=one[values],
                name=name,
                showlegend=row == 1,
                mode="lines+markers",
                line={"color": colour},
            )
            made.add_trace(line, row=row, col=1)
    made.update_xaxes(type="log", dtick=1, **GREY)
    made.update_xaxes(title="jobs", row=2, col=1)
    made.update_yaxes(type="log", dtick=1, **GREY)
    made.update_yaxes(title="seconds", row=1, col=1)
    made.update_yaxes(title="peak memory [GB]", row=2, col=1)
    made.update_layout(
        paper_bgcolor="#0000",
        plot_bgcolor="#0000",
        font={"color": "#888", "family": "Inter, sans-serif", "size": 13},
        margin={"l": 64, "r": 16, "t": 16, "b": 48},
    )
    return json.loads(made.to_json())
