"""The plain record of a real controller: its jobs, its site, and what it decided in each second."""

from __future__ import annotations

import csv
import gzip
import io
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np

from shadowtime.engine.families.rigid.policies.replaying.recorded import nodes_by_code
from shadowtime.engine.families.rigid.policies.slurm.backfill import backfill_pass
from shadowtime.engine.families.rigid.policies.slurm.following import CALC, END, START, SUBMIT
from shadowtime.engine.families.rigid.policies.slurm.history import Follower, Known
from shadowtime.engine.families.rigid.policies.slurm.main_loop import main_pass
from shadowtime.engine.families.rigid.policies.slurm.planner import held
from shadowtime.engine.families.rigid.policies.slurm.site import site_of
from shadowtime.engine.families.rigid.policies.slurm.state import RUNS
from shadowtime.engine.registry import find
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.slurm.site.bundle import bundle

FOLDER = Path(__file__).parents[2] / "workload" / "slurm"
LANES = 128
CALC_PHASE = 9.0
"""Second of the first recomputation; found by trying all of the 60."""
STEP = 5.02
"""From the start of a backfill pass to the next [s]."""
ALL = 10**6


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a table of the record."""
    path = next(path for path in (FOLDER / name, FOLDER / "site" / name) if path.exists())
    text = gzip.decompress(path.read_bytes()).decode() if name.endswith(".gz") else path.read_text()
    return list(csv.DictReader(io.StringIO(text), delimiter="|"))


@cache
def workload() -> Workload:
    """Return the log with the files of its site."""
    names = ("slurm.conf", "assoc.psv", "qos.psv", "sshare_first.psv")
    files = {name: (FOLDER / "site" / name).read_bytes() for name in names}
    return read(io.BytesIO(bundle((FOLDER / "plain.psv.gz").read_bytes(), files)), "plain.tar")


def parameters() -> dict[str, Any]:
    """Return the parameters that the site states."""
    return find("slurm").parameters_for(workload())


def by_backfill() -> np.ndarray:
    """Return which jobs the backfill loop started."""
    flags = {int(row["JobID"]): row["Flags"] for row in table("plain.psv.gz") if "." not in row["JobID"]}
    return np.array(["SchedBackfill" in flags[job] for job in workload().jobs["job_id"].tolist()])


def seconds_of(which: np.ndarray) -> list[float]:
    """Return the seconds in which these jobs started."""
    return sorted(set(workload().jobs["recorded_start"][which].tolist()))


def backfill_seconds() -> list[float]:
    """Return the seconds of all backfill passes: those that started jobs, and between them one every STEP."""
    known = seconds_of(by_backfill())
    found = [known[0] - STEP * n for n in range(int(known[0] // STEP), 0, -1)]
    for first, last in pairwise(known):
        passes = max(1, round((last - first) / STEP))
        found += [first + (last - first) * n / passes for n in range(passes)]
    return np.floor(np.array([*found, known[-1]]) + 0.5).tolist()


def follower() -> Follower:
    """Return a memory that follows the record."""
    log = workload()
    rows = np.arange(len(log))
    site = site_of(log, parameters(), LANES, np.random.default_rng(0))
    site.memory.m["last_calc"] = CALC_PHASE - 60.0
    lists = nodes_by_code(log, rows, LANES)
    nodes = [lists[code] for code in log.jobs["nodes"].tolist()]
    known = Known.of(log.jobs["recorded_start"], log.jobs["recorded_end"], nodes)
    calc = np.arange(CALC_PHASE, float(log.jobs["recorded_end"].max()), 60.0)
    looks = np.array(sorted({*backfill_seconds(), *seconds_of(~by_backfill())}))
    return Follower(site, known, calc, looks)


def saved(q: Any) -> dict[str, np.ndarray]:
    """Return a copy of a memory."""
    return {name: np.array(values) for name, values in vars(q).items() if not name.startswith("_")}


def restore(q: Any, copied: dict[str, np.ndarray]) -> None:
    """Set a memory to a copy."""
    for name, values in copied.items():
        np.asarray(getattr(q, name))[...] = values


def decided(q: Any, second: float, loop: str) -> dict[int, list[int]]:
    """Make one pass of a loop in a second; return the jobs that it starts and their nodes."""
    before = np.array(q.job["state"]) == RUNS
    q.m["main_version"] = q.m["backfill_version"] = -1
    q.m["asks_all"] = 1
    if loop == "main":
        main_pass(q, second, second, ALL)
    else:
        backfill_pass(q, second, second)
    started = np.flatnonzero((np.array(q.job["state"]) == RUNS) & ~before)
    return {int(j): sorted(held(q, int(j))[0].tolist()) for j in started}


def passes(loop: str, seconds: Iterable[float]) -> tuple[int, int, list[float]]:
    """Compare one pass in each second, from the recorded state before it, with what the controller started.

    Within a second the record does not say what came first: each kind of event of that second may have come before the
    pass or after it. Return how many passes start the same jobs on the same nodes in the order ends, submissions,
    recomputation, starts, pass; how many in some order; and the seconds of the others.
    """
    follow, log = follower(), workload()
    q = follow.site.memory
    mine = by_backfill() == (loop == "backfill")
    started: dict[float, dict[int, list[int]]] = defaultdict(dict)
    for job in np.flatnonzero(mine).tolist():
        place = follow.known.place[follow.known.place_first[job] : follow.known.place_first[job + 1]]
        started[float(log.jobs["recorded_start"][job])][job] = sorted(place.tolist())
    fixed, either, others = 0, 0, []
    for second in seconds:
        follow.until(second)
        copied, real = saved(q), started.get(second, {})
        here = np.flatnonzero(follow.at == second)
        kinds = [here[follow.kind[here] == kind] for kind in (END, SUBMIT, CALC)]
        kinds.append(here[(follow.kind[here] == START) & ~np.isin(follow.job[here], list(real))])
        orders = [order for order in product((True, False), repeat=4)
                  if all(first or len(rows) for first, rows in zip(order, kinds, strict=True))]  # fmt: skip
        same = []
        for order in orders:
            chosen = [rows for first, rows in zip(order, kinds, strict=True) if first]
            follow.apply(np.sort(np.concatenate([*chosen, np.zeros(0, "i8")])).astype("i8"))
            same.append(decided(q, second, loop) == real)
            restore(q, copied)
            if same[-1]:
                break
        fixed += same[0]
        either += any(same)
        others += [second] if not any(same) else []
    return fixed, either, others
