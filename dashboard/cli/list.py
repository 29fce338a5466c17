"""`shadowtime list`: what there is to choose from."""

from __future__ import annotations

import argparse
import json
import shutil
import textwrap
from typing import Any

from shadowtime.dashboard.cli.parser import add_json

SUMMARY = "show algorithms, generators, conversions, formats or metrics"
NAMES = 30
"""Width of the column of names."""


def configure(parser: argparse.ArgumentParser) -> None:
    """What to list."""
    parser.add_argument("what", choices=tuple(LISTS), help="of what there is")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Print the entries of a registry."""
    entries = LISTS[options.what]()
    if options.json:
        print(json.dumps({options.what: entries}, ensure_ascii=False))
    else:
        shown = [entry for entry in entries if entry.get("listed", True)]
        print("\n".join(lines(entry) for entry in shown))
        if len(shown) < len(entries):
            print(f"and {len(entries) - len(shown)} more, by names of the same form: --json lists them all")
    return 0


def algorithms() -> list[dict[str, Any]]:
    """The registered algorithms with their papers and parameters; `listed`: shown in lists."""
    from shadowtime.engine import registry as policies

    return [
        {
            "name": entry.slug,
            "listed": entry.listed,
            "title": entry.title,
            "text": entry.summary,
            "family": entry.family,
            "kinds": list(entry.kinds),
            "source": entry.source,
            "guarantee": entry.guarantee({}),
            "clairvoyant": entry.clairvoyant,
            "parameters": [described(parameter) for parameter in entry.parameters],
        }
        for entry in policies.algorithms(variants=True).values()
    ]


def generators() -> list[dict[str, Any]]:
    """What can be drawn instead of read."""
    from shadowtime.engine import registry

    return [
        {
            "name": entry.slug,
            "title": entry.title,
            "text": entry.summary,
            "kinds": [entry.kind],
            "source": entry.source,
            "parameters": [described(parameter) for parameter in entry.parameters],
        }
        for entry in registry.generators().values()
    ]


def conversions() -> list[dict[str, Any]]:
    """Steps from one workload to another; `makes` is None for one that keeps the kind."""
    from shadowtime.engine import registry

    return [
        {
            "name": entry.slug,
            "title": entry.title,
            "text": entry.summary,
            "takes": list(entry.takes),
            "makes": entry.makes or None,
            "parameters": [described(parameter) for parameter in entry.parameters],
        }
        for entry in registry.conversions().values()
    ]


def formats() -> list[dict[str, Any]]:
    """What can be read, and what a stored run can be exported to."""
    from shadowtime.dashboard.sharing.exporting import FORMS
    from shadowtime.engine.workload import reading

    read = [
        {
            "name": entry.slug,
            "title": entry.title,
            "text": entry.summary,
            "suffixes": list(entry.suffixes),
            "use": "read",
        }
        for entry in reading.formats().values()
    ]
    return read + [{"name": name, "text": form.text, "use": "export"} for name, form in FORMS.items()]


def metrics() -> list[dict[str, Any]]:
    """What a run is measured by."""
    from shadowtime.dashboard.look.definitions import metrics

    return [entry.as_dict() for entry in metrics().values()]


LISTS = {
    "algorithms": algorithms,
    "generators": generators,
    "conversions": conversions,
    "formats": formats,
    "metrics": metrics,
}


def described(parameter: Any) -> dict[str, Any]:
    """A parameter of an algorithm, generator or conversion, for people and scripts."""
    from shadowtime.dashboard.look.phrases import KEYS, is_order, meanings
    from shadowtime.engine.parameters import Phrase

    words: dict[str, Any] = {"words": dict(meanings(parameter))} if isinstance(parameter, Phrase) else {}
    text = f"{parameter.text} {KEYS}" if words and is_order(parameter) else parameter.text
    return {
        "name": parameter.name,
        "default": parameter.default,
        "rule": parameter.rule(),
        "text": text,
        **words,
    }


def lines(entry: dict[str, Any]) -> str:
    """An entry for people: name and sentence, the paper, then its parameters."""
    unit = f" [{entry['unit']}]" if entry.get("unit") else ""
    use = "export: " if entry.get("use") == "export" else ""
    text = [row(entry["name"], f"{use}{entry['text']}{unit}")]
    text += [row("", entry["source"])] if entry.get("source") else []
    if "takes" in entry:
        text.append(row("", f"{', '.join(entry['takes'])} -> {entry['makes'] or 'the same kind'}"))
    for parameter in entry.get("parameters", ()):
        default = "" if parameter["default"] is None else parameter["default"]
        words = parameter.get("words", {})
        if words and entry["name"] != "batch":
            text.append(row(f"    {parameter['name']}={default}", "as of batch"))
            continue
        rule = "" if words else f" ({parameter['rule']})"
        text.append(row(f"    {parameter['name']}={default}", f"{parameter['text']}{rule}"))
        text += [row(f"        {form}", meaning) for form, meaning in words.items()]
    return "\n".join(text)


def row(name: str, text: str) -> str:
    """A name and, in a column beside it, as many lines of text as it takes."""
    width = max(40, min(120, shutil.get_terminal_size().columns) - NAMES)
    first, *more = textwrap.wrap(text, width) or [""]
    head = f"{name:<{NAMES - 1}} {first}"
    return "\n".join([head.rstrip(), *(" " * NAMES + line for line in more)])
