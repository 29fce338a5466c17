"""The fractional family on the form of a new run: ready names to tick, and one composed out of table 1's choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html

from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.parameter_form import parameter_form
from shadowtime.dashboard.components.question import Form
from shadowtime.dashboard.sharing import urls
from shadowtime.engine import registry as policies
from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.families.fractional.entries import PENALTY, PERIOD, SOURCE
from shadowtime.engine.families.fractional.names import Variant, variants

FAMILY = "fractional"
NOTHING = "nothing"
IDEA = "Jobs share the CPU of nodes, and may be paused and moved; the names are those of the paper."

READY = {
    "GreedyPM*/per/opt=min/minvt=600": "The paper's best: newcomers move or pause others; packed again every period",
    "GreedyP*/opt=min": "Newcomers pause less important jobs; nothing is moved",
    "MCB8*/opt=min/minvt=600": "All are packed again at each submission and completion",
    "/per/opt=min": "Jobs wait for the next period, at which all are packed again",
    "Greedy*/opt=min": "Newcomers start where there is room; nothing is paused or moved",
}
"""Names to begin with, each with what it stands for."""

CHOICES = {
    "submission": ("On submission", (NOTHING, "Greedy", "GreedyP", "GreedyPM", "MCB8"), 122),
    "completion": ("On completion", (NOTHING, "Greedy", "MCB8"), 108),
    "periodic": ("Every period", (NOTHING, "per", "stretch-per"), 124),
    "optimum": ("Yields", ("min", "avg", "max"), 108),
    "limit": ("Limit", (NOTHING, "minft=300", "minft=600", "minvt=300", "minvt=600"), 122),
}
"""The parts of a name: title, values, width [px]. Each may rule out values of the later ones."""

WORDS = {
    "per": "MCB8",
    "stretch-per": "MCB8-stretch",
    **{optimum: f"opt={optimum}" for optimum in CHOICES["optimum"][1]},
}
FIRST = next(iter(READY))


@lru_cache(1)
def known() -> Mapping[tuple[str, ...], str]:
    """Names by their parts, in the paper's order."""
    return {parts(variant): variant.name for variant in variants()}


def parts(variant: Variant) -> tuple[str, ...]:
    """A variant as values of the five choices."""
    completion = NOTHING
    if variant.on_completion:
        completion = "MCB8" if variant.submission == "MCB8" else "Greedy"
    limit = f"{variant.limit}={variant.bound:g}" if variant.limit else NOTHING
    return (variant.submission or NOTHING, completion, variant.periodic or NOTHING, variant.optimum, limit)


def narrowed(chosen: Sequence[str | None]) -> tuple[str, tuple[str, ...], list[list[dict[str, Any]]]]:
    """Name, values, and what each choice offers, for the values chosen.

    A choice offers what goes with those before it, the rest is disabled; a value that does not go with them gives
    way to the first that does. So every click leaves one of the 116 names.
    """
    left = list(known())
    offered = []
    for place, ((_, values, _), value) in enumerate(zip(CHOICES.values(), chosen, strict=True)):
        possible = list(dict.fromkeys(one[place] for one in left))
        taken = value if value in possible else possible[0]
        left = [one for one in left if one[place] == taken]
        offered.append([{"value": one, "label": label(one), "disabled": one not in possible} for one in values])
    return known()[left[0]], left[0], offered


def composed(chosen: Sequence[str | None]) -> dict[str, Any]:
    """What the composer shows for the values chosen."""
    name, values, offered = narrowed(chosen)
    return {"values": list(values), "data": offered, "name": name, "words": f"{policies.find(name).summary}."}


def added(name: str, shown: Sequence[Any], chosen: Sequence[str]) -> tuple[list[Any], list[str]]:
    """The lines and ticked slugs after a composed name was added; one that stands there is ticked."""
    slug = name.lower()
    stand = [one["props"]["children"][0]["props"]["value"] for one in shown]
    return [*shown, *([] if slug in stand else lines([slug]))], list(dict.fromkeys([*chosen, slug]))


def label(value: str) -> str:
    """A value as its list shows it."""
    return WORDS.get(value, value)


def is_variant(slug: str) -> bool:
    """Whether a slug is one of the family's."""
    entry = policies.algorithms(variants=True).get(slug)
    return entry is not None and entry.family == FAMILY


def chosen_of(form: Form) -> list[str]:
    """The family's slugs in the form."""
    return [slug for slug in form.chosen if is_variant(slug)]


def group(form: Form) -> html.Div:
    """The names to tick, then what composes another one, and their parameters."""
    chosen = chosen_of(form)
    offers = [name.lower() for name in READY]
    offers += [slug for slug in chosen if slug not in offers]
    said = next((form.parameters[slug] for slug in chosen if slug in form.parameters), None)
    toggles = tags.div("st-inline", toggle("compose", "Compose another of the 116"), toggle(FAMILY, "Period, penalty"))
    return tags.div(
        "",
        html.Div(IDEA, id="new-variants-note", className="st-algorithm-note"),
        tags.fieldset(
            "st-variants",
            dmc.CheckboxGroup(lines(offers), id="new-variants", value=chosen),
            toggles,
            collapse("compose", composer(FIRST)),
            collapse(FAMILY, parameters(said)),
            id="new-variants-box",
            **attributes({"aria-label": "Fractional algorithms"}),
        ),
    )


def lines(slugs: Sequence[str]) -> list[html.Div]:
    """A box to tick and a sentence for each name."""
    return [line(policies.find(slug)) for slug in slugs]


def line(algorithm: Algorithm) -> html.Div:
    """One name."""
    note = READY.get(algorithm.title, algorithm.summary)
    return tags.div(
        "st-variant-line",
        dmc.Checkbox(value=algorithm.slug, label=algorithm.title, className="st-pick", size="xs"),
        html.Div(note, className="st-algorithm-note", title=algorithm.summary),
    )


def toggle(of: str, words: str) -> html.Button:
    """Opens and closes a part."""
    return tags.button(
        "st-toggle",
        html.Span(words),
        icon("chevron-down"),
        id={"part": "toggle", "of": of},
        **attributes({"aria-expanded": "false"}),
    )


def collapse(of: str, body: Any, *, opened: bool = False) -> dmc.Collapse:
    """What a toggle opens."""
    return dmc.Collapse(body, id={"part": "collapse", "of": of}, opened=opened, transitionDuration=0)


def composer(name: str) -> html.Div:
    """Five choices, the name that they make, and the button that adds it."""
    _, values, offered = narrowed(next(key for key, one in known().items() if one == name))
    fields = [
        tags.div(
            "st-field",
            html.Div(title, className="st-label"),
            dmc.Select(
                id=f"variant-{part}",
                value=value,
                data=data,
                allowDeselect=False,
                w=width,
                size="sm",
                attributes={"input": {"aria-label": title}},
            ),
        )
        for (part, (title, _, width)), value, data in zip(CHOICES.items(), values, offered, strict=True)
    ]
    made = tags.div(
        "st-composed",
        tags.div(
            "st-grow",
            html.Div(name, id="variant-name", className="st-mono st-strong"),
            html.Div(policies.find(name).summary, id="variant-words", className="st-caption"),
        ),
        tags.button("st-button", icon("plus"), "Add", id="variant-add"),
    )
    return tags.div("st-well st-composer", html.Div(fields, className="st-form"), made)


def parameters(said: Mapping[str, Any] | None) -> html.Div:
    """Period and penalty of all chosen names."""
    return tags.div(
        "st-well st-algorithm-form",
        parameter_form("algorithm", FAMILY, (PERIOD, PENALTY), said),
        tags.div(
            "st-formsource",
            html.Div(SOURCE.partition(",")[0] + " 2011"),
            dcc.Link("What they mean", href=urls.algorithm(FAMILY)),
            html.Button("Reset to the paper's values", id={"part": "reset", "of": FAMILY}, className="st-link"),
        ),
    )
