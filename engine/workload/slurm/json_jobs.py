"""Read what `sacct --json` and `squeue --json` of Slurm print, from 21.08 on.

Rules: those of `accounting`, as far as the records go. A number is a number, or an object of `set`, `infinite` and
`number` (since 23.02), unknown where it is not set or infinite; a state is a text or the first of a list. Instants are
seconds since 1970, 0 where there is none. Job steps are not read.

sacct: the size is what `tres.allocated` has of `cpu`, else `tres.requested`, else `required.CPUs`. Each record of a job
that was requeued is a job of its own: unlike `sacct -P`, `sacct --json` prints them all. Slurm 21.08 to 22.05.7 prints
the eligible time as the start (NEWS of 22.05.8): where both are equal, and earlier than the end less the time in which
the job ran, the latter is the start.

The nice value, least nodes, cores per task, whole nodes and dependency are those of `submit_line` (`submitted`), in
versions that print it; of squeue, `nice`, `cpus_per_task` and `dependency`.

squeue: the start and end of jobs that wait or run are expected ones, and are not read. The runtime is the end less the
start; of a job that was suspended, the time that it ran before (`pre_sus_time`) and that since (`suspend_time`).

Format: Slurm's REST API, schemas of data_parser v0.0.37 to v0.0.42.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np
import pyarrow as pa

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.columns import Columns, number, text
from shadowtime.engine.workload.sites.json_stream import objects
from shadowtime.engine.workload.sites.records import NUMBERS
from shadowtime.engine.workload.sites.site_log import Remark, SiteLog, Texts, left_out, workload_of
from shadowtime.engine.workload.slurm.submitted import submission_of, with_singletons
from shadowtime.engine.workload.slurm.values import gpus_of, memory_of
from shadowtime.engine.workload.words import count

MORE_NUMBERS = ("eligible", "nice", "min_nodes", "task_cores", "whole_nodes")
TEXTS = ("user", "account", "partition", "outcome", "nodes", "qos", "dependency", "name")
WAITING = frozenset({"PENDING", "REQUEUE_HOLD", "SPECIAL_EXIT", "REQUEUE_FED"})
RUNNING = frozenset({"RUNNING", "SUSPENDED", "CONFIGURING", "RESIZING", "STOPPED", "SIGNALING", "STAGE_OUT"})
ASKED = ("nice", "min_nodes", "task_cores", "whole_nodes")
SOME = ("qos", "dependency")
"""Texts that not each version of Slurm prints."""
FULFILLED = re.compile(r"\([a-z]+\)")
"""What squeue adds to a dependency: `afterok:12(unfulfilled)`."""
READ = ("cpu", "mem", "gres")
"""Types of resources that are read."""
QUEUED = frozenset({"REQUEUED"})
"""States of jobs of squeue that wait again; in sacct they are the end of an attempt."""


def read_json(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of a text of `sacct --json` or `squeue --json`.

    Raises
    ------
    InvalidWorkload
        If the text is not JSON, or holds no job that ran and ended.
    """
    columns, of_squeue, total, odd = Columns((*NUMBERS, *MORE_NUMBERS), TEXTS), 0, 0, 0
    moved = array("q")
    for _, job in objects(pieces, limits, "jobs.item"):
        if not isinstance(job, dict) or "job_id" not in job:
            odd += 1
            continue
        total += 1
        if "submit_time" in job:
            of_squeue += 1
            _add_queued(columns, job)
        elif _add_recorded(columns, job):
            moved.append(len(columns) - 1)
    if not total:
        raise InvalidWorkload("it holds no job; use `sacct --json`.")
    numbers, groups = columns.numbers(), columns.groups()
    asked = {name: np.nan_to_num(numbers.pop(name)) for name in ASKED}
    groups["dependency"] = _with_singletons(groups, numbers)
    del groups["name"]
    log = SiteLog(
        source="squeue --json" if of_squeue == total else "sacct --json",
        numbered=True,
        **cast(Any, numbers),
        groups={name: found for name, found in groups.items() if len(found.texts) or name not in SOME},
        asked={name: column for name, column in asked.items() if column.any()},
        notes=[*left_out(odd, "record", " without a job_id")],
        remarks=[
            Remark(
                moved,
                "had its eligible time as start, as Slurm before 22.05.8 prints it: the start follows from the "
                "end and the elapsed time",
                "had their eligible times as starts, as Slurm before 22.05.8 prints them: "
                "the starts follow from the ends and the elapsed times",
            )
        ],
    )
    if of_squeue == total and np.isnan(log.end).all():
        raise InvalidWorkload(
            f"it has {count(total, 'job')} of squeue, none that ended: use `sacct --json` for jobs of the past."
        )
    return workload_of(log)


def _add_recorded(columns: Columns, job: Mapping[str, Any]) -> bool:
    """Add a record of sacct; return whether its start was not one."""
    times, state = _object(job, "time"), _state(_object(job, "state").get("current"))
    start, is_moved = _start(times)
    tres, required = _object(job, "tres"), _object(job, "required")
    allocated, requested = _resources(tres.get("allocated")), _resources(tres.get("requested"))
    sizes = (allocated.get("cpu"), requested.get("cpu"), _number(required.get("CPUs")))
    graphics = (_gpus(allocated), _gpus(requested))
    _add(
        columns,
        job["job_id"],
        state,
        instants=(times.get("submission"), start, times.get("end")),
        size=next((size for size in sizes if size and size > 0), 0.0),
        elapsed=_number(times.get("elapsed")),
        limit=times.get("limit"),
        memory=requested.get("mem", np.nan) * 1024.0,
        graphics=next((found for found in graphics if found >= 0), np.nan),
        texts=(text(job.get("user")) or text(_object(job, "association").get("user")), job),
        eligible=times.get("eligible"),
    )
    return is_moved


def _start(times: Mapping[str, Any]) -> tuple[Any, bool]:
    """Return the start of a record of sacct, and whether the record has the eligible time in its place."""
    start, end, eligible = (_instant(times.get(name)) for name in ("start", "end", "eligible"))
    ran = _number(times.get("elapsed")) + np.nan_to_num(_number(times.get("suspended")))
    if start == eligible and ran > 0 and start + 1 < end - ran:
        return float(end - ran), True
    return times.get("start"), False


def _add_queued(columns: Columns, job: Mapping[str, Any]) -> None:
    """Add a job of squeue."""
    state = _state(job.get("job_state"))
    start, end = _instant(job.get("start_time")), _instant(job.get("end_time"))
    resumed, before = _instant(job.get("suspend_time")), _number(job.get("pre_sus_time"))
    granted, asked = (text(job.get(name)) or "" for name in ("tres_alloc_str", "tres_req_str"))
    graphics = (gpus_of(granted), gpus_of(asked))
    _add(
        columns,
        job["job_id"],
        "PENDING" if state in QUEUED else state,
        instants=(job.get("submit_time"), start, end),
        size=_number(job.get("cpus")),
        elapsed=before + end - resumed if resumed > 0 else end - start,
        limit=job.get("time_limit"),
        memory=next((memory_of(part[4:]) for part in asked.split(",") if part.startswith("mem=")), np.nan),
        graphics=next((found for found in graphics if found >= 0), np.nan),
        texts=(text(job.get("user_name")), job),
        eligible=job.get("eligible_time"),
    )


def _add(
    columns: Columns,
    job_id: Any,
    state: str | None,
    *,
    instants: tuple[Any, Any, Any],
    size: float,
    elapsed: float,
    limit: Any,
    memory: float,
    graphics: float,
    texts: tuple[str | None, Mapping[str, Any]],
    eligible: Any,
) -> None:
    user, job = texts
    submit, start, end = map(_instant, instants)
    if state in WAITING:
        start = np.nan
    if state in WAITING or state in RUNNING:
        end = np.nan
    nice, dependency, nodes, cores, whole = submission_of(text(job.get("submit_line")) or "")
    if "submit_time" in job:
        nice, cores = (_number(job.get(name)) for name in ("nice", "cpus_per_task"))
        dependency = FULFILLED.sub("", text(job.get("dependency")) or "") or None
    found = _number(job_id)
    columns.add(
        (
            found if found >= 0 else 0.0,
            submit,
            start,
            end,
            size if size >= 1 and size == int(size) else 0.0,
            elapsed,
            60.0 * _number(limit),
            memory if memory > 0 else np.nan,
            graphics,
            _instant(eligible),
            nice,
            nodes,
            cores,
            whole,
        ),
        (
            user,
            text(job.get("account")),
            text(job.get("partition")),
            state,
            _nodes(job.get("nodes")),
            text(job.get("qos")),
            dependency,
            text(job.get("name")),
        ),
    )


def _with_singletons(groups: Mapping[str, Texts], numbers: Mapping[str, np.ndarray]) -> Texts:
    names = groups["name"]
    coded = pa.array(names.codes, mask=names.codes < 0)
    found = pa.array([name.encode(errors="replace") for name in names.texts], pa.binary()).take(coded)
    return with_singletons(groups["dependency"], groups["user"].codes, found, numbers)


def _nodes(value: Any) -> str | None:
    found = text(value)
    return None if found == "None assigned" else found


def _object(job: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = job.get(name)
    return found if isinstance(found, dict) else {}


def _number(value: Any) -> float:
    if isinstance(value, dict):
        is_known = value.get("set") is not False and not value.get("infinite")
        return number(value.get("number")) if is_known else np.nan
    return number(value)


def _instant(value: Any) -> float:
    found = _number(value)
    return found if found > 0 else np.nan


def _state(value: Any) -> str | None:
    """Return a state without its flags and without what follows a blank."""
    found = text(value[0] if isinstance(value, list) and value else value)
    return found.split(" ", 1)[0].upper() if found else None


def _resources(listed: Any) -> dict[str, float]:
    """Return amounts by type of resource, `gres/gpu` and `gres/gpu:a100` among them."""
    found = {}
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, dict) and one.get("type") in READ and (amount := _number(one.get("count"))) >= 0:
            name = one.get("name")
            found[f"{one['type']}/{name}" if name else one["type"]] = amount
    return found


def _gpus(resources: Mapping[str, float]) -> float:
    """Return the GPUs: the total where it is there, else the sum over types; NaN where none is named."""
    if "gres/gpu" in resources:
        return resources["gres/gpu"]
    typed = [amount for name, amount in resources.items() if name.startswith("gres/gpu:")]
    return sum(typed) if typed else np.nan
