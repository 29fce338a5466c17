"""Make up a large schedule, to measure the viewer with: jobs packed on 320 processors, with a background tier."""

from __future__ import annotations

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.output.series import series_of
from shadowtime.engine.tables import EVENTS, JOBS, SEGMENTS, Table

LANES = 320


def schedule(segments: int = 1_000_000, seed: int = 1) -> dict[str, Table]:
    """Return the four tables of a run with about `segments` rectangles (cut to that number), integer seconds."""
    rng = np.random.default_rng(seed)
    free = np.zeros((2, LANES))
    columns: dict[str, list] = {name: [] for name in SEGMENTS}
    jobs: dict[str, list] = {name: [] for name in ("release", "start", "end", "processors", "runtime", "user")}
    now = 0.0
    held = 0
    while held < segments:
        job = len(jobs["release"])
        size = int(min(LANES, 2 ** rng.uniform(0, 7.2)))
        runtime = float(np.ceil(rng.lognormal(6.4, 1.5)))
        now += float(np.floor(rng.exponential(size * min(runtime, 30_000) / (0.86 * LANES))))
        tier = int(job % 4 == 3)
        lanes = np.sort(np.argpartition(free[tier], size - 1)[:size])
        start = max(now, float(free[tier][lanes].max()))
        first = lanes[np.flatnonzero(np.diff(lanes, prepend=-9) > 1)]
        last = lanes[np.flatnonzero(np.diff(lanes, append=lanes[-1] + 9) > 1)]
        pieces = [(start, start + runtime, tables.RUN)]
        if tier and job % 16 == 3:
            died = start + float(np.ceil(runtime / 3))
            pieces = [(start, died, tables.LOST), (died + 60, died + 60 + runtime, tables.RUN)]
        elif tier and job % 16 == 7:
            pieces = [(start, start + 300, tables.STALL), (start + 300, start + 300 + runtime, tables.RUN)]
        for begin, end, kind in pieces:
            columns["job"].append(np.full(len(first), job))
            columns["first"].append(first)
            columns["last"].append(last)
            columns["tier"].append(np.full(len(first), tier))
            columns["start"].append(np.full(len(first), begin))
            columns["end"].append(np.full(len(first), end))
            columns["share"].append(np.ones(len(first)))
            columns["kind"].append(np.full(len(first), kind))
            held += len(first)
        free[tier][lanes] = pieces[-1][1]
        values = (now, start, pieces[-1][1], size, runtime, int(rng.zipf(1.6) % 60))
        for name, value in zip(jobs, values, strict=True):
            jobs[name].append(value)
    return _tables(columns, jobs, segments)


def _tables(columns: dict[str, list], jobs: dict[str, list], most: int) -> dict[str, Table]:
    n = len(jobs["release"])
    job_table = tables.empty(JOBS, n)
    for name, values in jobs.items():
        job_table[name] = np.array(values, dtype=JOBS[name])
    job_table["job_id"] = np.arange(1, n + 1)
    job_table["requested"] = np.ceil(job_table["runtime"] * 2 / 60) * 60
    job_table["estimate"] = job_table["requested"].copy()
    job_table["weight"][:] = 1.0
    job_table["state"][:] = tables.FINISHED
    rectangles = {name: np.concatenate(columns[name]).astype(SEGMENTS[name])[:most] for name in SEGMENTS}
    rectangles = tables.take(rectangles, np.lexsort((rectangles["first"], rectangles["start"])))
    return {
        "jobs": job_table,
        "segments": rectangles,
        "events": _events(job_table, rectangles),
        "series": series_of(job_table, rectangles),
    }


def _events(jobs: Table, segments: Table) -> Table:
    """Return submissions, starts, ends and reservations: enough to step through and to explain a job."""
    n = len(jobs["job_id"])
    waited = np.flatnonzero(jobs["start"] > jobs["release"])
    lost = np.flatnonzero(segments["kind"] == tables.LOST)
    lost = lost[np.unique(segments["job"][lost], return_index=True)[1]]
    tier = np.zeros(n, "u1")
    tier[segments["job"]] = segments["tier"]
    parts = [
        (jobs["release"], tables.SUBMIT, np.arange(n), np.nan),
        (jobs["release"][waited], tables.RESERVE, waited, jobs["start"][waited]),
        (jobs["start"], tables.START, np.arange(n), np.nan),
        (segments["end"][lost], tables.KILL, segments["job"][lost], np.nan),
        (jobs["end"], tables.END, np.arange(n), np.nan),
    ]
    count = sum(len(times) for times, *_ in parts)
    events = tables.empty(EVENTS, count)
    events["time"] = np.concatenate([times for times, *_ in parts])
    events["kind"] = np.concatenate([np.full(len(times), kind) for times, kind, *_ in parts])
    events["job"] = np.concatenate([rows for _, _, rows, _ in parts])
    events["tier"] = tier[events["job"]]
    events["other"][:] = -1
    events["value"] = np.concatenate([np.broadcast_to(value, len(times)) for times, _, _, value in parts])
    return tables.take(events, np.argsort(events["time"], kind="stable"))
