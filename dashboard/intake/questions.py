"""The questions that the intake answers: the child's side. Values in and out are JSON."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import cached_property
from io import BytesIO
from typing import Any, BinaryIO

from shadowtime.dashboard.intake.site_files import together
from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.registry import find_generator
from shadowtime.engine.workload import reading
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.tables.writing import pseudonyms, write_table
from shadowtime.workers import submit
from shadowtime.workers.conversions import convert_all
from shadowtime.workers.recent import Recent
from shadowtime.workers.settings import Settings
from shadowtime.workers.spec import SEED, canonical
from shadowtime.workers.store import Store, disk, store_of

KEPT = 4
"""Workloads and bounds held in memory: the form sends questions about one workload many times."""


@dataclass
class Desk:
    """What one child keeps between questions."""

    settings: Settings
    workloads: Recent[Any] = field(default_factory=lambda: Recent(KEPT))
    bounds: Recent[Any] = field(default_factory=lambda: Recent(KEPT))

    @cached_property
    def store(self) -> Store:
        """The store, opened by the first question: that it is away is the answer to it, not the end of the child."""
        return store_of(self.settings)


def add(
    desk: Desk, path: str, name: str, case: str = "", key: str = "", others: Sequence[Sequence[str]] = ()
) -> dict[str, Any]:
    """Read a file that was sent and keep it; `case` chooses the columns of a table. `reading` of the answer is what was
    read, where the file is here with another choice.

    With a `key`, what is kept is not the file but a table of what is read of it, users and accounts by pseudonyms.
    With `others`, paths and names of further files, one of all is a log and the rest is of its Slurm site: what is kept
    is the archive of them.
    """
    limits = Limits(unpacked=desk.settings.max_unpacked)
    with ExitStack() as stack:
        file: BinaryIO = stack.enter_context(open(path, "rb"))
        log = name
        if others:
            content, name = together([(path, name), *((one, of) for one, of in others)], limits)
            log, file = name.removesuffix(".tar"), BytesIO(content)
        try:
            if key:
                return _add_renamed(desk, file, name, case, key, limits)
            entry, is_new = desk.store.workloads.add(file, name, limits, case or None)
        except InvalidWorkload as error:  # the archive was made here: name the log
            text = str(error)
            raise InvalidWorkload(log + text.removeprefix(name) if text.startswith(name) else text) from None
    is_other = bool(case) and desk.store.workloads.get(entry.digest).cases != [*entry.cases]
    return {"digest": entry.digest, "is_new": is_new, "reading": entry.as_dict() if is_other else None}


def _add_renamed(desk: Desk, file: BinaryIO, name: str, case: str, key: str, limits: Limits) -> dict[str, Any]:
    """Keep a table with pseudonyms, under a name that says nothing of the file's."""
    rename = pseudonyms(key.encode())
    workload = reading.read(file, name, case or None, limits=limits)
    with tempfile.TemporaryFile(prefix=disk.TEMPORARY, dir=desk.settings.store) as table:
        write_table(workload, table, rename)
        table.seek(0)
        digest = hashlib.file_digest(table, "sha256").hexdigest()
        table.seek(0)
        entry, is_new = desk.store.workloads.add(table, f"pseudonyms-{digest[:8]}.csv", limits)
    return {"digest": entry.digest, "is_new": is_new}


def columns(desk: Desk, path: str, name: str, case: str = "") -> dict[str, Any]:
    """Say how a table that was sent would be read; nothing is kept."""
    with open(path, "rb") as file:
        found = reading.columns(file, name, case or None, limits=Limits(unpacked=desk.settings.max_unpacked))
    if found is None:
        rule = "its format has columns of its own, or it has no header"
        raise InvalidWorkload(f"{name} is no table whose columns can be chosen: {rule}.")
    return found


def stored_columns(desk: Desk, workload: str) -> dict[str, Any] | None:
    """Say how a stored table is read, with its clock; None for any other file."""
    reference, _, case = workload.partition("#")
    entry = desk.store.workloads.get(reference)
    if "digest" not in entry.source:
        return None
    case = case or (entry.cases[0] if len(entry.cases) == 1 else "")
    with desk.store.workloads.open_source(entry.digest) as file:
        found = reading.columns(file, entry.name, case or None)
    if found is not None and not found["missing"]:
        try:
            clock = workload_of(desk, {"workload": workload})[0].clock
        except InvalidWorkload as error:
            return {**found, "missing": str(error)}
        found["clock"] = asdict(clock) if clock else None
    return found


def draw(desk: Desk, generator: str, parameters: Mapping[str, Any] | None, seed: int | None) -> dict[str, Any]:
    """Make a generated workload and keep it."""
    entry, is_new = desk.store.workloads.generate(generator, parameters, SEED.check(seed or 0, "a workload"))
    return {"digest": entry.digest, "is_new": is_new}


def ask(desk: Desk, question: Mapping[str, Any]) -> dict[str, Any]:
    """Understand what `POST /api/runs` was sent; nothing is accepted yet."""
    return {"runs": [{"spec": spec.json, "jobs": jobs} for spec, jobs in submit.questions(desk.store, question)]}


def workload_of(desk: Desk, question: Mapping[str, Any]) -> tuple[Workload, str]:
    """The jobs that a question is about, its conversions applied, and a key that is theirs alone."""
    seed = SEED.check(question.get("seed") or 0, "a run")
    source, load = _source(desk, question, seed)
    asked = question.get("conversions") or ()
    key = canonical([source, list(asked), seed if asked else 0])
    first = desk.workloads.get(canonical([source, [], 0]), load)
    return desk.workloads.get(key, lambda: convert_all(first, asked, seed)), key


def _source(desk: Desk, question: Mapping[str, Any], seed: int) -> tuple[Any, Callable[[], Workload]]:
    if question.get("generator") is not None:
        entry = find_generator(question["generator"])
        values, drawn = entry.resolve(question.get("parameters"), seed)
        source = [entry.slug, values, drawn]
        return source, lambda: generate(entry.slug, values, drawn)
    if not question.get("workload"):
        raise InvalidWorkload("a configuration needs a workload: name one that is stored, or a generator")
    reference, _, case = str(question["workload"]).partition("#")
    digest = desk.store.workloads.get(reference).digest
    return [digest, case or None], lambda: desk.store.workloads.load(digest, case or None)
