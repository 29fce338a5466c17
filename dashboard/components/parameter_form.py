"""The form of any registered thing, drawn from its `Parameter` objects.

An algorithm, generator or conversion declares what may be set, within which bounds and what it means; this is the
only place that turns such a declaration into inputs, and inputs back into values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import dash_mantine_components as dmc
from dash import html

from shadowtime.dashboard.components import phrase_field, tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.parameters import Choice, Flag, Parameter, Phrase, Real, Whole

SWITCH = 26
"""Letters that fit on a switch; a choice of more is a list."""

WIDE = 240
"""Pixels of a field; one with a wider list is as wide as that (`.st-widefield`)."""

WORDS = {"k": "week", "rho": "offered load", "minvt": "least virtual time"}
"""Letters of papers, in words."""


def parameter_form(
    form: str, owner: str, parameters: Iterable[Parameter], values: Mapping[str, Any] | None = None
) -> html.Div:
    """Inputs for all `parameters`, in their order.

    form, owner: become part of each input's id, `{"form": form, "of": owner, "name": ...}`: a callback reads all inputs
        of one form by pattern.
    values: what the inputs hold; the defaults of the parameters where nothing is said.
    """
    given = values or {}
    return html.Div(
        [field(form, owner, parameter, given.get(parameter.name, parameter.default)) for parameter in parameters],
        className="st-form",
    )


def field(form: str, owner: str, parameter: Parameter, value: Any) -> html.Div:
    """One labelled input; what the parameter does stands under the pointer and for readers of the page."""
    identity = {"form": form, "of": owner, "name": parameter.name}
    title = label(parameter)
    description = f"{parameter.text} ({parameter.rule()})"
    more: list[Any] = []
    match parameter:
        case Phrase():
            description = parameter.text
            control: Any = choice(identity, parameter, phrase_field.split(parameter, value)[0])
            more = phrase_field.arguments(identity, parameter, value, checked_number)
        case Choice():
            control = choice(identity, parameter, value)
        case Flag():
            control = dmc.SegmentedControl(
                id=identity,
                value=shown(parameter, value),
                data=[{"value": "true", "label": "Yes"}, {"value": "false", "label": "No"}],
                size="xs",
            )
        case Real() | Whole():
            control, *more = checked_number(identity, parameter, value)
        case _:
            raise TypeError(f"no input is known for {type(parameter).__name__} {parameter.name!r}")
    unit = getattr(parameter, "unit", "")
    return tags.div(
        classes(parameter, control),
        html.Div(f"{title} ({unit})" if unit else title, className="st-label"),
        control,
        *more,
        html.Div(meaning(parameter), className="st-caption st-meaning"),
        title=description,
        role="group",
        **attributes({"aria-label": f"{title}: {description}"}),
    )


def classes(parameter: Parameter, control: Any) -> str:
    """The classes of a field: they set how wide it may be."""
    if isinstance(parameter, Phrase):
        return "st-field st-phrase"
    return "st-field st-widefield" if (getattr(control, "w", None) or 0) > WIDE else "st-field"


def choice(identity: dict, parameter: Choice, value: Any) -> Any:
    """A switch for up to three short words, else a list."""
    data = [{"value": word, "label": label} for word, label in parameter.choices.items()]
    if len(data) <= 3 and sum(len(entry["label"]) for entry in data) <= SWITCH:
        return dmc.SegmentedControl(id=identity, value=value, data=data, size="xs")
    longest = max(len(entry["label"]) for entry in data)
    width = min(320, max(150, 58 + 7 * longest))
    return dmc.Select(
        id=identity, value=value, data=data, allowDeselect=False, w=width, size="sm", attributes=named(parameter)
    )


def number(identity: Mapping[str, str], parameter: Real | Whole, value: Any) -> dmc.TextInput:
    """An input that keeps what is typed, so that a mistake is named beside it instead of being replaced."""
    held = shown(parameter, value)
    if is_as_generated(parameter) and not held:
        held = ""
    return dmc.TextInput(
        id=dict(identity) or "number",
        value=written(held),
        placeholder=placeholder(parameter),
        debounce=300,
        w=112,
        size="sm",
        attributes={"input": {"inputMode": "decimal", "autoComplete": "off"}},
    )


def checked_number(
    identity: Mapping[str, str], parameter: Real | Whole, value: Any, name: str = ""
) -> tuple[dmc.TextInput, html.Div]:
    """An input and the place that names what is wrong with its text; name: for readers of the page."""
    box = number(identity, parameter, value)
    if name:
        box.attributes["input"]["aria-label"] = name
    return box, html.Div(mistake(parameter, box.value), id=place_of_mistake(identity), className="st-mistake")


def written(value: Any) -> str:
    """A number as a person types it, with commas between thousands; a text as it is."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        value = int(value)
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def placeholder(parameter: Real | Whole) -> str:
    """What holds while an input is empty."""
    if is_as_generated(parameter):
        return "as generated"
    return "from the workload" if parameter.default is None else written(parameter.default)


def is_as_generated(parameter: Parameter) -> bool:
    """Whether 0 leaves the load as the generator draws it."""
    return parameter.name == "load" and parameter.default == 0


def meaning(parameter: Parameter) -> str:
    """What a parameter does and what it may be, under its input."""
    if not isinstance(parameter, Real | Whole):
        return parameter.text
    rule = parameter.rule()
    return f"{parameter.text} {rule[:1].upper()}{rule[1:]}."


def place_of_mistake(identity: Mapping[str, str]) -> dict[str, str]:
    """Id of the element that names what is wrong with the text of an input."""
    return {"mistake": identity["form"], "of": identity["of"], "name": identity["name"]}


def mistake(parameter: Parameter, value: Any) -> str:
    """What is wrong with a number as it was typed; empty for a good one, and for an empty input."""
    try:
        typed(parameter, value)
    except InvalidParameter:
        return f"{_breaks_its_rule(parameter, value)}."
    return ""


def typed(parameter: Parameter, value: Any) -> Any:
    """Return the number that was typed, commas between thousands allowed; None for an empty input.

    Raises
    ------
    InvalidParameter
        If the text is no number, or one that the parameter does not take.
    """
    text = str(value).replace(",", "").strip() if isinstance(value, str) else value
    if text is None or text == "":
        return None
    try:
        return parameter.check(text, label(parameter))
    except InvalidParameter:
        raise InvalidParameter(f"{label(parameter)}: {_breaks_its_rule(parameter, value)}") from None


def _breaks_its_rule(parameter: Parameter, value: Any) -> str:
    return f"{str(value).strip()[:40]!r} is not {parameter.rule()}"


def named(parameter: Parameter) -> dict[str, dict[str, str]]:
    """Return the attributes that give the input of a parameter its name for readers of the page."""
    return {"input": {"aria-label": label(parameter)}}


def shown(parameter: Parameter, value: Any) -> Any:
    """What the input of a parameter holds for `value`; None stands for the default."""
    value = parameter.default if value is None else value
    if isinstance(parameter, Flag):
        return "true" if str(value).lower() == "true" else "false"  # a kept form has texts
    return "" if value is None else value


def default_input(parameters: Iterable[Parameter], name: str) -> Any:
    """What the input called `name` holds by default; that of an argument is called `prediction:mean`."""
    known = {parameter.name: parameter for parameter in parameters}
    name, _, word = name.partition(":")
    found = known[name]
    if isinstance(found, Phrase):
        return written(phrase_field.first(found, word)) if word else phrase_field.split(found, found.default)[0]
    return number({}, found, None).value if isinstance(found, Real | Whole) else shown(found, None)


def label(parameter: Parameter) -> str:
    """A parameter's name as words."""
    words = WORDS.get(parameter.name, parameter.name.replace("_", " "))
    return words[:1].upper() + words[1:]


def read(parameters: Iterable[Parameter], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What a person set: the values of `inputs` that differ from the defaults; empty ones say nothing.

    Only these go into a question, so that its canonical form fills in the rest itself.
    """
    changed = {}
    for parameter in parameters:
        value = inputs.get(parameter.name)
        if isinstance(parameter, Real | Whole) and isinstance(value, str):
            value = typed(parameter, value)
        if value is None or value == "":
            continue
        if isinstance(parameter, Phrase):
            value = phrase_field.spoken(parameter, inputs)
        if isinstance(parameter, Flag):
            value = str(value).lower() == "true"
        if isinstance(parameter, Whole) and isinstance(value, float) and value.is_integer():
            value = int(value)
        if parameter.default is None or value != parameter.default:
            changed[parameter.name] = value
    return changed


def by_owner(ids: Iterable[Mapping[str, str]], values: Iterable[Any]) -> dict[str, dict[str, Any]]:
    """Return `{owner: {name: value}}` of the inputs of a pattern, given their ids and values."""
    grouped: dict[str, dict[str, Any]] = {}
    for identity, value in zip(ids, values, strict=True):
        grouped.setdefault(identity["of"], {})[identity["name"]] = value
    return grouped
