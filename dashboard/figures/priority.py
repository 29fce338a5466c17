"""Why a job of a site under Slurm waited: its priority factor by factor, and the start that backfilling expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from shadowtime.dashboard.figures.usage import instants
from shadowtime.dashboard.look import theme, words
from shadowtime.engine.workload.job import Clock

NAMES = {
    "age": "age",
    "fair_share": "fair share",
    "job_size": "job size",
    "partition": "partition",
    "qos": "QOS",
    "other": "TRES",
}
HUES = {"age": 0, "fair_share": 6, "job_size": 2, "partition": 5, "qos": 7, "other": 3}
"""Hues of jobs, as areas."""
PATTERNS = {"age": "", "fair_share": "/", "job_size": ".", "partition": "\\", "qos": "x", "other": "-"}
"""Hatches: no factor is known by its hue alone."""
PRIORITY_HEIGHT, EXPECTED_HEIGHT = 190, 170
MARGIN: dict[str, int] = {"l": 46, "r": 12, "b": 34}


def drawn(found: Mapping[str, Any]) -> list[str]:
    """Return the factors that count somewhere over the wait."""
    return [name for name in NAMES if any(found[name])]


def stairs(found: Mapping[str, Any]) -> list[float]:
    """Return seconds since the submission of the recomputations, and of the start."""
    return [*(time - found["submit"] for time in found["time"]), found["start"] - found["submit"]]


def held(values: Sequence[Any]) -> list[Any]:
    """Return the values with the last one again: it holds until the start."""
    return [*values, values[-1]]


def priority(found: Mapping[str, Any], clock: Clock | None) -> go.Figure:
    """Return the stacked weighted factors over the wait, with the line of the priority."""
    x, said = stairs(found), instants_in_words(found, clock)
    fig = theme.figure({**MARGIN, "t": 8})
    for name in drawn(found):
        fig.add_scatter(
            x=x, y=held(found[name]), mode="lines", name=NAMES[name], stackgroup="factors",
            line={"width": 0.5, "color": theme.var("surface"), "shape": "hv"},
            fillcolor=theme.var(f"job-{HUES[name]}"), customdata=said,
            fillpattern={"shape": PATTERNS[name], "fgcolor": theme.var("ink3"), "fgopacity": 0.6, "size": 6,
                         "bgcolor": theme.var(f"job-{HUES[name]}"), "solidity": 0.12},
            hovertemplate=f"{NAMES[name]} <b>%{{y:,.1f}}</b><extra></extra>",
        )  # fmt: skip
    fig.add_scatter(
        x=x, y=held(found["priority"]), mode="lines", name="priority",
        line={"width": 2, "color": theme.var("ink"), "shape": "hv"},
        customdata=[[text, f"{int(before):,}"] for text, before in zip(said, held(found["before"]), strict=True)],
        hovertemplate="priority <b>%{y:,}</b>, %{customdata[1]} before it<br>%{customdata[0]}<extra></extra>",
    )  # fmt: skip
    top = max([1.0, *found["priority"], *(sum(parts) for parts in zip(*(found[n] for n in NAMES), strict=True))])
    fig.update_yaxes(range=[0, top * 1.06], nticks=5, tickformat=",")
    fig.update_layout(hovermode="x")
    return _over_wait(fig, x[-1])


def expected(found: Mapping[str, Any], clock: Clock | None) -> go.Figure:
    """Return the expected start over the wait, with the simulated start and the recorded one as lines; all as time
    since the submission."""
    submit = found["submit"]
    x = stairs(found)
    planned = [None if at is None else at - submit for at in found["expected"]]
    said = ["" if at is None else words.instant(at, clock) for at in found["expected"]]
    fig = theme.figure({**MARGIN, "t": 12})
    fig.add_scatter(
        x=x, y=held(planned), mode="lines+markers", name="expected", connectgaps=False, customdata=held(said),
        line={"width": 1.75, "color": theme.var("accent"), "shape": "hv"},
        marker={"size": 4, "color": theme.var("accent")},
        hovertemplate="expected <b>%{customdata}</b><extra></extra>",
    )  # fmt: skip
    ends = [(found["start"], "simulated", "solid", "ink")]
    if found["recorded_start"] is not None:
        ends.append((found["recorded_start"], "recorded", "dash", "bgt"))
    above = len(ends) == 1 or ends[0][0] >= ends[1][0]
    for at, name, dash, colour in ends:
        fig.add_scatter(
            x=[0, x[-1]], y=[at - submit] * 2, mode="lines", name=name, customdata=[words.instant(at, clock)] * 2,
            line={"width": 1.5, "dash": dash, "color": theme.var(colour)},
            hovertemplate=f"{name} start <b>%{{customdata}}</b><extra></extra>",
        )  # fmt: skip
        is_upper = above if name == "simulated" else not above
        fig.add_annotation(
            x=x[-1], y=at - submit, text=f"{name} start", xanchor="right", yanchor="bottom" if is_upper else "top",
            font={"color": theme.var(colour)}, bgcolor=theme.var("bg"), opacity=0.9, borderpad=0,
        )  # fmt: skip
    high = max([at - submit for at, *_ in ends] + [at for at in planned if at is not None])
    ticks = [0.0, *(t for t in instants(0.0, high * 1.02, 4) if t > 0)]
    fig.update_yaxes(range=[-0.08 * high, high * 1.2], tickvals=ticks, ticktext=lengths(ticks))
    return _over_wait(fig.update_layout(hovermode="x"), x[-1])


def instants_in_words(found: Mapping[str, Any], clock: Clock | None) -> list[str]:
    """Return the instants of the steps in words."""
    return [words.instant(time, clock) for time in [*found["time"], found["start"]]]


def lengths(ticks: Sequence[float]) -> list[str]:
    """Return lengths of time for an axis."""
    return [words.duration(t).removesuffix(f" 00{words.GAP}min") if t else "0" for t in ticks]


def _over_wait(fig: go.Figure, wait: float) -> go.Figure:
    """Set the axis of the time since the submission."""
    ticks = [0.0, *(t for t in instants(0.0, wait * 1.001, 4) if t > 0)]
    fig.update_xaxes(
        range=[0, max(wait, 1.0)], tickvals=ticks, ticktext=lengths(ticks), tickangle=0,
        title={"text": "since submission"},
    )  # fmt: skip
    return fig


def rows(found: Mapping[str, Any], clock: Clock | None) -> list[tuple[str, ...]]:
    """Return the same as a table, a row a recomputation."""
    said = instants_in_words(found, clock)
    listed = []
    for at, instant in enumerate(said[:-1]):
        planned = found["expected"][at]
        listed.append((
            instant, f"{int(found['priority'][at]):,}", *(words.number(found[name][at]) for name in drawn(found)),
            f"{int(found['before'][at]):,}", "" if planned is None else words.instant(planned, clock),
        ))  # fmt: skip
    return listed


def heads(found: Mapping[str, Any]) -> list[str]:
    """Return the heads of that table."""
    return ["At", "Priority", *(NAMES[name].capitalize().replace("Qos", "QOS").replace("Tres", "TRES")
                                for name in drawn(found)), "Before it", "Expected start"]  # fmt: skip
