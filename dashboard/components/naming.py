"""What people call a run, a workload and a machine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from shadowtime.dashboard.look import words
from shadowtime.engine import registry as policies
from shadowtime.engine.errors import QuestionError, UnknownName
from shadowtime.engine.parameters import Parameter, Phrase, Text
from shadowtime.engine.registry import find_conversion, find_generator, look_up_family
from shadowtime.workers.errors import NotFound
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import VisibleStore

SUFFIXES = re.compile(r"(\.(swf|json|txt|gz))+$", re.IGNORECASE)
ARCHIVE = re.compile(r"^([A-Za-z0-9][A-Za-z0-9-]*?)-\d{4}-\d[\d.]*(-cln)?$")
"""Names in the Parallel Workloads Archive: site, first year, version, cleaned or not."""


def file_words(name: str, case: str | None = None) -> str:
    """A file's name without what every such name has: `KTH-SP2` of `KTH-SP2-1996-2.1-cln.swf.gz`.

    case: one of several in the file. It is no part of `name`, which may have a `#` of its own.
    """
    stem = SUFFIXES.sub("", name)
    found = ARCHIVE.match(stem)
    return (found[1] if found else stem) + (f", {case}" if case else "")


def generator_words(source: Mapping[str, Any]) -> str:
    """`Lublin-Feitelson, load 0.9, seed 7`: what was said, but for the number of jobs, which stands beside it."""
    values = source.get("parameters", {})
    try:
        known = find_generator(source["generator"])
        title = known.title
        said = [
            f"{p.name.replace('_', ' ')} {plain(values[p.name])}"
            for p in known.parameters
            if p.name != "jobs" and p.name in values and values[p.name] != p.default
        ]
    except QuestionError:
        title, said = source["generator"], []
    return ", ".join([title, *said, f"seed {source['seed']}"])


def conversion_words(conversion: Mapping[str, Any]) -> str:
    """`week 21` (of k=20), `load 0.9`: the name and what was said of it."""
    values = conversion.get("parameters", {})
    try:
        known = find_conversion(conversion["name"])
        values = {p.name: values[p.name] for p in known.parameters if p.name in values and values[p.name] != p.default}
    except QuestionError:
        pass  # a run of an engine that knew it: its own words are all there is
    name = conversion["name"].replace("_", " ")
    if conversion["name"] == "week" and isinstance(values.get("k"), int):
        values = {**values, "k": values["k"] + 1}  # people count from 1
    first, *more = values.items() or [(None, None)]
    text = name if first[0] is None else f"{name} {plain(first[1])}"
    return " ".join([text, *(f"{key} {plain(value)}" for key, value in more)])


def source_words(store: VisibleStore, source: Mapping[str, Any]) -> str:
    """What a spec's workload is called, before conversions."""
    if "generator" in source:
        return generator_words(source)
    try:
        name = store.workloads.get(source["digest"]).name
    except NotFound:
        name = f"workload {source['digest'][:8]}"
    return file_words(name, source.get("case"))


def workload_words(store: VisibleStore, spec: RunSpec) -> str:
    """`KTH-SP2, week 21`."""
    return ", ".join([source_words(store, spec.workload), *(conversion_words(one) for one in spec.conversions)])


def named_workload(spec: RunSpec, name: str) -> str:
    """The same of a workload that no store has, whose file has that name."""
    source = spec.workload
    file = file_words(file_of(spec, name), source.get("case"))
    said = generator_words(source) if "generator" in source else file
    return ", ".join([said, *map(conversion_words, spec.conversions)])


def file_of(spec: RunSpec, name: str) -> str:
    """The name of the file of a workload that was read: where it is one case of several, its own name ends with it."""
    case = spec.workload.get("case")
    return name.removesuffix(f"#{case}") if case else name


def kind_of(store: VisibleStore, spec: RunSpec) -> str:
    """Kind of the jobs that a run is about, after its conversions; empty if it is no longer known."""
    try:
        made = [find_conversion(step["name"]).makes for step in spec.conversions]
        if any(made):
            return [kind for kind in made if kind][-1]
        if "generator" in spec.workload:
            return find_generator(spec.workload["generator"]).kind
        return store.workloads.get(spec.workload["digest"]).kind
    except (QuestionError, NotFound):
        return ""


def algorithm_words(slug: str, parameters: Mapping[str, Any] | None = None) -> str:
    """The algorithm's title; its slug when this engine does not know it.

    parameters: of a run. Those that are phrases belong to its name, as far as they differ from their defaults:
    `Batch: wfp3, conservative, user2`. With `batch`, which is nothing by itself, order and backfilling are always said.
    """
    try:
        known = policies.find(slug)
    except UnknownName:
        return slug
    phrases = {p.name: p for p in known.parameters if isinstance(p, Phrase)} if parameters else {}
    values = {name: (parameters or {}).get(name, phrase.default) for name, phrase in phrases.items()}
    changed = [name for name, value in values.items() if value != phrases[name].default]
    shown = changed or ([*ALWAYS] if slug == "batch" and phrases else [])
    said = ", ".join(phrase_words(phrases[name], str(values[name])) for name in shown)
    return f"{known.title}: {said}" if said else known.title


def run_words(spec: RunSpec) -> str:
    """What a run is called beside others on the same jobs."""
    return algorithm_words(spec.algorithm, spec.parameters)


ALWAYS = ("order", "backfill")
"""Parameters that the name of a run of `batch` tells if all have their defaults."""


def phrase_words(phrase: Phrase, value: str) -> str:
    """The value of a phrase in a name: `user2`, `easy depth 2`, `mean 5`, `(w/r)**3*n`."""
    word, _, argument = value.partition(":")
    if isinstance(phrase.arguments.get(word), Text):
        return argument
    return f"{word} {argument.replace('=', ' ')}".strip()


def platform_words(platform: Mapping[str, Any], kind: str = "") -> str:
    """`100 processors`, `142 machines`, `120 nodes of 2 cores`."""
    if "processors" in platform:
        return words.count(int(platform["processors"]), look_up_family(kind).machine)
    cores = int(platform.get("cores_per_node", 1))
    one = "machine" if look_up_family(kind).machine == "machine" else "node"
    return words.count(int(platform["nodes"]), one) + (f" of {words.count(cores, 'core')}" if cores > 1 else "")


def stated_of(store: VisibleStore, workload: str | None, case: str | None) -> Mapping[str, Any]:
    """What a stored file states, by name of a parameter: a site's weights. Nothing for another case than its first, of
    which alone it is known without reading, and for generated jobs (None)."""
    try:
        entry = store.workloads.get(workload) if workload else None
    except NotFound:
        return {}
    return entry.machine if entry and (not case or case in entry.cases[:1]) else {}


def said_parameters(slug: str, parameters: Mapping[str, Any], stated: Mapping[str, Any] | None = None) -> list[str]:
    """The parameters that differ from their defaults, in words: `extra first`; phrases belong to the name.

    stated: values that hold in place of defaults.
    """
    known, usual = _known(slug), stated or {}
    changed = {
        name: value
        for name, value in parameters.items()
        if name not in known or (usual.get(name, known[name].default) != value and not isinstance(known[name], Phrase))
    }
    return parameter_words(slug, changed)


def parameter_words(slug: str, parameters: Mapping[str, Any]) -> list[str]:
    """Parameters in words, with their units; phrases belong to the name."""
    known = _known(slug)
    said = {name: value for name, value in parameters.items() if not isinstance(known.get(name), Phrase)}
    return [f"{name.replace('_', ' ')} {plain(value)}{_unit(known.get(name))}" for name, value in said.items()]


def _known(slug: str) -> Mapping[str, Parameter]:
    with suppress(UnknownName):
        return {parameter.name: parameter for parameter in policies.find(slug).parameters}
    return {}


def plain(value: Any) -> str:
    """A parameter's value in a sentence."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return words.signed(f"{value:,g}")
    return f"{value:,}" if isinstance(value, int) else str(value).replace("-", " ")


def _unit(parameter: Parameter | None) -> str:
    unit = getattr(parameter, "unit", "")
    return f"{words.GAP}{unit}" if unit else ""
