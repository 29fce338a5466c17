"""Table 1 of the fractional family on the page of all algorithms: 14 rows instead of 116 paragraphs."""

from __future__ import annotations

from dash import html

from shadowtime.dashboard.components import tags
from shadowtime.engine.families.fractional.names import BOUNDS, ROWS, Variant, has_mcb8, optima, variants

MEANINGS = {
    "Greedy": "Each task goes to the node of the smallest sum of CPU needs that has the memory.",
    "GreedyP": "Where a new job does not fit, less important ones are paused for it.",
    "GreedyPM": "As GreedyP; those are then tried elsewhere, and paused only if they fit nowhere.",
    "MCB8": "All are packed again at the largest yield that packs; the least important are dropped while none does.",
    "MCB8-stretch": "The same for the smallest stretch at the end of the coming period.",
    "opt=min": "The smallest yield is made as large as possible, then the next (max-min fairness).",
    "opt=avg": "The sum of yields is made as large as possible; of stretch-per, the mean predicted stretch small.",
    "opt=max": "The largest predicted stretch is made as small as possible.",
    "minft=300, 600": "MCB8 moves no running job whose flow time is below so many seconds; it may still be paused.",
    "minvt=300, 600": "The same for jobs whose virtual time is below it: they have progressed less.",
}
"""What happens in a row, how CPU is shared then, and what holds jobs in their place."""


def table() -> html.Div:
    """The rows, what is done when, and how many names each has."""
    heads = ("Name", "On submission", "On completion", "Every period", "Yields", "Limits", "Names")
    return tags.scrolled("st-table st-table-dense st-table1", heads, [row(name) for name in ROWS])


def row(name: str) -> html.Tr:
    """One row of table 1; `#greedy*/per` leads to it."""
    one: Variant = next(variant for variant in variants() if variant.row == name)
    names = sum(variant.row == name for variant in variants())
    completion = "" if not one.on_completion else "MCB8" if one.submission == "MCB8" else "Greedy"
    periodic = {"": "", "per": "MCB8", "stretch-per": "MCB8-stretch"}[one.periodic]
    limits = ", ".join(dict.fromkeys(bound.partition("=")[0] or "none" for bound in BOUNDS)) if has_mcb8(name) else ""
    cells = (one.submission, completion, periodic, ", ".join(optima(name)), limits, f"{names}")
    return tags.tr(
        "",
        html.Th(html.Code(name), scope="row"),
        *(html.Td(cell or html.Span("-", className="st-ink3")) for cell in cells),
        id=name.lower(),
    )


def meanings() -> html.Dl:
    """The words of the table."""
    return html.Dl(
        [part for word, text in MEANINGS.items() for part in (html.Dt(html.Code(word)), html.Dd(text))],
        className="st-facts st-meanings",
    )
