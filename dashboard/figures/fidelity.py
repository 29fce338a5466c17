"""Recorded against simulated waits, and the utilization of each day, recorded and simulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import plotly.graph_objects as go

from shadowtime.dashboard.figures.lines import STYLES, Style
from shadowtime.dashboard.look import theme, words

HEIGHT = 300
DAILY_HEIGHT = 220
MARGIN: dict[str, float] = {"l": 72, "r": 18, "t": 26, "b": 44}
TICKS = {1.0: "1 s", 60.0: "1 min", 3600.0: "1 h", 86_400.0: "1 d", 864_000.0: "10 d", 8_640_000.0: "100 d"}
RECORDED = Style("bar", "solid", 1.5)
EASY, MODEL = STYLES[1], STYLES[2]


def quantiles(known: Mapping[str, Sequence[float]], model: str) -> go.Figure:
    """Return the quantiles of simulated waits over those of recorded ones, both axes logarithmic from 1 s on.

    known: `share`, `recorded`, `easy` and `model` of `sharing.fidelity.quantiles`.
    """
    fig = _empty(MARGIN)
    x = [max(1.0, value) for value in known["recorded"]]
    most = max([60.0, *x, *known["easy"], *known["model"]]) * 1.3
    fig.add_scatter(x=[1, most], y=[1, most], mode="lines", name="as recorded", line=RECORDED.line, hoverinfo="skip")
    for name, key, style in (("EASY", "easy", EASY), (model, "model", MODEL)):
        said = [
            [f"{100 * share:g}", words.duration(a), words.duration(b)]
            for share, a, b in zip(known["share"], known["recorded"], known[key], strict=True)
        ]
        fig.add_scatter(
            x=x, y=[max(1.0, value) for value in known[key]], mode="lines", name=name, line=style.line,
            customdata=said,
            hovertemplate="%{customdata[0]} % of the jobs wait at most %{customdata[1]}, "
            f"<b>%{{customdata[2]}}</b> under {name}<extra></extra>",
        )  # fmt: skip
    ticks = [tick for tick in TICKS if tick <= most]
    axis = {"type": "log", "tickvals": ticks, "ticktext": [TICKS[tick] for tick in ticks]}
    fig.update_xaxes(**axis, title={"text": "recorded wait", "font": {"size": 11}}, showgrid=True)
    return fig.update_yaxes(**axis, title={"text": "simulated wait", "font": {"size": 11}})


def daily(known: Mapping[str, Any], model: str) -> go.Figure:
    """Return the share of the machine in use on each day, recorded and simulated.

    known: `first`, `dated`, `recorded` and `simulated` of the answer's `days`.
    """
    fig = _empty(MARGIN)
    many = len(known["recorded"])
    x: list[Any] = [known["first"] + day for day in range(many)]
    if known["dated"]:
        begin = datetime(1970, 1, 1, tzinfo=UTC)
        x = [f"{begin + timedelta(days=day):%Y-%m-%d}" for day in x]
    day = "%{x|%a %-d %b %Y}" if known["dated"] else "day %{x}"
    for name, key, style in (("Recorded", "recorded", RECORDED), (model, "simulated", MODEL)):
        fig.add_scatter(
            x=x, y=[100 * share for share in known[key]], mode="lines", name=name, line=style.line,
            hovertemplate=f"{day}: <b>%{{y:.0f}} %</b>, {name}<extra></extra>",
        )  # fmt: skip
    fig.update_xaxes(nticks=6, tickangle=0)
    return fig.update_yaxes(rangemode="tozero", ticksuffix=" %", nticks=5)


def _empty(margin: dict[str, float]) -> go.Figure:
    return theme.figure(
        margin,
        hovermode="closest",
        showlegend=True,
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "font": {"size": 11}},
    )
