"""The buttons that open the notices of a run or a sweep: browser code opens a form under them."""

from __future__ import annotations

from dash import html

from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.icons import icon


def notify(kind: str, identity: str) -> html.Button:
    """Notify when it ends; `kind` is `run` or `sweep`."""
    named = {"aria-label": "Notify when it ends"}
    return tags.button(
        "st-button", icon("bell"), html.Span("Notify"), **attributes({**_opens(kind, identity), **named})
    )


def listed(kind: str, identity: str) -> html.Button:
    """The notices of what has ended, with how sending went."""
    return html.Button(
        "Show", className="st-link", **attributes({**_opens(kind, identity), "data-ended": "yes"})
    )  # fmt: skip


def _opens(kind: str, identity: str) -> dict[str, str]:
    return {"data-notices": kind, "data-id": identity, "aria-haspopup": "dialog", "aria-expanded": "false"}
