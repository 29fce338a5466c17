"""Workloads as pandas frames: one row a job, ragged parts as cells that hold arrays.

A part of a job (`usage`, `phi`, `time`, `size`, `allowed` ...) is a cell with an array of its values; a part of a task
(`machine`, `time` of a multitask workload) is a cell with one array a task. What is no column (kind, machine, clock,
site, capacities ...) stands as plain JSON values in `frame.attrs["shadowtime"]`, which pandas copies along and writes
into Parquet files.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.dashboard.face.columns import (
    ATTRS,
    check_extra,
    check_values,
    frame_given,
    machine_of,
    notes_of,
    numbers,
    refused_by_column,
)
from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.families.classed.site.json_objects import document as site_document
from shadowtime.engine.families.classed.site.json_objects import site_of
from shadowtime.engine.families.classed.site.site import Site
from shadowtime.engine.registry import families, find_family
from shadowtime.engine.tables import Table
from shadowtime.engine.workload.job import COLUMNS, RECORDED, Clock, Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.slurm.cluster import Cluster
from shadowtime.engine.workload.slurm.cluster_json import cluster_of
from shadowtime.engine.workload.slurm.cluster_json import document as cluster_document

if TYPE_CHECKING:
    import pandas as pd

BY_PLACE = ("machine", "time")
"""Parts of tasks, where a workload has `options`."""
BY_MACHINE = ("capacity",)
"""Parts of the machine: kept in the attributes."""
CHANGED = re.compile(r" \(changed [0-9a-f]{6}\)$")
"""What the name of a workload says after jobs were selected or changed; the digits differ where the jobs do."""
ANY = 2**62
"""No limit for a text that this process wrote."""
DTYPES = {"machine": "i8", "task": "i8", "allowed": "?"}
"""Of ragged parts; the others are f8."""
REQUIRED = {
    "rigid": ("runtime", "processors"),
    "fractional": ("runtime", "processors", "cpu_need", "memory"),
    "two_tier": ("runtime", "usage", "phi"),
    "moldable": ("time",),
    "multitask": ("size", "machine", "time"),
    "classed": ("job_class",),
}
"""Columns that a frame must have, by kind; the others have defaults or follow from these."""
OWN = {
    "rigid": (),
    "fractional": ("cpu_need", "memory"),
    "two_tier": ("usage", "phi", "loss"),
    "moldable": ("time", "work"),
    "multitask": ("size", "task", "machine", "time", "volume"),
    "classed": ("job_class", "priority", "deviate", "allowed"),
}
"""Columns that only one kind has a meaning for."""
FOLLOWS = {
    "moldable": {"runtime": "time", "processors": "time"},
    "multitask": {"runtime": "time", "processors": "size"},
    "classed": {"runtime": "job_class", "processors": "job_class"},
}
"""Columns of jobs that follow from another one, which is the one to change, by kind."""
IDENTITY = ("digest", "kind", "machine", "clock", "has_estimates", "site", "cluster")
"""Attributes of a frame that distinguish workloads with the same columns."""
MEANINGS = {name for names in OWN.values() for name in names}
RAGGED = ("usage", "phi", "time", "size", "task", "machine", "allowed")
ALIKE = {"submit": "release", "submit_time": "release", "submission": "release", "arrival": "release"}
"""Names that other tools give a column. Without this check such a column would be kept unread beside the jobs."""
DEFAULTS = {"release": 0.0, "requested": np.nan, "weight": 1.0, "user": -1, "loss": 0.0, "deviate": 0.0, "priority": 1}


def frame_of(workload: Workload) -> pd.DataFrame:
    """Return the frame of a workload: n rows, columns of its jobs, then its parts."""
    import pandas as pd

    columns: dict[str, Any] = {name: column.copy() for name, column in workload.jobs.items()}
    frame = pd.DataFrame(columns | _cells(workload.parts))
    frame.attrs[ATTRS] = _attributes(workload)
    return frame


def workload_of(table: Any, **given: Any) -> Workload:
    """Return the workload of a frame: unchanged rows as they were written, other rows checked like a JSON instance.

    `given` replaces what `to_frame` noted: kind, name, processors, nodes.

    Raises
    ------
    InvalidWorkload
        Naming the column or the job, and the rule.
    """
    frame = frame_given(table)
    given = {name: value for name, value in given.items() if value is not None}
    noted = notes_of(frame)
    attributes = {**noted, **given, "machine": machine_of(noted.get("machine", {}), given)}
    if not isinstance(attributes.get("name", ""), str):
        raise InvalidWorkload(f"name = {str(attributes['name'])[:40]}, but the name of a workload must be a text")
    kind = attributes.get("kind", "rigid")
    if not isinstance(kind, str) or kind not in families():
        raise InvalidWorkload(f"kind = {str(kind)[:40]!r}, but it must be one of {', '.join(families())}")
    jobs, parts = _columns(frame, kind)
    parts |= {name: np.array(attributes[name], "f8") for name in BY_MACHINE if name in attributes}
    is_same = attributes.get("digest") == digest_of(jobs, parts)
    if not given and is_same:
        return _unchanged(kind, jobs, parts, attributes)
    found = _checked(kind, jobs, parts, attributes)
    if is_same or "digest" not in attributes or "name" in given:
        return found
    return found.with_(name=f"{CHANGED.sub('', found.name)} (changed {found.source['digest'][:6]})")


def digest_of(jobs: Table, parts: Table) -> str:
    """Return the SHA-256 of all columns: names, dtypes and bytes."""
    found = hashlib.sha256()
    for name, column in [*jobs.items(), *(("parts " + name, parts[name]) for name in sorted(parts))]:
        found.update(f"{name} {column.dtype.str} {len(column)}\n".encode() + np.ascontiguousarray(column).tobytes())
    return found.hexdigest()


def identity_of(workload: Workload) -> str:
    """Return the SHA-256 of what runs read of a workload: its columns, machine, clock, site and cluster."""
    attributes = _attributes(workload)
    read_by_runs = {name: attributes.get(name) for name in IDENTITY}
    return hashlib.sha256(json.dumps(read_by_runs, sort_keys=True, default=str).encode()).hexdigest()


def _attributes(workload: Workload) -> dict[str, Any]:
    """What is no column, as plain JSON values."""
    found: dict[str, Any] = {
        "kind": workload.kind, "name": workload.name, "machine": dict(workload.machine),
        "report": list(workload.report), "clock": asdict(workload.clock) if workload.clock else None,
        "has_estimates": workload.has_estimates, "source": dict(workload.source),
        "conversions": [dict(step) for step in workload.conversions],
        "seeds": None if workload.seeds is None else list(workload.seeds),
        "texts": {name: list(texts) for name, texts in workload.texts.items()},
        "digest": digest_of(workload.jobs, workload.parts),
    }  # fmt: skip
    found |= {name: workload.parts[name].tolist() for name in BY_MACHINE if name in workload.parts}
    if workload.site is not None:
        found["site"] = site_document(workload.site)
    if workload.cluster is not None:
        found["cluster"] = cluster_document(workload.cluster)
    return found


def _cells(parts: Table) -> dict[str, np.ndarray]:
    """One object column a ragged part."""
    if not parts:
        return {}
    by_job = parts["first"]
    found = {}
    for name, values in parts.items():
        if name in BY_PLACE and "options" in parts:
            found[name] = _split(_split(values, parts["options"]), by_job)
        elif name not in ("first", "options", *BY_MACHINE):
            found[name] = _split(values, by_job)
    return found


def _split(values: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Arrays of `values[first[i] : first[i + 1]]` as an object array."""
    cells = np.empty(len(first) - 1, object)
    for i in range(len(cells)):
        cells[i] = values[first[i] : first[i + 1]].copy()
    return cells


def _columns(frame: pd.DataFrame, kind: str) -> tuple[Table, Table]:
    """The jobs table and the ragged parts of a frame; whole numbers and times get their dtypes."""
    missing = [name for name in REQUIRED.get(kind, ()) if name not in frame]
    if missing:
        raise InvalidWorkload(f"a frame of {kind} jobs needs the column {missing[0]}; it has {_listed(frame)}")
    if not len(frame):
        raise InvalidWorkload("the frame has no rows, so there are no jobs")
    own = OWN.get(kind, ())
    _check_index(frame, (*COLUMNS, *RECORDED, *own))
    jobs: Table = {}
    parts: Table = {}
    for name in frame.columns:
        if not isinstance(name, str) or (name in MEANINGS and name not in own):
            raise InvalidWorkload(f"the column {name!r} has no meaning for {kind} jobs: rename or drop it")
        meant = ALIKE.get(name.lower(), name.lower())
        if meant != name and meant in (*COLUMNS, *own) and meant not in frame:
            raise InvalidWorkload(f"the column {name!r} would not be read as {meant}: rename or drop it")
        check_extra(name)
        if name in RAGGED and name in own:
            _join(name, [*frame[name]], parts)
        else:
            jobs[name] = numbers(name, frame[name])
    return jobs, parts


def _check_index(frame: pd.DataFrame, known: tuple[str, ...]) -> None:
    """Refuse a level of the index that has the name of a column, which would get its default."""
    for name in frame.index.names:
        if isinstance(name, str) and name not in frame and ALIKE.get(name.lower(), name.lower()) in known:
            raise InvalidWorkload(
                f"the index {name!r} would not be read: make it a column by frame.reset_index(), or rename it"
            )


def _join(name: str, cells: list[Any], parts: Table) -> None:
    """Put a column of cells into `parts`, end to end, with `first` (and `options`)."""
    if not all(isinstance(cell, list | tuple | np.ndarray) for cell in cells):
        raise InvalidWorkload(f"a cell of the column {name} is no list; each holds the values of one job")
    first = _ends([len(cell) for cell in cells])
    if name in BY_PLACE and len(cells[0]) and np.ndim(cells[0][0]):
        tasks = [task for cell in cells for task in cell]
        _agree(name, parts, "options", _ends([len(task) for task in tasks]))
        cells = tasks
    _agree(name, parts, "first", first)
    try:
        parts[name] = np.ascontiguousarray(np.concatenate([np.asarray(cell) for cell in cells]), DTYPES.get(name, "f8"))
    except (TypeError, ValueError):
        raise InvalidWorkload(f"a cell of the column {name} is no list of numbers") from None


def _agree(name: str, parts: Table, key: str, ends: np.ndarray) -> None:
    if key in parts and not np.array_equal(parts[key], ends):
        raise InvalidWorkload(f"cells of the column {name} are not as long as those of the columns before it")
    parts[key] = ends


def _ends(lengths: list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype("i8")


def _unchanged(kind: str, jobs: Table, parts: Table, attributes: Mapping[str, Any]) -> Workload:
    """The workload that the frame was made of, bit for bit."""
    return Workload(
        kind, attributes["name"], jobs, parts, dict(attributes["machine"]), tuple(attributes["report"]),
        _clock(attributes), attributes["has_estimates"], dict(attributes["source"]),
        tuple(attributes["conversions"]), _seeds(attributes), site=_site(kind, attributes), texts=_texts(attributes),
        cluster=_cluster(attributes),
    )  # fmt: skip


def _checked(kind: str, jobs: Table, parts: Table, attributes: Mapping[str, Any]) -> Workload:
    """The workload of rows that no reader has checked: read as the JSON instance that they would be."""
    n = len(next(iter(jobs.values()))) if jobs else len(parts["first"]) - 1
    widths = np.diff(parts["first"]) if "first" in parts else np.ones(n, "i8")
    meant = OWN.get(kind, ())
    known = {name: np.full(n, value) for name, value in DEFAULTS.items() if name in meant or name not in MEANINGS}
    known |= {"job_id": np.arange(1, n + 1), "processors": widths}
    own = {name: column for name, column in jobs.items() if name in COLUMNS or name in meant}
    check_values(own | {name: column for name, column in jobs.items() if name in RECORDED})
    draft = Workload(
        kind, attributes.get("name") or "frame", known | own, _with_machines(parts),
        dict(attributes.get("machine", {})), clock=_clock(attributes), site=_site(kind, attributes),
    )  # fmt: skip
    text = json.dumps(find_family(kind).document(draft)).encode()
    with refused_by_column():
        found = read(io.BytesIO(text), draft.name, limits=Limits(unpacked=ANY, json=ANY))
    order = np.argsort(draft.jobs["release"], kind="stable")
    _check_derived(kind, own, found.jobs, order)
    others = {name: column[order] for name, column in jobs.items() if name not in own}
    source = {"digest": digest_of(found.jobs | others, found.parts), "case": None}
    # An instance of a machine of nodes states its processors.
    derived = ("regime", "processors") if "nodes" in draft.machine else ("regime",)
    machine = {name: value for name, value in found.machine.items() if name not in derived} | dict(draft.machine)
    return found.with_(
        name=draft.name,
        jobs=found.jobs | others,
        source=source,
        seeds=None,
        machine=machine,
        texts=_texts(attributes),
        cluster=_cluster(attributes),
    )


def _check_derived(kind: str, given: Table, derived: Table, order: np.ndarray) -> None:
    """Refuse a value that was changed where it follows from another column: the change would have no effect."""
    for name, base in FOLLOWS.get(kind, {}).items():
        if name not in given:
            continue
        wrong = given[name][order] != derived[name]
        if wrong.any():
            at = int(np.argmax(wrong))
            raise InvalidWorkload(
                f"row {order[at] + 1:,}: {name} is {given[name][order[at]]:g}, but that of a {kind} job follows from "
                f"its {base} and is {derived[name][at]:g}: change {base}, and drop the column {name}"
            )


def _with_machines(parts: Table) -> Table:
    """The parts with what only the machine and the file hold of a multitask workload."""
    if "options" not in parts:
        return parts
    if "capacity" not in parts:
        raise InvalidWorkload("multitask jobs need the capacities of the machines, which only to_frame writes")
    return {"task": np.arange(len(parts["size"])), **parts}


def _seeds(attributes: Mapping[str, Any]) -> tuple[int, ...] | None:
    seeds = attributes.get("seeds", ())
    return None if seeds is None else tuple(seeds)


def _clock(attributes: Mapping[str, Any]) -> Clock | None:
    return Clock(**attributes["clock"]) if attributes.get("clock") else None


def _texts(attributes: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(texts) for name, texts in attributes.get("texts", {}).items()}


def _cluster(attributes: Mapping[str, Any]) -> Cluster | None:
    return cluster_of(attributes["cluster"]) if attributes.get("cluster") else None


def _site(kind: str, attributes: Mapping[str, Any]) -> Site | None:
    if attributes.get("site"):
        return site_of(attributes["site"])
    if find_family(kind).has_site:
        raise InvalidWorkload("classed jobs need a site, which a frame holds only when to_frame wrote it")
    return None


def _listed(frame: pd.DataFrame) -> str:
    return ", ".join(str(name) for name in frame.columns[:20]) or "no columns"
