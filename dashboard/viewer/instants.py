"""Single questions of a viewer about a large run: jobs at an instant, what is at a point, the history of one job."""

from __future__ import annotations

from typing import Any

import numpy as np

from shadowtime.dashboard.viewer.windows import Windows, rows_equal
from shadowtime.engine.tables import REJECTED, STALL, Table, names_job, rows, take

MOST = 50
"""Jobs of each list; their whole number stands beside it."""


def instant(windows: Windows, t: float) -> dict[str, Any]:
    """Counts, areas and lists at instant `t`: jobs that run (and where) and wait, and the events beside it."""
    jobs, areas, s = windows.jobs, windows.areas, windows.segments
    there = _there(windows, t)
    lanes = (s["last"][there] - s["first"][there] + 1) * s["share"][there]
    tier = s["tier"][there]
    held = [float(lanes[tier == k].sum()) for k in range(2)]
    holders = np.unique(s["job"][there])
    waits = (jobs["release"] <= t) & ~(jobs["end"] <= t) & (jobs["state"] != REJECTED)
    waits[holders] = False
    waiting = np.flatnonzero(waits)
    waiting = waiting[np.lexsort((waiting, jobs["release"][waiting]))]
    at = int(np.searchsorted(areas["time"], t, side="right")) - 1
    read = {name: float(areas[name][at]) if at >= 0 else 0.0 for name in areas if name != "time"}
    promise = _promise(windows, t)
    shown = waiting[:MOST]
    if promise is not None:
        shown = np.append(shown, promise["row"])
    running = [_holder(windows, row, there) for row in holders]
    running.sort(key=lambda one: (one["tier"], one["ranges"][0][0]))
    known = np.unique(np.concatenate([shown, [one["row"] for one in running[:MOST]]]).astype(int))
    return {
        "at": t,
        **read,
        "held": held,
        "counts": [len(holders), len(waiting)],
        "holders": running[:MOST],
        "queue": [int(row) for row in waiting[:MOST]],
        "promise": promise,
        "jobs": [_job(jobs, row) for row in known],
        **_beside(windows.events["time"], t),
    }


def _there(windows: Windows, t: float) -> np.ndarray:
    """Rows of the rectangles that hold at `t`; those that end there do not."""
    s = windows.segments
    found = []
    for begin, stop in windows.spans(np.nextafter(t, -np.inf), np.nextafter(t, np.inf)):
        found.append(begin + np.flatnonzero((s["start"][begin:stop] <= t) & (s["end"][begin:stop] > t)))
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def _holder(windows: Windows, row: int, there: np.ndarray) -> dict[str, Any]:
    s = windows.segments
    mine = there[s["job"][there] == row]
    return {
        "row": int(row),
        "ranges": sorted([int(s["first"][i]), int(s["last"][i])] for i in mine),
        "tier": int(s["tier"][mine[0]]),
        "until": float(s["end"][mine].max()),
        "stalls": bool((s["kind"][mine] == STALL).all()),
    }


def _promise(windows: Windows, t: float) -> dict[str, Any] | None:
    """What the head of the queue is promised at `t`: its latest reservation, until it starts."""
    events = windows.events
    reserved = windows.reserved
    k = int(np.searchsorted(events["time"][reserved], t, side="right")) - 1
    if k < 0:
        return None
    row = int(events["job"][reserved[k]])
    if _start(windows, row) <= t:
        return None
    return {"row": row, "size": int(windows.jobs["processors"][row]), "time": float(events["value"][reserved[k]])}


def _start(windows: Windows, row: int) -> float:
    """When a job starts, in the foreground where there are tiers: until then a reservation of it holds."""
    if windows.tiers == 1:
        return float(windows.jobs["start"][row])
    s, index = windows.segments, rows_equal(windows.segments["job"], row)
    starts = s["start"][index][s["tier"][index] == 0]
    return float(starts.min() if len(starts) else windows.jobs["end"][row])


def _job(jobs: Table, row: int) -> dict[str, Any]:
    def number(name: str) -> float | None:
        value = float(jobs[name][row])
        return value if np.isfinite(value) else None

    return {
        "row": int(row),
        "job_id": int(jobs["job_id"][row]),
        "processors": int(jobs["processors"][row]),
        "user": int(jobs["user"][row]),
        "release": number("release"),
        "start": number("start"),
    }


def _beside(times: np.ndarray, t: float) -> dict[str, float | None]:
    """The instants before and after `t` at which something happened."""
    before, after = int(np.searchsorted(times, t, side="left")) - 1, int(np.searchsorted(times, t, side="right"))
    return {
        "before": float(times[before]) if before >= 0 else None,
        "after": float(times[after]) if after < len(times) else None,
    }


def hit(windows: Windows, t: float, lane: int, tier: int, near: float) -> np.ndarray:
    """Row of the rectangle at a point of a tier, or of the nearest within `near` seconds; none or one."""
    s = windows.segments
    best, nearest = -1, np.inf
    for begin, stop in windows.spans(t - near, t + near):
        part = {name: s[name][begin:stop] for name in ("first", "last", "start", "end", "tier")}
        here = (part["first"] <= lane) & (part["last"] >= lane) & (part["tier"] == tier)
        for i in np.flatnonzero(here & (part["start"] <= t + near) & (part["end"] >= t - near)):
            away = max(part["start"][i] - t, t - part["end"][i], 0.0)
            if away < nearest:
                best, nearest = begin + int(i), away
    return np.array([best] if best >= 0 else [], dtype=np.int64)


def life(windows: Windows, job: int) -> tuple[Table, Table, Table] | None:
    """Jobs, rectangles and events of the job with that id, which is the first of the jobs; None when there is none.

    The jobs also hold whom its events name.
    """
    found = np.flatnonzero(windows.jobs["job_id"] == job)
    if not len(found):
        return None
    row = int(found[0])
    mine = take(windows.events, rows_equal(windows.events["job"], row))
    others = mine["other"][names_job(mine)]
    index = rows_equal(windows.segments["job"], row)
    known = np.concatenate([[row], np.setdiff1d(others, [row])]).astype(int)
    place = {int(one): at for at, one in enumerate(known)}
    segments = take(windows.segments, index)
    segments["job"] = np.zeros(len(index), "i4")
    if rows(mine):
        mine["job"] = np.zeros(rows(mine), "i4")
        mine["other"][names_job(mine)] = [place[int(other)] for other in others]
    return {**take(windows.jobs, known), "row": known.astype("i4")}, segments, mine
