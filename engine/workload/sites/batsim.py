"""Read workloads of the simulator Batsim: JSON with `nb_res`, `jobs` and `profiles`.

Rules: a job has the size `res`, the submission `subtime` (kept as written) and the requested time `walltime`. The
runtime is that of its profile, if this is a delay or a sequence of delays; Batsim stops a job at its walltime, so the
runtime is at most this. Other profiles are work in flops and bytes, whose time the platform decides: their jobs are
left out and counted. The number of a job is its id where all ids are numbers, else its position from 1. Types of
profiles are those of Batsim 5 (`DelayProfile`, `SequentialCompositionProfile`) and of 1 to 4 (`delay`, `composed`).

Format: https://batsim.readthedocs.io, Workload.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.job import Workload, job_table, rigid_log
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.columns import Columns, number, text
from shadowtime.engine.workload.sites.site_log import check_limits, left_out
from shadowtime.engine.workload.words import count

DELAYS = ("DelayProfile", "delay")
SEQUENCES = ("SequentialCompositionProfile", "composed")
DEEPEST = 50
"""Sequences inside each other."""
JOB, PROFILE, RESOURCES = range(3)

Profile = float | tuple[tuple[str, ...], float] | str
"""The time of a delay, the names and the repetitions of a sequence, or the type of another profile."""


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is a workload of Batsim."""
    return head.lstrip().startswith(b"{") and b'"subtime"' in head and (b'"res"' in head or b'"nb_res"' in head)


def read(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of a text.

    Raises
    ------
    InvalidWorkload
        If the text is not JSON, a value is beyond the limits, or no job has a time.
    """
    from shadowtime.engine.workload.sites.json_stream import objects  # ijson takes 10 ms, which others need not spend

    columns, profiles, processors, odd = Columns(("id", "submit", "size", "walltime"), ("profile",)), {}, 0.0, 0
    for kind, value in objects(pieces, limits, "jobs.item", "profiles:pairs", "nb_res"):
        if kind == PROFILE:
            profiles[value[0]] = _profile(value[1])
        elif kind == RESOURCES:
            processors = number(value)
        elif isinstance(value, dict):
            numbers = (number(value.get(name)) for name in ("subtime", "res", "walltime"))
            columns.add((_number(value.get("id")), *numbers), (text(value.get("profile")),))
        else:
            odd += 1
    return _workload(columns, profiles, processors, odd)


def _workload(columns: Columns, profiles: Mapping[str, Profile], processors: float, odd: int) -> Workload:
    given, profile = columns.numbers(), columns.groups()["profile"]
    n = len(profile.codes)
    if not n:
        raise InvalidWorkload("it holds no job.")
    known: dict[str, float] = {}
    times = np.array([*(_time(name, profiles, known) for name in profile.texts), np.nan])[profile.codes]
    size, submit, walltime = given["size"], given["submit"], given["walltime"]
    limited = np.where(walltime > 0, walltime, np.nan)
    runtime = np.fmin(times, limited)
    has_time = ~np.isnan(times)
    usable = has_time & (size >= 1) & (size == np.floor(size)) & (submit >= 0) & (runtime > 0)
    others = _other_types(profile.codes[~has_time], profile.texts, profiles)
    if not usable.any():
        raise InvalidWorkload(_nothing(n, others))
    ids = given["id"] if not np.isnan(given["id"]).any() else np.arange(1.0, n + 1)
    taken = {"size": size, "elapsed": runtime, "submit": submit, "job_id": ids}
    taken = {name: column[usable] for name, column in taken.items()}
    check_limits(taken)
    requested = limited[usable]
    table = job_table(
        taken["submit"], taken["elapsed"], taken["size"], job_id=taken["job_id"], requested=requested
    )  # fmt: skip
    without = int(np.isnan(requested).sum())
    stopped = int((times > limited)[usable].sum())
    report = (
        f"{count(n, 'job')} of Batsim, {int(usable.sum()):,} kept.",
        *left_out(odd, "value", " among the jobs that is no object"),
        *left_out(sum(others.values()), "job", f" whose profile is no delay ({_listed(others)})"),
        *left_out(int((has_time & ~usable).sum()), "job", " without resources, runtime or submission"),
        *([f"{count(stopped, 'job')} with a longer delay than walltime: Batsim stops them there."] * (stopped > 0)),
        *([f"{count(without, 'job')} without a walltime: the runtime stands in for it."] * (without > 0)),
    )
    return rigid_log(table, int(processors) if 1 <= processors < 2**31 else 0, report)


def _number(value: Any) -> float:
    """Return an id that is a whole number, also as a text."""
    if isinstance(value, str):
        return float(value) if value.isascii() and value.isdigit() and len(value) < 16 else np.nan
    found = number(value)
    return found if found >= 0 and found == np.floor(found) else np.nan


def _profile(value: Any) -> Profile:
    if not isinstance(value, dict):
        return "no object"
    kind = text(value.get("type")) or "no type"
    if kind in DELAYS:
        return number(value.get("delay"))
    if kind in SEQUENCES and isinstance(value.get("seq"), list):
        repeat = number(value.get("repeat", 1))
        return tuple(text(name) or "" for name in value["seq"]), repeat
    return "".join(letter if letter.isprintable() else "?" for letter in kind)[:40]


def _time(name: str, profiles: Mapping[str, Profile], known: dict[str, float], depth: int = 0) -> float:
    """Return the time of a profile [s]; NaN if the platform decides it, or a sequence never ends."""
    if name in known:
        return known[name]
    found = profiles.get(name, "")
    if isinstance(found, tuple):
        known[name] = np.nan  # a sequence inside itself
        parts = [_time(part, profiles, known, depth + 1) for part in found[0]] if depth < DEEPEST else [np.nan]
        found = found[1] * sum(parts) if parts else 0.0
    known[name] = found if isinstance(found, float) else np.nan
    return known[name]


def _other_types(codes: np.ndarray, names: Sequence[str], profiles: Mapping[str, Profile]) -> Counter[str]:
    """Return how many jobs have a profile without a time, by its type."""
    found: Counter[str] = Counter()
    for code, jobs in zip(*np.unique(codes, return_counts=True), strict=True):
        name = names[code] if code >= 0 else ""
        profile = profiles.get(name, "not in the file")
        kind = "sequence" if isinstance(profile, tuple) else profile
        found[kind if isinstance(kind, str) else "a delay without a time"] += int(jobs)
    return found


def _listed(types: Counter[str]) -> str:
    return ", ".join(kind for kind, _ in types.most_common(4))


def _nothing(n: int, others: Counter[str]) -> str:
    if others:
        return (
            f"it has {count(n, 'job')}, none with a delay as its profile ({_listed(others)}): the time of other "
            "profiles depends on the platform."
        )
    return f"it has {count(n, 'job')}, none with resources, a runtime and a submission."


BATSIM = Format(
    "batsim",
    "Batsim workload",
    (".json", ".json.gz"),
    "Jobs and profiles of the simulator Batsim; profiles that are delays have a time.",
    read,
    recognizes,
)
