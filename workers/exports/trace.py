"""A schedule as trace events, for ui.perfetto.dev and chrome://tracing: a track a lane, a slice a job on it.

A second of the schedule is a second of the trace. Slices of one track must not overlap, so where jobs share a lane
(a node that runs several at once) each stands in the first track of the lane that is free.

References
----------
Trace Event Format (Chrome), sections "Complete Events", "Counter Events" and "Metadata Events".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.errors import QuestionError
from shadowtime.engine.tables import Table, take
from shadowtime.workers.exports import Window
from shadowtime.workers.store import Run

MOST = 1_000_000
"""Slices of a trace; a viewer of traces needs a gigabyte for them."""
PIECE = 5_000
"""Events of one piece of text."""
TRACKS = 64
"""Tracks that a lane may need, one for each job that it runs at once."""
TIERS = ("foreground", "background")
COUNTERS = {
    "utilization": "lanes in use",
    "demand": "lanes requested",
    "queued": "jobs waiting",
    "running": "jobs running",
}
MICROSECONDS = 1e6


def trace(run: Run, title: str, window: Window, users: Sequence[str] = ()) -> Iterator[bytes]:
    """Yield the rectangles and step functions of a window as JSON, in pieces.

    users: names of users by their number in the jobs; a user without a name is shown as the number.

    Raises
    ------
    QuestionError
        When the window holds more than MOST slices: a lane of a rectangle is a slice.
    """
    jobs = run.table("jobs")
    segments = _inside(run.table("segments"), window)
    slices = int((segments["last"].astype("i8") - segments["first"] + 1).sum())
    if slices > MOST:
        raise QuestionError(
            f"the window holds {slices:,} slices (a lane of a rectangle is one); a trace has at most {MOST:,}: "
            "choose a shorter window with from and to"
        )
    return _written(_events(jobs, segments, run.table("series"), title, window, users))


def _inside(segments: Table, window: Window) -> Table:
    """Return the rectangles of a window, ordered by start."""
    index = np.flatnonzero((segments["start"] < window.end) & (segments["end"] > window.start))
    return take(segments, index[np.argsort(segments["start"][index], kind="stable")])


def _events(
    jobs: Table, segments: Table, series: Table, title: str, window: Window, names: Sequence[str]
) -> Iterator[dict]:
    taken: set[tuple[int, int]] = set()
    for event in _slices(jobs, segments, names):
        taken.add((event["pid"], event["tid"]))
        yield event
    yield from _counters(series, window)
    for tier in sorted({tier for tier, _ in taken} | {0}):
        name = title if len({tier for tier, _ in taken}) < 2 else f"{title}: {TIERS[tier]}"
        yield {"ph": "M", "name": "process_name", "pid": tier, "args": {"name": name}}
        yield {"ph": "M", "name": "process_sort_index", "pid": tier, "args": {"sort_index": tier}}
    for tier, track in sorted(taken):
        lane, number = divmod(track, TRACKS)
        name = f"lane {lane}" if not number else f"lane {lane}, job {number + 1}"
        yield {"ph": "M", "name": "thread_name", "pid": tier, "tid": track, "args": {"name": name}}
        yield {"ph": "M", "name": "thread_sort_index", "pid": tier, "tid": track, "args": {"sort_index": track}}


def _slices(jobs: Table, segments: Table, names: Sequence[str]) -> Iterator[dict]:
    free: dict[tuple[int, int], float] = {}
    ids, users, sizes = (jobs[name].tolist() for name in ("job_id", "user", "processors"))
    columns = [segments[name].tolist() for name in ("job", "first", "last", "tier", "start", "end", "share", "kind")]
    for job, first, last, tier, start, end, share, kind in zip(*columns, strict=True):
        args = {"job_id": ids[job], "processors": sizes[job], "share": share}
        if users[job] >= 0:
            args["user"] = names[users[job]] if users[job] < len(names) else users[job]
        slice_ = {
            "ph": "X", "name": f"job {ids[job]}", "cat": tables.SEGMENT_KINDS[kind],
            "ts": start * MICROSECONDS, "dur": (end - start) * MICROSECONDS, "pid": tier, "args": args,
        }  # fmt: skip
        for lane in range(first, last + 1):
            track = lane * TRACKS
            while free.get((tier, track), start) > start and track % TRACKS < TRACKS - 1:
                track += 1
            free[tier, track] = end
            yield {**slice_, "tid": track}


def _counters(series: Table, window: Window) -> Iterator[dict]:
    """Yield every breakpoint of the window, and the value that holds at its beginning."""
    time = series["time"]
    first = max(0, int(np.searchsorted(time, window.start, side="right")) - 1)
    stop = int(np.searchsorted(time, window.end, side="left"))
    columns = {word: series[name][first:stop].tolist() for name, word in COUNTERS.items() if name in series}
    for row, at in enumerate(np.maximum(time[first:stop], window.start).tolist()):
        for word, values in columns.items():
            if row and values[row] == values[row - 1]:
                continue
            yield {"ph": "C", "name": word, "pid": 0, "ts": at * MICROSECONDS, "args": {"value": values[row]}}


def _written(events: Iterator[dict]) -> Iterator[bytes]:
    yield b'{"displayTimeUnit":"ms","traceEvents":['
    between = ""
    while piece := list(islice(events, PIECE)):
        yield (between + ",\n".join(json.dumps(event, separators=(",", ":")) for event in piece)).encode()
        between = ",\n"
    yield b"]}\n"
