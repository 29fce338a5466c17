"""Answers to the form of a new run: cards, steps, what would be queued, what is proven."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dash import html

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.components import (
    asking,
    fractional_form,
    naming,
    phrase_field,
    question_rows,
    table_columns,
    to_be_queued,
    workload_cards,
)
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.chart import plain
from shadowtime.dashboard.components.parameter_form import default_input
from shadowtime.dashboard.components.parameter_form import mistake as number_mistake
from shadowtime.dashboard.components.preview import generated, weeks
from shadowtime.dashboard.components.question import GENERATOR, Form, chip_step, form_parameters, initial, with_stated
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.figures import shape
from shadowtime.dashboard.look import words
from shadowtime.engine import registry as policies
from shadowtime.engine.errors import QuestionError
from shadowtime.engine.parameters import Parameter, Phrase
from shadowtime.engine.registry import conversions, find_generator
from shadowtime.engine.workload.generators.generator import SEED
from shadowtime.workers.errors import NotFound
from shadowtime.workers.store import WorkloadEntry

LOOKED_AT = 100
"""Latest workloads whose files the empty card offers."""
SUGGESTED = 4
"""Schedulers that are offered where none of those chosen takes the jobs."""


def latest_traces(context: Context) -> list[WorkloadEntry]:
    """The latest files that were sent."""
    latest = context.store.workloads.list(limit=LOOKED_AT).rows
    return [entry for entry in latest if "digest" in entry.source]


def parameters_of(owner: str) -> Sequence[Parameter]:
    """The parameters in the form of an algorithm, or of the fractional family."""
    return policies.find(fractional_form.FIRST if owner == fractional_form.FAMILY else owner).parameters


def defaults(inputs: Sequence[Mapping[str, str]], stated: Mapping[str, Any]) -> list[Any]:
    """The values of the paper, or those that the jobs state, for the inputs of an algorithm's form, given by their
    ids."""
    return [default_input(with_stated(parameters_of(one["of"]), stated), one["name"]) for one in inputs]


def mistake(identity: Mapping[str, str], value: Any) -> str:
    """What is wrong with the argument in an input of an algorithm's form."""
    name, _, word = identity["name"].partition(":")
    phrase = next(one for one in policies.find(identity["of"]).parameters if one.name == name)
    return phrase_field.mistake(phrase, word, value) if isinstance(phrase, Phrase) else ""


def mistakes(
    form: str,
    steps: Sequence[Mapping[str, Any]],
    inputs: Sequence[Mapping[str, str]],
    values: Sequence[Any],
    places: Sequence[Mapping[str, str]],
) -> list[str]:
    """What is wrong with the numbers in the forms of a sort, in the order of the places that name it."""
    given = {(one["of"], one["name"]): value for one, value in zip(inputs, values, strict=True)}
    said = []
    for place in places:
        owner, (name, _, word) = place["of"], place["name"].partition(":")
        found = next((one for one in _parameters(form, owner, steps) if one.name == name), None)
        if isinstance(found, Phrase):
            found = found.arguments.get(word)
        said.append(number_mistake(found, given.get((owner, place["name"]))) if found else "")
    return said


def _parameters(form: str, owner: str, steps: Sequence[Mapping[str, Any]]) -> Sequence[Parameter]:
    if form == GENERATOR:
        return (*find_generator(owner).parameters, SEED)
    if form == "conversion":
        return form_parameters(steps[int(owner)]["name"]) if int(owner) < len(steps) else ()
    return parameters_of(owner)


def trace_card(
    context: Context, chosen: Mapping[str, Any] | None, folds: Mapping[str, bool] = table_columns.FOLDED
) -> tuple[Any, str]:
    """The card's body and the word on its button; folds: whether each fold is open."""
    if chosen and chosen.get("table"):
        return table_columns.unread(chosen, folds), "Choose another file"
    if not chosen or not chosen.get("id"):
        return _no_trace(context), "Choose a file"
    try:
        entry = context.store.workloads.get(chosen["id"])
        case = chosen.get("case") or (entry.cases[0] if entry.cases else None)
        reference = f"{entry.digest}#{case}" if case else entry.digest
        may_be_table = "digest" in entry.source and entry.kind == "rigid"
        table = asking.columns(context, reference) if may_be_table else None
        if table and table["missing"]:
            return table_columns.unread({**chosen, "table": table}, folds), "Replace or drop another"
        looks = asking.preview(context, reference)
    except (Refusal, NotFound) as refusal:
        return [to_be_queued.refused(str(refusal)), *_no_trace(context)], "Choose a file"
    body = workload_cards.read_trace(entry, case, looks, chosen.get("size"), table, folds)
    return body, "Replace or drop another"


def choose_columns(
    context: Context, trace: Mapping[str, Any], columns: Mapping[str, str | None], units: Mapping[str, str | None]
) -> dict[str, Any] | None:
    """The trace with the columns that were chosen in its form; None where nothing changed."""
    case = trace.get("case") or ""
    table = trace.get("table") or asking.columns(context, f"{trace['id']}#{case}" if case else trace["id"])
    chosen = table_columns.chosen(table, case, columns, units) if table else None
    return None if chosen is None else {**trace, "case": chosen}


def _no_trace(context: Context) -> list[Any]:
    offered = workload_cards.no_trace(latest_traces(context), context.settings.max_upload)
    return [*offered, *workload_cards.damaged_traces(context.store.workloads.damaged())]


def generator_card(
    context: Context, slug: str, values: Mapping[str, Any], folds: Mapping[str, bool] = table_columns.FOLDED
) -> tuple[Any, ...]:
    """What this seed makes: figure, table, words."""
    form = Form(kind=GENERATOR, generator=slug, drawn=values)
    try:
        looks = asking.ask(context, {**form.workload(), "bounds": False})["workload"]
    except (Refusal, QuestionError) as refusal:
        return None, None, html.Span(to_be_queued.sentence(str(refusal)), className="st-bad")
    figure = plain(shape.figure(looks, "accent"))
    table = workload_cards.shape_table("generator-shape", looks, folds)
    return figure, table, f"Preview of what this seed makes: {generated(looks)}"


def answered(context: Context, form: Form, slugs: Sequence[str]) -> dict[str, Any]:
    """Everything that the page shows for the current form."""
    nothing: dict[str, Any] = {
        "question": None,
        "first": first_values(None),
        "queue": html.P("Upload a trace, or choose a generator.", className="st-ink3"),
        "jobs": "",
        "refusal": None,
        "chips": question_rows.chips(form.steps, ""),
        "platform": "",
        "command": "",
        "copy": "",
        "no_copy": True,
        "chosen": f"{len(form.chosen)} chosen",
        "disabled": [False] * len(slugs),
        "notes": [question_rows.algorithm_note(policies.find(slug), None) for slug in slugs],
        "variants": fractional_form.IDEA,
        "no_variants": False,
        **question_rows.usable(None, slugs),
    }
    if not form.has_workload:
        return nothing
    try:
        question = form.question()
    except QuestionError as error:
        return {**nothing, "refusal": to_be_queued.refused(str(error)), "queue": None, "jobs": jobs_words(form)}
    try:
        known = asking.ask(context, {**question.base, "algorithms": question.asked, "bounds": False})
    except Refusal as refusal:
        shown, copied = to_be_queued.commands(question)
        said = {
            "command": shown,
            "copy": copied,
            "no_copy": not copied,
            "refusal": to_be_queued.refused(refusal.sentence),
        }
        return {**nothing, **said, "queue": None}
    accepts = known["algorithms"]
    variants = accepts[fractional_form.FIRST.lower()]
    fits = [accepts.get(slug, variants)["accepted"] for slug in form.chosen]
    runs = [run for run, does in zip(known["runs"], fits, strict=True) if does]
    aside = [slug for slug, does in zip(form.chosen, fits, strict=True) if not does]
    question = question.only(fits)
    known = {
        **known,
        "runs": [{**run, "parameters": one["parameters"]} for run, one in zip(runs, question.asked, strict=True)],
    }
    shown, copied = to_be_queued.commands(question)
    facts = known["workload"]["facts"]
    load = f", load {words.number(facts['offered_load'])}" if facts["offered_load"] is not None else ""
    health = context.queue.health()
    return {
        **nothing,
        "command": shown,
        "copy": copied,
        "no_copy": not copied,
        "chosen": f"{len(question.asked)} chosen" + (f", {len(aside)} not applicable to these jobs" if aside else ""),
        "question": {**question.base, "algorithms": question.asked, "runs": known["runs"]},
        "first": first_values(known["workload"]),
        "queue": [*set_aside(aside, known), *to_be_queued.queue(known, health.workers)],
        "jobs": jobs_words(form),
        "chips": question_rows.chips(form.steps, f"· {words.count(facts['jobs'], 'job')}{load}"),
        "platform": platform_words(form, known),
        "disabled": [not accepts[slug]["accepted"] for slug in slugs],
        "notes": [question_rows.algorithm_note(policies.find(slug), accepts[slug]) for slug in slugs],
        "variants": variants_note(variants),
        "no_variants": not variants["accepted"],
        **question_rows.usable(accepts, slugs),
    }


def set_aside(slugs: Sequence[str], known: Mapping[str, Any]) -> list[Any]:
    """Which chosen schedulers do not take these jobs; when that leaves none, which do."""
    if not slugs:
        return []
    names = words.joined([naming.algorithm_words(slug) for slug in slugs])
    kind = known["workload"]["kind"].replace("_", "-")
    takes = f"{kind} jobs"
    if all(policies.find(slug).needs_record for slug in slugs):
        takes = "jobs without recorded starts"
    parts: list[Any] = [f"{names} {'does' if len(slugs) == 1 else 'do'} not take {takes}."]
    if not known["runs"]:
        fit = [slug for slug, one in known["algorithms"].items() if one["accepted"]][:SUGGESTED]
        ticks = [
            html.Button(naming.algorithm_words(slug), className="st-link", **attributes({"data-tick": slug}))
            for slug in fit
        ]
        parts += [" Try ", *workload_cards.separated(ticks), "."] if ticks else []
    return [html.P(parts, className="st-ink2 st-small")]


def variants_note(accepts: Mapping[str, Any]) -> Any:
    """What the fractional family is, or which conversion would make it possible."""
    if accepts["accepted"]:
        return fractional_form.IDEA
    return question_rows.algorithm_note(policies.find(fractional_form.FIRST), accepts)


def first_values(looks: Mapping[str, Any] | None) -> dict[str, dict[str, Any]]:
    """What the form of each conversion holds when the step is added to these jobs."""
    return {slug: initial(slug, weeks(looks) if looks else None) for slug in conversions()}


def jobs_words(form: Form) -> str:
    """What the jobs are called."""
    if form.kind == GENERATOR:
        seed = form.drawn.get("seed") or 0
        name = f"{naming.generator_words({'generator': form.generator, 'seed': seed})}"
    else:
        trace = form.trace or {}
        name = naming.file_words(trace.get("name", ""), trace.get("case"))
    return ", ".join([name, *map(naming.conversion_words, map(chip_step, form.steps))])


def platform_words(form: Form, known: Mapping[str, Any]) -> Any:
    """Where the size of the machine comes from; for a log that does not say it, what it had in use."""
    used = known.get("most_in_use")
    if used:
        said = f"The log does not say how large its machine is; at most {words.count(used, 'processor')} were in use."
        return [said, " ", html.Button(f"Use {used:,}", id={"machine": used}, className="st-link")]
    if form.machine or not known["platform"]:
        return ""
    said = "the generator's machine" if form.kind == GENERATOR else "from the trace"
    return f"{naming.platform_words(known['platform'], known['workload']['kind'])}, {said}"


def known_bounds(context: Context, question: Mapping[str, Any] | None) -> Any:
    """What is proven before any run."""
    later = html.P("They are shown when the configuration is complete.", className="st-caption")
    if not question:
        return later
    asked = {name: value for name, value in question.items() if name not in ("algorithms", "runs")}
    try:
        known = asking.ask(context, {**asked, "bounds": True})
    except Refusal as refusal:
        return html.P(refusal.sentence, className="st-caption")
    if known["bounds_are_later"]:
        return to_be_queued.later_bounds()
    return to_be_queued.bounds(known["bounds"]) if known["platform"] else later
