"""The claims of a paper: theirs, ours, and whether they agree, with an icon and a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dash import html

from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.look import words
from shadowtime.dashboard.papers.verdicts import DIRECTION, HOLDS, NO, UNJUDGED, failing, verdict

MARKS = {
    HOLDS: ("circle-check", "st-good"),
    DIRECTION: ("circle-half", "st-warn"),
    NO: ("circle-x", "st-bad"),
    UNJUDGED: ("circle-minus", "st-ink3"),
}
MOST_COLUMNS = 3
"""Workloads beside each other; more, or columns that are mostly empty, become lines of one cell."""


def mark(word: str) -> html.Span:
    """A verdict as people see it."""
    shape, colour = MARKS[word]
    return tags.span(f"st-verdict {colour}", icon(shape), word)


def table(study: Mapping[str, Any], notes: Mapping[str, str]) -> html.Table:
    """The claims of one report."""
    claims = study["claims"]
    groups = list(claims[0]["ours"])
    apart = is_apart(claims, groups)
    heads = [f"Ours, {group}" for group in groups] if apart else ["Ours"]
    head = [("Claim", ""), ("Theirs", ""), *((name, "") for name in heads), ("Agree?", "")]
    body = [row(claim, groups if apart else [], heads, notes) for claim in claims]
    return tags.table(
        "st-table st-claims",
        html.Thead(html.Tr([html.Th(word, scope="col", className=name) for word, name in head])),
        html.Tbody(body),
    )


def is_apart(claims: Sequence[Mapping[str, Any]], groups: Sequence[str]) -> bool:
    """Workloads have columns of their own: they are few, and most claims are about most of them."""
    filled = sum(bool(claim["ours"].get(group)) for claim in claims for group in groups)
    return len(groups) <= MOST_COLUMNS and 2 * filled > len(claims) * len(groups)


def row(claim: Mapping[str, Any], groups: Sequence[str], heads: Sequence[str], notes: Mapping[str, str]) -> html.Tr:
    """A claim with its rule under it."""
    if groups:
        ours = [
            html.Td(written(claim["ours"].get(group, "")), **attributes({"data-label": head}))
            for group, head in zip(groups, heads, strict=True)
        ]
    else:
        said = [(group, text) for group, text in claim["ours"].items() if text]
        lines = [
            tags.div("", html.Span(f"{group} ", className="st-ink3") if len(said) > 1 else "", written(text))
            for group, text in said
        ]
        ours = [html.Td(lines, **attributes({"data-label": "Ours"}))]
    return tags.tr(
        "",
        tags.th(
            "",
            tags.details(
                "st-rule",
                html.Summary(words.unbroken(claim["claim"])),
                html.Div(words.unbroken(f"Holds if {claim['rule']}.")),
            ),
            html.Div(words.unbroken(stated(claim)), className="st-why"),
            scope="row",
        ),
        html.Td(written(claim["theirs"]), **attributes({"data-label": "Theirs"})),
        *ours,
        tags.td(
            "",
            mark(verdict(claim)),
            html.Div(words.unbroken(why(claim, notes)), className="st-why"),
            **attributes({"data-label": "Agree?"}),
        ),
    )


def written(value: str) -> str:
    """A value of a claim with true minus signs, and percent signs that stay with their numbers."""
    return words.unbroken(words.with_signs(value))


def stated(claim: Mapping[str, Any]) -> str:
    """Return where the paper states a claim, in its own words, and the blocks behind our verdict."""
    parts = [f"“{claim['quote']}”"] if claim["quote"] else []
    parts += [claim["section"]] if claim["section"] else []
    parts += [words.count(claim["blocks"], "independent block")] if claim["blocks"] else []
    return " · ".join(parts)


def why(claim: Mapping[str, Any], notes: Mapping[str, str]) -> str:
    """Where it does not agree, and a few words on why."""
    word = verdict(claim)
    if word == HOLDS:
        return ""
    where = failing(claim)
    parts = [f"on {' and '.join(where)}"] if where else []
    if claim["sensitivity"]:
        parts.append(claim["sensitivity"])
    if note := notes.get(claim["claim"]):
        parts.append(note)
    return ": ".join(parts)
