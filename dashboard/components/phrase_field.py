"""The field of a `Phrase`: a list of its words, and beside it an input for the argument of the chosen one.

The argument of `mean` of the parameter `prediction` is an input of its own, named `prediction:mean`; `spoken` puts both
together. Inputs of other words are hidden, and keep what was typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dash_mantine_components as dmc
from dash import html

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.parameters import Parameter, Phrase, Text

WIDE = 300
"""Width of the input of a text [px]."""


def split(phrase: Phrase, value: Any) -> tuple[str, str]:
    """Return word and argument of a value, without the name of the argument."""
    word, _, argument = str(value).partition(":")
    named = f"{phrase.arguments[word].name}=" if word in phrase.arguments else ""
    return word, argument.removeprefix(named) if named != "=" else argument


def first(phrase: Phrase, word: str) -> Any:
    """Return what the input of an argument holds at first: its default, else the example of its rule."""
    argument = phrase.arguments[word]
    return argument.rule().partition("for example ")[2] if argument.default is None else argument.default


def spoken(phrase: Phrase, inputs: Mapping[str, Any]) -> str:
    """Return the value of a phrase from the inputs of its form: `easy:depth=2`; a wrong expression as it was typed.

    Raises
    ------
    InvalidParameter
        If the argument of the chosen word is no number, or one that it does not take.
    """
    word = str(inputs[phrase.name])
    known, argument = phrase.arguments.get(word), inputs.get(f"{phrase.name}:{word}")
    if isinstance(known, Text):
        word += "" if argument is None else f":{argument}"
    elif known is not None and str(argument or "").strip():
        word += f":{number(known, argument, f'{phrase.name.capitalize()} {word}')}"
    try:
        return str(phrase.check(word, ""))
    except InvalidParameter:
        return word


def number(argument: Parameter, value: Any, owner: str) -> Any:
    """Return the number that was typed as an argument, commas between thousands allowed."""
    try:
        return argument.check(value.replace(",", "").strip() if isinstance(value, str) else value, owner)
    except InvalidParameter:
        raise InvalidParameter(f"{owner}: {str(value).strip()[:40]!r} is not {argument.rule()}") from None


def mistake(phrase: Phrase, word: str, value: Any) -> str:
    """Return what is wrong with an argument, as one sentence; empty if nothing is."""
    text = str(value or "").strip()
    if not text:
        return "An expression is missing."
    try:
        phrase.check(f"{word}:{text}", phrase.name)
    except InvalidParameter as wrong:
        said = str(wrong).removeprefix(f"{phrase.name} = '{word}:{text[:80]}': ")
        said = said.removesuffix(f"; it must be {phrase.arguments[word].rule()}")
        return said[:1].upper() + said[1:] + "."
    return ""


def arguments(identity: Mapping[str, str], phrase: Phrase, value: Any, number: Any) -> list[html.Div]:
    """Inputs for the arguments of all words; hidden but for that of the chosen word.

    number: makes the input of a number, and the place of its mistake, from id, parameter, value and name.
    """
    chosen, given = split(phrase, value)
    return [
        html.Div(
            [
                html.Div(title(argument), className="st-label"),
                *control(identity, phrase, word, given if word == chosen else "", number),
            ],
            id={"part": "argument", "of": identity["of"], "name": phrase.name, "word": word},
            className=shown(word == chosen),
            title=argument.text,
        )
        for word, argument in phrase.arguments.items()
    ]


def shown(is_chosen: bool) -> str:
    """Return the class of an argument's box; `argumentsOf` of the New run page has the same."""
    return "st-argument" if is_chosen else "st-argument st-hidden"


def title(argument: Parameter) -> str:
    """Return the label of an argument."""
    return argument.name.capitalize() or argument.text.rstrip(".") or "Expression"


def control(identity: Mapping[str, str], phrase: Phrase, word: str, given: str, number: Any) -> list[Any]:
    """Return the input of an argument, its rule, and where a mistake is shown."""
    argument = phrase.arguments[word]
    name = {**identity, "name": f"{phrase.name}:{word}"}
    value: Any = given or first(phrase, word)
    rule = html.Div(argument.rule()[:1].upper() + argument.rule()[1:], className="st-caption")
    if not isinstance(argument, Text):
        return [*number(name, argument, value, title(argument)), rule]
    box = dmc.TextInput(
        id=name,
        value=value,
        debounce=300,
        w=WIDE,
        size="sm",
        className="st-mono",
        attributes={"input": {"aria-label": title(argument), "spellcheck": "false", "autocapitalize": "off"}},
    )
    said = mistake(phrase, word, value)
    at = {"part": "mistake", "of": identity["of"], "name": name["name"]}
    return [box, html.Div(said, id=at, className="st-mistake", role="alert"), rule]
