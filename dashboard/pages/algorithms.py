"""Every algorithm, with its paper, what is proven of it, and what may be set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dash import dcc, html

from shadowtime.dashboard.components import fractional_table, tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.parameter_form import label
from shadowtime.dashboard.components.workload_cards import separated
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.look.phrases import KEYS, is_order, meanings
from shadowtime.dashboard.sharing import urls
from shadowtime.engine import registry as policies
from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.parameters import Choice, Flag, Parameter, Phrase

BATCH = "batch"
"""The algorithm whose parameters the named combinations fix."""
EXAMPLE = "batch:order=wfp3,backfill=conservative,prediction=user2"


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The page."""
    known = list(policies.algorithms().values())
    families = list(dict.fromkeys(algorithm.kinds[0] for algorithm in known))
    return Shown(
        "Algorithms",
        tags.div(
            "st-single",
            tags.div(
                "st-headline",
                html.H1("Algorithms"),
                html.Span("Each with its paper, its guarantee and its parameters", className="st-ink2"),
            ),
            *(family(name, [one for one in known if one.kinds[0] == name]) for name in families),
        ),
    )


def family_title(name: str) -> str:
    """`Two tiers`."""
    return policies.look_up_family(name).title


def family(name: str, algorithms: list[Algorithm]) -> html.Section:
    """The algorithms of one family under their idea."""
    return tags.section(
        "st-family",
        tags.div(
            "st-familyname",
            html.H2(family_title(name)),
            html.P(policies.look_up_family(name).summary, className="st-ink3"),
        ),
        fractional(algorithms) if name == "fractional" else html.Div([entry(one) for one in in_order(algorithms)]),
    )


def fractional(algorithms: list[Algorithm]) -> html.Article:
    """The family whose 116 names are choices out of one table."""
    most = max(algorithms, key=lambda one: len(one.parameters))
    return tags.article(
        "st-algorithm",
        html.H3(
            dcc.Link("Greedy, GreedyP, GreedyPM, MCB8", href=urls.algorithm("fractional")),
            className="st-algorithm-title",
        ),
        html.P(
            "116 algorithms: a row of the paper's table 1 says what is done when, then follow how CPU is shared "
            "out and, where MCB8 is used, a limit that holds jobs in their place."
        ),
        facts(most, html.Code(f"-a '{most.title}'")),
        fractional_table.table(),
        fractional_table.meanings(),
        parameters(most),
        id="fractional",
    )


def in_order(algorithms: list[Algorithm]) -> list[Algorithm]:
    """The algorithms, those that are names for a combination of others at the end."""
    return sorted(algorithms, key=lambda one: one.family == "rigid" and bool(fixed(one)))


def fixed(algorithm: Algorithm) -> Mapping[str, Any]:
    """The values of Batch's parameters that a named combination fixes."""
    return dict(algorithm.runner.fixed)


def facts(algorithm: Algorithm, command: Any) -> html.Dl:
    """Paper, guarantee, workloads, command."""
    kinds = ", ".join(kind.replace("_", "-") for kind in algorithm.kinds)
    known: list[tuple[str, Any]] = [
        ("Paper", algorithm.source),
        ("Guarantee", algorithm.guarantee(algorithm.defaults) or html.Span("none is proven", className="st-ink3")),
        ("Takes", f"{kinds} workloads" + ("; uses true runtimes" if algorithm.clairvoyant else "")),
        ("Command", command),
    ]
    return html.Dl([part for name, value in known for part in (html.Dt(name), html.Dd(value))], className="st-facts")


def entry(algorithm: Algorithm) -> html.Article:
    """One algorithm."""
    return tags.article(
        "st-algorithm",
        tags.h3(
            "st-algorithm-title",
            dcc.Link(algorithm.title, href=urls.algorithm(algorithm.slug)),
            html.Span(algorithm.slug, className="st-mono st-ink3"),
        ),
        html.P(f"{algorithm.summary}."),
        facts(algorithm, html.Code(f"-a {EXAMPLE if algorithm.slug == BATCH else algorithm.slug}")),
        *([combination(algorithm)] if fixed(algorithm) else []),
        parameters(algorithm),
        id=algorithm.slug,
    )


def combination(algorithm: Algorithm) -> html.P:
    """What a named combination stands for, and which parameters it shares with Batch."""
    batch = {one.name for one in policies.find(BATCH).parameters}
    shared = [html.Code(one.name) for one in algorithm.parameters if one.name in batch]
    values = ",".join(f"{name}={value}" for name, value in fixed(algorithm).items())
    parts = separated(shared)
    return html.P(["The same as ", html.Code(f"{BATCH}:{values}"), ". As of Batch: ", *parts, "."])


def parameters(algorithm: Algorithm) -> Any:
    """What may be set, with the rule and the default of each; not again what a combination shares with Batch."""
    known = algorithm.parameters
    if fixed(algorithm):
        batch = {one.name for one in policies.find(BATCH).parameters}
        known = tuple(one for one in known if one.name not in batch)
        if not known:
            return None
    if not known:
        return html.P("No parameters.", className="st-ink3")
    lines = [
        tags.tr(
            "",
            tags.th("", label(parameter), html.Br(), html.Code(parameter.name, className="st-ink3"), scope="row"),
            html.Td(default(algorithm, parameter), **attributes({"data-head": "Default"})),
            html.Td(allowed(parameter), **attributes({"data-head": "Values"})),
            html.Td(
                f"{parameter.text} {KEYS}" if isinstance(parameter, Phrase) and is_order(parameter) else parameter.text
            ),
        )
        for parameter in known
    ]
    return tags.scrolled("st-table st-stacked", ("Parameter", "Default", "Values", "Effect"), lines)


def default(algorithm: Algorithm, parameter: Parameter) -> Any:
    """The default, and where it depends on the kind of workload, the other ones."""
    others = [
        f"{named(parameter, values[parameter.name])} for {kind.replace('_', '-')}"
        for kind, values in algorithm.kind_defaults.items()
        if parameter.name in values
    ]
    if parameter.default is None:
        return "from the workload"
    return "; ".join([named(parameter, parameter.default), *others])


def named(parameter: Parameter, value: Any) -> str:
    """A value as the form shows it."""
    if isinstance(parameter, Choice):
        return str(value)
    if isinstance(parameter, Flag):
        return "yes" if value else "no"
    unit = getattr(parameter, "unit", "")
    return f"{value:g}{' ' + unit if unit else ''}"


def allowed(parameter: Parameter) -> Any:
    """The rule; of a choice, each word with its meaning."""
    if not isinstance(parameter, Choice):
        return parameter.rule()
    if isinstance(parameter, Phrase):
        lines = [html.Div([html.Code(form), f" {meaning}"]) for form, meaning in meanings(parameter)]
        return html.Div(lines, className="st-phrases")
    words = [
        tags.div("", html.Code(word), f" {label}" if label != word else "") for word, label in parameter.choices.items()
    ]
    return html.Div(words)
