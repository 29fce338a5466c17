"""States and troubles, in words: a mark, a word, and what comes next."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from dash import html

from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.attributes import attributes, identified
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.look import words
from shadowtime.engine.workload.job import Clock
from shadowtime.workers.compiling import Start
from shadowtime.workers.small import JOBS
from shadowtime.workers.store import Status

MARKS = {
    "queued": "clock",
    "running": "loader-2",
    "finished": "circle-check",
    "failed": "circle-x",
    "cancelled": "ban",
}
WORDS = {name: name.capitalize() for name in MARKS}
ALL_BUT = 0.985
"""From here on, what takes time is measuring and storing."""
ASK_AGAIN = 3
"""Seconds until a page with a notice about queue or workers asks whether it still holds."""
AT = re.compile(r"^t=([-+0-9.e]+): ")
"""How a sentence of the engine writes simulated times."""


def pill(kind: str, mark: Any, text: str) -> html.Span:
    """A state in its tinted capsule."""
    return tags.span(f"st-pill st-pill-{kind}", mark, html.Span(text))


def ring(fraction: float) -> html.Span:
    """How far, as a ring."""
    part = html.Span(className="st-ring", style={"--st-part": f"{min(1.0, max(0.0, fraction)):.3f}"})
    return html.Span(part, className="st-ringbed", **attributes({"aria-hidden": "true"}))


def run_pill(status: Status, summary: Mapping[str, Any] | None, clock: Clock | None, place: int = 0, wait: float = 0.0):
    """The state of a run as its page shows it.

    place, wait: of a queued run: how many stand before it, itself included, and about how long until it starts [s].
    """
    return pill(status.status, mark_of(status), run_words(status, summary, clock, place, wait))


def mark_of(status: Status) -> html.Span:
    """The sign of a state: a ring while it runs."""
    far = status.progress.get("fraction") or status.progress.get("planned")
    if status.status == "running" and far:
        return ring(far)
    return icon(MARKS[status.status])


def run_words(
    status: Status, summary: Mapping[str, Any] | None, clock: Clock | None, place: int = 0, wait: float = 0.0
) -> str:
    """The state of a run as a sentence: `Running · 62 % · about 1.4 s left`."""
    match status.status:
        case "queued":
            return " · ".join(["Queued", queued_words(place, wait)]) if place else "Queued"
        case "running":
            if status.progress.get("compiling"):
                return " · ".join(compiling_words(status.progress))
            return " · ".join(["Running", *progress_words(status.progress)])
        case "finished":
            took = finished_in(summary)
            return f"Finished in {words.duration(took)}" if took is not None else "Finished"
        case "failed":
            if status.damaged:
                return "Damaged"
            at = AT.match(status.error or "")
            return f"Failed at {words.instant(float(at[1]), clock)}" if at else "Failed"
        case "cancelled":
            return cancelled_words(status)
    return WORDS.get(status.status, status.status)


def queued_words(place: int, wait: float) -> str:
    """`third, starts in about 4 s`."""
    return f"{words.ordinal(place)}, starts in about {words.seconds_about(wait)}" if wait else words.ordinal(place)


def progress_words(progress: Mapping[str, Any]) -> list[str]:
    """`62 %`, `about 1.4 s left`."""
    fraction, left = progress.get("fraction") or 0.0, progress.get("seconds_left")
    planned = progress.get("planned")
    if planned is not None:  # how many steps a linear program takes is known at its end
        return ["planning", f"about {int(100 * planned)}{words.GAP}%"] if planned else ["planning"]
    if not fraction:
        return ["starting"]
    if fraction >= ALL_BUT:
        return ["all jobs simulated, computing metrics"]
    said = [f"{max(1, int(100 * fraction))}{words.GAP}%"]
    return said if left is None else [*said, f"about {words.seconds_about(left)} left"]


def compiling_words(progress: Mapping[str, Any]) -> list[str]:
    """`Compiling for the first time`, `about 6 s, once`."""
    return ["Compiling for the first time", f"about {words.seconds_about(progress['compiling'])}, once"]


def cancelled_words(status: Status) -> str:
    """`Cancelled at 31 %`."""
    fraction = status.progress.get("fraction") or 0.0
    if not fraction and "planned" in status.progress:
        return "Cancelled during planning"
    return f"Cancelled at {int(100 * fraction)}{words.GAP}%" if fraction else "Cancelled before it started"


def finished_in(summary: Mapping[str, Any] | None) -> float | None:
    """Seconds that the simulation itself took."""
    return (summary or {}).get("timing", {}).get("simulate_s")


def failure(status: Status) -> str:
    """Why a run failed, without the time, which stands in its title."""
    text = AT.sub("", status.error or "The run failed without a message. See the log of the worker.")
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def notice(kind: str, mark: str, head: str, text: Any, actions: Sequence[Any] = (), identity: str = "") -> html.Div:
    """A tinted line: `kind` is "warn", "bad" or "" for a quiet one."""
    said = list(text) if isinstance(text, list) else [text]
    body: list[Any] = [html.Div([html.Strong(f"{head} "), *said] if head else said)]
    if actions:
        body.append(html.Div(list(actions), className="st-notice-actions"))
    tint = f"st-notice st-notice-{kind}"
    return tags.div(tint, icon(mark, 18), html.Div(body), **identified(identity))


def queue_away() -> html.Div:
    """The queue does not answer."""
    return notice(
        "warn",
        "plug-connected-x",
        "The queue does not answer.",
        [
            "Finished runs can be read. Accepted runs are on disk and resume when the queue is back. ",
            "Trying again in ",
            html.Span(
                f"{ASK_AGAIN}{words.GAP}s", className="st-countdown", **attributes({"data-from": f"{ASK_AGAIN}"})
            ),
            ".",
        ],
    )


def starting(start: Start) -> html.Div:
    """Workers start; where they compile first, how far they are."""
    if not start.seconds_left:
        return notice("", "loader-2", "Workers are starting.", "Queued runs start in a moment.")
    head = f"Workers are starting (compiling, about {words.seconds_about(start.seconds_left)})."
    said = (
        f"{start.done} of {start.of} parts are compiled, once on this machine. "
        f"Runs of up to {JOBS} jobs do not wait for it."
    )
    return notice("", "loader-2", head, [said, bar(start.done / start.of)])


def bar(fraction: float) -> html.Progress:
    """How far, as a bar under a sentence."""
    return html.Progress(
        value=f"{fraction:.2f}", max="1", className="st-startbar", **attributes({"aria-label": "Compiled"})
    )


def no_worker() -> html.Div:
    """Runs are accepted, but there are no workers."""
    return notice(
        "warn",
        "cpu",
        "No workers connected.",
        [
            "Queued runs start as soon as a worker connects. Start one with ",
            html.Code("python -m shadowtime.workers.worker"),
            ".",
        ],
    )


def started_again(status: Status) -> html.Div:
    """The worker of a run was lost, and another one restarted it."""
    fraction = status.progress.get("fraction") or 0.0
    at = f" at {int(100 * fraction)}{words.GAP}%" if fraction and status.status == "queued" else ""
    return notice(
        "info",
        "refresh",
        "Restarted.",
        f"The worker of this run stopped{at}; another one restarts it ({words.ordinal(status.attempt)} attempt). "
        "The schedule below is drawn again.",
    )
