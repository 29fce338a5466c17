"""The rows of the form of a new run: workload, conversions, platform, algorithms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html

from shadowtime.dashboard.components import as_json, fractional_form, naming, tags
from shadowtime.dashboard.components.attributes import attributes, identified
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.parameter_form import label, mistake, parameter_form
from shadowtime.dashboard.components.question import SIZES, Form, chip_step, form_parameters, with_stated
from shadowtime.dashboard.components.workload_cards import separated, workload_cards
from shadowtime.dashboard.look import words
from shadowtime.dashboard.pages.algorithms import family_title
from shadowtime.dashboard.sharing import urls
from shadowtime.engine import registry as policies
from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.families.rigid.orders import ORDERS
from shadowtime.engine.parameters import Parameter, Phrase, Whole
from shadowtime.engine.registry import conversions, find_conversion
from shadowtime.engine.workload.generators.generator import SEED
from shadowtime.workers.store import WorkloadEntry


def row(title: str, content: Any, note: Any = "", identity: str = "") -> html.Section:
    """A label on the left, what it is about on the right."""
    said = html.Div(note, className="st-caption", **identified(identity))
    return tags.section(
        "st-row", tags.div("st-rowname", html.H2(title), said), html.Div(content, className="st-rowbody")
    )


def workload_row(form: Form, stored: Sequence[WorkloadEntry], max_upload: int) -> html.Section:
    """A trace or a generator."""
    return row("Workload", workload_cards(form, stored, max_upload))


def conversions_row(form: Form) -> html.Section:
    """Ordered steps from the workload to the jobs that are run."""
    entries = [
        dmc.MenuItem(
            [html.Span(entry.title, className="st-strong"), html.Div(entry.summary, className="st-small st-ink3")],
            id={"add": entry.slug, "of": "menu"},
        )
        for entry in conversions().values()
    ]
    add = dmc.Menu(
        [dmc.MenuTarget(tags.button("st-button st-plain", icon("plus"), "Add")), dmc.MenuDropdown(entries)],
        position="bottom-start",
        width=320,
        classNames={"dropdown": "st-dropdown st-scrollmenu"},
    )
    seed = tags.div(
        "st-inline st-seed",
        html.Span("random seed", className="st-ink2"),
        whole_input("new-seed", "random seed", SEED, form.seed, "0"),
    )
    return row(
        "Conversions",
        [
            tags.div("st-chipline", html.Div(id="new-chips", className="st-chips"), add, seed),
            html.Div(id="new-stepforms"),
        ],
    )


def chips(steps: Sequence[Mapping[str, Any]], last: str) -> list[Any]:
    """The steps in order; beside the last one, what comes out of all."""
    found: list[Any] = []
    for number, step in enumerate(steps, start=1):
        name = step["name"].replace("_", " ")
        value = naming.conversion_words(chip_step(step)).removeprefix(name).strip()
        body = [
            html.Span(f"{number}", className="st-ink3"),
            html.Span(name),
            html.Span(value, className="st-strong"),
            *([html.Span(last, className="st-ink3")] if number == len(steps) and last else []),
            html.Button(
                icon("x", 14),
                id={"remove": number - 1},
                className="st-chipclose",
                **attributes({"aria-label": f"Remove {name}"}),
            ),
        ]
        found += [icon("arrow-right", 15, "st-ink3")] if number > 1 else []
        found.append(html.Span(body, className="st-stepchip"))
    return found or [html.Span("none", className="st-ink3")]


def step_forms(steps: Sequence[Mapping[str, Any]]) -> list[Any]:
    """What may be set of each step."""
    return [
        tags.div(
            "st-well st-stepform",
            html.Div(find_conversion(step["name"]).title, className="st-stepname"),
            parameter_form("conversion", str(at), form_parameters(step["name"]), step["parameters"]),
        )
        for at, step in enumerate(steps)
    ]


def platform_row(form: Form) -> html.Section:
    """The machine, and the runtimes that schedulers see."""
    said = form.machine
    units = [{"value": "processors", "label": "Processors"}, {"value": "nodes", "label": "Nodes"}]
    choices = [{"value": "requested", "label": "Requested"}, {"value": "actual", "label": "Actual"}]
    nodes = [size_input("new-nodes", "nodes", said.get("nodes")), html.Span("of", className="st-ink3")]
    cores = [
        size_input("new-cores", "cores per node", said.get("cores_per_node")),
        html.Span("cores", className="st-ink3"),
    ]
    content = [
        dmc.SegmentedControl(id="new-unit", value="nodes" if "nodes" in said else "processors", data=units),
        html.Div(size_input("new-processors", "processors", said.get("processors")), id="box-processors"),
        tags.div("st-inline st-hidden", *nodes, *cores, id="box-nodes"),
        html.Span("", id="platform-words", className="st-ink3"),
        html.Div(className="st-grow"),
        tags.div(
            "st-inline",
            html.Span("estimates", className="st-ink2"),
            dmc.SegmentedControl(id="new-estimates", value=form.estimates or "requested", data=choices),
        ),
    ]
    return row("Platform", html.Div(content, className="st-inline st-platform"))


def size_input(identity: str, name: str, value: Any) -> html.Div:
    """Part of the machine, empty for that of the workload, be it a trace or made by a generator."""
    return whole_input(identity, name, SIZES[name.replace(" ", "_")], value, "from workload")


def whole_input(identity: str, name: str, parameter: Whole, value: Any, empty: str) -> html.Div:
    """A whole number and what is wrong with it; `empty` is what holds while the field is empty."""
    box = dmc.TextInput(
        id=identity,
        value="" if value in (None, 0) else f"{value:,}" if isinstance(value, int) else value,
        w=136,
        debounce=300,
        placeholder=empty,
        attributes={"input": {"aria-label": name, "inputMode": "numeric", "autoComplete": "off"}},
    )
    said = html.Div(mistake(parameter, box.value), id=f"{identity}-mistake", className="st-mistake")
    return html.Div([box, said])


def algorithms_row(form: Form) -> html.Section:
    """All algorithms by family: those that take the jobs, and behind a button those that need a conversion."""
    known = list(policies.algorithms().values())
    groups = [
        tags.div(
            USABLE,
            html.Div(family_title(name), className="st-ink3 st-familylabel"),
            fractional_form.group(form)
            if name == fractional_form.FAMILY
            else html.Div(lines([one for one in known if one.kinds[0] == name], form), className="st-lines"),
            id={"group": name},
        )
        for name in families()
    ]
    button = tags.button(
        "st-toggle",
        html.Span("", id="new-fold-words"),
        icon("chevron-down"),
        **attributes({"data-fold": "new-families", "aria-expanded": "false"}),
    )
    fold = tags.div("st-hidden", button, html.Div(id="new-fold-adds", className="st-small st-ink3"), id="new-fold")
    content = tags.div("st-families", *groups, fold, id="new-families")
    return row("Algorithms", content, f"{len(form.chosen)} chosen", "new-chosen")


USABLE, UNUSABLE = "st-familygroup", "st-familygroup st-unusable"
LINE, UNUSABLE_LINE = "st-algorithm-box", "st-algorithm-box st-unusable"


def families() -> list[str]:
    """The families in the order of the page."""
    return list(dict.fromkeys(one.kinds[0] for one in policies.algorithms().values()))


def usable(accepts: Mapping[str, Mapping[str, Any]] | None, slugs: Sequence[str]) -> dict[str, Any]:
    """Which groups and lines stand behind the fold, and its head; None: no jobs are known, so that none does.

    accepts
        By slug, whether it takes the jobs and which conversions make them so.
    """
    if accepts is None:
        shown = {"groups": [USABLE] * len(families()), "lines": [LINE] * len(slugs)}
        return {**shown, "fold_words": "", "fold_adds": None, "fold": "st-hidden"}
    fit = {slug: accepts[slug]["accepted"] for slug in accepts}
    kinds = {slug: policies.find(slug).kinds[0] for slug in fit}
    takes = {kinds[slug] for slug, is_fit in fit.items() if is_fit}
    away = [slug for slug in policies.algorithms() if not fit[slug]]
    return {
        "groups": [USABLE if name in takes else UNUSABLE for name in families()],
        "lines": [LINE if fit[slug] else UNUSABLE_LINE for slug in slugs],
        "fold_words": f"{words.count(len(away), 'algorithm')} {'needs' if len(away) == 1 else 'need'} a conversion "
        "or other jobs",
        "fold_adds": fold_adds([accepts[slug] for slug in away]),
        "fold": "st-fold" if away else "st-hidden",
    }


def fold_adds(away: Sequence[Mapping[str, Any]]) -> Any:
    """The conversions that bring the algorithms behind the button, a click each, with how many they bring."""
    counts = Counter(name for one in away for name in one["conversions"])
    adds = [
        html.Button(f"{find_conversion(name).title} ({n})", id={"add": name, "of": "fold"}, className="st-link")
        for name, n in counts.most_common()
    ]
    return ["Convert: ", *separated(adds)] if adds else None


FOLDED = (*ORDERS, "slack", "lookahead")
"""Algorithms of rigid jobs that stand behind a button; FCFS is one of the orders."""
BEHIND = ("backfill_order", "reserve_after", "event_order", "overrun")
"""Smaller parameters of an algorithm with phrases, behind a button too."""


def lines(algorithms: Sequence[Algorithm], form: Form) -> list[Any]:
    """The algorithms of a family; many named combinations of backfilling are folded, unless one is chosen."""
    few = [one for one in algorithms if one.family != "rigid" or one.slug not in FOLDED or one.slug == "fcfs"]
    more = [one for one in algorithms if one not in few]
    shown: list[Any] = [algorithm_line(one, form) for one in few]
    if more:
        opened = any(one.slug in form.chosen for one in more)
        orders = sum(one.slug in ORDERS for one in more)
        button = fractional_form.toggle("more rigid", f"Slack, Lookahead, and EASY under {orders} other orders")
        folded: list[Any] = [algorithm_line(one, form) for one in more]
        body = html.Div(folded, className="st-lines")
        shown += [
            html.Div(button, className="st-hidden" if opened else ""),
            fractional_form.collapse("more rigid", body, opened=opened),
        ]
    return shown


def algorithm_inputs(slug: str, known: Sequence[Parameter], values: Mapping[str, Any] | None) -> list[Any]:
    """The form of an algorithm; where it has phrases, the smaller parameters stand behind a button."""
    behind = [one for one in known if one.name in BEHIND]
    if not behind or not any(isinstance(one, Phrase) for one in known):
        return [parameter_form("algorithm", slug, known, values)]
    front = [one for one in known if one.name not in BEHIND]
    changed = any((values or {}).get(one.name, one.default) != one.default for one in behind)
    more = f"{slug} more"
    said = words.joined([label(one).lower() for one in behind])
    button = fractional_form.toggle(more, said[:1].upper() + said[1:])
    body = parameter_form("algorithm", slug, behind, values)
    return [
        parameter_form("algorithm", slug, front, values),
        html.Div(
            [
                html.Div(button, className="st-hidden" if changed else ""),
                fractional_form.collapse(more, body, opened=changed),
            ],
            className="st-behind",
        ),
    ]


def algorithm_line(algorithm: Algorithm, form: Form) -> html.Div:
    """A box to tick, one sentence, and what its form opens in: all forms are 2,000 components, nine tenths of the
    page, so that one whose values are the defaults is made when it is opened."""
    slug, inputs = algorithm.slug, form.parameters.get(algorithm.slug)
    said = slug, algorithm.title, algorithm.summary, len(algorithm.parameters), slug in form.chosen
    return line(*said, algorithm_form(algorithm, form.stated, inputs)) if inputs else line_without_form(*said)


def line(
    slug: str, title: str, summary: str, parameters: int, is_chosen: bool, form: html.Div | None = None
) -> html.Div:
    """The box, the sentence and the button of an algorithm, above its form."""
    toggle = tags.button(
        "st-toggle" if parameters else "st-hidden",
        html.Span(f"{parameters} parameters" if parameters != 1 else "1 parameter"),
        icon("chevron-down"),
        id={"part": "toggle", "of": slug},
        **attributes({"aria-label": f"Parameters of {title}"}),
    )
    head = tags.div(
        "st-algorithm-line",
        dmc.Checkbox(id={"pick": slug}, checked=is_chosen, label=title, className="st-pick", size="xs"),
        html.Div(summary, id={"note": slug}, className="st-algorithm-note"),
        html.Div(toggle),
    )
    below = dmc.Collapse(form, id={"part": "collapse", "of": slug}, opened=False, transitionDuration=0)
    return tags.div(LINE, head, below, id={"line": slug})


@lru_cache(1024)
def line_without_form(*said: Any) -> html.Div:
    """A `line` that pages share: to make all of them took a third of the time of the page."""
    return as_json.shared(line(*said))


def algorithm_form(
    algorithm: Algorithm, stated: Mapping[str, Any], inputs: Mapping[str, Any] | None = None
) -> html.Div:
    """The parameters of an algorithm, and where they come from; `inputs`: values other than the defaults, in whose
    place those hold that the jobs state."""
    slug = algorithm.slug
    is_stated = any(one.name in stated for one in algorithm.parameters)
    whose = "the values of the log" if is_stated else "the paper's values"
    return tags.div(
        "st-well st-algorithm-form",
        *algorithm_inputs(slug, with_stated(algorithm.parameters, stated), inputs),
        tags.div(
            "st-formsource",
            html.Div(algorithm.source),
            dcc.Link("What they mean", href=urls.algorithm(slug)),
            html.Button(f"Reset to {whose}", id={"part": "reset", "of": slug}, className="st-link"),
        ),
    )


def algorithm_note(algorithm: Algorithm, accepts: Mapping[str, Any] | None) -> Any:
    """Its sentence, or which conversion would make it possible."""
    if accepts is None or accepts["accepted"]:
        return algorithm.summary
    helping = accepts["conversions"]
    if algorithm.needs_record:
        return "Takes logs that say when their jobs started; another load has no record."
    which = " in which each task has one machine" if algorithm.one_machine else ""
    kinds = words.joined([kind.replace("_", "-") for kind in algorithm.kinds], "or")
    takes = f"Takes {kinds} workloads{which}. "
    if not helping:
        return takes.strip()
    links = [html.Button(name, id={"add": name, "of": algorithm.slug}, className="st-link") for name in helping]
    return [takes, "Add the conversion ", *separated(links), " to use it."]
